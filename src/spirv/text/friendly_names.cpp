// SPDX-License-Identifier: Apache-2.0
//
// The pass that names ids (friendly_names.h).
//
// A name belongs to the first id that claims it. Types get their names from rows (`type_name_rows`), and constants from
// their type and value (`name_result`). All other ids get them from OpName or from a decoration BuiltIn, or are named
// by their number.
#include "spirv/text/friendly_names.h"

#include <algorithm>
#include <array>

#include "spirv/binary/id_type_table.h"
#include "spirv/binary/literal_string.h"
#include "spirv/grammar/special_cases.h"
#include "spirv/text/literal_text.h"
#include "support/ascii.h"
#include "vireo/spirv/binary/views/annotation.h"
#include "vireo/spirv/binary/views/constant_creation.h"
#include "vireo/spirv/binary/views/debug.h"
#include "vireo/spirv/binary/views/type_declaration.h"
#include "vireo/spirv/grammar/enums.h"
#include "vireo/support/id_map.h"
#include "vireo/support/number.h"

namespace vireo::spirv {

/// Builds an IdNames. Exists only during IdNames::friendly.
class FriendlyNamer {
 public:
  FriendlyNamer(Words module, const Grammar& grammar, IdNames& names)
      : module_(module), grammar_(grammar), names_(names) {}

  void run();

 private:
  // A name that is in use. A name that is the number of a possible id has a bit in `taken_numbers_` instead. Nearly
  // every id of a module uses its number as its name, so this saves memory. The table contains only other names.
  struct Taken {
    std::uint32_t hash;
    std::uint32_t offset;  // of the text in the pool, after its `%`
    std::uint32_t length;
    std::uint32_t next_suffix;
  };

  [[nodiscard]] bool names_numbers_alone(std::size_t first_word) const;
  void take_event(InstructionView instruction);
  void remember_scalar(InstructionView instruction);
  void name_result(InstructionView instruction, const InstructionRow& row);
  void claim(Word id, std::string_view candidate);
  void claim_number(Word id);
  void claim_sanitized(Word id, std::string_view text);
  [[nodiscard]] bool is_named(Word id) const;
  void set_place(Word id, IdNames::Place place);

  bool take(std::string_view text, std::uint32_t& owner);
  bool number_of(std::string_view text, Word& number) const;
  void grow();

  [[nodiscard]] std::string_view name(Word id);
  [[nodiscard]] std::string_view enumerant(const InstructionRow& row, std::size_t operand, Word value) const;
  void compose_type_name(InstructionView instruction, const InstructionRow& row);
  void compose_int_name(View<Op::OpTypeInt> type);
  void compose_float_name(View<Op::OpTypeFloat> type);
  void compose_constant_name(View<Op::OpConstant> constant);
  void add_number(Word value);
  void add_sanitized(std::string_view text);

