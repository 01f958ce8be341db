// SPDX-License-Identifier: Apache-2.0
//
// Writes the modules as texts (module_sets.h).
//
// All functions take and return a value of one type, so that any may call any of its type. Functions call
// only those with lower numbers, as recursion is not permitted.
#include "spirv/transform/link/module_sets.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <random>
#include <string>

#include "spirv/module/assembled.h"

namespace vireo::spirv::test {
namespace {

struct TypeRow {
  std::string_view name;         // of its id
  std::string_view declaration;  // after the types that it needs
};
constexpr TypeRow type_rows[] = {
    {"u32", "%u32 = OpTypeInt 32 0"},
    {"f32", "%f32 = OpTypeFloat 32"},
    {"pair", "%pair = OpTypeStruct %u32 %f32"},
    {"node",
     "OpTypeForwardPointer %next CrossWorkgroup\n%node = OpTypeStruct %u32 %next\n"
     "%next = OpTypePointer CrossWorkgroup %node"},
    {"ptr", "%ptr = OpTypePointer CrossWorkgroup %u32"},
};
constexpr std::string_view signatures[] = {"u32", "f32", "pair", "next", "ptr"};

class ModuleSet {
 public:
  ModuleSet(std::uint32_t seed, std::size_t count) : random_(seed), texts_(count), is_new_(seed % 2 == 0) {
    const std::size_t functions = 2 + random_() % 12;
    for (std::size_t i = 0; i < functions; ++i) {
      functions_.push_back({signatures[random_() % std::size(signatures)], random_() % count, random_() % 4 == 0});
    }
    variables_ = 1 + random_() % 3;
  }

  std::vector<WordBuffer> run() {
    std::vector<WordBuffer> modules;
    for (std::size_t m = 0; m < texts_.size(); ++m) modules.push_back(assembled(text_of(m)));
    return modules;
  }

 private:
  struct FunctionPlan {
    std::string_view type;
    std::size_t owner = 0;
    bool is_once = false;  // LinkOnceODR: every module that calls it has it
  };

  // What module m needs: the functions that it defines, and those that they call.
  std::string text_of(std::size_t m) {
    decorations_.clear();
    names_.clear();
    declarations_.clear();
    definitions_.clear();
    std::vector<bool> is_called(functions_.size()), is_defined(functions_.size());
    for (std::size_t i = functions_.size(); i-- > 0;) {
      const FunctionPlan& plan = functions_[i];
      is_defined[i] = plan.is_once ? is_called[i] || plan.owner == m : plan.owner == m;
      if (is_defined[i]) define(i, is_called);
    }
    std::string entry_points, kernels;
    if (m == 0) {
      entry_points = "OpEntryPoint Kernel %kernel \"kernel\"";
      // From version 1.4 on; linking adds those of other modules.
      for (std::size_t v = 0; is_new_ && v < variables_; ++v) entry_points += fmt::format(" %var{}", v);
      entry_points += is_new_ ? " %own\n" : "\n";
      kernels = "%kernel = OpFunction %void None %fn_void\n%kernel_label = OpLabel\n";
      for (std::size_t i = 0; i < functions_.size(); ++i) {
        if (functions_[i].type != "u32") continue;
        is_called[i] = true;
        kernels += fmt::format("%k{0} = OpFunctionCall %u32 %f{0} %five\n", i);
      }
      kernels += "OpReturn\nOpFunctionEnd\n";
    }
    for (std::size_t i = 0; i < functions_.size(); ++i) {
      if (is_called[i] && !is_defined[i] && functions_[i].is_once) define(i, is_called);
      else if (is_called[i] && !is_defined[i]) declare(i);
    }
    return std::string(is_new_ ? "; Version: 1.6\n" : "; Version: 1.2\n") +
           "OpCapability Addresses\nOpCapability Linkage\nOpCapability Kernel\n"
           "OpExtension \"SPV_KHR_linkonce_odr\"\n%set = OpExtInstImport \"OpenCL.std\"\n"
           "OpMemoryModel Physical64 OpenCL\n" +
           entry_points + names_ + "OpName %pair \"pair\"\nOpName %node \"node\"\n" + decorations_ +
           variable_decorations(m) + "OpDecorate %packed CPacked\n" + types() + variables(m) + declarations_ +
           definitions_ + kernels;
  }

