// SPDX-License-Identifier: Apache-2.0
//
// Converts XML elements to rows, without resolving references (docs/isaspec.md, "Reference: elements").
//
// One function reads each kind of element. The rows that belong to one row are contiguous. The cases of a bitset are
// its overrides, followed by its own contents.
//
// Duplicate declarations are faults, and are resolved as in Mesa: the last declaration of a name is used. If two values
// of an enum have the same spelling, the later one replaces the earlier one in its position. An element without its
// required parts gives no row, so later stages process only complete rows. Time is linear: uniqueness is checked with
// hash tables.
#include <algorithm>
#include <optional>

#include "isa/model/assembly_reader.h"
#include "support/counted.h"
#include "support/printable.h"

namespace vireo::isa {
namespace {

class DeclarationReader : AssemblyReader {
 public:
  using AssemblyReader::AssemblyReader;

  // Kinds of elements are read in a fixed order, but names may be used before their declaration.
  void run() {
    if (document_.elements.empty()) return;
    const XmlElement& top = document_.elements.front();
    check_children(top, "");
    each(top, "expr", [&](const XmlElement& e) { read_named_expression(e); });
    each(top, "template", [&](const XmlElement& e) { read_template(e); });
    each(top, "enum", [&](const XmlElement& e) { read_enum(e); });
    each(top, "bitset", [&](const XmlElement& e) { read_bitset(e); });
    each(top, "encoding", [&](const XmlElement& e) { read_encoding(e); });
    each(top, "vireo-names", [&](const XmlElement& e) { read_names(e); });
  }

 private:
  // --- declarations ------------------------------------------------------------------------------------------------------

  // A row of an expression refers to its code and to the names that it reads. The positions of the names are kept for
  // diagnostics.
  ExpressionId read_expression(const XmlElement& e, std::string_view name) {
    ModelRows& rows = draft_.rows;
    // Faults are reported at their positions. An expression with faults has no code, and its value is 0.
    const ParsedExpression parsed = parse_expression(e.text);
    const TextSource source{file_, &e};
    for (const ExpressionFault& found : parsed.faults) {
      draft_.error(rule::malformed_expression, draft_.place_of(source, found.begin, found.end - found.begin),
                   found.message);
    }
    Expression expression;
    expression.name = name;
    expression.text = trimmed(e.text);
    expression.where = text_place(e);
    expression.steps = {static_cast<std::uint32_t>(rows.steps.size()), static_cast<std::uint32_t>(parsed.steps.size())};
    rows.steps.insert(rows.steps.end(), parsed.steps.begin(), parsed.steps.end());
    expression.slots = {static_cast<std::uint32_t>(rows.slots.size()), static_cast<std::uint32_t>(parsed.names.size())};
    // Names are not resolved to fields here, because this depends on the leaf that uses the expression.
    for (const ParsedExpression::Name& slot : parsed.names) {
      rows.slots.push_back(draft_.intern(slot.name));
      draft_.slot_places.push_back(draft_.place_of(source, slot.begin, slot.end - slot.begin));
    }
    rows.expressions.push_back(expression);
    return ExpressionId(rows.expressions.size() - 1);
  }

  ExpressionId read_named_expression(const XmlElement& e) {
    const XmlAttribute* name = need(e, "name");
    const ExpressionId id = read_expression(e, name == nullptr ? "" : name->value);
    if (name != nullptr) declare_expression(*name, id);
    finish(e, "name ");
    return id;
  }

  // An expression inside an override may have a name, and is then declared globally.
  void declare_expression(const XmlAttribute& name, ExpressionId id) {
    // try_emplace() detects a repeated name; the later declaration then replaces the earlier.
    const auto [entry, is_new] = draft_.expression_by_name.try_emplace(draft_.intern(name.value).raw, id);
    if (!is_new) {
      draft_.fault(rule::duplicate_name, place(name), "expression " + quoted(name.value) + " is declared twice");
      draft_.note(place(name), draft_.rows.expressions[entry->second.index()].where, "the first declaration");
      entry->second = id;
    }
  }