  Words module_;
  const Grammar& grammar_;
  IdNames& names_;
  std::vector<bool> named_;          // by id: a naming event occurred, even if the name is only the number
  std::vector<bool> taken_numbers_;  // by number: an id has it as its name
  IdMap<bool> sparse_named_;
  bool may_spell_numbers_ = false;  // a name in use begins with a digit
  std::vector<Taken> taken_;
  std::vector<std::uint32_t> slots_;      // open addressing into taken_, index + 1; size 2^n
  IdMap<std::uint32_t> number_suffixes_;  // next suffix of base names that are numbers
  IdMap<ScalarType> scalars_;             // by type id, for names of constants
  std::string scratch_;
  std::string number_text_;
};

namespace {

// The most ids that get an array slot of their own; more than the specification's limits (2.17) allow in a module.
constexpr std::size_t most_slots = std::size_t{1} << 24;

// Names of ids are similar to names of opcodes, so the grammar's hash distributes them well, too.
std::uint32_t hash_text(std::string_view text) { return hash_name(0, text); }

bool is_name_byte(char c) { return is_letter(c) || is_digit(c) || c == '_'; }

/// Describes how the name of a type follows from its declaration.
struct TypeNameRow {
  Op op;
  std::uint16_t least_words;  // a shorter declaration is invalid, and its id is named by its number
  std::string_view form;
};

// In a form, `#n` is the number in word n, `%n` the name of the id, `$n` the enumerant, `"n` the string. If the word of
// a part is missing, the name ends before the text that precedes this part. Integers and floats are named by width and
// encoding in code. Structures are named by number, because their members would make a name of any length, and two
// structures with the same members are different types. Names of pointers can grow; claim() bounds them.
// clang-format off
constexpr TypeNameRow type_name_rows[] = {
    {Op::OpTypeVoid,                 2, "void"},
    {Op::OpTypeBool,                 2, "bool"},
    {Op::OpTypeVector,               4, "v#3%2"},
    {Op::OpTypeMatrix,               4, "mat#3%2"},
    {Op::OpTypeArray,                4, "_arr_%2_%3"},
    {Op::OpTypeRuntimeArray,         3, "_runtimearr_%2"},
    {Op::OpTypeStruct,               2, "_struct_#1"},
    {Op::OpTypeOpaque,               3, "Opaque_\"2"},
    {Op::OpTypePointer,              3, "_ptr_$2_%3"},
    {Op::OpTypeEvent,                2, "Event"},
    {Op::OpTypeDeviceEvent,          2, "DeviceEvent"},
    {Op::OpTypeReserveId,            2, "ReserveId"},
    {Op::OpTypeQueue,                2, "Queue"},
    {Op::OpTypePipe,                 3, "Pipe$2"},
    {Op::OpTypePipeStorage,          2, "PipeStorage"},
    {Op::OpTypeNamedBarrier,         2, "NamedBarrier"},
    {Op::OpTypeUntypedPointerKHR,    3, "_ptr_$2"},
    {Op::OpTypeNodePayloadArrayAMDX, 3, "_payloadarr_%2"},
};
// clang-format on
static_assert(std::ranges::is_sorted(type_name_rows, {}, &TypeNameRow::op));

// The opcodes that can give an id a name other than its number, one bit each.
class NamingOpcodes {
 public:
  constexpr NamingOpcodes() {
    for (const Op op : {Op::OpName, Op::OpDecorate, Op::OpTypeInt, Op::OpTypeFloat, Op::OpConstantTrue,
                        Op::OpConstantFalse, Op::OpConstant}) {
      add(op);
    }
    for (const TypeNameRow& row : type_name_rows) add(row.op);
  }
  [[nodiscard]] constexpr bool has(Op opcode) const {
    const auto number = static_cast<std::size_t>(opcode);
    return number < limit && (bits_[number / 64] >> number % 64 & 1) != 0;
  }

