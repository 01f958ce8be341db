// SPDX-License-Identifier: Apache-2.0
//
// Changes the values of specialization constants; all other words of the module stay the same.
//
//   rewrite_constants IN OUT ID=VALUE…      ID is the operand of SpecId; VALUE is an unsigned number
//
// Reading makes indexes over the words, and an edit is a list of changes. Applying it copies all unchanged
// words, so no model of the whole module is built.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "vireo/spirv/build/edit.h"
#include "vireo/spirv/grammar/enums.h"
#include "vireo/spirv/module/module.h"
#include "vireo/spirv/binary/reader.h"
#include "vireo/spirv/binary/views/annotation.h"
#include "vireo/spirv/binary/views/constant_creation.h"
#include "vireo/spirv/binary/writer.h"
#include "vireo/support/file.h"
#include "vireo/support/render.h"

using namespace vireo;
using namespace vireo::spirv;

namespace {

struct Setting {
  Word spec_id = 0;
  Word value = 0;
};

/// Records the change of one constant. Returns false if the decorated id is not a constant with one value.
bool set(const Module& module, Word target, Word value, Edit& edit) {
  const InstructionIndex place = module.definition(target);
  if (place.is_none()) return false;
  const InstructionView constant = module.instruction(place);
  switch (constant.opcode) {
    case Op::OpSpecConstant: {
      const LiteralList literal = View<Op::OpSpecConstant>(constant).value();
      if (literal.size() != 1) return false;  // wider than a word
      edit.set_word(place, literal.word(), value);
      return true;
    }
    case Op::OpSpecConstantTrue:
    case Op::OpSpecConstantFalse: {
      // The value of a boolean is in its opcode.
      const Op opcode = value != 0 ? Op::OpSpecConstantTrue : Op::OpSpecConstantFalse;
      const View<Op::OpSpecConstantTrue> boolean(constant);  // OpSpecConstantFalse has the same operands
      const Word words[3] = {3u << 16 | static_cast<Word>(opcode), boolean.result_type(), boolean.result()};
      edit.replace(place, words);
      return true;
    }
    default: return false;
  }
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<Setting> settings;
  for (int i = 3; i < argc; ++i) {
    char* end = nullptr;
    Setting setting;
    setting.spec_id = static_cast<Word>(std::strtoul(argv[i], &end, 10));
    if (*end != '=') return std::fprintf(stderr, "not ID=VALUE: %s\n", argv[i]), 2;
    setting.value = static_cast<Word>(std::strtoul(end + 1, nullptr, 0));
    settings.push_back(setting);
  }
  if (settings.empty()) {
    std::fprintf(stderr, "usage: rewrite_constants IN OUT ID=VALUE...\n");
    return 2;
  }

  Diagnostics diagnostics;
  const auto fail = [&] { return std::fputs(render({argv[1], {}}, diagnostics).c_str(), stderr), 1; };
  const Result<FileBytes> file = read_file(argv[1], diagnostics);
  if (!file) return fail();
  const Result<ModuleWords> words = read_module_words(file->text(), diagnostics);
  if (!words) return fail();
  const Module module = Module::read(words->words());
  Edit edit(module);
  std::size_t found = 0;
  for (const InstructionView decoration : module.views(module.section(Section::Annotations))) {
    const auto decorate = as<Op::OpDecorate>(decoration);
    if (!decorate) continue;
    const auto spec_id = decorate->decoration().SpecId();
    if (!spec_id) continue;
    for (const Setting& setting : settings) {
      if (setting.spec_id == *spec_id && set(module, decorate->target(), setting.value, edit)) ++found;
    }
  }
  const Result<WordBuffer> changed = edit.apply(diagnostics);
  if (!changed || !write_file(argv[2], bytes_of(*changed), diagnostics)) return fail();
  std::printf("%zu of %zu constants were set\n", found, settings.size());
  return found == settings.size() ? 0 : 1;
}
