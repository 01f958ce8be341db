// SPDX-License-Identifier: Apache-2.0
//
// A second, naive computation of types, constants and decorations.
//
// The library computes facts row by row. This code computes them by recursion over definitions, spells each type as one
// string, and reads literals from the words again.
#pragma once

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "vireo/spirv/module/call_graph.h"
#include "vireo/spirv/module/constants.h"
#include "vireo/spirv/module/decorations.h"
#include "vireo/spirv/module/facts.h"
#include "vireo/spirv/module/lines.h"
#include "vireo/spirv/module/module_declarations.h"
#include "vireo/spirv/module/types.h"
#include "vireo/spirv/module/uses.h"

namespace vireo::spirv {

// --- types -----------------------------------------------------------------------------------------------------------

inline std::string named(Word id) { return "%" + std::to_string(id); }

/// The properties of a type by recursion, cached by id.
class NaiveTypes {
 public:
  explicit NaiveTypes(const Module& module) : module_(module) {}

  struct Sum {
    std::string spelling;  ///< the whole type as one string
    std::uint64_t bits = 0;
    bool has_known_size = true;
    std::map<std::string, bool> leaves;  ///< names of all scalar and opaque types that a value of the type contains
  };

  const Sum& of(Word id) {
    const auto [found, is_new] = sums_.try_emplace(id);
    if (!is_new) return found->second;
    open_.insert(id);
    found->second = sum_of(module_.find(id));
    open_.erase(id);
    return found->second;
  }

 private:
  Sum sum_of(InstructionView type) {
    Sum sum;
    const InstructionRow* row = module_.grammar().find_opcode(type.opcode);
    const std::string name = row == nullptr ? "nothing" : std::string(module_.grammar().text(row->name));
    switch (type.opcode) {
      case Op::OpTypeInt:
      case Op::OpTypeFloat:
        sum.spelling = name;
        for (std::size_t i = 2; i < type.word_count; ++i) sum.spelling += " " + std::to_string(type.word(i));
        sum.bits = type.word(2);
        // A float with an encoding is none of the standard formats.
        sum.leaves[name + std::to_string(type.word(2)) + (name == "OpTypeFloat" && type.word_count > 3 ? "e" : "")] =
            true;
        return sum;
      case Op::OpTypeCooperativeMatrixKHR:
      case Op::OpTypeCooperativeMatrixNV:
      case Op::OpTypeVectorIdEXT:
        add(sum, type.word(2), 1);
        sum.spelling = name + "(" + sum.spelling;
        for (std::size_t i = 3; i < type.word_count; ++i) sum.spelling += " " + std::to_string(type.word(i));
        sum.spelling += ")";
        if (name == "OpTypeVectorIdEXT") sum.leaves["OpTypeVector"] = true;
        break;
      case Op::OpTypeVector:
      case Op::OpTypeMatrix:
        add(sum, type.word(2), type.word(3));
        sum.spelling = name + std::to_string(type.word(3)) + "(" + sum.spelling + ")";
        break;
      case Op::OpTypeArray: {
        const InstructionView length = module_.find(type.word(3));
        const bool is_plain = length.opcode == Op::OpConstant;
        add(sum, type.word(2), is_plain ? length.word(3) : 1);
        sum.has_known_size = sum.has_known_size && is_plain;
        const std::string count = is_plain ? std::to_string(length.word(3)) : named(type.word(3));
        sum.spelling = name + "[" + count + "](" + sum.spelling + ")";
        break;
      }
      case Op::OpTypeRuntimeArray:
        add(sum, type.word(2), 1);
        sum.has_known_size = false;
        sum.spelling = name + "(" + sum.spelling + ")";
        break;
      case Op::OpTypeStruct: {
        std::string members;
        for (std::size_t i = 2; i < type.word_count; ++i) {
          add(sum, type.word(i), 1);
          members += sum.spelling + ";";
        }
        sum.spelling = name + "{" + members + "}";
        break;
      }
      default:
        sum.has_known_size = false;
        sum.spelling = name;
        for (std::size_t i = 2; i < type.word_count; ++i) {
          const bool is_pointee = type.opcode == Op::OpTypePointer && i == 3;
          const bool is_type = is_pointee || type.opcode == Op::OpTypeFunction;
          sum.spelling += is_type ? "(" + of(type.word(i)).spelling + ")" : " " + std::to_string(type.word(i));
        }
        break;
    }
    sum.leaves[name] = true;
    return sum;
  }

