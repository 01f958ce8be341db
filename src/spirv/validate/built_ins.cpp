// SPDX-License-Identifier: Apache-2.0
//
// Built-in variables in Vulkan: their types, their storage classes, and the stages that have them.
//
// The one idea: a built-in is a row. A second, short table says in which stages it is only read, or only written. The
// entry points that list a variable are those that use it.
//
// Source: the chapter "Built-In Variables" of the Vulkan specification; each rule there has a number, which stands in the
// row and is printed with the finding.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <span>
#include <vector>

#include "spirv/validate/checks.h"
#include "spirv/validate/models.h"
#include "spirv/validate/pointers.h"

namespace vireo::spirv {
namespace {

using enum ExecutionModel;
using Storage = StorageClass;

// --- models and types as small values -----------------------------------------------------------------------------------

constexpr Models mesh = in(MeshNV, MeshEXT);
constexpr Models tessellation = in(TessellationControl, TessellationEvaluation);
constexpr Models before_raster = in(Vertex, Geometry) | tessellation | mesh;
constexpr Models workgroups = in(GLCompute, TaskNV, TaskEXT) | mesh;
constexpr Models layered = in(Vertex, TessellationEvaluation, Geometry, Fragment) | mesh;
constexpr Models hits = in(AnyHitKHR, ClosestHitKHR);
constexpr Models intersections = hits | in(IntersectionKHR);
constexpr Models primitives = in(Fragment, Geometry) | tessellation | mesh | intersections;
constexpr Models rays = intersections | in(MissKHR);
constexpr Models launched = rays | in(RayGenerationKHR, CallableKHR);
// Stages that have several vertices, or give out several primitives, have arrays of what is of one.
constexpr Models per_vertex = tessellation | in(Geometry) | mesh;
constexpr Models per_primitive = mesh;

enum Directions : std::uint8_t { In = 1, Out = 2 };

// "F32v4", "I32", "U32v2", "B", "F32[4]", "I32[]": a scalar (U: an unsigned integer), its width, components, elements.
struct BuiltInShape {
  TypeKind scalar = TypeKind::None;
  bool is_unsigned = false;
  std::uint32_t width = 0;
  std::uint64_t components = 1;
  std::uint64_t columns = 1;  ///< of a matrix
  bool is_array = false;
  std::uint64_t elements = 0;  ///< 0: as many as there are

