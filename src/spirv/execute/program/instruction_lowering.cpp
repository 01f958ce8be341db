// SPDX-License-Identifier: Apache-2.0
//
// Steps of the instructions that compute values: composites, matrices, arithmetic, memory (function_lowering.h).
//
// Composites are ranges of cells, so taking one apart needs no step, and building one needs copies alone. Products with
// matrices become products of columns: a sum in any order is as accurate as the specification requires.
#include <algorithm>
#include <utility>

#include "spirv/binary/access_chain.h"
#include "spirv/execute/program/function_lowering.h"
#include "spirv/execute/program/step_rows.h"
#include "spirv/grammar/opcode_families.h"
#include "spirv/module/arithmetic/function_domains.h"
#include "vireo/spirv/binary/views/arithmetic.h"
#include "vireo/spirv/binary/views/composite.h"
#include "vireo/spirv/binary/views/debug.h"
#include "vireo/spirv/binary/views/extension.h"
#include "vireo/spirv/binary/views/memory.h"
#include "vireo/spirv/binary/views/miscellaneous.h"
#include "vireo/spirv/binary/views/sets/nonsemantic_debugprintf.h"
#include "vireo/spirv/grammar/ext_insts.h"
#include "vireo/spirv/module/constants.h"
#include "vireo/spirv/module/module_declarations.h"

