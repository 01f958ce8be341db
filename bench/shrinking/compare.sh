#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# compare.sh MODULES [BUG...]: shrinks each module of bugs.tsv with vireo and with spirv-reduce, and prints the runs of
# the condition, the bytes of the result, and the processor time in milliseconds without that of the runs.
#
# MODULES is the unpacked archive real.tar.xz. VIREO and REDUCE are the programs; VALIDATE checks the results.
set -u
modules=$1
shift
here=$(cd "${0%/*}" && pwd)
export VIREO=${VIREO:-vireo} RUNS
reduce=${REDUCE:-spirv-reduce} validate=${VALIDATE:-spirv-val}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
RUNS=$work/runs
cc -O1 -o own_time "$here/own_time.c" || exit 1

# measure COMMAND...: prints "runs bytes own-milliseconds validity" of a program that writes out.spv.
measure() {
  local status bytes=- validity=-
  : >"$RUNS"
  rm -f out.spv temp_*
  "$work/own_time" time "$@" >log 2>&1
  status=$?
  if ((status == 0)); then
    bytes=$(stat -c %s out.spv)
    validity=$("$validate" out.spv >/dev/null 2>&1 && echo valid || echo invalid)
  elif ((status >= 128)); then
    validity="signal $((status - 128))"
  fi
  printf '%5d %7s %8d %-9s' "$(wc -l <"$RUNS")" "$bytes" $(($(cat time) / 1000)) "$validity"
}

printf '%-21s %7s | %5s %7s %8s %-9s | %5s %7s %8s %s\n' bug bytes runs bytes 'CPU ms' vireo runs bytes 'CPU ms' spirv-reduce
grep -v '^#' "$here/bugs.tsv" | while IFS=$'\t' read -r name module _; do
  [[ $# -eq 0 || " $* " == *" $name "* ]] || continue
  printf '%-21s %7d | ' "$name" "$(stat -c %s "$modules/$module")"
  measure "$VIREO" shrink -q "$modules/$module" -o out.spv -- "$here/is_interesting.sh" "$name" '{}'
  printf ' | '
  measure "$reduce" "$modules/$module" -o out.spv -- "$here/is_interesting.sh" "$name"
  echo
done
