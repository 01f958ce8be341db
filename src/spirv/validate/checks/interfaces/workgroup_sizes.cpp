// SPDX-License-Identifier: Apache-2.0
//
// Workgroup sizes: where a module states them, and the requirements on them.
//
// LocalSize, LocalSizeId, or a constant with the built-in WorkgroupSize states the size; the constant
// overrides the modes. All three forms are read into a WorkgroupSize, which is checked.
//
// Source: specification 3.6 (LocalSize, LocalSizeId, DerivativeGroup…), 3.21 (WorkgroupSize); the Vulkan appendix on
// SPIR-V; SPV_NV_cooperative_matrix2.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>

#include "spirv/module/declaration_order.h"
#include "spirv/validate/analysis/decoration_places.h"
#include "spirv/validate/analysis/places.h"
#include "spirv/validate/analysis/pointers.h"
#include "spirv/validate/analysis/reach.h"
#include "spirv/validate/checks/checks.h"
#include "vireo/spirv/binary/views/type_declaration.h"

namespace vireo::spirv {
namespace {

using enum ExecutionModel;
using enum ExecutionMode;

// Kernels also have workgroups, but their sizes are chosen at launch.
constexpr Models with_workgroup = in(GLCompute, TaskNV, TaskEXT, MeshNV, MeshEXT);

// Width, height and depth. A number that a specialization constant determines is unknown (nullopt).
struct WorkgroupSize : std::array<std::optional<std::uint64_t>, 3> {
  std::array<std::optional<std::uint64_t>, 3> defaults;  ///< the same, with defaults of specialization constants
};

// "8 x 8 x ?" if the depth is unknown and has no default.
std::string extent_text(const WorkgroupSize& extent) {
  const auto text = [](std::optional<std::uint64_t> size) {
    return size ? fmt::format("{}", *size) : std::string("?");
  };
  return fmt::format("{} x {} x {}", text(extent.defaults[0]), text(extent.defaults[1]), text(extent.defaults[2]));
}

std::optional<std::uint64_t> product(const WorkgroupSize& extent) {
  std::uint64_t result = 1;
  for (const std::optional<std::uint64_t>& size : extent) {
    if (!size) return std::nullopt;
    result *= *size % 4;  // modulo 4, because only divisibility by four matters; avoids overflow
  }
  return result;
}

// The size that a mode states; nullopt for other modes.
std::optional<WorkgroupSize> extent_of(const ModuleCheck& c, const ExecutionModeRow& row) {
  if ((row.mode != LocalSize && row.mode != LocalSizeId) || row.operands.size() < 3) return std::nullopt;
  // The mode determines whether its operands are literals or ids.
  if (row.has_ids != (row.mode == LocalSizeId)) return std::nullopt;  // execution_modes.cpp reports it
  WorkgroupSize extent;
  for (std::size_t i = 0; i < extent.size(); ++i) {
    const auto size = [&](ValueUse use) {
      return row.has_ids ? c.constants.as_u64(row.operands[i], use) : std::uint64_t{row.operands[i]};
    };
    extent[i] = size(ValueUse::Known);
    extent.defaults[i] = size(ValueUse::OrDefault);
  }
  return extent;
}

// The size that a constant states.
WorkgroupSize extent_of(const ModuleCheck& c, const ConstantRow& constant) {
  WorkgroupSize extent;
  if (constant.kind == ConstantKind::Null) {
    extent.fill(0);
    extent.defaults.fill(0);
    return extent;
  }
  // A replicated composite repeats one component (SPV_EXT_replicated_composites).
  const auto parts = c.constants.parts(constant);
  for (std::size_t i = 0; i < extent.size(); ++i) {
    if (parts.empty()) continue;
    const ConstantRow& part = c.constants.row(parts[std::min(i, parts.size() - 1)]);
    if (part.status == ConstantStatus::Unknown) continue;
    if (part.kind == ConstantKind::Int) extent.defaults[i] = part.bits;
    if (part.kind == ConstantKind::Null) extent.defaults[i] = 0;
    if (part.status == ConstantStatus::Known) extent[i] = extent.defaults[i];
  }
  return extent;
}

class SizeCheck {
 public:
  explicit SizeCheck(const ModuleCheck& c) : c_(c), reach_(c) {}

