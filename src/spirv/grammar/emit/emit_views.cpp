// SPDX-License-Identifier: Apache-2.0
//
// Generates the typed views of instructions from grammar rows (emit_views.h).
//
// The word index of an operand is a constant, unless a string, or a mask or an enumerant with parameters,
// precedes it. In that case it is an expression over the view of the preceding operand.
#include "spirv/grammar/emit/emit_views.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "spirv/grammar/emit/cpp_names.h"
#include "spirv/grammar/emit/id_types.h"
#include "vireo/spirv/grammar/enums.h"

namespace vireo::spirv {
namespace {

/// The word index of an operand in C++: an expression, and a number to add to it.
struct WordPlace {
  std::string base = {};  // empty: the number alone
  std::size_t offset = 0;

  [[nodiscard]] std::string text() const {
    if (base.empty()) return std::to_string(offset);
    return offset == 0 ? base : fmt::format("{} + {}", base, offset);
  }
};

/// An operand's name, and its first word in an instruction.
struct NamedPlace {
  std::string name;
  std::size_t word;
};

/// A function of a view: its return type, the expression of its value, and the length of its operand.
struct Accessor {
  std::string type = {};
  std::string read = {};    // with "{}" for the word index
  std::string end = {};     // expression for the index after the operand, if its length varies
  bool reads_rest = false;  // takes the rest of the instruction
};

std::string id_kind(std::string_view id_type) {
  id_type.remove_suffix(2);  // "Id"
  return fmt::format("IdKind::{}", id_type);
}

std::string lower_identifier(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c >= 'A' && c <= 'Z') out.push_back(static_cast<char>(c - 'A' + 'a'));
    else if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) out.push_back(c);
    else if (!out.empty() && out.back() != '_') out.push_back('_');
  }
  while (out.ends_with('_')) out.pop_back();
  return out;
}

class ViewWriter {
 public:
  ViewWriter(const Grammar& grammar, const GeneratedBanner& banner) : g_(grammar), banner_(banner) {}

  std::vector<GeneratedFile> run() {
    enumerants();
    instructions();
    for (const ExtInstSetRow& set : g_.sets) extended(set);
    all();
    operand_names();
    files_.push_back({"test/system/view_places.inc", std::move(test_rows_)});
    return std::move(files_);
  }

 private:
  [[nodiscard]] std::string_view text(StringRef s) const { return g_.text(s); }
  [[nodiscard]] std::string_view kind_name(const OperandRow& row) const { return text(g_.kind(row.kind).name); }
  [[nodiscard]] bool has_parameters(const KindRow& kind) const {
    return kind.set.is_none() && std::ranges::any_of(g_.enumerants_of(kind),
                                                     [](const EnumerantRow& row) { return row.parameters.count != 0; });
  }

  // --- one operand ---

  // A list that extends to the end of the instruction.
  [[nodiscard]] Accessor list_of(const OperandRow& row, std::string_view id_type) const {
    if (row.shape == OperandShape::Composite) {
      const std::string_view kind = kind_name(row);
      if (kind == "PairIdRefIdRef") return rest_as("OperandList<PhiOperand, 2>");
      if (kind == "PairIdRefLiteralInteger") return rest_as("OperandList<MemberOperand, 2>");
      return rest_as("LiteralList");
    }
    const bool is_id = row.shape <= OperandShape::IdMemorySemantics;
    if (!is_id) return {.type = "LiteralList", .read = "read_literals({})", .reads_rest = true};
    const std::string kind = id_kind(id_type);
    return {
        .type = fmt::format("IdList<{}>", kind), .read = fmt::format("read_ids<{}>({{}})", kind), .reads_rest = true};
  }
  static Accessor rest_as(std::string_view type) {
    return {.type = std::string(type), .read = fmt::format("{}(rest({{0}}), place({{0}}))", type), .reads_rest = true};
  }

  static Accessor id_operand(std::string_view id_type) {
    const std::string kind = id_kind(id_type);
    return {.type = fmt::format("IdOperand<{}>", kind), .read = fmt::format("read_id<{}>({{}})", kind)};
  }