namespace vireo::spirv {

using enum Op;

// --- composites ---------------------------------------------------------------------------------------------------------

bool FunctionLowering::lower_composite(InstructionView view) {
  const TypeCells& cells = owner_.cells_;
  // The first cell and the type of the part at a path of literal indexes.
  const auto part_at = [&](Word type, Words path) {
    std::uint32_t cell = 0;
    for (const Word index : path) {
      cell += cells.before(type, index);
      type = types_.member_type(types_.of(type), index);
    }
    return std::pair(cell, type);
  };
  switch (view.opcode) {
    case OpCompositeExtract: {
      const View<OpCompositeExtract> extract(view);
      alias(view,
            value(extract.composite()).plus(part_at(type_of(extract.composite()), extract.indexes().words()).first));
      return true;
    }
    case OpCopyObject:
    case OpCopyLogical: {
      const Word source = nth_operand(view, 0);
      if (types_.of(module_.type_of(view)).is_pointer())
        pointees_.insert_or_assign(module_.result_of(view), placed(source));
      alias(view, value(source));
      return true;
    }
    case OpCompositeConstruct: {
      const View<OpCompositeConstruct> made(view);
      CellRef to = result(view);
      for (const auto part : made.constituents()) {
        const std::uint32_t count = count_of(type_of(part));
        move(to, value(part), count);
        to = to.plus(count);
      }
      return true;
    }
    case OpCompositeInsert: {
      const View<OpCompositeInsert> insert(view);
      const auto [cell, type] = part_at(type_of(insert.composite()), insert.indexes().words());
      const CellRef to = result(view);
      move(to, value(insert.composite()), count_of(module_.type_of(view)));
      move(to.plus(cell), value(insert.object()), count_of(type));
      return true;
    }
    case OpVectorShuffle: {
      const View<OpVectorShuffle> shuffle(view);
      const std::uint32_t first = count_of(type_of(shuffle.vector_1()));
      CellRef to = result(view);
      for (const Word component : shuffle.components().words()) {
        if (component == 0xFFFFFFFF) add(OpUndef, to);
        else if (component < first) move(to, value(shuffle.vector_1()).plus(component), 1);
        else move(to, value(shuffle.vector_2()).plus(component - first), 1);
        to = to.plus(1);
      }
      return true;
    }
    case OpVectorExtractDynamic: {
      const View<OpVectorExtractDynamic> extract(view);
      Step& step = add(view.opcode, result(view), value(extract.vector()), value(extract.index()));
      step.count = count_of(type_of(extract.vector()));
      step.type = cells.scalar(type_of(extract.index()));
      return true;
    }
    case OpVectorInsertDynamic: {
      const View<OpVectorInsertDynamic> insert(view);
      const CellRef to = result(view);
      move(to, value(insert.vector()), count_of(module_.type_of(view)));
      Step& step = add(view.opcode, to, value(insert.component()), value(insert.index()));
      step.count = count_of(module_.type_of(view));
      step.type = cells.scalar(type_of(insert.index()));
      return true;
    }
    case OpTranspose: {
      const Word matrix = nth_operand(view, 0);
      const auto columns = static_cast<std::uint32_t>(cells.part_count(type_of(matrix)));
      const std::uint32_t rows = count_of(type_of(matrix)) / std::max(columns, 1u);
      const CellRef to = result(view), from = value(matrix);
      for (std::uint32_t c = 0; c < columns; ++c) {
        for (std::uint32_t r = 0; r < rows; ++r) move(to.plus(r * columns + c), from.plus(c * rows + r), 1);
      }
      return true;
    }
    case OpUndef: {
      Step& step = add(OpUndef, result(view));
      step.count = count_of(module_.type_of(view));
      step.type = cells.scalar(module_.type_of(view));
      return true;
    }
    default: return false;
  }
}

// --- matrices -----------------------------------------------------------------------------------------------------------

// The sum of the columns, each times a component of the vector.
void FunctionLowering::multiply_columns(CellRef result, CellRef matrix, CellRef vector, std::uint32_t rows,
                                        std::uint32_t columns, CellType type) {
  const CellRef product = take(rows);
  for (std::uint32_t c = 0; c < columns; ++c) {
    Step& scaled = add(OpFMul, c == 0 ? result : product, matrix.plus(c * rows), vector.plus(c));
    scaled.operation = scalar_b;
    scaled.count = rows;
    scaled.type = scaled.result_type = type;
    if (c == 0) continue;
    Step& sum = add(OpFAdd, result, result, product);
    sum.count = rows;
    sum.type = sum.result_type = type;
  }
}

// The dot products of the vector with each column.
void FunctionLowering::multiply_rows(CellRef result, CellRef vector, CellRef matrix, std::uint32_t rows,
                                     std::uint32_t columns, CellType type) {
  for (std::uint32_t c = 0; c < columns; ++c) {
    Step& dot = add(OpDot, result.plus(c), vector, matrix.plus(c * rows));
    dot.count = rows;
    dot.type = dot.result_type = type;
  }
}

bool FunctionLowering::lower_matrix(InstructionView view) {
  if (!is_one_of({OpVectorTimesScalar, OpMatrixTimesScalar, OpVectorTimesMatrix, OpMatrixTimesVector,
                  OpMatrixTimesMatrix, OpOuterProduct},
                 view.opcode))
    return false;
  const Word left = nth_operand(view, 0), right = nth_operand(view, 1);
  const CellType type = owner_.cells_.scalar(type_of(left));
  const CellRef to = result(view), a = value(left), b = value(right);
  const auto columns_of = [&](Word matrix) {
    return static_cast<std::uint32_t>(owner_.cells_.part_count(type_of(matrix)));
  };
  switch (view.opcode) {
    case OpVectorTimesScalar:
    case OpMatrixTimesScalar: {
      Step& step = add(OpFMul, to, a, b);
      step.operation = scalar_b;
      step.count = count_of(module_.type_of(view));
      step.type = step.result_type = type;
      return true;
    }
    case OpMatrixTimesVector:
      multiply_columns(to, a, b, count_of(module_.type_of(view)), columns_of(left), type);
      return true;
    case OpVectorTimesMatrix: multiply_rows(to, a, b, count_of(type_of(left)), columns_of(right), type); return true;
    case OpMatrixTimesMatrix: {
      const std::uint32_t inner = columns_of(left), rows = count_of(type_of(left)) / std::max(inner, 1u);
      for (std::uint32_t c = 0; c < columns_of(right); ++c)
        multiply_columns(to.plus(c * rows), a, b.plus(c * inner), rows, inner, type);
      return true;
    }
    default: {
      const std::uint32_t rows = count_of(type_of(left));
      for (std::uint32_t c = 0; c < count_of(type_of(right)); ++c) {
        Step& step = add(OpFMul, to.plus(c * rows), a, b.plus(c));
        step.operation = scalar_b;
        step.count = rows;
        step.type = step.result_type = type;
      }
      return true;
    }
  }
}

// --- operations on scalars ----------------------------------------------------------------------------------------------

bool FunctionLowering::lower_plain(InstructionView view) {
  if (!is_plain(view.opcode)) return false;
  const Word type = module_.type_of(view);
  const std::size_t operands = view.word_count - 3u;
  const Word first = nth_operand(view, 0);
  const CellRef none;
  Step step;
  step.opcode = view.opcode;
  step.source = source_;
  step.result = result(view);
  step.a = value(first);
  step.b = operands > 1 ? value(nth_operand(view, 1)) : none;
  step.c = operands > 2 ? value(nth_operand(view, 2)) : none;
  step.type = owner_.cells_.scalar(type_of(first));
  step.result_type = owner_.cells_.scalar(type);
  const bool reduces = is_one_of({OpDot, OpAny, OpAll}, view.opcode);  // to one scalar
  step.count = count_of(reduces ? type_of(first) : type);
  step.flags = flags_of(module_.result_of(view));
  if (view.opcode == OpSelect) {
    // One condition may select between whole composites.
    step.type = step.result_type;
    if (count_of(type_of(first)) == 1 && step.count > 1) step.operation = scalar_a;
    if (types_.of(type).is_pointer()) pointees_.insert_or_assign(module_.result_of(view), placed(nth_operand(view, 1)));
  }
  program_.steps.push_back(step);
  return true;
}

std::uint8_t FunctionLowering::flags_of(Word result) const {
  const Decorations& decorations = owner_.decorations_;
  std::uint8_t flags = 0;
  if (decorations.has(result, Decoration::NoSignedWrap)) flags |= no_signed_wrap;
  if (decorations.has(result, Decoration::NoUnsignedWrap)) flags |= no_unsigned_wrap;
  if (decorations.has(result, Decoration::SaturatedConversion)) flags |= is_saturated;
  return flags;
}

// Fields of bits. The offset and the count are scalars; those of an insertion are two cells beside each other.
bool FunctionLowering::lower_bit_field(InstructionView view) {
  const bool is_insertion = view.opcode == OpBitFieldInsert;
  if (!is_insertion && view.opcode != OpBitFieldSExtract && view.opcode != OpBitFieldUExtract) return false;
  const CellRef base = value(nth_operand(view, 0)), second = value(nth_operand(view, 1));
  CellRef third = value(nth_operand(view, 2));
  if (is_insertion) {
    const CellRef field = take(2);
    move(field, third, 1);
    move(field.plus(1), value(nth_operand(view, 3)), 1);
    third = field;
  }
  Step& step = add(view.opcode, result(view), base, second, third);
  step.count = count_of(module_.type_of(view));
  step.type = step.result_type = owner_.cells_.scalar(module_.type_of(view));
  return true;
}

// Instructions about a value that pass it on.
bool FunctionLowering::lower_promise(InstructionView view) {
  switch (view.opcode) {
    case OpAssumeTrueKHR: add(view.opcode, {}, value(View<OpAssumeTrueKHR>(view).condition())); return true;
    case OpExpectKHR: alias(view, value(nth_operand(view, 0))); return true;
    case OpFreezeKHR:
      add(view.opcode, result(view), value(nth_operand(view, 0))).count = count_of(module_.type_of(view));
      return true;
    default: return false;
  }
}

bool FunctionLowering::lower_print(const View<NonSemantic_DebugPrintf::DebugPrintf>& call) {
  const auto string = as<OpString>(module_.find(call.format()));
  if (!string) return true;
  PrintRow row{call.format(), string->string(), {}};
  for (const auto argument : call.id_refs()) {
    const Word type = type_of(argument);
    row.arguments.push_back({value(argument), owner_.cells_.scalar(type), count_of(type), argument.word});
  }
  add(OpString, {}).extra = static_cast<std::uint32_t>(program_.prints.size());
  program_.prints.push_back(std::move(row));
  return true;
}

// The functions of GLSL.std.450. Their operands are values, except for the second results of Modf and Frexp.
bool FunctionLowering::lower_extended(InstructionView view) {
  const auto call = as<OpExtInst>(view);
  if (!call) return false;
  const ImportRow* import = nullptr;
  for (const ImportRow& row : owner_.facts_.module_declarations().imports())
    if (row.id == call->set()) import = &row;
  if (import == nullptr) return false;
  if (import->name == "NonSemantic.DebugPrintf") return lower_print(View<NonSemantic_DebugPrintf::DebugPrintf>(view));
  if (import->name != "GLSL.std.450") return import->name.starts_with("NonSemantic.");
  auto function = static_cast<GLSL_std_450>(call->instruction().value);
  // Interpolation needs a rasterizer, and nobody has ever defined IMix.
  if (function == GLSL_std_450::IMix || function > GLSL_std_450::NClamp ||
      (function >= GLSL_std_450::InterpolateAtCentroid && function <= GLSL_std_450::InterpolateAtOffset))
    return false;
  const Words operands = call->operands().words();
  const std::uint32_t count = count_of(type_of(operands[0]));
  const bool has_pointer = function == GLSL_std_450::Modf || function == GLSL_std_450::Frexp;
  // The variants with a pointer store the second part of the structure that the other variants return.
  const CellRef parts = has_pointer ? take(2 * count) : CellRef{};
  if (has_pointer) function = function == GLSL_std_450::Modf ? GLSL_std_450::ModfStruct : GLSL_std_450::FrexpStruct;
  const CellRef to = result(view);
  const CellRef a = value(operands[0]);
  const CellRef b = operands.size() > 1 && !has_pointer ? value(operands[1]) : CellRef{};
  const CellRef c = operands.size() > 2 ? value(operands[2]) : CellRef{};
  Step& step = add(OpExtInst, has_pointer ? parts : to, a, b, c);
  step.operation = static_cast<std::uint16_t>(function);
  const bool is_whole = function == GLSL_std_450::Normalize;
  if (is_whole || std::ranges::find(glsl_domains, step.operation, &DomainRow::inst) != std::end(glsl_domains))
    step.flags |= has_domain;
  step.count = count;
  step.type = owner_.cells_.scalar(type_of(operands[0]));
  if (operands.size() > 1) step.extra = owner_.cells_.scalar(type_of(operands[1])).width;
  const TypeRow& result_type = types_.of(module_.type_of(view));
  step.result_type = result_type.is(TypeKind::Struct) ? step.type : owner_.cells_.scalar(result_type.id);
  if (!has_pointer) return true;
  move(to, parts, count);
  add(OpStore, {}, value(operands[1]), parts.plus(count)).extra = shape_of(operands[1]);
  return true;
}

// Whether other invocations see an access. Coherent variables are known when the memory is.
std::uint8_t FunctionLowering::visibility(const PlacedType& type, const MemoryAccessView& access) const {
  const bool is_marked =
      access.is_present() && (access.has(MemoryAccess::NonPrivatePointer) || access.has(MemoryAccess::Volatile));
  return is_marked || type.is_coherent ? is_visible : 0;
}

std::uint8_t FunctionLowering::resource_flag(Word pointer) const {
  return owner_.decorations_.has(pointer, Decoration::NonUniform) ? is_non_uniform : 0;
}

// --- memory -------------------------------------------------------------------------------------------------------------

bool FunctionLowering::lower_memory(InstructionView view) {
  if (is_access_chain(view.opcode)) {
    lower_chain(view);
    return true;
  }
  switch (view.opcode) {
    case OpVariable: {
      const View<OpVariable> declared(view);
      ProgramVariable variable;
      variable.id = declared.result();
      variable.storage = declared.storage_class();
      variable.type = types_.of(module_.type_of(view)).element;
      const PlacedType type{variable.type, false, {}};
      variable.size = owner_.cells_.size(type);
      variable.pointer = result(view);
      if (const auto initializer = declared.initializer()) {
        variable.initializer = value(*initializer);
        variable.initializer_shape = owner_.shape_index(type, source_);
      }
      code_.variables.push_back(static_cast<std::uint32_t>(program_.variables.size()));
      program_.variables.push_back(variable);
      return true;
    }
    case OpLoad: {
      const View<OpLoad> load(view);
      if (types_.of(load.result_type()).is_opaque()) {
        Step& handle = add(OpLoad, result(view), value(load.pointer()));
        handle.flags = static_cast<std::uint8_t>(is_handle | resource_flag(load.pointer()));
        return true;
      }
      PlacedType type = placed(load.pointer());
      type.type = load.result_type();  // an untyped pointer does not state it
      const std::uint32_t shape = owner_.shape_index(type, source_);
      Step& step = add(OpLoad, result(view), value(load.pointer()));
      step.extra = shape;
      step.flags = visibility(type, load.memory_access()) | resource_flag(load.pointer());
      return true;
    }
    case OpStore: {
      const View<OpStore> store(view);
      PlacedType type = placed(store.pointer());
      type.type = type_of(store.object());
      const std::uint32_t shape = owner_.shape_index(type, source_);
      Step& step = add(OpStore, {}, value(store.pointer()), value(store.object()));
      step.extra = shape;
      step.flags = visibility(type, store.memory_access()) | resource_flag(store.pointer());
      return true;
    }
    case OpCopyMemory: {
      const View<OpCopyMemory> copy(view);
      const CellRef values = take(count_of(placed(copy.source()).type));
      Step& load = add(OpLoad, values, value(copy.source()));
      load.extra = shape_of(copy.source());
      load.flags = visibility(placed(copy.source()), copy.memory_access());
      Step& store = add(OpStore, {}, value(copy.target()), values);
      store.extra = shape_of(copy.target());
      store.flags = visibility(placed(copy.target()), copy.memory_access());
      return true;
    }
    case OpArrayLength: {
      const View<OpArrayLength> length(view);
      const PlacedType block = placed(length.structure());
      const auto [offset, array] = owner_.cells_.member(block, length.array_member());
      Step& step = add(OpArrayLength, result(view), value(length.structure()));
      step.extra = static_cast<std::uint32_t>(program_.chains.size());
      ChainStep& step_of_array = program_.chains.emplace_back();
      step_of_array.scale = owner_.cells_.stride(array);
      step_of_array.offset = offset;
      return true;
    }
    default: return false;
  }
}

void FunctionLowering::lower_chain(InstructionView view) {
  const auto chain = access_chain(view);
  PlacedType type = placed(chain->base);
  if (chain->is_untyped) {
    const TypeRow& pointer = types_.of(module_.type_of(view));
    type = {chain->base_type, owner_.is_explicit(pointer.storage, chain->base_type), {}};
  }
  std::vector<ChainStep> steps;
  std::uint64_t offset = 0;
  const auto scaled = [&](IdOperand<IdKind::Value> index, std::uint64_t scale, std::uint64_t limit) {
    ChainStep& step = steps.emplace_back();
    step.index = value(index);
    step.index_width = owner_.cells_.scalar(type_of(index)).width;
    step.word = index.word;
    step.type = type.type;
    step.scale = scale;
    step.limit = limit;
    return &step;
  };
  if (chain->element) {
    const DecorationRow* stride = owner_.decorations_.find(type_of(chain->base), Decoration::ArrayStride);
    // Without an explicit layout, elements have their own size.
    const std::uint64_t scale =
        stride != nullptr && type.is_explicit ? owner_.decorations_.operand_or(*stride, 0) : owner_.cells_.size(type);
    scaled(*chain->element, scale, 0);
  }
  for (const auto index : chain->indexes) {
    if (types_.of(type.type).is(TypeKind::Struct)) {
      const auto [bytes, member] =
          owner_.cells_.member(type, owner_.constants_.as_u64(index, ValueUse::OrDefault).value_or(0));
      offset += bytes;
      const auto number = static_cast<Word>(owner_.constants_.as_u64(index, ValueUse::OrDefault).value_or(0));
      const bool is_coherent = type.is_coherent || owner_.decorations_.has(type.type, number, Decoration::Coherent) ||
                               owner_.decorations_.has(type.type, number, Decoration::Volatile);
      type = member;
      type.is_coherent = is_coherent;
    } else if (owner_.is_descriptor_array(type)) {
      const Word element = types_.of(type.type).element;
      scaled(index, owner_.descriptor_count(element), owner_.cells_.part_count(type.type))->selects_descriptor = true;
      type.type = element;
    } else {
      scaled(index, owner_.cells_.stride(type), owner_.cells_.part_count(type.type));
      type = owner_.cells_.element(type);
    }
  }
  steps.emplace_back().offset = offset;
  pointees_.insert_or_assign(module_.result_of(view), type);
  Step& step = add(OpAccessChain, result(view), value(chain->base));
  step.extra = static_cast<std::uint32_t>(program_.chains.size());
  step.count = static_cast<std::uint32_t>(steps.size());
  program_.chains.insert(program_.chains.end(), steps.begin(), steps.end());
}

}  // namespace vireo::spirv
