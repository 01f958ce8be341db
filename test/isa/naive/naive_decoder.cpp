// SPDX-License-Identifier: Apache-2.0
//
// Reads a description: files in order, then the chains of bitsets. naive_decode.cpp decodes words.
#include "isa/naive/naive_decoder.h"

#include <algorithm>
#include <cstring>
#include <set>
#include <stdexcept>

namespace vireo::isa::naive {
namespace {

void set_bit(Bits& bits, unsigned at) { bits.limbs[at / 32] |= std::uint32_t{1} << (at % 32); }

}  // namespace

std::string trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t\r\n";
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return "";
  return std::string(text.substr(first, text.find_last_not_of(blanks) - first + 1));
}

std::string text_of(pugi::xml_node node) {
  std::string text;
  for (const pugi::xml_node part : node.children()) text += part.value();
  return text;
}

std::pair<unsigned, unsigned> range_of(pugi::xml_node node) {
  if (const pugi::xml_attribute pos = node.attribute("pos")) return {pos.as_uint(), pos.as_uint()};
  return {node.attribute("low").as_uint(), node.attribute("high").as_uint()};
}

bool is_element(pugi::xml_node node, const char* name) { return std::strcmp(node.name(), name) == 0; }

std::string expression_key(pugi::xml_node with_expression) {
  if (with_expression.attribute("expr")) return with_expression.attribute("expr").value();
  const pugi::xml_node inline_one = with_expression.child("expr");
  if (inline_one.attribute("name")) return inline_one.attribute("name").value();
  return "inline " + std::to_string(inline_one.hash_value());
}

Bits bits_of(std::uint64_t value, unsigned width) {
  Bits bits{std::vector<std::uint32_t>((width + 31) / 32), width};
  for (unsigned at = 0; at < width && at < 64; ++at) {
    if (((value >> at) & 1) != 0) set_bit(bits, at);
  }
  return bits;
}

Bits Bits::slice(unsigned low, unsigned high) const {
  Bits part{std::vector<std::uint32_t>((high - low) / 32 + 1), high - low + 1};
  for (unsigned at = low; at <= high; ++at) {
    if (bit(at)) set_bit(part, at - low);
  }
  return part;
}

std::uint64_t Bits::low64() const {
  const std::uint64_t high = limbs.size() > 1 ? limbs[1] : 0;
  return (high << 32) | (limbs.empty() ? 0 : limbs[0]);
}

bool Bits::is_zero() const {
  return std::all_of(limbs.begin(), limbs.end(), [](std::uint32_t limb) { return limb == 0; });
}

Isa Isa::load(const std::filesystem::path& file) {
  Isa isa;
  isa.read_file(file, file.parent_path());
  isa.resolve();
  return isa;
}

void Isa::read_file(const std::filesystem::path& file, const std::filesystem::path& top) {
  auto document = std::make_unique<pugi::xml_document>();
  if (const pugi::xml_parse_result result = document->load_file(file.c_str()); !result)
    throw std::runtime_error(file.string() + ": " + result.description());
  const pugi::xml_node isa = document->document_element();
  files_.push_back(std::move(document));

  for (const pugi::xml_node import : isa.children("import")) {
    const std::filesystem::path name = import.attribute("file").value();
    const std::filesystem::path beside = file.parent_path() / name;
    read_file(std::filesystem::exists(beside) ? beside : top / name, top);
  }
  for (const pugi::xml_node node : isa.children("expr")) expressions_[node.attribute("name").value()] = text_of(node);
  for (const pugi::xml_node node : isa.children("template"))
    templates_[node.attribute("name").value()] = trimmed(text_of(node));
  for (const pugi::xml_node node : isa.children("enum")) enums_[node.attribute("name").value()] = node;
  for (const pugi::xml_node node : isa.children("bitset")) read_bitset(node);
  for (const pugi::xml_node node : isa.children("encoding")) read_encoding(node);
}