  // NOLINTNEXTLINE(google-explicit-constructor)
  consteval BuiltInShape(const char* text) {
    const auto number = [&] {
      std::uint64_t value = 0;
      for (; *text >= '0' && *text <= '9'; ++text) value = value * 10 + static_cast<std::uint64_t>(*text - '0');
      return value;
    };
    if (*text == 0) return;
    switch (*text++) {
      case 'F': scalar = TypeKind::Float; break;
      case 'I': scalar = TypeKind::Int; break;
      case 'U': scalar = TypeKind::Int, is_unsigned = true; break;
      case 'B': scalar = TypeKind::Bool; break;
      default: throw "no letter of a scalar";
    }
    width = static_cast<std::uint32_t>(number());
    if (*text == 'm') columns = (++text, number()), ++text, components = number();
    if (*text == 'v') components = (++text, number());
    if (*text == '[') is_array = true, elements = (++text, number()), ++text;
    if (*text != 0) throw "something stands behind a shape";
  }
};

struct BuiltInRow {
  BuiltIn built_in;
  BuiltInShape shape;
  std::uint8_t directions;
  Models models;
  std::uint16_t model_rule, storage_rule, type_rule;  ///< numbers of Vulkan's rules; 0: none
  Models arrayed = 0;                                 ///< stages in which it may be an array of these
};

// clang-format off
constexpr BuiltInRow rows[] = {
    {BuiltIn::FragCoord,                "F32v4",   In,  in(Fragment), 4210, 4211, 4212},
    {BuiltIn::FragDepth,                "F32",     Out, in(Fragment), 4213, 4214, 4215},
    {BuiltIn::FrontFacing,              "B",       In,  in(Fragment), 4229, 4230, 4231},
    {BuiltIn::HelperInvocation,         "B",       In,  in(Fragment), 4239, 4240, 4241},
    {BuiltIn::PointCoord,               "F32v2",   In,  in(Fragment), 4311, 4312, 4313},
    {BuiltIn::SampleId,                 "I32",     In,  in(Fragment), 4354, 4355, 4356},
    {BuiltIn::SampleMask,               "I32[]",   In | Out, in(Fragment), 4357, 4358, 4359},
    {BuiltIn::SamplePosition,           "F32v2",   In,  in(Fragment), 4360, 4361, 4362},
    {BuiltIn::FragInvocationCountEXT,   "I32",     In,  in(Fragment), 4217, 4218, 4219},
    {BuiltIn::FragSizeEXT,              "I32v2",   In,  in(Fragment), 4220, 4221, 4222},
    {BuiltIn::FragStencilRefEXT,        "I",       Out, in(Fragment), 4223, 4224, 4225},
    {BuiltIn::FullyCoveredEXT,          "B",       In,  in(Fragment), 4232, 4233, 4234},
    {BuiltIn::BaryCoordKHR,             "F32v3",   In,  in(Fragment), 4154, 4155, 4156},
    {BuiltIn::BaryCoordNoPerspKHR,      "F32v3",   In,  in(Fragment), 4160, 4161, 4162},
    {BuiltIn::ShadingRateKHR,           "I32",     In,  in(Fragment), 4490, 4491, 4492},
    {BuiltIn::PrimitiveShadingRateKHR,  "I32",     Out, in(Vertex, Geometry) | mesh, 4484, 4485, 4486, per_primitive},
    {BuiltIn::VertexIndex,              "I32",     In,  in(Vertex), 4398, 4399, 4400},
    {BuiltIn::InstanceIndex,            "I32",     In,  in(Vertex), 4263, 4264, 4265},
    {BuiltIn::VertexId,                 "",        In,  0, 0, 0, 0},
    {BuiltIn::BaseInstance,             "I32",     In,  in(Vertex), 4181, 4182, 4183},
    {BuiltIn::BaseVertex,               "I32",     In,  in(Vertex), 4184, 4185, 4186},
    {BuiltIn::DrawIndex,                "I32",     In,  in(Vertex, TaskNV, TaskEXT) | mesh, 4207, 4208, 4209},
    {BuiltIn::ViewIndex,                "I32",     In,  any_model & ~in(GLCompute), 4401, 4402, 4403},
    {BuiltIn::DeviceIndex,              "I32",     In,  any_model, 0, 4205, 4206},
    {BuiltIn::Position,                 "F32v4",   In | Out, before_raster, 4318, 4320, 4321, per_vertex},
    {BuiltIn::PointSize,                "F32",     In | Out, before_raster, 4314, 4316, 4317, per_vertex},
    {BuiltIn::ClipDistance,             "F32[]",   In | Out, before_raster | in(Fragment), 4187, 4190, 4191, per_vertex},
    {BuiltIn::CullDistance,             "F32[]",   In | Out, before_raster | in(Fragment), 4196, 4199, 4200, per_vertex},
    {BuiltIn::PrimitiveId,              "I32",     In | Out, primitives, 4330, 0, 4337, per_primitive},
    {BuiltIn::Layer,                    "I32",     In | Out, layered, 4272, 0, 4276, per_primitive},
    {BuiltIn::ViewportIndex,            "I32",     In | Out, layered, 4404, 0, 4408, per_primitive},
    {BuiltIn::InvocationId,             "I32",     In,  in(TessellationControl, Geometry), 4257, 4258, 4259},
    {BuiltIn::PatchVertices,            "I32",     In,  tessellation, 4308, 4309, 4310},
    {BuiltIn::TessCoord,                "F32v3",   In,  in(TessellationEvaluation), 4387, 4388, 4389},
    {BuiltIn::TessLevelOuter,           "F32[4]",  In | Out, tessellation, 4390, 0, 4393},
    {BuiltIn::TessLevelInner,           "F32[2]",  In | Out, tessellation, 4394, 0, 4397},
    {BuiltIn::GlobalInvocationId,       "I32v3",   In,  workgroups, 4236, 4237, 4238},
    {BuiltIn::LocalInvocationId,        "I32v3",   In,  workgroups, 4281, 4282, 4283},
    {BuiltIn::NumWorkgroups,            "I32v3",   In,  workgroups, 4296, 4297, 4298},
    {BuiltIn::WorkgroupId,              "I32v3",   In,  workgroups, 4422, 4423, 4424},
    {BuiltIn::LocalInvocationIndex,     "I32",     In,  workgroups, 4284, 4285, 4286},
    {BuiltIn::NumSubgroups,             "I32",     In,  workgroups, 4293, 4294, 4295},
    {BuiltIn::SubgroupId,               "I32",     In,  workgroups, 4367, 4368, 4369},
    {BuiltIn::SubgroupLocalInvocationId, "I32",    In,  any_model, 0, 4380, 4381},
    {BuiltIn::SubgroupSize,             "I32",     In,  any_model, 0, 4382, 4383},
    {BuiltIn::SubgroupEqMask,           "I32v4",   In,  any_model, 0, 4370, 4371},
    {BuiltIn::SubgroupGeMask,           "I32v4",   In,  any_model, 0, 4372, 4373},
    {BuiltIn::SubgroupGtMask,           "I32v4",   In,  any_model, 0, 4374, 4375},
    {BuiltIn::SubgroupLeMask,           "I32v4",   In,  any_model, 0, 4376, 4377},
    {BuiltIn::SubgroupLtMask,           "I32v4",   In,  any_model, 0, 4378, 4379},
    {BuiltIn::HitKindKHR,               "I32",     In,  hits, 4242, 4243, 4244},
    {BuiltIn::HitTNV,                   "F32",     In,  hits, 4245, 4246, 4247},
    {BuiltIn::HitTriangleVertexPositionsKHR, "F32v3[3]", In, hits, 8747, 8748, 8749},
    {BuiltIn::InstanceCustomIndexKHR,   "I32",     In,  intersections, 4251, 4252, 4253},
    {BuiltIn::InstanceId,               "I32",     In,  intersections, 4254, 4255, 4256},
    {BuiltIn::RayGeometryIndexKHR,      "I32",     In,  intersections, 4345, 4346, 4347},
    {BuiltIn::ObjectRayDirectionKHR,    "F32v3",   In,  intersections, 4299, 4300, 4301},
    {BuiltIn::ObjectRayOriginKHR,       "F32v3",   In,  intersections, 4302, 4303, 4304},
    {BuiltIn::ObjectToWorldKHR,         "F32m4x3", In,  intersections, 4305, 4306, 4307},
    {BuiltIn::WorldToObjectKHR,         "F32m4x3", In,  intersections, 4434, 4435, 4436},
    {BuiltIn::IncomingRayFlagsKHR,      "I32",     In,  rays, 4248, 4249, 4250},
    {BuiltIn::RayTminKHR,               "F32",     In,  rays, 4351, 4352, 4353},
    {BuiltIn::RayTmaxKHR,               "F32",     In,  rays, 4348, 4349, 4350},
    {BuiltIn::WorldRayDirectionKHR,     "F32v3",   In,  rays, 4428, 4429, 4430},
    {BuiltIn::WorldRayOriginKHR,        "F32v3",   In,  rays, 4431, 4432, 4433},
    {BuiltIn::CullMaskKHR,              "I32",     In,  rays, 6735, 6736, 6737},
    {BuiltIn::LaunchIdKHR,              "I32v3",   In,  launched, 4266, 4267, 4268},
    {BuiltIn::LaunchSizeKHR,            "I32v3",   In,  launched, 4269, 4270, 4271},
    {BuiltIn::PrimitivePointIndicesEXT, "I32[]",   Out, in(MeshEXT), 7041, 7043, 7044},
    {BuiltIn::PrimitiveLineIndicesEXT,  "I32v2[]", Out, in(MeshEXT), 7047, 7049, 7050},
    {BuiltIn::PrimitiveTriangleIndicesEXT, "I32v3[]", Out, in(MeshEXT), 7053, 7055, 7056},
    {BuiltIn::CullPrimitiveEXT,         "B",       Out, in(MeshEXT), 7034, 7035, 7036, per_primitive},
    {BuiltIn::TileOffsetQCOM,           "U32v2",   In,  in(Fragment, GLCompute), 10626, 10627, 10628},
    {BuiltIn::TileDimensionQCOM,        "U32v3",   In,  in(Fragment, GLCompute), 10629, 10630, 10631},
    {BuiltIn::TileApronSizeQCOM,        "U32v2",   In,  in(Fragment, GLCompute), 10632, 10633, 10634},
    {BuiltIn::CoreIDARM,                "I32",     In,  any_model, 0, 0, 0},
    {BuiltIn::CoreCountARM,             "I32",     In,  any_model, 0, 0, 0},
    {BuiltIn::CoreMaxIDARM,             "I32",     In,  any_model, 0, 0, 0},
    {BuiltIn::WarpIDARM,                "I32",     In,  any_model, 0, 0, 0},
    {BuiltIn::WarpMaxIDARM,             "I32",     In,  any_model, 0, 0, 0},
    {BuiltIn::WarpsPerSMNV,             "I32",     In,  any_model, 0, 0, 0},
    {BuiltIn::SMCountNV,                "I32",     In,  any_model, 0, 0, 0},
    {BuiltIn::WarpIDNV,                 "I32",     In,  any_model, 0, 0, 0},
    {BuiltIn::SMIDNV,                   "I32",     In,  any_model, 0, 0, 0},
};

// Stages in which a built-in of both directions is not of one of them.
struct StageRow {
  BuiltIn built_in;
  std::uint8_t direction;
  Models without;
  std::uint16_t rule;
};
constexpr StageRow stage_rows[] = {
    {BuiltIn::Position,       In,  in(Vertex) | mesh, 4319},
    {BuiltIn::PointSize,      In,  in(Vertex), 4315},
    {BuiltIn::ClipDistance,   In,  in(Vertex) | mesh, 4188},
    {BuiltIn::ClipDistance,   Out, in(Fragment), 4189},
    {BuiltIn::CullDistance,   In,  in(Vertex) | mesh, 4197},
    {BuiltIn::CullDistance,   Out, in(Fragment), 4198},
    {BuiltIn::PrimitiveId,    Out, tessellation | in(Fragment) | intersections, 4334},
    {BuiltIn::Layer,          In,  any_model & ~in(Fragment), 4274},
    {BuiltIn::Layer,          Out, in(Fragment), 4275},
    {BuiltIn::ViewportIndex,  In,  any_model & ~in(Fragment), 4406},
    {BuiltIn::ViewportIndex,  Out, in(Fragment), 4407},
    {BuiltIn::TessLevelOuter, In,  in(TessellationControl), 4391},
    {BuiltIn::TessLevelOuter, Out, in(TessellationEvaluation), 4392},
    {BuiltIn::TessLevelInner, In,  in(TessellationControl), 4395},
    {BuiltIn::TessLevelInner, Out, in(TessellationEvaluation), 4396},
};

// Stages that have a built-in with one of these capabilities only.
struct CapabilityRow {
  BuiltIn built_in;
  Models models;
  std::initializer_list<Capability> capabilities;
  std::uint16_t rule;
  std::string_view expected;
};
constexpr CapabilityRow capability_rows[] = {
    {BuiltIn::Layer, in(Vertex, TessellationEvaluation), {Capability::ShaderLayer, Capability::ShaderViewportIndexLayerEXT},
     4273, "the capability ShaderLayer or ShaderViewportIndexLayerEXT"},
    {BuiltIn::ViewportIndex, in(Vertex, TessellationEvaluation), {Capability::ShaderViewportIndex,
     Capability::ShaderViewportIndexLayerEXT}, 4405, "the capability ShaderViewportIndex or ShaderViewportIndexLayerEXT"},
    {BuiltIn::PrimitiveId, in(Fragment), {Capability::Geometry, Capability::Tessellation, Capability::MeshShadingNV,
     Capability::MeshShadingEXT}, 4333, "the capability Geometry, Tessellation or MeshShadingEXT"},
};

constexpr BuiltIn never_members[] = {
    BuiltIn::NumSubgroups, BuiltIn::SubgroupId, BuiltIn::SubgroupLocalInvocationId, BuiltIn::SubgroupSize,
    BuiltIn::SubgroupEqMask, BuiltIn::SubgroupGeMask, BuiltIn::SubgroupGtMask, BuiltIn::SubgroupLeMask,
    BuiltIn::SubgroupLtMask,
};
// clang-format on

// --- the check ----------------------------------------------------------------------------------------------------------

class BuiltInCheck {
 public:
  BuiltInCheck(const Context& context, Report& report) : context_(context), report_(report) {}

