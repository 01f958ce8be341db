// SPDX-License-Identifier: Apache-2.0
//
// Writes the page: head, index, roots with their leaves by family, shared bitsets, enums, expressions.
//
// The *family* of a leaf is the topmost bitset below the root that it extends: an encoding class of the instruction
// set.
//
// The page is written to a sink in one pass; only an index of the leaves is kept in memory. Anchors are
// made from names and not from numbers, so links into the page stay valid when the description changes. Each leaf shows
// all of its inherited rows, so a reader of one instruction needs only one place.
#include "vireo/isa/doc.h"

#include <algorithm>
#include <unordered_map>

#include "isa/doc/sections.h"
#include "isa/explain/origin.h"

namespace vireo::isa {
namespace {

// A section of the page, and a group of its index.
struct Family {
  BitsetId head;                                // the bitset below the root, or the root itself
  std::vector<std::vector<BitsetId>> articles;  // leaves by name
};

struct RootPart {
  BitsetId root;
  // If false, the root is the type of fields: operands. They follow all instructions, in the page and in the index.
  bool is_instruction = false;
  std::vector<Family> families;
};

// Each step writes its output and keeps nothing; only collect() keeps an index entry for each leaf. So a page of
// megabytes needs the memory of one article.
class Page {
 public:
  Page(const Model& model, const DocOptions& options, TextSink& sink)
      : model_(model), options_(options), html_(sink), sections_(model, options, html_) {}

  bool write() {
    // Collect first, because the head counts the sections and the index lists them.
    collect();
    head();
    index();
    html_.raw("<main>\n");
    for (const RootPart& part : parts_) root(part);
    shared();
    enums();
    custom_names();
    expressions();
    html_.raw("</main>\n<script>\n").raw(page_script()).raw("</script>\n</body>\n</html>\n");
    return html_.flush();
  }

 private:
  // --- contents ----------------------------------------------------------------------------------------------------------

  void collect() {
    children_.resize(model_.bitsets().size());
    for (const Bitset& bitset : model_.bitsets()) {
      // Index the children once; a search for the children of each bitset would be quadratic.
      if (!bitset.is_root()) children_[bitset.parent.index()].push_back(model_.id_of(bitset));
    }
    // A root may have several rows of <encoding>; its leaves are in the page once.
    std::vector<bool> is_done(model_.bitsets().size(), false);
    const auto add = [&](BitsetId root, bool is_instruction) {
      if (root.is_none() || is_done[root.index()]) return;
      is_done[root.index()] = true;
      RootPart part{root, is_instruction, {}};
      collect_leaves(part);
      if (!part.families.empty()) parts_.push_back(std::move(part));
    };
    for (const InstructionRoot& row : model_.instruction_roots()) add(row.root, true);
    // Other roots are types of fields. The checks report a root without any use; the page shows it anyway.
    for (const Bitset& bitset : model_.bitsets()) {
      if (bitset.is_root()) add(model_.id_of(bitset), false);
    }
  }

  void collect_leaves(RootPart& part) const {
    // Families and articles keep the order of the description; the search box finds a name.
    std::unordered_map<std::uint32_t, std::size_t> family_of;
    std::unordered_map<std::string_view, std::pair<std::size_t, std::size_t>> article_of;  // by anchor
    for (const BitsetId id : model_.leaves(model_[part.root])) {
      const Bitset& leaf = model_[id];
      // With --gen the page is the manual of that generation, and omits all others.
      if (!sections_.exists(leaf)) continue;
      // Leaves with one anchor are variants of one instruction for different generations. They are in the family of the
      // first variant.
      const auto known = article_of.find(sections_.anchors().of(id));
      if (known != article_of.end()) {
        part.families[known->second.first].articles[known->second.second].push_back(id);
        continue;
      }
      const std::span<const BitsetId> chain = model_.chain(leaf);
      // In all known descriptions the bitset below the root is the encoding class. Leaves directly below the root have
      // no class.
      const BitsetId head = chain.size() > 2 ? chain[chain.size() - 2] : part.root;
      const auto [place, is_new] = family_of.emplace(head.raw, part.families.size());
      if (is_new) part.families.push_back({head, {}});
      Family& family = part.families[place->second];
      article_of.emplace(sections_.anchors().of(id), std::pair(place->second, family.articles.size()));
      family.articles.push_back({id});
    }
  }

  // --- head and index ----------------------------------------------------------------------------------------------------