  // Reads the expression of an override or a derived field: attribute `expr` names it, or one child contains it.
  ExpressionId read_own_expression(const XmlElement& e, Reference& by_name) {
    // Counts the expressions, because a second one is probably a mistake.
    std::size_t count = 0;
    const XmlElement* inner = nullptr;
    each(e, "expr", [&](const XmlElement& child) {
      ++count;
      inner = &child;
    });
    // The attribute takes precedence, and the child is not read.
    if (const XmlAttribute* attribute = find(e, "expr"); attribute != nullptr) {
      by_name = reference(attribute);
      if (count != 0)
        draft_.warning(rule::ignored_display, place(*inner),
                       "the expression is ignored: attribute 'expr' names another");
      return ExpressionId::none();
    }
    if (count != 1) {
      draft_.error(rule::malformed_expression, place(e),
                   "expected one expression in " + quoted(e.name) + ", found " + std::to_string(count));
      if (count == 0) return ExpressionId::none();
    }
    const XmlAttribute* name = find(*inner, "name");
    const ExpressionId id = read_expression(*inner, name == nullptr ? "" : name->value);
    if (name != nullptr) declare_expression(*name, id);
    finish(*inner, "name ");
    return id;
  }

  void read_template(const XmlElement& e) {
    const XmlAttribute* name = need(e, "name");
    if (name == nullptr) return;
    finish(e, "name ");
    const NameId id = draft_.intern(name->value);
    const auto [entry, is_new] = draft_.template_by_name.try_emplace(id.raw, TemplateId(draft_.rows.templates.size()));
    if (!is_new) {
      draft_.fault(rule::duplicate_name, place(*name), "template " + quoted(name->value) + " is declared twice");
      draft_.note(place(*name), draft_.rows.templates[entry->second.index()].where, "the first declaration");
      entry->second = TemplateId(draft_.rows.templates.size());
    }
    // The row of an earlier template is unused but is not removed, because ids are indexes of rows.
    draft_.rows.templates.push_back({id, trimmed(e.text), place(*name)});
    draft_.template_source.push_back({file_, &e});
  }

  void read_enum(const XmlElement& e) {
    check_children(e, "enum");
    const XmlAttribute* name = need(e, "name");
    if (name == nullptr) return;
    finish(e, "name ");
    // The values of an enum are contiguous in the table of all values.
    Enum row;
    row.name = draft_.intern(name->value);
    row.where = place(*name);
    row.doc = doc_of(e);
    row.values.first = static_cast<std::uint32_t>(draft_.rows.enum_values.size());
    // Indexes of rows by spelling and by number, to find duplicates. `300` and `0x12c` are two rows, and the first is
    // printed; `300` twice is one row.
    std::unordered_map<std::string_view, std::size_t> spelled;
    std::unordered_map<std::uint64_t, std::size_t> numbered;
    each(e, "value", [&](const XmlElement& child) { read_value(child, row, spelled, numbered); });
    row.values.count = static_cast<std::uint32_t>(draft_.rows.enum_values.size()) - row.values.first;
    const auto [entry, is_new] = draft_.enum_by_name.try_emplace(row.name.raw, EnumId(draft_.rows.enums.size()));
    if (!is_new) {
      draft_.fault(rule::duplicate_name, row.where, "enum " + quoted(name->value) + " is declared twice");
      draft_.note(row.where, draft_.rows.enums[entry->second.index()].where, "the first declaration");
      entry->second = EnumId(draft_.rows.enums.size());
    }
    draft_.rows.enums.push_back(row);
  }

