// SPDX-License-Identifier: Apache-2.0
//
// Types, constants and decorations of real modules, against second computations.
//
// The one idea: what the library sums up row by row is worked out here by plain recursion over definitions; and code
// itself is asked, since what an OpCompositeExtract or an OpAccessChain gives says what the types have to be.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <iostream>
#include <map>
#include <set>
#include <tuple>

#include "system/real_modules.h"
#include "vireo/spirv/facts.h"

namespace vireo::system_test {
namespace {

using namespace spirv;

std::string named(Word id) { return "%" + std::to_string(id); }

// --- types --------------------------------------------------------------------------------------------------------------

/// What recursion finds of a type, remembered by id.
class NaiveTypes {
 public:
  explicit NaiveTypes(const Module& module) : module_(module) {}

  struct Sum {
    std::string spelling;  ///< all of the type in one string
    std::uint64_t bits = 0;
    bool knows_bits = true;
    std::map<std::string, bool> leaves;  ///< spellings of all that a value of the type has in it
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
    switch (static_cast<Op>(type.opcode)) {
      case Op::OpTypeInt:
      case Op::OpTypeFloat:
        sum.spelling = name;
        for (std::size_t i = 2; i < type.word_count; ++i) sum.spelling += " " + std::to_string(type.word(i));
        sum.bits = type.word(2);
        // A float with an encoding is none of the plain ones.
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
        const bool is_plain = static_cast<Op>(length.opcode) == Op::OpConstant;
        add(sum, type.word(2), is_plain ? length.word(3) : 1);
        sum.knows_bits = sum.knows_bits && is_plain;
        const std::string count = is_plain ? std::to_string(length.word(3)) : named(type.word(3));
        sum.spelling = name + "[" + count + "](" + sum.spelling + ")";
        break;
      }
      case Op::OpTypeRuntimeArray:
        add(sum, type.word(2), 1);
        sum.knows_bits = false;
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
        sum.knows_bits = false;
        sum.spelling = name;
        for (std::size_t i = 2; i < type.word_count; ++i) {
          const bool is_pointee = static_cast<Op>(type.opcode) == Op::OpTypePointer && i == 3;
          const bool is_type = is_pointee || static_cast<Op>(type.opcode) == Op::OpTypeFunction;
          sum.spelling += is_type ? "(" + of(type.word(i)).spelling + ")" : " " + std::to_string(type.word(i));
        }
        break;
    }
    sum.leaves[name] = true;
    return sum;
  }

  void add(Sum& sum, Word part, std::uint64_t count) {
    if (open_.contains(part)) {
      // A structure with a pointer to itself, which was declared ahead: nothing leads through it.
      sum.leaves["OpTypePointer"] = true;
      sum.knows_bits = false;
      sum.spelling = named(part);
      return;
    }
    const Sum& inner = of(part);
    sum.spelling = inner.spelling;
    sum.bits += inner.bits * count;
    sum.knows_bits = sum.knows_bits && inner.knows_bits;
    sum.leaves.insert(inner.leaves.begin(), inner.leaves.end());
  }

