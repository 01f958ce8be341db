// SPDX-License-Identifier: Apache-2.0
//
// Generates the complete packer and unpacker. docs/isa-tools.md.
//
// Both have the same frame. For each instruction root with an encode type, a public function selects the code of the
// generation. As in generate.cpp, code is generated for one class of generations after another, and equal code is
// written once.
#include <algorithm>
#include <map>

#include "isa/generate/classes.h"
#include "isa/generate/encode/pack_writer.h"
#include "isa/generate/encode/unpack_writer.h"
#include "isa/generate/header.h"
#include "isa/generate/instruction_writer.h"
#include "isa/generate/maps.h"
#include "isa/generate/runtime/runtime.h"
#include "isa/model/rules.h"

namespace vireo::isa {
namespace generate {
namespace {

enum class Direction : std::uint8_t { Pack, Unpack };

// Returns prototypes of the functions that users have to provide, for a comment, in the order of the roots.
std::string users_part(const Model& model, const Maps& maps, Direction direction) {
  std::string text;
  for (const Bitset& root : model.bitsets()) {
    if (!root.is_root() || !Maps::has_type(root)) continue;
    const std::string type = Maps::type(root);
    if (direction == Direction::Pack && maps.has_choice(root)) {
      text += "     int " + maps.users_function(root, "case") + "(STATE* s, " + type + " src);\n";
    }
    if (direction == Direction::Unpack && UnpackWriter::is_created(model, root)) {
      text += "     " + type + " " + maps.users_function(root, "create") + "(STATE* s, int label);\n";
    }
  }
  return text;
}

// Returns the comment with the requirements for including the header.
std::string note(const Model& model, const GenerateOptions& options, const Maps& maps, Direction direction) {
  const std::string macro = macro_name(options);
  std::string text =
      "\n   It works on structures of the user, which must be declared before this file is included.\n"
      "   These declarations must also precede the include:\n\n";
  text += "     " + macro + "_STATE   a macro: the type that `s` points to in maps; void by default\n";
  text += users_part(model, maps, direction);
  text += "\n   The cases are names of leaves; with `#define " + macro + "_LABELS` this file defines their enum. ";
  return text;
}

// Returns the macro that tests whether an expression is unsigned, because an unsigned number is taken as bits. An enum
// counts as its underlying type in C++, and in C as the integer type that the compiler chose.
std::string is_bits_text(const GenerateOptions& options) {
  if (options.language == GeneratedLanguage::Cpp) { return "#define @IS_BITS(x) @is_bits<decltype(x)>()\n"; }
  return "#define @IS_BITS(x) _Generic((x), _Bool: true, unsigned char: true, unsigned short: true, unsigned int: "
         "true, \\\n"
         "  unsigned long: true, unsigned long long: true, default: false)\n";
}
// Returns the macro that assigns a number to a target of any type. It casts to that type, so that compilers do not warn
// about intended conversions. In C, types that are not listed are assigned without a cast.
std::string_view set_text(const GenerateOptions& options) {
  if (options.language == GeneratedLanguage::Cpp) {
    return "#define @ZERO {}\n"
           "#define @SET(place, value) ((place) = static_cast<std::remove_reference_t<decltype((place))>>(value))\n\n";
  }
  return "#define @ZERO {0}\n"
         "#define @SET(place, value) ((place) = _Generic((place), _Bool: (_Bool)(value), char: (char)(value), \\\n"
         "  signed char: (signed char)(value), unsigned char: (unsigned char)(value), short: (short)(value), \\\n"
         "  unsigned short: (unsigned short)(value), int: (int)(value), unsigned int: (unsigned int)(value), \\\n"
         "  long: (long)(value), unsigned long: (unsigned long)(value), default: (value)))\n\n";
}

// A macro, because a function would lose the type of the map. The macro contains the map twice but evaluates it once:
// querying the type does not evaluate it.
constexpr std::string_view number_macro =
    "#define @NUMBER(bitset, field, low, width, kind, map) \\\n"
    "  @number(k_, bitset, field, low, width, kind, (uint64_t)(map), @IS_BITS(map))\n\n";

constexpr std::string_view cpp_is_bits = R"(
template <typename Type>
constexpr bool is_bits() {
  using Plain = std::remove_cv_t<std::remove_reference_t<Type>>;
  if constexpr (std::is_enum_v<Plain>) return std::is_unsigned_v<std::underlying_type_t<Plain>>;
  else return std::is_unsigned_v<Plain>;
}

)";

std::string pack_interface(const Bitset& root, const std::string& name) {
  return "\n/* Packs an instruction from its structure. `words` has space for @word_count words. Returns the number "
         "of\n"
         "   bits of the instruction; 0 if it was not packed. Faults are in `report`, which may be null. */\n"
         "uint32_t @pack_" +
         name + "(" + Maps::declaration(root) + ", @STATE* s, uint32_t gen, uint64_t* words, @Report* report);\n";
}

// All state is on the stack. One pass fills and checks, because the fields of a case are put before its asserts; an
// encoder needs two passes.
std::string pack_body(const Bitset& root, const std::string& name, const std::string& choice) {
  return "uint32_t @pack_" + name + "(" + Maps::declaration(root) +
         ", @STATE* s, uint32_t gen, uint64_t* words, @Report* report) {\n"
         "  @Packing k;\n  @Params p;\n  memset(&k, 0, sizeof k);\n  memset(&p, 0, sizeof p);\n"
         "  k.state.gen = gen;\n  k.fills = true;\n  k.checks = true;\n" +
         indented(choice) + "  return @finish(&k, " + std::to_string(root.size) + ", words, report);\n}\n\n";
}

std::string unpack_interface(const Bitset& root, const std::string& name) {
  const std::string result = Maps::type(root) + "* to";
  return "\n/* Fills the structure of the instruction in `words`, of " + std::to_string(root.size) +
         " bits. Returns false if there are faults,\n   which are in `report`; it may be null. */\n"
         "bool @unpack_" +
         name + "(const uint64_t* words, uint32_t gen, @STATE* s, " + result + ", @Report* report);\n";
}

// The words are copied into a Packing, because conditions read their bits from a Packing.
std::string unpack_body(const Bitset& root, const std::string& name, const std::string& choice) {
  return "bool @unpack_" + name + "(const uint64_t* words, uint32_t gen, @STATE* s, " + Maps::type(root) +
         "* to, @Report* report) {\n"
         "  @Packing k;\n  @Params p;\n  memset(&k, 0, sizeof k);\n  memset(&p, 0, sizeof p);\n"
         "  k.state.gen = gen;\n  memcpy(k.to.words, words, " +
         std::to_string(words_for(root.size) * 8) + ");\n" + indented(choice) +
         "  if (report != NULL) *report = k.report;\n  return k.report.count == 0;\n}\n\n";
}

// Generates the functions before the frame, because they determine how much memory conditions need.
Result<std::string> generate_maps(const Model& model, const GenerateOptions& options, Direction direction,
                                  Diagnostics& diagnostics) {
  if (const std::optional<Reported> refused = refusal(model, options, diagnostics)) return *refused;
  const Maps maps(model, options);
  if (const std::optional<Reported> refused = maps.refusal(diagnostics)) return *refused;
  Facts facts = measure(model);
  // Tables are small here, so narrow indexes are not tried.
  facts.has_wide_index = true;
  Writer writer;
  MissingMaps missing_maps(diagnostics);
  const bool packs = direction == Direction::Pack;
  HeaderParts parts;
  parts.title = packs ? "A packer" : "An unpacker";
  parts.note = note(model, options, maps, direction);
  parts.cpp_includes = "#include <cstddef>\n#include <cstdint>\n#include <type_traits>\n";
  parts.before = "#ifndef @STATE\n#define @STATE void\n#endif\n#ifdef @LABELS\n" + maps.labels_enum() + "#endif\n\n";
  parts.interface = constant_text(options, "word_count", facts.word_count);
  parts.interface += constant_text(options, "fault_room", fault_room) + "\n";
  parts.interface += fault_interface_text();

  std::string bodies;
  for (const InstructionRoot& row : model.instruction_roots()) {
    const Bitset& root = model[row.root];
    if (!Maps::has_type(root) || (!packs && !root.has_decode)) continue;
    const std::string name = maps.plain_name(root);
    // The code of a class is a call of its function, so classes that share the function are merged.
    const std::vector<ClassCode> classes = code_by_class(model, options, [&](Scopes& scopes) {
      if (packs) return PackWriter(writer, scopes, facts, maps, missing_maps).pack(root) + "(&k, s, &p, src);\n";
      return UnpackWriter(writer, scopes, facts, maps).unpack(root) + "(&k, s, &p, @now(&k), to);\n";
    });
    if (facts.is_too_large) return too_large(diagnostics);
    const std::string none = "@report_fault(&k, @no_such_generation, " + quoted_literal(model.text(root.name)) +
                             ", NULL, gen, 0, " + std::to_string(root.size) + ");\n";
    const std::string choice = choice_by_class(classes, none);
    parts.interface += packs ? pack_interface(root, name) : unpack_interface(root, name);
    bodies += packs ? pack_body(root, name, choice) : unpack_body(root, name, choice);
  }
  // Reports an error instead of generating a header without functions.
  if (bodies.empty()) {
    return packs
               ? diagnostics.error(rule::no_encode_type, Location::none(),
                                   "no root of instructions has an <encode> with a type: there is nothing to pack from")
               : diagnostics.error(rule::no_decode, Location::none(),
                                   "no root of instructions has <decode/> and an <encode> with a type");
  }
  parts.implementation = constant_text(options, "memo_count", facts.memos);
  parts.implementation += constant_text(options, "memo_room", std::max<std::uint32_t>(facts.memos, 1));
  if (options.language == GeneratedLanguage::Cpp) parts.implementation += cpp_is_bits;
  parts.implementation += is_bits_text(options) + std::string(number_macro);
  parts.implementation += word_text(facts.word_count);
  parts.implementation += encoding_text();
  for (const std::string_view part : {bits_text(), arithmetic_text()}) parts.implementation += part;
  if (!packs) {
    parts.implementation +=
        "typedef uint32_t @Index;\n" + constant_text(options, "leaf_child", first_leaf_child(facts));
    parts.implementation += constant_text(options, "list_child", first_list_child(facts));
    for (const std::string_view part : {tree_type_text(), tree_text(), set_text(options)}) parts.implementation += part;
  }
  parts.implementation += maps.params_type() + writer.text() + bodies;
  // Macros are outside of the namespace, so they are expanded before `@`.
  for (std::string* text : {&parts.before, &parts.interface, &parts.implementation}) {
    for (const std::string_view macro : {"STATE", "IS_BITS", "NUMBER", "LABELS", "SET", "ZERO"}) {
      replace_all(*text, "@" + std::string(macro), macro_name(options) + "_" + std::string(macro));
    }
  }
  return header_text(options, parts);
}

}  // namespace
}  // namespace generate

Result<std::string> generate_packer(const Model& model, const GenerateOptions& options, Diagnostics& diagnostics) {
  return generate::generate_maps(model, options, generate::Direction::Pack, diagnostics);
}

Result<std::string> generate_unpacker(const Model& model, const GenerateOptions& options, Diagnostics& diagnostics) {
  return generate::generate_maps(model, options, generate::Direction::Unpack, diagnostics);
}

}  // namespace vireo::isa