  [[nodiscard]] Accessor one_of(const OperandRow& row, std::string_view id_type) const {
    const auto literal = [](std::string_view type) {
      return Accessor{.type = fmt::format("Located<{}>", type), .read = fmt::format("read_literal<{}>({{}})", type)};
    };
    switch (row.shape) {
      case OperandShape::IdResultType: return id_operand("TypeId");
      case OperandShape::IdScope:
      case OperandShape::IdMemorySemantics: return id_operand("ValueId");
      case OperandShape::IdResult:
      case OperandShape::IdRef: return id_operand(id_type);
      case OperandShape::LiteralInteger:
      case OperandShape::LiteralExtInstInteger: return literal("Word");
      case OperandShape::LiteralFloat: return literal("float");
      case OperandShape::LiteralSpecConstantOpInteger: return literal("Op");
      case OperandShape::LiteralString:
        return {.type = "StringOperand", .read = "read_string({})", .end = "end_of_string({})"};
      case OperandShape::ValueEnum:
      case OperandShape::BitEnum: break;
      case OperandShape::LiteralContextDependentNumber:
      case OperandShape::Composite: return {.type = "LiteralList", .read = "read_literals({})", .reads_rest = true};
    }
    const KindRow& kind = g_.kind(row.kind);
    if (!kind.set.is_none()) return literal("Word");  // enums.h contains the kinds of the core only
    // The type needs its namespace: an operand may have the name of its kind.
    if (!has_parameters(kind)) return literal(fmt::format("spirv::{}", text(kind.name)));
    const std::string view = fmt::format("{}View", text(kind.name));
    used_kinds_.insert("binary/views/kinds/" + parameter_name(text(kind.name), ParameterForm::One) + ".h");
    return {
        .type = view, .read = fmt::format("{}(view_, {{}})", view), .end = fmt::format("{}(view_, {{}}).end()", view)};
  }

  // --- the functions of a view ---

  struct Members {
    WordPlace place = {};
    std::string text = {};
    std::vector<std::string> names = {};
    std::vector<NamedPlace> fixed = {};  // the operands with a constant place
  };

  void add(Members& members, std::string name, Accessor accessor, Quantifier quantifier) const {
    const std::string base = name;
    for (std::size_t number = 2; std::ranges::find(members.names, name) != members.names.end(); ++number)
      name = fmt::format("{}_{}", base, number);
    members.names.push_back(name);
    if (members.place.base.empty()) members.fixed.push_back({name, members.place.offset});
    const std::string place = members.place.text();
    std::string read = fmt::format(fmt::runtime(accessor.read), place);
    // A view of a mask or an enumerant has its own is_present().
    const bool is_optional =
        quantifier == Quantifier::Optional && !accessor.type.ends_with("View") && !accessor.reads_rest;
    if (is_optional) {
      read = fmt::format("if_present({}, {})", place, read);
      accessor.type = fmt::format("std::optional<{}>", accessor.type);
    }
    fmt::format_to(std::back_inserter(members.text), "  [[nodiscard]] {} {}() const {{ return {}; }}\n", accessor.type,
                   name, read);
    if (accessor.end.empty()) ++members.place.offset;
    else members.place = {fmt::format(fmt::runtime(accessor.end), place), 0};
  }

  void add_operands(Members& members, std::span<const OperandRow> rows, Op owner, std::string_view opcode,
                    bool is_extended) const {
    bool is_open = false;
    for (const OperandRow& row : rows) {
      const std::string_view label = text(row.name);
      const bool is_list = row.quantifier == Quantifier::Star;
      std::string name = row.shape == OperandShape::IdResultType ? "result_type"
                         : row.shape == OperandShape::IdResult
                             ? "result"
                             : parameter_name(label.empty() ? kind_name(row) : label,
                                              is_list ? ParameterForm::List : ParameterForm::One);
      std::string_view id_type = is_extended ? "AnyId" : id_type_of(g_, owner, label);
      if (row.shape == OperandShape::IdResult) id_type = result_type_of(opcode, flags_of(owner));
      if (owner == Op::OpSwitch && is_list) {
        members.text.append(switch_targets);
        members.names.push_back("targets(1)");
        continue;
      }
      add(members, name, is_list || is_open ? list_of(row, is_open ? "AnyId" : id_type) : one_of(row, id_type),
          row.quantifier);
      is_open = is_open || row.shape == OperandShape::LiteralExtInstInteger;
      if (row.shape == OperandShape::LiteralSpecConstantOpInteger)
        add(members, "operands", {.type = "LiteralList", .read = "read_literals({})", .reads_rest = true},
            Quantifier::Star);
    }
  }
  [[nodiscard]] std::uint8_t flags_of(Op opcode) const {
    const InstructionRow* row = g_.find_opcode(opcode);
    return row == nullptr ? std::uint8_t{0} : row->flags;
  }

