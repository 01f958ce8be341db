// SPDX-License-Identifier: Apache-2.0
//
// The public interface of a generated program, and its internal types.
//
// The first text is the public interface, in the common subset of C and C++. The second adds a template for C++ over
// the same functions.
#include "isa/generate/runtime/runtime.h"

namespace vireo::isa::generate {

// Callbacks write into the printer's own buffer, up to callback_room bytes per call, so their texts are not copied. All
// options are false or zero by default, because C cannot express other defaults.
std::string_view interface_text() {
  return R"(/* An instruction, as callbacks see it. */
typedef struct @Instruction {
  uint64_t index;        /* in units, from the start of the program */
  const uint64_t* words; /* bit 0 is the lowest of words[0] */
  uint32_t bits;
} @Instruction;

typedef struct @EntryPoint {
  const char* name;
  uint64_t offset; /* in units */
} @EntryPoint;

/* How to print. All members may be zero. A callback that writes text may write up to @callback_room bytes at `text`,
   and returns how many it wrote. */
typedef struct @Options {
  uint32_t gen$;
  bool hide_errors$;       /* do not print faults of a word */
  bool branch_labels$;     /* l12, fxn12 and entry points instead of numbers */
  bool round_trip_floats$; /* enough digits to read the value back; otherwise six decimals */
  uint32_t max_errors$;    /* stop after more than this many bad instructions in a row; 0: never */
  const @EntryPoint* entry_points$; /* shown with branch_labels */
  size_t entry_point_count$;
  void* user$; /* passed to every callback */
  size_t (*custom)(void* user, const char* field, uint64_t value, char* text)$;      /* the text of a custom field */
  size_t (*before_line)(void* user, const @Instruction* at, char* text)$;
  size_t (*after_instruction)(void* user, const @Instruction* at, char* text)$;
  size_t (*no_match)(void* user, const @Instruction* at, char* text)$; /* (size_t)-1: print it as usual */
  bool (*stops)(void* user)$; /* called after each instruction that matched */
} @Options;

/* Receives text; returns false to stop. */
typedef bool (*@Sink)(void* user, const char* text, size_t size);

/* Whether there is code for a generation. In other generations no instruction matches. */
bool @has_generation(uint32_t gen);

/* Prints one instruction into `text`, a buffer of @text_room bytes, at index 0, without labels and line break.
   `words` contains `bits` bits. Returns the number of bytes; allocates nothing. */
size_t @disassemble(const uint64_t* words, uint32_t bits, const @Options* options, char* text);

/* Prints a little-endian program. Returns false if the sink stopped, or if memory for a buffer and labels ran out. */
bool @print(const void* bytes, size_t size, const @Options* options, @Sink sink, void* sink_user);

/* The leaf of an instruction, as a number below @leaf_count; -1 if no leaf or two leaves match. */
int32_t @find_leaf(const uint64_t* words, uint32_t bits, uint32_t gen);

/* The text of {NAME} for a leaf; null if the number is out of range. */
const char* @leaf_name(int32_t leaf);
)";
}

// The sink appends to a container, so it never stops the printer.
std::string_view cpp_interface_text() {
  return R"(
/* Appends to a container, which only needs `append(const char*, size_t)`. */
template <typename Text>
bool print_to(Text& text, const void* bytes, std::size_t size, const @Options& how) {
  const @Sink append = [](void* user, const char* data, std::size_t count) {
    static_cast<Text*>(user)->append(data, count);
    return true;
  };
  return print(bytes, size, &how, append, &text);
}
)";
}

// A word of 64 bits is a number, two are a struct that is passed in registers, more are a pointer. Generated code reads
// `w` only through bits(), so it is the same for all three. A word behind a pointer is not copied, so it must outlive
// its use.
std::string_view word_text(std::uint32_t word_count) {
  if (word_count == 1) {
    return R"(
/* The type of a word as a parameter. */
typedef uint64_t @Word;
static inline uint64_t @word_at(@Word w, unsigned i) { (void)i; return w; }
static inline @Word @make_word(const uint64_t* words) { return words[0]; }

)";
  }
  if (word_count == 2) {
    return R"(
/* The type of a word as a parameter. */
typedef struct @Word { uint64_t word[2]; } @Word;
static inline uint64_t @word_at(@Word w, unsigned i) { return w.word[i]; }
static inline @Word @make_word(const uint64_t* words) {
  const @Word w = {{words[0], words[1]}};
  return w;
}

)";
  }
  return R"(
/* The type of a word as a parameter. */
typedef const uint64_t* @Word;
static inline uint64_t @word_at(@Word w, unsigned i) { return w[i]; }
static inline @Word @make_word(const uint64_t* words) { return words; }

)";
}

// `low` and `width` are mostly constants, so this compiles to a shift and a mask. The next word is read only if the
// bits extend into it, so no word after the last is read.
std::string_view bits_text() {
  return R"(static inline int64_t @bits(@Word w, unsigned low, unsigned width) {
  const unsigned shift = low % 64;
  uint64_t value = @word_at(w, low / 64) >> shift;
  if (shift + width > 64) value |= @word_at(w, low / 64 + 1) << (64 - shift);
  return (int64_t)(width >= 64 ? value : value & (((uint64_t)1 << width) - 1));
}

)";
}

// Tables of a tree (matching.cpp). Indexes have 16 bits, or 32 for large sets. A mask has at most 8 bits
// (discriminating_window).
std::string_view tree_type_text() {
  return R"(/* Bits that must have a value for a leaf to match. */
typedef struct @Masks {
  uint64_t care[@word_count];
  uint64_t match[@word_count];
} @Masks;
/* The index of the child is first + (value >> low & mask). */
typedef struct @Node {
  uint16_t low;
  uint16_t mask;
  uint32_t first;
} @Node;
typedef struct @Tree {
  const @Node* nodes;
  const @Index* children;
  const @Index* lists;
  const struct @Masks* masks;
  @Index start;
} @Tree;

)";
}

// A program has one state; members for the current instruction are reset for each instruction. The state contains the
// messages, so nothing is allocated. It is large, so only some members are cleared.
std::string_view type_text() {
  return R"(/* --- types ---------------------------------------------------------------------------------------------- */

struct @Leaf;
typedef struct @State {
  const struct @Leaf* leaf; /* of the instruction */
  const struct @Options* options;
  const char* line;         /* start of the line: columns are counted from here */
  uint64_t index;           /* of the instruction, in units */
  uint64_t count;           /* units of the program */
  uint8_t* labels;          /* of each unit; null: labels are off */
  uint32_t gen;
  uint32_t bits;            /* of the instruction */
  bool is_marking;          /* label pass: targets are recorded, the text is discarded */
  bool hides_faults;
  uint32_t fault_count;
  char* fault_end;
  int64_t memos[@memo_room];
  uint8_t memo_states[@memo_room]; /* 0: not evaluated yet, 1: being computed, 2: known */
  char faults[@fault_room];
} @State;

)";
}

}  // namespace vireo::isa::generate
