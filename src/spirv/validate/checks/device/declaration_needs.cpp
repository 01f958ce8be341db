// SPDX-License-Identifier: Apache-2.0
//
// Types, variables, decorations, capabilities and execution modes for which a device needs features or limits.
//
// Source: Vulkan, "Runtime SPIR-V Validation".
#include <algorithm>
#include <iterator>
#include <string>

#include "spirv/validate/analysis/places.h"
#include "spirv/validate/analysis/pointers.h"
#include "spirv/validate/analysis/variable_uses.h"
#include "spirv/validate/checks/device/device_check.h"
#include "spirv/validate/core/fast_math.h"
#include "vireo/spirv/binary/views/memory.h"
#include "vireo/spirv/binary/views/type_declaration.h"

namespace vireo::spirv {
namespace {

using enum DeviceUse;

// An execution mode, and the value of its first operand; 0: the mode has no operand.
struct ModeUse {
  ExecutionMode mode;
  Word operand;
  DeviceUse use;
};
constexpr ModeUse mode_uses[] = {
    {ExecutionMode::SubgroupUniformControlFlowKHR, 0, SubgroupUniformFlow},
    {ExecutionMode::EarlyAndLateFragmentTestsAMD, 0, EarlyAndLateTests},
    {ExecutionMode::StencilRefUnchangedFrontAMD, 0, UnchangedFront},
    {ExecutionMode::StencilRefUnchangedBackAMD, 0, UnchangedBack},
    {ExecutionMode::StencilRefGreaterFrontAMD, 0, GreaterFront},
    {ExecutionMode::StencilRefGreaterBackAMD, 0, GreaterBack},
    {ExecutionMode::StencilRefLessFrontAMD, 0, LessFront},
    {ExecutionMode::StencilRefLessBackAMD, 0, LessBack},
    {ExecutionMode::Isolines, 0, IsoLines},
    {ExecutionMode::PointMode, 0, PointMode},
    {ExecutionMode::DerivativeGroupQuadsKHR, 0, DerivativeGroup},
    {ExecutionMode::DerivativeGroupLinearKHR, 0, DerivativeGroup},
    {ExecutionMode::SignedZeroInfNanPreserve, 16, PreserveNan16},
    {ExecutionMode::SignedZeroInfNanPreserve, 32, PreserveNan32},
    {ExecutionMode::SignedZeroInfNanPreserve, 64, PreserveNan64},
    {ExecutionMode::DenormPreserve, 16, PreserveDenorm16},
    {ExecutionMode::DenormPreserve, 32, PreserveDenorm32},
    {ExecutionMode::DenormPreserve, 64, PreserveDenorm64},
    {ExecutionMode::DenormFlushToZero, 16, FlushDenorm16},
    {ExecutionMode::DenormFlushToZero, 32, FlushDenorm32},
    {ExecutionMode::DenormFlushToZero, 64, FlushDenorm64},
    {ExecutionMode::RoundingModeRTE, 16, RoundToEven16},
    {ExecutionMode::RoundingModeRTE, 32, RoundToEven32},
    {ExecutionMode::RoundingModeRTE, 64, RoundToEven64},
    {ExecutionMode::RoundingModeRTZ, 16, RoundToZero16},
    {ExecutionMode::RoundingModeRTZ, 32, RoundToZero32},
    {ExecutionMode::RoundingModeRTZ, 64, RoundToZero64},
};

// A storage class whose contents need a feature for small scalars.
struct SmallStorage {
  StorageClass storage;
  bool is_block;  ///< only structures with the decoration Block
  TypeTraits scalars;
  DeviceUse use;
};
constexpr TypeTraits scalars8 = TypeTrait::Int8;
constexpr TypeTraits scalars16 = TypeTrait::Int16 | TypeTrait::Float16 | TypeTrait::BFloat16;
constexpr SmallStorage small_storages[] = {
    {StorageClass::StorageBuffer, false, scalars8, StorageBuffer8},
    {StorageClass::ShaderRecordBufferKHR, false, scalars8, StorageBuffer8},
    {StorageClass::PhysicalStorageBuffer, false, scalars8, StorageBuffer8},
    {StorageClass::Uniform, true, scalars8, Uniform8},
    {StorageClass::PushConstant, false, scalars8, PushConstant8},
    {StorageClass::Workgroup, true, scalars8, WorkgroupBlock8},
    {StorageClass::StorageBuffer, false, scalars16, StorageBuffer16},
    {StorageClass::ShaderRecordBufferKHR, false, scalars16, StorageBuffer16},
    {StorageClass::PhysicalStorageBuffer, false, scalars16, StorageBuffer16},
    {StorageClass::Uniform, true, scalars16, Uniform16},
    {StorageClass::PushConstant, false, scalars16, PushConstant16},
    {StorageClass::Workgroup, true, scalars16, WorkgroupBlock16},
    {StorageClass::Input, false, scalars16, InputOutput16},
    {StorageClass::Output, false, scalars16, InputOutput16},
};

constexpr Word quiet_math = static_cast<Word>(FPFastMathMode::NSZ) | static_cast<Word>(FPFastMathMode::NotInf) |
                            static_cast<Word>(FPFastMathMode::NotNaN);

class DeclarationNeeds {
 public:
  explicit DeclarationNeeds(const DeviceCheck& device) : device_(device), c_(device.c) {}