  void read_value(const XmlElement& e, const Enum& row, std::unordered_map<std::string_view, std::size_t>& spelled,
                  std::unordered_map<std::uint64_t, std::size_t>& numbered) {
    check_children(e, "value");
    const XmlAttribute* val = need(e, "val");
    // The attribute is required, but may be empty.
    const XmlAttribute* display = need(e, "display");
    const XmlAttribute* name = find(e, "name");
    // All known attributes have been read, so finish() reports the others.
    finish(e, "val display name ");
    if (val == nullptr) return;
    const std::optional<std::uint64_t> value = number(*val, ~std::uint64_t{0}, true);
    if (!value) return;
    EnumValue result;
    result.number = *value;
    result.name = name == nullptr ? "" : name->value;
    result.display = display == nullptr ? "" : display->value;
    result.aliases = value_aliases(e, result.display);
    result.doc = doc_of(e);
    result.where = place(e);
    std::vector<EnumValue>& values = draft_.rows.enum_values;
    // A line break would split the instruction's line.
    if (result.display.find('\n') != std::string_view::npos) {
      draft_.error(rule::malformed_display, place(*display), "a display is one line");
    }
    // The row is kept, because programs may look it up by name, although the first row of a number is printed.
    if (const auto [entry, is_new] = numbered.try_emplace(*value, values.size()); !is_new) {
      draft_.fault(
          rule::duplicate_value, place(*val),
          "value " + std::to_string(*value) + " of enum " + quoted(draft_.text(row.name)) + " is declared twice");
      draft_.note(place(*val), values[entry->second].where, "the first declaration");
    }
    if (const auto [entry, is_new] = spelled.try_emplace(val->value, values.size()); !is_new) {
      // Equal spellings have equal numbers, so the first row of each number stays the same.
      values[entry->second] = result;
      return;
    }
    values.push_back(result);
  }

  // --- bitsets -----------------------------------------------------------------------------------------------------------

  void read_bitset(const XmlElement& e) {
    check_children(e, "bitset");
    const XmlAttribute* name = need(e, "name");
    const XmlAttribute* size = find(e, "size");
    const XmlAttribute* extends = find(e, "extends");
    const XmlAttribute* display_name = find(e, "displayname");
    const AssemblyMark mark = mark_of(e);
    finish(e, "name size extends displayname vireo-assembly ");
    if (name == nullptr) return;
    // A bitset with both attributes could have another size than its root.
    if ((size != nullptr) == (extends != nullptr)) {
      draft_.error(
          rule::bad_size, place(*name),
          std::string("a bitset requires either 'size' or 'extends', found ") + (size != nullptr ? "both" : "neither"));
    }
    Bitset row;
    row.name = draft_.intern(name->value);
    row.where = place(*name);
    row.doc = doc_of(e);
    row.mark = mark;
    row.aliases = name_aliases(e);
    // Display names are not inherited: a bitset without one uses its own name.
    row.display_name = display_name != nullptr ? display_name->value : name->value;
    if (size != nullptr && extends == nullptr) {
      const std::optional<std::uint64_t> bits = number(*size, max_bitset_size);
      row.size = static_cast<std::uint32_t>(bits.value_or(0));
      if (bits == 0u) draft_.error(rule::bad_size, place(*size), "a size of 0 bits; expected at least 1");
    }
    // First the properties of the bitset, then its cases, then its patterns.
    read_gens(e, row);
    read_metas(e, row);
    read_encode(e, row);
    each(e, "decode", [&](const XmlElement& child) {
      row.has_decode = true;
      finish(child, "");
    });
    // The id is known before the row is added, because cases refer to their bitset.
    const BitsetId id(draft_.rows.bitsets.size());
    read_cases(e, id, row);
    read_patterns(e, row);
    draft_.bitsets_by_name[row.name.raw].push_back(id);
    draft_.rows.bitsets.push_back(std::move(row));
    // References are stored beside the rows, because they are not part of the model.
    draft_.parent_of.push_back(reference(extends));
  }

  // The cases of a bitset are contiguous, in evaluation order: the overrides, then the default case.
  void read_cases(const XmlElement& e, BitsetId id, Bitset& row) {
    row.cases.first = static_cast<std::uint32_t>(draft_.rows.cases.size());
    each(e, "override", [&](const XmlElement& child) {
      check_children(child, "override");
      Case override;
      override.where = place(child);
      override.doc = doc_of(child);
      Reference by_name;
      // Reads the expression itself, or the name of an expression, which is resolved later.
      override.condition = read_own_expression(child, by_name);
      override.mark = mark_of(child);
      finish(child, "expr vireo-assembly ");
      // An override without a condition would always hold and hide the rest of the bitset, so it is omitted.
      if (override.condition.is_none() && by_name.text.empty()) return;  // was reported
      read_case(child, id, override, by_name);
    });
    // The bitset's own contents are the default case, which always holds.
    Case common;
    common.where = row.where;
    read_case(e, id, common, {});
    row.cases.count = static_cast<std::uint32_t>(draft_.rows.cases.size()) - row.cases.first;
  }

