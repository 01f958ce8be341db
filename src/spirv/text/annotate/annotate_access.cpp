// SPDX-License-Identifier: Apache-2.0
//
// Where values live: access chains, loads, stores and parts of composites as paths, `s.v[2]` (specification 3.42.8).
//
// The one idea: a path is found backwards, from the pointer to the variable it comes from, through a few links at most,
// and written forwards, walking down the type of the variable index by index.
#include <array>

#include "spirv/text/annotate/annotate_remark.h"

namespace vireo::spirv {
namespace {

constexpr std::size_t max_links = 8;  // access chains upon loads upon access chains ...

/// How an opcode leads from a base to a part of it.
struct Chain {
  bool is_chain = false;
  std::size_t base = 3;      // word of the base
  std::size_t first = 4;     // word of the first index
  bool has_element = false;  // the first index steps over whole objects: OpPtrAccessChain
  bool is_literal = false;   // indexes are literals: OpCompositeExtract
};

// Words as the specification lists the operands: type, result, base, indexes; untyped chains have their pointee's
// type before the base (SPV_KHR_untyped_pointers).
Chain chain_of(Op op) {
  switch (op) {
    case Op::OpAccessChain:
    case Op::OpInBoundsAccessChain: return {true, 3, 4, false, false};
    case Op::OpPtrAccessChain:
    case Op::OpInBoundsPtrAccessChain: return {true, 3, 4, true, false};
    case Op::OpUntypedAccessChainKHR:
    case Op::OpUntypedInBoundsAccessChainKHR: return {true, 4, 5, false, false};
    case Op::OpUntypedPtrAccessChainKHR:
    case Op::OpUntypedInBoundsPtrAccessChainKHR: return {true, 4, 5, true, false};
    case Op::OpCompositeExtract: return {true, 3, 4, false, true};
    default: return {};
  }
}

// Instructions whose result stands for another id, the one in their third word.
bool is_transparent(Op op) {
  switch (op) {
    case Op::OpLoad:
    case Op::OpCopyObject:
    case Op::OpCopyLogical:
    case Op::OpPtrCastToGeneric:
    case Op::OpGenericCastToPtr:
    case Op::OpSampledImage:
    case Op::OpImage: return true;
    default: return false;
  }
}

// The type that the indexes of a chain walk down from.
Word walked_type(const Remark& remark, InstructionView chain, const Chain& shape) {
  if (shape.base == 4) return chain.word(3);  // an untyped chain says it itself
  const Word type = remark.facts.type_of(chain.word(shape.base));
  if (shape.is_literal) return type;
  // Chains walk down from what the pointer points to, extracts from the value itself.
  const InstructionView pointer = remark.facts.definition(type);
  return op_of(pointer) == Op::OpTypePointer ? pointer.word(3) : 0;
}

/// Where the writing of a path has come to.
struct PathState {
  bool needs_dot = true;  // before a member
  bool is_index = false;  // the path stands within another one, as an index; no third one goes into it
};

// Paths hold indexes and indexes may be paths: the one place where functions here call each other, one level deep.
bool add_value_within(Remark& remark, Word value, bool is_index);

// An index that is computed: its name, or what it is where that is short.
void add_dynamic_index(Remark& remark, Word index, const PathState& state) {
  // One level of paths within paths: a[b[i]] is read, a[b[c[i]]] is not, and each level could be as long as the
  // first.
  const bool had_news = remark.has_news;  // the path that it is part of is news, or is not
  if (state.is_index || !add_value_within(remark, index, true)) remark.add_id(index);
  remark.has_news = had_news;
}

// One step of a path; returns the type behind it, 0 when it is not known.
Word add_step(Remark& remark, Word type, Word index, bool is_literal, PathState& state) {
  const InstructionView definition = remark.facts.definition(type);
  std::uint64_t value = index;
  const bool is_known = is_literal || remark.facts.constant_index(index, value);
  switch (op_of(definition)) {
    case Op::OpTypeStruct: {
      if (state.needs_dot) remark.add(".");
      state.needs_dot = true;
      const std::string_view name =
          is_known ? remark.facts.member_name(type, static_cast<Word>(value)) : std::string_view{};
      if (!name.empty()) {
        remark.add_input(name);
      } else if (is_known) {
        remark.add(value);
      } else {
        add_dynamic_index(remark, index, state);
      }
      // Members begin at word 2 of OpTypeStruct. An index beyond them leads to no type; what follows is written as
      // `[n]`.
      return is_known && value < definition.word_count ? definition.word(static_cast<std::size_t>(value) + 2) : 0;
    }
    case Op::OpTypeVector:
      // Only up to four components have letters; kernels have vectors of 8 and 16.
      if (is_known && value < 4) {
        remark.add(".").add(std::string_view("xyzw").substr(static_cast<std::size_t>(value), 1));
        return definition.word(2);
      }
      break;
    default: break;
  }
  state.needs_dot = true;
  remark.add("[");
  if (is_known) {
    remark.add(value);
  } else {
    add_dynamic_index(remark, index, state);
  }
  remark.add("]");
  switch (op_of(definition)) {
    case Op::OpTypeArray:
    case Op::OpTypeRuntimeArray:
    case Op::OpTypeMatrix:
    case Op::OpTypeVector: return definition.word(2);
    default: return 0;
  }
}

// The indexes of one link of a path.
void add_link(Remark& remark, InstructionView chain, const Chain& shape, PathState& state) {
  Word type = walked_type(remark, chain, shape);
  std::size_t i = shape.first;
  // OpPtrAccessChain: the first operand counts whole objects, as in `p[i].member` (specification, OpPtrAccessChain);
  // an element of 0 is how compilers write `p->member`, and says nothing.
  if (shape.has_element && i < chain.word_count) {
    std::uint64_t element = 1;
    const bool is_last = i + 1 == chain.word_count;  // then it is all there is to say, even when it is 0
    if (is_last || !remark.facts.constant_index(chain.word(i), element) || element != 0) {
      add_step(remark, 0, chain.word(i), false, state);
    }
    ++i;
  }
  for (; i < chain.word_count && !remark.is_full(); ++i)
    type = add_step(remark, type, chain.word(i), shape.is_literal, state);
}

// Adds the path that ends in a value or pointer.
void add_path(Remark& remark, Word id, bool is_index) {
  std::array<InstructionView, max_links> links;  // from the end of the path to its start
  std::size_t count = 0;
  bool is_more = false;
  bool is_cut = false;
  // A name ends the way back: `color` says more than where it was loaded from.
  while (remark.facts.name_of(id).empty()) {
    const InstructionView definition = remark.facts.definition(id);
    const Chain shape = chain_of(op_of(definition));
    if (!shape.is_chain && !is_transparent(op_of(definition))) break;
    is_more = true;
    if (count == max_links) {
      is_cut = true;
      break;
    }
    links[count++] = definition;
    id = definition.word(shape.is_chain ? shape.base : 3);
  }
  // A GLSL block without a name: its members are called as they are.
  const bool is_nameless = count > 0 && chain_of(op_of(links[count - 1])).is_chain && remark.facts.is_nameless(id);
  if (is_cut) {
    remark.add("...");
  } else if (!is_nameless) {
    remark.add_id(id);
  }
  PathState state{!is_nameless, is_index};
  for (; count > 0 && !remark.is_full(); --count) {
    const InstructionView link = links[count - 1];
    if (const Chain shape = chain_of(op_of(link)); shape.is_chain) add_link(remark, link, shape, state);
  }
  if (is_more) remark.has_news = true;
}

// `xyz` and the like of a shuffle that only takes from its first vector (or only from its second one).
bool add_swizzle(Remark& remark, InstructionView shuffle) {
  constexpr std::size_t first_component = 5;
  const InstructionView type = remark.facts.definition(remark.facts.type_of(shuffle.word(3)));
  // Components are counted through both vectors, the first one's before the second's (specification,
  // OpVectorShuffle); a swizzle is a shuffle that stays within one.
  const Word size = op_of(type) == Op::OpTypeVector ? type.word(3) : 0;
  if (size == 0 || size > 4 || shuffle.word_count <= first_component || shuffle.word_count > first_component + 4)
    return false;
  const bool is_second = shuffle.word(first_component) >= size;
  char letters[4];
  std::size_t count = 0;
  for (const Word component : shuffle.words().subspan(first_component)) {
    const Word within = is_second ? component - size : component;
    if ((component >= size) != is_second || within >= 4) return false;
    letters[count++] = "xyzw"[within];
  }
  add_value(remark, shuffle.word(is_second ? 4 : 3));
  remark.add(".").add({letters, count});
  remark.has_news = true;
  return true;
}

// Adds what a value is when that says more than its id.
bool add_value_within(Remark& remark, Word value, bool is_index) {
  if (!remark.facts.name_of(value).empty()) return false;
  if (add_constant(remark, remark.facts.definition(value))) {
    if (!remark.line_shows(value)) remark.has_news = true;
    return true;
  }
  // A path that comes from nothing with a name says less than the value's own id.
  const std::size_t size = remark.size();
  const bool had_news = remark.has_news;
  add_path(remark, value, is_index);
  if (!remark.last(size).starts_with('%') && !remark.last(size).starts_with("...")) {
    remark.has_meaning = true;
    return true;
  }
  remark.cut_back(size);
  remark.has_news = had_news;
  return false;
}

}  // namespace

void add_place(Remark& remark, Word pointer) {
  // What a pointer that was itself loaded points to is not the place it was loaded from.
  if (op_of(remark.facts.definition(pointer)) == Op::OpLoad && remark.facts.name_of(pointer).empty()) remark.add("*");
  add_path(remark, pointer, false);
}

void add_value(Remark& remark, Word value) {
  if (!add_value_within(remark, value, false)) remark.add_id(value);
}

bool remark_on_access(Remark& remark, InstructionView instruction) {
  switch (op_of(instruction)) {
    case Op::OpAccessChain:
    case Op::OpInBoundsAccessChain:
    case Op::OpPtrAccessChain:
    case Op::OpInBoundsPtrAccessChain:
    case Op::OpUntypedAccessChainKHR:
    case Op::OpUntypedInBoundsAccessChainKHR:
    case Op::OpUntypedPtrAccessChainKHR:
    case Op::OpUntypedInBoundsPtrAccessChainKHR: {
      const std::string_view name = remark.facts.name_of(instruction.word(2));
      remark.add("location of ");
      if (!name.empty()) remark.add_input(name).add(" = ");
      PathState state;
      const Chain shape = chain_of(op_of(instruction));
      const Word base = instruction.word(shape.base);
      if (remark.facts.is_nameless(base)) {
        state.needs_dot = false;
      } else {
        add_path(remark, base, false);
      }
      add_link(remark, instruction, shape, state);
      remark.has_news = true;
      return true;
    }
    case Op::OpCompositeExtract: {
      const Word composite = instruction.word(3);
      PathState state;
      add_value(remark, composite);
      add_link(remark, instruction, chain_of(Op::OpCompositeExtract), state);
      // The indexes are on the line; what they are indexes of is news only when it has a name.
      remark.has_news = remark.has_news || remark.line_shows(composite);
      return true;
    }
    case Op::OpLoad:
      remark.add("load from ");
      add_place(remark, instruction.word(3));
      return true;
    case Op::OpStore:
      remark.add("store ");
      // A value without name and meaning is left out: `store to x` reads better than `store %17 to x`, and %17 is on
      // the line.
      if (!remark.name_of(instruction.word(2)).empty()) {
        remark.add_id(instruction.word(2)).add(" ");
      } else if (add_value_within(remark, instruction.word(2), false)) {
        remark.add(" ");
      }
      remark.add("to ");
      add_place(remark, instruction.word(1));
      return true;
    case Op::OpCopyMemory:
      remark.add("copy ");
      add_place(remark, instruction.word(2));
      remark.add(" to ");
      add_place(remark, instruction.word(1));
      return true;
    case Op::OpVectorShuffle: return add_swizzle(remark, instruction);
    default: return false;
  }
}

}  // namespace vireo::spirv