  /// A view without its name: its base class, and the functions that the base lacks.
  struct InstructionMembers {
    std::string instruction;
    std::string_view base;
    std::string text;
  };

  static void add_class(std::string& out, std::string_view name, const InstructionMembers& members) {
    fmt::format_to(std::back_inserter(out),
                   "template <>\nclass {0} : public {1} {{\n public:\n  using {1}::{1};\n{2}}};\n", name, members.base,
                   members.text);
  }

  // The views of one header. Instructions with the same operands share a base class. The first of them names it, because
  // names made of the operands would need the types of the operands, too.
  static std::string views_of(const std::vector<InstructionMembers>& instructions) {
    std::map<std::pair<std::string_view, std::string_view>, std::vector<std::string_view>> groups;
    for (const InstructionMembers& one : instructions) groups[{one.base, one.text}].push_back(one.instruction);
    std::string out;
    for (const InstructionMembers& one : instructions) {
      const std::vector<std::string_view>& group = groups.at({one.base, one.text});
      const std::string_view first = group.front();
      const bool adds = !one.text.empty();
      if (adds && group.size() == 1) {
        fmt::format_to(std::back_inserter(out), "\n/// The operands of {}.\n", one.instruction);
        add_class(out, fmt::format("View<{}>", one.instruction), one);
        continue;
      }
      if (adds && one.instruction == first) {
        fmt::format_to(std::back_inserter(out), "\n/// The operands of {} instructions, of which {} is the first.\n",
                       group.size(), first);
        add_class(out, fmt::format("SharedOperands<{}>", first), one);
      }
      fmt::format_to(std::back_inserter(out),
                     "/// The operands of {0}.\ntemplate <> class View<{0}> : public {1}{2} {{ using {1}::{1}; }};\n",
                     one.instruction, adds ? "SharedOperands" : one.base,
                     adds ? fmt::format("<{}>", first) : std::string());
    }
    return out;
  }

  // --- headers ---

  // A header includes the views of the masks and enumerants that its own views return.
  void write(const std::string& name, std::string_view what, std::set<std::string> includes, std::string_view views) {
    includes.insert("binary/view.h");
    includes.merge(used_kinds_);
    used_kinds_.clear();
    includes.erase("binary/views/" + name);
    std::string header = banner_lines(banner_, what);
    header.append("#pragma once\n\n");
    for (const std::string& include : includes) header.append("#include \"vireo/spirv/").append(include).append("\"\n");
    header.append("\nnamespace vireo::spirv {\n\n// Names are the grammar's, not ours.\n")
        .append("// NOLINTBEGIN(readability-identifier-naming)\n")
        .append(views)
        .append("// NOLINTEND(readability-identifier-naming)\n\n}  // namespace vireo::spirv\n");
    names_.push_back(name);
    files_.push_back({"include/vireo/spirv/binary/views/" + name, std::move(header)});
  }

  void instructions() {
    std::map<std::string, std::vector<const InstructionRow*>> by_class;
    for (const InstructionRow& row : g_.instructions) {
      const std::string_view printing_class = text(g_.printing_classes[row.printing_class]);
      // The instructions of class "@exclude" are not in the specification, but in the vendors' extension documents.
      const std::string name = printing_class == "@exclude" ? "vendor" : lower_identifier(printing_class);
      by_class[name.empty() ? "other" : name].push_back(&row);
    }
    for (const auto& [name, rows] : by_class) {
      std::vector<InstructionMembers> views;
      for (const InstructionRow* row : rows) {
        Members members{.place = {"", 1}};
        add_operands(members, g_.operands(row->operands), row->opcode, text(row->name), false);
        const bool is_value = members.text.starts_with(members_of_values);
        if (is_value) members.text.erase(0, members_of_values.size());
        views.push_back({fmt::format("Op::{}", text(row->name)), is_value ? "ValueOperands" : "InstructionOperands",
                         std::move(members.text)});
        named_[row->opcode] = std::move(members.fixed);
        places_for_tests(row->opcode, text(row->name), members.names);
      }
      write(name + ".h", fmt::format("Typed views (view.h) of the instructions of class {}", name), {},
            views_of(views));
    }
  }

