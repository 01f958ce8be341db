// SPDX-License-Identifier: Apache-2.0
//
// Reads the Uses of a Module (uses.h): decodes the instructions in order, then sorts the uses by id with a counting
// sort.
#include "vireo/spirv/module/uses.h"

#include <algorithm>
#include <initializer_list>
#include <iterator>
#include <numeric>
#include <string_view>
#include <utility>
#include <vector>

#include "spirv/binary/id_type_table.h"
#include "vireo/spirv/binary/views/control_flow.h"
#include "vireo/spirv/grammar/enums.h"

namespace vireo::spirv {
namespace {

// Use kinds by printing class of the grammar. The mode-setting class contains OpEntryPoint, OpExecutionMode and similar
// opcodes.
std::vector<UseKind> kinds_by_class(const Grammar& grammar) {
  std::vector<UseKind> kinds;
  for (const auto name : grammar.printing_classes) {
    const std::string_view text = grammar.text(name);
    kinds.push_back(text == "Annotation"     ? UseKind::Annotation
                    : text == "Debug"        ? UseKind::Debug
                    : text == "Mode-Setting" ? UseKind::Mode
                                             : UseKind::Operand);
  }
  return kinds;
}

// Ids below this bound have an entry in tables by id. A valid module has fewer ids than words; larger ids are sorted
// instead.
Word dense_bound_of(const Module& module) {
  const Word bound = std::max<Word>(module.defined_bound(), module.header().bound);
  return static_cast<Word>(std::min<std::size_t>(module.words().size(), bound));
}

// One flag for each id that read_some() covers. The last flag is for all ids from the dense bound on.
std::vector<char> wanted_ids(const Module& module, Word dense_bound) {
  std::vector<char> wanted(std::size_t{dense_bound} + 1, 0);
  wanted.back() = 1;
  const auto add = [&](Word id) { wanted[std::min(id, dense_bound)] = 1; };
  const auto add_results = [&](InstructionRange range, std::initializer_list<Op> opcodes) {
    for (const InstructionView view : module.views(range)) {
      if (std::ranges::find(opcodes, view.opcode) != opcodes.end()) add(module.result_of(view));
    }
  };
  for (const FunctionRow& function : module.functions()) add(function.id);
  add_results(module.section(Section::Annotations), {Op::OpDecorationGroup});
  add_results(module.section(Section::Globals), {Op::OpVariable, Op::OpUntypedVariableKHR});
  if (module.has(Op::OpSampledImage)) add_results(module.section(Section::Functions), {Op::OpSampledImage});
  return wanted;
}

}  // namespace

class UseReader {
 public:
  explicit UseReader(const Module& module)
      : module_(module),
        dense_bound_(dense_bound_of(module)),
        kinds_(kinds_by_class(module.grammar())),
        decoder_(module.grammar(), module.header().bound, module.words().size()) {}

  Uses read() && {
    // Every use is one word, and every instruction has at least one word that is not a use, so the list does not grow.
    found_.reserve(module_.words().size() - module_.instruction_count());
    for (std::uint32_t i = 0; i < module_.instruction_count(); ++i) {
      const InstructionIndex here(i);
      decode(here, module_.instruction(here), [](Word) { return true; });
    }
    return sort_by_id();
  }

  Uses read_some() && {
    const std::vector<char> wanted = wanted_ids(module_, dense_bound_);
    const auto is_wanted = [flags = wanted.data(), bound = dense_bound_](Word id) {
      return flags[std::min(id, bound)] != 0;
    };
    for (std::uint32_t i = 0; i < module_.instruction_count(); ++i) {
      const InstructionIndex here(i);
      const InstructionView instruction = module_.instruction(here);
      // An instruction in which no word equals a wanted id has no wanted use, whatever its words mean.
      if (std::any_of(instruction.first + 1, instruction.first + instruction.word_count, is_wanted)) {
        if (const auto branch = as<Op::OpSwitch>(instruction)) define_selector(here, branch->selector());
        decode(here, instruction, is_wanted);
      } else if (decides_later_operands(here, instruction)) {
        decoder_.decode(instruction);
      }
    }
    return sort_by_id();
  }