  void read_patterns(const XmlElement& e, Bitset& row) {
    row.patterns.first = static_cast<std::uint32_t>(draft_.rows.patterns.size());
    each(e, "pattern", [&](const XmlElement& child) {
      // An unreadable pattern gives no row, because a partial pattern would match the wrong words.
      Pattern pattern;
      if (read_bits(child, "01x", pattern.low, pattern.width, pattern.text, pattern.where))
        draft_.rows.patterns.push_back(pattern);
      else miss_bits();
    });
    row.patterns.count = static_cast<std::uint32_t>(draft_.rows.patterns.size()) - row.patterns.first;
  }

  // Marks the current bitset, whose row is not added yet, as incomplete. Its undefined bits are then not reported.
  void miss_bits() { draft_.incomplete.insert(BitsetId(draft_.rows.bitsets.size()).raw); }

  // A range without a maximum ends at the largest number, so it needs no special case.
  void read_gens(const XmlElement& e, Bitset& row) {
    each(e, "gen", [&](const XmlElement& child) {
      // If there are several elements, a later attribute replaces an earlier one of the same name.
      row.own_gens.min = small_number(find(child, "min"), row.own_gens.min, ~std::uint32_t{0});
      row.own_gens.max = small_number(find(child, "max"), row.own_gens.max, ~std::uint32_t{0});
      finish(child, "min max ");
    });
  }

  void read_metas(const XmlElement& e, Bitset& row) {
    row.metas.first = static_cast<std::uint32_t>(draft_.rows.metas.size());
    each(e, "meta", [&](const XmlElement& child) {
      // Every attribute name is a key, so finish() is not called.
      for (std::uint32_t i = 0; i < child.attribute_count; ++i) {
        const XmlAttribute& attribute = document_.attributes[child.first_attribute + i];
        draft_.rows.metas.push_back({attribute.name, attribute.value});
      }
    });
    row.metas.count = static_cast<std::uint32_t>(draft_.rows.metas.size()) - row.metas.first;
  }

  void read_encode(const XmlElement& e, Bitset& row) {
    row.maps.first = static_cast<std::uint32_t>(draft_.rows.maps.size());
    each(e, "encode", [&](const XmlElement& child) {
      // As in Mesa, only the first `encode` is read. The loader stores the C code of its maps without parsing it.
      if (row.has_encode) {
        draft_.warning(rule::duplicate_name, place(child), "only the first 'encode' of a bitset is used");
        return;
      }
      check_children(child, "encode");
      row.has_encode = true;
      // The loader does not check this C or C++ type.
      if (const XmlAttribute* type = find(child, "type")) row.encode_type = type->value;
      if (const XmlAttribute* prefix = find(child, "case-prefix")) row.encode_prefix = prefix->value;
      finish(child, "type case-prefix ");
      each(child, "map", [&](const XmlElement& map) {
        const XmlAttribute* name = need(map, "name");
        const XmlAttribute* force = find(map, "force");
        finish(map, "name force ");
        if (name == nullptr) return;
        draft_.rows.maps.push_back({draft_.intern(name->value), trimmed(map.text), flag(force), place(*name)});
      });
    });
    row.maps.count = static_cast<std::uint32_t>(draft_.rows.maps.size()) - row.maps.first;
  }

  // Reads the fields, asserts and display of a bitset's default case or of an override.
  void read_case(const XmlElement& e, BitsetId owner, Case row, Reference condition) {
    // Rows refer to their case, and cases to their bitset.
    row.owner = owner;
    const CaseId id(draft_.rows.cases.size());
    // Fields and derived fields share one run in document order, because they share names.
    row.fields.first = static_cast<std::uint32_t>(draft_.rows.fields.size());
    each(e, "", [&](const XmlElement& child) {
      if (child.name == "field") read_field(child, id);
      if (child.name == "derived") read_derived(child, id);
    });
    row.fields.count = static_cast<std::uint32_t>(draft_.rows.fields.size()) - row.fields.first;
    check_unique(row);
    row.asserts.first = static_cast<std::uint32_t>(draft_.rows.asserts.size());
    each(e, "assert", [&](const XmlElement& child) {
      Assert bits;
      if (read_bits(child, "01", bits.low, bits.width, bits.text, bits.where)) draft_.rows.asserts.push_back(bits);
      else miss_bits();
    });
    row.asserts.count = static_cast<std::uint32_t>(draft_.rows.asserts.size()) - row.asserts.first;
    TextSource display;
    each(e, "display", [&](const XmlElement& child) {
      if (row.has_display)
        draft_.warning(rule::ignored_display, place(child), "only the last 'display' of a case is used");
      finish(child, "");
      row.has_display = true;
      // A display is usually surrounded by line breaks and indentation.
      row.display = trimmed(child.text);
      display = {file_, &child};
    });
    row.aliases = display_aliases(e, row);
    draft_.rows.cases.push_back(row);
    draft_.condition_of.push_back(condition);
    draft_.display_of.push_back(display);
  }

