#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# is_interesting.sh BUG FILE.spv: exits with 0 if the module still has the injected bug, a row of bugs.tsv.
#
# VIREO is the program; "vireo" by default. If RUNS names a file, each run appends a line to it.
[ -z "$RUNS" ] || echo "$1" >>"$RUNS"
condition=$(awk -F '\t' -v name="$1" '$1 == name { print $4 }' "${0%/*}/bugs.tsv")
"${VIREO:-vireo}" dis --raw-id --no-indent --no-header --no-color "$2" | awk "$condition"
