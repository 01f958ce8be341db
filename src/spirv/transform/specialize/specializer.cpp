// SPDX-License-Identifier: Apache-2.0
//
// Specializer: analyses a module, and specializes it (vireo/spirv/transform/specialize.h).
//
// All changes of one specialization go into one Rewrite of the original module: constants, folded
// branches, what is unused then. So nothing is read again, and the words are written once.
#include "vireo/spirv/transform/specialize.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <numeric>
#include <string>
#include <utility>

#include "spirv/build/edit_state.h"
#include "spirv/module/fold.h"
#include "spirv/rules.h"
#include "spirv/transform/clean/block_pruner.h"
#include "spirv/transform/clean/unused_remover.h"
#include "spirv/transform/constant_folder.h"
#include "spirv/transform/rewrite.h"
#include "spirv/transform/specialize/specializer_data.h"
#include "support/printable.h"
#include "vireo/spirv/binary/reader.h"
#include "vireo/spirv/binary/views/constant_creation.h"
#include "vireo/spirv/binary/views/debug.h"

namespace vireo::spirv {

using enum Op;

// --- analysis -----------------------------------------------------------------------------------------------------------

namespace {

ErrorCounts count_errors(const Diagnostics& found) {
  ErrorCounts counts;
  for (const Diagnostic& each : found.all()) {
    if (each.severity == Severity::Error) ++counts[each.rule];
  }
  return counts;
}

SpecConstant constant_of(InstructionView view, const TypeRow& type, Word spec_id) {
  SpecConstant constant;
  constant.spec_id = spec_id;
  constant.id = view.word(2);
  constant.type = view.word(1);
  if (view.opcode != OpSpecConstant) {
    constant.default_bits = view.opcode == OpSpecConstantTrue ? 1 : 0;
    return constant;
  }
  constant.kind = type.is(TypeKind::Int) ? SpecConstant::Kind::Int : SpecConstant::Kind::Float;
  constant.is_signed = type.is_signed;
  constant.width = type.width;
  constant.default_bits = (view.word(3) | std::uint64_t{view.word(4)} << 32) & mask_of(type.width);
  return constant;
}

}  // namespace

Specializer::Data::Data(WordBuffer&& own, const SpecializerOptions& options)
    : words(std::move(own)),
      grammar(options.grammar == nullptr ? builtin_grammar() : *options.grammar),
      environment(options.environment),
      features(options.features),
      module(Module::read(words, grammar)),
      types(Types::read(module)),
      decorations(Decorations::read(module)) {
  pruning.drop_bindings = true;
}

void Specializer::Data::read_constants() {
  std::vector<InstructionIndex> places;  // of `constants`
  for (const auto [index, view] : module.instructions(Section::Globals)) {
    const bool is_boolean = view.opcode == OpSpecConstantTrue || view.opcode == OpSpecConstantFalse;
    if (!is_boolean && view.opcode != OpSpecConstant) continue;
    const TypeRow& type = types.of(view.word(1));
    const bool has_bits = is_boolean ? type.is(TypeKind::Bool)
                                     : type.is_numerical() && type.width != 0 && type.width <= 64 &&
                                           view.word_count == (type.width > 32 ? 5 : 4);
    const DecorationRow* spec_id = decorations.find(view.word(2), Decoration::SpecId);
    if (!has_bits || spec_id == nullptr || decorations.operands(*spec_id).empty()) continue;
    if (module.definition(view.word(2)) != index) continue;
    constants.push_back(constant_of(view, type, decorations.operands(*spec_id)[0]));
    places.push_back(index);
  }
  for (const InstructionView view : module.views(module.section(Section::Names))) {
    const auto name = as<OpName>(view);
    if (!name || constants.empty()) continue;
    const InstructionIndex target = module.definition(name->target());
    const auto place = std::ranges::lower_bound(places, target);
    if (place == places.end() || *place != target) continue;
    SpecConstant& constant = constants[static_cast<std::size_t>(place - places.begin())];
    if (constant.name.empty()) constant.name = name->name();
  }
  const auto sort_by = [&](std::vector<std::uint32_t>& indexes, const auto member) {
    indexes.resize(constants.size());
    std::iota(indexes.begin(), indexes.end(), 0u);
    std::ranges::sort(indexes, {}, [&](std::uint32_t i) { return std::pair(constants[i].*member, i); });
  };
  sort_by(by_spec_id, &SpecConstant::spec_id);
  sort_by(by_id, &SpecConstant::id);
  sort_by(by_name, &SpecConstant::name);
  for (const DecorationRow& row : decorations.rows()) {
    if (row.decoration != Decoration::SpecId || decorations.operands(row).empty()) continue;
    spec_ids.push_back({decorations.operands(row)[0], row.instruction});
  }
  std::ranges::sort(spec_ids, {}, [](const SpecIdRow& row) { return std::pair(row.spec_id, row.instruction); });
}

const ErrorCounts& Specializer::Data::errors_before() const {
  std::call_once(errors_once_, [&] {
    Diagnostics found;
    validate(words, {.grammar = &grammar, .environment = environment, .features = features}, found);
    errors_ = count_errors(found);
  });
  return errors_;
}

struct Specializer::SharedData {
  std::shared_ptr<const Data> data;
};

Specializer::Specializer(SharedData* shared) : shared_(shared), data_(shared->data.get()) {}
Specializer::~Specializer() = default;
Specializer::Specializer(const Specializer& other) : Specializer(new SharedData(*other.shared_)) {}
Specializer::Specializer(Specializer&& other) noexcept = default;
Specializer& Specializer::operator=(Specializer other) noexcept {
  std::swap(shared_, other.shared_);
  std::swap(data_, other.data_);
  return *this;
}

Result<Specializer> Specializer::read(Words words, const SpecializerOptions& options, Diagnostics& diagnostics) {
  if (const Result<Header> header = read_header(words, diagnostics); !header) return header.failure();
  const auto data = std::make_shared<Data>(WordBuffer(words.begin(), words.end()), options);
  Result<OperandIndex> operands = OperandIndex::read(data->module, diagnostics);
  if (!operands) return operands.failure();
  data->operands = std::move(*operands);
  data->read_constants();
  data->needs = read_value_needs(data->module, data->operands, data->decorations);
  return Specializer(new SharedData{data});
}

// --- memory -------------------------------------------------------------------------------------------------------------

// What one thread needs for one module.
struct SpecializerMemory::Parts {
  using Data = Specializer::Data;
  explicit Parts(std::shared_ptr<const Data> of)
      : data(std::move(of)),
        constants(Constants::read(data->module, data->types, data->decorations)),
        folder(data->module, data->types, data->decorations),
        rewrite(data->module) {}