 private:
  static constexpr std::size_t limit = static_cast<std::size_t>(std::end(type_name_rows)[-1].op) + 1;
  constexpr void add(Op op) {
    const auto opcode = static_cast<std::uint16_t>(op);
    bits_[opcode / 64] |= std::uint64_t{1} << opcode % 64;
  }
  std::array<std::uint64_t, limit / 64 + 1> bits_{};
};
constexpr NamingOpcodes naming_opcodes;

// The signed integer type names of OpenCL C and C++; empty for widths without one.
std::string_view common_int_name(Word width) {
  switch (width) {
    case 8: return "char";
    case 16: return "short";
    case 32: return "int";
    case 64: return "long";
    default: return {};
  }
}

std::string_view common_float_name(Word width) {
  switch (width) {
    case 16: return "half";
    case 32: return "float";
    case 64: return "double";
    default: return {};
  }
}

}  // namespace

// One pass, linear in the module. Nothing is decoded: the opcode alone determines which words contain the result, a
// name or a built-in. So a faulty operand does not affect names.
void FriendlyNamer::run() {
  const Word bound = module_.size() > 3 ? module_[3] : 0;
  const std::size_t ids = std::min(std::max<std::size_t>(bound, 64), most_slots);
  // The header's bound must not determine memory: a module of n words defines fewer than n ids.
  names_.dense_count_ = std::min(ids, module_.size() + 1024);
  names_.dense_.reset(static_cast<IdNames::Place*>(std::calloc(names_.dense_count_, sizeof(IdNames::Place))));
  if (!names_.dense_) names_.dense_count_ = 0;
  named_.resize(names_.dense_count_);
  taken_numbers_.resize(names_.dense_count_);
  // A power of two; doubled when more than half full.
  slots_.resize(64);

  // Ids are named in file order, as in spirv-dis. OpName precedes types, constants and functions (specification 2.4);
  // in a module that violates this, the first naming instruction still applies.
  bool has_functions = false;
  for (const InstructionView instruction : Instructions(module_)) {
    if (!has_functions && instruction.opcode == Op::OpFunction) {
      has_functions = true;
      if (names_numbers_alone(instruction.offset)) break;
    }
    take_event(instruction);
  }
  // The padding that IdNames::pool() guarantees.
  names_.pool_.append(32, '\0');
}

// Whether all results from this word on are named by number, and no later name depends on them. This is true for the
// functions of most modules, and functions contain most of the words.
bool FriendlyNamer::names_numbers_alone(std::size_t first_word) const {
  if (may_spell_numbers_) return false;  // the number of one id can be the name of another
  for (const InstructionView instruction : Instructions(module_, first_word)) {
    if (naming_opcodes.has(instruction.opcode)) return false;
  }
  return true;
}

// Processes an instruction that defines, names or decorates an id.
void FriendlyNamer::take_event(InstructionView instruction) {
  const InstructionRow* row = grammar_.find_opcode(instruction.opcode);
  if (row == nullptr) return;
  if (const std::uint16_t result = row->result_word(); result != 0) {
    // The type is recorded even if the id already has a name: names of constants depend on the scalar type.
    if (instruction.word_count <= result) return;
    remember_scalar(instruction);
    if (!is_named(instruction.word(result))) name_result(instruction, *row);
  } else if (instruction.opcode == Op::OpName) {
    const View<Op::OpName> name(instruction);
    const StringOperand text = name.name();
    if (text.word < instruction.word_count) claim_sanitized(name.target(), text);
  } else if (instruction.opcode == Op::OpDecorate) {
    const View<Op::OpDecorate> decorate(instruction);
    const DecorationView decoration = decorate.decoration();
    if (decoration == Decoration::BuiltIn && !decoration.parameters().empty()) {
      const std::string_view built_in = friendly_built_in_name(decoration.parameters()[0]);
      if (!built_in.empty()) claim(decorate.target(), built_in);
    }
  }
}

// Names of constants depend on the scalar type, even if the type has a name of its own.
void FriendlyNamer::remember_scalar(InstructionView instruction) {
  const ScalarType type = declared_scalar(instruction);
  if (type.class_ != ScalarType::Class::None) scalars_[View<Op::OpTypeInt>(instruction).result()] = type;
}

// Names an id by its definition, unless OpName or a built-in has named it before. Most ids are named by number. This is
// a claim too, because a later OpName can spell the same number.
void FriendlyNamer::name_result(InstructionView instruction, const InstructionRow& row) {
  const Word id = instruction.word(row.result_word());
  if (row.type_word() == 0) {
    scratch_.clear();
    compose_type_name(instruction, row);
    if (!scratch_.empty()) return claim(id, scratch_);
  } else {
    switch (instruction.opcode) {
      // Specialization constants get no such name: their value can change.
      case Op::OpConstantTrue: return claim(id, "true");
      case Op::OpConstantFalse: return claim(id, "false");
      case Op::OpConstant:
        scratch_.clear();
        compose_constant_name(View<Op::OpConstant>(instruction));
        if (!scratch_.empty()) return claim(id, scratch_);
        break;
      default: break;
    }
  }
  claim_number(id);
}

// Leaves scratch_ empty if the id is to be named by its number.
void FriendlyNamer::compose_type_name(InstructionView instruction, const InstructionRow& row) {
  const auto op = instruction.opcode;
  if (op == Op::OpTypeInt) return compose_int_name(View<Op::OpTypeInt>(instruction));
  if (op == Op::OpTypeFloat) return compose_float_name(View<Op::OpTypeFloat>(instruction));
  const auto* const form_row = std::ranges::lower_bound(type_name_rows, op, {}, &TypeNameRow::op);
  if (form_row == std::end(type_name_rows) || form_row->op != op) return;
  if (instruction.word_count < form_row->least_words) return;
  for (std::string_view form = form_row->form;;) {
    const std::size_t mark = form.find_first_of("#%$\"");
    if (mark == std::string_view::npos) {
      scratch_ += form;
      return;
    }
    const auto word = static_cast<std::size_t>(form[mark + 1] - '0');
    if (word >= instruction.word_count) return;
    scratch_ += form.substr(0, mark);
    switch (form[mark]) {
      case '#': add_number(instruction.word(word)); break;
      case '%': scratch_ += name(instruction.word(word)); break;
      case '$': scratch_ += enumerant(row, word - 1, instruction.word(word)); break;
      default: add_sanitized(literal_string(instruction, word)); break;
    }
    form.remove_prefix(mark + 2);
  }
}

void FriendlyNamer::compose_int_name(View<Op::OpTypeInt> type) {
  if (type.signedness().word >= type.view().word_count) return;
  const bool is_signed = type.signedness() != 0;
  if (const std::string_view common = common_int_name(type.width()); !common.empty()) {
    if (!is_signed) scratch_ = "u";
    scratch_ += common;
  } else {
    scratch_ = is_signed ? "i" : "u";
    add_number(type.width());
  }
}

void FriendlyNamer::compose_float_name(View<Op::OpTypeFloat> type) {
  if (type.width().word >= type.view().word_count) return;
  if (const auto encoding = type.floating_point_encoding()) {
    // Empty for an encoding that spirv-dis does not name; the id is then named by its number.
    scratch_ = friendly_encoding_name(static_cast<Word>(encoding->value));
  } else if (const std::string_view common = common_float_name(type.width()); !common.empty()) {
    scratch_ = common;
  } else {
    scratch_ = "fp";
    add_number(type.width());
  }
}

void FriendlyNamer::compose_constant_name(View<Op::OpConstant> constant) {
  const Words literal = constant.value().words();
  if (literal.empty()) return;
  const auto type = scalars_.find(constant.result_type());
  // The type is declared later or is invalid: the constant is named by its number.
  if (type == scalars_.end()) return;
  char text[max_number_chars];
  char* const end = print_literal(text, literal, type->second);
  if (end == text) return;
  // Characters that a name cannot contain become `_`. A minus becomes `n`, or -1 and 1 would have the same name.
  std::replace(text, end, '-', 'n');
  scratch_ = name(constant.result_type());
  scratch_ += '_';
  add_sanitized({text, static_cast<std::size_t>(end - text)});
}

// Appends an unsigned decimal: widths and counts are unsigned words.
void FriendlyNamer::add_number(Word value) {
  char digits[max_number_chars];
  scratch_.append(digits, print_u32(digits, value));
}

void FriendlyNamer::add_sanitized(std::string_view text) {
  const auto begin = static_cast<std::ptrdiff_t>(scratch_.size());
  scratch_ += text;
  std::replace_if(
      scratch_.begin() + begin, scratch_.end(), [](char c) { return !is_name_byte(c); }, '_');
}

// Enumerants in derived names (storage class, access qualifier) have the grammar's name.
std::string_view FriendlyNamer::enumerant(const InstructionRow& row, std::size_t operand, Word value) const {
  const auto operands = grammar_.operands(row.operands);
  if (operand >= operands.size()) return {};
  const EnumerantRow* found = grammar_.find_value(operands[operand].kind, value);
  return found == nullptr ? std::string_view{} : grammar_.text(found->name);
}

// The name of an id without `%`; valid until the next call for an id that is named by its number.
std::string_view FriendlyNamer::name(Word id) {
  const IdNames::Place place = names_.find(id);
  if (place.length != 0) return std::string_view(names_.pool_).substr(place.offset + 1, place.length - 1);
  char digits[max_number_chars];
  number_text_.assign(digits, print_u32(digits, id));
  return number_text_;
}

// OpName can contain any bytes; a name in assembly text has letters, digits and underscores (docs/text.md, "Ids").
void FriendlyNamer::claim_sanitized(Word id, std::string_view text) {
  if (is_named(id)) return;
  if (text.size() > IdNames::max_name_bytes) return claim_number(id);  // tested before the text is copied
  scratch_.clear();
  add_sanitized(text);
  if (scratch_.empty()) scratch_ = "_";
  claim(id, scratch_);
}

bool FriendlyNamer::is_named(Word id) const { return id < named_.size() ? named_[id] : sparse_named_.contains(id); }

// An id that keeps its number is also recorded: a second OpName of the same id must not apply.
void FriendlyNamer::set_place(Word id, IdNames::Place place) {
  if (id < named_.size()) {
    named_[id] = true;
    if (place.length != 0) names_.dense_.get()[id] = place;
  } else {
    sparse_named_[id] = true;
    if (place.length != 0) names_.sparse_[id] = place;
  }
}

// Usually sets only a bit. A suffix is needed only if another id already has this number as its name.
void FriendlyNamer::claim_number(Word id) {
  if (id < taken_numbers_.size() && !taken_numbers_[id]) {
    taken_numbers_[id] = true;
    return set_place(id, {});
  }
  char digits[max_number_chars];
  claim(id, {digits, static_cast<std::size_t>(print_u32(digits, id) - digits)});
}

// Assigns to `id` the first unused name of candidate, candidate_0, candidate_1, ...
void FriendlyNamer::claim(Word id, std::string_view candidate) {
  if (is_named(id)) return;
  // The limit also bounds chains of derived names (a pointer to a pointer to ...).
  if (candidate.size() > IdNames::max_name_bytes) return claim_number(id);
  std::string& pool = names_.pool_;
  const std::size_t begin = pool.size();
  pool += '%';
  // The candidate is written to its final place and removed if the name is in use, so none is built twice.
  pool += candidate;
  const auto base_length = pool.size();
  std::uint32_t owner = 0;
  const auto text = [&] { return std::string_view(pool).substr(begin + 1); };

  if (!take(text(), owner)) {
    Word number = 0;
    const bool is_number = number_of(text(), number);
    std::uint32_t suffix = is_number ? number_suffixes_[number] : taken_[owner].next_suffix;
    std::uint32_t ignored = 0;
    // Suffixes only increase, so each is tried once for a base name, however many ids share it.
    do {
      char digits[max_number_chars];
      pool.resize(base_length);
      pool += '_';
      pool.append(digits, print_u32(digits, suffix++));
    } while (!take(text(), ignored));
    if (is_number) {
      number_suffixes_[number] = suffix;
    } else {
      taken_[owner].next_suffix = suffix;
    }
  }
  set_place(id, {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(pool.size() - begin)});
}

// Whether the text is the printed number of an id of this module. Numbers have no leading zero: 07 is a name, 7 is a
// number.
bool FriendlyNamer::number_of(std::string_view text, Word& number) const {
  if (text.empty() || text.size() > 10 || text[0] == '0') return false;
  std::uint64_t value = 0;
  for (char c : text) {
    if (c < '0' || c > '9') return false;
    value = value * 10 + static_cast<unsigned>(c - '0');
  }
  number = static_cast<Word>(value);
  return value < taken_numbers_.size();
}

// Claims the name at the end of the pool. Returns false if it is in use; `owner` is then its entry.
bool FriendlyNamer::take(std::string_view text, std::uint32_t& owner) {
  may_spell_numbers_ = may_spell_numbers_ || (!text.empty() && is_digit(text[0]));
  Word number = 0;
  if (number_of(text, number)) {
    if (taken_numbers_[number]) return false;
    return taken_numbers_[number] = true;
  }
  const std::uint32_t hash = hash_text(text);
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = hash & mask;
  for (; slots_[slot] != 0; slot = (slot + 1) & mask) {
    const Taken& other = taken_[slots_[slot] - 1];
    if (other.hash == hash && std::string_view(names_.pool_).substr(other.offset, other.length) == text) {
      owner = slots_[slot] - 1;
      return false;
    }
  }
  taken_.push_back({hash, static_cast<std::uint32_t>(text.data() - names_.pool_.data()),
                    static_cast<std::uint32_t>(text.size()), 0});
  slots_[slot] = static_cast<std::uint32_t>(taken_.size());
  owner = slots_[slot] - 1;
  if (taken_.size() * 2 > slots_.size()) grow();
  return true;
}

// Hashes are stored with the names, so growing reads no text. Amortized constant for each name.
void FriendlyNamer::grow() {
  slots_.assign(slots_.size() * 2, 0);
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t i = 0; i < taken_.size(); ++i) {
    std::size_t slot = taken_[i].hash & mask;
    while (slots_[slot] != 0) slot = (slot + 1) & mask;
    slots_[slot] = static_cast<std::uint32_t>(i + 1);
  }
}

IdNames IdNames::friendly(Words module, const Grammar& grammar) {
  IdNames names;
  FriendlyNamer(module, grammar, names).run();
  return names;
}

std::string IdNames::text_of(Word id) const {
  const Place place = find(id);
  if (place.length != 0) return pool_.substr(place.offset, place.length);
  char digits[max_number_chars];
  return "%" + std::string(digits, print_u32(digits, id));
}

}  // namespace vireo::spirv
