// SPDX-License-Identifier: Apache-2.0
//
// The generated encoder, from the first line to the last: types, one `encode` for each leaf, and behind them what places and
// settles. docs/isa-tools.md, "An encoder".
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
      : model_(model), options_(options), names_(model), shapes_(model, names_), types_(model, names_, shapes_) {}

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
  Shapes shapes_;
  TypeWriter types_;
  Facts facts_ = measure(model_);
  Writer settling_;
  std::vector<const Bitset*> instructions_;  // leaves, in the order of their tables
  std::vector<const Bitset*> nested_;
  std::map<const Bitset*, std::vector<ClassCode>> settled_;
  std::string bodies_;
};

// All operands of all instructions, deepest last: bitsets do not contain themselves, so this ends.
// Quadratic in the operands, of which a set has some dozens.
void EncoderFile::find_nested(const Bitset& leaf) {
  for (const ShapeMember& member : shapes_[leaf].members) {
    if (member.field->type != FieldType::Bitset) continue;
    for (const BitsetId id : model_.leaves(model_[member.field->bitset])) {
      if (std::find(nested_.begin(), nested_.end(), &model_[id]) != nested_.end()) continue;
      nested_.push_back(&model_[id]);
      find_nested(model_[id]);
    }
  }
}

// A leaf may belong to several roots of instructions, and counts once. What is both an instruction and an operand is
// judged as an instruction when it stands alone.
void EncoderFile::find_leaves() {
  // Of a class any generation stands for all: that is what makes it one.
  const std::vector<GenRange> classes = wanted_classes(model_, options_);
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

// Types need no generation; what settles a word does, and is made for each class.
void EncoderFile::write() {
  find_leaves();
  for (const Bitset* leaf : instructions_) types_.write_leaf(*leaf);
  // Class by class, so that the conditions of a generation are folded once for all its leaves.
  for (const GenRange gens : wanted_classes(model_, options_)) {
    Scopes scopes(model_, gens, Scopes::Manner::Ours);
    SettleWriter writer(settling_, scopes, facts_, names_, shapes_);
    for (const Bitset* leaf : instructions_) {
      // A class is either within a leaf's generations or outside of them, so its first says it for all.
      if (leaf->gens.contains(gens.min)) add_class(settled_[leaf], gens, writer.settle(*leaf));
      if (facts_.is_too_large) return;
    }
  }
  for (const Bitset* leaf : nested_) bodies_ += encode_text(*leaf, false);
  for (const Bitset* leaf : instructions_) bodies_ += encode_text(*leaf, true);
}

// An operand is placed and no more: without an instruction around it nobody knows what its params are.
// Two passes: what an assert fills in may decide a condition, so only what has come out at the end is judged.
std::string EncoderFile::encode_text(const Bitset& leaf, bool is_instruction) {
  const std::string size = std::to_string(leaf.size);
  std::string text = "Encoded encode(const " + names_.leaf(leaf) + "& given, std::uint32_t gen) {\n";
  text += "  Packing k = begin(gen);\n  place(k, 0, given);\n";
  if (is_instruction) {
    const std::string none = "no_generation(k, " + quoted_literal(leaf.display_name) + ", " + size + ");\n";
    text += "  for (int pass = 0; pass < 2; ++pass) {\n    begin_pass(k, pass);\n";
    text += indented(indented(choice_by_class(settled_[&leaf], none))) + "  }\n";
  }
  return text + "  return finished(k, " + size + ");\n}\n\n";
}

// --- the parts that are the same in every encoder -----------------------------------------------------------------------

// The face of every encoder. A Half is a type of its own, so that bits of one cannot be mistaken for a number. An
// Encoded is a value without memory of its own, for which word_count and fault_room have to be constants.
constexpr std::string_view public_types = R"(
/* A leaf of the description: its name there, and the generations that have it. */
struct Leaf {
  const char* name;
  std::uint32_t first_gen;
  std::uint32_t last_gen;
};

/* A member of a struct: its name and type in the description, its bits within the leaf; no bits: it is derived. */
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

/* The word; no bits: something was wrong, and `report` says what. */
struct Encoded {
  std::uint64_t words[word_count] = {};
  std::uint32_t bits = 0;
  Report report = {};
  explicit operator bool() const { return bits != 0; }
};

)";

