// SPDX-License-Identifier: Apache-2.0
//
// Reference pages: well-formed and complete, with valid links, and with the text of descriptions escaped.
#include "vireo/isa/doc.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <pugixml.hpp>
#include <set>
#include <string>

#include "outside.h"
#include "vireo/isa/load.h"

namespace vireo::isa {
namespace {

namespace fs = std::filesystem;

std::string page_of(const Model& model, DocOptions options = {}) {
  StringSink sink;
  EXPECT_TRUE(write_doc(model, options, sink));
  return sink.text();
}

// Checks a page and returns the number of its articles.
std::size_t check_page(const std::string& page, const std::string& where) {
  pugi::xml_document document;
  const pugi::xml_parse_result result =
      document.load_buffer(page.data(), page.size(), pugi::parse_default | pugi::parse_doctype);
  EXPECT_TRUE(result) << where << ": " << result.description() << " at " << result.offset;
  std::set<std::string> ids;
  for (const pugi::xpath_node& node : document.select_nodes("//@id"))
    EXPECT_TRUE(ids.insert(node.attribute().value()).second) << where << ": " << node.attribute().value() << " twice";
  for (const pugi::xpath_node& node : document.select_nodes("//@href")) {
    const std::string target = node.attribute().value();
    EXPECT_TRUE(target.starts_with("#") && ids.count(target.substr(1)) == 1) << where << ": " << target;
  }
  for (const pugi::xpath_node& node : document.select_nodes("//*[local-name()='svg']/@aria-labelledby"))
    EXPECT_EQ(ids.count(node.attribute().value()), 1u) << where << ": " << node.attribute().value();
  // The page loads no external resource.
  EXPECT_TRUE(document.select_nodes("//@src | //link | //object | //iframe | //img").empty()) << where;
  EXPECT_EQ(page.find("url("), std::string::npos) << where;
  EXPECT_EQ(document.select_nodes("//script").size(), 1u) << where;
  return document.select_nodes("//article").size();
}

TEST(Doc, teaching_descriptions_have_valid_pages) {
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(outside::source_folder() / "data/isa")) {
    if (entry.path().extension() != ".xml") continue;
    const LoadedModel loaded = load_model(entry.path().string());
    if (!loaded.ok()) continue;  // only imported by others
    EXPECT_GT(check_page(page_of(loaded.model), entry.path().string()), 0u) << entry.path();
  }
}

TEST(Doc, real_descriptions_have_valid_pages) {
  const auto shared = outside::shared_folder();
  if (!shared) GTEST_SKIP() << outside::no_shared;
  for (const std::string name : {"ir3", "afuc", "etnaviv"}) {
    const LoadedModel loaded =
        load_model((*shared / "isa/mesa" / (name + ".xml")).string(), {.mesa_compat = true, .read = {}});
    ASSERT_TRUE(loaded.ok()) << name;
    const std::string page = page_of(loaded.model);
    EXPECT_GT(check_page(page, name), 80u);
    EXPECT_EQ(page, page_of(loaded.model)) << name;
  }
}

// Aliases are listed at their leaf or value, marks and defaults at their field or case.
TEST(Doc, assembler_attributes_are_documented) {
  const LoadedModel loaded = load_model((outside::source_folder() / "data/isa/spellings.xml").string());
  const std::string page = page_of(loaded.model);
  for (const std::string_view part :
       {"Also written <code>plus</code>", "also reads</th><td><code>ret</code>", "<code>.eq</code> or <code>.z</code>",
        "default 2", "default -3", "Never assembled.", "never assembled</td>", "Preferred if",
        "<td><code>control…</code></td><td>16</td><td><code>STATUS</code></td>"}) {
    EXPECT_NE(page.find(part), std::string::npos) << part;
  }
  const LoadedModel plain = load_model((outside::source_folder() / "data/isa/choices.xml").string());
  for (const std::string_view part : {"Also written", "also reads", "default ", "ssembled", "Names in custom fields"})
    EXPECT_EQ(page_of(plain.model).find(part), std::string::npos) << part;
}

TEST(Doc, every_bitset_and_enum_has_an_entry) {
  const LoadedModel loaded = load_model((outside::source_folder() / "data/isa/choices.xml").string());
  const std::string page = page_of(loaded.model);
  for (const Bitset& bitset : loaded.model.bitsets()) {
    const std::string name(loaded.model.text(bitset.name));
    EXPECT_NE(page.find("<h3><code>" + name + "</code>"), std::string::npos) << name;
  }
  EXPECT_NE(page.find("<h3><code>#special</code></h3>"), std::string::npos);
  EXPECT_NE(page.find("$cause"), std::string::npos);
}

TEST(Doc, variants_share_an_article_with_badges) {
  const LoadedModel loaded = load_model((outside::source_folder() / "data/isa/gens.xml").string());
  const std::string page = page_of(loaded.model);
  pugi::xml_document document;
  ASSERT_TRUE(document.load_buffer(page.data(), page.size(), pugi::parse_default | pugi::parse_doctype));
  const pugi::xml_node dec = document.select_node("//article[@id='b-dec']").node();
  std::string badges;
  for (const pugi::xml_node& variant : dec.children("div")) {
    badges += variant.child("span").text().get() + std::string("; ");
    EXPECT_FALSE(variant.child("figure").child("svg").empty());
  }
  EXPECT_EQ(badges, "up to generation 1; from generation 2; ");

  // A single generation has a single variant, and missing instructions are omitted.
  const std::string third = page_of(loaded.model, {.title = "third", .gen = 3});
  EXPECT_EQ(check_page(third, "gens 3"), check_page(page, "gens") - 1);  // without swap.old
  EXPECT_EQ(third.find("swap"), std::string::npos);
  EXPECT_EQ(third.find("up to generation 1"), std::string::npos);
}

// All texts of a description, with markup in each.
std::string hostile() {
  const std::string evil = "&lt;/code&gt;&lt;script&gt;alert(1)&lt;/script&gt;&quot;&apos;&amp;lt;";
  const std::string doc = "<doc>" + evil + "]]&gt;--&gt;</doc>";
  std::string xml = "<isa><enum name=\"E" + evil + "\">" + doc + "<value val=\"0\" name=\"n" + evil + "\" display=\"d" +
                    evil + "\">" + doc + "</value></enum>";
  xml += "<expr name=\"X" + evil + "\">1 /* " + evil + " */</expr>";
  xml +=
      "<bitset name=\"R" + evil + "\" size=\"8\" displayname=\"N" + evil + "\">" + doc + "<meta k=\"" + evil + "\"/>";
  xml += "<display>L" + evil + " {F" + evil + "}</display><override expr=\"X" + evil + "\">" + doc;
  xml += "<derived name=\"D" + evil + "\" type=\"bool\" display=\"" + evil + "\" expr=\"X" + evil + "\">" + doc +
         "</derived></override>";
  xml += "<field name=\"F" + evil + "\" low=\"0\" high=\"7\" type=\"E" + evil + "\">" + doc + "</field></bitset>";
  xml +=
      "<bitset name=\"#instruction\" size=\"8\"><display>{A}</display><field name=\"A\" low=\"0\" high=\"7\" type=\"R" +
      evil + "\"><param name=\"A\" as=\"P" + evil + "\"/></field></bitset></isa>";
  return xml;
}

TEST(Doc, text_is_escaped) {
  const LoadedModel loaded = load_model_text("x", hostile(), {.mesa_compat = true, .read = {}});
  for (const SourceFile& file : loaded.files)
    for (const Diagnostic& d : file.diagnostics.all()) EXPECT_NE(d.severity, Severity::Error) << d.message;
  ASSERT_TRUE(loaded.ok());
  const std::string title = "</title><script>alert(2)</script>";
  const std::string page = page_of(loaded.model, {.title = title});
  EXPECT_GT(check_page(page, "hostile"), 0u);
  EXPECT_EQ(page.find("<script>alert"), std::string::npos);
  pugi::xml_document document;
  ASSERT_TRUE(document.load_buffer(page.data(), page.size(), pugi::parse_default | pugi::parse_doctype));
  EXPECT_EQ(document.select_node("//title").node().text().get(), title);
  const std::set<std::string> allowed = {"html",  "head",  "meta",   "title", "style",   "body",    "header",  "h1",
                                         "p",     "label", "input",  "nav",   "details", "summary", "small",   "ul",
                                         "li",    "a",     "code",   "main",  "section", "h2",      "article", "h3",
                                         "div",   "span",  "figure", "svg",   "text",    "rect",    "line",    "table",
                                         "thead", "tbody", "tr",     "th",    "td",      "script"};
  for (const pugi::xpath_node& node : document.select_nodes("//*"))
    EXPECT_EQ(allowed.count(node.node().name()), 1u) << node.node().name();
  for (const pugi::xpath_node& node : document.select_nodes("//@*"))
    EXPECT_FALSE(std::string_view(node.attribute().name()).starts_with("on")) << node.attribute().name();
}

struct Full final : TextSink {
  bool write(std::string_view) override { return false; }
};

TEST(Doc, a_full_disk_is_reported) {
  const LoadedModel loaded = load_model((outside::source_folder() / "data/isa/tiny16.xml").string());
  Full sink;
  EXPECT_FALSE(write_doc(loaded.model, {}, sink));
}

}  // namespace
}  // namespace vireo::isa
