// SPDX-License-Identifier: Apache-2.0
//
// Generates the methods of the builder from grammar rows (emit_builder.h).
#include "spirv/grammar/emit/emit_builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>

#include "spirv/grammar/emit/cpp_names.h"
#include "spirv/grammar/emit/id_types.h"

namespace vireo::spirv {
namespace {

// --- parameters of methods -------------------------------------------------------------------------------------------

ParameterForm form_of(const OperandRow& row) {
  return row.quantifier == Quantifier::Star ? ParameterForm::List : ParameterForm::One;
}

/// A parameter of a method.
struct Parameter {
  std::string type;
  std::string name;
  std::string_view fallback;  // the default argument; empty = none
};

/// The names of parameters as arguments: "{a, b}".
std::string braced(const std::vector<Parameter>& parameters) {
  std::string names = "{";
  for (const Parameter& p : parameters) names.append(names.size() == 1 ? "" : ", ").append(p.name);
  return names.append("}");
}

class BuilderWriter {
 public:
  BuilderWriter(const Grammar& grammar, const GeneratedBanner& banner) : g_(grammar), banner_(banner) {}

  std::vector<GeneratedFile> run() {
    methods();
    enumerants_with();
    ext_insts();
    return std::move(files_);
  }

 private:
  [[nodiscard]] std::string_view text(StringRef s) const { return g_.text(s); }
  [[nodiscard]] std::string_view kind_name(const OperandRow& row) const { return text(g_.kind(row.kind).name); }
  [[nodiscard]] bool has_parameters(const KindRow& kind) const {
    return std::ranges::any_of(g_.enumerants_of(kind),
                               [](const EnumerantRow& row) { return row.parameters.count != 0; });
  }

  // --- types ---

  /// The C++ type of one operand. `owner` is the opcode; OpNop for a parameter of an enumerant.
  [[nodiscard]] std::string type_of(const OperandRow& row, Op owner, std::string_view name) const {
    switch (row.shape) {
      case OperandShape::IdResultType: return "TypeId";
      case OperandShape::IdScope:
      case OperandShape::IdMemorySemantics: return "ValueId";
      case OperandShape::IdRef: return std::string(id_type_of(g_, owner, name));
      case OperandShape::LiteralInteger:
      case OperandShape::LiteralExtInstInteger: return "Word";
      case OperandShape::LiteralFloat: return "float";
      case OperandShape::LiteralString: return "std::string_view";
      case OperandShape::LiteralContextDependentNumber: return "Number";
      case OperandShape::LiteralSpecConstantOpInteger: return "Op";
      case OperandShape::ValueEnum:
      case OperandShape::BitEnum:
        return fmt::format("{}{}", kind_name(row), has_parameters(g_.kind(row.kind)) ? "With" : "");
      case OperandShape::Composite: return std::string(pair_type_of(kind_name(row)));
      case OperandShape::IdResult: break;
    }
    return "AnyId";
  }

  static std::string_view pair_type_of(std::string_view kind) {
    if (kind == "PairIdRefIdRef") return "PhiSource";
    if (kind == "PairLiteralIntegerIdRef") return "SwitchTarget";
    return "MemberTarget";
  }

  // --- methods ---

  [[nodiscard]] Parameter parameter_of(const OperandRow& row, const InstructionRow& owner, bool open_list) const {
    Parameter p;
    const std::string_view label = text(row.name);
    p.name = row.shape == OperandShape::IdResultType
                 ? "result_type"
                 : parameter_name(label.empty() ? kind_name(row) : label, form_of(row));
    const std::string type = open_list ? "OpenOperand" : type_of(row, owner.opcode, label);
    const bool is_with = type.ends_with("With");
    switch (row.quantifier) {
      case Quantifier::One: p.type = is_with ? fmt::format("const {}&", type) : type; break;
      case Quantifier::Optional:
        p.type = is_with ? fmt::format("const {}&", type) : fmt::format("std::optional<{}>", type);
        p.fallback = " = {}";
        break;
      case Quantifier::Star:
        p.type = fmt::format("List<{}>", type);
        p.fallback = " = {}";
        break;
    }
    return p;
  }

  void methods() {
    std::string header = banner_lines(banner_, "the builder's methods, one an instruction");
    header.append("// NOLINTBEGIN(readability-identifier-naming)\n");
    for (const InstructionRow& row : g_.instructions) method(row, header);
    header.append("// NOLINTEND(readability-identifier-naming)\n");
    files_.push_back({"include/vireo/spirv/build/builder_ops.inc", std::move(header)});
  }