  void extended(const ExtInstSetRow& set) {
    const std::string name = ext_set_identifier(text(set.name));
    std::vector<InstructionMembers> views;
    for (const ExtInstRow& row : g_.instructions_of(set)) {
      // Word 4 is the number of the instruction. Words 1 to 3 are the operands of ExtendedOperands.
      Members members{.place = {"", 5}, .names = {"result_type", "result", "set"}};
      add_operands(members, g_.operands(row.operands), Op::OpNop, {}, true);
      views.push_back({fmt::format("{}::{}", name, cpp_identifier(name, text(row.name))), "ExtendedOperands",
                       std::move(members.text)});
    }
    write("sets/" + lower_identifier(name) + ".h",
          fmt::format("Typed views (view.h) of the instructions of {}", text(set.name)), {"grammar/ext_insts.h"},
          views_of(views));
  }

  void all() {
    std::string header = banner_lines(banner_, "All typed views (view.h)");
    header.append("#pragma once\n\n");
    for (const std::string& name : names_)
      header.append("#include \"vireo/spirv/binary/views/").append(name).append("\"\n");
    files_.push_back({"include/vireo/spirv/binary/views/all.h", std::move(header)});
  }

  // All accessors in the order of the operands, for a test that compares their places with those of the decoder.
  void places_for_tests(Op opcode, std::string_view name, const std::vector<std::string>& accessors) {
    if (test_rows_.empty()) test_rows_ = banner_lines(banner_, "All accessors of all typed views");
    std::string calls;
    for (const std::string& accessor : accessors) {
      calls.append(calls.empty() ? "" : ", ").append("place_of(view.").append(accessor);
      calls.append(accessor.ends_with(')') ? ")" : "())");
    }
    fmt::format_to(std::back_inserter(test_rows_),
                   "{{Op{{{}}}, [](InstructionView v) -> Places {{ [[maybe_unused]] const View<Op::{}> view(v); return "
                   "{{{}}}; }}}},\n",
                   static_cast<unsigned>(opcode), name, calls);
  }

  // --- operands by name ---

  void operand_names() {
    std::set<std::string> names;
    std::size_t count = 0;
    for (const auto& [opcode, places] : named_) {
      for (const NamedPlace& place : places) names.insert(place.name);
      count += places.size();
    }
    std::string header = banner_lines(banner_, "The names of operands, as typed views (view.h) have them");
    header.append(operand_names_head);
    for (const std::string& name : names) header.append("  ").append(name).append(",\n");
    header.append("};\n").append(operand_names_tail);
    files_.push_back({"include/vireo/spirv/grammar/operand_names.h", std::move(header)});

    std::string rows = banner_lines(banner_, "For each opcode its operands' names and first words");
    std::string firsts = fmt::format("constexpr OpcodePlaces opcode_places[] = {{\n");
    fmt::format_to(std::back_inserter(rows), "constexpr NamedPlace named_places[] = {{  // {}\n", count);
    std::size_t first = 0;
    for (const auto& [opcode, places] : named_) {
      if (places.empty()) continue;
      fmt::format_to(std::back_inserter(firsts), "  {{{}, {}, {}}},\n", static_cast<unsigned>(opcode), first,
                     places.size());
      for (const NamedPlace& place : places)
        fmt::format_to(std::back_inserter(rows), "  {{OperandName::{}, {}}},\n", place.name, place.word);
      first += places.size();
    }
    rows.append("};\n").append(firsts).append("};\n");
    files_.push_back({"src/spirv/grammar/generated/operand_places.inc", std::move(rows)});
  }

  // --- enumerants with parameters ---

  void enumerants() {
    for (const KindRow& kind : g_.kinds) {
      if (!has_parameters(kind)) continue;
      std::string views;
      if (kind.category == Category::BitEnum) mask(kind, views);
      if (kind.category == Category::ValueEnum) value(kind, views);
      write("kinds/" + parameter_name(text(kind.name), ParameterForm::One) + ".h",
            fmt::format("Typed views (view.h) of {} with its parameters", text(kind.name)), {}, views);
    }
  }

