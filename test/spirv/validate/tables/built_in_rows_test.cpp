// SPDX-License-Identifier: Apache-2.0
//
// Table-driven tests of built-ins: each built-in with each type, in each storage class and each execution model.
//
// A variable in the interface of an entry point has a built-in, a type, a storage class and a model. A
// slow, independent interpreter of the rows predicts the rules that such a variable violates, and the findings are
// compared with the prediction. Most rows have a valid variable, from which one property at a time is changed.
//
// Source: the chapter "Built-In Variables" of the Vulkan specification, as in the rows of built_in_rows.h.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "spirv/validate/tables/built_in_rows.h"
#include "spirv/validate/tables/test_shaders.h"

namespace vireo::spirv {
namespace {

using test::RuleNames;
using test::TestShader;
using enum ExecutionModel;

constexpr std::string_view environment = "vulkan1.4";

// --- types --------------------------------------------------------------------------------------------------------------

// A type by its parts: `lengths` are the lengths of arrays, the outermost first.
struct Sample {
  char scalar;  ///< B, I (signed), U, F
  unsigned width, components, columns;
  std::vector<unsigned> lengths;
};

std::vector<Sample> samples() {
  std::vector<Sample> all{{'B', 0, 1, 1, {}}, {'B', 0, 1, 1, {4}}, {'B', 0, 2, 1, {}}};
  for (const char scalar : {'I', 'U', 'F'}) {
    for (const unsigned width : {16u, 32u, 64u}) all.push_back({scalar, width, 1, 1, {}});
    for (const unsigned components : {2u, 3u, 4u}) {
      all.push_back({scalar, 32, components, 1, {}});
      for (const unsigned length : {3u, 4u}) all.push_back({scalar, 32, components, 1, {length}});
    }
    for (const unsigned length : {1u, 2u, 3u, 4u}) all.push_back({scalar, 32, 1, 1, {length}});
    all.push_back({scalar, 32, 1, 1, {4, 2}});
    all.push_back({scalar, 32, 1, 1, {4, 2, 3}});
    all.push_back({scalar, 32, 3, 1, {2}});
    all.push_back({scalar, 32, 4, 1, {4, 2}});
  }
  all.push_back({'F', 32, 3, 4, {}});
  all.push_back({'F', 32, 4, 3, {}});
  all.push_back({'F', 32, 3, 4, {4}});
  return all;
}

// Its name, and its declarations. The scalars of 32 bits and the numbers up to 4 are already declared.
std::pair<std::string, std::string> declaration_of(const Sample& it) {
  std::string text, name = it.scalar == 'B' ? "%bool" : it.scalar == 'F' ? "%f32" : "%u32";
  if (it.width != 0 && (it.width != 32 || it.scalar == 'I')) {
    name = "%wide";
    text = "%wide = OpType";
    text += it.scalar == 'F' ? "Float " : "Int ";
    text += std::to_string(it.width) + (it.scalar == 'F' ? "\n" : it.scalar == 'I' ? " 1\n" : " 0\n");
  }
  const auto wrap = [&](std::string_view op, const std::string& made, const std::string& count) {
    text.append(made).append(" = ").append(op).append(" ").append(name).append(" ").append(count).append("\n");
    name = made;
  };
  if (it.components != 1) wrap("OpTypeVector", "%vector", std::to_string(it.components));
  if (it.columns != 1) wrap("OpTypeMatrix", "%matrix", std::to_string(it.columns));
  for (std::size_t i = it.lengths.size(); i-- > 0;)
    wrap("OpTypeArray", "%array" + std::to_string(i), "%u" + std::to_string(it.lengths[i]));
  return {name, text};
}

bool has_shape(const BuiltInShape& shape, const Sample& it, std::size_t outer_arrays) {
  constexpr struct {
    TypeKind kind;
    std::string_view letters;
  } scalars[] = {{TypeKind::Bool, "B"}, {TypeKind::Int, "IU"}, {TypeKind::Float, "F"}};
  for (const auto& [kind, letters] : scalars) {
    if (kind == shape.scalar && letters.find(it.scalar) == std::string_view::npos) return false;
  }
  if (shape.is_unsigned && it.scalar == 'I') return false;
  const std::size_t arrays = outer_arrays + shape.arrays;
  if (it.lengths.size() != arrays && !(shape.may_nest && it.lengths.size() == arrays + 1)) return false;
  if (shape.elements != 0 && it.lengths[outer_arrays] != shape.elements) return false;
  return (shape.width == 0 || shape.width == it.width) && shape.components <= it.components &&
         shape.most_components >= it.components && shape.columns == it.columns;
}

// --- the independent interpreter -------------------------------------------------------------------------------------

struct Variable {
  const BuiltInRow* row = nullptr;
  const Sample* type = nullptr;
  StorageClass storage = StorageClass::Input;
  ExecutionModel model = Vertex;
  std::vector<Capability> capabilities;  ///< in addition to the required ones
  bool is_member = false;  ///< in a block, which is the variable's type; an array of four blocks in mesh shaders
  bool is_idle = false;    ///< in the interface, but not used
  bool is_bare = false;    ///< without the modes and decorations that a built-in needs: modes, Patch, PerPrimitiveEXT
};

// A mode or decoration that a built-in needs in a stage.
struct Companion {
  BuiltIn built_in;
  ExecutionModel model;
  std::string_view mode;        ///< empty: none
  std::string_view decoration;  ///< empty: none
  std::string_view rule;        ///< reported if it is missing; empty: it may be missing
  unsigned length = 0;          ///< of the outermost array, given by the entry point; 0: any
};
// The modes of MeshEXT in test_shaders.cpp give 4 primitives, which are triangles.
constexpr Companion companions[] = {
    {BuiltIn::FragDepth, Fragment, "DepthReplacing", "", "built-in-mode"},
    {BuiltIn::PrimitivePointIndicesEXT, MeshEXT, "OutputPoints", "", "built-in-mode", 4},
    {BuiltIn::PrimitiveLineIndicesEXT, MeshEXT, "OutputLinesEXT", "", "built-in-mode", 4},
    {BuiltIn::PrimitiveTriangleIndicesEXT, MeshEXT, "OutputTrianglesEXT", "", "built-in-mode", 4},
    {BuiltIn::PrimitiveIndicesNV, MeshNV, "OutputPoints", "", "", 4},
    {BuiltIn::PrimitiveId, MeshEXT, "", "PerPrimitiveEXT", "built-in-per-primitive", 4},
    {BuiltIn::Layer, MeshEXT, "", "PerPrimitiveEXT", "built-in-per-primitive", 4},
    {BuiltIn::ViewportIndex, MeshEXT, "", "PerPrimitiveEXT", "built-in-per-primitive", 4},
    {BuiltIn::CullPrimitiveEXT, MeshEXT, "", "PerPrimitiveEXT", "built-in-per-primitive", 4},
    {BuiltIn::PrimitiveShadingRateKHR, MeshEXT, "", "PerPrimitiveEXT", "built-in-per-primitive", 4},
};

// A capability that restricts the models of a module, whatever its built-ins.
bool is_of_other_models(ExecutionModel model, const std::vector<Capability>& declared) {
  return std::find(declared.begin(), declared.end(), Capability::TileShadingQCOM) != declared.end() &&
         model != Fragment && model != GLCompute;
}

// A stage row applies to all outputs.
bool has_outputs(ExecutionModel model) {
  constexpr ExecutionModel without[] = {GLCompute,     RayGenerationKHR, IntersectionKHR, AnyHitKHR,
                                        ClosestHitKHR, MissKHR,          CallableKHR};
  return std::find(std::begin(without), std::end(without), model) == std::end(without);
}

const Companion* companion_of(const Variable& it) {
  for (const Companion& row : companions) {
    if (row.built_in == it.row->built_in && row.model == it.model && it.storage == StorageClass::Output) return &row;
  }
  return nullptr;
}

// The decoration that a built-in always needs; empty: none.
std::string_view decoration_with(BuiltIn built_in) {
  switch (built_in) {
    case BuiltIn::TessLevelOuter:
    case BuiltIn::TessLevelInner: return "Patch";
    case BuiltIn::ClipDistancePerViewNV:
    case BuiltIn::CullDistancePerViewNV:
    case BuiltIn::LayerPerViewNV: return "PerViewNV";
    default: return {};
  }
}

// Whether a variable has an element for each vertex of a primitive.
bool is_of_vertices(const Variable& it) {
  const bool is_input = it.storage == StorageClass::Input;
  return it.model == TessellationControl || it.model == MeshEXT || it.model == MeshNV ||
         (is_input && (it.model == TessellationEvaluation || it.model == Geometry));
}

// The first fault of the use of a built-in.
std::optional<std::string> use_fault(const Variable& it, const std::vector<Capability>& declared) {
  const unsigned direction = it.storage == StorageClass::Input    ? unsigned{In}
                             : it.storage == StorageClass::Output ? unsigned{Out}
                                                                  : 0;
  if ((it.row->directions & direction) == 0) return "built-in-storage";
  if (it.row->models == 0) return "built-in-model";  // whether it is used or not
  if (it.is_idle) return std::nullopt;
  if (!contains(it.row->models, it.model)) return "built-in-model";
  for (const BuiltInStageRow& row : built_in_stage_rows()) {
    if (row.built_in == it.row->built_in && row.direction == direction && direction != 0 &&
        contains(row.without, it.model))
      return "built-in-model";
  }
  for (const BuiltInCapabilityRow& row : built_in_capability_rows()) {
    if (row.built_in != it.row->built_in || !contains(row.models, it.model)) continue;
    const bool has_one = std::any_of(row.capabilities.begin(), row.capabilities.end(), [&](Capability capability) {
      return std::find(declared.begin(), declared.end(), capability) != declared.end();
    });
    if (!has_one) return "built-in-capability";
  }
  return std::nullopt;
}

RuleNames rules_broken_by(const Variable& it, const std::vector<Capability>& declared) {
  RuleNames broken;
  const BuiltInShape& shape = it.row->shape;
  const bool is_arrayed = !it.is_member && contains(it.row->arrayed, it.model) && has_shape(shape, *it.type, 1);
  if (shape.scalar != TypeKind::None && !has_shape(shape, *it.type, 0) && !is_arrayed)
    broken.push_back("built-in-type");
  if (!decoration_with(it.row->built_in).empty() && it.is_bare) broken.push_back("built-in-decoration");
  if (shape.arrays == 1 && it.type->lengths.size() == 1 && !it.is_member && has_shape(shape, *it.type, 0) &&
      contains(it.row->arrayed, it.model) && is_of_vertices(it)) {
    broken.push_back("built-in-vertex-array");
  }
  // PerViewNV itself is for outputs.
  if (decoration_with(it.row->built_in) == "PerViewNV" && !it.is_bare && it.storage != StorageClass::Output)
    broken.push_back("decoration-storage");
  if (const std::optional<std::string> fault = use_fault(it, declared)) broken.push_back(*fault);
  if (is_of_other_models(it.model, declared)) broken.push_back("tile-shading-model");
  // Vulkan has node payloads in two models only.
  const bool enqueues = std::find(declared.begin(), declared.end(), Capability::ShaderEnqueueAMDX) != declared.end();
  if (enqueues && it.model != GLCompute && it.model != MeshEXT) broken.push_back("enqueue-model");
  if (it.storage == StorageClass::Output && !it.is_idle && !has_outputs(it.model)) broken.push_back("output-stage");
  const auto of_variables = built_ins_of_variables();
  if (it.is_member && std::find(of_variables.begin(), of_variables.end(), it.row->built_in) != of_variables.end())
    broken.push_back("built-in-member");
  if (const Companion* row = companion_of(it)) {
    // The common modes of mesh shaders include triangles.
    const bool is_there = !it.is_bare || row->mode == "OutputTrianglesEXT";
    // If the type is wrong, the mode is a note of that finding.
    const bool is_wrong = shape.scalar != TypeKind::None && !has_shape(shape, *it.type, 0) &&
                          !(it.row->arrayed != 0 && has_shape(shape, *it.type, 1));
    // Without the mode, MeshNV has triangles: three indices for each of the 4 primitives.
    if (row->rule.empty()) {
      if (!it.is_member && !it.type->lengths.empty() && it.type->lengths.front() != (it.is_bare ? 3 : 1) * row->length)
        broken.push_back("built-in-array-size");
      std::sort(broken.begin(), broken.end());
      return broken;
    }
    const bool is_note = row->rule == "built-in-mode" && (it.is_idle || (is_wrong && !it.is_member));
    if (!is_there && !is_note) broken.emplace_back(row->rule);
    if (!it.is_member && row->length != 0 && (is_there || row->mode.empty())) {
      if (it.type->lengths.empty()) {
        if (row->mode.empty() && !is_wrong) broken.push_back("built-in-type");  // a wrong element has the finding
      } else if (it.type->lengths.front() != row->length) {
        broken.push_back("built-in-array-size");
      }
    }
  }
  std::sort(broken.begin(), broken.end());
  return broken;
}

// --- modules ------------------------------------------------------------------------------------------------------------

std::string name_of(BuiltIn built_in) {
  const Grammar& grammar = builtin_grammar();
  return std::string(grammar.text(grammar.find_value(grammar.find_kind("BuiltIn"), static_cast<Word>(built_in))->name));
}

std::string_view name_of(StorageClass storage) {
  return storage == StorageClass::Input ? "Input" : storage == StorageClass::Output ? "Output" : "Private";
}

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

// Another capability for a built-in that Kernel enables in kernels.
std::vector<Capability> instead_of_kernel(BuiltIn built_in) {
  const Grammar& grammar = builtin_grammar();
  const EnumerantRow* row = grammar.find_value(grammar.find_kind("BuiltIn"), static_cast<Word>(built_in));
  std::vector<Capability> all;
  for (const std::uint16_t capability : grammar.capabilities(row->capabilities))
    all.push_back(static_cast<Capability>(grammar.enumerants[capability].value));
  const auto kernel = std::find(all.begin(), all.end(), Capability::Kernel);
  if (kernel == all.end() || all.size() == 1) return {};
  all.erase(kernel);
  return {all.front()};
}

TestShader shader_of(const Variable& it) {
  TestShader shader;
  shader.model = it.model;
  shader.capabilities = it.capabilities.empty() ? instead_of_kernel(it.row->built_in) : it.capabilities;
  shader.interface_ = " %variable";
  if (it.is_member) shader.annotations = "OpDecorate %block Block\n";
  const auto decorate = [&](std::string_view decoration) {
    shader.annotations.append(it.is_member ? "OpMemberDecorate %block 0 " : "OpDecorate %variable ");
    shader.annotations.append(decoration).append("\n");
  };
  decorate("BuiltIn " + name_of(it.row->built_in));
  // Fragment inputs other than 32-bit floats must be Flat.
  const bool is_flat = it.type->scalar == 'I' || it.type->scalar == 'U' || it.type->width == 64;
  if (it.model == Fragment && it.storage == StorageClass::Input && is_flat && !it.is_member) decorate("Flat");
  // Ray tracing shaders read built-ins that change as Volatile.
  if (it.model >= RayGenerationKHR && it.model <= CallableKHR && !it.is_member) decorate("Volatile");
  if (const std::string_view with = decoration_with(it.row->built_in); !with.empty() && !it.is_bare) decorate(with);
  if (const Companion* row = companion_of(it); row != nullptr && !it.is_bare) {
    if (!row->decoration.empty()) decorate(row->decoration);
    if (!row->mode.empty() && it.model != Fragment) {
      shader.has_own_modes = true;
      shader.modes = replaced(std::string(test::modes_of(it.model)), "OutputTrianglesEXT", row->mode);
    } else if (!row->mode.empty()) {
      shader.modes = "OpExecutionMode %main " + std::string(row->mode) + "\n";
    }
  }
  const std::string storage(name_of(it.storage));
  const auto& [type, lines] = declaration_of(*it.type);
  shader.declarations = lines;
  std::string holds = type;
  if (it.is_member) {
    shader.declarations += "%block = OpTypeStruct " + type + "\n%blocks = OpTypeArray %block %u4\n";
    holds = it.model == MeshEXT ? "%blocks" : "%block";
  }
  shader.declarations += "%pointer = OpTypePointer " + storage + " " + holds + "\n";
  // Naming the variable in a function is a use.
  if (!it.is_idle) shader.body = "%used = OpAccessChain %pointer %variable\n";
  shader.declarations += "%variable = OpVariable %pointer " + storage + "\n";
  return shader;
}

class BuiltInRowsTest : public testing::Test {
 protected:
  BuiltInRowsTest() : types_(samples()) {
    for (const ExecutionModel model : known_models) {
      if (model != Kernel) models_.push_back(model);
    }
  }