  const Module& module_;
  std::map<Word, Sum> sums_;
  std::set<Word> open_;  // those that recursion is within
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

bool has_leaf(const NaiveTypes::Sum& sum, std::string_view leaf) { return sum.leaves.contains(std::string(leaf)); }

std::string types_fault(const Module& module, const Types& types) {
  NaiveTypes naive(module);
  std::map<std::string, TypeClass> classes;
  std::map<TypeClass, std::string> spellings;
  for (const TypeRow& type : types.rows()) {
    // Without capability Addresses, pointers of kernels apart, a pointer has no bits; physical ones are not compared.
    const NaiveTypes::Sum& sum = naive.of(type.id);
    const bool has_pointer = has_leaf(sum, "OpTypePointer") || has_leaf(sum, "OpTypeUntypedPointerKHR");
    const bool is_plain =
        !has_pointer && !type.contains.has_any(TypeTrait::CooperativeMatrix) && !has_leaf(sum, "OpTypeVectorIdEXT");
    if (is_plain && type.knows_bits() != sum.knows_bits) return "bits of " + named(type.id) + " are known to one only";
    if (is_plain && sum.knows_bits && type.bits != sum.bits) return "bits of " + named(type.id);
    for (const NamedTrait& row : named_traits) {
      const bool is_image = row.trait == TypeTrait::Image && has_leaf(sum, "OpTypeSampledImage");
      if (type.contains.has_any(row.trait) != (has_leaf(sum, row.leaf) || is_image) &&
          !has_leaf(sum, "OpTypeUntypedPointerKHR")) {
        return named(type.id) + " and " + std::string(row.leaf);
      }
    }
    const auto [by_spelling, is_first] = classes.try_emplace(sum.spelling, type.class_);
    const auto [by_class, is_first_class] = spellings.try_emplace(type.class_, sum.spelling);
    // Recursion knows pointers that were declared ahead, to which classes are blind.
    if (!types.has_forward_pointers() && (by_spelling->second != type.class_ || by_class->second != sum.spelling))
      return "class of " + named(type.id);
  }
  return {};
}

/// The type of what a chain of indexes points at; 0 when it leads nowhere.
Word pointed_at(const Facts& facts, Word base, Words indexes) {
  Word type = facts.types().of(facts.module().type_of(base)).element;
  for (const Word index : indexes) {
    const TypeRow& row = facts.types().of(type);
    const bool is_struct = row.is(TypeKind::Struct);
    const std::uint64_t at = is_struct ? facts.constants().as_u64(index).value_or(UINT64_MAX) : 0;
    type = facts.types().member_type(row, at);
  }
  return type;
}

std::string code_fault(const Facts& facts, std::atomic<std::size_t>& asked, std::atomic<std::size_t>& wrong) {
  const Module& module = facts.module();
  for (const InstructionView instruction : module.views(module.section(Section::Functions))) {
    Word actual = 0, expected = 0;
    switch (static_cast<Op>(instruction.opcode)) {
      case Op::OpCompositeExtract:
        expected = instruction.word(1);
        actual = facts.types().member_type(module.type_of(instruction.word(3)), instruction.words().subspan(4));
        break;
      case Op::OpAccessChain:
      case Op::OpInBoundsAccessChain:
        expected = facts.types().of(instruction.word(1)).element;
        actual = pointed_at(facts, instruction.word(3), instruction.words().subspan(4));
        break;
      default: continue;
    }
    ++asked;
    if (actual == expected) continue;
    // Old tests of glslang take a half for a float, a byte for an int: wrong code, and the types are right.
    if (facts.types().of(actual).kind != facts.types().of(expected).kind || expected == 0)
      return "type of what " + named(instruction.word(2)) + " leads to";
    ++wrong;
  }
  return {};
}

TEST(DeclaredFacts, types_of_real_modules_agree_with_recursion_and_with_code) {
  std::atomic<std::size_t> types = 0, asked = 0, wrong = 0;
  check_real_modules([&](const Module& module) {
    const Facts facts(module);
    types += facts.types().rows().size();
    if (std::string fault = types_fault(module, facts.types()); !fault.empty()) return fault;
    return code_fault(facts, asked, wrong);
  });
  EXPECT_LE(wrong, 10u);
  std::cout << "             " << types << " types, " << asked << " instructions that go into them\n";
}

// --- decorations --------------------------------------------------------------------------------------------------------

/// target, member (none first), decoration, instruction, use of a group
using Decorated = std::tuple<Word, Word, Word, std::uint32_t, std::uint32_t>;

// Every annotation for every target, groups in the simplest way: all instructions once more for each use.
std::vector<Decorated> naive_decorations(const Module& module) {
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
        const auto opcode = static_cast<Op>(own.opcode);
        const bool decorates = opcode == Op::OpDecorate || opcode == Op::OpDecorateId || opcode == Op::OpDecorateString;
        if (!decorates || own.word(1) != use.word(1)) continue;
        found.emplace_back(use.word(at), step == 1 ? 0 : use.word(at + 1) + 1, own.word(2), j, i);
      }
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

TEST(DeclaredFacts, decorations_of_real_modules_agree_with_a_second_reading) {
  std::atomic<std::size_t> rows = 0, through_groups = 0;
  check_real_modules([&](const Module& module) -> std::string {
    const Decorations decorations = Decorations::read(module);
    std::vector<Decorated> found;
    for (const DecorationRow& row : decorations.rows()) {
      found.emplace_back(row.target, row.member + 1, static_cast<Word>(row.decoration), row.instruction.raw,
                         row.group_use.raw);
      through_groups += !row.group_use.is_none();
      const auto same = decorations.of(row.target, row.member);
      if (same.empty() || &row < same.data() || &row >= same.data() + same.size()) return "place of a row";
    }
    rows += found.size();
    std::sort(found.begin(), found.end());
    return found == naive_decorations(module) ? "" : "rows";
  });
  std::cout << "             " << rows << " decorations, " << through_groups << " through groups\n";
}

// --- the rest -----------------------------------------------------------------------------------------------------------

TEST(DeclaredFacts, constants_of_real_modules_are_what_their_words_say) {
  std::atomic<std::size_t> count = 0, evaluated = 0;
  check_real_modules([&](const Module& module) -> std::string {
    const Facts facts(module, {.specializations = {}, .defaults = ConstantOptions::Defaults::Freeze});
    const Constants& constants = facts.constants();
    for (const InstructionView instruction : module.views(module.section(Section::Globals))) {
      const Word id = module.result_of(instruction);
      const ConstantRow& row = constants.of(id);
      const auto opcode = static_cast<Op>(instruction.opcode);
      if (opcode == Op::OpConstant || opcode == Op::OpSpecConstant) {
        ++count;
        // The literal as OperandDecoder's pattern has it: sign-extended in its word.
        const TypeRow& type = facts.types().of(instruction.word(1));
        std::uint64_t expected = instruction.word(3);
        if (instruction.word_count > 4) expected |= std::uint64_t{instruction.word(4)} << 32;
        if (type.width < 64) expected &= (std::uint64_t{1} << type.width) - 1;
        if (row.bits != expected || row.status != ConstantStatus::Known) return "value of " + named(id);
      }
      if (opcode == Op::OpConstantComposite || opcode == Op::OpSpecConstantComposite) {
        const Words parts = instruction.words().subspan(3);
        if (row.part_count() != parts.size()) return "number of parts of " + named(id);
        for (std::size_t i = 0; i < parts.size(); ++i) {
          if (constants.row(constants.parts(row)[i]).id != parts[i]) return "parts of " + named(id);
        }
      }
      evaluated += opcode == Op::OpSpecConstantOp && row.status == ConstantStatus::Known;
    }
    return {};
  });
  std::cout << "             " << count << " literals, " << evaluated << " results of OpSpecConstantOp\n";
}

TEST(DeclaredFacts, hold_less_than_three_times_the_words) {
  std::atomic<std::size_t> words = 0, bytes = 0;
  check_real_modules([&](const Module& module) -> std::string {
    const Facts facts(module);
    words += module.words().size_bytes();
    bytes += facts.types().memory() + facts.constants().memory() + facts.decorations().memory();
    return {};
  });
  if (words == 0) return;
  std::cout << "             types, constants and decorations take " << 100 * bytes / words << " % of the words\n";
  EXPECT_LT(bytes, 3 * words);
}

}  // namespace
}  // namespace vireo::system_test
