// SPDX-License-Identifier: Apache-2.0
//
// A second decoder and printer of ISA descriptions: slow, linear, obvious. The tests compare the library with it.
//
// A direct implementation of the rules of docs/isaspec.md. It keeps the XML and reads its attributes for
// every word, tries every leaf in turn, looks up names by comparing strings and evaluates every expression from its
// text. It shares no code with src/isa, so it does not share its errors.
//
// Test code, not part of the library: it recurses on its input, throws, and assumes that the description is well
// formed.
//
//   const naive::Isa isa = naive::Isa::load("data/isa/tiny16.xml");
//   std::string text = isa.disassemble(bytes, {.gen = 2, .labels = true});
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <pugixml.hpp>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace vireo::isa::naive {

/// A number of any width, bit 0 first.
struct Bits {
  std::vector<std::uint32_t> limbs;
  unsigned width = 0;

  [[nodiscard]] bool bit(unsigned at) const { return ((limbs[at / 32] >> (at % 32)) & 1) != 0; }
  [[nodiscard]] Bits slice(unsigned low, unsigned high) const;
  [[nodiscard]] std::uint64_t low64() const;
  [[nodiscard]] bool is_zero() const;
};

[[nodiscard]] Bits bits_of(std::uint64_t value, unsigned width);

// Helpers on XML elements, used by both files.
[[nodiscard]] std::string trimmed(std::string_view text);
[[nodiscard]] std::string text_of(pugi::xml_node node);
[[nodiscard]] std::pair<unsigned, unsigned> range_of(pugi::xml_node node);  ///< low, high
[[nodiscard]] bool is_element(pugi::xml_node node, const char* name);
[[nodiscard]] std::string expression_key(pugi::xml_node with_expression);  ///< of an `<override>` or `<derived>`

struct Options {
  std::uint32_t gen = 0;
  bool errors = true;       ///< show annotations
  unsigned max_errors = 0;  ///< stop after more than so many bad instructions in a row; 0: no limit
  bool labels = false;
  bool mesa = false;              ///< the behaviour of Mesa's decoder instead of our rules
  bool roundtrip_floats = false;  ///< the float format of newer versions of Mesa
  std::vector<std::pair<std::string, std::size_t>> entrypoints = {};  ///< name, instruction
  std::function<std::string(std::string_view name, std::uint64_t value)> custom = {};
  std::function<std::string(const Bits& word)> no_match = {};                ///< instead of the line `no match: …`
  std::function<std::string(std::size_t at, const Bits& word)> before = {};  ///< before every line
  std::function<std::string(std::size_t at, const Bits& word)> after = {};   ///< after the annotations
};

/// One of the alternatives in a bitset.
struct Case {
  std::string condition = {};                                       ///< key of an expression; empty: the default case
  std::vector<std::pair<std::string, pugi::xml_node>> fields = {};  ///< `<field>` and `<derived>` by name
  std::vector<pugi::xml_node> asserts = {};
  std::string display = {};
  bool has_display = false;
};

struct Bitset {
  pugi::xml_node node;
  std::string name;
  std::string shown_name;        ///< displayname, else name
  std::vector<Case> cases = {};  ///< the default is the last
  const Bitset* parent = nullptr;
  unsigned size = 0;
  std::uint32_t gen_min = 0;  // of the whole chain
  std::uint32_t gen_max = 0xFFFFFFFF;
  bool is_leaf = true;
  Bits mask = {}, match = {}, dont_care = {};  // of the whole chain

  [[nodiscard]] const Bitset& root() const { return parent == nullptr ? *this : parent->root(); }
};

/// `#instruction`, or a row of `<encoding>`.
struct InstructionRoot {
  const Bitset* root = nullptr;
  std::string pattern = {};  ///< for the next lowest bits, leftmost the highest; empty: the leaves decide
};

class Isa {
 public:
  static Isa load(const std::filesystem::path& file);  ///< throws std::runtime_error

  /// Disassembles a whole program; every line ends with a line feed.
  [[nodiscard]] std::string disassemble(std::span<const std::uint8_t> bytes, const Options& options) const;

  /// The number of bits in which program positions are counted: the size of an instruction if all have the same size.
  [[nodiscard]] unsigned unit() const { return unit_; }
  [[nodiscard]] const std::vector<InstructionRoot>& instruction_roots() const { return instruction_roots_; }
  [[nodiscard]] const std::vector<std::unique_ptr<Bitset>>& bitsets() const { return bitsets_; }

 private:
  friend class Decode;

  void read_file(const std::filesystem::path& file, const std::filesystem::path& top);
  void read_bitset(pugi::xml_node node);
  [[nodiscard]] Case read_case(pugi::xml_node node);
  void read_encoding(pugi::xml_node node);
  void resolve();
  [[nodiscard]] std::string expand_templates(std::string display) const;
  [[nodiscard]] std::vector<const Bitset*> leaves_of(const Bitset& root) const;

  std::vector<std::unique_ptr<pugi::xml_document>> files_;
  std::vector<std::unique_ptr<Bitset>> bitsets_;
  std::map<std::string, pugi::xml_node, std::less<>> enums_;
  std::map<std::string, std::string, std::less<>> expressions_;
  std::map<std::string, std::string, std::less<>> templates_;
  std::map<std::string, const Bitset*, std::less<>> by_name_;
  std::map<const Bitset*, std::vector<const Bitset*>> leaves_;  // by root
  std::vector<InstructionRoot> instruction_roots_;
  unsigned unit_ = 0;
};

}  // namespace vireo::isa::naive
