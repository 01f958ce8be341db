// SPDX-License-Identifier: Apache-2.0
//
// Faults, labels and the loop over a program, in the generated language. docs/isaspec.md, "Remarks" and "Labels".
//
// The output equals that of isa/print byte for byte, but shares no code with it, because the generated program has no
// dependencies. Buffers are not checked for overflow: the generator adds up how long a text can become
// (instruction_writer.h), and the constants here provide that space.
#include "isa/generate/runtime/runtime.h"

namespace vireo::isa::generate {

// The state collects at most four messages; they are written after the text of the instruction, or dropped. They are
// rare, so their code is out of line (`@COLD`). Bits in messages have as many digits as the whole instruction.
// `dont_care` tests its mask again, because callers do not test leaves of more than 64 bits.
std::string_view fault_text() {
  return R"(/* --- faults of a word: at most four messages --------------------------------------------------------------- */

static inline void @say(@State* s, const char* text) {
  const size_t size = strlen(text);
  memcpy(s->fault_end, text, size);
  s->fault_end += size;
}
@COLD static bool @begin_fault(@State* s) {
  if (s->hides_faults || s->fault_count >= 4) return false;
  if (s->fault_count++ == 0) s->fault_end = s->faults;
  else @say(s, ", ");
  return true;
}
/* Bits with the digits of a whole instruction. */
static inline char* @all_digits(char* o, const uint64_t* words, uint32_t width, uint32_t bits) {
  for (uint32_t i = (bits + 3) / 4; i-- > 0;) {
    *o++ = "0123456789abcdef"[i * 4 < width ? words[i / 16] >> i % 16 * 4 & 15 : 0];
  }
  return o;
}
static inline void @say_bits(@State* s, @Word w, unsigned low, unsigned width, const uint64_t* mask) {
  uint64_t words[@word_count];
  for (unsigned at = 0; at < width; at += 64) {
    words[at / 64] = (uint64_t)@bits(w, low + at, width - at < 64 ? width - at : 64);
    if (mask != NULL) words[at / 64] &= mask[at / 64];
  }
  s->fault_end = @all_digits(s->fault_end, words, width, s->bits);
}
@COLD static void @no_match(@State* s, @Word w, const char* scope, const char* field, unsigned low, unsigned width) {
  if (!@begin_fault(s)) return;
  @say(s, "no match: FIELD: '");
  @say(s, scope);
  @say(s, ".");
  @say(s, field);
  @say(s, "': ");
  @say_bits(s, w, low, width, NULL);
}
@COLD static void @no_field(@State* s, const char* name) {
  if (!@begin_fault(s)) return;
  @say(s, "no field '");
  @say(s, name);
  @say(s, "'");
}
@COLD static void @too_long(@State* s, const char* name) {
  if (!@begin_fault(s)) return;
  @say(s, "display too long at '");
  @say(s, name);
  @say(s, "'");
}
@COLD static void @no_display(@State* s, const char* name) {
  if (!@begin_fault(s)) return;
  @say(s, name);
  @say(s, ": no display template");
}
@COLD static void @two_match(@State* s, const char* a, const char* b) {
  if (!@begin_fault(s)) return;
  @say(s, "bitset conflict: ");
  @say(s, a);
  @say(s, " vs ");
  @say(s, b);
}
@COLD static void @dont_care(@State* s, @Word w, const char* name, unsigned low, unsigned width, const uint64_t* mask) {
  bool is_set = false;
  for (unsigned at = 0; at < width; at += 64) {
    if (((uint64_t)@bits(w, low + at, width - at < 64 ? width - at : 64) & mask[at / 64]) != 0) is_set = true;
  }
  if (!is_set || !@begin_fault(s)) return;
  @say(s, "dontcare bits in ");
  @say(s, name);
  @say(s, ": ");
  @say_bits(s, w, low, width, mask);
}
@COLD static void @unexpected_bits(@State* s, @Word w, const char* name, unsigned scope_low, unsigned low, unsigned width,
                                  const uint64_t* expected) {
  if (!@begin_fault(s)) return;
  @say(s, "WARNING: unexpected bits[");
  s->fault_end = @decimal(s->fault_end, low);
  @say(s, ":");
  s->fault_end = @decimal(s->fault_end, low + width - 1);
  @say(s, "] in ");
  @say(s, name);
  @say(s, ": ");
  @say_bits(s, w, scope_low + low, width, NULL);
  @say(s, " vs ");
  s->fault_end = @all_digits(s->fault_end, expected, width, s->bits);
}

)";
}

