// SPDX-License-Identifier: Apache-2.0
//
// Declarations, functions and the entry point of a random module (generator.h).
#include <cassert>
#include <string>
#include <utility>
#include <vector>

#include "smith/generator.h"

namespace vireo::spirv {

SmithGenerator::SmithGenerator(Builder& builder, const SmithOptions& options)
    : b_(builder),
      options_(options),
      random_(options.seed),
      types_(builder),
      u32_(types_.integer(32, false)),
      i32_(types_.integer(32, true)),
      bool_(types_.boolean()) {}

TypeRef SmithGenerator::random_int() {
  const std::uint32_t width = 8u << random_.below(4);
  return types_.integer(width, random_.one_in(2));
}

// --- declarations -----------------------------------------------------------------------------------------------------

// Types that variables, parameters and phis have: scalars, and random composites of them.
void SmithGenerator::declare_types() {
  choices_ = {u32_, u32_, i32_, bool_};
  for (std::uint32_t i = 0; i < 4; ++i) choices_.push_back(random_.one_in(3) ? random_float() : random_int());
  for (std::uint32_t i = 0; i < 3; ++i) {
    const TypeRef scalar = random_type();
    choices_.push_back(types_.vector(types_.scalar_of(scalar), 2 + random_.below(3)));
  }
  if (random_.one_in(2)) {
    const TypeRef scalar = random_float();
    const TypeRef column = types_.vector(scalar, 2 + random_.below(3));
    choices_.push_back(types_.matrix(column, 2 + random_.below(3)));
  }
  for (std::uint32_t i = 0; i < 4; ++i) {
    if (random_.one_in(2)) {
      std::vector<TypeRef> members;
      for (std::uint32_t count = 1 + random_.below(4); count > 0; --count) members.push_back(random_type());
      choices_.push_back(types_.structure(std::move(members)));
    } else {
      const TypeRef element = random_type();
      const std::uint32_t count = 2 + random_.below(3);
      choices_.push_back(types_.array(element, word(count), count));
    }
    if (types_[choices_.back()].scalars > 24) choices_.pop_back();
  }
  // The first specialization constant (declare_spec_constants()) is a length.
  choices_.push_back(types_.array(random_.one_in(2) ? u32_ : choices_[4], spec_constants_[0].id, 4));
}

void SmithGenerator::declare_spec_constants() {
  const auto add = [&](TypeRef type, ValueId id) {
    b_.OpDecorate(id, DecorationWith::SpecId(static_cast<Word>(spec_constants_.size())));
    spec_constants_.push_back({type, id});
  };
  add(u32_, b_.OpSpecConstant(types_[u32_].id, 4u));
  add(u32_, b_.OpSpecConstant(types_[u32_].id, random_.below(100)));
  add(i32_, b_.OpSpecConstant(types_[i32_].id, -static_cast<std::int32_t>(random_.below(100))));
  const bool is_true = random_.one_in(2);
  add(bool_, is_true ? b_.OpSpecConstantTrue(types_[bool_].id) : b_.OpSpecConstantFalse(types_[bool_].id));
  const TypeRef wide = random_int();
  add(wide, b_.OpSpecConstant(types_[wide].id, static_cast<std::int32_t>(random_.below(100))));
  const TypeRef real = random_float();
  add(real, b_.OpSpecConstant(types_[real].id, static_cast<double>(random_.below(16))));
  for (std::uint32_t i = 0; i < 6; ++i) add_spec_operation();
}

// OpSpecConstantOp with an opcode that Shader permits.
void SmithGenerator::add_spec_operation() {
  const auto pick = [&](TypeRef type) {
    std::vector<ValueId> found = {constant(type)};
    for (const Value& each : spec_constants_) {
      if (each.type == type) found.push_back(each.id);
    }
    return random_.pick(found);
  };
  const auto add = [&](TypeRef type, Op opcode, std::initializer_list<OpenOperand> operands) {
    spec_constants_.push_back({type, b_.OpSpecConstantOp(types_[type].id, opcode, operands)});
  };
  const TypeRef type = random_.one_in(2) ? u32_ : i32_;
  const ValueId a = pick(type);
  const ValueId b = pick(type);
  switch (random_.below(6)) {
    case 0: {
      constexpr Op operations[] = {Op::OpIAdd,       Op::OpISub,      Op::OpIMul,
                                   Op::OpBitwiseAnd, Op::OpBitwiseOr, Op::OpBitwiseXor};
      return add(type, random_.pick(operations), {a, b});
    }
    case 1: {
      constexpr Op operations[] = {Op::OpULessThan, Op::OpSGreaterThan, Op::OpIEqual, Op::OpINotEqual};
      return add(bool_, random_.pick(operations), {a, b});
    }
    case 2: {
      constexpr Op operations[] = {Op::OpShiftLeftLogical, Op::OpShiftRightLogical, Op::OpShiftRightArithmetic};
      const ValueId amount = word(random_.below(32));
      return add(type, random_.pick(operations), {a, amount});
    }
    case 3: {
      const ValueId choice = pick(bool_);
      return add(type, Op::OpSelect, {choice, a, b});
    }
    case 4: return add(type, types_[type].is_signed ? Op::OpSDiv : Op::OpUDiv, {a, constant_bits(type, 3)});
    default: {  // a composite and a part of it
      const TypeRef pair = types_.vector(type, 2);
      const ValueId both = b_.OpSpecConstantComposite(types_[pair].id, {a, b});
      spec_constants_.push_back({pair, both});
      return add(type, Op::OpCompositeExtract, {both, OpenOperand::literal(random_.below(2))});
    }
  }
}

void SmithGenerator::declare_memory() {
  // The rows of the buffers have explicit layouts (2.18.4), so no other variable uses their types.
  const TypeRef words = types_.array(u32_, word(smith_input_words), smith_input_words);
  b_.OpDecorate(types_[words].id, DecorationWith::ArrayStride(4));
  const TypeRef u64 = types_.integer(64, false), uvec4 = types_.vector(u32_, 4);
  const TypeRef row = types_.structure({u32_, i32_, u64, words, uvec4});
  constexpr Word offsets[] = {0, 4, 8, 16, 48};
  for (Word i = 0; i < 5; ++i) b_.OpMemberDecorate(types_[row].id, i, DecorationWith::Offset(offsets[i]));

  for (const Word binding : {0u, 1u}) {
    const TypeRef element = binding == 0 ? words : row;
    const TypeId rows = b_.OpTypeRuntimeArray(types_[element].id);
    b_.OpDecorate(rows, DecorationWith::ArrayStride(4 * (binding == 0 ? smith_input_words : smith_output_words)));
    const TypeId block = b_.OpTypeStruct({rows});
    b_.OpDecorate(block, Decoration::Block);
    b_.OpMemberDecorate(block, 0, DecorationWith::Offset(0));
    if (binding == 0) b_.OpMemberDecorate(block, 0, Decoration::NonWritable);
    const ValueId id = b_.OpVariable(b_.OpTypePointer(StorageClass::StorageBuffer, block), StorageClass::StorageBuffer);
    b_.OpDecorate(id, DecorationWith::DescriptorSet(0));
    b_.OpDecorate(id, DecorationWith::Binding(binding));
    b_.OpName(id, binding == 0 ? "input" : "output");
    globals_.push_back({element, StorageClass::StorageBuffer, id, Variable::Element::Row, binding != 0});
  }

  const auto add = [&](StorageClass storage, TypeId type, std::optional<ValueId> initializer) {
    interface_.push_back(b_.OpVariable(b_.OpTypePointer(storage, type), storage, initializer));
    return interface_.back();
  };
  for (const Variable& each : globals_) interface_.push_back(each.id);
  for (std::uint32_t count = random_.below(4); count > 0; --count) {
    const TypeRef type = random_type();
    const ValueId initializer = constant(type);
    globals_.push_back({type, StorageClass::Private, add(StorageClass::Private, types_[type].id, initializer)});
  }
  for (std::uint32_t count = random_.below(3); count > 0; --count) {
    const TypeRef type = random_type();
    const TypeId array = b_.OpTypeArray(types_[type].id, word(smith_local_size));
    const ValueId id = add(StorageClass::Workgroup, array, {});
    globals_.push_back({type, StorageClass::Workgroup, id, Variable::Element::Local});
  }
  sum_ = add(StorageClass::Private, types_[u32_].id, word(1));
  b_.OpName(sum_, "sum");
  global_id_ = add(StorageClass::Input, types_[types_.vector(u32_, 3)].id, {});
  b_.OpDecorate(global_id_, DecorationWith::BuiltIn(BuiltIn::GlobalInvocationId));
  local_index_ = add(StorageClass::Input, types_[u32_].id, {});
  b_.OpDecorate(local_index_, DecorationWith::BuiltIn(BuiltIn::LocalInvocationIndex));
}

// --- functions --------------------------------------------------------------------------------------------------------

SmithGenerator::Callee SmithGenerator::write_function(std::uint32_t statements_of_it, bool is_top) {
  Callee callee;
  std::vector<TypeId> parameters;
  if (!is_top) {
    if (!random_.one_in(4)) callee.result = random_type();
    for (std::uint32_t count = random_.below(4); count > 0; --count) callee.values.push_back(random_type());
    for (std::uint32_t count = random_.below(3); count > 0; --count) callee.pointers.push_back(random_type());
  }
  for (const TypeRef type : callee.values) parameters.push_back(types_[type].id);
  for (const TypeRef type : callee.pointers) {
    parameters.push_back(b_.OpTypePointer(StorageClass::Function, types_[type].id));
  }
  const TypeId result = callee.result ? types_[*callee.result].id : b_.OpTypeVoid();
  const TypeId type = b_.OpTypeFunction(result, parameters);
  callee.id = b_.OpFunction(result, random_.one_in(2) ? FunctionControl::None : FunctionControl::DontInline, type);
  b_.OpName(callee.id, "f" + std::to_string(callees_.size()));

  body_ = {};
  body_.result = callee.result;
  values_.clear();
  std::size_t next = 0;
  for (const TypeRef each : callee.values) values_.push_back({each, b_.OpFunctionParameter(parameters[next++])});
  for (const TypeRef each : callee.pointers) {
    body_.variables.push_back({each, StorageClass::Function, b_.OpFunctionParameter(parameters[next++])});
  }
  block_ = b_.OpLabel();
  for (std::uint32_t count = 1 + random_.below(3); count > 0; --count) new_local(random_type());
  statements_left_ = statements_of_it;
  statements(statements_of_it);
  return_();
  b_.OpFunctionEnd();
  callee.cost = 1 + body_.cost;
  return callee;
}

// Each invocation reads the element of its neighbour, between two barriers.
void SmithGenerator::exchange(std::span<const Variable> shared) {
  const ValueId workgroup = word(2), semantics = word(0x108);  // AcquireRelease | WorkgroupMemory
  b_.OpControlBarrier(workgroup, workgroup, semantics);
  for (const Variable& each : shared) {
    const ValueId own = invocation(Variable::Element::Local);
    const ValueId next = op(Op::OpIAdd, u32_, {own, word(1 + random_.below(smith_local_size - 1))});
    const ValueId neighbour = op(Op::OpUMod, u32_, {next, word(smith_local_size)});
    const TypeId pointer = b_.OpTypePointer(each.storage, types_[each.type].id);
    const ValueId element = b_.OpAccessChain(pointer, each.id, {neighbour});
    const ValueId read = b_.OpLoad(types_[each.type].id, element);
    mix(digest({each.type, read}));
  }
  b_.OpControlBarrier(workgroup, workgroup, semantics);
}

void SmithGenerator::write_main(const Callee& top) {
  const TypeId nothing = b_.OpTypeVoid();
  const FunctionId main = b_.OpFunction(nothing, FunctionControl::None, b_.OpTypeFunction(nothing));
  b_.OpName(main, "main");
  body_ = {};
  values_.clear();
  block_ = b_.OpLabel();
  std::vector<Variable> shared;
  for (const Variable& each : globals_) {
    if (each.element == Variable::Element::Local) shared.push_back(each);
  }
  for (const Variable& each : shared) {
    const ValueId pointer = pointer_into(each, each.type);
    b_.OpStore(pointer, constant(each.type));
  }
  if (!shared.empty()) exchange(shared);
  b_.OpFunctionCall(nothing, top.id);
  if (!shared.empty()) exchange(shared);
  for (const Variable& each : globals_) {
    if (each.storage != StorageClass::Private) continue;
    const ValueId read = b_.OpLoad(types_[each.type].id, each.id);
    mix(digest({each.type, read}));
  }
  const Variable& output = globals_[1];
  const ValueId sum = b_.OpLoad(types_[u32_].id, sum_);
  const ValueId row = invocation(Variable::Element::Row);
  const TypeId pointer = b_.OpTypePointer(output.storage, types_[u32_].id);
  b_.OpStore(b_.OpAccessChain(pointer, output.id, {word(0), row, word(0)}), sum);
  b_.OpReturn();
  b_.OpFunctionEnd();
  b_.OpEntryPoint(ExecutionModel::GLCompute, main, "main", interface_);
  b_.OpExecutionMode(main, ExecutionModeWith::LocalSize(smith_local_size, 1, 1));
}

void SmithGenerator::write_module() {
  b_.OpMemoryModel(AddressingModel::Logical, MemoryModel::GLSL450);
  declare_spec_constants();
  declare_types();
  declare_memory();
  const std::uint32_t helpers = random_.below(1 + options_.size / 12);
  const std::uint32_t each = options_.size / (helpers + 2);
  for (std::uint32_t i = 0; i < helpers; ++i) {
    const Callee callee = write_function(1 + each, false);
    callees_.push_back(callee);
  }
  const Callee top = write_function(options_.size - helpers * each, true);
  write_main(top);
}

WordBuffer smith(const SmithOptions& options) {
  Diagnostics diagnostics;
  Builder builder(diagnostics, {.version = options.version});
  SmithGenerator(builder, options).write_module();
  builder.add_requirements();
  Result<WordBuffer> words = builder.build();
  assert(words.ok() && "a fault of the generator");
  return words ? *words : WordBuffer();
}

}  // namespace vireo::spirv
