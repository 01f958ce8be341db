// SPDX-License-Identifier: Apache-2.0
//
// Access chains, loads, stores and parts of composites as paths, `s.v[2]` (specification 3.42.8).
//
// The search for a path goes backwards, from the pointer to the variable, through at most `max_links` instructions. The
// path is then written forwards: each index selects a member or element of the current type.
#include <array>
#include <optional>

#include "spirv/binary/access_chain.h"
#include "spirv/grammar/opcode_families.h"
#include "spirv/text/annotate/annotate_remark.h"
#include "vireo/spirv/binary/views/composite.h"
#include "vireo/spirv/binary/views/conversion.h"
#include "vireo/spirv/binary/views/image.h"
#include "vireo/spirv/binary/views/memory.h"
#include "vireo/spirv/binary/views/type_declaration.h"

namespace vireo::spirv {
namespace {

constexpr std::size_t max_links = 8;  // access chains of loads of access chains ...

/// The base and the indexes by which an instruction selects a part of it.
struct Chain {
  Word base = 0;
  Words indexes;
  std::optional<Word> element;    // operand Element, which steps over whole objects (OpPtrAccessChain)
  std::optional<Word> base_type;  // the base's pointee type, if the chain has this operand (SPV_KHR_untyped_pointers)
  bool is_literal = false;        // indexes are literals (OpCompositeExtract)
};

std::optional<Chain> chain_of(InstructionView instruction) {
  if (op_of(instruction) == Op::OpCompositeExtract) {
    const View<Op::OpCompositeExtract> extract(instruction);
    return Chain{extract.composite(), extract.indexes().words(), {}, {}, true};
  }
  const auto access = access_chain(instruction);
  if (!access) return std::nullopt;
  Chain chain{access->base, access->indexes.words(), {}, {}, false};
  if (access->element && access->element->word < instruction.word_count) chain.element = *access->element;
  if (access->is_untyped) chain.base_type = access->base_type;
  return chain;
}

// The operand whose storage location or value the result of an instruction shares; empty if there is none.
std::optional<Word> source_of(InstructionView instruction) {
  switch (op_of(instruction)) {
    case Op::OpLoad: return View<Op::OpLoad>(instruction).pointer();
    case Op::OpCopyObject: return View<Op::OpCopyObject>(instruction).operand();
    case Op::OpCopyLogical: return View<Op::OpCopyLogical>(instruction).operand();
    case Op::OpPtrCastToGeneric: return View<Op::OpPtrCastToGeneric>(instruction).pointer();
    case Op::OpGenericCastToPtr: return View<Op::OpGenericCastToPtr>(instruction).pointer();
    case Op::OpSampledImage: return View<Op::OpSampledImage>(instruction).image();
    case Op::OpImage: return View<Op::OpImage>(instruction).sampled_image();
    default: return {};
  }
}

// The type that the first index of a chain selects from.
Word walked_type(const Remark& remark, const Chain& chain) {
  if (chain.base_type) return *chain.base_type;
  const Word type = remark.facts.type_of(chain.base);
  if (chain.is_literal) return type;
  // Access chains index the pointee type; extracts index the type of the value itself.
  const auto pointer = as<Op::OpTypePointer>(remark.facts.definition(type));
  return pointer ? pointer->type() : Word{0};
}

/// The state of a path that is being written.
struct PathState {
  bool needs_dot = true;  // before a member name
  bool is_index = false;  // this path is an index within another path, so its own indexes are not written as paths
};

// A path contains indexes, and an index can be a path. These functions call each other, one level deep at most.
bool add_value_within(Remark& remark, Word value, bool is_index);

// Adds an index that is not constant: the text of its value if there is one, otherwise its id.
void add_dynamic_index(Remark& remark, Word index, const PathState& state) {
  // Only one level of nested paths: a[b[i]] is readable, a[b[c[i]]] is not, and each level can be as long as the first.
  const bool had_news = remark.has_news;  // the enclosing path determines has_news
  if (state.is_index || !add_value_within(remark, index, true)) remark.add_id(index);
  remark.has_news = had_news;
}

// Adds one step of a path. Returns the type that the index selects, 0 if it is unknown.
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
      // An index past the last member selects no type; the following steps are written as `[n]`.
      const auto members = View<Op::OpTypeStruct>(definition).member_types();
      return is_known && value < members.size() ? members[static_cast<std::size_t>(value)].id : 0;
    }
    case Op::OpTypeVector:
      // Only the first four components have letters; kernels have vectors of 8 and 16.
      if (is_known && value < 4) {
        remark.add(".").add(std::string_view("xyzw").substr(static_cast<std::size_t>(value), 1));
        return View<Op::OpTypeVector>(definition).component_type();
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
    case Op::OpTypeArray: return View<Op::OpTypeArray>(definition).element_type();
    case Op::OpTypeRuntimeArray: return View<Op::OpTypeRuntimeArray>(definition).element_type();
    case Op::OpTypeMatrix: return View<Op::OpTypeMatrix>(definition).column_type();
    case Op::OpTypeVector: return View<Op::OpTypeVector>(definition).component_type();
    default: return 0;
  }
}

// Adds the indexes of one link of a path.
void add_link(Remark& remark, const Chain& chain, PathState& state) {
  Word type = walked_type(remark, chain);
  // The Element operand steps over whole objects, as in `p[i].member` (specification, OpPtrAccessChain). Compilers
  // write `p->member` with an element of 0, so a 0 is left out.
  if (chain.element) {
    std::uint64_t element = 1;
    const bool is_last = chain.indexes.empty();  // if so, a 0 is shown too, because the path has no other index
    if (is_last || !remark.facts.constant_index(*chain.element, element) || element != 0) {
      add_step(remark, 0, *chain.element, false, state);
    }
  }
  for (const Word index : chain.indexes) {
    if (remark.is_full()) break;
    type = add_step(remark, type, index, chain.is_literal, state);
  }
}