  void mask(const KindRow& kind, std::string& header) const {
    const std::string_view name = text(kind.name);
    Word singles = 0, doubles = 0;
    for (const EnumerantRow& row : g_.enumerants_of(kind)) {
      const std::size_t count = g_.operands(row.parameters).size();
      if (count == 1) singles |= row.value;
      if (count == 2) doubles |= row.value;
    }
    std::string members;
    for (const EnumerantRow& row : g_.enumerants_of(kind)) {
      const auto operands = g_.operands(row.parameters);
      if (operands.empty()) continue;
      const std::string bit = cpp_identifier(name, text(row.name));
      for (std::size_t i = 0; i < operands.size(); ++i) {
        const std::string_view label = text(operands[i].name);
        const Accessor accessor =
            one_of(operands[i], id_type_of(g_, Op::OpNop, label.empty() ? text(row.name) : label));
        std::string place = fmt::format("parameter_of({:#x}, singles, doubles)", row.value);
        if (i != 0) place.append(" + ").append(std::to_string(i));
        fmt::format_to(std::back_inserter(members),
                       "  [[nodiscard]] std::optional<{0}> {1}() const {{ return if_set({2:#x}, {3}); }}\n",
                       accessor.type, i == 0 ? bit : fmt::format("{}_{}", bit, i + 1), row.value,
                       fmt::format(fmt::runtime(accessor.read), place));
      }
    }
    fmt::format_to(std::back_inserter(header),
                   "\n/// The bits of {0}, and the parameters of those that are set.\n"
                   "class {0}View : public EnumerantView<{0}> {{\n public:\n"
                   "  using EnumerantView::EnumerantView;\n{1}"
                   "  /// The place after the parameters, as in an instruction of its own.\n"
                   "  [[nodiscard]] std::size_t end() const {{ return parameter_of(0, singles, doubles); }}\n\n"
                   " private:\n"
                   "  static constexpr Word singles = {2:#x}, doubles = {3:#x};\n}};\n",
                   name, members, singles, doubles);
  }

  void value(const KindRow& kind, std::string& header) const {
    const std::string name(text(kind.name));
    std::string structs, members, lengths;
    for (const EnumerantRow& row : g_.enumerants_of(kind)) {
      const auto operands = g_.operands(row.parameters);
      if (operands.empty()) continue;
      const std::string enumerant = cpp_identifier(name, text(row.name));
      Members parameters{.place = {"word_", 1}};
      add_operands(parameters, operands, Op::OpNop, {}, false);
      if (const std::string end = parameters.place.text(); end != "word_ + 1")
        fmt::format_to(std::back_inserter(lengths), "      case spirv::{}::{}: return {};\n", name, enumerant, end);
      const bool has_one = operands.size() == 1;
      if (has_one && !one_of(operands[0], "AnyId").reads_rest && operands[0].quantifier == Quantifier::One) {
        const std::string_view label = text(operands[0].name);
        const Accessor accessor = one_of(operands[0], id_type_of(g_, Op::OpNop, label));
        fmt::format_to(std::back_inserter(members),
                       "  [[nodiscard]] std::optional<{0}> {1}() const {{ return if_value(spirv::{2}::{1}, {3}); }}\n",
                       accessor.type, enumerant, name, fmt::format(fmt::runtime(accessor.read), "word_ + 1"));
        continue;
      }
      fmt::format_to(std::back_inserter(structs),
                     "\n/// The parameters of {0}::{1}.\nclass {0}{1}View : public EnumerantView<{0}> {{\n "
                     "public:\n  using EnumerantView::EnumerantView;\n{2}}};\n",
                     name, enumerant, parameters.text);
      fmt::format_to(std::back_inserter(members),
                     "  [[nodiscard]] std::optional<{0}{1}View> {1}() const {{ return if_value(spirv::{0}::{1}, "
                     "{0}{1}View(view_, word_)); }}\n",
                     name, enumerant);
    }
    fmt::format_to(std::back_inserter(header),
                   "{3}\n/// An enumerant of {0}, and its parameters.\n"
                   "class {0}View : public EnumerantView<{0}> {{\n public:\n"
                   "  using EnumerantView::EnumerantView;\n{1}"
                   "  /// The place after the parameters, as in an instruction of its own.\n"
                   "  [[nodiscard]] std::size_t end() const {{\n    switch (value()) {{\n{2}"
                   "      default: return word_ + std::size_t{{1}};\n    }}\n  }}\n}};\n",
                   name, members, lengths, structs);
  }

  // The functions of ValueOperands, as add() writes them.
  static constexpr std::string_view members_of_values =
      "  [[nodiscard]] IdOperand<IdKind::Type> result_type() const { return read_id<IdKind::Type>(1); }\n"
      "  [[nodiscard]] IdOperand<IdKind::Value> result() const { return read_id<IdKind::Value>(2); }\n";

