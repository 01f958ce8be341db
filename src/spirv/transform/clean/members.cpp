// SPDX-License-Identifier: Apache-2.0
//
// Removes unused members from their structures and renumbers the others.
//
// One walk finds each place that lists members or numbers them, and changes it through an Edit. These are
// structures, names, decorations, constructions and paths.
//
// Source: specification 3.42.2 (OpMemberName), 3.42.3 (decorations), 3.42.6 (OpTypeStruct), 3.42.7 (constants).
#include "spirv/transform/clean/members.h"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>

#include "spirv/transform/clean/members_path.h"
#include "spirv/transform/clean/members_usage.h"
#include "spirv/transform/clean/passes.h"
#include "spirv/transform/rewrite.h"
#include "vireo/spirv/binary/views/annotation.h"
#include "vireo/spirv/binary/views/composite.h"
#include "vireo/spirv/binary/views/constant_creation.h"
#include "vireo/spirv/binary/views/debug.h"
#include "vireo/spirv/binary/views/type_declaration.h"
#include "vireo/spirv/build/edit.h"
#include "vireo/spirv/module/types.h"

namespace vireo::spirv {
namespace {

using enum Op;

// All places refer to the original module, so the order of the changes does not matter. Members that are out of range
// belong to an invalid module and stay as they are.
class MemberRemover {
 public:
  MemberRemover(const Module& module, const Types& types, const MemberUsage& usage)
      : module_(module), types_(types), usage_(usage), edit_(module) {
    for (const auto [index, view] : module.instructions(Section::Globals)) {
      const auto constant = as<OpConstant>(view);
      if (!constant || !types.of(constant->result_type()).is(TypeKind::Int)) continue;
      if (const auto value = member_number(module, types, constant->result())) {
        constants_.try_emplace(*value, constant->result());
      }
    }
  }

  Result<WordBuffer> run(Diagnostics& diagnostics) {
    for (const auto [index, view] : module_.instructions()) change(index, operation_of(view));
    return edit_.apply(diagnostics);
  }

 private:
  void change(InstructionIndex index, InstructionView view) {
    switch (view.opcode) {
      case OpTypeStruct: return shorten_structure(index, View<OpTypeStruct>(view));
      case OpMemberName: return renumber(index, View<OpMemberName>(view).type(), View<OpMemberName>(view).member());
      case OpMemberDecorate: return renumber_decoration(index, View<OpMemberDecorate>(view));
      case OpMemberDecorateIdEXT: return renumber_decoration(index, View<OpMemberDecorateIdEXT>(view));
      case OpMemberDecorateString: {
        const View<OpMemberDecorateString> decoration(view);
        return renumber(index, decoration.struct_type(), decoration.member());
      }
      case OpGroupMemberDecorate: return renumber_group(index, View<OpGroupMemberDecorate>(view));
      case OpConstantComposite: return shorten_construction(index, View<OpConstantComposite>(view));
      case OpSpecConstantComposite: return shorten_construction(index, View<OpSpecConstantComposite>(view));
      case OpCompositeConstruct: return shorten_construction(index, View<OpCompositeConstruct>(view));
      default: break;
    }
    if (const auto path = member_path(module_, types_, view)) renumber_path(index, *path);
  }

  /// The structure with this id if it loses members; otherwise nullptr.
  [[nodiscard]] const TypeRow* changed(Word type) const {
    const TypeRow* row = types_.find(type);
    return row != nullptr && row->is(TypeKind::Struct) && usage_.has_unused(*row) ? row : nullptr;
  }

  // --- lists with an element for each member ---

  void shorten_structure(InstructionIndex index, View<OpTypeStruct> view) {
    const TypeRow* structure = changed(view.result());
    if (structure == nullptr || structure->declaration != index) return;  // the same id may be declared again
    shorten(index, *structure, view.view(), view.member_types());
  }

  /// Constants and constructions of other composites, such as arrays, have an element for each constituent.
  template <typename Construction>
  void shorten_construction(InstructionIndex index, Construction view) {
    const TypeRow* structure = changed(view.result_type());
    if (structure != nullptr) shorten(index, *structure, view.view(), view.constituents());
  }

  /// The list has an element for each member, because otherwise all members are used.
  template <typename List>
  void shorten(InstructionIndex index, const TypeRow& structure, InstructionView view, const List& list) {
    const Words before = view.words().first(list.word());
    buffer_.assign(before.begin(), before.end());
    for (Word member = 0; member < list.size(); ++member) {
      if (usage_.is_used(structure, member)) buffer_.push_back(list[member].id);
    }
    replace(index, view);
  }

  /// Replaces an instruction by the words of `buffer_`, after setting their count.
  void replace(InstructionIndex index, InstructionView view) {
    buffer_.front() = first_word(buffer_.size(), view.opcode);
    edit_.replace(index, buffer_);
  }