  void prepare_pruning() {
    if (pruner) return;
    function_constants.emplace(data->module, data->types, constants);
    pruner.emplace(data->module, data->operands);
    remover.emplace(PassInput{data->module, data->operands, data->pruning},
                    UnusedRemovalOptions{.constructs = false, .keeps_outputs = true});
  }

  const std::shared_ptr<const Data> data;
  Constants constants;
  ConstantFolder folder;
  Rewrite rewrite;
  std::optional<FunctionConstants> function_constants;
  std::optional<BlockPruner> pruner;
  std::optional<UnusedRemover> remover;
  std::vector<Specialization> values;                 // ascending by SpecId; each once
  std::vector<std::pair<Word, std::uint32_t>> order;  // SpecIds and indexes of the given values
  std::vector<std::optional<std::uint64_t>> checked,
      validated;  // values that need validation: of this call; valid ones
  WordBuffer unpruned;
};

SpecializerMemory::SpecializerMemory() = default;
SpecializerMemory::~SpecializerMemory() = default;
SpecializerMemory::SpecializerMemory(SpecializerMemory&& other) noexcept = default;
SpecializerMemory& SpecializerMemory::operator=(SpecializerMemory&& other) noexcept = default;

// --- specialization -----------------------------------------------------------------------------------------------------

// One call of specialize().
class SpecializeCall {
 public:
  SpecializeCall(const Specializer& specializer, const Specializer::Data& data, SpecializerMemory::Parts& parts,
                 const SpecializeOptions& options, Diagnostics& diagnostics)
      : specializer_(specializer), data_(data), parts_(parts), options_(options), diagnostics_(diagnostics) {}

  std::optional<Reported> run(std::span<const Specialization> values, WordBuffer& result) {
    take_values(values);
    if (reported_) return reported_;
    using Defaults = ConstantOptions::Defaults;
    parts_.constants.evaluate(
        data_.decorations,
        {.specializations = parts_.values, .defaults = options_.freeze_rest ? Defaults::Freeze : Defaults::Depend});
    replace_constants();
    if (!reported_) check_values();
    if (reported_) return reported_;
    report_undefined();
    if (options_.prune) prune();
    parts_.rewrite.write(data_.operands, result);
    return std::nullopt;
  }

 private:
  // Sorts the values, and checks that each is for a constant of the module and fits its type.
  void take_values(std::span<const Specialization> values) {
    parts_.order.clear();
    for (const Specialization& value : values) {
      parts_.order.emplace_back(value.spec_id, static_cast<std::uint32_t>(&value - values.data()));
    }
    std::ranges::sort(parts_.order);
    parts_.values.clear();
    for (const auto& [spec_id, index] : parts_.order) {
      if (!parts_.values.empty() && parts_.values.back().spec_id == spec_id) parts_.values.pop_back();
      parts_.values.push_back(values[index]);
    }
    for (const Specialization& value : values) {
      if (const auto reported = specializer_.check_value(value, diagnostics_)) reported_ = reported;
    }
  }

  [[nodiscard]] bool has_value(Word spec_id) const {
    return options_.freeze_rest || std::ranges::binary_search(parts_.values, spec_id, {}, &Specialization::spec_id);
  }

