// SPDX-License-Identifier: Apache-2.0
//
// The runtime of packers, unpackers and encoders: bits with conflict detection, range checks, and faults.
//
// A bit that has a value is claimed, and each later value must agree. So the order of values does not
// matter, and two different values for one bit are a fault. Faults are recorded in a report; the code throws no
// exceptions and asserts nothing. A word with a fault is not returned.
//
// `fix` places patterns, `number` fields, and `expect` asserts. `fix` and `number` claim their bits. `expect` only sets
// unclaimed bits, so it must follow all fields of its case.
#include "isa/generate/runtime/runtime.h"

namespace vireo::isa::generate {

// Names in faults are from the description and have static lifetime. Bit positions are relative to the instruction.
std::string_view fault_interface_text() {
  return R"(/* The kinds of errors in the values of an instruction. */
typedef enum @FaultKind {
  @out_of_range = 1,    /* the value does not fit into its bits */
  @two_values,          /* the bits have another value already: that of a pattern or of another field */
  @other_case,          /* the bits belong to another field in this instruction: the field's case does not hold */
  @unexpected_bits,     /* an assert of the case that holds expects other bits */
  @unknown_case,        /* no instruction or operand of that name in this generation */
  @no_such_generation   /* there is no code for the generation */
} @FaultKind;
typedef struct @Fault {
  @FaultKind kind;
  const char* bitset; /* the instruction or operand */
  const char* field;  /* null: the fault concerns the whole bitset */
  uint64_t value;     /* as it was given */
  uint32_t low;       /* the bits, within the instruction */
  uint32_t width;
} @Fault;
typedef struct @Report {
  uint32_t count; /* of all faults; the first ones are kept */
  @Fault faults[@fault_room];
} @Report;

/* A short description of a kind of fault. */
const char* @fault_text(@FaultKind kind);
)";
}

