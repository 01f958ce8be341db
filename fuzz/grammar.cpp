// SPDX-License-Identifier: Apache-2.0
//
// Fuzz target: loads any bytes as a JSON grammar, alone and on top of the built-in grammar. A grammar that loads must
// be usable.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "vireo/spirv/grammar/grammar_loader.h"
#include "vireo/spirv/text/assemble.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace vireo;
  using namespace vireo::spirv;
  const GrammarFile file{"extinst.fuzz.grammar.json", {reinterpret_cast<const char*>(data), size}, {}};
  for (const Grammar* base : {static_cast<const Grammar*>(nullptr), &builtin_grammar()}) {
    Diagnostics diagnostics;
    const Result<GrammarData> loaded = load_grammar({&file, 1}, base, diagnostics);
    if (!loaded) continue;
    AssembleOptions options;
    options.grammar = &loaded->grammar();
    Diagnostics faults;
    (void)assemble(
        {"fuzz", "%s = OpExtInstImport \"fuzz\"\n%v = OpTypeVoid\n%x = OpExtInst %v %s Foo %v\nOpFoo Bar 1\n"}, options,
        faults);
  }
  return 0;
}