  void run() {
    check_capabilities();
    check_modes();
    check_types();
    for (const InstructionView view : c_.module.views(c_.module.section(Section::Globals))) {
      const Word result = c_.module.result_of(view);
      if (view.opcode == Op::OpExtInstWithForwardRefsKHR)
        device_.need(ForwardReferences, {c_.module.definition(result), 0}, any_model);
      if (!is_variable(view.opcode)) continue;
      const VariableInfo variable = variable_info(c_, result);
      if (variable.holds != nullptr && c_.soundness.is_sound(variable.id)) check_variable(variable);
    }
    for (const DecorationRow& row : c_.decorations.rows()) check_decoration(row);
  }

 private:
  void check_capabilities() {
    Models all = 0;
    for (const EntryPointRow& entry : c_.module_declarations.entry_points()) all |= bit_of(entry.model);
    for (const CapabilityRow& row : c_.module_declarations.capabilities()) {
      const Place place = place_of(c_, row.instruction, OperandName::capability);
      if (row.capability == Capability::InterpolationFunction) device_.need(InterpolationFunctions, place, all);
      if (row.capability == Capability::TileShadingQCOM) device_.need(TileShading, place, all);
    }
  }

  // --- execution modes ------------------------------------------------------------------------------------------------

  void check_modes() {
    for (const ExecutionModeRow& row : c_.module_declarations.execution_modes()) {
      const FunctionIndex function = c_.module.function_of(row.function);
      if (function.is_none()) continue;
      const Models models = device_.models_of(function);
      const Word operand = row.operands.empty() || row.has_ids ? 0 : row.operands[0];
      for (const ModeUse& use : mode_uses) {
        if (use.mode != row.mode || (use.operand != 0 && use.operand != operand)) continue;
        if (!device_.need(use.use, mode_place(row), models, enumerant_text(c_, row.mode)) &&
            use.use == SubgroupUniformFlow)
          device_.staged(StagedUse::SubgroupUniformFlow, mode_place(row), models, enumerant_text(c_, row.mode));
      }
      if (row.mode == ExecutionMode::TileShadingRateQCOM && row.operands.size() >= 2) {
        device_.bound(DeviceNumber::TileRateX, row.operands[0], parameter_place(row, 0));
        device_.bound(DeviceNumber::TileRateY, row.operands[1], parameter_place(row, 1));
      }
      if (row.mode == ExecutionMode::FPFastMathDefault && row.has_ids && row.operands.size() >= 2) {
        const auto flags = c_.constants.as_u64(row.operands[1]);
        if (flags && (*flags & quiet_math) != quiet_math)
          need_math(c_.types.of(row.operands[0]).contains, {DefaultMath16, DefaultMath32, DefaultMath64},
                    mode_place(row), "FPFastMathDefault");
      }
    }
  }