  void head() {
    const std::string title = options_.title.empty() ? "Instruction set" : options_.title;
    // Write XHTML's namespace and closed elements, so that XML tools (and the tests) can read the page; browsers read
    // it as HTML.
    html_.raw(
        "<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\">\n<head><meta charset=\"utf-8\"/>"
        "<meta name=\"viewport\" content=\"width=device-width\"/><title>");
    html_.text(title)
        .raw("</title>\n<style>\n")
        .raw(page_style())
        // The page has one copy of the style rules for all pictures; the drawings have none.
        .raw(svg_style())
        .raw("</style></head>\n<body>\n<header><h1>");
    html_.text(title).raw("</h1><p>");
    std::size_t instructions = 0;
    std::size_t operands = 0;
    for (const RootPart& part : parts_) {
      for (const Family& family : part.families)
        (part.is_instruction ? instructions : operands) += family.articles.size();
    }
    // Count articles, not leaves: the variants of a name are one instruction to a reader.
    html_.number(instructions).raw(instructions == 1 ? " instruction, " : " instructions, ");
    html_.number(operands).raw(operands == 1 ? " operand encoding, " : " operand encodings, ");
    html_.number(model_.enums().size()).raw(model_.enums().size() == 1 ? " enum; " : " enums; ");
    html_.raw(options_.gen ? gens_text({*options_.gen, *options_.gen}) : std::string("all generations"));
    html_.raw(
        // The script shows the search box, so without scripts it stays hidden.
        "</p><p class=\"tools\" hidden=\"hidden\"><label>Search <input id=\"q\" type=\"search\" "
        "placeholder=\"name, field, text ( / )\"/></label> <label>Generation <input id=\"g\" type=\"number\" min=\"0\" "
        "placeholder=\"all\"/></label></p></header>\n");
  }

  void index() {
    html_.raw("<nav aria-label=\"Index\">\n");
    std::size_t operands = 0;
    for (const RootPart& part : parts_) {
      for (const Family& family : part.families) {
        operands += part.is_instruction ? 0 : family.articles.size();
        if (!part.is_instruction) continue;
        begin_list(model_.text(model_[family.head].name), family.articles.size(), true);
        list_articles(family);
        end_list();
      }
    }
    // Operands have many small families, so one list has all of them.
    if (operands != 0) begin_list("Operands", operands, false);
    for (const RootPart& part : parts_) {
      for (const Family& family : part.families) {
        if (!part.is_instruction) list_articles(family);
      }
    }
    if (operands != 0) end_list();
    if (!model_.enums().empty()) {
      begin_list("Enums", model_.enums().size(), false);
      for (std::uint32_t i = 0; i < model_.enums().size(); ++i)
        list_item(sections_.anchors().of(EnumId(i)), model_.text(model_.enums()[i].name));
      end_list();
    }
    html_.raw("</nav>\n");
  }

  void begin_list(std::string_view name, std::size_t count, bool is_open) {
    html_.raw(is_open ? "<details open=\"open\"><summary>" : "<details><summary>").brief(name);
    html_.raw(" <small>(").number(count).raw(")</small></summary><ul>\n");
  }
  void list_articles(const Family& family) {
    for (const std::vector<BitsetId>& variants : family.articles)
      // The index has the mnemonics that listings show; headings add the name of the leaf if it differs.
      list_item(sections_.anchors().of(variants.front()), model_[variants.front()].display_name);
    html_.pause();
  }
  void list_item(std::string_view anchor, std::string_view name) {
    html_.raw("<li>").link(anchor, name).raw("</li>\n");
  }
  void end_list() { html_.raw("</ul></details>\n"); }

  // --- sections ----------------------------------------------------------------------------------------------------------

  void root(const RootPart& part) {
    for (const Family& family : part.families) {
      const Bitset& top = model_[family.head];
      html_.raw("<section><h2>").raw(part.is_instruction ? "Instructions: " : "Operands: ");
      html_.brief(model_.text(top.name)).raw("</h2>\n");
      // If a leaf is its own family, its text is in its article.
      if (!top.is_leaf) sections_.doc(top.doc);
      for (const std::vector<BitsetId>& variants : family.articles) sections_.leaves(variants);
      html_.raw("</section>\n");
    }
  }

  void shared() {
    bool is_open = false;
    for (const Bitset& bitset : model_.bitsets()) {
      // Leaves show all inherited rows; these articles show which leaves a change of a shared bitset affects.
      if (bitset.is_leaf || !sections_.exists(bitset)) continue;
      if (!is_open) html_.raw("<section><h2>Shared bitsets</h2>\n");
      is_open = true;
      sections_.shared(bitset, children_[model_.id_of(bitset).index()]);
    }
    if (is_open) html_.raw("</section>\n");
  }

  void enums() {
    if (model_.enums().empty()) return;
    html_.raw("<section><h2>Enums</h2>\n");
    for (const Enum& e : model_.enums()) sections_.enumeration(e);
    html_.raw("</section>\n");
  }

  void custom_names() {
    if (model_.custom_names().empty()) return;
    html_.raw("<section><h2>Names in custom fields</h2>\n");
    sections_.custom_names();
    html_.raw("</section>\n");
  }

  // Writes one article for all named expressions. Those without a name are shown where they are used.
  void expressions() {
    bool is_open = false;
    for (const Expression& expression : model_.expressions()) {
      if (expression.name.empty()) continue;
      if (!is_open) html_.raw("<section><h2>Expressions</h2><article id=\"expressions\"><table>\n");
      is_open = true;
      html_.raw("<tr><th>").text(expression.name).raw("</th><td>");
      html_.code(expression_text(model_, model_.id_of(expression))).raw("</td></tr>\n");
      html_.pause();
    }
    if (is_open) html_.raw("</table></article></section>\n");
  }

  const Model& model_;
  const DocOptions& options_;
  Html html_;
  Sections sections_;
  std::vector<RootPart> parts_;
  std::vector<std::vector<BitsetId>> children_;
};

}  // namespace

bool write_doc(const Model& model, const DocOptions& options, TextSink& sink) {
  return Page(model, options, sink).write();
}

}  // namespace vireo::isa