  // --- numbers of members ---

  template <typename Decoration>
  void renumber_decoration(InstructionIndex index, Decoration decoration) {
    renumber(index, decoration.structure_type(), decoration.member());
  }

  /// A name or a decoration of one member; it goes with its member.
  void renumber(InstructionIndex index, Word type, Located<Word> member) {
    const TypeRow* structure = changed(type);
    if (structure == nullptr || member.value >= structure->count) return;
    if (!usage_.is_used(*structure, member)) return edit_.remove(index);
    set_number(index, member.word, member, usage_.new_number(*structure, member));
  }

  /// A group without targets remains, because another transform removes what is not used.
  void renumber_group(InstructionIndex index, View<OpGroupMemberDecorate> group) {
    bool changes = false;
    const Words before = group.view().words().first(group.targets().word());
    buffer_.assign(before.begin(), before.end());
    for (const MemberOperand target : group.targets()) {
      const TypeRow* structure = changed(target.type);
      const bool is_known = structure != nullptr && target.member < structure->count;
      changes |= is_known;
      if (is_known && !usage_.is_used(*structure, target.member)) continue;
      buffer_.push_back(target.type);
      buffer_.push_back(is_known ? usage_.new_number(*structure, target.member) : target.member.value);
    }
    if (changes) replace(index, group.view());
  }

  /// Literals are numbers; the indexes of access chains are ids of constants. All indexes on a path select used members.
  void renumber_path(InstructionIndex index, const MemberPath& path) {
    follow_members(path, module_, types_, [&](const TypeRow& structure, Word member, std::uint16_t word) {
      const Word number = usage_.new_number(structure, member);
      if (!path.has_ids) return set_number(index, word, member, number);
      if (number != member) edit_.set_word(index, word, constant(number, path.indexes[word - path.word]));
    });
  }

  void set_number(InstructionIndex index, std::uint16_t word, Word old, Word number) {
    if (number != old) edit_.set_word(index, word, number);
  }

  /// A constant with this value: an existing one, or a new one of the type of `index`, which is an OpConstant.
  Word constant(Word value, Word index) {
    const auto [found, is_new] = constants_.try_emplace(value, 0);
    if (!is_new) return found->second;
    found->second = edit_.fresh_id();
    const TypeRow& type = types_.of(module_.type_of(index));
    const InstructionView old = module_.find(index);
    buffer_ = {old.words()[0], type.id, found->second, value};
    buffer_.resize(old.word_count);  // a wide value has further words, which are 0
    // After its type, the constant precedes every use.
    edit_.insert_after(type.declaration, buffer_);
    return found->second;
  }

  const Module& module_;
  const Types& types_;
  const MemberUsage& usage_;
  Edit edit_;
  std::unordered_map<Word, Word> constants_;  // by value
  WordBuffer buffer_;                         // the words of one instruction
};

}  // namespace

Result<std::vector<StructMember>> unused_members(Words words, Diagnostics& diagnostics, const Grammar& grammar) {
  const Result<Module> module = read_for_transform(words, grammar, diagnostics);
  if (!module) return module.failure();
  const Types types = Types::read(*module);
  const Result<MemberUsage> usage = MemberUsage::read(*module, types, diagnostics);
  if (!usage) return usage.failure();
  std::vector<StructMember> unused;
  for (const TypeRow& row : types.rows()) {
    if (!row.is(TypeKind::Struct)) continue;
    for (Word member = 0; member < row.count; ++member) {
      if (!usage->is_used(row, member)) unused.push_back({row.id, member});
    }
  }
  return unused;
}

Result<WordBuffer> remove_unused_members(Words words, Diagnostics& diagnostics, const Grammar& grammar,
                                         std::span<const StructMember> kept) {
  const Result<Module> module = read_for_transform(words, grammar, diagnostics);
  if (!module) return module.failure();
  const Types types = Types::read(*module);
  Result<MemberUsage> usage = MemberUsage::read(*module, types, diagnostics);
  if (!usage) return usage.failure();
  for (const StructMember& each : kept) {
    const TypeRow& row = types.of(each.type);
    if (row.is(TypeKind::Struct) && each.member < row.count) usage->use(row, each.member);
  }
  if (!usage->has_unused()) return WordBuffer(words.begin(), words.end());
  return MemberRemover(*module, types, *usage).run(diagnostics);
}

std::optional<WordBuffer> remove_members(const PassInput& input) {
  Diagnostics diagnostics;  // the module is decoded; without fresh ids the members remain
  Result<WordBuffer> result = remove_unused_members(input.module.words(), diagnostics, input.module.grammar());
  if (!result || std::ranges::equal(*result, input.module.words())) return std::nullopt;
  return std::move(*result);
}

}  // namespace vireo::spirv