  // `uses`: for 16, 32 and 64 bits.
  void need_math(TypeTraits traits, std::initializer_list<DeviceUse> uses, Place place, std::string_view name) {
    constexpr TypeTrait widths[] = {TypeTrait::Float16, TypeTrait::Float32, TypeTrait::Float64};
    for (std::size_t i = 0; i < std::size(widths); ++i) {
      if (traits.has_any(widths[i]) && device_.need(uses.begin()[i], place, any_model, name)) return;
    }
  }

  // --- types ------------------------------------------------------------------------------------------------------------

  void check_types() {
    for (const TypeRow& type : c_.types.rows()) {
      if (!c_.soundness.is_sound_type(type.id)) continue;
      const Place place{type.declaration, 0};
      if (type.is(TypeKind::CooperativeMatrix)) check_matrix(type);
      if (type.is_vector()) {
        const auto count = type.length != 0 ? c_.constants.as_u64(type.length) : std::optional(type.count);
        const bool is_cooperative = type.is(TypeKind::LongVector) && c_.has(Capability::CooperativeVectorNV);
        if (count)
          device_.bound(is_cooperative ? DeviceNumber::CooperativeComponents : DeviceNumber::VectorComponents, *count,
                        place);
      }
      // Variables cannot be in this storage class, so its pointers are checked.
      if (type.is(TypeKind::Pointer) && type.storage == StorageClass::PhysicalStorageBuffer)
        check_small(type.pointee(), type.storage, place, "pointer " + id_text(c_, type.id));
    }
  }

  void check_matrix(const TypeRow& type) {
    const auto matrix = View<Op::OpTypeCooperativeMatrixKHR>(c_.module.instruction(type.declaration));
    const auto scope = c_.constants.as_u64(matrix.scope());
    if (scope && static_cast<Scope>(*scope) == Scope::Workgroup)
      device_.need(WorkgroupMatrix, {type.declaration, matrix.scope().word}, any_model);
    for (const AnyOperand size : {AnyOperand(matrix.rows()), AnyOperand(matrix.columns())}) {
      const auto count = c_.constants.as_u64(size);
      if (count && device_.bound(DeviceNumber::MatrixDimension, *count, {type.declaration, size.word})) return;
    }
  }

  // --- variables ----------------------------------------------------------------------------------------------------------

  void check_variable(const VariableInfo& variable) {
    const TypeRow& type = variable.holds->innermost();
    const Place place{variable.declaration, 0};
    const Models models = device_.models_of_global(variable.id);
    const std::string name = id_text(c_, variable.id);
    // An untyped variable may be accessed in larger units.
    if (!variable.is_untyped || !device_.values.is_on("shaderUntypedPointers"))
      check_small(*variable.holds, variable.storage, place, name);
    const InstructionView view = c_.module.instruction(variable.declaration);
    const std::uint16_t initializer = word_of(view.opcode, OperandName::initializer);
    if (variable.storage == StorageClass::Workgroup && initializer != 0 && view.word(initializer) != 0)
      device_.need(WorkgroupInitializer, {variable.declaration, initializer}, models, name);
    if (type.is(TypeKind::Image)) check_image(variable, c_.types.image(type), place, models, name);
    const bool is_storage =
        variable.storage == StorageClass::StorageBuffer ||
        (variable.storage == StorageClass::Uniform && c_.decorations.has(type.id, Decoration::BufferBlock));
    if (type.is(TypeKind::Struct) && is_storage && !is_read_only(variable.id, type))
      device_.need(WritableResource, place, models, "storage buffer " + name);
    if (type.is(TypeKind::Tensor) && !c_.decorations.has(variable.id, Decoration::NonWritable))
      device_.need(WritableResource, place, models, "tensor " + name);
    if (type.is(TypeKind::Struct) && variable.storage == StorageClass::Uniform &&
        c_.decorations.has(type.id, Decoration::Block)) {
      const Words members = c_.types.members(type);
      if (!members.empty() && c_.types.of(members.back()).is(TypeKind::RuntimeArray))
        device_.need(UnsizedUniform, place, models, name);
    }
    if (variable.storage == StorageClass::NodePayloadAMDX) {
      const TypeRow& payload =
          variable.holds->is(TypeKind::NodePayloadArray) ? variable.holds->element_type() : *variable.holds;
      if (payload.has_known_size()) device_.bound(DeviceNumber::NodePayloadBytes, payload.bits / 8, place);
    }
  }

