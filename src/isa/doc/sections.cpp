// SPDX-License-Identifier: Apache-2.0
//
// Writes articles, with a table row for each row of the description, in the decoder's search order.
//
// The page shows the search order of isaspec 2.4 and 2.5. The leaf precedes its ancestors, and in each
// bitset, the overrides precede the default case. A reader can decode by hand: read from the top and stop at the first
// case that holds.
#include "isa/doc/sections.h"

#include <algorithm>
#include <unordered_map>

#include "isa/explain/origin.h"

namespace vireo::isa {

// --- anchors ------------------------------------------------------------------------------------------------------------

Anchors::Anchors(const Model& model) {
  // Variants share an anchor. If different names have the same slug, which is rare, a number distinguishes their
  // anchors. Numbers follow the order of the description, so they change only if a name with the same slug is added
  // before.
  std::unordered_map<std::string, std::uint32_t> used;
  const auto anchor = [&](std::string_view prefix, std::string_view name) {
    std::string slug = std::string(prefix) + slug_of(name);
    if (const std::uint32_t before = used[slug]++; before != 0) slug += "~" + std::to_string(before + 1);
    return slug;
  };
  // Equal names under one root are variants; under two roots they are different bitsets with different anchors.
  std::unordered_map<std::uint64_t, std::uint32_t> first;  // bitset by root and name
  for (std::uint32_t i = 0; i < model.bitsets().size(); ++i) {
    const Bitset& bitset = model.bitsets()[i];
    const std::uint64_t key = std::uint64_t{bitset.root.raw} << 32 | bitset.name.raw;
    const auto [known, is_new] = first.emplace(key, i);
    bitsets_.push_back(is_new ? anchor("b-", model.text(bitset.name)) : bitsets_[known->second]);
  }
  for (const Enum& e : model.enums()) enums_.push_back(anchor("e-", model.text(e.name)));
}

// --- helpers ------------------------------------------------------------------------------------------------------------

void Sections::doc(std::string_view text) {
  if (!text.empty()) html_.raw("<p class=\"doc\">").text(text).raw("</p>\n");
}

void Sections::badge(GenRange gens) {
  if (gens != GenRange{}) html_.raw("<span class=\"badge\">").raw(gens_text(gens)).raw("</span>");
}

// Writes the chain from the parent to the root, in the search order of names and displays.
void Sections::chain(const Bitset& bitset) {
  const std::span<const BitsetId> ids = model_.chain(bitset);
  html_.raw("<p class=\"chain\">").number(bitset.size).raw(bitset.size == 1 ? " bit" : " bits");
  for (std::size_t i = 1; i < ids.size(); ++i) {
    html_.raw(i == 1 ? "; extends " : " ‹ ");
    link(ids[i]);
  }
  html_.raw("</p>\n");
}

// Writes the marks and aliases for the assembler.
void Sections::assembly(const Bitset& leaf) {
  switch (model_.assembly_mark(leaf)) {
    case AssemblyMark::Canonical:
      html_.raw("<p class=\"note\">Preferred if several words print its text.</p>\n");
      break;
    case AssemblyMark::Never: html_.raw("<p class=\"note\">Never assembled.</p>\n"); break;
    case AssemblyMark::Unspecified:
    case AssemblyMark::Normal: break;
  }
  if (model_.aliases(leaf).empty()) return;
  html_.raw("<p class=\"note\">Also written ");
  for (const Alias& alias : model_.aliases(leaf)) html_.code(alias.text).raw(" ");
  html_.raw("</p>\n");
}

void Sections::metas(const Bitset& bitset) {
  if (model_.metas(bitset).empty()) return;
  html_.raw("<p class=\"note\">Meta: ");
  for (const Meta& meta : model_.metas(bitset))
    html_.code(std::string(meta.key) + "=" + std::string(meta.value)).raw(" ");
  html_.raw("</p>\n");
}

// --- leaves -------------------------------------------------------------------------------------------------------------

void Sections::leaves(std::span<const BitsetId> variants) {
  const Bitset& first = model_[variants.front()];
  html_.raw("<article id=\"").raw(anchors_.of(variants.front())).raw("\"><h3>").code(first.display_name);
  if (first.display_name != model_.text(first.name))
    html_.raw(" <small>").text(model_.text(first.name)).raw("</small>");
  html_.raw("</h3>\n");
  // Show each variant in full, not as a difference: a reader has a machine of one generation.
  for (const BitsetId id : variants) variant(model_[id]);
  html_.raw("</article>\n");
  html_.pause();
}

void Sections::variant(const Bitset& leaf) {
  html_.raw("<div class=\"variant\" data-min=\"").number(leaf.gens.min).raw("\" data-max=\"").number(leaf.gens.max);
  // When the reader enters a generation, the script hides variants by these numbers.
  html_.raw("\">");
  badge(leaf.gens);
  chain(leaf);
  doc(leaf.doc);
  assembly(leaf);
  html_.raw("<figure>");
  PictureStyle style;
  style.standalone = false;
  // Ids of drawings must be unique in the page, so they contain the number of the bitset.
  style.id = "s" + std::to_string(model_.id_of(leaf).raw);
  // Screen readers read titles aloud, so limit the length.
  style.title = "Bits of " + std::string(model_.text(leaf.name).substr(0, 200));
  append_svg(html_.buffer(), picture_of(model_, leaf), style);
  html_.raw("</figure>\n");
  displays(model_.chain(leaf));
  rows(model_.chain(leaf));
  metas(leaf);
  html_.raw("</div>\n");
}

// Writes the displays in search order, up to the first unconditional one.
void Sections::displays(std::span<const BitsetId> chain) {
  html_.raw("<table>");
  for (const BitsetId id : chain) {
    for (const Case& c : model_.cases(model_[id])) {
      if (!c.has_display) continue;
      html_.raw("<tr><th>displays</th><td>").code(display_text(model_, c)).raw("</td><td>");
      if (!c.is_default()) html_.raw("if ").code(condition_of(model_, c));
      if (c.mark == AssemblyMark::Canonical) html_.raw(" preferred");
      if (c.mark == AssemblyMark::Never) html_.raw(" never assembled");
      html_.raw("</td></tr>\n");
      // The assembler accepts an alias where its display applies; the decoder never prints it.
      for (const Alias& alias : model_.aliases(c))
        html_.raw("<tr><th>also reads</th><td>").code(alias.text).raw("</td><td></td></tr>\n");
      if (!c.is_default()) continue;
      html_.raw("</table>\n");
      return;
    }
  }
  html_.raw("<tr><th>displays</th><td>nothing</td></tr></table>\n");
}

// Writes the unconditional rows from the highest bit, then derived fields, then overrides in search order.
void Sections::rows(std::span<const BitsetId> chain) {
  std::vector<Row> rows;
  for (const BitsetId id : chain) {
    const BitsetId declared_in = id == chain.front() ? BitsetId::none() : id;
    for (const Case& c : model_.cases(model_[id])) {
      for (const Field& field : model_.fields(c))
        rows.push_back({&c, declared_in, field.low, field.width, &field, {}, {}});
      for (const Assert& a : model_.asserts(c))
        rows.push_back({&c, declared_in, a.low, a.width, nullptr, "assert", a.text});
      // Patterns belong to the bitset, so they are listed once, with its default case.
      if (!c.is_default()) continue;
      for (const Pattern& p : model_.patterns(model_[id]))
        rows.push_back({&c, declared_in, p.low, p.width, nullptr, "pattern", p.text});
    }
  }
  // Readers look fields up by their bits. Overrides share bits with the fields they replace, so they come last, in
  // search order.
  const auto rank = [](const Row& row) {
    if (!row.of->is_default()) return 2;
    return row.field != nullptr && row.field->is_derived() ? 1 : 0;
  };
  std::stable_sort(rows.begin(), rows.end(), [&](const Row& a, const Row& b) {
    if (rank(a) != rank(b)) return rank(a) < rank(b);
    return rank(a) == 0 && a.low > b.low;
  });
  html_.raw(
      "<div class=\"wide\"><table><thead><tr><th>bits</th><th>field</th><th>type</th><th>shows</th><th>if</th>"
      "<th>from</th><th></th></tr></thead><tbody>\n");
  for (const Row& r : rows) {
    html_.raw("<tr><td>");
    if (r.field == nullptr || !r.field->is_derived()) html_.raw(bit_range(r.low, r.width));
    html_.raw("</td><td>");
    if (r.field != nullptr) field_cells(*r.field);
    else html_.raw(r.kind).raw("</td><td></td><td>").code(r.text);
    html_.raw("</td><td>");
    if (!r.of->is_default()) html_.code(condition_of(model_, *r.of));
    html_.raw("</td><td>");
    if (!r.declared_in.is_none()) link(r.declared_in);
    // An assert in an override has no text of its own, so its row shows the text of the override. The text of a bitset
    // is above the table.
    html_.raw("</td><td>").brief(r.field != nullptr ? r.field->doc : r.of->is_default() ? "" : r.of->doc);
    html_.raw("</td></tr>\n");
    html_.pause();
  }
  html_.raw("</tbody></table></div>\n");
}

void Sections::field_cells(const Field& field) {
  html_.code(model_.text(field.name)).raw("</td><td>");
  if (field.type == FieldType::Enum) html_.link(anchors_.of(field.enumeration), type_name(model_, field));
  else if (field.type == FieldType::Bitset) link(field.bitset);
  else html_.code(type_name(model_, field));
  if (const std::string params = params_text(model_, field); !params.empty()) html_.raw(" passes ").code(params);
  html_.raw("</td><td>");
  if (field.is_derived()) html_.raw("= ").code(expression_text(model_, field.expression));
  // For flags: the text shown if the bit is set, or clear for bool_inv.
  if (field.has_display && !field.display.empty()) html_.raw(" ").code(field.display);
  if (field.is_call) html_.raw(" calls");
  if (const std::string text = default_text(field); !text.empty()) html_.raw(" ").text(text);
}

// --- shared bitsets, enums, names ---------------------------------------------------------------------------------------

void Sections::shared(const Bitset& bitset, std::span<const BitsetId> children) {
  const BitsetId id = model_.id_of(bitset);
  html_.raw("<article id=\"").raw(anchors_.of(id)).raw("\"><h3>").code(model_.text(bitset.name));
  badge(bitset.gens);
  html_.raw("</h3>\n");
  chain(bitset);
  doc(bitset.doc);
  // Only the rows of the bitset itself: each leaf shows the inherited rows.
  const BitsetId own[] = {id};
  rows(own);
  html_.raw("<p class=\"note\">Extended by");
  std::string_view last;
  for (const BitsetId child : children) {
    // Variants are usually adjacent and share an article, so one link is enough.
    if (!exists(model_[child]) || last == anchors_.of(child)) continue;
    last = anchors_.of(child);
    html_.raw(" ");
    link(child);
  }
  html_.raw("</p>\n");
  metas(bitset);
  html_.raw("</article>\n");
  html_.pause();
}

void Sections::enumeration(const Enum& e) {
  const EnumId id(static_cast<std::uint32_t>(&e - model_.enums().data()));
  html_.raw("<article id=\"").raw(anchors_.of(id)).raw("\"><h3>").code(model_.text(e.name)).raw("</h3>\n");
  doc(e.doc);
  html_.raw("<table><thead><tr><th>value</th><th>shows</th><th>name</th><th></th></tr></thead><tbody>\n");
  for (const EnumValue& value : model_.values(e)) {
    html_.raw("<tr><td>").number(value.number).raw("</td><td>").code(value.display);
    for (const Alias& alias : model_.aliases(value)) html_.raw(" or ").code(alias.text);
    html_.raw("</td><td>").text(value.name).raw("</td><td>").text(value.doc).raw("</td></tr>\n");
    html_.pause();
  }
  html_.raw("</tbody></table></article>\n");
}

void Sections::custom_names() {
  html_.raw("<table><thead><tr><th>fields</th><th>value</th><th>name</th></tr></thead><tbody>\n");
  for (const CustomName& row : model_.custom_names()) {
    html_.raw("<tr><td>").code(std::string(row.kind) + "…").raw("</td><td>").number(row.value).raw("</td><td>");
    html_.code(row.name).raw("</td></tr>\n");
    html_.pause();
  }
  html_.raw("</tbody></table>\n");
}

}  // namespace vireo::isa