// Half::nearest works on bits, for C++17 has no type of 16: normal halves have exponents from -14 on, which is 113 with
// the bias of a single; below that digits are dropped instead. A carry out of the digits ends up in the exponent, as it
// should.
// `solve` is the way back of a Solution: bits that no part covers must not be left, or the value has no word. The
// `place` of a variant is a template, so it finds the functions of leaves, which stand behind it, when it is used.
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
/* First asserts fill bits that nobody has claimed; then what has come out is judged. */
static inline void begin_pass(Packing& k, int pass) {
  k.fills = pass == 0;
  k.judges = pass == 1;
}
static inline Encoded finished(const Packing& k, std::uint32_t bits) {
  Encoded result;
  result.bits = finish(&k, bits, result.words, &result.report);
  return result;
}
static inline void wrong_case(Packing& k, const char* bitset, const char* field, unsigned low, unsigned width) {
  if (k.judges) complain(&k, FaultKind::other_case, bitset, field, 0, low, width);
}
static inline void unknown_case_in(Packing& k, const char* bitset, const char* field, unsigned low, unsigned width) {
  if (k.judges) complain(&k, FaultKind::unknown_case, bitset, field, 0, low, width);
}
static inline void no_generation(Packing& k, const char* bitset, unsigned width) {
  if (k.judges) complain(&k, FaultKind::no_such_generation, bitset, nullptr, k.state.gen, 0, width);
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
      complain(&k, FaultKind::out_of_range, bitset, field, words[at / 64], low, width);
      return;
    }
    if (!claim(&k.to, low + at, rest, ~std::uint64_t{0}, words[at / 64])) agrees = false;
  }
  if (!agrees) complain(&k, FaultKind::two_values, bitset, field, words[0], low, width);
}

/* A derived value, taken apart: what is left of it without its constant are bits of fields. */
template <std::size_t Count>
static inline void solve(Packing& k, const char* bitset, const char* field, unsigned at, const Part (&parts)[Count],
                         std::uint64_t value, std::int64_t constant, unsigned sign_width) {
  std::uint64_t rest = value - static_cast<std::uint64_t>(constant);
  bool fits_in = sign_width == 0 || fits(value, false, sign_width, signed_number);
  if (sign_width != 0) rest &= low_mask(sign_width);
  std::uint64_t covered = 0;
  for (const Part& part : parts) covered |= low_mask(part.width) << part.value_low;
  if (!fits_in || (rest & ~covered) != 0) {
    complain(&k, FaultKind::out_of_range, bitset, field, value, at, 0);
    return;
  }
  bool agrees = true;
  for (const Part& part : parts) {
    if (!claim(&k.to, at + part.low, part.width, ~std::uint64_t{0}, rest >> part.value_low)) agrees = false;
  }
  if (!agrees) complain(&k, FaultKind::two_values, bitset, field, value, at, 0);
}

template <typename... Leaves>
static inline void place(Packing& k, unsigned at, const std::variant<Leaves...>& given) {
  if (given.valueless_by_exception()) return;
  std::visit([&k, at](const auto& leaf) { place(k, at, leaf); }, given);
}

)";

// Types before functions, operands before what they are part of; the order within is that of the description.
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
  // Declarations of both kinds are alike to callers; that an operand is not judged in full is said above them.
  parts.interface += "/* --- operands alone: what depends on the instruction around them is not judged --- */\n\n";
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

  // How much memory conditions need is known only when all are written, though it stands in front of them.
  parts.implementation = constant_text(options_, "memo_count", facts_.memos);
  parts.implementation += constant_text(options_, "memo_room", std::max<std::uint32_t>(facts_.memos, 1));
  parts.implementation += word_text(facts_.word_count);
  for (const std::string_view part : {encoding_text(), bits_text(), arithmetic_text(), placing_text})
    parts.implementation += part;
  parts.implementation += types_.functions();
  parts.implementation +=
      "/* --- settling --------------------------------------------------------------------------------------------- "
      "*/\n\n";
  parts.implementation += settling_.text() + bodies_;
  return header_text(options_, parts);
}

}  // namespace
}  // namespace generate

Result<std::string> generate_encoder(const Model& model, const GenerateOptions& options, Diagnostics& diagnostics) {
  using namespace generate;
  if (options.language != GeneratedLanguage::Cpp) {
    return diagnostics.error(rule::wrong_language, Location::none(),
                             "encoders are made in C++: C has no types for optional values");
  }
  if (const std::optional<Reported> refused = refusal(model, options, diagnostics)) return *refused;
  EncoderFile file(model, options);
  file.write();
  if (file.is_too_large()) return too_large(diagnostics);
  return file.text();
}

}  // namespace vireo::isa
