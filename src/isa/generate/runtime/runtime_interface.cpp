// SPDX-License-Identifier: Apache-2.0
//
// The face of a generated program, and the types behind it.
//
// The first text is what users of a generated program rely on. All of it is C, which C++ reads as well; what C++ adds
// is a template over the same functions.
#include "isa/generate/runtime/runtime.h"

namespace vireo::isa::generate {

// Callbacks write into the printer's own buffer, up to callback_room bytes a call, so their texts are not copied. All
// options are false or zero by default, for C has no other way to say so.
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

/* How to print. All zero is a good start. A callback that writes text may write @callback_room bytes from `text` on and
   says how many it wrote. */
typedef struct @Options {
  uint32_t gen$;
  bool hide_errors$;       /* do not say what is odd about a word */
  bool branch_labels$;     /* l12, fxn12 and entry points instead of numbers */
  bool round_trip_floats$; /* as many digits as it takes to read the value back; else six decimals */
  uint32_t max_errors$;    /* stop after more than this many bad instructions in a row; 0: never */
  const @EntryPoint* entry_points$; /* shown with branch_labels */
  size_t entry_point_count$;
  void* user$; /* handed to every callback */
  size_t (*custom)(void* user, const char* field, uint64_t value, char* text)$;      /* the text of a custom field */
  size_t (*before_line)(void* user, const @Instruction* at, char* text)$;
  size_t (*after_instruction)(void* user, const @Instruction* at, char* text)$;
  size_t (*no_match)(void* user, const @Instruction* at, char* text)$; /* (size_t)-1: print it as usual */
  bool (*stops)(void* user)$; /* asked after each instruction that matched */
} @Options;

/* Takes text; false: no more, please. */
typedef bool (*@Sink)(void* user, const char* text, size_t size);

/* Whether there is code for a generation. In another one nothing matches. */
bool @has_generation(uint32_t gen);

/* Prints one instruction into `text`, which has room for @text_room bytes: index 0, no labels, no end of the line.
   `words` hold `bits` bits. Gives the number of bytes; allocates nothing. */
size_t @disassemble(const uint64_t* words, uint32_t bits, const @Options* options, char* text);

/* Prints a program, little-endian. False when the sink took no more, or memory for a buffer and labels is missing. */
bool @print(const void* bytes, size_t size, const @Options* options, @Sink sink, void* sink_user);

/* The leaf that an instruction is, as a number below @leaf_count; -1 when none matches, or two do. */
int32_t @find_leaf(const uint64_t* words, uint32_t bits, uint32_t gen);

/* What {NAME} prints for a leaf; null for a number that is none. */
const char* @leaf_name(int32_t leaf);
)";
}

// A container of the user's takes all it is given, so the sink never stops.
std::string_view cpp_interface_text() {
  return R"(
/* The same for those who have a container to append to: `append(const char*, size_t)` is all it needs. */
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

// One word is a number, two are a struct that travels in registers, more are a pointer. Code that is made says only `w`
// and bits(): it is the same for all three. Of the pointer nothing is copied, so what it points to has to stay as long
// as it is asked.
std::string_view word_text(std::uint32_t word_count) {
  if (word_count == 1) {
    return R"(
/* A word, as functions hand it on. */
typedef uint64_t @Word;
static inline uint64_t @word_at(@Word w, unsigned i) { (void)i; return w; }
static inline @Word @make_word(const uint64_t* words) { return words[0]; }

)";
  }
  if (word_count == 2) {
    return R"(
/* A word, as functions hand it on. */
typedef struct @Word { uint64_t word[2]; } @Word;
static inline uint64_t @word_at(@Word w, unsigned i) { return w.word[i]; }
static inline @Word @make_word(const uint64_t* words) {
  const @Word w = {{words[0], words[1]}};
  return w;
}

)";
  }
  return R"(
/* A word, as functions hand it on. */
typedef const uint64_t* @Word;
static inline uint64_t @word_at(@Word w, unsigned i) { return w[i]; }
static inline @Word @make_word(const uint64_t* words) { return words; }

)";
}

// `low` and `width` are mostly constants, so what is left of this is a shift and a mask. The next word is read only
// where the bits lie in it, so nothing behind the last word is touched.
std::string_view bits_text() {
  return R"(static inline int64_t @bits(@Word w, unsigned low, unsigned width) {
  const unsigned shift = low % 64;
  uint64_t value = @word_at(w, low / 64) >> shift;
  if (shift + width > 64) value |= @word_at(w, low / 64 + 1) << (64 - shift);
  return (int64_t)(width >= 64 ? value : value & (((uint64_t)1 << width) - 1));
}

)";
}

// Tables of a tree (matching.cpp). Indexes are 16 bits, or 32 where a set is too large for that; a mask has 8 bits at
// the most, as telling_window says.
std::string_view tree_type_text() {
  return R"(/* Bits that must have a value for a leaf to match. */
typedef struct @Masks {
  uint64_t care[@word_count];
  uint64_t match[@word_count];
} @Masks;
/* Takes the bits of `mask` from bit `low` on as the index of a child, from `first` on. */
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

// One state serves a whole program; what belongs to an instruction is set anew for each. Messages are kept in it, so
// nothing is allocated. It is large, and so cleared member by member, and only where it has to be.
std::string_view type_text() {
  return R"(/* --- types ---------------------------------------------------------------------------------------------- */

struct @Leaf;
typedef struct @State {
  const struct @Leaf* leaf; /* of the instruction */
  const struct @Options* options;
  const char* line;         /* where the line begins: columns are counted from there */
  uint64_t index;           /* of the instruction, in units */
  uint64_t count;           /* units of the program */
  uint8_t* labels;          /* of each unit; null: labels are off */
  uint32_t gen;
  uint32_t bits;            /* of the instruction */
  bool is_marking;          /* targets are noted, the text is thrown away */
  bool hides_faults;
  uint32_t fault_count;
  char* fault_end;
  int64_t memos[@memo_room];
  uint8_t memo_states[@memo_room]; /* 0: not asked yet, 1: being computed, 2: known */
  char faults[@fault_room];
} @State;

)";
}

}  // namespace vireo::isa::generate
