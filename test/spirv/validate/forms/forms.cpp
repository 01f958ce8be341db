// SPDX-License-Identifier: Apache-2.0
//
// The table of forms (forms.h).
#include "spirv/validate/forms/forms.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "vireo/spirv/grammar/grammar.h"

namespace vireo::spirv::test {
namespace {

using Lines = std::vector<AssemblyLine>;
using Operands = std::vector<std::string>;

bool is_one_of(std::string_view text, std::initializer_list<std::string_view> list) {
  return std::ranges::find(list, text) != list.end();
}

// --- constants ------------------------------------------------------------------------------------------------------

bool replace_opcodes(ModuleText& module, const std::map<std::string_view, std::string_view>& replacements) {
  bool is_changed = false;
  for (AssemblyLine& line : module.lines) {
    const auto found = replacements.find(line.opcode);
    if (found == replacements.end()) continue;
    line.opcode = found->second;
    is_changed = true;
  }
  return is_changed;
}

// The scopes and memory semantics of a module, which may not be specialization constants in shaders.
std::set<std::string> scopes_of(const ModuleText& module) {
  std::set<std::string> scopes;
  for (const AssemblyLine& line : module.lines) {
    const InstructionRow* row = builtin_grammar().find_instruction(line.opcode);
    if (row == nullptr) continue;
    std::size_t at = 0;
    for (const OperandRow& operand : builtin_grammar().operands(row->operands)) {
      if (operand.shape == OperandShape::IdResult) continue;
      const bool is_scope = operand.shape == OperandShape::IdScope || operand.shape == OperandShape::IdMemorySemantics;
      if (is_scope && at < line.operands.size()) scopes.insert(line.operands[at]);
      ++at;
    }
  }
  return scopes;
}

bool specialize(ModuleText& module) {
  const std::set<std::string> scopes = scopes_of(module);
  const std::map<std::string_view, std::string_view> replacements = {
      {"OpConstant", "OpSpecConstant"},
      {"OpConstantTrue", "OpSpecConstantTrue"},
      {"OpConstantFalse", "OpSpecConstantFalse"},
      {"OpConstantComposite", "OpSpecConstantComposite"}};
  bool is_changed = false;
  for (AssemblyLine& line : module.lines) {
    const auto found = replacements.find(line.opcode);
    if (found == replacements.end() || scopes.contains(line.id)) continue;
    line.opcode = found->second;
    is_changed = true;
  }
  return is_changed;
}

bool nullify(ModuleText& module) {
  bool is_changed = false;
  for (AssemblyLine& line : module.lines) {
    const bool is_zero = line.opcode == "OpConstant" && is_one_of(line.operands[1], {"0", "0.0"});
    if (!is_zero && line.opcode != "OpConstantFalse") continue;
    line.opcode = "OpConstantNull";
    line.operands.resize(1);
    is_changed = true;
  }
  return is_changed;
}

// Each 32-bit integer constant becomes the sum of itself and 0.
bool compute(ModuleText& module) {
  const std::set<std::string> scopes = scopes_of(module);
  Lines lines;
  for (const AssemblyLine& line : module.lines) {
    const AssemblyLine* type = line.opcode == "OpConstant" ? module.find(line.operands[0]) : nullptr;
    if (type == nullptr || type->opcode != "OpTypeInt" || type->operands[0] != "32" || scopes.contains(line.id)) {
      lines.push_back(line);
      continue;
    }
    const std::string value = module.new_id("value"), zero = module.new_id("zero");
    lines.push_back({value, "OpConstant", line.operands});
    lines.push_back({zero, "OpConstantNull", {line.operands[0]}});
    lines.push_back({line.id, "OpSpecConstantOp", {line.operands[0], "IAdd", value, zero}});
  }
  return std::exchange(module.lines, std::move(lines)) != module.lines;
}

// --- decorations ----------------------------------------------------------------------------------------------------

bool is_annotation(std::string_view opcode) {
  return is_one_of(opcode, {"OpDecorate", "OpMemberDecorate", "OpDecorateId", "OpDecorateString", "OpDecorationGroup",
                            "OpMemberDecorateString", "OpGroupDecorate", "OpGroupMemberDecorate"});
}

// Moves each decoration with this opcode to a group. `targets` is the number of its operands that name the target.
bool group_decorations(ModuleText& module, std::string_view opcode, std::size_t targets,
                       std::string_view group_opcode) {
  Lines groups, uses;
  for (AssemblyLine& line : module.lines) {
    if (line.opcode != opcode) continue;
    if (const AssemblyLine* target = module.find(line.operands[0]); target && target->opcode == "OpDecorationGroup")
      continue;
    const std::string group = module.new_id("group");
    const auto end = line.operands.begin() + static_cast<std::ptrdiff_t>(targets);
    AssemblyLine use{"", std::string(group_opcode), {group}};
    use.operands.insert(use.operands.end(), line.operands.begin(), end);
    line.operands.erase(line.operands.begin(), end);
    line.operands.insert(line.operands.begin(), group);
    line.opcode = "OpDecorate";
    groups.push_back({group, "OpDecorationGroup", {}});
    uses.push_back(std::move(use));
  }
  if (groups.empty()) return false;
  const auto last = std::ranges::find_if(module.lines.rbegin(), module.lines.rend(),
                                         [](const AssemblyLine& line) { return is_annotation(line.opcode); });
  groups.insert(groups.end(), uses.begin(), uses.end());
  module.lines.insert(last.base(), groups.begin(), groups.end());
  return true;
}

// --- variables and pointers -----------------------------------------------------------------------------------------

bool is_use_of_pointer(const AssemblyLine& line, const std::string& id) {
  return std::ranges::find(line.operands, id) != line.operands.end() && !is_annotation(line.opcode) &&
         !is_one_of(line.opcode, {"OpName", "OpMemberName", "OpEntryPoint", "OpExecutionMode", "OpExecutionModeId"});
}

// Uses of a variable become uses of its first part.
void use_first_part(ModuleText& module, const std::string& variable, const std::string& pointer,
                    const std::string& zero) {
  Lines lines;
  bool is_below = false;
  for (AssemblyLine line : module.lines) {
    if (is_below && is_use_of_pointer(line, variable)) {
      const bool is_base =
          is_one_of(line.opcode, {"OpAccessChain", "OpInBoundsAccessChain"}) && line.operands[1] == variable;
      if (is_base) {
        line.operands.insert(line.operands.begin() + 2, zero);
      } else {
        const std::string part = module.new_id("part");
        lines.push_back({part, "OpAccessChain", {pointer, variable, zero}});
        std::ranges::replace(line.operands, variable, part);
      }
    }
    is_below |= line.id == variable;
    lines.push_back(std::move(line));
  }
  module.lines = std::move(lines);
}

// The type of each variable outside of functions for which `is_chosen` becomes an array or a structure of one part.
// Returns the structures or arrays by variable.
std::map<std::string, std::string> wrap_variables(ModuleText& module, std::string_view opcode,
                                                  const std::function<bool(const std::string&)>& is_chosen) {
  std::map<std::string, std::string> wrapped;
  std::vector<std::string> variables;
  for (const AssemblyLine& line : module.lines) {
    if (line.opcode == "OpVariable" && line.operands.size() == 2 && line.operands[1] != "Function" &&
        is_chosen(line.id))
      variables.push_back(line.id);
  }
  std::string zero, one;
  for (const std::string& variable : variables) {
    const std::size_t at = *module.index_of_id(variable);
    const std::string pointer = module.lines[at].operands[0];
    const AssemblyLine* type = module.find(pointer);
    if (type == nullptr || type->opcode != "OpTypePointer") continue;
    Lines lines;
    if (zero.empty()) {
      // A 32-bit integer type above the variable, or a new one.
      const auto end = module.lines.begin() + static_cast<std::ptrdiff_t>(at);
      const auto integer = std::find_if(module.lines.begin(), end, [](const AssemblyLine& line) {
        return line.opcode == "OpTypeInt" && line.operands == Operands{"32", "0"};
      });
      std::string integer_id = integer == end ? module.new_id("uint") : integer->id;
      if (integer == end) {
        if (module.has("OpTypeInt")) continue;  // perhaps the same type, below
        lines.push_back({integer_id, "OpTypeInt", {"32", "0"}});
      }
      zero = module.new_id("zero");
      one = module.new_id("one");
      lines.push_back({zero, "OpConstant", {integer_id, "0"}});
      lines.push_back({one, "OpConstant", {integer_id, "1"}});
    }
    const std::string whole = module.new_id("whole"), whole_pointer = module.new_id("pointer");
    AssemblyLine declaration{whole, std::string(opcode), {type->operands[1]}};
    if (opcode == "OpTypeArray") declaration.operands.push_back(one);
    lines.push_back(std::move(declaration));
    lines.push_back({whole_pointer, "OpTypePointer", {type->operands[0], whole}});
    module.lines[at].operands[0] = whole_pointer;
    module.lines.insert(module.lines.begin() + static_cast<std::ptrdiff_t>(at), lines.begin(), lines.end());
    use_first_part(module, variable, pointer, zero);
    wrapped[variable] = whole;
  }
  return wrapped;
}

bool wrap_all(ModuleText& module, std::string_view opcode) {
  return !wrap_variables(module, opcode, [](const std::string&) { return true; }).empty();
}

// Built-in variables become members of blocks.
bool make_blocks(ModuleText& module) {
  std::map<std::string, AssemblyLine> decorations;
  for (const AssemblyLine& line : module.lines) {
    if (line.opcode == "OpDecorate" && line.operands[1] == "BuiltIn") decorations[line.operands[0]] = line;
  }
  const auto wrapped = wrap_variables(module, "OpTypeStruct",
                                      [&](const std::string& variable) { return decorations.contains(variable); });
  for (const auto& [variable, structure] : wrapped) {
    const auto line = std::ranges::find(module.lines, decorations[variable]);
    line->opcode = "OpMemberDecorate";
    line->operands[0] = structure;
    line->operands.insert(line->operands.begin() + 1, "0");
    const AssemblyLine block{"", "OpDecorate", {structure, "Block"}};
    module.lines.insert(line, block);
  }
  return !wrapped.empty();
}

// Variables in storage classes of memory, and their access chains, become untyped.
bool untype(ModuleText& module) {
  std::map<std::string, std::string> pointers, pointees;  // untyped pointers by class, data types by variable
  Lines lines;
  for (AssemblyLine line : module.lines) {
    const AssemblyLine* type = line.operands.empty() ? nullptr : module.find(line.operands[0]);
    const bool is_typed = type != nullptr && type->opcode == "OpTypePointer";
    if (line.opcode == "OpVariable" && line.operands.size() == 2 && is_typed &&
        is_one_of(line.operands[1], {"StorageBuffer", "Uniform", "PushConstant", "Workgroup", "CrossWorkgroup"})) {
      const std::string storage = line.operands[1];
      if (!pointers.contains(storage)) {
        pointers[storage] = module.new_id("untyped");
        lines.push_back({pointers[storage], "OpTypeUntypedPointerKHR", {storage}});
      }
      pointees[line.id] = type->operands[1];
      line = {line.id, "OpUntypedVariableKHR", {pointers[storage], storage, type->operands[1]}};
    } else if (is_one_of(line.opcode, {"OpAccessChain", "OpInBoundsAccessChain"}) && is_typed &&
               pointees.contains(line.operands[1])) {
      line.opcode = "OpUntyped" + line.opcode.substr(2) + "KHR";
      line.operands[0] = pointers[type->operands[0]];
      line.operands.insert(line.operands.begin() + 1, pointees[line.operands[1]]);
    }
    lines.push_back(std::move(line));
  }
  if (pointees.empty()) return false;
  module.lines = std::move(lines);
  module.add_capability("UntypedPointersKHR");
  module.add_extension("SPV_KHR_untyped_pointers");
  if (pointers.contains("Workgroup")) {
    module.add_capability("WorkgroupMemoryExplicitLayoutKHR");
    module.add_extension("SPV_KHR_workgroup_memory_explicit_layout");
  }
  return true;
}

// All variables outside of functions move from their one storage class to another.
bool change_storage(ModuleText& module, const std::string& storage) {
  std::set<std::string> found;
  for (const AssemblyLine& line : module.lines) {
    if (line.opcode == "OpVariable" && line.operands[1] != "Function") found.insert(line.operands[1]);
  }
  if (found.size() != 1 || *found.begin() == storage) return false;
  for (AssemblyLine& line : module.lines) {
    if (is_one_of(line.opcode, {"OpVariable", "OpTypePointer", "OpTypeForwardPointer"}))
      std::ranges::replace(line.operands, *found.begin(), storage);
  }
  return true;
}

// --- variants of instructions ---------------------------------------------------------------------------------------

// "OpImageFetch" becomes "OpImageSparseFetch", whose result is a structure with the texel.
bool make_sparse(ModuleText& module) {
  constexpr std::string_view prefix = "OpImage";
  Lines lines;
  std::map<std::string, std::string> structures;  // by result type
  std::string integer;                            // the type of the residency code
  for (AssemblyLine line : module.lines) {
    const bool has_variant = (line.opcode.starts_with("OpImageSample") && !line.opcode.ends_with("QCOM")) ||
                             line.opcode.ends_with("Gather") || is_one_of(line.opcode, {"OpImageFetch", "OpImageRead"});
    if (!has_variant || line.opcode.starts_with("OpImageSparse")) {
      lines.push_back(std::move(line));
      continue;
    }
    if (integer.empty()) {
      const AssemblyLine* declared = module.find_type("OpTypeInt", {"32", "0"});
      integer = declared != nullptr ? declared->id : module.new_id("code");
      if (declared == nullptr)
        lines.insert(std::ranges::find(lines, "OpFunction", &AssemblyLine::opcode),
                     {integer, "OpTypeInt", {"32", "0"}});
    }
    const std::string type = line.operands[0], pair = module.new_id("sparse"), id = line.id;
    if (!structures.contains(type)) {
      structures[type] = module.new_id("texel");
      const auto function = std::ranges::find(lines, "OpFunction", &AssemblyLine::opcode);
      lines.insert(function, {structures[type], "OpTypeStruct", {integer, type}});
    }
    line.opcode.insert(prefix.size(), "Sparse");
    line.operands[0] = structures[type];
    line.id = pair;
    lines.push_back(std::move(line));
    lines.push_back({id, "OpCompositeExtract", {type, pair, "1"}});
  }
  if (structures.empty()) return false;
  module.lines = std::move(lines);
  module.add_capability("SparseResidency");
  return true;
}

bool split_barriers(ModuleText& module) {
  if (!replace_opcodes(module, {{"OpControlBarrier", "OpControlBarrierArriveEXT"}})) return false;
  module.add_capability("SplitBarrierEXT");
  module.add_extension("SPV_EXT_split_barrier");
  return true;
}

bool use_amd_groups(ModuleText& module) {
  if (!replace_opcodes(module, {{"OpGroupIAdd", "OpGroupIAddNonUniformAMD"},
                                {"OpGroupFAdd", "OpGroupFAddNonUniformAMD"},
                                {"OpGroupFMin", "OpGroupFMinNonUniformAMD"},
                                {"OpGroupUMin", "OpGroupUMinNonUniformAMD"},
                                {"OpGroupSMin", "OpGroupSMinNonUniformAMD"},
                                {"OpGroupFMax", "OpGroupFMaxNonUniformAMD"},
                                {"OpGroupUMax", "OpGroupUMaxNonUniformAMD"},
                                {"OpGroupSMax", "OpGroupSMaxNonUniformAMD"}})) {
    return false;
  }
  module.add_extension("SPV_AMD_shader_ballot");
  return true;
}

bool use_khr_groups(ModuleText& module) {
  if (!replace_opcodes(module, {{"OpGroupIAdd", "OpGroupIMulKHR"}, {"OpGroupFAdd", "OpGroupFMulKHR"}})) return false;
  module.add_capability("GroupUniformArithmeticKHR");
  module.add_extension("SPV_KHR_uniform_group_instructions");
  return true;
}

// Hit objects of SPV_NV_shader_invocation_reorder become those of SPV_EXT_shader_invocation_reorder.
bool use_ext_hit_objects(ModuleText& module) {
  const auto rename = [](std::string& word) {
    if (word == "\"SPV_NV_shader_invocation_reorder\"") word = "\"SPV_EXT_shader_invocation_reorder\"";
    const bool is_named = word.find("HitObject") != std::string::npos ||
                          word.find("ReorderThread") != std::string::npos || word == "ShaderInvocationReorderNV";
    if (is_named && word.front() != '%' && word.ends_with("NV")) word.replace(word.size() - 2, 2, "EXT");
  };
  const std::string before = module.text();
  for (AssemblyLine& line : module.lines) {
    rename(line.opcode);
    std::ranges::for_each(line.operands, rename);
  }
  return module.text() != before;
}

// Instructions of GLSL.std.450 that return the other operand if one is not a number.
bool use_number_variants(ModuleText& module) {
  bool is_changed = false;
  for (AssemblyLine& line : module.lines) {
    if (line.opcode != "OpExtInst" || line.operands.size() < 3) continue;
    std::string& name = line.operands[2];
    if (!is_one_of(name, {"FMin", "FMax", "FClamp"})) continue;
    name.front() = 'N';
    is_changed = true;
  }
  return is_changed;
}

bool compare_unordered(ModuleText& module) {
  bool is_changed = false;
  for (AssemblyLine& line : module.lines) {
    if (!line.opcode.starts_with("OpFOrd")) continue;
    line.opcode = "OpFUnord" + line.opcode.substr(6);
    is_changed = true;
  }
  return is_changed;
}

// The result of each load is copied, and the copy is used in its place.
bool copy_loads(ModuleText& module) {
  Lines lines;
  std::map<std::string, std::string> copies;
  for (AssemblyLine line : module.lines) {
    for (std::string& operand : line.operands) {
      if (const auto copy = copies.find(operand); copy != copies.end()) operand = copy->second;
    }
    const bool is_load = line.opcode == "OpLoad";
    const std::string type = is_load ? line.operands[0] : "", value = line.id;
    lines.push_back(std::move(line));
    if (is_load) {
      copies[value] = module.new_id("copy");
      lines.push_back({copies[value], "OpCopyObject", {type, value}});
    }
  }
  if (copies.empty()) return false;
  module.lines = std::move(lines);
  return true;
}

// --- functions and entry points -------------------------------------------------------------------------------------

// The body of the first entry point moves to a function that it calls.
bool call_body(ModuleText& module) {
  const auto entry = module.index_of("OpEntryPoint");
  if (!entry) return false;
  const std::string main = module.lines[*entry].operands[1];
  const auto at = module.index_of_id(main);
  if (!at || module.lines[*at].opcode != "OpFunction" || *at + 1 >= module.lines.size() ||
      module.lines[*at + 1].opcode == "OpFunctionParameter") {
    return false;
  }
  const std::string called = module.new_id("called");
  const std::vector<std::string> operands = module.lines[*at].operands;
  module.lines[*at].id = called;
  module.lines.push_back({main, "OpFunction", operands});
  module.lines.push_back({module.new_id("label"), "OpLabel", {}});
  module.lines.push_back({module.new_id("result"), "OpFunctionCall", {operands[0], called}});
  module.lines.push_back({"", "OpReturn", {}});
  module.lines.push_back({"", "OpFunctionEnd", {}});
  return true;
}

struct Model {
  std::string name, capability, extension;
  std::vector<std::vector<std::string>> modes;
};
const Model models[] = {
    {"Vertex", "Shader", "", {}},
    {"TessellationControl", "Tessellation", "", {{"OutputVertices", "1"}}},
    {"TessellationEvaluation", "Tessellation", "", {{"Triangles"}}},
    {"Geometry", "Geometry", "", {{"InputPoints"}, {"OutputPoints"}, {"OutputVertices", "1"}, {"Invocations", "1"}}},
    {"Fragment", "Shader", "", {{"OriginUpperLeft"}}},
    {"GLCompute", "Shader", "", {{"LocalSize", "1", "1", "1"}}},
    {"TaskEXT", "MeshShadingEXT", "SPV_EXT_mesh_shader", {{"LocalSize", "1", "1", "1"}}},
    {"MeshEXT",
     "MeshShadingEXT",
     "SPV_EXT_mesh_shader",
     {{"OutputVertices", "1"}, {"OutputPrimitivesEXT", "1"}, {"OutputPoints"}, {"LocalSize", "1", "1", "1"}}},
    {"RayGenerationKHR", "RayTracingKHR", "SPV_KHR_ray_tracing", {}},
    {"IntersectionKHR", "RayTracingKHR", "SPV_KHR_ray_tracing", {}},
    {"AnyHitKHR", "RayTracingKHR", "SPV_KHR_ray_tracing", {}},
    {"ClosestHitKHR", "RayTracingKHR", "SPV_KHR_ray_tracing", {}},
    {"MissKHR", "RayTracingKHR", "SPV_KHR_ray_tracing", {}},
    {"CallableKHR", "RayTracingKHR", "SPV_KHR_ray_tracing", {}},
};

// The only entry point, of a shader, gets another execution model with the modes that it needs.
bool change_model(ModuleText& module, const Model& model) {
  const auto count = std::ranges::count(module.lines, "OpEntryPoint", &AssemblyLine::opcode);
  if (count != 1 || std::ranges::find(module.lines, AssemblyLine{"", "OpCapability", {"Kernel"}}) != module.lines.end())
    return false;
  const std::size_t entry = *module.index_of("OpEntryPoint");
  if (module.lines[entry].operands[0] == model.name) return false;
  // Other modes would be lost.
  for (const AssemblyLine& line : module.lines) {
    if (!line.opcode.starts_with("OpExecutionMode")) continue;
    if (!is_one_of(line.operands[1], {"LocalSize", "OriginUpperLeft", "OutputVertices", "Triangles", "InputPoints",
                                      "OutputPoints", "Invocations", "OutputPrimitivesEXT"}))
      return false;
  }
  module.lines[entry].operands[0] = model.name;
  const std::string main = module.lines[entry].operands[1];
  std::erase_if(module.lines, [](const AssemblyLine& line) { return line.opcode == "OpExecutionMode"; });
  std::size_t at = *module.index_of("OpEntryPoint") + 1;
  for (std::vector<std::string> operands : model.modes) {
    operands.insert(operands.begin(), main);
    module.lines.insert(module.lines.begin() + static_cast<std::ptrdiff_t>(at++), {"", "OpExecutionMode", operands});
  }
  module.add_capability(model.capability);
  if (!model.extension.empty()) module.add_extension(model.extension);
  // A task shader that returns gets a warning.
  const auto function = std::ranges::find(module.lines, main, &AssemblyLine::id);
  for (auto line = function; line != module.lines.end() && line->opcode != "OpFunctionEnd"; ++line) {
    if (model.name == "TaskEXT" && line->opcode == "OpReturn") line->opcode = "OpUnreachable";
  }
  return true;
}

std::vector<Form> make_forms() {
  std::vector<Form> all = {
      {"spec-constant", "each constant is a specialization constant", specialize},
      {"null-constant", "each constant 0 is the result of OpConstantNull", nullify},
      {"computed-constant", "each 32-bit integer constant is the result of OpSpecConstantOp", compute},
      {"decoration-group", "OpGroupDecorate applies each decoration of an id",
       [](ModuleText& module) { return group_decorations(module, "OpDecorate", 1, "OpGroupDecorate"); }},
      {"member-group", "OpGroupMemberDecorate applies each decoration of a member",
       [](ModuleText& module) { return group_decorations(module, "OpMemberDecorate", 2, "OpGroupMemberDecorate"); }},
      {"array", "each variable is an array of one element",
       [](ModuleText& module) { return wrap_all(module, "OpTypeArray"); }},
      {"structure", "each variable is a structure of one member",
       [](ModuleText& module) { return wrap_all(module, "OpTypeStruct"); }},
      {"built-in-block", "each built-in variable is a block with a built-in member", make_blocks},
      {"in-bounds", "each OpAccessChain is OpInBoundsAccessChain",
       [](ModuleText& module) {
         return replace_opcodes(module, {{"OpAccessChain", "OpInBoundsAccessChain"}});
       }},
      {"untyped", "variables of memory and their access chains are untyped", untype},
      {"sparse", "each access to an image also returns its residency", make_sparse},
      {"split-barrier", "each OpControlBarrier is OpControlBarrierArriveEXT", split_barriers},
      {"amd-group", "each group operation is that of SPV_AMD_shader_ballot", use_amd_groups},
      {"khr-group", "each group operation is that of SPV_KHR_uniform_group_instructions", use_khr_groups},
      {"ext-hit-object", "hit objects are those of SPV_EXT_shader_invocation_reorder", use_ext_hit_objects},
      {"number-variant", "minima, maxima and clamps are those that prefer numbers", use_number_variants},
      {"unordered", "each ordered comparison of floats is unordered", compare_unordered},
      {"copied", "OpCopyObject copies the result of each OpLoad", copy_loads},
      {"called", "the body of the entry point is in a function that it calls", call_body},
  };
  for (const Model& model : models) {
    all.push_back({"model-" + model.name, "the entry point has execution model " + model.name,
                   [&model](ModuleText& module) { return change_model(module, model); }});
  }
  for (const std::string storage :
       {"UniformConstant", "Input", "Uniform", "Output", "Workgroup", "CrossWorkgroup", "Private", "PushConstant",
        "AtomicCounter", "Image", "StorageBuffer", "CallableDataKHR", "RayPayloadKHR", "HitAttributeKHR",
        "ShaderRecordBufferKHR", "PhysicalStorageBuffer", "TaskPayloadWorkgroupEXT"}) {
    all.push_back({"storage-" + storage, "the variables are in storage class " + storage,
                   [storage](ModuleText& module) { return change_storage(module, storage); }});
  }
  return all;
}

}  // namespace

std::span<const Form> forms() {
  static const std::vector<Form> all = make_forms();
  return all;
}

}  // namespace vireo::spirv::test