  // Checks the built-in first, because it overrides the modes.
  void run() {
    for (const ExecutionModeRow& row : c_.module_declarations.execution_modes()) {
      of_any_entry_.in_quads |= row.mode == DerivativeGroupQuadsKHR;
      of_any_entry_.are_linear |= row.mode == DerivativeGroupLinearKHR;
    }
    const auto modes = c_.module_declarations.execution_modes();
    const auto rate = std::ranges::find(modes, TileShadingRateQCOM, &ExecutionModeRow::mode);
    if (rate != modes.end()) tile_rate_ = &*rate;
    check_built_ins();
    for (const EntryPointRow& entry : c_.module_declarations.entry_points()) check_entry(entry);
    for (const ExecutionModeRow& row : c_.module_declarations.execution_modes()) check_mode(row);
  }

 private:
  [[nodiscard]] bool has_mode(Word function, ExecutionMode mode) const {
    return c_.module_declarations.mode(function, mode) != nullptr;
  }

  // --- sizes ---

  // The first dimension that is known to be zero; 3 if there is none.
  static std::size_t empty_dimension(const WorkgroupSize& extent) {
    return static_cast<std::size_t>(std::ranges::find(extent, std::optional<std::uint64_t>(0)) - extent.begin());
  }

  // The NV extension, which the KHR one replaced, has the same enumerants and VUIDs of its own.
  [[nodiscard]] bool is_of_nv_extension() const {
    return c_.module_declarations.has_extension("SPV_NV_compute_shader_derivatives") &&
           !c_.module_declarations.has_extension("SPV_KHR_compute_shader_derivatives");
  }

  struct Derivatives {
    bool in_quads, are_linear;
  };

  // Derivatives use groups of four invocations: two by two, or four with consecutive indexes. `mode` states the size;
  // nullptr if a constant does.
  void check_derivatives(const WorkgroupSize& extent, Derivatives derivatives, Place place,
                         const ExecutionModeRow* mode) {
    // Unknown sizes count as 0, a multiple of every number, so they are not reported.
    const bool is_odd_width = extent[0].value_or(0) % 2 != 0;
    if (derivatives.in_quads && (is_odd_width || extent[1].value_or(0) % 2 != 0)) {
      c_.report(Rule::QuadGroupSize, mode == nullptr ? place : parameter_place(*mode, is_odd_width ? 0u : 1u),
                {extent_text(extent)});
      c_.vuid(is_of_nv_extension() ? 4684 : 10151);
      if (mode != nullptr) note_mode(c_, mode->function, DerivativeGroupQuadsKHR);
    }
    if (derivatives.are_linear && product(extent).value_or(0) % 4 != 0) {
      c_.report(Rule::LinearGroupSize, place, {extent_text(extent)});
      c_.vuid(is_of_nv_extension() ? 4778 : 10152);
      if (mode != nullptr) note_mode(c_, mode->function, DerivativeGroupLinearKHR);
    }
  }

  // Checks the size that a mode states; check_entry() reports entry points without a size.
  void check_mode(const ExecutionModeRow& row) {
    if (row.mode == TileShadingRateQCOM) return check_tile_rate(row);
    const std::optional<WorkgroupSize> extent = extent_of(c_, row);
    if (!extent) return;
    const Place place = mode_place(row);
    // An object decorated WorkgroupSize takes precedence over the modes.
    if (!has_size_constant_) {
      if (const std::size_t empty = empty_dimension(*extent); empty < extent->size()) {
        c_.report(Rule::EmptyWorkgroup, parameter_place(row, empty), {row.mode, extent_text(*extent)});
      }
      check_derivatives(*extent,
                        {.in_quads = of_any_entry_.in_quads && has_mode(row.function, DerivativeGroupQuadsKHR),
                         .are_linear = of_any_entry_.are_linear && has_mode(row.function, DerivativeGroupLinearKHR)},
                        place, &row);
    }
    check_kernel_limits(row, *extent);
    if (c_.is_vulkan() && has_mode(row.function, TileShadingRateQCOM)) {
      c_.report(Rule::TileRateWithSize, place, {row.mode});
      note_mode(c_, row.function, TileShadingRateQCOM);
    }
  }

  // A kernel also states the largest size, or the number of dimensions, that the host may use
  // (SPV_INTEL_kernel_attributes).
  void check_kernel_limits(const ExecutionModeRow& row, const WorkgroupSize& extent) {
    if (c_.is_shader()) return;  // mode-model reports the limits of other models
    for (const ExecutionMode limit : {MaxWorkgroupSizeINTEL, MaxWorkDimINTEL}) {
      const ExecutionModeRow* mode = c_.module_declarations.mode(row.function, limit);
      if (mode == nullptr || mode->operands.empty()) continue;
      for (std::size_t i = 0; i < extent.size(); ++i) {
        const bool is_dimension = limit == MaxWorkDimINTEL;
        if (is_dimension ? i < mode->operands[0] : i >= mode->operands.size()) continue;
        const std::uint64_t most = is_dimension ? 1 : mode->operands[i];
        if (extent[i].value_or(0) <= most) continue;
        c_.report(Rule::KernelSizeLimit, parameter_place(row, i), {row.mode, extent_text(extent), limit, most, i});
        note_mode(c_, row.function, limit);
        break;
      }
    }
  }

