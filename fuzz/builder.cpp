// SPDX-License-Identifier: Apache-2.0
//
// Fuzz target: calls of the builder. Bytes select the calls and their arguments; nothing may crash, and a built module
// has no violation.
//
// The first byte selects careful or careless calls. Careful calls respect the open function and block,
// and show that the built module reads back without a violation. Careless calls show that misuse ends in a diagnostic. The
// built module is then edited, controlled by the same bytes.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>

#include "spirv/build/random_calls.h"
#include "vireo/spirv/build/edit.h"
#include "vireo/spirv/module/module.h"

namespace {

using namespace vireo;
using namespace vireo::spirv;

// Edits at random places. The result is a module, or a failure with a diagnostic.
void edit_at_random(const Module& module, std::span<const std::uint8_t> bytes) {
  constexpr std::size_t most_bytes = 96;
  constexpr Word nop[] = {1u << 16 | static_cast<Word>(Op::OpNop)};
  const std::uint32_t count = module.instruction_count();
  Edit edit(module);
  for (std::size_t i = 0; i + 4 <= std::min(bytes.size(), most_bytes); i += 4) {
    const std::uint32_t place = (std::uint32_t{bytes[i]} << 8 | bytes[i + 1]) % count;
    const InstructionRange run = {place, std::min(count, place + 1 + bytes[i + 2] % 5u)};
    const InstructionIndex here(place);
    const ValueId value(bytes[i + 2]);
    switch (bytes[i + 3] % 12) {
      case 0: edit.insert_before(InstructionIndex(place), nop); break;
      case 1: edit.insert_after(InstructionIndex(place), nop); break;
      case 2: edit.remove(run); break;
      case 3: edit.replace(InstructionIndex(place), nop); break;
      case 4: edit.move_before(run, InstructionIndex(std::uint32_t{bytes[i + 2]} * 31 % (count + 1))); break;
      case 5: edit.remove_with_annotations(here); break;
      // Typed calls, valid and invalid, at valid and invalid places.
      case 6: edit.before(here).OpStore(value, value); break;
      case 7: edit.after(here).OpTypePointer(StorageClass::Private, edit.add().OpTypeInt(32, bytes[i + 2] % 2u)); break;
      case 8: edit.replace(here).OpVariable(TypeId(value), static_cast<StorageClass>(bytes[i + 2] % 12)); break;
      case 9: edit.before(here).OpConstant(TypeId(value), bytes[i]); break;
      case 10: edit.add().OpDecorate(value, DecorationWith::Location(place)); break;
      default: edit.add(module.instruction(here).words()); break;
    }
  }
  if (!bytes.empty() && bytes[0] % 2 != 0) edit.add_requirements();
  Diagnostics diagnostics(50);
  const Result<WordBuffer> words = edit.apply(diagnostics);
  if (bool(words) == diagnostics.has_errors()) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  Diagnostics diagnostics(50);
  Builder b(diagnostics, {.merge_aggregates = (data[0] & 2) != 0});
  RandomCalls calls(b, std::span(data + 1, size - 1));
  calls.is_careful = (data[0] & 1) == 0;
  calls.run();
  if (calls.is_careful) calls.finish();
  if ((data[0] & 4) != 0) b.add_requirements();
  const Result<WordBuffer> words = b.build();
  if (bool(words) == diagnostics.has_errors()) std::abort();
  if (!words) return 0;

  const Module module = Module::read(*words);
  if (!module.layout_violations().empty()) std::abort();
  // A built module can be edited: it is still valid without its names.
  Edit edit(module);
  edit.remove(module.section(Section::Names));
  if (!edit.apply(diagnostics)) std::abort();
  if (!compact_ids(*words, diagnostics)) std::abort();
  edit_at_random(module, std::span(data, size));
  return 0;
}
