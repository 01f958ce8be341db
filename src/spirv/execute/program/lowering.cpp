// SPDX-License-Identifier: Apache-2.0
//
// The module's part of a Program: constants, variables, the list of functions (lowering.h).
#include "spirv/execute/program/lowering.h"

#include <fmt/format.h>

#include <algorithm>

#include "spirv/execute/program/function_lowering.h"
#include "spirv/module/opcode_traits.h"
#include "spirv/rules.h"
#include "vireo/spirv/binary/views/memory.h"
#include "vireo/spirv/grammar/enum_names.h"
#include "vireo/spirv/module/call_graph.h"
#include "vireo/spirv/module/constants.h"

namespace vireo::spirv {
namespace {

// A descriptor needs an object, and pointers count at most 2^23 of them.
constexpr std::uint64_t max_descriptors = 1u << 16;

}  // namespace

Lowering::Lowering(const Facts& facts, Diagnostics& diagnostics)
    : facts_(facts),
      module_(facts.module()),
      types_(facts.types()),
      constants_(facts.constants()),
      decorations_(facts.decorations()),
      diagnostics_(diagnostics),
      cells_(facts) {}

void Lowering::unsupported(InstructionIndex source, std::string_view what) {
  if (!unsupported_.emplace(what).second) return;
  failure_ =
      diagnostics_.error(rule::run_unsupported, module_.location_of(source), fmt::format("cannot execute {}", what));
}

CellRef Lowering::take_module_cells(std::uint32_t count) {
  const CellRef cells{CellRef::module_bit | program_.module_cells};
  program_.module_cells += count;
  return cells;
}

bool Lowering::is_descriptor_array(const PlacedType& type) const {
  const TypeRow& row = types_.of(type.type);
  if (!row.is_array()) return false;
  const TypeRow& element = row.innermost();
  return element.is_opaque() || decorations_.has(element.id, Decoration::Block) ||
         decorations_.has(element.id, Decoration::BufferBlock);
}

std::uint64_t Lowering::descriptor_count(Word type) const {
  std::uint64_t count = 1;
  for (const TypeRow* row = &types_.of(type); row->is_array(); row = &types_.of(row->element))
    count = std::min(count * cells_.part_count(row->id), max_descriptors);
  return count;
}

bool Lowering::is_explicit(StorageClass storage, Word type) const {
  switch (storage) {
    case StorageClass::Uniform:
    case StorageClass::StorageBuffer:
    case StorageClass::PushConstant:
    case StorageClass::PhysicalStorageBuffer: return true;
    case StorageClass::Workgroup: return decorations_.has(types_.of(type).innermost().id, Decoration::Block);
    default: return false;
  }
}

std::uint32_t Lowering::shape_index(const PlacedType& type, InstructionIndex source) {
  const auto [at, is_new] = shapes_.try_emplace(type, static_cast<std::uint32_t>(program_.shapes.size()));
  if (!is_new) return at->second;
  auto shape = cells_.shape(type);
  if (!shape) unsupported(source, "an access to a type without a size");
  program_.shapes.push_back(shape ? std::move(*shape) : MemoryShape{});
  return at->second;
}

std::uint32_t Lowering::function_index(Word id) {
  const auto [at, is_new] = functions_.try_emplace(id, static_cast<std::uint32_t>(functions_.size()));
  if (is_new) waiting_.push_back(id);
  return at->second;
}

CellRef Lowering::module_value(Word id) {
  const auto known = values_.find(id);
  if (known != values_.end()) return known->second;
  if (constants_.find(id) != nullptr) {
    const auto count = cells_.count(module_.type_of(id));
    if (!count) return {};
    const CellRef cells = take_module_cells(*count);
    values_.emplace(id, cells);
    add_constant(id, cells);
    return cells;
  }
  if (!is_variable(module_.find(id).opcode) || !module_.function_at(module_.definition(id)).is_none()) return {};
  add_variable(id);
  return values_.at(id);
}

// The scalars of a constant, in order. Scalars that are undefined have no value in the program.
void Lowering::add_constant(Word id, CellRef cells) {
  std::vector<std::pair<const ConstantRow*, Word>> open{{&constants_.of(id), module_.type_of(id)}};
  std::uint32_t cell = cells.index();
  while (!open.empty()) {
    const auto [row, type] = open.back();
    open.pop_back();
    const std::uint32_t count = cells_.count(type).value_or(0);
    switch (row->kind) {
      case ConstantKind::Bool:
      case ConstantKind::Int:
      case ConstantKind::Float: program_.constants.emplace_back(cell++, row->bits); break;
      case ConstantKind::Null:
        for (std::uint32_t i = 0; i < count; ++i) program_.constants.emplace_back(cell++, 0);
        break;
      case ConstantKind::Composite:
      case ConstantKind::Repeated: {
        const auto parts = constants_.parts(*row);
        const std::uint64_t number = row->kind == ConstantKind::Repeated ? cells_.part_count(type) : parts.size();
        for (std::uint64_t i = number; i-- > 0;) {
          const ConstantIndex part =
              row->kind == ConstantKind::Repeated ? parts[0] : parts[static_cast<std::size_t>(i)];
          open.emplace_back(&constants_.row(part), types_.member_type(types_.of(type), i));
        }
        break;
      }
      default:
        for (std::uint32_t i = 0; i < count; ++i)
          program_.undefined_cells.emplace_back(cell++, static_cast<std::uint32_t>(module_.definition(id).index()));
        break;
    }
  }
}

void Lowering::add_variable(Word id) {
  const InstructionView view = module_.find(id);
  const TypeRow& pointer = types_.of(module_.type_of(view));
  ProgramVariable variable;
  variable.id = id;
  variable.storage = pointer.storage;
  if (const auto typed = as<Op::OpVariable>(view)) {
    variable.type = pointer.element;
    if (const auto initializer = typed->initializer()) variable.initializer = module_value(*initializer);
  } else if (const auto untyped = as<Op::OpUntypedVariableKHR>(view)) {
    if (const auto data = untyped->data_type()) variable.type = *data;
  }
  PlacedType placed{variable.type, is_explicit(variable.storage, variable.type), {}};
  if ((placed.is_explicit || variable.storage == StorageClass::UniformConstant) && is_descriptor_array(placed)) {
    // A runtime array has as many descriptors as are bound.
    variable.descriptors = static_cast<std::uint32_t>(descriptor_count(placed.type));
    placed.type = variable.type = types_.of(placed.type).innermost().id;
    program_.has_descriptor_arrays = true;
  }
  variable.is_explicit = placed.is_explicit;
  variable.is_coherent = variable.storage == StorageClass::Workgroup || decorations_.has(id, Decoration::Coherent) ||
                         decorations_.has(id, Decoration::Volatile);
  variable.is_read_only =
      variable.storage == StorageClass::Uniform && decorations_.has(variable.type, Decoration::Block);
  variable.is_aliased =
      variable.storage == StorageClass::Workgroup && placed.is_explicit && decorations_.has(id, Decoration::Aliased);
  variable.size = cells_.size(placed);
  if (!variable.initializer.is_none()) variable.initializer_shape = shape_index(placed, module_.definition(id));
  const DecorationRow* set = decorations_.find(id, Decoration::DescriptorSet);
  const DecorationRow* binding = decorations_.find(id, Decoration::Binding);
  variable.has_binding = set != nullptr && binding != nullptr;
  if (variable.has_binding) {
    variable.set = decorations_.operand_or(*set, 0);
    variable.binding = decorations_.operand_or(*binding, 0);
  }
  variable.pointer = take_module_cells(1);
  values_.emplace(id, variable.pointer);
  program_.variables.push_back(variable);
}

// A built-in WorkgroupSize takes precedence over LocalSizeId, and that over LocalSize.
void Lowering::read_group_size(Word function) {
  const auto size = [&](std::size_t i, std::uint64_t value) {
    program_.group_size[i] = static_cast<std::uint32_t>(value);
  };
  for (const ExecutionModeRow& row : facts_.module_declarations().modes_of(function)) {
    if (row.mode != ExecutionMode::LocalSize && row.mode != ExecutionMode::LocalSizeId) continue;
    for (std::size_t i = 0; i < std::min<std::size_t>(row.operands.size(), 3); ++i)
      size(i, row.has_ids ? constants_.as_u64(row.operands[i], ValueUse::OrDefault).value_or(1) : row.operands[i]);
  }
  for (const DecorationRow& row : decorations_.rows()) {
    if (row.decoration != Decoration::BuiltIn ||
        decorations_.operand_or(row, 0) != static_cast<Word>(BuiltIn::WorkgroupSize))
      continue;
    const auto parts = constants_.parts(constants_.of(row.target));
    for (std::size_t i = 0; i < std::min<std::size_t>(parts.size(), 3); ++i) size(i, constants_.row(parts[i]).bits);
  }
}

// The cells of the frames of the deepest chain of calls. No function calls itself.
void Lowering::measure_stack() {
  const CallGraph& calls = facts_.call_graph();
  std::vector<std::uint64_t> depth(module_.functions().size());
  for (const FunctionIndex function : calls.bottom_up()) {
    const auto lowered = functions_.find(module_.functions()[function.index()].id);
    if (lowered == functions_.end()) continue;
    std::uint64_t below = 0;
    for (const CallRow& call : calls.calls(function)) below = std::max(below, depth[call.callee.index()]);
    depth[function.index()] = below + program_.functions[lowered->second].cells;
    program_.stack_cells = std::max(program_.stack_cells, depth[function.index()]);
  }
}

Result<Program> Lowering::run(const EntryPointRow& entry) {
  read_group_size(entry.function);
  program_.entry = function_index(entry.function);
  // Functions are appended to the list while it is read.
  // NOLINTNEXTLINE(modernize-loop-convert)
  for (std::size_t i = 0; i < waiting_.size(); ++i) {
    const FunctionIndex function = module_.function_of(waiting_[i]);
    if (function.is_none() || module_.functions()[function.index()].is_declaration()) {
      unsupported(module_.definition(waiting_[i]), "a function without a body");
      continue;
    }
    if (facts_.call_graph().is_recursive(function)) {
      unsupported(module_.definition(waiting_[i]), "a function that calls itself");
      continue;
    }
    FunctionLowering(*this, function).run();
  }
  // A variable that no code uses may still initialize memory that others share.
  for (const Word id : entry.interface_) {
    const auto declared = as<Op::OpVariable>(module_.find(id));
    if (declared && declared->storage_class() == StorageClass::Workgroup) module_value(id);
  }
  if (failure_) return *failure_;
  measure_stack();
  return std::move(program_);
}

Result<Program> lower(const Facts& facts, const EntryPointRow& entry, Diagnostics& diagnostics) {
  return Lowering(facts, diagnostics).run(entry);
}

}  // namespace vireo::spirv