  // In Mesa the later field applies, but the bits of the earlier one stay in use, which is never intended.
  void check_unique(const Case& row) {
    // A hash table, because a case may have many fields.
    std::unordered_map<std::uint32_t, std::uint32_t> seen;
    for (std::uint32_t i = row.fields.first; i < row.fields.first + row.fields.count; ++i) {
      const Field& field = draft_.rows.fields[i];
      const auto [entry, is_new] = seen.try_emplace(field.name.raw, i);
      if (is_new) continue;
      draft_.fault(rule::duplicate_name, field.where,
                   "field " + quoted(draft_.text(field.name)) + " is declared twice in one case");
      draft_.note(field.where, draft_.rows.fields[entry->second].where, "the first declaration");
    }
  }

  bool read_bits(const XmlElement& e, std::string_view alphabet, std::uint32_t& low, std::uint32_t& width,
                 std::string_view& text, Place& where) {
    const bool has_range = range(e, low, width);
    finish(e, "low high pos ");
    text = trimmed(e.text);
    where = text.empty() ? place(e) : text_place(e);
    if (!has_range) return false;
    if (const std::size_t bad = text.find_first_not_of(alphabet); bad != std::string_view::npos) {
      draft_.error(rule::bad_pattern, where,
                   "expected only " + std::string(alphabet == "01" ? "'0' and '1'" : "'0', '1' and 'x'") + ", found " +
                       quoted(text.substr(bad, 1)));
      return false;
    }
    // The text of a pattern has no limit of its own, but the width has.
    if (text.size() != width) {
      draft_.error(rule::bad_pattern, where,
                   "expected " + counted(width, "character") + " for bits " + std::to_string(low) + " to " +
                       std::to_string(low + width - 1) + ", found " + std::to_string(text.size()));
      return false;
    }
    return true;
  }

  // Reads the common parts of fields and derived fields. Returns false if a fault prevents the creation of a field.
  bool read_common(const XmlElement& e, CaseId owner, Field& field) {
    const XmlAttribute* name = need(e, "name");
    const XmlAttribute* type = need(e, "type");
    const XmlAttribute* display = find(e, "display");
    const XmlAttribute* call = find(e, "call");
    field.owner = owner;
    field.doc = doc_of(e);
    field.is_call = flag(call);
    if (display != nullptr) {
      field.has_display = true;
      field.display = trimmed(display->value);
      if (field.display.find('\n') != std::string_view::npos)
        draft_.error(rule::malformed_display, place(*display), "a display is one line");
    }
    // Checked after both attributes are read, so that both are reported if missing.
    if (name == nullptr || type == nullptr) return false;
    field.name = draft_.intern(name->value);
    field.where = place(*name);
    // A display cannot refer to such a field, because a brace ends the name and a colon begins the column.
    if (name->value.empty() || name->value.find_first_of("}{:") != std::string_view::npos) {
      draft_.fault(rule::malformed_value, place(*name),
                   "a field whose name is empty, or has '{', '}' or ':', cannot be shown");
    } else if (name->value == "NAME") {
      draft_.fault(rule::duplicate_name, place(*name),
                   "{NAME} is the name of the leaf; a field of this name cannot be shown");
    }
    // The type is resolved after all files are read.
    draft_.type_of.push_back(reference(type));
    return true;
  }