  void replace_constants() {
    Rewrite& rewrite = parts_.rewrite;
    rewrite.clear();
    const ConstantFolding folding = {.composites = true, .scalars = true, .others = options_.freeze_rest};
    if (!parts_.folder.run(parts_.constants, folding, rewrite)) {
      reported_ = diagnostics_.error(rule::edit_bound, Location::none(), no_bound_left);
    }
    for (const auto& row : data_.spec_ids) {
      if (has_value(row.spec_id)) rewrite.remove(row.instruction);
    }
  }

  void report_undefined() {
    for (const InstructionIndex index : parts_.folder.undefined()) {
      const InstructionView view = data_.module.instruction(index);
      const InstructionRow* row = data_.grammar.find_opcode(View<OpSpecConstantOp>(view).opcode());
      diagnostics_.warning(rule::spec_undefined, data_.module.location_of(index),
                           fmt::format("the result of {} in %{} is undefined for these values, so it is not evaluated",
                                       row == nullptr ? "the operation" : data_.grammar.text(row->name), view.word(2)));
    }
  }

  // --- rules ---

  // Refuses values with which the module breaks a rule that it did not break before.
  void check_values() {
    bool must_validate = false;
    parts_.checked.clear();
    for (const NeededValue& need : data_.needs) {
      const ConstantRow& row = parts_.constants.of(data_.module.instruction(need.constant).word(2));
      if (row.status != ConstantStatus::Known) {
        if ((need.needs & Validated) != 0) parts_.checked.emplace_back();
        continue;
      }
      const TypeRow& type = data_.types.row(row.type);
      const bool is_number = row.kind == ConstantKind::Int && type.width <= 64;
      const bool is_negative = is_number && type.is_signed && sign_extended(row.bits, type.width) < 0;
      if ((need.needs & Positive) != 0) must_validate |= !is_number || is_negative || row.bits == 0;
      if ((need.needs & NotNegative) != 0) must_validate |= is_negative;
      if ((need.needs & Validated) == 0) continue;
      must_validate |= !row.is_scalar();
      parts_.checked.emplace_back(row.bits);
    }
    must_validate |= parts_.checked != parts_.validated;
    if (!must_validate) return;
    validate_result();
    if (!reported_) parts_.validated = parts_.checked;
  }

  void validate_result() {
    parts_.rewrite.write(data_.operands, parts_.unpruned);
    Diagnostics found;
    if (validate(parts_.unpruned,
                 {.grammar = &data_.grammar, .environment = data_.environment, .features = data_.features}, found)) {
      return;
    }
    ErrorCounts more = data_.errors_before();  // of which one is used up by each error
    for (const Diagnostic& each : found.all()) {
      if (each.severity != Severity::Error) continue;
      std::size_t& before = more[each.rule];
      if (before != 0) --before;
      else report_refusal(each);
    }
  }

  // The location is that of the same instruction in the module before.
  void report_refusal(const Diagnostic& finding) {
    Diagnostic refusal = {.rule = finding.rule,
                          .message = "the values make the module invalid: " + finding.message,
                          .hint = finding.hint,
                          .requirement = finding.requirement};
    if (finding.where.kind == Location::Kind::Words && finding.where.instruction != 0) {
      refusal.where = data_.module.location_of(same_instruction(finding.where.instruction - 1));
    }
    reported_ = diagnostics_.report(std::move(refusal));
  }

  // Decorations were removed and constants inserted. So instructions before and after these sections are counted, and
  // the others are found by their results.
  [[nodiscard]] InstructionIndex same_instruction(std::uint64_t number) const {
    const Module after = Module::read(parts_.unpruned, data_.grammar);
    if (number >= after.instruction_count()) return {};
    const InstructionIndex index(static_cast<std::size_t>(number));
    if (index.raw < after.section(Section::Annotations).first) return index;
    if (index.raw >= after.section(Section::Functions).first) {
      return InstructionIndex(data_.module.instruction_count() - (after.instruction_count() - index.raw));
    }
    return data_.module.definition(after.result_of(after.instruction(index)));
  }

  // --- pruning ---

  void prune() {
    parts_.prepare_pruning();
    parts_.function_constants->evaluate(parts_.constants);
    const KnownValues values = {parts_.constants, *parts_.function_constants};
    // The blocks of a module with an invalid use of a label stay.
    if (!parts_.pruner->fold(parts_.rewrite, values)) replace_constants();
    parts_.remover->run(parts_.rewrite);
  }

  const Specializer& specializer_;
  const Specializer::Data& data_;
  SpecializerMemory::Parts& parts_;
  const SpecializeOptions& options_;
  Diagnostics& diagnostics_;
  std::optional<Reported> reported_;
};

std::optional<Reported> Specializer::specialize(std::span<const Specialization> values,
                                                const SpecializeOptions& options, SpecializerMemory& memory,
                                                WordBuffer& result, Diagnostics& diagnostics) const {
  if (!memory.parts_ || memory.parts_->data.get() != data_) {
    memory.parts_ = Owned(new SpecializerMemory::Parts(shared_->data));
  }
  return SpecializeCall(*this, *data_, *memory.parts_, options, diagnostics).run(values, result);
}

}  // namespace vireo::spirv