// `claim` takes up to 64 bits, in one word or in two. If a bit gets two values, the later one is written, and the fault
// makes the word invalid.
//
// `fits` compares a signed value as a number, an unsigned one as bits (docs/isa-tools.md lists the ranges).
//
// `now` clears the memos of conditions, because the word has changed since they were evaluated.
//
// `finish` returns zeros if there is a fault, so that a caller that ignores the result does not emit an incomplete
// word.
std::string_view encoding_text() {
  return R"(/* --- bits with conflict detection -------------------------------------------------------------------------- */

typedef struct @State {
  uint32_t gen;
  int64_t memos[@memo_room];
  uint8_t memo_states[@memo_room]; /* 0: not evaluated yet, 1: being computed, 2: known */
} @State;
typedef struct @Target {
  uint64_t words[@word_count];
  uint64_t claimed[@word_count];
} @Target;
typedef struct @Packing {
  @Target to;
  @State state;
  @Report report;
  bool fills;  /* asserts set unclaimed bits */
  bool checks; /* disagreements are reported */
} @Packing;

static inline void @no_field(@State* s, const char* name) { (void)s; (void)name; }

static inline uint64_t @low_mask(unsigned width) { return width >= 64 ? ~(uint64_t)0 : ((uint64_t)1 << width) - 1; }

static inline void @report_fault(@Packing* k, @FaultKind kind, const char* bitset, const char* field, uint64_t value,
                                 unsigned low, unsigned width) {
  if (k->report.count++ >= @fault_room) return;
  @Fault* fault = &k->report.faults[k->report.count - 1];
  fault->kind = kind;
  fault->bitset = bitset;
  fault->field = field;
  fault->value = value;
  fault->low = low;
  fault->width = width;
}

/* Sets the bits of `mask`, up to 64. Returns false if one of them already has another value. */
static inline bool @claim(@Target* to, unsigned low, unsigned width, uint64_t mask, uint64_t value) {
  bool agrees = true;
  mask &= @low_mask(width);
  value &= mask;
  for (unsigned at = low / 64; at <= (low + width - 1) / 64; ++at) {
    const bool is_first = at == low / 64;
    const uint64_t part = is_first ? mask << low % 64 : mask >> (64 - low % 64);
    const uint64_t bits = is_first ? value << low % 64 : value >> (64 - low % 64);
    if (((to->words[at] ^ bits) & to->claimed[at] & part) != 0) agrees = false;
    to->words[at] = (to->words[at] & ~part) | bits;
    to->claimed[at] |= part;
  }
  return agrees;
}

/* The pattern of a leaf. */
static inline void @fix(@Packing* k, const char* bitset, unsigned low, unsigned width, uint64_t care, uint64_t match) {
  if (!@claim(&k->to, low, width, care, match)) @report_fault(k, @two_values, bitset, NULL, match, low, width);
}

/* How the numbers of a field are read. */
enum { @plain_number, @signed_number, @part_of_number };

/* Whether a number fits. An unsigned number of the caller (`is_bits`) is taken as bits even if the field is signed:
   0xffff is -1 in 16 bits. A part of a number, which is a field that only expressions use, may be either. */
static inline bool @fits(uint64_t value, bool is_bits, unsigned width, int kind) {
  const int64_t number = (int64_t)value;
  const uint64_t sign = (uint64_t)1 << ((width - 1) & 63);
  if (is_bits || number >= 0) {
    if (is_bits || kind != @signed_number) return width >= 64 || value <= @low_mask(width);
    return width >= 64 || value < sign;
  }
  return kind != @plain_number && (width >= 64 || number >= -(int64_t)(sign - 1) - 1);
}
static inline void @number(@Packing* k, const char* bitset, const char* field, unsigned low, unsigned width, int kind,
                    uint64_t value, bool is_bits) {
  bool agrees = true;
  if (!@fits(value, is_bits, width, kind)) {
    @report_fault(k, @out_of_range, bitset, field, value, low, width);
    return;
  }
  for (unsigned at = 0; at < width; at += 64) { /* bits above 64 are all sign */
    const uint64_t piece = at == 0 ? value : !is_bits && (int64_t)value < 0 ? ~(uint64_t)0 : 0;
    const unsigned rest = width - at < 64 ? width - at : 64;
    if (!@claim(&k->to, low + at, rest, ~(uint64_t)0, piece)) agrees = false;
  }
  if (!agrees) @report_fault(k, @two_values, bitset, field, value, low, width);
}

/* The bits that an assert of a case that holds expects, up to 64. */
static inline void @expect(@Packing* k, const char* bitset, unsigned low, unsigned width, uint64_t value) {
  const uint64_t all = @low_mask(width);
  bool agrees = true;
  for (unsigned at = low / 64; at <= (low + width - 1) / 64; ++at) {
    const bool is_first = at == low / 64;
    const uint64_t part = is_first ? all << low % 64 : all >> (64 - low % 64);
    const uint64_t bits = is_first ? value << low % 64 : value >> (64 - low % 64);
    const uint64_t open = k->fills ? part & ~k->to.claimed[at] : 0;
    k->to.words[at] = (k->to.words[at] & ~open) | (bits & open);
    if (((k->to.words[at] ^ bits) & part) != 0) agrees = false;
  }
  if (!agrees && k->checks) @report_fault(k, @unexpected_bits, bitset, NULL, value, low, width);
}

/* The current word, for conditions: clears the memos of the previous word. */
static inline @Word @now(@Packing* k) {
  if (@memo_count != 0) memset(k->state.memo_states, 0, sizeof k->state.memo_states);
  return @make_word(k->to.words);
}

/* Returns the word, unless there are faults. */
static inline uint32_t @finish(const @Packing* k, uint32_t bits, uint64_t* words, @Report* report) {
  const bool is_good = k->report.count == 0;
  for (unsigned i = 0; i < @word_count; ++i) words[i] = is_good ? k->to.words[i] : 0;
  if (report != NULL) *report = k->report;
  return is_good ? bits : 0;
}

const char* @fault_text(@FaultKind kind) {
  switch (kind) {
    case @out_of_range: return "the value does not fit";
    case @two_values: return "the bits have another value already";
    case @other_case: return "the field's case does not hold";
    case @unexpected_bits: return "an assert expects other bits";
    case @unknown_case: return "no such instruction or operand in this generation";
    case @no_such_generation: return "there is no code for the generation";
  }
  return "";
}

)";
}

}  // namespace vireo::isa::generate