// Searches a tree: a child below leaf_child is a node, one below list_child a leaf, any other a position in the lists.
// All bits of a leaf are compared, because nodes test only some bits. Two matches are returned as one number above all
// leaves, so a switch over leaves needs no second test. A node's window of eight bits may extend into the next word if
// it begins above bit 56.
std::string_view tree_text() {
  return R"(/* The number of the matching leaf; 0xFFFFFFFF: none; if two match, the upper half is the second number + 1. */

static inline bool @matches(const @Masks* masks, const uint64_t* value) {
  uint64_t difference = 0;
  for (unsigned i = 0; i < @word_count; ++i) difference |= (value[i] & masks->care[i]) ^ masks->match[i];
  return difference == 0;
}
static inline uint64_t @find(const @Tree* tree, const uint64_t* value) {
  uint32_t at = tree->start;
  while (at < @leaf_child) {
    const @Node* node = &tree->nodes[at];
    const unsigned shift = node->low % 64u;
    const unsigned place = @word_count == 1 ? 0 : node->low / 64u;
    uint64_t bits = value[place] >> shift;
    if (@word_count > 1 && shift > 56 && place + 1 < @word_count) bits |= value[place + 1] << (64 - shift);
    at = tree->children[node->first + (bits & node->mask)];
  }
  if (at < @list_child) return @matches(&tree->masks[at - @leaf_child], value) ? at - @leaf_child : 0xFFFFFFFFu;
  uint64_t found = 0xFFFFFFFFu;
  const @Index* list = tree->lists + (at - @list_child);
  for (uint32_t i = 1; i <= list[0]; ++i) {
    if (!@matches(&tree->masks[list[i]], value)) continue;
    if (found != 0xFFFFFFFFu) return found | ((uint64_t)list[i] + 1) << 32;
    found = list[i];
  }
  return found;
}
static inline uint64_t @find_nested(const @Tree* tree, @Word w, unsigned low, unsigned width) {
  uint64_t value[@word_count] = {0};
  for (unsigned at = 0; at < width; at += 64) {
    value[at / 64] = (uint64_t)@bits(w, low + at, width - at < 64 ? width - at : 64);
  }
  return @find(tree, value);
}
)";
}

// A target is a number of units. It becomes a label if labels are on and an instruction begins there; otherwise it is
// printed as a number. Targets and instruction offsets are computed in 32 bits. The label pass prints no custom fields,
// because its text is discarded. A leaf's name is copied with a constant size if it is short enough.
std::string_view shown_text() {
  return R"(/* --- parts of displays ------------------------------------------------------------------------------------- */

static inline char* @pad(const @State* s, char* o, size_t column) {
  const size_t at = (size_t)(o - s->line);
  if (at >= column) return o;
  memset(o, ' ', column - at);
  return o + (column - at);
}
static inline char* @target(@State* s, char* o, uint64_t raw, unsigned width, bool is_relative, unsigned kind) {
  if (s->labels != NULL) { /* in 32 bits, as displacements wrap */
    const uint32_t target = is_relative ? (uint32_t)@extend(raw, width) + (uint32_t)s->index : (uint32_t)raw;
    const bool is_inside = target <= 0x7FFFFFFFu && target < s->count;
    if (is_inside && (s->is_marking || (s->labels[target] & @within_instruction) == 0)) {
      if (s->is_marking) s->labels[target] |= (uint8_t)kind;
      o = kind == @call_target ? @put(o, "fxn", 3) : @put(o, "l", 1);
      return @decimal(o, target);
    }
  }
  return @signed_decimal(o, raw, width);
}
static inline char* @branch(@State* s, char* o, uint64_t raw, unsigned width, unsigned kind) {
  return @target(s, o, raw, width, true, kind);
}
static inline char* @absbranch(@State* s, char* o, uint64_t raw, unsigned width, unsigned kind) {
  return @target(s, o, raw, width, false, kind);
}
static inline char* @custom(@State* s, char* o, const char* field, uint64_t value) {
  if (s->is_marking || s->options->custom == NULL) return o;
  return o + s->options->custom(s->options->user, field, value, o);
}

@COLD static void @conflict(@State* s, uint64_t found, const char* const* names) {
  if (found >> 32 != 0) @two_match(s, names[(uint32_t)found], names[(found >> 32) - 1]);
}

/* --- leaves of instructions ------------------------------------------------------------------------------ */

typedef struct @Leaf {
  char name[@name_room];
  uint16_t name_size;
  bool has_branch; /* it may print the target of a branch */
  bool has_memos;
  uint64_t dont_care[@word_count];
  char* (*show)(@State* s, @Word w, char* o);
} @Leaf;

static inline char* @name(const @State* s, char* o) {
  memcpy(o, s->leaf->name, @name_copy ? @name_copy : s->leaf->name_size);
  return o + s->leaf->name_size;
}

)";
}