  void check_tile_rate(const ExecutionModeRow& row) {
    if (row.operands.size() < 2) return;
    // The rates must be powers of two, in each direction.
    const auto is_power = [](Word value) { return value != 0 && (value & (value - 1)) == 0; };
    const auto rate = mode_of(c_, row).TileShadingRateQCOM();
    if (!rate || (is_power(rate->x_rate()) && is_power(rate->y_rate()))) return;
    const Place place{row.instruction, is_power(rate->x_rate()) ? rate->y_rate().word : rate->x_rate().word};
    c_.report(Rule::TileRatePower, place, {rate->x_rate(), rate->y_rate()});
  }

  void check_entry(const EntryPointRow& entry) {
    if (!c_.is_vulkan()) return;
    if (c_.has(Capability::TileShadingQCOM) && entry.model != Fragment && entry.model != GLCompute) {
      c_.report(Rule::TileShadingModel, model_place(c_, entry), {entry.model});
    }
    // In Vulkan the size must be known when the pipeline is created, so the module must state it.
    if (!contains(with_workgroup, entry.model) || has_size_constant_) return;
    if (const Op op = c_.op_of(entry.function); op != Op::OpFunction && op != Op::OpNop)
      return;  // entry_point_checks.cpp reports it
    if (has_mode(entry.function, LocalSize) || has_mode(entry.function, LocalSizeId) ||
        has_mode(entry.function, TileShadingRateQCOM)) {
      return;
    }
    constexpr Rule rule = Rule::WorkgroupSizeMissing;
    constexpr ExecutionMode sizes[] = {LocalSize, LocalSizeId, TileShadingRateQCOM};
    const auto note = [&] {
      c_.note(model_place(c_, entry), "{enumerant} entry point \"{text}\" has no workgroup size",
              {entry.model, entry.name});
    };
    if (join_misplaced_mode(c_, sizes, entry, rule)) return note();
    if (c_.findings.join(Rule::WorkgroupSizeConstant, fmt::format("entry {}", entry.instruction.raw), "size", rule))
      return note();
    c_.report(rule, model_place(c_, entry), {entry.model, entry.name});
    if (is_misplaced_) c_.findings.await_counterpart(missing_decoration(Decoration::BuiltIn, entry.function));
  }

  // --- the built-in ---

  // The constant is the workgroup size of all entry points that have workgroups.
  void check_built_ins() {
    for (const DecorationRow& row : c_.decorations.rows()) {
      if (row.decoration != Decoration::BuiltIn) continue;
      if (static_cast<BuiltIn>(c_.decorations.operand_or(row, 0)) != BuiltIn::WorkgroupSize) continue;
      // An undefined constant may have been the size.
      has_size_constant_ |= c_.module.definition(row.target).is_none();
      if (c_.op_of(row.target) == Op::OpNop || c_.op_of(row.target) == Op::OpDecorationGroup) continue;
      // The decoration checks report a member that does not exist.
      const bool is_member = row.member != no_member;
      if (is_member && c_.types.member_type(c_.types.of(row.target), row.member) == 0) continue;
      if (!check_built_in(row) || !c_.is_vulkan()) continue;
      check_models(row, reach_.of_global(row.target) & ~with_workgroup);
    }
  }