  void run() {
    collect_uses();
    for (const DecorationRow& row : context_.decorations.rows()) {
      if (row.decoration != Decoration::BuiltIn || context_.op_of(row.target) == Op::OpDecorationGroup) continue;
      const auto built_in = static_cast<BuiltIn>(context_.decorations.operand_or(row, 0xFFFFFFFF));
      const auto found =
          std::find_if(std::begin(rows), std::end(rows), [&](const BuiltInRow& r) { return r.built_in == built_in; });
      if (found != std::end(rows)) check(*found, row);
    }
  }

 private:
  // How a variable, or a structure, is used: few of these are different, however many entry points there are.
  struct Use {
    Word target;  // the variable, or the structure that it is of
    ExecutionModel model;
    Storage storage;
    friend auto operator<=>(const Use&, const Use&) = default;
  };

  void collect_uses() {
    for (const EntryPointRow& entry : context_.preamble.entry_points()) {
      for (const Word id : entry.interface_) {
        const TypeRow* type = context_.type_of(id);
        if (type == nullptr || !type->is(TypeKind::Pointer)) continue;
        uses_.push_back({id, entry.model, type->storage});
        const TypeRow* pointee = context_.types.find(type->element);
        if (pointee == nullptr) continue;
        const TypeRow& inner = without_arrays(context_, *pointee);
        if (inner.is(TypeKind::Struct)) uses_.push_back({inner.id, entry.model, type->storage});
      }
    }
    std::sort(uses_.begin(), uses_.end());
    uses_.erase(std::unique(uses_.begin(), uses_.end()), uses_.end());
  }

