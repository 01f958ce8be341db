// SPDX-License-Identifier: Apache-2.0
//
// Generates the complete encoder: types, one `encode` for each leaf, and the code that places and checks.
// docs/isa-tools.md, "generate --what encoder".
#include <algorithm>
#include <map>

#include "isa/generate/classes.h"
#include "isa/generate/encode/encode_writer.h"
#include "isa/generate/header.h"
#include "isa/generate/runtime/runtime.h"
#include "isa/model/rules.h"

namespace vireo::isa {
namespace generate {
namespace {

class EncoderFile {
 public:
  EncoderFile(const Model& model, const GenerateOptions& options)
      : model_(model), options_(options), names_(model), layouts_(model, names_), types_(model, names_, layouts_) {}

  void write();
  [[nodiscard]] bool is_too_large() const { return facts_.is_too_large; }
  [[nodiscard]] std::string text() const;

 private:
  void find_leaves();
  void find_nested(const Bitset& leaf);
  [[nodiscard]] std::string encode_text(const Bitset& leaf, bool is_instruction);

  const Model& model_;
  const GenerateOptions& options_;
  CppNames names_;
  StructLayouts layouts_;
  TypeWriter types_;
  Facts facts_ = measure(model_);
  Writer check_code_;
  std::vector<const Bitset*> instructions_;  // leaves, in the order of their tables
  std::vector<const Bitset*> nested_;
  std::map<const Bitset*, std::vector<ClassCode>> checks_;
  std::string bodies_;
};

// Collects the operands of a leaf, each before the operands that it contains. Bitsets do not contain themselves, so the
// recursion ends. The time is quadratic in the number of operands, which is a few dozen.
void EncoderFile::find_nested(const Bitset& leaf) {
  for (const StructMember& member : layouts_[leaf].members) {
    if (member.field->type != FieldType::Bitset) continue;
    for (const BitsetId id : model_.leaves(model_[member.field->bitset])) {
      if (std::find(nested_.begin(), nested_.end(), &model_[id]) != nested_.end()) continue;
      nested_.push_back(&model_[id]);
      find_nested(model_[id]);
    }
  }
}

// A leaf of several instruction roots is listed once. A leaf that is both an instruction and an operand is listed as an
// instruction.
void EncoderFile::find_leaves() {
  // Any generation of a class represents all of them.
  const std::vector<GenRange> classes = requested_classes(model_, options_);
  for (const InstructionRoot& row : model_.instruction_roots()) {
    for (const BitsetId id : model_.leaves(model_[row.root])) {
      const Bitset* leaf = &model_[id];
      const bool exists =
          std::any_of(classes.begin(), classes.end(), [&](GenRange g) { return leaf->gens.contains(g.min); });
      if (exists && std::find(instructions_.begin(), instructions_.end(), leaf) == instructions_.end()) {
        instructions_.push_back(leaf);
      }
    }
  }
  for (const Bitset* leaf : instructions_) find_nested(*leaf);
  const auto is_instruction = [&](const Bitset* leaf) {
    return std::find(instructions_.begin(), instructions_.end(), leaf) != instructions_.end();
  };
  nested_.erase(std::remove_if(nested_.begin(), nested_.end(), is_instruction), nested_.end());
}

// Types do not depend on the generation; checks do, and are generated for each class.
void EncoderFile::write() {
  find_leaves();
  for (const Bitset* leaf : instructions_) types_.write_leaf(*leaf);
  // The loop over classes is the outer one, so that conditions are folded once per class for all leaves.
  for (const GenRange gens : requested_classes(model_, options_)) {
    Scopes scopes(model_, gens, Scopes::Mode::Standard);
    CheckWriter writer(check_code_, scopes, facts_, names_, layouts_);
    for (const Bitset* leaf : instructions_) {
      // A class is completely inside or outside of a leaf's generations, so its first generation represents it.
      if (leaf->gens.contains(gens.min)) add_class(checks_[leaf], gens, writer.check(*leaf));
      if (facts_.is_too_large) return;
    }
  }
  for (const Bitset* leaf : nested_) bodies_ += encode_text(*leaf, false);
  for (const Bitset* leaf : instructions_) bodies_ += encode_text(*leaf, true);
}

// An operand alone is only placed, because its params depend on the enclosing instruction. An instruction is checked in
// a second pass, because bits of asserts may change the conditions.
std::string EncoderFile::encode_text(const Bitset& leaf, bool is_instruction) {
  const std::string size = std::to_string(leaf.size);
  std::string text = "Encoded encode(const " + names_.leaf(leaf) + "& given, std::uint32_t gen) {\n";
  text += "  Packing k = begin(gen);\n  place(k, 0, given);\n";
  if (is_instruction) {
    const std::string none = "no_generation(k, " + quoted_literal(leaf.display_name) + ", " + size + ");\n";
    text += "  for (int pass = 0; pass < 2; ++pass) {\n    begin_pass(k, pass);\n";
    text += indented(indented(choice_by_class(checks_[&leaf], none))) + "  }\n";
  }
  return text + "  return finished(k, " + size + ");\n}\n\n";
}

// --- parts common to all encoders ---------------------------------------------------------------------------------------

// The public types of every encoder. Half is a separate type, so that its bits are not converted like a number. Encoded
// uses no heap memory, so word_count and fault_room must be constants.
constexpr std::string_view public_types = R"(
/* A leaf of the description: its name there, and the generations that have it. */
struct Leaf {
  const char* name;
  std::uint32_t first_gen;
  std::uint32_t last_gen;
};

/* A member of a struct: its name and type in the description, its bits within the leaf; width 0 if it is derived. */
struct Member {
  const char* name;
  const char* type;
  std::uint32_t low;
  std::uint32_t width;
};

/* An IEEE number of 16 bits. */
struct Half {
  std::uint16_t bits = 0;
  static Half nearest(float value); /* ties to even */
};

/* The word; `bits` is 0 if there were faults, and `report` lists them. */
struct Encoded {
  std::uint64_t words[word_count] = {};
  std::uint32_t bits = 0;
  Report report = {};
  explicit operator bool() const { return bits != 0; }
};

)";

// Half::nearest works on bits, because C++17 has no 16-bit float type. The smallest normal half has the exponent -14,
// which is 113 with the bias of a single; a subnormal half has fewer digits. A carry out of the digits correctly
// increments the exponent. `solve` reverses a Solution; a value with bits that no part covers has no encoding. `place`
// for variants is a template, so it may call functions of leaves that are defined after it.
constexpr std::string_view placing_text =
    R"(/* --- placing ---------------------------------------------------------------------------------------------- */

struct Part {
  unsigned low;
  unsigned value_low;
  unsigned width;
};

static inline Packing begin(std::uint32_t gen) {
  Packing k;
  memset(&k, 0, sizeof k);
  k.state.gen = gen;
  return k;
}
/* The first pass sets unclaimed bits of asserts; the second checks the resulting word. */
static inline void begin_pass(Packing& k, int pass) {
  k.fills = pass == 0;
  k.checks = pass == 1;
}
static inline Encoded finished(const Packing& k, std::uint32_t bits) {
  Encoded result;
  result.bits = finish(&k, bits, result.words, &result.report);
  return result;
}
static inline void wrong_case(Packing& k, const char* bitset, const char* field, unsigned low, unsigned width) {
  if (k.checks) report_fault(&k, FaultKind::other_case, bitset, field, 0, low, width);
}
static inline void unknown_case_in(Packing& k, const char* bitset, const char* field, unsigned low, unsigned width) {
  if (k.checks) report_fault(&k, FaultKind::unknown_case, bitset, field, 0, low, width);
}
static inline void no_generation(Packing& k, const char* bitset, unsigned width) {
  if (k.checks) report_fault(&k, FaultKind::no_such_generation, bitset, nullptr, k.state.gen, 0, width);
}

static inline std::uint64_t bits_of(Half value) { return value.bits; }
static inline std::uint64_t bits_of(float value) {
  std::uint32_t bits = 0;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}
Half Half::nearest(float value) {
  const std::uint32_t bits = static_cast<std::uint32_t>(bits_of(value));
  const std::uint32_t sign = bits >> 16 & 0x8000u;
  const std::uint32_t size = bits & 0x7FFFFFFFu;
  std::uint32_t half = 0;
  if (size > 0x7F800000u) half = 0x7E00u | (size >> 13 & 0x3FFu);
  else if (size >= 0x477FF000u) half = 0x7C00u; /* rounds to infinity */
  else if (size < 0x33000001u) half = 0;        /* rounds to zero */
  else {
    const std::uint32_t exponent = size >> 23;
    const std::uint32_t digits = (size & 0x7FFFFFu) | 0x800000u;
    const unsigned drop = exponent > 112 ? 13u : 126u - exponent;
    const std::uint32_t kept = digits >> drop;
    const std::uint32_t rest = digits & ((1u << drop) - 1);
    const std::uint32_t middle = 1u << (drop - 1);
    half = kept + (exponent > 112 ? (exponent - 113) << 10 : 0u);
    if (rest > middle || (rest == middle && (kept & 1) != 0)) ++half;
  }
  Half result;
  result.bits = static_cast<std::uint16_t>(sign | half);
  return result;
}

/* More than 64 bits. */
static inline void wide(Packing& k, const char* bitset, const char* field, unsigned low, unsigned width,
                        const std::uint64_t* words) {
  bool agrees = true;
  for (unsigned at = 0; at < width; at += 64) {
    const unsigned rest = width - at < 64 ? width - at : 64;
    if (words[at / 64] > low_mask(rest)) {
      report_fault(&k, FaultKind::out_of_range, bitset, field, words[at / 64], low, width);
      return;
    }
    if (!claim(&k.to, low + at, rest, ~std::uint64_t{0}, words[at / 64])) agrees = false;
  }
  if (!agrees) report_fault(&k, FaultKind::two_values, bitset, field, words[0], low, width);
}

/* Decomposes a derived value: without its constant, it consists of bits of fields. */
template <std::size_t Count>
static inline void solve(Packing& k, const char* bitset, const char* field, unsigned at, const Part (&parts)[Count],
                         std::uint64_t value, std::int64_t constant, unsigned sign_width) {
  std::uint64_t rest = value - static_cast<std::uint64_t>(constant);
  bool fits_in = sign_width == 0 || fits(value, false, sign_width, signed_number);
  if (sign_width != 0) rest &= low_mask(sign_width);
  std::uint64_t covered = 0;
  for (const Part& part : parts) covered |= low_mask(part.width) << part.value_low;
  if (!fits_in || (rest & ~covered) != 0) {
    report_fault(&k, FaultKind::out_of_range, bitset, field, value, at, 0);
    return;
  }
  bool agrees = true;
  for (const Part& part : parts) {
    if (!claim(&k.to, at + part.low, part.width, ~std::uint64_t{0}, rest >> part.value_low)) agrees = false;
  }
  if (!agrees) report_fault(&k, FaultKind::two_values, bitset, field, value, at, 0);
}

template <typename... Leaves>
static inline void place(Packing& k, unsigned at, const std::variant<Leaves...>& given) {
  if (given.valueless_by_exception()) return;
  std::visit([&k, at](const auto& leaf) { place(k, at, leaf); }, given);
}

)";

// Types precede functions, and operand types precede the types that contain them. Otherwise the order is that of the
// description.
std::string EncoderFile::text() const {
  HeaderParts parts;
  parts.title = "An encoder";
  parts.cpp_includes =
      "#include <array>\n#include <cstddef>\n#include <cstdint>\n#include <optional>\n#include <variant>\n";
  parts.interface = constant_text(options_, "word_count", facts_.word_count);
  parts.interface += constant_text(options_, "fault_room", fault_room) + "\n";
  parts.interface += fault_interface_text();
  parts.interface += public_types;
  parts.interface += types_.types();
  // The declarations of operands and instructions have the same form, so a comment states that operands are not fully
  // checked.
  parts.interface += "/* --- operands alone: constraints of the enclosing instruction are not checked --- */\n\n";
  for (const Bitset* leaf : nested_)
    parts.interface += "Encoded encode(const " + names_.leaf(*leaf) + "& given, std::uint32_t gen = 0);\n";
  parts.interface += "\n/* --- instructions --- */\n\n";
  for (const Bitset* leaf : instructions_)
    parts.interface += "Encoded encode(const " + names_.leaf(*leaf) + "& given, std::uint32_t gen = 0);\n";
  parts.interface += "\n/* Calls `visitor` with an empty instruction of each kind. */\ntemplate <typename Visitor>\n";
  parts.interface += "void for_each_instruction(Visitor&& visitor) {\n";
  if (instructions_.empty()) parts.interface += "  (void)visitor;\n";
  for (const Bitset* leaf : instructions_) parts.interface += "  visitor(" + names_.leaf(*leaf) + "{});\n";
  parts.interface += "}\n";

  // The number of memos is known only after all conditions are written.
  parts.implementation = constant_text(options_, "memo_count", facts_.memos);
  parts.implementation += constant_text(options_, "memo_room", std::max<std::uint32_t>(facts_.memos, 1));
  parts.implementation += word_text(facts_.word_count);
  for (const std::string_view part : {encoding_text(), bits_text(), arithmetic_text(), placing_text})
    parts.implementation += part;
  parts.implementation += types_.functions();
  parts.implementation +=
      "/* --- checking --------------------------------------------------------------------------------------------- "
      "*/\n\n";
  parts.implementation += check_code_.text() + bodies_;
  return header_text(options_, parts);
}

}  // namespace
}  // namespace generate

Result<std::string> generate_encoder(const Model& model, const GenerateOptions& options, Diagnostics& diagnostics) {
  using namespace generate;
  if (options.language != GeneratedLanguage::Cpp) {
    return diagnostics.error(rule::wrong_language, Location::none(),
                             "encoders are generated in C++ only: C has no optional types");
  }
  if (const std::optional<Reported> refused = refusal(model, options, diagnostics)) return *refused;
  EncoderFile file(model, options);
  file.write();
  if (file.is_too_large()) return too_large(diagnostics);
  return file.text();
}

}  // namespace vireo::isa