  // Whether the target is a valid constant, so that its uses can be checked. A constant of a wrong type still overrides
  // the modes.
  bool check_built_in(const DecorationRow& row) {
    const Place place = parameter_place(row);
    const ConstantRow* constant = row.member == no_member ? c_.constants.find(row.target) : nullptr;
    // decoration_checks.cpp reports a target that is no value.
    if (row.member == no_member && row.group_use.is_none() && c_.module.type_of(row.target) == 0) {
      is_misplaced_ = true;
      return false;
    }
    // With a tile shading rate, the implementation determines the size, and shaders read it from an input.
    if (tile_rate_ != nullptr && c_.is_vulkan() && !is_input_variable(row)) {
      c_.report(Rule::WorkgroupSizeInput, place, {target_text(c_, row), c_.op_of(row.target)});
      note_target(c_, row.target, row.member);
      c_.note(mode_place(*tile_rate_), "TileShadingRateQCOM set here");
      has_size_constant_ |= constant != nullptr;
      return false;
    }
    if (constant == nullptr) {
      if (!c_.is_shader()) return false;
      if (tile_rate_ != nullptr) return !c_.is_vulkan() || has_vulkan_type(pointee_of(c_, row.target), row);
      c_.report(Rule::WorkgroupSizeConstant, place, {target_text(c_, row), c_.op_of(row.target)});
      c_.findings.name_cause(Rule::WorkgroupSizeConstant, "size");
      note_target(c_, row.target, row.member);
      return false;
    }
    has_size_constant_ = true;
    if (c_.is_vulkan() && !has_vulkan_type(constant->type.is_none() ? nullptr : &c_.types.row(constant->type), row))
      return false;
    const WorkgroupSize extent = extent_of(c_, *constant);
    if (empty_dimension(extent) < extent.size()) {
      c_.report(Rule::EmptyWorkgroup, place, {"WorkgroupSize", extent_text(extent)});
      c_.note({c_.module.definition(row.target), 0}, "constant declared here");
    }
    check_derivatives(extent, of_any_entry_, place, nullptr);
    return true;
  }

  // True for an unsound variable, too, such as one whose type is no pointer: another check reports it.
  [[nodiscard]] bool is_input_variable(const DecorationRow& row) const {
    if (row.member != no_member || !is_variable(c_.op_of(row.target))) return false;
    const TypeRow& type = c_.type_of(row.target);
    return !type.is_pointer() || type.storage == StorageClass::Input || !c_.soundness.is_sound(row.target);
  }

  // `type` is nullptr if it is unknown.
  bool has_vulkan_type(const TypeRow* type, const DecorationRow& row) {
    if (type == nullptr || !c_.soundness.is_sound(row.target)) return true;
    const Shape shape = c_.types.shape(*type);
    if (shape.scalar == TypeKind::Int && shape.width == 32 && shape.rows == 3 && shape.columns == 1) return true;
    c_.report(Rule::WorkgroupSizeType, parameter_place(row), {type->id});
    note_target(c_, row.target);
    return false;
  }

  // `wrong` contains the models that use the constant and have no workgroups. Only the first one is reported.
  void check_models(const DecorationRow& row, Models wrong) {
    const auto model = std::find_if(std::begin(known_models), std::end(known_models),
                                    [&](ExecutionModel each) { return contains(wrong, each); });
    if (model == std::end(known_models)) return;
    c_.report(Rule::WorkgroupSizeModel, parameter_place(row), {*model, models_text(c_, with_workgroup)});
  }

  const ModuleCheck& c_;
  ModelReachability reach_;
  Derivatives of_any_entry_{};                   // modes of any entry point: a fast path for modules without them
  const ExecutionModeRow* tile_rate_ = nullptr;  // the first mode TileShadingRateQCOM of the module
  bool has_size_constant_ = false;
  bool is_misplaced_ = false;  // whether the built-in decorates an id that is no value
};

// The constants of a workgroup size precede the types that depend on it. All of them are one finding, because moving the
// types is one change.
void check_size_order(const ModuleCheck& c) {
  const std::vector<InstructionIndex> types = types_after_workgroup_size(c.module);
  const auto is_workgroup = [&](InstructionIndex type) {
    const auto scope = View<Op::OpTypeCooperativeMatrixKHR>(c.module.instruction(type)).scope();
    return c.constants.as_u64(scope) == static_cast<std::uint64_t>(Scope::Workgroup);
  };
  const auto type = std::ranges::find_if(types, is_workgroup);
  if (type == types.end()) return;
  bool is_reported = false;
  InstructionIndex noted;
  for (const WorkgroupSizeConstant& size : workgroup_size_constants(c.module, c.module_declarations, c.decorations)) {
    const InstructionIndex definition = c.module.definition(size.id);
    if (definition.is_none() || definition < *type || definition == noted) continue;
    noted = definition;
    const std::string name = id_text(c, size.id);
    if (!is_reported) {
      const Word id = c.module.result_of(c.module.instruction(*type));
      c.report(Rule::CooperativeSizeOrder, {*type, 0}, {id, name});
    }
    is_reported = true;
    c.note({definition, 0}, "{text} is defined here", {name});
    c.note({size.stated_by, 0}, "{text} is part of a workgroup size here", {name});
  }
}

}  // namespace

void check_workgroup_sizes(const ModuleCheck& c) {
  SizeCheck(c).run();
  check_size_order(c);
}

}  // namespace vireo::spirv