  void method(const InstructionRow& row, std::string& header) const {
    const std::string_view name = text(row.name);
    const bool has_result = (row.flags & HasResult) != 0;
    const std::string_view result = has_result ? result_type_of(name, row.flags) : "void";
    std::vector<Parameter> parameters;
    bool is_open = false;  // the remaining operands belong to the extended instruction
    for (const OperandRow& operand : g_.operands(row.operands)) {
      if (operand.shape == OperandShape::IdResult) continue;  // the builder allocates the result id
      Parameter p = parameter_of(operand, row, is_open);
      number_if_taken(parameters, p);
      parameters.push_back(std::move(p));
      is_open = is_open || operand.shape == OperandShape::LiteralExtInstInteger;
      // The row does not list the operands of the inner opcode.
      if (operand.shape == OperandShape::LiteralSpecConstantOpInteger)
        parameters.push_back({"List<OpenOperand>", "operands", " = {}"});
    }
    // C++ requires a default for each parameter after the first default, so only trailing parameters keep theirs.
    std::size_t required = parameters.size();
    while (required > 0 && !parameters[required - 1].fallback.empty()) --required;
    std::string signature;
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      fmt::format_to(std::back_inserter(signature), "{}{} {}{}", i == 0 ? "" : ", ", parameters[i].type,
                     parameters[i].name, i >= required ? parameters[i].fallback : std::string_view{});
    }
    fmt::format_to(std::back_inserter(header), "{} {}({}) {{ {}(Op::{}, {}); }}\n", result, name, signature,
                   has_result ? fmt::format("return call<{}>", result) : "call<AnyId>", name, braced(parameters));
  }

  // If two operands have the same name ("Memory Access" of OpCopyMemory), the second gets the suffix 2.
  static void number_if_taken(const std::vector<Parameter>& taken, Parameter& p) {
    const auto is_taken = [&](const std::string& name) {
      return std::ranges::any_of(taken, [&](const Parameter& other) { return other.name == name; });
    };
    if (!is_taken(p.name)) return;
    std::size_t number = 2;
    while (is_taken(fmt::format("{}_{}", p.name, number))) ++number;
    p.name = fmt::format("{}_{}", p.name, number);
  }

  // --- enumerants with parameters ---

  void enumerants_with() {
    std::string header = banner_lines(banner_, "enumerants with their parameters");
    header.append(with_essay).append(with_includes);
    for (const KindRow& kind : g_.kinds) {
      if (!kind.set.is_none() || !has_parameters(kind)) continue;
      if (kind.category == Category::BitEnum) mask_with(kind, header);
      if (kind.category == Category::ValueEnum) value_with(kind, header);
    }
    header.append("// NOLINTEND(readability-identifier-naming)\n\n}  // namespace vireo::spirv\n");
    files_.push_back({"include/vireo/spirv/build/enumerants_with.h", std::move(header)});
  }

  void mask_with(const KindRow& kind, std::string& header) const {
    const std::string_view name = text(kind.name);
    const auto out = std::back_inserter(header);
    std::string takes;
    std::uint32_t needing = 0;
    fmt::format_to(out,
                   "\n/// The bits of {0} without parameters, and each of the others by its parameter.\n"
                   "struct {0}With {{\n  {0} mask{{}};\n",
                   name);
    for (const EnumerantRow& row : g_.enumerants_of(kind)) {
      if (row.parameters.count == 0) continue;
      const auto operands = g_.operands(row.parameters);
      const std::string bit = cpp_identifier(name, text(row.name));
      const std::string_view label = text(operands[0].name);
      std::string type = type_of(operands[0], Op::OpNop, label.empty() ? text(row.name) : label);
      // If a bit has several parameters, they have the same kind (Grad).
      if (operands.size() > 1) type = fmt::format("std::array<{}, {}>", type, operands.size());
      fmt::format_to(out, "  std::optional<{}> {} = {{}};\n", type, bit);
      fmt::format_to(std::back_inserter(takes), "    if ({0}) take({1:#x}, *{0});\n", bit, row.value);
      needing |= row.value;
    }
    fmt::format_to(out,
                   "\n  static constexpr Word bits_with_parameters = {:#x};\n"
                   "  /// Calls take(bit, parameter) for each parameter that is there, from the lowest bit up.\n"
                   "  template <typename Take>\n  void for_each_parameter(Take take) const {{\n{}  }}\n}};\n",
                   needing, takes);
  }