  void add(Sum& sum, Word part, std::uint64_t count) {
    if (open_.contains(part)) {
      // A structure that contains a pointer to itself, declared by OpTypeForwardPointer: the recursion ends here.
      sum.leaves["OpTypePointer"] = true;
      sum.has_known_size = false;
      sum.spelling = named(part);
      return;
    }
    const Sum& inner = of(part);
    sum.spelling = inner.spelling;
    sum.bits += inner.bits * count;
    sum.has_known_size = sum.has_known_size && inner.has_known_size;
    sum.leaves.insert(inner.leaves.begin(), inner.leaves.end());
  }

  const Module& module_;
  std::map<Word, Sum> sums_;
  std::set<Word> open_;  // types whose recursion is in progress
};

struct NamedTrait {
  std::string_view leaf;
  TypeTrait trait;
};
constexpr NamedTrait named_traits[] = {
    {"OpTypeBool", TypeTrait::Bool},       {"OpTypeInt8", TypeTrait::Int8},
    {"OpTypeInt16", TypeTrait::Int16},     {"OpTypeInt32", TypeTrait::Int32},
    {"OpTypeInt64", TypeTrait::Int64},     {"OpTypeFloat32", TypeTrait::Float32},
    {"OpTypeFloat64", TypeTrait::Float64}, {"OpTypeVector", TypeTrait::Vector},
    {"OpTypeMatrix", TypeTrait::Matrix},   {"OpTypeArray", TypeTrait::Array},
    {"OpTypeStruct", TypeTrait::Struct},   {"OpTypeRuntimeArray", TypeTrait::RuntimeArray},
    {"OpTypeImage", TypeTrait::Image},     {"OpTypePointer", TypeTrait::Pointer},
};

inline bool has_leaf(const NaiveTypes::Sum& sum, std::string_view leaf) {
  return sum.leaves.contains(std::string(leaf));
}

/// Describes the first wrong type; empty if all are right.
inline std::string naive_types_fault(const Module& module, const Types& types) {
  NaiveTypes naive(module);
  std::map<std::string, TypeClass> classes;
  std::map<TypeClass, std::string> spellings;
  for (const TypeRow& type : types.rows()) {
    // Without capability Addresses, except in kernels, a pointer has no known size; physical pointers are not compared.
    const NaiveTypes::Sum& sum = naive.of(type.id);
    const bool has_pointer = has_leaf(sum, "OpTypePointer") || has_leaf(sum, "OpTypeUntypedPointerKHR");
    const bool is_plain =
        !has_pointer && !type.contains.has_any(TypeTrait::CooperativeMatrix) && !has_leaf(sum, "OpTypeVectorIdEXT");
    if (is_plain && type.has_known_size() != sum.has_known_size)
      return "bits of " + named(type.id) + " are known to one only";
    if (is_plain && sum.has_known_size && type.bits != sum.bits) return "bits of " + named(type.id);
    for (const NamedTrait& row : named_traits) {
      const bool is_image = row.trait == TypeTrait::Image && has_leaf(sum, "OpTypeSampledImage");
      if (type.contains.has_any(row.trait) != (has_leaf(sum, row.leaf) || is_image) &&
          !has_leaf(sum, "OpTypeUntypedPointerKHR")) {
        return named(type.id) + " and " + std::string(row.leaf);
      }
    }
    const auto [by_spelling, is_first] = classes.try_emplace(sum.spelling, type.class_);
    const auto [by_class, is_first_class] = spellings.try_emplace(type.class_, sum.spelling);
    // The recursion follows forward-declared pointers, but the classes do not.
    if (!types.has_forward_pointers() && (by_spelling->second != type.class_ || by_class->second != sum.spelling))
      return "class of " + named(type.id);
  }
  return {};
}

// --- decorations -----------------------------------------------------------------------------------------------------

/// target, member (none first), decoration, instruction, group instruction that applies it
using Decorated = std::tuple<Word, Word, Word, std::uint32_t, std::uint32_t>;

// Every annotation for every target. Groups in the simplest way: one search of all instructions for each use.
inline std::vector<Decorated> naive_decorations(const Module& module) {
  std::vector<Decorated> found;
  const std::uint32_t none = InstructionIndex::none().raw;
  for (std::uint32_t i = 0; i < module.instruction_count(); ++i) {
    const InstructionView use = module.instruction(InstructionIndex(i));
    const std::string_view name = module.grammar().find_opcode(use.opcode) == nullptr
                                      ? std::string_view{}
                                      : module.grammar().text(module.grammar().find_opcode(use.opcode)->name);
    if (name.starts_with("OpDecorate")) found.emplace_back(use.word(1), 0, use.word(2), i, none);
    if (name.starts_with("OpMemberDecorate")) found.emplace_back(use.word(1), use.word(2) + 1, use.word(3), i, none);
    if (!name.starts_with("OpGroup") || !name.ends_with("Decorate")) continue;
    const std::size_t step = name == "OpGroupDecorate" ? 1 : 2;
    for (std::size_t at = 2; at < use.word_count; at += step) {
      for (std::uint32_t j = 0; j < i; ++j) {
        const InstructionView own = module.instruction(InstructionIndex(j));
        const auto opcode = own.opcode;
        const bool decorates = opcode == Op::OpDecorate || opcode == Op::OpDecorateId || opcode == Op::OpDecorateString;
        if (!decorates || own.word(1) != use.word(1)) continue;
        found.emplace_back(use.word(at), step == 1 ? 0 : use.word(at + 1) + 1, own.word(2), j, i);
      }
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

/// Describes the first wrong decoration; empty if all are right.
inline std::string naive_decorations_fault(const Module& module, const Decorations& decorations) {
  std::vector<Decorated> found;
  for (const DecorationRow& row : decorations.rows()) {
    found.emplace_back(row.target, row.member + 1, static_cast<Word>(row.decoration), row.instruction.raw,
                       row.group_use.raw);
    const auto same = decorations.of(row.target, row.member);
    if (same.empty() || &row < same.data() || &row >= same.data() + same.size()) return "place of a row";
  }
  std::sort(found.begin(), found.end());
  return found == naive_decorations(module) ? "" : "rows of decorations";
}

// --- constants -------------------------------------------------------------------------------------------------------

/// Describes the first wrong constant among literals and composites; empty if all are right.
inline std::string naive_constants_fault(const Facts& facts) {
  const Module& module = facts.module();
  const Constants& constants = facts.constants();
  // Specialization constants have their default value, which an application can change.
  const auto has_value = [](const ConstantRow& row) { return row.status != ConstantStatus::Unknown; };
  for (const InstructionView instruction : module.views(module.section(Section::Globals))) {
    const Word id = module.result_of(instruction);
    const ConstantRow& row = constants.of(id);
    const auto opcode = instruction.opcode;
    if (opcode == Op::OpConstant || opcode == Op::OpSpecConstant) {
      // The literal in the form of OperandDecoder's pattern: sign-extended to its word.
      const TypeRow& type = facts.types().of(instruction.word(1));
      std::uint64_t expected = instruction.word(3);
      if (instruction.word_count > 4) expected |= std::uint64_t{instruction.word(4)} << 32;
      if (type.width < 64) expected &= (std::uint64_t{1} << type.width) - 1;
      if (row.bits != expected || !has_value(row)) return "value of " + named(id);
    }
    if (opcode == Op::OpConstantComposite || opcode == Op::OpSpecConstantComposite) {
      const Words parts = instruction.words().subspan(3);
      if (row.part_count() != parts.size()) return "number of parts of " + named(id);
      for (std::size_t i = 0; i < parts.size(); ++i) {
        if (constants.row(constants.parts(row)[i]).id != parts[i]) return "parts of " + named(id);
      }
    }
  }
  return {};
}

}  // namespace vireo::spirv