// Prints one instruction and a whole program.
//
// `choose` tries roots in the order of the description. The first root whose pattern matches is used, even if none of
// its leaves matches. If a root has no pattern and none of its leaves matches, the next root is tried. A root that is
// longer than the rest of the program is skipped.
//
// `find_labels` prints the whole program once without output, because only displays determine which branches are shown.
// It works on a copy of the state. One byte per unit records the kinds of branches that target the unit.
//
// `print_labels` advances through the sorted entry points along with the instructions, so the work is linear. It
// flushes the buffer before an entry point's name, because names have no size limit.
//
// `print_lines` flushes the buffer only between lines, so the buffer has space for a whole line and the text of
// callbacks.
//
// `print` allocates the label memory once, and has a single exit, which frees all memory.
//
// generate.cpp replaces `%ROWS%` by the tables of the instruction set.
std::string_view program_text() {
  return R"(/* --- one instruction -------------------------------------------------------------------------------------- */

/* A root that instructions are decoded from. */
typedef struct @Root {
  uint32_t bits;
  bool has_pattern; /* of the lowest bits at the current position */
  uint64_t care[@word_count];
  uint64_t match[@word_count];
} @Root;
typedef struct @Generation {
  uint32_t min;
  uint32_t max;
  const @Tree* trees[@root_count];      /* of each root */
  const @Index* leaves[@root_count];    /* numbers in a tree → numbers in @leaves */
} @Generation;

%ROWS%
static const @Generation* @generation_of(uint32_t gen) {
  for (size_t i = 0; i < sizeof @generations / sizeof @generations[0]; ++i) {
    if (gen >= @generations[i].min && gen <= @generations[i].max) return &@generations[i];
  }
  return NULL;
}

typedef struct @Choice {
  const struct @Leaf* leaf;   /* null: none matches */
  const struct @Leaf* second; /* another one that matches: a conflict */
  uint32_t bits;       /* of the root; 0: no root applies */
} @Choice;

static inline @Choice @choose(const @Generation* generation, const uint64_t* words, uint64_t bits) {
  @Choice choice = {NULL, NULL, 0};
  if (generation == NULL) return choice;
  for (unsigned i = 0; i < @root_count; ++i) {
    const @Root* root = &@roots[i];
    if (root->bits > bits) continue;
    if (root->has_pattern) {
      uint64_t difference = 0;
      for (unsigned k = 0; k < @word_count; ++k) difference |= (words[k] & root->care[k]) ^ root->match[k];
      if (difference != 0) continue;
    }
    const uint64_t found = @find(generation->trees[i], words);
    if (found == 0xFFFFFFFFu && !root->has_pattern && @root_count != 1) continue;
    choice.bits = root->bits;
    if (found == 0xFFFFFFFFu) return choice;
    choice.leaf = &@leaves[generation->leaves[i][(uint32_t)found]];
    if (found >> 32 != 0) choice.second = &@leaves[generation->leaves[i][(found >> 32) - 1]];
    return choice;
  }
  return choice;
}

static inline void @begin(@State* s, const @Options* options) {
  s->options = options;
  s->gen = options->gen;
  s->index = s->count = 0;
  s->labels = NULL;
  s->is_marking = false;
  s->hides_faults = options->hide_errors;
  s->fault_count = 0;
}

/* Null: no single leaf matches. */
static inline char* @show(@State* s, const @Choice* choice, const uint64_t* words, char* o) {
  if (choice->leaf == NULL) return NULL;
  if (choice->second != NULL) {
    @two_match(s, choice->leaf->name, choice->second->name);
    return NULL;
  }
  s->leaf = choice->leaf;
  s->line = o;
  if (@memo_count != 0 && s->leaf->has_memos) memset(s->memo_states, 0, @memo_room);
  const @Word w = @make_word(words);
  uint64_t odd_bits = 0;
  for (unsigned i = 0; i < @word_count; ++i) odd_bits |= words[i] & s->leaf->dont_care[i];
  if (odd_bits != 0) @dont_care(s, w, s->leaf->name, 0, choice->bits, s->leaf->dont_care);
  return s->leaf->show(s, w, o);
}
static char* @flush_faults(@State* s, char* o) {
  if (s->fault_count == 0) return o;
  o = @put(o, "\t; ", 3);
  o = @put(o, s->faults, (size_t)(s->fault_end - s->faults));
  s->fault_count = 0;
  return o;
}

bool @has_generation(uint32_t gen) { return @generation_of(gen) != NULL; }

size_t @disassemble(const uint64_t* words, uint32_t bits, const @Options* options, char* text) {
  uint64_t value[@word_count] = {0};
  for (uint32_t i = 0; i < @word_count && i * 64 < bits; ++i) value[i] = words[i];
  @State s;
  @begin(&s, options);
  const @Choice choice = @choose(@generation_of(options->gen), value, bits);
  s.bits = choice.bits != 0 ? choice.bits : bits < @unit_bits ? bits : @unit_bits;
  char* o = @show(&s, &choice, value, text);
  if (o != NULL) return (size_t)(@flush_faults(&s, o) - text);
  o = @put(text, "no match: ", 10);
  return (size_t)(@all_digits(o, value, s.bits, s.bits) - text);
}

int32_t @find_leaf(const uint64_t* words, uint32_t bits, uint32_t gen) {
  uint64_t value[@word_count] = {0};
  for (uint32_t i = 0; i < @word_count && i * 64 < bits; ++i) value[i] = words[i];
  const @Choice choice = @choose(@generation_of(gen), value, bits);
  return choice.leaf == NULL || choice.second != NULL ? -1 : (int32_t)(choice.leaf - @leaves);
}

const char* @leaf_name(int32_t leaf) { return leaf < 0 || leaf >= (int32_t)@leaf_count ? NULL : @leaves[leaf].name; }

/* --- a program -------------------------------------------------------------------------------------------- */

/* Little-endian bytes → words; zero beyond the end. */
static inline void @load(uint64_t* words, const unsigned char* bytes, size_t left) {
  for (unsigned i = 0; i < @word_count; ++i) {
    const size_t at = (size_t)i * 8;
    const unsigned char* p = bytes + at;
    if (left >= at + 8 && @load_bytes >= at + 8) {
      words[i] = (uint64_t)p[0] | (uint64_t)p[1] << 8 | (uint64_t)p[2] << 16 | (uint64_t)p[3] << 24 |
                 (uint64_t)p[4] << 32 | (uint64_t)p[5] << 40 | (uint64_t)p[6] << 48 | (uint64_t)p[7] << 56;
      continue;
    }
    words[i] = 0;
    for (unsigned k = 0; k < 8 && at + k < left && at + k < @load_bytes; ++k) words[i] |= (uint64_t)p[k] << 8 * k;
  }
}

/* The label pass: records the targets of the branches that the text shows. */
static void @find_labels(@State s, const @Generation* generation, const unsigned char* bytes, char* scratch) {
  s.is_marking = true;
  s.hides_faults = true;
  for (s.index = 0; s.index < s.count;) {
    uint64_t words[@word_count] = {0};
    const size_t left = (size_t)(s.count - s.index) * @unit_bytes;
    @load(words, bytes + (size_t)s.index * @unit_bytes, left);
    const @Choice choice = @choose(generation, words, (uint64_t)left * 8);
    s.bits = choice.bits != 0 ? choice.bits : @unit_bits;
    if (choice.leaf != NULL && choice.second == NULL && choice.leaf->has_branch) @show(&s, &choice, words, scratch);
    const uint64_t next = s.index + s.bits / @unit_bits;
    while (++s.index < next) s.labels[s.index] |= @within_instruction;
  }
}

static int @compare_entries(const void* a, const void* b) {
  const @EntryPoint* x = *(const @EntryPoint* const*)a;
  const @EntryPoint* y = *(const @EntryPoint* const*)b;
  if (x->offset != y->offset) return x->offset < y->offset ? -1 : 1;
  return strcmp(x->name, y->name);
}

typedef struct @Printer {
  struct @State state;
  @Instruction at;
  @Sink write;
  void* sink_user;
  const @EntryPoint** entries;
  size_t next_entry;
  char* buffer;
  char* o;
} @Printer;

static bool @flush(@Printer* p) {
  const size_t size = (size_t)(p->o - p->buffer);
  p->o = p->buffer;
  return size == 0 || p->write(p->sink_user, p->buffer, size);
}
static inline void @begin_line(@Printer* p) {
  const @Options* options = p->state.options;
  if (options->before_line != NULL) p->o += options->before_line(options->user, &p->at, p->o);
}
static bool @print_label(@Printer* p, const char* prefix) {
  @begin_line(p);
  p->o = @put(p->o, prefix, strlen(prefix));
  p->o = @put(@decimal(p->o, p->state.index), ":\n", 2);
  return @flush(p);
}
static bool @print_labels(@Printer* p) {
  const @Options* options = p->state.options;
  const uint64_t index = p->state.index;
  const uint8_t label = p->state.labels[index];
  while (p->next_entry < options->entry_point_count && p->entries[p->next_entry]->offset < index) ++p->next_entry;
  const bool has_entry = p->next_entry < options->entry_point_count && p->entries[p->next_entry]->offset == index;
  if (!has_entry && label == 0) return true;
  if (!@flush(p)) return false;
  if (index != 0 && ((label & @call_target) != 0 || has_entry)) {
    @begin_line(p);
    *p->o++ = '\n';
  }
  for (; p->next_entry < options->entry_point_count && p->entries[p->next_entry]->offset == index; ++p->next_entry) {
    const char* name = p->entries[p->next_entry]->name;
    @begin_line(p);
    if (!@flush(p) || !p->write(p->sink_user, name, strlen(name))) return false;
    p->o = @put(p->o, ":\n", 2);
  }
  if ((label & @call_target) != 0 && !@print_label(p, "fxn")) return false;
  return (label & @branch_target) == 0 || @print_label(p, "l");
}

/* The line of a word that no leaf matches. */
static void @print_no_match(@Printer* p) {
  @State* s = &p->state;
  const @Options* options = s->options;
  size_t size = (size_t)-1;
  if (options->no_match != NULL) size = options->no_match(options->user, &p->at, p->o);
  if (size != (size_t)-1) {
    p->o += size;
  } else {
    p->o = @put(p->o, "no match: ", 10);
    p->o = @all_digits(p->o, p->at.words, s->bits, s->bits);
    if (!@keeps_faults) p->o = @flush_faults(s, p->o);
    *p->o++ = '\n';
  }
  if (!@keeps_faults) s->fault_count = 0;
}

static bool @print_lines(@Printer* p, const @Generation* generation, const unsigned char* bytes) {
  @State* s = &p->state;
  const @Options* options = s->options;
  uint32_t bad_in_a_row = 0;
  for (s->index = 0; s->index < s->count; s->index += s->bits / @unit_bits) {
    uint64_t words[@word_count] = {0};
    const size_t left = (size_t)(s->count - s->index) * @unit_bytes;
    if (options->max_errors != 0 && bad_in_a_row > options->max_errors) break;
    @load(words, bytes + (size_t)s->index * @unit_bytes, left);
    const @Choice choice = @choose(generation, words, (uint64_t)left * 8);
    s->bits = choice.bits != 0 ? choice.bits : @unit_bits;
    p->at.index = s->index;
    p->at.words = words;
    p->at.bits = s->bits;
    if (s->labels != NULL && !@print_labels(p)) return false;
    @begin_line(p);
    char* o = @show(s, &choice, words, p->o);
    if (o == NULL) {
      ++bad_in_a_row;
      @print_no_match(p);
    } else {
      p->o = o;
      bad_in_a_row = s->fault_count != 0 ? bad_in_a_row + 1 : 0;
      if (s->fault_count != 0) p->o = @flush_faults(s, p->o);
      if (options->after_instruction != NULL) p->o += options->after_instruction(options->user, &p->at, p->o);
      *p->o++ = '\n';
      if (options->stops != NULL && options->stops(options->user)) break;
    }
    if (p->o - p->buffer >= @flush_at && !@flush(p)) return false;
  }
  return @flush(p);
}

bool @print(const void* bytes, size_t size, const @Options* options, @Sink sink, void* sink_user) {
  @Printer p;
  const @Generation* generation = @generation_of(options->gen);
  @begin(&p.state, options);
  p.state.count = size / @unit_bytes;
  p.write = sink;
  p.sink_user = sink_user;
  p.entries = NULL;
  p.next_entry = 0;
  p.buffer = p.o = (char*)malloc(@flush_at + @text_room + 4 * @callback_room);
  bool result = p.buffer != NULL;
  if (result && options->branch_labels && p.state.count != 0) {
    p.state.labels = (uint8_t*)calloc((size_t)p.state.count, 1);
    p.entries = (const @EntryPoint**)malloc((options->entry_point_count + 1) * sizeof *p.entries);
    result = p.state.labels != NULL && p.entries != NULL;
    for (size_t i = 0; result && i < options->entry_point_count; ++i) p.entries[i] = &options->entry_points[i];
    if (result) {
      qsort(p.entries, options->entry_point_count, sizeof *p.entries, @compare_entries);
      @find_labels(p.state, generation, (const unsigned char*)bytes, p.buffer);
    }
  }
  if (result) result = @print_lines(&p, generation, (const unsigned char*)bytes);
  free(p.entries);
  free(p.state.labels);
  free(p.buffer);
  return result;
}
)";
}

}  // namespace vireo::isa::generate