  void check(const BuiltInRow& row, const DecorationRow& decoration) {
    const Place place{decoration.instruction, 0};
    const auto say = [&](Rule rule, std::uint16_t number, std::string_view found, std::string_view expected) {
      const std::string name = enumerant_text(context_, "BuiltIn", static_cast<Word>(row.built_in));
      report_.add(rule, place, {name, found, expected});
      if (number != 0) report_.note(place, fmt::format("VUID-{}-{}-{:05}", name, name, number));
    };
    const Word type = decoration.member == no_member
                          ? pointee_of(decoration.target)
                          : context_.types.member_type(context_.types.of(decoration.target), decoration.member);
    const TypeRow* type_row = context_.types.find(type);
    if (type_row == nullptr) return;
    const std::span<const Use> uses = uses_of(decoration.target);
    const bool is_variable = decoration.member == no_member;
    if (row.shape.scalar != TypeKind::None && !is_of_shape(row.shape, *type_row) &&
        !(is_variable && is_arrayed(row, *type_row, uses))) {
      say(Rule::BuiltInType, row.type_rule, type_text(context_, type), shape_text(row.shape));
    }
    check_decorations(row, decoration, say);
    if (uses.empty() && is_variable) check_direction(row, context_.type_of(decoration.target)->storage, say);
    for (const Use& use : uses) {
      if (!check_use(row, use, say)) return;
    }
  }

