// SPDX-License-Identifier: Apache-2.0
//
// Articles: a table row for each row of the description, in the order in which the decoder asks them.
//
// The one idea: the page is the search order of isaspec 2.4 and 2.5 written down: leaf first, then its ancestors, overrides
// before what stands directly in a bitset. Who reads from the top and stops at the first that holds has decoded by hand.
#include "isa/doc/sections.h"

#include <algorithm>
#include <unordered_map>

#include "isa/explain/origin.h"

namespace vireo::isa {

// --- anchors ------------------------------------------------------------------------------------------------------------

Anchors::Anchors(const Model& model) {
  // Of different names one slug is rare; a number then tells them apart. Variants share theirs.
  // Numbers are given in the order of the description, so they hold as long as nobody puts a name of the same slug
  // before.
  std::unordered_map<std::string, std::uint32_t> used;
  const auto anchor = [&](std::string_view prefix, std::string_view name) {
    std::string slug = std::string(prefix) + slug_of(name);
    if (const std::uint32_t before = used[slug]++; before != 0) slug += "~" + std::to_string(before + 1);
    return slug;
  };
  // Of one root and one name are variants; the same name under two roots is two things, and both may be linked to.
  std::unordered_map<std::uint64_t, std::uint32_t> first;  // bitset by root and name
  for (std::uint32_t i = 0; i < model.bitsets().size(); ++i) {
    const Bitset& bitset = model.bitsets()[i];
    const std::uint64_t key = std::uint64_t{bitset.root.raw} << 32 | bitset.name.raw;
    const auto [known, is_new] = first.emplace(key, i);
    bitsets_.push_back(is_new ? anchor("b-", model.text(bitset.name)) : bitsets_[known->second]);
  }
  for (const Enum& e : model.enums()) enums_.push_back(anchor("e-", model.text(e.name)));
}

// --- small things -------------------------------------------------------------------------------------------------------

void Sections::doc(std::string_view text) {
  if (!text.empty()) html_.raw("<p class=\"doc\">").text(text).raw("</p>\n");
}

void Sections::badge(GenRange gens) {
  if (gens != GenRange{}) html_.raw("<span class=\"badge\">").raw(gens_text(gens)).raw("</span>");
}

// From the leaf's parent to the root: the way in which names and displays are looked up.
void Sections::chain(const Bitset& bitset) {
  const std::span<const BitsetId> ids = model_.chain(bitset);
  html_.raw("<p class=\"chain\">").number(bitset.size).raw(bitset.size == 1 ? " bit" : " bits");
  for (std::size_t i = 1; i < ids.size(); ++i) {
    html_.raw(i == 1 ? "; extends " : " ‹ ");
    link(ids[i]);
  }
  html_.raw("</p>\n");
}

// What an author says to the assembler beside the displays.
void Sections::assembly(const Bitset& leaf) {
  switch (model_.assembly_mark(leaf)) {
    case AssemblyMark::Canonical:
      html_.raw("<p class=\"note\">Preferred where its text has several words.</p>\n");
      break;
    case AssemblyMark::Never: html_.raw("<p class=\"note\">Never assembled.</p>\n"); break;
    case AssemblyMark::Unsaid:
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
  // Each variant whole, not as a difference to the first: who looks one up has a machine of one generation in front of
  // them.
  for (const BitsetId id : variants) variant(model_[id]);
  html_.raw("</article>\n");
  html_.pause();
}

void Sections::variant(const Bitset& leaf) {
  html_.raw("<div class=\"variant\" data-min=\"").number(leaf.gens.min).raw("\" data-max=\"").number(leaf.gens.max);
  // The script hides variants by these numbers when the reader names a generation.
  html_.raw("\">");
  badge(leaf.gens);
  chain(leaf);
  doc(leaf.doc);
  assembly(leaf);
  html_.raw("<figure>");
  PictureStyle style;
  style.standalone = false;
  // Ids of drawings must differ within a page; the number of the bitset is at hand and does.
  style.id = "s" + std::to_string(model_.id_of(leaf).raw);
  // Titles are read aloud. A name of a megabyte would be, too.
  style.title = "Bits of " + std::string(model_.text(leaf.name).substr(0, 200));
  append_svg(html_.buffer(), picture_of(model_, leaf), style);
  html_.raw("</figure>\n");
  displays(model_.chain(leaf));
  rows(model_.chain(leaf));
  metas(leaf);
  html_.raw("</div>\n");
}

// In the order in which they are asked, up to the first that always counts.
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
      // Read where the display stands, and printed nowhere.
      for (const Alias& alias : model_.aliases(c))
        html_.raw("<tr><th>also reads</th><td>").code(alias.text).raw("</td><td></td></tr>\n");
      if (!c.is_default()) continue;
      html_.raw("</table>\n");
      return;
    }
  }
  html_.raw("<tr><th>displays</th><td>nothing</td></tr></table>\n");
}

// What always holds first, highest bits first, then what is computed, then the overrides as they are asked.
void Sections::rows(std::span<const BitsetId> chain) {
  std::vector<Row> rows;
  for (const BitsetId id : chain) {
    const BitsetId home = id == chain.front() ? BitsetId::none() : id;
    for (const Case& c : model_.cases(model_[id])) {
      for (const Field& field : model_.fields(c)) rows.push_back({&c, home, field.low, field.width, &field, {}, {}});
      for (const Assert& a : model_.asserts(c)) rows.push_back({&c, home, a.low, a.width, nullptr, "assert", a.text});
      // Patterns stand in bitsets only, and are told once, with the default case.
      if (!c.is_default()) continue;
      for (const Pattern& p : model_.patterns(model_[id]))
        rows.push_back({&c, home, p.low, p.width, nullptr, "pattern", p.text});
    }
  }
  // A table that follows the bits is what people look fields up in. Overrides share bits with what they replace and
  // would tear it apart, so they come behind, in the order in which they are asked.
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
    if (!r.home.is_none()) link(r.home);
    // Of an assert in an override the override's text is the nearest that there is; that of a bitset stands above the
    // table.
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
  // Flags: the text that is shown where the bit is set, or is not.
  if (field.has_display && !field.display.empty()) html_.raw(" ").code(field.display);
  if (field.is_call) html_.raw(" calls");
  if (const std::string text = default_text(field); !text.empty()) html_.raw(" ").text(text);
}

// --- what leaves refer to -----------------------------------------------------------------------------------------------

void Sections::shared(const Bitset& bitset, std::span<const BitsetId> children) {
  const BitsetId id = model_.id_of(bitset);
  html_.raw("<article id=\"").raw(anchors_.of(id)).raw("\"><h3>").code(model_.text(bitset.name));
  badge(bitset.gens);
  html_.raw("</h3>\n");
  chain(bitset);
  doc(bitset.doc);
  // Its own rows only: what it inherits is one link away, and each leaf shows the sum.
  const BitsetId own[] = {id};
  rows(own);
  html_.raw("<p class=\"note\">Extended by");
  std::string_view last;
  for (const BitsetId child : children) {
    // Variants mostly stand side by side, and are one article to link to.
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