  static constexpr std::string_view switch_targets =
      "  /// `literal_words`: 1, or 2 for a selector of more than 32 bits.\n"
      "  [[nodiscard]] CaseList targets(std::size_t literal_words) const { return {rest(3), place(3), "
      "literal_words}; }\n";

  static constexpr std::string_view operand_names_head = R"(//
// A function over instructions of several opcodes asks for an operand by its name: word_of(opcode, OperandName::pointer)
// is 3 for OpLoad and 1 for OpStore.
#pragma once

#include <cstdint>

#include "vireo/spirv/grammar/enums.h"
#include "vireo/support/api.h"

namespace vireo::spirv {

// Names are those of the views' functions.
// NOLINTBEGIN(readability-identifier-naming)
enum class OperandName : std::uint16_t {
)";
  static constexpr std::string_view operand_names_tail = R"(// NOLINTEND(readability-identifier-naming)

/// The first word of the operand with this name, as an index within an instruction with this opcode. 0: the opcode has
/// no operand with this name, or an operand of variable length precedes it.
VIREO_API std::uint16_t word_of(Op opcode, OperandName name);

}  // namespace vireo::spirv
)";

  const Grammar& g_;
  const GeneratedBanner& banner_;
  std::map<Op, std::vector<NamedPlace>> named_;  // by opcode
  std::string test_rows_;
  mutable std::set<std::string> used_kinds_;  // headers of the kinds that views of the current header return
  std::vector<std::string> names_;            // names of the written headers
  std::vector<GeneratedFile> files_;
};

}  // namespace

std::vector<GeneratedFile> emit_views(const Grammar& grammar, const GeneratedBanner& banner) {
  return ViewWriter(grammar, banner).run();
}

GeneratedFile emit_enum_names(const Grammar& grammar, const GeneratedBanner& banner) {
  std::string header = banner_lines(banner, "The names of enumerants");
  header.append(
      "//\n// name_of(StorageClass::Uniform) is \"Uniform\": the primary name. A value that the grammar does not know "
      "has the\n"
      "// empty name, as has a mask of several bits: to_string() joins the names of its bits, as in "
      "\"Volatile|Aligned\", and\n"
      "// prints unknown values as numbers.\n#pragma once\n\n#include <cstdint>\n#include <string>\n#include "
      "<string_view>\n\n"
      "#include \"vireo/spirv/grammar/enums.h\"\n#include \"vireo/spirv/grammar/ext_insts.h\"\n#include "
      "\"vireo/support/api.h\"\n\n"
      "namespace vireo::spirv {\n\nnamespace detail {\n"
      "/// By the index of the kind or set in the built-in grammar.\n"
      "VIREO_API std::string_view enumerant_name(std::uint16_t kind, std::uint32_t value);\n"
      "VIREO_API std::string enumerant_text(std::uint16_t kind, std::uint32_t value);\n"
      "VIREO_API std::string_view ext_inst_name(std::uint16_t set, std::uint32_t number);\n"
      "}  // namespace detail\n\n"
      "/// \"OpLoad\"; empty when the grammar has no such opcode.\n"
      "VIREO_API std::string_view name_of(Op opcode);\n"
      "VIREO_API std::string to_string(Op opcode);\n\n");
  const auto out = std::back_inserter(header);
  for (std::size_t i = 0; i < grammar.kinds.size(); ++i) {
    const KindRow& kind = grammar.kinds[i];
    const bool is_mask = kind.category == Category::BitEnum;
    if (!kind.set.is_none() || (!is_mask && kind.category != Category::ValueEnum)) continue;
    const std::string_view name = grammar.text(kind.name);
    fmt::format_to(out,
                   "inline std::string_view name_of({0} value) {{ return detail::enumerant_name({1}, "
                   "static_cast<std::uint32_t>(value)); }}\n"
                   "inline std::string to_string({0} value) {{ return detail::enumerant_text({1}, "
                   "static_cast<std::uint32_t>(value)); }}\n",
                   name, i);
  }
  for (std::size_t i = 0; i < grammar.sets.size(); ++i) {
    fmt::format_to(out,
                   "inline std::string_view name_of({0} instruction) {{ return detail::ext_inst_name({1}, "
                   "static_cast<std::uint32_t>(instruction)); }}\n",
                   ext_set_identifier(grammar.text(grammar.sets[i].name)), i);
  }
  header.append("\n}  // namespace vireo::spirv\n");
  return {"include/vireo/spirv/grammar/enum_names.h", std::move(header)};
}

}  // namespace vireo::spirv