  [[nodiscard]] std::span<const Use> uses_of(Word target) const {
    const auto first =
        std::lower_bound(uses_.begin(), uses_.end(), target, [](const Use& use, Word id) { return use.target < id; });
    auto last = first;
    while (last != uses_.end() && last->target == target) ++last;
    return {first, last};
  }

  // What else stands beside the built-in.
  template <typename Say>
  void check_decorations(const BuiltInRow& row, const DecorationRow& decoration, const Say& say) {
    const std::string target = id_text(context_, decoration.target);
    if (decoration.member != no_member &&
        std::find(std::begin(never_members), std::end(never_members), row.built_in) != std::end(never_members)) {
      say(Rule::BuiltInMember, 0, target, "a variable");
    }
    if (row.built_in != BuiltIn::TessLevelOuter && row.built_in != BuiltIn::TessLevelInner) return;
    if (context_.decorations.has(decoration.target, decoration.member, Decoration::Patch)) return;
    report_.add(Rule::BuiltInPatch, {decoration.instruction, 0},
                {enumerant_text(context_, "BuiltIn", static_cast<Word>(row.built_in)), target});
  }

  template <typename Say>
  bool check_direction(const BuiltInRow& row, Storage storage, const Say& say) {
    const unsigned direction = storage == Storage::Input    ? unsigned{In}
                               : storage == Storage::Output ? unsigned{Out}
                                                            : 0u;
    if ((row.directions & direction) != 0) return true;
    constexpr std::string_view expected[] = {"", "Input", "Output", "Input or Output"};
    say(Rule::BuiltInStorage, row.storage_rule, enumerant_text(context_, "StorageClass", static_cast<Word>(storage)),
        expected[row.directions]);
    return false;
  }

