// SPDX-License-Identifier: Apache-2.0
//
// Follows pointers to descriptor heaps (heap_accesses.h).
#include "spirv/inspect/reflect/heap_accesses.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "spirv/inspect/reflect/constant_expression.h"
#include "spirv/inspect/reflect/descriptor_types.h"
#include "vireo/spirv/binary/views/composite.h"
#include "vireo/spirv/binary/views/control_flow.h"
#include "vireo/spirv/binary/views/function.h"
#include "vireo/spirv/binary/views/memory.h"
#include "vireo/spirv/binary/views/relational_and_logical.h"
#include "vireo/spirv/module/constants.h"
#include "vireo/spirv/module/decorations.h"
#include "vireo/spirv/module/types.h"

namespace vireo::spirv {
namespace {

using enum Op;

constexpr std::size_t max_ways = 64;        // from one access to heaps
constexpr std::size_t max_way = 64;         // pointers on a way
constexpr std::size_t max_data_types = 16;  // of one buffer

}  // namespace

void HeapAccesses::run() {
  if (heaps_.empty()) return;
  for (const FunctionRow& function : module_.functions()) read_function(function);
  for (const Use& use : uses_) follow(use);
}

bool HeapAccesses::is_heap_pointer(Word type) const {
  const TypeRow& row = facts_.types().of(type);
  return row.is(TypeKind::UntypedPointer) && row.storage == StorageClass::UniformConstant;
}

// --- reading ------------------------------------------------------------------------------------------------------------

void HeapAccesses::read_function(const FunctionRow& function) {
  const InstructionIndex begin(function.all.first);
  for (const InstructionView view : module_.views(function.all)) {
    if (const auto call = as<OpFunctionCall>(view)) {
      // The parameters get the arguments as their sources. The called function can follow.
      const FunctionIndex called = module_.function_of(call->function());
      if (called.is_none()) continue;
      std::size_t argument = 0;
      const auto arguments = call->arguments().words();
      for (const InstructionView parameter : module_.views(module_.functions()[called.index()].all)) {
        if (parameter.opcode != OpFunctionParameter) {
          if (parameter.opcode == OpLabel) break;
          continue;
        }
        if (argument == arguments.size()) break;
        const Word source = arguments[argument++];
        if (!is_heap_pointer(module_.type_of(parameter))) continue;
        Pointer& pointer = pointers_[module_.result_of(parameter)];
        pointer.function = InstructionIndex(module_.functions()[called.index()].all.first);
        const bool is_new = std::ranges::find(pointer.sources, source) == pointer.sources.end();
        if (is_new && pointer.sources.size() < max_ways) pointer.sources.push_back(source);
      }
      continue;
    }
    read(view, begin);
  }
}

void HeapAccesses::read(InstructionView view, InstructionIndex function) {
  switch (view.opcode) {
    case OpLoad: {
      const View<OpLoad> load(view);
      if (is_heap_pointer(module_.type_of(load.pointer()))) {
        uses_.push_back({function, load.result(), load.pointer(), load.result_type(), 0});
      } else {
        add_data_type(load.pointer(), load.result_type());
      }
      return;
    }
    case OpBufferPointerEXT: {
      const View<OpBufferPointerEXT> buffer(view);
      uses_.push_back({function, buffer.result(), buffer.buffer(), 0, buffer.result_type()});
      return;
    }
    case OpUntypedImageTexelPointerEXT: {
      const View<OpUntypedImageTexelPointerEXT> texel(view);
      uses_.push_back({function, texel.result(), texel.image(), texel.image_type(), 0});
      return;
    }
    default: break;
  }
  read_data_access(view);
  if (!is_heap_pointer(module_.type_of(view))) return;
  Pointer pointer{.function = function};
  switch (view.opcode) {
    case OpUntypedAccessChainKHR:
    case OpUntypedInBoundsAccessChainKHR: {
      const SharedOperands<OpUntypedAccessChainKHR> chain(view);
      pointer.sources = {chain.base()};
      pointer.base_type = chain.base_type();
      pointer.indexes = chain.indexes().words();
      break;
    }
    case OpUntypedPtrAccessChainKHR:
    case OpUntypedInBoundsPtrAccessChainKHR: {
      const SharedOperands<OpUntypedPtrAccessChainKHR> chain(view);
      pointer.sources = {chain.base()};
      pointer.base_type = chain.base_type();
      pointer.element = chain.element();
      pointer.indexes = chain.indexes().words();
      break;
    }
    case OpCopyObject: pointer.sources = {View<OpCopyObject>(view).operand()}; break;
    case OpSelect: pointer.sources = {View<OpSelect>(view).object_1(), View<OpSelect>(view).object_2()}; break;
    case OpPhi:
      for (const auto& variable : View<OpPhi>(view).variables()) pointer.sources.push_back(variable.variable);
      break;
    default: return;
  }
  pointers_[module_.result_of(view)] = std::move(pointer);
}

// Accesses through an untyped pointer to the data of a buffer state the type of the data.
void HeapAccesses::read_data_access(InstructionView view) {
  switch (view.opcode) {
    case OpStore: {
      const View<OpStore> store(view);
      return add_data_type(store.pointer(), module_.type_of(store.object()));
    }
    case OpUntypedAccessChainKHR:
    case OpUntypedInBoundsAccessChainKHR: {
      const SharedOperands<OpUntypedAccessChainKHR> chain(view);
      return add_data_type(chain.base(), chain.base_type());
    }
    case OpUntypedPtrAccessChainKHR:
    case OpUntypedInBoundsPtrAccessChainKHR: {
      const SharedOperands<OpUntypedPtrAccessChainKHR> chain(view);
      return add_data_type(chain.base(), chain.base_type());
    }
    case OpUntypedArrayLengthKHR: {
      const View<OpUntypedArrayLengthKHR> length(view);
      return add_data_type(length.pointer(), length.structure());
    }
    default: return;
  }
}

void HeapAccesses::add_data_type(Word pointer, Word type) {
  if (module_.find(pointer).opcode != OpBufferPointerEXT) return;
  if (!facts_.types().of(module_.type_of(pointer)).is(TypeKind::UntypedPointer)) return;
  std::vector<Word>& types = data_types_[pointer];
  if (types.size() < max_data_types && std::ranges::find(types, type) == types.end()) types.push_back(type);
}

// --- following ----------------------------------------------------------------------------------------------------------

// A list of ways that are not yet at a heap, because the depth depends on the module.
void HeapAccesses::follow(const Use& use) {
  std::vector<std::vector<Word>> ways = {{use.pointer}};
  for (std::size_t found = 0; !ways.empty() && found < max_ways;) {
    const std::vector<Word> way = std::move(ways.back());
    ways.pop_back();
    const auto heap = std::ranges::find(heaps_, way.back(), &Heap::id);
    if (heap != heaps_.end()) {
      add(use, *heap, way);
      ++found;
      continue;
    }
    const auto pointer = pointers_.find(way.back());
    if (pointer == pointers_.end() || way.size() == max_way) continue;
    const std::vector<Word>& sources = pointer->second.sources;
    // In reverse, so that the first source is followed first.
    for (std::size_t i = sources.size(); i-- > 0;) {
      if (budget_ == 0 || ways.size() == max_ways) return;
      --budget_;
      if (std::ranges::find(way, sources[i]) != way.end()) continue;  // a loop
      ways.push_back(way);
      ways.back().push_back(sources[i]);
    }
  }
}

void HeapAccesses::add(const Use& use, const Heap& heap, const std::vector<Word>& way) {
  ReflectedHeapAccess row;
  row.id = use.id;
  row.heap = heap.id;
  row.built_in = heap.built_in;
  Functions functions = {use.function};
  Word at = 0;  // the type at the pointer, if the chains state it
  for (std::size_t i = way.size() - 1; i-- > 0;) {
    const Pointer& pointer = pointers_.at(way[i]);
    functions.insert(pointer.function);
    if (pointer.base_type != 0) at = add_steps(pointer, row.steps);
  }
  row.type = use.type != 0 ? use.type : at;
  const TypeRow& type = facts_.types().of(row.type);
  const StorageClass storage =
      use.type != 0 ? StorageClass::Image : facts_.types().of(use.buffer_type).storage;  // no plain uniform variable
  row.descriptor = descriptor_type_of(facts_, type, storage);
  if (use.type == 0) {
    row.descriptor = storage == StorageClass::Uniform ? DescriptorType::UniformBuffer : DescriptorType::StorageBuffer;
  }
  set_offset(row);
  set_blocks(row, use);
  const auto [place, is_new] = rows_by_key_.try_emplace(key_of(row), rows_.size());
  if (is_new) {
    rows_.push_back(std::move(row));
    functions_.emplace_back();
  }
  functions_[place->second].insert(std::move(functions));
}

// Returns the type at the end of an access chain; 0 if it is unknown.
Word HeapAccesses::add_steps(const Pointer& chain, std::vector<ReflectedHeapStep>& steps) const {
  const auto index_of = [&](Word id) {
    return facts_.constants().find(id) == nullptr ? std::nullopt : std::optional(number_of_constant(facts_, id));
  };
  Word type = chain.base_type;
  if (chain.element && facts_.constants().as_u64(*chain.element) != 0u) {
    steps.push_back({.type = type, .index = index_of(*chain.element)});
  }
  for (const Word index : chain.indexes) {
    const TypeRow& row = facts_.types().of(type);
    ReflectedHeapStep step{.type = type};
    if (row.is_array()) {
      step.index = index_of(index);
      step.bytes = layout_number(type, no_member, Decoration::ArrayStride, Decoration::ArrayStrideIdEXT);
      type = row.element;
    } else {
      const std::optional<std::uint64_t> member = facts_.constants().as_u64(index);
      if (!row.is(TypeKind::Struct) || !member || *member >= row.count) return 0;
      step.member = static_cast<Word>(*member);
      step.bytes = layout_number(type, *step.member, Decoration::Offset, Decoration::OffsetIdEXT);
      type = facts_.types().members(row)[*step.member];
    }
    steps.push_back(std::move(step));
  }
  return type;
}

ReflectedNumber HeapAccesses::layout_number(Word type, Word member, Decoration literal, Decoration id) const {
  const Decorations& decorations = facts_.decorations();
  if (const DecorationRow* row = decorations.find(type, member, literal)) {
    return number_of(decorations.operand_or(*row, 0));
  }
  const DecorationRow* row = decorations.find(type, member, id);
  return row == nullptr ? ReflectedNumber{} : number_of_constant(facts_, decorations.operand_or(*row, 0));
}

void HeapAccesses::set_offset(ReflectedHeapAccess& row) const {
  row.offset = number_of(0);
  for (const ReflectedHeapStep& step : row.steps) {
    const ReflectedNumber index = step.member ? number_of(1) : step.index.value_or(ReflectedNumber{});
    row.offset = sum_of(row.offset, product_of(index, step.bytes));
  }
}

void HeapAccesses::set_blocks(ReflectedHeapAccess& row, const Use& use) const {
  const Types& types = facts_.types();
  const Decorations& decorations = facts_.decorations();
  if (use.buffer_type != 0) {
    const TypeRow& pointer = types.of(use.buffer_type);
    const auto untyped = data_types_.find(use.id);
    if (pointer.is(TypeKind::Pointer)) row.blocks = {pointer.element};
    else if (untyped != data_types_.end()) row.blocks = untyped->second;
  }
  for (const Word block : row.blocks) {
    const TypeIndex type = types.index_of(block);
    if (type.is_none()) continue;
    const Extent& extent = layouts_.extent(type);
    if (extent.is_known) row.block_size = std::max(row.block_size.value_or(0), extent.size);
  }
  const auto all = [&](Decoration decoration) {
    const auto has_all = [&](Word block) {
      const TypeRow& type = types.of(block);
      std::uint32_t member = 0;
      while (type.is(TypeKind::Struct) && member < type.count && decorations.has(block, member, decoration)) ++member;
      return member != 0 && member == type.count;
    };
    return decorations.has(use.id, decoration) || (!row.blocks.empty() && std::ranges::all_of(row.blocks, has_all));
  };
  row.is_readonly = all(Decoration::NonWritable);
  row.is_writeonly = all(Decoration::NonReadable);
}

// What readers can see of an access, without its instruction.
std::string HeapAccesses::key_of(const ReflectedHeapAccess& row) {
  std::string key = fmt::format("{} {} {} {} {}", row.heap, static_cast<int>(row.descriptor), row.type, row.is_readonly,
                                row.is_writeonly);
  for (const Word block : row.blocks) key += fmt::format(" {}", block);
  for (const ReflectedHeapStep& step : row.steps) {
    key += fmt::format("/{} {} {}", step.type, step.member.value_or(no_member),
                       step.index ? number_text(*step.index) : "*");
  }
  return key;
}

}  // namespace vireo::spirv