  void check(const Variable& it) {
    const TestShader shader = shader_of(it);
    const WordBuffer words = test::words_of(shader);
    const RuleNames expected = rules_broken_by(it, test::capabilities_in(words));
    EXPECT_EQ(test::rules_reported_for(words, environment), expected) << test::text_of(shader);
    ++made_;
    sound_ += expected.empty();
  }

  // A variable that violates no rule; without a type if there is none.
  Variable sound(const BuiltInRow& row) const {
    for (const ExecutionModel model : models_) {
      for (const StorageClass storage : {StorageClass::Input, StorageClass::Output}) {
        for (const Sample& type : types_) {
          Variable it{&row, &type, storage, model, {}};
          // Another test covers the capabilities of stages.
          if (rules_broken_by(it, {}).empty()) return it;
        }
      }
    }
    return {&row, nullptr, StorageClass::Input, Vertex, {}};
  }

  const std::vector<Sample> types_;
  std::vector<ExecutionModel> models_;
  std::size_t made_ = 0, sound_ = 0;
};

TEST_F(BuiltInRowsTest, variables_violate_exactly_the_rules_of_their_rows) {
  for (const BuiltInRow& row : built_in_rows()) {
    Variable base = sound(row);
    // VertexId is not available in Vulkan.
    EXPECT_EQ(base.type == nullptr, row.built_in == BuiltIn::VertexId) << name_of(row.built_in);
    if (base.type == nullptr) base.type = &types_.front();
    struct Manner {
      bool is_bare, is_idle;
    };
    for (const auto [is_bare, is_idle] : {Manner{false, false}, Manner{true, false}, Manner{true, true}}) {
      base.is_bare = is_bare;
      base.is_idle = is_idle;
      for (const Sample& type : types_) {
        Variable it = base;
        it.type = &type;
        check(it);
      }
      for (const ExecutionModel model : models_) {
        for (const StorageClass storage : {StorageClass::Input, StorageClass::Output, StorageClass::Private}) {
          Variable it = base;
          it.model = model;
          it.storage = storage;
          check(it);
        }
      }
    }
  }
  RecordProperty("modules", static_cast<int>(made_));
  RecordProperty("sound", static_cast<int>(sound_));
  EXPECT_GE(made_, 20'000u);
  EXPECT_GE(sound_, 1'000u);
}

TEST_F(BuiltInRowsTest, members_follow_the_same_rows) {
  for (const BuiltInRow& row : built_in_rows()) {
    Variable it = sound(row);
    if (it.type == nullptr) continue;
    it.is_member = true;
    for (const bool is_bare : {false, true}) {
      it.is_bare = is_bare;
      for (const Sample& type : types_) {
        it.type = &type;
        check(it);
      }
    }
  }
  RecordProperty("modules", static_cast<int>(made_));
  EXPECT_GE(made_, 5'000u);
  EXPECT_GE(sound_, 100u);
}

TEST_F(BuiltInRowsTest, stages_need_one_of_the_capabilities_of_the_row) {
  for (const BuiltInCapabilityRow& rule : built_in_capability_rows()) {
    const auto rows = built_in_rows();
    const auto row =
        std::find_if(rows.begin(), rows.end(), [&](const BuiltInRow& r) { return r.built_in == rule.built_in; });
    Variable it = sound(*row);
    for (const ExecutionModel model : models_) {
      it.model = model;
      for (const StorageClass storage : {StorageClass::Input, StorageClass::Output}) {
        it.storage = storage;
        for (const Capability capability : rule.capabilities) {
          it.capabilities = {capability};
          check(it);
        }
      }
    }
  }
  EXPECT_GE(made_, 200u);
}

}  // namespace
}  // namespace vireo::spirv
