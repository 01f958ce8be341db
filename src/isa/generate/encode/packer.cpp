// SPDX-License-Identifier: Apache-2.0
//
// The generated packer and unpacker, from the first line to the last. docs/isa-tools.md.
//
// Both come in the same frame and have the same shape: for each root of instructions that has an encode type one function
// for callers, which looks the generation up and hands on. As everywhere (generate.cpp), code is made for one class of
// generations after another, and what does not change between them exists once.
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

// What users have to write themselves, as a remark.
// Prototypes, in the order of the roots, for people to copy.
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

// What a reader of the header has to know before including it.
std::string note(const Model& model, const GenerateOptions& options, const Maps& maps, Direction direction) {
  const std::string macro = macro_name(options);
  std::string text = "\n   The structures it works on are the user's, and declared before it is included. So are\n\n";
  text += "     " + macro + "_STATE   the type of what `s` points to in maps: a macro; void, if nobody says\n";
  text += users_part(model, maps, direction);
  text += "\n   with the names of leaves as cases; with `#define " + macro + "_LABELS` this file defines their enum. ";
  return text;
}

// C asks for the type of an expression in one way, C++ in another: a number without a sign is taken as bits.
// An enum counts by its underlying type in C++, and in C by the integer that the compiler took for it.
std::string is_bits_text(const GenerateOptions& options) {
  if (options.language == GeneratedLanguage::Cpp) { return "#define @IS_BITS(x) @is_bits<decltype(x)>()\n"; }
  return "#define @IS_BITS(x) _Generic((x), _Bool: true, unsigned char: true, unsigned short: true, unsigned int: "
         "true, \\\n"
         "  unsigned long: true, unsigned long long: true, default: false)\n";
}
// Assigns a number to a place of any type.
// A cast to the type of the place, so that compilers do not warn of what the description has meant. In C a type that
// the list lacks is assigned to as it is.
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

// A macro, for a function would lose the type of the map. The map stands in it twice and is computed once: a type is
// asked of without evaluating.
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
  return "\n/* Packs an instruction from its structure. `words` has room for @word_count words. Gives the bits of the\n"
         "   instruction; 0: it was not packed, and `report`, which may be null, says why. */\n"
         "uint32_t @pack_" +
         name + "(" + Maps::declaration(root) + ", @STATE* s, uint32_t gen, uint64_t* words, @Report* report);\n";
}

// What is asked and what is made is on the stack of the caller's thread; nothing is kept from one instruction to the next.
// Both fill and judge in one go: fields of a case are put before its asserts, so there is no second pass as encoders
// have.
std::string pack_body(const Bitset& root, const std::string& name, const std::string& choice) {
  return "uint32_t @pack_" + name + "(" + Maps::declaration(root) +
         ", @STATE* s, uint32_t gen, uint64_t* words, @Report* report) {\n"
         "  @Packing k;\n  @Params p;\n  memset(&k, 0, sizeof k);\n  memset(&p, 0, sizeof p);\n"
         "  k.state.gen = gen;\n  k.fills = true;\n  k.judges = true;\n" +
         indented(choice) + "  return @finish(&k, " + std::to_string(root.size) + ", words, report);\n}\n\n";
}

std::string unpack_interface(const Bitset& root, const std::string& name) {
  const std::string result = Maps::type(root) + "* to";
  return "\n/* Fills the structure of the instruction in `words`, of " + std::to_string(root.size) +
         " bits. False: nothing matches; `report`, which may be null, says\n   where. */\n"
         "bool @unpack_" +
         name + "(const uint64_t* words, uint32_t gen, @STATE* s, " + result + ", @Report* report);\n";
}

// Words are copied into a Packing because conditions are asked of one, whichever way the program goes.
std::string unpack_body(const Bitset& root, const std::string& name, const std::string& choice) {
  return "bool @unpack_" + name + "(const uint64_t* words, uint32_t gen, @STATE* s, " + Maps::type(root) +
         "* to, @Report* report) {\n"
         "  @Packing k;\n  @Params p;\n  memset(&k, 0, sizeof k);\n  memset(&p, 0, sizeof p);\n"
         "  k.state.gen = gen;\n  memcpy(k.to.words, words, " +
         std::to_string(words_for(root.size) * 8) + ");\n" + indented(choice) +
         "  if (report != NULL) *report = k.report;\n  return k.report.count == 0;\n}\n\n";
}

// Functions first, for it is they who find out how much memory conditions need; then the frame around them.
Result<std::string> generate_maps(const Model& model, const GenerateOptions& options, Direction direction,
                                  Diagnostics& diagnostics) {
  if (const std::optional<Reported> refused = refusal(model, options, diagnostics)) return *refused;
  const Maps maps(model, options);
  if (const std::optional<Reported> refused = maps.refusal(diagnostics)) return *refused;
  Facts facts = measure(model);
  // Tables are small here, so there is no attempt with narrow indexes.
  facts.has_wide_index = true;
  Writer writer;
  MissedMaps missed(diagnostics);
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
    // What a class gives is the call of its function; classes that share code share the call, and so become one.
    const std::vector<ClassCode> classes = code_by_class(model, options, [&](Scopes& scopes) {
      if (packs) return PackWriter(writer, scopes, facts, maps, missed).pack(root) + "(&k, s, &p, src);\n";
      return UnpackWriter(writer, scopes, facts, maps).unpack(root) + "(&k, s, &p, @now(&k), to);\n";
    });
    if (facts.is_too_large) return too_large(diagnostics);
    const std::string none = "@complain(&k, @no_such_generation, " + quoted_literal(model.text(root.name)) +
                             ", NULL, gen, 0, " + std::to_string(root.size) + ");\n";
    const std::string choice = choice_by_class(classes, none);
    parts.interface += packs ? pack_interface(root, name) : unpack_interface(root, name);
    bodies += packs ? pack_body(root, name, choice) : unpack_body(root, name, choice);
  }
  // Not a header without functions: whoever asked for one has to hear why.
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
  // Macros stand outside of the namespace, so these are spelled before `@` is.
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