  std::string types() {
    std::string text = "%void = OpTypeVoid\n";
    // Scalars first, then the others in any order.
    std::array<std::size_t, 5> order = {0, 1, 2, 3, 4};
    std::shuffle(order.begin(), order.begin() + 2, random_);
    std::shuffle(order.begin() + 2, order.end(), random_);
    for (const std::size_t i : order) text += std::string(type_rows[i].declaration) + '\n';
    text += "%packed = OpTypeStruct %u32 %f32\n%packed_ptr = OpTypePointer CrossWorkgroup %packed\n";
    std::array<std::string_view, std::size(signatures)> types;
    std::ranges::copy(signatures, types.begin());
    std::ranges::shuffle(types, random_);
    text += "%fn_void = OpTypeFunction %void\n";
    for (const std::string_view type : types) text += fmt::format("%fn_{0} = OpTypeFunction %{0} %{0}\n", type);
    return text + "%five = OpConstant %u32 5\n%half = OpConstant %f32 0.5\n%null = OpConstantNull %pair\n";
  }

  std::string variable_decorations(std::size_t m) const {
    std::string text;
    for (std::size_t v = 0; v < variables_; ++v) {
      text += fmt::format("OpDecorate %var{0} LinkageAttributes \"var{0}\" {1}\n", v,
                          v % texts_.size() == m ? "Export" : "Import");
    }
    return text;
  }
  std::string variables(std::size_t m) const {
    std::string text;
    for (std::size_t v = 0; v < variables_; ++v) {
      text += fmt::format("%var{} = OpVariable %ptr CrossWorkgroup{}\n", v, v % texts_.size() == m ? " %five" : "");
    }
    return text + "%own = OpVariable %ptr CrossWorkgroup %five\n";
  }

  void declare(std::size_t i) {
    decorations_ += fmt::format("OpDecorate %f{0} LinkageAttributes \"f{0}\" Import\n", i);
    declarations_ += fmt::format(
        "%f{0} = OpFunction %{1} None %fn_{1}\n%p{0} = OpFunctionParameter %{1}\n"
        "OpFunctionEnd\n",
        i, functions_[i].type);
  }

  // The calls depend on the number only, so that all definitions of a function are equal.
  void define(std::size_t i, std::vector<bool>& is_called) {
    const FunctionPlan& plan = functions_[i];
    decorations_ +=
        fmt::format("OpDecorate %f{0} LinkageAttributes \"f{0}\" {1}\n", i, plan.is_once ? "LinkOnceODR" : "Export");
    names_ += fmt::format("OpName %f{0} \"f{0}\"\nOpName %p{0} \"argument\"\n", i);
    std::string text = fmt::format(
        "%f{0} = OpFunction %{1} None %fn_{1}\n%p{0} = OpFunctionParameter %{1}\n"
        "%l{0} = OpLabel\n",
        i, plan.type);
    std::string value = fmt::format("%p{}", i);
    for (std::size_t j = 0; j < i; ++j) {
      if (functions_[j].type != plan.type || (i + j) % 3 == 0) continue;
      const std::string result = fmt::format("%c{}_{}", i, j);
      text += fmt::format("{} = OpFunctionCall %{} %f{} {}\n", result, plan.type, j, value);
      is_called[j] = true;
      value = result;
    }
    if (plan.type == "u32") {
      text += fmt::format("%v{0} = OpLoad %u32 %var{1}\n%s{0} = OpIAdd %u32 {2} %v{0}\n", i, i % variables_, value);
      value = fmt::format("%s{}", i);
      // A variable of the module alone.
      if (!plan.is_once) text += fmt::format("%w{0} = OpLoad %u32 %own\n%x{0} = OpIAdd %u32 {1} %w{0}\n", i, value);
      if (!plan.is_once) value = fmt::format("%x{}", i);
    }
    definitions_ += text + fmt::format("OpReturnValue {}\nOpFunctionEnd\n", value);
  }

  std::mt19937 random_;
  std::vector<std::string> texts_;
  const bool is_new_;
  std::vector<FunctionPlan> functions_;
  std::size_t variables_ = 0;
  std::string names_, decorations_, declarations_, definitions_;
};

}  // namespace

std::vector<WordBuffer> module_set(std::uint32_t seed, std::size_t count) { return ModuleSet(seed, count).run(); }

}  // namespace vireo::spirv::test
