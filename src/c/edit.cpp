// SPDX-License-Identifier: Apache-2.0
//
// vireo.h: editing modules.
//
// A handle wraps an Edit, which only records changes; vireo_edit_apply reports their faults. C has no
// types for operands, so the edit checks them against the grammar (InstructionCalls::instruction).
#include "c/handles.h"

namespace vireo::c {
namespace {

/// Records a change, and copies its words. vireo_edit_apply checks that the words are whole instructions and that the
/// index is in the module.
template <typename Change>
vireo_status change(vireo_edit* edit, const std::uint32_t* words, std::size_t count, Change with) {
  if (edit == nullptr || !is_span(words, count)) return VIREO_BAD_ARGUMENT;
  return guarded([&] {
    with(edit->edit, spirv::Words(words, count));
    return VIREO_OK;
  });
}

/// C callers may pass any number as a place, so its range is checked.
bool is_place(std::uint32_t place) { return place <= VIREO_EDIT_AT_BEGIN; }
spirv::InstructionCalls calls_at(vireo_edit& edit, std::uint32_t place, std::uint32_t instruction) {
  const spirv::InstructionIndex index(instruction);
  switch (place) {
    case VIREO_EDIT_BEFORE: return edit.edit.before(index);
    case VIREO_EDIT_AFTER: return edit.edit.after(index);
    case VIREO_EDIT_REPLACE: return edit.edit.replace(index);
    case VIREO_EDIT_AT_BEGIN: {
      const auto functions = edit.module.functions();
      // An invalid function index becomes an invalid instruction index, which vireo_edit_apply reports.
      return instruction < functions.size() ? edit.edit.at_begin(functions[instruction])
                                            : edit.edit.before(spirv::InstructionIndex::none());
    }
    default: break;  // VIREO_EDIT_ADD
  }
  return edit.edit.add();
}

/// Adds an instruction. If `result` is not null, `*result` is a reserved id or 0 on entry, and the instruction's id on
/// return.
void make(vireo_edit& edit, std::uint32_t place, std::uint32_t instruction, spirv::Op opcode, spirv::Words operands,
          std::uint32_t* result) {
  spirv::InstructionCalls calls = calls_at(edit, place, instruction);
  const bool is_given = result != nullptr && *result != 0;
  const spirv::AnyId made = is_given ? calls.giving(spirv::AnyId(*result)).instruction(opcode, operands)
                                     : calls.instruction(opcode, operands);
  if (result != nullptr) *result = made.word;
}

}  // namespace
}  // namespace vireo::c

using namespace vireo;
using namespace vireo::c;

// The edit refers to the module, so the module's handle must exist until the edit is applied for the last time.
vireo_status vireo_edit_create(const vireo_module* module, vireo_edit** out) {
  return create(out, module != nullptr, [&] {
    *out = new vireo_edit(module->module);
    return VIREO_OK;
  });
}

vireo_status vireo_edit_create_from_words(const std::uint32_t* words, std::size_t count, const vireo_grammar* grammar,
                                          vireo_edit** out) {
  return create(out, is_span(words, count), [&] {
    *out = new vireo_edit(spirv::Module::read(spirv::Words(words, count), grammar_of(grammar)));
    return VIREO_OK;
  });
}

void vireo_edit_destroy(vireo_edit* edit) { delete edit; }

vireo_status vireo_edit_make(vireo_edit* edit, std::uint32_t place, std::uint32_t instruction, std::uint32_t opcode,
                             const std::uint32_t* operands, std::size_t count, std::uint32_t* result) {
  if (edit == nullptr || !is_place(place) || opcode > 0xFFFF || !is_span(operands, count)) return VIREO_BAD_ARGUMENT;
  return guarded([&] {
    make(*edit, place, instruction, static_cast<spirv::Op>(opcode), spirv::Words(operands, count), result);
    return VIREO_OK;
  });
}

vireo_status vireo_edit_insert_before(vireo_edit* edit, std::uint32_t instruction, const std::uint32_t* words,
                                      std::size_t count) {
  return change(edit, words, count, [&](spirv::Edit& e, spirv::Words given) {
    e.insert_before(spirv::InstructionIndex(instruction), given);
  });
}
vireo_status vireo_edit_insert_after(vireo_edit* edit, std::uint32_t instruction, const std::uint32_t* words,
                                     std::size_t count) {
  return change(edit, words, count, [&](spirv::Edit& e, spirv::Words given) {
    e.insert_after(spirv::InstructionIndex(instruction), given);
  });
}
vireo_status vireo_edit_add(vireo_edit* edit, const std::uint32_t* words, std::size_t count) {
  return change(edit, words, count, [](spirv::Edit& e, spirv::Words given) { e.add(given); });
}
vireo_status vireo_edit_replace(vireo_edit* edit, std::uint32_t instruction, const std::uint32_t* words,
                                std::size_t count) {
  return change(edit, words, count,
                [&](spirv::Edit& e, spirv::Words given) { e.replace(spirv::InstructionIndex(instruction), given); });
}
// Changes without words pass NULL and 0.
vireo_status vireo_edit_remove(vireo_edit* edit, std::uint32_t instruction) {
  return change(edit, nullptr, 0,
                [&](spirv::Edit& e, spirv::Words) { e.remove(spirv::InstructionIndex(instruction)); });
}
vireo_status vireo_edit_remove_with_annotations(vireo_edit* edit, std::uint32_t instruction) {
  return change(edit, nullptr, 0,
                [&](spirv::Edit& e, spirv::Words) { e.remove_with_annotations(spirv::InstructionIndex(instruction)); });
}
vireo_status vireo_edit_move_before(vireo_edit* edit, std::uint32_t first, std::uint32_t end,
                                    std::uint32_t instruction) {
  return change(edit, nullptr, 0, [&](spirv::Edit& e, spirv::Words) {
    e.move_before({first, end}, spirv::InstructionIndex(instruction));
  });
}
vireo_status vireo_edit_add_requirements(vireo_edit* edit) {
  return change(edit, nullptr, 0, [](spirv::Edit& e, spirv::Words) { e.add_requirements(); });
}
vireo_status vireo_edit_set_word(vireo_edit* edit, std::uint32_t instruction, std::uint32_t word, std::uint32_t value) {
  return change(edit, nullptr, 0,
                [&](spirv::Edit& e, spirv::Words) { e.set_word(spirv::InstructionIndex(instruction), word, value); });
}

// fresh_id() allocates no memory, so the function needs no guard.
std::uint32_t vireo_edit_fresh_id(vireo_edit* edit) { return edit == nullptr ? 0 : edit->edit.fresh_id(); }

// The edit is not changed: more changes may be added, and it may be applied again.
vireo_status vireo_edit_apply(const vireo_edit* edit, vireo_diagnostics* diagnostics, vireo_words** out) {
  return create(out, edit != nullptr, diagnostics, [&](Diagnostics& found) { return edit->edit.apply(found); });
}

vireo_status vireo_edit_apply_into(const vireo_edit* edit, std::uint32_t* out, std::size_t capacity, std::size_t* count,
                                   vireo_diagnostics* diagnostics) {
  if (edit == nullptr || count == nullptr || !is_span(out, capacity)) return VIREO_BAD_ARGUMENT;
  return guarded([&] {
    Diagnostics found;
    const Result<spirv::WordBuffer> words = edit->edit.apply(found);
    add(diagnostics, found);
    return words ? copy_out(*words, out, capacity, *count) : VIREO_REPORTED;
  });
}
