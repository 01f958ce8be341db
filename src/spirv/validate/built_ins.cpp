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
#include <map>

#include "spirv/validate/checks.h"
#include "spirv/validate/pointers.h"

namespace vireo::spirv {
namespace {

using enum ExecutionModel;
using Storage = StorageClass;

// --- models and types as small values -----------------------------------------------------------------------------------

using Models = std::uint32_t;
constexpr unsigned bit_number(ExecutionModel model) {
  switch (model) {
    case Vertex: return 0;
    case TessellationControl: return 1;
    case TessellationEvaluation: return 2;
    case Geometry: return 3;
    case Fragment: return 4;
    case GLCompute: return 5;
    case TaskNV: return 6;
    case MeshNV: return 7;
    case TaskEXT: return 8;
    case MeshEXT: return 9;
    case RayGenerationKHR: return 10;
    case IntersectionKHR: return 11;
    case AnyHitKHR: return 12;
    case ClosestHitKHR: return 13;
    case MissKHR: return 14;
    case CallableKHR: return 15;
    default: return 31;
  }
}
constexpr Models in(auto... models) { return ((1u << bit_number(models)) | ...); }

constexpr Models any_model = ~0u;
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

enum Directions : std::uint8_t { In = 1, Out = 2 };

// "F32v4", "I32", "B", "F32[4]", "I32[]": a scalar, its width, components, elements.
struct BuiltInShape {
  TypeKind scalar = TypeKind::None;
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
  bool is_per_vertex = false;                         ///< an array of them where a stage has several vertices
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
    {BuiltIn::PrimitiveShadingRateKHR,  "I32",     Out, in(Vertex, Geometry) | mesh, 4484, 4485, 4486, true},
    {BuiltIn::VertexIndex,              "I32",     In,  in(Vertex), 4398, 4399, 4400},
    {BuiltIn::InstanceIndex,            "I32",     In,  in(Vertex), 4263, 4264, 4265},
    {BuiltIn::VertexId,                 "",        In,  0, 0, 0, 0},
    {BuiltIn::BaseInstance,             "I32",     In,  in(Vertex), 4181, 4182, 4183},
    {BuiltIn::BaseVertex,               "I32",     In,  in(Vertex), 4184, 4185, 4186},
    {BuiltIn::DrawIndex,                "I32",     In,  in(Vertex, TaskNV, TaskEXT) | mesh, 4207, 4208, 4209},
    {BuiltIn::ViewIndex,                "I32",     In,  any_model & ~in(GLCompute), 4401, 4402, 4403},
    {BuiltIn::DeviceIndex,              "I32",     In,  any_model, 0, 4205, 4206},
    {BuiltIn::Position,                 "F32v4",   In | Out, before_raster, 4318, 4320, 4321, true},
    {BuiltIn::PointSize,                "F32",     In | Out, before_raster, 4314, 4316, 4317, true},
    {BuiltIn::ClipDistance,             "F32[]",   In | Out, before_raster | in(Fragment), 4187, 4190, 4191, true},
    {BuiltIn::CullDistance,             "F32[]",   In | Out, before_raster | in(Fragment), 4196, 4199, 4200, true},
    {BuiltIn::PrimitiveId,              "I32",     In | Out, primitives, 4330, 0, 4337, true},
    {BuiltIn::Layer,                    "I32",     In | Out, layered, 4272, 0, 4276, true},
    {BuiltIn::ViewportIndex,            "I32",     In | Out, layered, 4404, 0, 4408, true},
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
  struct Use {
    Word variable;
    ExecutionModel model;
  };

  // The variables of each structure type, and the entry points that list each variable.
  void collect_uses() {
    for (const EntryPointRow& entry : context_.preamble.entry_points()) {
      for (const Word id : entry.interface_) {
        const TypeRow* type = context_.type_of(id);
        if (type == nullptr || !type->is(TypeKind::Pointer)) continue;
        uses_.emplace(id, Use{id, entry.model});
        const TypeRow* pointee = context_.types.find(type->element);
        if (pointee == nullptr) continue;
        const TypeRow& inner = without_arrays(context_, *pointee);
        if (inner.is(TypeKind::Struct)) uses_.emplace(inner.id, Use{id, entry.model});
      }
    }
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
    if (row.shape.scalar != TypeKind::None && !is_of(row, *type_row, decoration.member == no_member)) {
      say(Rule::BuiltInType, row.type_rule, type_text(context_, type), shape_text(row.shape));
    }
    const auto [first, last] = uses_.equal_range(decoration.target);
    for (auto use = first; use != last; ++use) {
      if (!check_use(row, use->second, say)) return;
    }
    if (first == last && decoration.member == no_member) check_direction(row, decoration.target, say);
  }

  template <typename Say>
  bool check_direction(const BuiltInRow& row, Word variable, const Say& say) {
    const Storage storage = context_.type_of(variable)->storage;
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
    if (!check_direction(row, use.variable, say)) return false;
    const Storage storage = context_.type_of(use.variable)->storage;
    const std::uint8_t direction = storage == Storage::Input ? In : Out;
    const Models bit = 1u << bit_number(use.model);
    const auto model = [&] { return enumerant_text(context_, "ExecutionModel", static_cast<Word>(use.model)); };
    // The blocks of vertices that tessellation control passes on have whatever the stages around it have.
    if ((row.models & bit) == 0 && !(row.is_per_vertex && use.model == TessellationControl)) {
      say(Rule::BuiltInModel, row.model_rule, model(), row.models == 0 ? "none in Vulkan" : "another execution model");
      return false;
    }
    for (const StageRow& stage : stage_rows) {
      if (stage.built_in != row.built_in || stage.direction != direction || (stage.without & bit) == 0) continue;
      say(Rule::BuiltInModel, stage.rule, model(), direction == In ? "it as no input there" : "it as no output there");
      return false;
    }
    return true;
  }

  [[nodiscard]] Word pointee_of(Word variable) const {
    const TypeRow* type = context_.type_of(variable);
    return type != nullptr && type->is(TypeKind::Pointer) ? type->element : 0;
  }

  [[nodiscard]] bool is_of(const BuiltInRow& row, const TypeRow& type, bool is_variable) const {
    if (is_of_shape(row.shape, type)) return true;
    // A stage with several vertices has an array of them.
    const bool may_be_arrayed = row.is_per_vertex && is_variable && type.is_array();
    const TypeRow* element = may_be_arrayed ? context_.types.find(type.element) : nullptr;
    return element != nullptr && is_of_shape(row.shape, *element);
  }

  [[nodiscard]] bool is_of_shape(const BuiltInShape& shape, const TypeRow& type) const {
    const TypeRow* row = &type;
    if (shape.is_array) {
      if (!type.is_array() || (shape.elements != 0 && type.count != shape.elements)) return false;
      row = context_.types.find(type.element);
      if (row == nullptr) return false;
    }
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
  std::multimap<Word, Use> uses_;  // by variable, and by the structure that it is of
};

}  // namespace

void check_built_ins(const Context& context, Report& report) {
  if (context.is_vulkan()) BuiltInCheck(context, report).run();
}

}  // namespace vireo::spirv