// Adds the path of a value or pointer.
void add_path(Remark& remark, Word id, bool is_index) {
  std::array<InstructionView, max_links> links;  // from the end of the path to its start
  std::size_t count = 0;
  bool is_more = false;
  bool is_cut = false;
  // The search stops at a named id: `color` is more useful than the location that it was loaded from.
  while (remark.facts.name_of(id).empty()) {
    const InstructionView definition = remark.facts.definition(id);
    const std::optional<Chain> chain = chain_of(definition);
    const std::optional<Word> source = chain ? chain->base : source_of(definition);
    if (!source) break;
    is_more = true;
    if (count == max_links) {
      is_cut = true;
      break;
    }
    links[count++] = definition;
    id = *source;
  }
  // This is a GLSL block without an instance name; its members are written without a prefix.
  const bool is_nameless = count > 0 && chain_of(links[count - 1]) && remark.facts.is_nameless(id);
  if (is_cut) {
    remark.add("...");
  } else if (!is_nameless) {
    remark.add_id(id);
  }
  PathState state{!is_nameless, is_index};
  for (; count > 0 && !remark.is_full(); --count) {
    if (const std::optional<Chain> chain = chain_of(links[count - 1])) add_link(remark, *chain, state);
  }
  if (is_more) remark.has_news = true;
}

// Adds a swizzle such as `.xyz` for a shuffle whose components all come from the same vector.
bool add_swizzle(Remark& remark, View<Op::OpVectorShuffle> shuffle) {
  const auto type = as<Op::OpTypeVector>(remark.facts.definition(remark.facts.type_of(shuffle.vector_1())));
  // Component literals number the components of both vectors, beginning with the first vector (specification,
  // OpVectorShuffle). A shuffle is a swizzle if all its components come from the same vector.
  const Word size = type ? type->component_count() : Word{0};
  const LiteralList components = shuffle.components();
  if (size == 0 || size > 4 || components.empty() || components.size() > 4) return false;
  const bool is_second = components[0] >= size;
  char letters[4];
  std::size_t count = 0;
  for (const Word component : components) {
    const Word within = is_second ? component - size : component;
    if ((component >= size) != is_second || within >= 4) return false;
    letters[count++] = "xyzw"[within];
  }
  add_value(remark, is_second ? shuffle.vector_2() : shuffle.vector_1());
  remark.add(".").add({letters, count});
  remark.has_news = true;
  return true;
}

// Adds a text for a value that is more informative than its id; returns false if there is none.
bool add_value_within(Remark& remark, Word value, bool is_index) {
  if (!remark.facts.name_of(value).empty()) return false;
  if (add_constant(remark, remark.facts.definition(value))) {
    if (!remark.line_shows(value)) remark.has_news = true;
    return true;
  }
  // If no part of a path has a name, the path is less informative than the id of the value.
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

void remark_on_chain(Remark& remark, InstructionView instruction) {
  const std::string_view name = remark.facts.name_of(ValueOperands(instruction).result());
  remark.add("location of ");
  if (!name.empty()) remark.add_input(name).add(" = ");
  PathState state;
  const Chain chain = *chain_of(instruction);
  if (remark.facts.is_nameless(chain.base)) {
    state.needs_dot = false;
  } else {
    add_path(remark, chain.base, false);
  }
  add_link(remark, chain, state);
  remark.has_news = true;
}

}  // namespace

void add_place(Remark& remark, Word pointer) {
  // A loaded pointer does not point to the location that it was loaded from.
  if (op_of(remark.facts.definition(pointer)) == Op::OpLoad && remark.facts.name_of(pointer).empty()) remark.add("*");
  add_path(remark, pointer, false);
}

void add_value(Remark& remark, Word value) {
  if (!add_value_within(remark, value, false)) remark.add_id(value);
}

bool remark_on_access(Remark& remark, InstructionView instruction) {
  if (is_one_of(access_chains, op_of(instruction))) {
    remark_on_chain(remark, instruction);
    return true;
  }
  switch (op_of(instruction)) {
    case Op::OpCompositeExtract: {
      const Chain extract = *chain_of(instruction);
      PathState state;
      add_value(remark, extract.base);
      add_link(remark, extract, state);
      // The line shows the indexes. The indexed value is new information only if it has a name.
      remark.has_news = remark.has_news || remark.line_shows(extract.base);
      return true;
    }
    case Op::OpLoad:
      remark.add("load from ");
      add_place(remark, View<Op::OpLoad>(instruction).pointer());
      return true;
    case Op::OpStore: {
      const View<Op::OpStore> store(instruction);
      remark.add("store ");
      // A value without a name or a known meaning is left out: `store to x` reads better than `store %17 to x`, and the
      // line shows %17.
      if (!remark.name_of(store.object()).empty()) {
        remark.add_id(store.object()).add(" ");
      } else if (add_value_within(remark, store.object(), false)) {
        remark.add(" ");
      }
      remark.add("to ");
      add_place(remark, store.pointer());
      return true;
    }
    case Op::OpCopyMemory: {
      const View<Op::OpCopyMemory> copy(instruction);
      remark.add("copy ");
      add_place(remark, copy.source());
      remark.add(" to ");
      add_place(remark, copy.target());
      return true;
    }
    case Op::OpVectorShuffle: return add_swizzle(remark, View<Op::OpVectorShuffle>(instruction));
    default: return false;
  }
}

}  // namespace vireo::spirv