  void read_field(const XmlElement& e, CaseId owner) {
    check_children(e, "field");
    Field field;
    const bool has_range = range(e, field.low, field.width);
    const bool is_usable = read_common(e, owner, field);
    if (has_range) field.default_value = default_of(e, field.width);
    finish(e, "name low high pos type display call vireo-default ");
    // All attributes were read, so that unknown ones are reported even for an unusable field.
    if (!is_usable || !has_range) {
      miss_bits();
      if (is_usable) draft_.type_of.pop_back();
      return;
    }
    field.params.first = static_cast<std::uint32_t>(draft_.rows.params.size());
    each(e, "param", [&](const XmlElement& child) {
      const XmlAttribute* outer = need(child, "name");
      const XmlAttribute* inner = find(child, "as");
      finish(child, "name as ");
      if (outer == nullptr) return;
      // The default of `as` is the outer name.
      draft_.rows.params.push_back(
          {draft_.intern(outer->value), draft_.intern(inner != nullptr ? inner->value : outer->value), place(*outer)});
    });
    field.params.count = static_cast<std::uint32_t>(draft_.rows.params.size()) - field.params.first;
    draft_.rows.fields.push_back(field);
    // `value_of` has one entry per field: the name of its expression, or empty for fields with bits.
    draft_.value_of.emplace_back();
  }

  void read_derived(const XmlElement& e, CaseId owner) {
    check_children(e, "derived");
    Field field;
    // The width matters only for signed types and floats, because derived values are not truncated. resolve() replaces
    // a missing width, 0, when the type is known.
    const XmlAttribute* const width = find(e, "width");
    field.width = width == nullptr ? 0 : small_number(width, 1, bits_per_word);
    if (width != nullptr && field.width == 0) {
      draft_.error(rule::malformed_value, place(*width), "a width of 0 bits; expected at least 1");
      field.width = 1;
    }
    Reference by_name;
    field.expression = read_own_expression(e, by_name);
    const bool is_usable = read_common(e, owner, field);
    finish(e, "name type expr width display call ");
    if (!is_usable) return;
    if (field.expression.is_none() && by_name.text.empty()) {  // was reported
      draft_.type_of.pop_back();
      return;
    }
    if (field.expression.is_none())
      field.expression = ExpressionId(0);  // marks the field as derived; resolve() replaces it
    draft_.rows.fields.push_back(field);
    draft_.value_of.push_back(by_name);
  }

  // --- several instruction roots -------------------------------------------------------------------------------------

  // Reads `encoding`, an addition of Vireo: several instruction roots, selected by patterns, and the unit of program
  // addresses. docs/isaspec.md, "Instructions of several sizes".
  void read_encoding(const XmlElement& e) {
    check_children(e, "encoding");
    if (!draft_.encoding.empty() || draft_.encoding_unit != 0) {
      draft_.error(rule::duplicate_name, place(e), "a second 'encoding'; expected one");
      return;
    }
    const XmlAttribute* unit = need(e, "unit");
    finish(e, "unit ");
    draft_.encoding_unit = small_number(unit, 8, max_bitset_size);
    // A program is a sequence of bytes, so a unit is a multiple of 8 bits.
    if (draft_.encoding_unit == 0 || draft_.encoding_unit % 8 != 0) {
      draft_.error(rule::bad_size, unit != nullptr ? place(*unit) : place(e), "the unit must be a multiple of 8 bits");
      draft_.encoding_unit = 8;
    }
    each(e, "root", [&](const XmlElement& child) {
      check_children(child, "root");
      const XmlAttribute* name = need(child, "name");
      finish(child, "name ");
      if (name == nullptr) return;
      EncodingRow row;
      row.root = reference(name);
      each(child, "pattern", [&](const XmlElement& pattern) {
        Place where;
        std::uint32_t width = 0;
        if (row.width != 0) draft_.error(rule::bad_pattern, place(pattern), "a second pattern in 'root'; expected one");
        if (read_bits(pattern, "01x", row.low, width, row.pattern, where)) row.width = width;
      });
      draft_.encoding.push_back(row);
    });
    if (draft_.encoding.empty()) draft_.error(rule::missing_root, place(e), "'encoding' requires a 'root'");
  }
};

}  // namespace

void read_declarations(ModelBuilder& draft, FileId file, const XmlElements& document) {
  DeclarationReader(draft, file, document).run();
}

}  // namespace vireo::isa