  // Input attachments have storage images without a format, but the features concern storage images only.
  void check_image(const VariableInfo& variable, const ImageShape& image, Place place, Models models,
                   const std::string& name) {
    const auto has = [&](Decoration decoration) { return c_.decorations.has(variable.id, decoration); };
    if (image.dim == Dim::SubpassData) {
      if (!variable.holds->is_array() && !has(Decoration::InputAttachmentIndex))
        device_.need(InputWithoutIndex, place, models, name);
      return;
    }
    if (image.sampled != 2 || image.dim == Dim::TileImageDataEXT) return;
    if (!has(Decoration::NonWritable)) {
      if (image.format == ImageFormat::Unknown) device_.need(WritableWithoutFormat, place, models, name);
      device_.need(WritableResource, place, models, "storage image " + name);
    }
    if (image.format == ImageFormat::Unknown && !has(Decoration::NonReadable))
      device_.need(ReadableWithoutFormat, place, models, name);
  }

  // Whether the variable is NonWritable, or each member of its structure.
  [[nodiscard]] bool is_read_only(Word variable, const TypeRow& type) const {
    if (c_.decorations.has(variable, Decoration::NonWritable)) return true;
    const std::size_t members = c_.types.members(type).size();
    if (!c_.budget.spend(members)) return true;
    for (Word member = 0; member < members; ++member) {
      if (!c_.decorations.has(type.id, member, Decoration::NonWritable)) return false;
    }
    return members != 0;
  }

  void check_small(const TypeRow& type, StorageClass storage, Place place, const std::string& name) {
    const bool has_block = c_.decorations.has(type.innermost().id, Decoration::Block);
    for (const SmallStorage& row : small_storages) {
      if (row.storage != storage || (row.is_block && !has_block) || !type.contains.has_any(row.scalars)) continue;
      device_.need(row.use, place, any_model, name);
    }
  }

  // --- decorations ----------------------------------------------------------------------------------------------------------

  void check_decoration(const DecorationRow& row) {
    const Place place{row.instruction, row.first_operand};
    const Word operand = c_.decorations.operand_or(row, 0);
    switch (row.decoration) {
      case Decoration::Stream: device_.bound(DeviceNumber::DecoratedStream, operand, place); return;
      case Decoration::XfbStride: device_.bound(DeviceNumber::CaptureStride, operand, place); return;
      case Decoration::FPFastMathMode:
        if ((operand & quiet_math) != quiet_math)
          need_math(traits_of(row.target), {DecoratedMath16, DecoratedMath32, DecoratedMath64}, place,
                    "FPFastMathMode of " + id_text(c_, row.target));
        return;
      default: return;
    }
  }

  // The types of the result and of the operands. Instructions with fast-math flags have few literals, and no literal is
  // as large as an id of a float that the instruction does not use would have to be.
  [[nodiscard]] TypeTraits traits_of(Word result) const {
    TypeTraits traits;
    const InstructionView view = c_.module.find(result);
    if (view.word_count == 0) return traits;
    const bool is_extended = spirv::is_extended(view.opcode);
    for (std::uint16_t word = 1; word < view.word_count; ++word) {
      if (is_extended && (word == 3 || word == 4)) continue;  // the set and the number of the instruction
      const Word id = view.word(word);
      if (word == 1) traits |= c_.types.of(id).contains;
      else if (const TypeRow* type = c_.find_type_of(id)) traits |= type->contains;
    }
    return traits;
  }

  const DeviceCheck& device_;
  const ModuleCheck& c_;
};

}  // namespace

void check_declaration_needs(const DeviceCheck& device) { DeclarationNeeds(device).run(); }

}  // namespace vireo::spirv