void Isa::read_bitset(pugi::xml_node node) {
  auto bitset = std::make_unique<Bitset>();
  bitset->node = node;
  bitset->name = node.attribute("name").value();
  bitset->size = node.attribute("size").as_uint();
  by_name_[bitset->name] = bitset.get();
  bitset->shown_name = node.attribute("displayname") ? node.attribute("displayname").value() : bitset->name;
  for (const pugi::xml_node override_node : node.children("override")) {
    bitset->cases.push_back(read_case(override_node));
    bitset->cases.back().condition = expression_key(override_node);
    expressions_.emplace(bitset->cases.back().condition, text_of(override_node.child("expr")));
  }
  bitset->cases.push_back(read_case(node));
  bitsets_.push_back(std::move(bitset));
}

Case Isa::read_case(pugi::xml_node node) {
  Case one_case;
  for (const pugi::xml_node child : node.children()) {
    if (is_element(child, "assert")) one_case.asserts.push_back(child);
    if (is_element(child, "field") || is_element(child, "derived")) {
      // The later of two fields with one name is used, so it must be found first.
      one_case.fields.emplace(one_case.fields.begin(), child.attribute("name").value(), child);
    }
    if (is_element(child, "derived")) expressions_.emplace(expression_key(child), text_of(child.child("expr")));
    if (is_element(child, "display")) {
      one_case.display = trimmed(text_of(child));
      one_case.has_display = true;
    }
  }
  return one_case;
}

void Isa::resolve() {
  std::set<const Bitset*> parents;
  for (const auto& bitset : bitsets_) {
    const std::string extends = bitset->node.attribute("extends").value();
    if (extends.empty()) continue;
    if (by_name_.count(extends) == 0) throw std::runtime_error(bitset->name + " extends nothing known: " + extends);
    bitset->parent = by_name_.at(extends);
    parents.insert(bitset->parent);
  }
  for (const auto& bitset : bitsets_) {
    for (Case& one_case : bitset->cases) one_case.display = expand_templates(one_case.display);
    bitset->is_leaf = parents.count(bitset.get()) == 0;
    bitset->size = bitset->root().size;
    bitset->mask = bitset->match = bitset->dont_care = bits_of(0, bitset->size);
    for (const Bitset* up = bitset.get(); up != nullptr; up = up->parent) {
      for (const pugi::xml_node gen : up->node.children("gen")) {
        bitset->gen_min = std::max(bitset->gen_min, gen.attribute("min").as_uint(0));
        bitset->gen_max = std::min(bitset->gen_max, gen.attribute("max").as_uint(0xFFFFFFFF));
      }
      for (const pugi::xml_node pattern : up->node.children("pattern")) {
        const std::string text = trimmed(text_of(pattern));
        const auto [low, high] = range_of(pattern);
        if (text.size() != high - low + 1) throw std::runtime_error(up->name + ": pattern of a wrong length");
        for (unsigned at = low; at <= high; ++at) {
          set_bit(bitset->mask, at);
          if (text[high - at] == '1') set_bit(bitset->match, at);
          if (text[high - at] == 'x') set_bit(bitset->dont_care, at);
        }
      }
    }
  }
  // In the order in which leaf names first occur; leaves of one name in file order.
  std::vector<std::string> names;
  for (const auto& bitset : bitsets_) {
    if (std::find(names.begin(), names.end(), bitset->name) == names.end()) names.push_back(bitset->name);
  }
  for (const std::string& name : names) {
    for (const auto& bitset : bitsets_) {
      if (bitset->is_leaf && bitset->name == name) leaves_[&bitset->root()].push_back(bitset.get());
    }
  }
  if (!instruction_roots_.empty()) return;
  if (by_name_.count("#instruction") == 0) throw std::runtime_error("no bitset '#instruction'");
  instruction_roots_.push_back({by_name_.at("#instruction")});
  unit_ = (instruction_roots_[0].root->size + 7) / 8 * 8;
}

void Isa::read_encoding(pugi::xml_node node) {
  unit_ = node.attribute("unit").as_uint();
  for (const pugi::xml_node row : node.children("root"))
    instruction_roots_.push_back({by_name_.at(row.attribute("name").value()), trimmed(text_of(row.child("pattern")))});
}

std::string Isa::expand_templates(std::string display) const {
  for (const auto& [name, text] : templates_) {
    const std::string spec = "{" + name + "}";
    for (std::size_t at = display.find(spec); at != std::string::npos; at = display.find(spec)) {
      display.replace(at, spec.size(), text);
      return expand_templates(display);
    }
  }
  return display;
}

}  // namespace vireo::isa::naive