  void value_with(const KindRow& kind, std::string& header) const {
    const std::string name(text(kind.name));
    std::string cases;
    for (const EnumerantRow& row : g_.enumerants_of(kind)) {
      if (row.parameters.count == 0) continue;
      fmt::format_to(std::back_inserter(cases), "    case {}::{}:\n", name, cpp_identifier(name, text(row.name)));
    }
    // A switch must not contain a value twice, so aliases are not listed.
    fmt::format_to(std::back_inserter(header),
                   "\n/// Whether an enumerant of {0} must have parameters.\n"
                   "constexpr bool takes_parameters({0} enumerant) {{\n  switch (enumerant) {{\n{1}      return true;\n"
                   "    default: return false;\n  }}\n}}\n"
                   "\n/// {0} and its parameters. One without parameters is made of the enumerant itself, which must "
                   "be a constant.\n"
                   "struct {0}With : EnumerantWith<spirv::{0}> {{\n"
                   "  VIREO_ENUMERANT_WITHOUT_PARAMETERS({0}With, spirv::{0})\n"
                   "  /// Of an enumerant that run time chooses: what it takes is checked when it is used.\n"
                   "  {0}With(spirv::{0} of, std::initializer_list<OperandArgument> parameters_)\n"
                   "      : EnumerantWith{{of, kept_parameters(parameters_)}} {{}}\n",
                   name, cases);
    for (const EnumerantRow& row : g_.enumerants_of(kind)) {
      if (row.parameters.count == 0) continue;
      std::vector<Parameter> parameters;
      for (const OperandRow& operand : g_.operands(row.parameters)) {
        const std::string_view label = text(operand.name);
        Parameter p;
        p.name = parameter_name(label.empty() ? kind_name(operand) : label, form_of(operand));
        std::string type = type_of(operand, Op::OpNop, label);
        // The type needs its namespace: a static function of the same name may be in scope (DecorationWith::BuiltIn).
        const bool is_enum = operand.shape == OperandShape::ValueEnum || operand.shape == OperandShape::BitEnum;
        p.type = is_enum ? fmt::format("spirv::{}", type) : type;
        number_if_taken(parameters, p);
        parameters.push_back(std::move(p));
      }
      std::string signature;
      for (const Parameter& p : parameters) {
        fmt::format_to(std::back_inserter(signature), "{}{} {}", signature.empty() ? "" : ", ", p.type, p.name);
      }
      const std::string enumerant = cpp_identifier(name, text(row.name));
      fmt::format_to(std::back_inserter(header), "  static {0}With {1}({2}) {{ return {{spirv::{0}::{1}, {3}}}; }}\n",
                     name, enumerant, signature, braced(parameters));
    }
    header.append("};\n");
  }

  // --- extended instructions ---

  void ext_insts() {
    std::string header = banner_lines(banner_, "the instructions of extended sets");
    header.append(ext_head);
    const auto out = std::back_inserter(header);
    for (const ExtInstSetRow& set : g_.sets) {
      const std::string name = ext_set_identifier(text(set.name));
      fmt::format_to(out, "\nenum class {} : std::uint32_t {{\n", name);
      for (const ExtInstRow& row : g_.instructions_of(set)) {
        fmt::format_to(out, "  {} = {},\n", cpp_identifier(name, text(row.name)), row.number);
      }
      fmt::format_to(out,
                     "}};\ntemplate <>\ninline constexpr bool is_ext_inst_enum<{0}> = true;\n"
                     "constexpr std::string_view import_name({0}) {{ return \"{1}\"; }}\n",
                     name, text(set.name));
    }
    header.append("// NOLINTEND(readability-identifier-naming)\n\n}  // namespace vireo::spirv\n");
    files_.push_back({"include/vireo/spirv/grammar/ext_insts.h", std::move(header)});
  }

  // A separate string: in the raw string below, these lines would look like includes of this file.
  static constexpr std::string_view with_includes =
      "#include <array>\n#include <initializer_list>\n#include <optional>\n#include <string_view>\n\n"
      "#include \"vireo/spirv/grammar/enums.h\"\n#include \"vireo/spirv/build/operand_argument.h\"\n"
      "#include \"vireo/spirv/binary/operand_values.h\"\n\n"
      "namespace vireo::spirv {\n\n"
      "// Names are the grammar's, not ours.\n// NOLINTBEGIN(readability-identifier-naming)\n";

  static constexpr std::string_view with_essay = R"(//
// A parameter cannot be forgotten, or be of another kind. An enumerant that takes parameters is made by a
// function that asks for them: DecorationWith::Location(0). A mask is a struct, in which each bit that takes a parameter
// is an optional of it: {.mask = MemoryAccess::Volatile, .Aligned = 16}.
#pragma once

)";

  static constexpr std::string_view ext_head = R"(//
// One enum class a set, named as the set is imported, with underscores: GLSL_std_450::Sqrt. The name that
// OpExtInstImport takes is import_name(); one that ends with a dot is followed by a version.
#pragma once

#include <cstdint>
#include <string_view>

#include "vireo/support/cpp20.h"

namespace vireo::spirv {

/// True for the enumerations of this header.
template <typename Enum>
inline constexpr bool is_ext_inst_enum = false;

// Names are the sets', not ours.
// NOLINTBEGIN(readability-identifier-naming)
)";

  const Grammar& g_;
  const GeneratedBanner& banner_;
  std::vector<GeneratedFile> files_;
};

}  // namespace

std::vector<GeneratedFile> emit_builder(const Grammar& grammar, const GeneratedBanner& banner) {
  return BuilderWriter(grammar, banner).run();
}

}  // namespace vireo::spirv