 private:
  /// Keeps the uses of the ids for which `is_wanted(id)` holds.
  template <typename IsWanted>
  void decode(InstructionIndex i, InstructionView instruction, IsWanted is_wanted) {
    const DecodeFault fault = decoder_.decode(instruction);
    if (!is_decodable(fault)) uses_.undecoded_.push_back({i, fault});
    const InstructionRow* row = decoder_.row();
    if (row == nullptr) return;
    const UseKind kind = kinds_[row->printing_class];
    for (const Operand& operand : decoder_.operands()) {
      if (!operand.uses_id()) continue;
      if (!is_wanted(instruction.first[operand.word])) continue;
      found_.push_back({i, operand.word, operand.shape == OperandShape::IdResultType ? UseKind::ResultType : kind});
    }
  }

  // The widths of later literals, and the sets of later extended instructions, depend on these instructions. If an id
  // has several definitions, the first one is used; it may be an instruction that was not decoded.
  [[nodiscard]] bool decides_later_operands(InstructionIndex i, InstructionView instruction) const {
    switch (instruction.opcode) {
      case Op::OpTypeInt:
      case Op::OpTypeFloat:
      case Op::OpExtInstImport: return module_.definition(module_.result_of(instruction)) == i;
      default: return false;
    }
  }

  // The literals of OpSwitch have the width of its selector's type; the selector's definition may not have been
  // decoded.
  void define_selector(InstructionIndex i, Word selector) {
    const InstructionIndex definition = module_.definition(selector);
    if (decoder_.seen().get(selector) != 0 || definition.is_none() || definition >= i) return;
    const Word type = module_.type_of(module_.instruction(definition));
    decoder_.seen().set(selector, type != 0 && type < seen::first_not_type_id ? type : seen::defined_only);
  }

  [[nodiscard]] Word id_of(const Use& use) const { return module_.instruction(use.instruction).word(use.word); }

  Uses sort_by_id() {
    std::vector<std::uint32_t>& begins = uses_.begins_;
    begins.assign(std::size_t{dense_bound_} + 1, 0);
    for (const Use& use : found_) {
      if (const Word id = id_of(use); id < dense_bound_) ++begins[id + 1];
    }
    std::partial_sum(begins.begin(), begins.end(), begins.begin());

    uses_.uses_.resize(found_.size());
    std::vector<std::uint32_t> next = begins;
    std::vector<Use> far;
    for (const Use& use : found_) {
      if (const Word id = id_of(use); id < dense_bound_) {
        uses_.uses_[next[id]++] = use;
      } else {
        far.push_back(use);
      }
    }
    const auto id_of_use = [this](const Use& use) { return id_of(use); };
    std::ranges::stable_sort(far, {}, id_of_use);
    std::ranges::copy(far, uses_.uses_.begin() + begins.back());
    std::ranges::transform(far, std::back_inserter(uses_.far_ids_), id_of_use);
    return std::move(uses_);
  }

  const Module& module_;
  Word dense_bound_;
  std::vector<UseKind> kinds_;  // by printing class
  OperandDecoder decoder_;
  std::vector<Use> found_;  // in the order of the words
  Uses uses_;
};

Uses Uses::read(const Module& module) { return UseReader(module).read(); }
Uses Uses::read_some(const Module& module) { return UseReader(module).read_some(); }

std::span<const Use> Uses::find_far(Word id) const {
  const auto [first, last] = std::equal_range(far_ids_.begin(), far_ids_.end(), id);
  return std::span(uses_).last(far_ids_.size()).subspan(first - far_ids_.begin(), last - first);
}

// --- rows ---------------------------------------------------------------------------------------------------------------
//
// Not in the header: each conversion to a std::span costs its users 10 to 20 ms of compile time.

std::span<const Use> Uses::of(Word id) const {
  if (id + std::size_t{1} < begins_.size()) [[likely]] {
    return std::span(uses_).subspan(begins_[id], begins_[id + 1] - begins_[id]);
  }
  return find_far(id);
}
std::span<const UndecodedRow> Uses::undecoded() const { return undecoded_; }

}  // namespace vireo::spirv