  template <typename Say>
  bool check_use(const BuiltInRow& row, const Use& use, const Say& say) {
    if (!check_direction(row, use.storage, say)) return false;
    const std::uint8_t direction = use.storage == Storage::Input ? In : Out;
    const auto model = [&] { return enumerant_text(context_, "ExecutionModel", static_cast<Word>(use.model)); };
    // The blocks of vertices that tessellation control passes on have whatever the stages around it have.
    if (!contains(row.models, use.model) && !(row.arrayed != 0 && use.model == TessellationControl)) {
      say(Rule::BuiltInModel, row.model_rule, model(), row.models == 0 ? "none in Vulkan" : "another execution model");
      return false;
    }
    for (const StageRow& stage : stage_rows) {
      if (stage.built_in != row.built_in || stage.direction != direction || !contains(stage.without, use.model))
        continue;
      say(Rule::BuiltInModel, stage.rule, model(), direction == In ? "it as no input there" : "it as no output there");
      return false;
    }
    for (const CapabilityRow& wanted : capability_rows) {
      if (wanted.built_in != row.built_in || !contains(wanted.models, use.model)) continue;
      if (std::any_of(wanted.capabilities.begin(), wanted.capabilities.end(),
                      [&](Capability capability) { return context_.has(capability); })) {
        continue;
      }
      say(Rule::BuiltInCapability, wanted.rule, model(), wanted.expected);
      return false;
    }
    return true;
  }

  [[nodiscard]] Word pointee_of(Word variable) const {
    const TypeRow* type = context_.type_of(variable);
    return type != nullptr && type->is(TypeKind::Pointer) ? type->element : 0;
  }

  // Whether a variable is an array of what the built-in is of, and all that list it have arrays of that.
  [[nodiscard]] bool is_arrayed(const BuiltInRow& row, const TypeRow& type, std::span<const Use> uses) const {
    const TypeRow* element = row.arrayed != 0 && type.is_array() ? context_.types.find(type.element) : nullptr;
    return element != nullptr && is_of_shape(row.shape, *element) &&
           std::all_of(uses.begin(), uses.end(), [&](const Use& use) { return contains(row.arrayed, use.model); });
  }

  [[nodiscard]] bool is_of_shape(const BuiltInShape& shape, const TypeRow& type) const {
    const TypeRow* row = &type;
    if (shape.is_array) {
      if (!type.is_array() || (shape.elements != 0 && type.count != shape.elements)) return false;
      row = context_.types.find(type.element);
      if (row == nullptr) return false;
    }
    if (shape.is_unsigned && context_.types.row(row->component).is_signed) return false;
    const spirv::Shape found = context_.types.shape(*row);
    return found.scalar == shape.scalar && (shape.width == 0 || found.width == shape.width) &&
           found.rows == shape.components && found.columns == shape.columns;
  }

  static std::string shape_text(const BuiltInShape& shape) {
    std::string text = shape.width == 0 ? std::string() : fmt::format("{}-bit ", shape.width);
    text += shape.scalar == TypeKind::Float ? "float" : shape.scalar == TypeKind::Int ? "integer" : "boolean";
    if (shape.columns != 1)
      text = fmt::format("a matrix of {} columns of {} {}s", shape.columns, shape.components, text);
    else if (shape.components != 1) text = fmt::format("a vector of {} {}s", shape.components, text);
    else text += " scalar";
    if (shape.is_array)
      text = fmt::format("an array of {}{}",
                         shape.elements == 0 ? std::string() : fmt::format("{} of ", shape.elements), text);
    return text;
  }

  const Context& context_;
  Report& report_;
  std::vector<Use> uses_;  // ascending
};

}  // namespace

void check_built_ins(const Context& context, Report& report) {
  if (context.is_vulkan()) BuiltInCheck(context, report).run();
}

}  // namespace vireo::spirv
