// SPDX-License-Identifier: Apache-2.0
//
// Shaders with operations on specialization constants: arithmetic, conversions, composites and chains of operations;
// and the list of all shaders.
//
// The operations are those that OpSpecConstantOp permits with capability Shader from SPIR-V 1.4 on. Float arithmetic
// and OpBitcast need capability Kernel.
//
// Source: specification 3.42.7 (OpSpecConstantOp), 2.12 (specialization).
#include <array>
#include <random>

#include "drivers/spec_shader.h"

namespace vireo::drivers {
namespace {

constexpr unsigned lanes = 4;

// --- operands -----------------------------------------------------------------------------------------------------------

// Groups of lanes: each operation gets a scalar and vectors of each length.
struct Group {
  unsigned first, count;
};
constexpr Group groups[] = {{0, 1}, {2, 2}, {1, 3}, {0, 4}};

Values inputs_of(SpecShader& shader, const ScalarType& type, Role role, std::uint32_t bound = 0) {
  Values values;
  for (unsigned lane = 0; lane < lanes; ++lane) values.push_back(shader.input(type, role, lane, bound));
  return values;
}

// The operands of each group.
Values grouped(SpecShader& shader, const Values& scalars) {
  Values values;
  for (const Group& group : groups)
    values.push_back(shader.vector(std::span(scalars).subspan(group.first, group.count)));
  return values;
}

// The name of a form: the operation and the type of its operands.
std::string form_of(std::string_view operation, const ScalarType& type, std::string_view variant = {}) {
  return std::string(operation).append(" of ").append(type.name).append(variant);
}

const ScalarType& other_signedness(const ScalarType& type) {
  return scalar_type((type.is_signed() ? "u" : "i") + std::to_string(type.width));
}

// --- integers -----------------------------------------------------------------------------------------------------------

struct IntegerOperation {
  std::string_view opcode;
  Role second = Role::Second;  // First: there is no second operand
  bool is_comparison = false;
  bool is_unsigned = false;  // the types must be unsigned
};
constexpr IntegerOperation integer_operations[] = {
    {"SNegate", Role::First},
    {"Not", Role::First},
    {"IAdd"},
    {"ISub"},
    {"IMul"},
    {"UDiv", Role::Divisor, false, true},
    {"SDiv", Role::Divisor},
    {"UMod", Role::Divisor, false, true},
    {"SRem", Role::Divisor},
    {"SMod", Role::Divisor},
    {"ShiftRightLogical", Role::Shift},
    {"ShiftRightArithmetic", Role::Shift},
    {"ShiftLeftLogical", Role::Shift},
    {"BitwiseOr"},
    {"BitwiseXor"},
    {"BitwiseAnd"},
    {"IEqual", Role::Second, true},
    {"INotEqual", Role::Second, true},
    {"ULessThan", Role::Second, true},
    {"SLessThan", Role::Second, true},
    {"UGreaterThan", Role::Second, true},
    {"SGreaterThan", Role::Second, true},
    {"ULessThanEqual", Role::Second, true},
    {"SLessThanEqual", Role::Second, true},
    {"UGreaterThanEqual", Role::Second, true},
    {"SGreaterThanEqual", Role::Second, true},
};

constexpr std::span all_operations(integer_operations);
constexpr auto arithmetic = all_operations.first(16), comparisons = all_operations.subspan(16);
static_assert(!arithmetic.back().is_comparison && comparisons.front().is_comparison);

struct IntegerInputs {
  Values first, second, divisor, shift;
  [[nodiscard]] const Values& of(Role role) const {
    return role == Role::Divisor ? divisor : role == Role::Shift ? shift : second;
  }
};

IntegerInputs integer_inputs(SpecShader& shader, const ScalarType& type) {
  IntegerInputs inputs;
  inputs.first = grouped(shader, inputs_of(shader, type, Role::First));
  inputs.second = grouped(shader, inputs_of(shader, type, Role::Second));
  inputs.divisor = grouped(shader, inputs_of(shader, type, Role::Divisor));
  inputs.shift = grouped(shader, inputs_of(shader, type, Role::Shift, type.width));
  return inputs;
}

void add_integer_operation(SpecShader& shader, const IntegerOperation& operation, const IntegerInputs& inputs,
                           const ScalarType& result, std::string_view variant = {}) {
  const std::string form = form_of(operation.opcode, *inputs.first[0].shape.type, variant);
  for (std::size_t i = 0; i < std::size(groups); ++i) {
    Values operands = {inputs.first[i]};
    if (operation.second != Role::First) operands.push_back(inputs.of(operation.second)[i]);
    const ScalarType& type = operation.is_comparison ? scalar_type("bool") : result;
    shader.result(form, shader.operation({&type, groups[i].count}, operation.opcode, operands));
  }
}

// The signedness of results, operands and shift amounts may differ, and the width of shift amounts.
void add_integers(SpecShader& shader, const ScalarType& type) {
  const ScalarType& other = other_signedness(type);
  const IntegerInputs inputs = integer_inputs(shader, type);
  IntegerInputs mixed = inputs;
  mixed.second = grouped(shader, inputs_of(shader, other, Role::Second));
  for (const IntegerOperation& operation : integer_operations) {
    if (operation.is_unsigned && type.is_signed()) continue;
    add_integer_operation(shader, operation, inputs, type);
    if (!operation.is_unsigned) add_integer_operation(shader, operation, mixed, other, ", of mixed signedness");
  }
  for (const ScalarType* amount : shader.types()) {
    if (!amount->is_int() || amount == &type) continue;
    mixed.shift = grouped(shader, inputs_of(shader, *amount, Role::Shift, type.width));
    for (const IntegerOperation& operation : integer_operations) {
      if (operation.second != Role::Shift) continue;
      add_integer_operation(shader, operation, mixed, type, " by " + std::string(amount->name));
    }
  }
}

// OpUConvert has an unsigned result. Conversions to the same width are not valid. OpQuantizeToF16 has 32-bit operands.
void add_conversions(SpecShader& shader, const ScalarType& type) {
  const Values from = grouped(shader, inputs_of(shader, type, Role::First));
  const auto add = [&](std::string_view opcode, const ScalarType& to) {
    for (std::size_t i = 0; i < std::size(groups); ++i) {
      const std::string form = form_of(opcode, type, " to " + std::string(to.name));
      shader.result(form, shader.operation({&to, groups[i].count}, opcode, {from[i]}));
    }
  };
  for (const ScalarType* to : shader.types()) {
    if (type.is_float() && to->is_float() && type.width != to->width) add("FConvert", *to);
    if (!type.is_int() || !to->is_int() || type.width == to->width) continue;
    add("SConvert", *to);
    if (!to->is_signed()) add("UConvert", *to);
  }
  if (type.name == "f32") add("QuantizeToF16", type);
}

void add_booleans(SpecShader& shader, const ScalarType& type) {
  const Values first = grouped(shader, inputs_of(shader, type, Role::First));
  const Values second = grouped(shader, inputs_of(shader, type, Role::Second));
  for (const Value& operand : first)
    shader.result(form_of("LogicalNot", type), shader.operation(operand.shape, "LogicalNot", {operand}));
  for (const std::string_view opcode : {"LogicalOr", "LogicalAnd", "LogicalEqual", "LogicalNotEqual"}) {
    for (std::size_t i = 0; i < std::size(groups); ++i) {
      shader.result(form_of(opcode, type), shader.operation(first[i].shape, opcode, {first[i], second[i]}));
    }
  }
}

// --- composites ---------------------------------------------------------------------------------------------------------

// SPIR-V 1.4 permits a scalar condition for vectors. Some drivers compute it wrongly in OpSpecConstantOp, so the shader
// also has the instruction, with which specialize_test.cpp compares then.
void add_scalar_conditions(SpecShader& shader, const ScalarType& type, const Values& as, const Values& bs,
                           const Values& conditions) {
  for (std::size_t i = 0; i < std::size(groups); ++i) {
    const Shape shape = as[i].shape;
    if (shape.count == 1) continue;
    shader.result(form_of("Select by a scalar", type),
                  shader.operation(shape, "Select", {conditions[i], as[i], bs[i]}));
  }
  for (std::size_t i = 0; i < std::size(groups); ++i) {
    const Shape shape = as[i].shape;
    if (shape.count == 1) continue;
    const Value selected = {shader.fresh(), shape};
    shader.execute(selected.id + " = OpSelect " + shader.type_id(shape) + " " + conditions[i].id + " " + as[i].id +
                   " " + bs[i].id + "\n");
    shader.result(form_of("OpSelect by a scalar", type), selected);
  }
}

// Vectors: OpSelect, OpVectorShuffle, OpCompositeExtract, OpCompositeInsert, also with OpConstantNull as an operand.
void add_vectors(SpecShader& shader, const ScalarType& type) {
  const Values a = inputs_of(shader, type, Role::First), b = inputs_of(shader, type, Role::Second);
  const Values c = inputs_of(shader, scalar_type("bool"), Role::First);
  const Values as = grouped(shader, a), bs = grouped(shader, b), conditions = grouped(shader, c);
  for (std::size_t i = 0; i < std::size(groups); ++i) {
    shader.result(form_of("Select", type), shader.operation(as[i].shape, "Select", {conditions[i], as[i], bs[i]}));
  }
  for (const Value& vector : std::span(as).subspan(1)) {
    const std::string last = std::to_string(vector.shape.count - 1);
    shader.result(form_of("CompositeExtract", type), shader.operation({&type}, "CompositeExtract", {vector}, last));
    shader.result(form_of("CompositeInsert", type),
                  shader.operation(vector.shape, "CompositeInsert", {b[3], vector}, last));
    shader.result(form_of("CompositeInsert", type),
                  shader.operation(vector.shape, "CompositeInsert", {b[3], vector}, "0"));
  }
  add_scalar_conditions(shader, type, as, bs, c);
  const Value a2 = as[1], a3 = as[2], a4 = as[3], b2 = bs[1], b3 = bs[2], b4 = bs[3];
  const Value null4 = {"%null4", {&type, 4}};
  shader.declare("%null4 = OpConstantNull %v4$\n", type.name);
  shader.result(form_of("VectorShuffle", type), shader.operation({&type, 2}, "VectorShuffle", {a2, b2}, "3 0"));
  shader.result(form_of("VectorShuffle", type), shader.operation({&type, 4}, "VectorShuffle", {a2, b4}, "0 5 1 3"));
  shader.result(form_of("VectorShuffle", type), shader.operation({&type, 3}, "VectorShuffle", {a4, b3}, "6 6 2"));
  shader.result(form_of("VectorShuffle", type), shader.operation({&type, 4}, "VectorShuffle", {b3, a3}, "5 4 3 0"));
  shader.result(form_of("VectorShuffle with null", type),
                shader.operation({&type, 4}, "VectorShuffle", {a2, null4}, "0 2 1 5"));
  shader.result(form_of("CompositeInsert into null", type),
                shader.operation({&type, 4}, "CompositeInsert", {a[1], null4}, "2"));
}

// Structures and arrays. The values are read by OpSpecConstantOp, by instructions, and from a variable with an index
// that the compiler cannot know: the counter of invocations is still 0.
void add_nested(SpecShader& shader, const ScalarType& type) {
  const Values a = inputs_of(shader, type, Role::First), b = inputs_of(shader, type, Role::Second);
  const Values c = inputs_of(shader, scalar_type("bool"), Role::First);
  const Value a3 = shader.vector(std::span(a).first(3)), b3 = shader.vector(std::span(b).last(3));
  const Value c2 = shader.vector(std::span(c).first(2));
  shader.declare(
      "%two = OpConstant %u32 2\n%three = OpConstant %u32 3\n%pair = OpTypeStruct %$ %v3$\n"
      "%pairs = OpTypeArray %pair %two\n%numbers = OpTypeArray %$ %three\n"
      "%nest = OpTypeStruct %pairs %numbers %v2bool\n"
      "%null_numbers = OpConstantNull %numbers\n",
      type.name);
  const auto composite = [&](std::string_view id, std::string_view of, const Values& parts) {
    std::string line = std::string(id).append(" = OpSpecConstantComposite ").append(of);
    for (const Value& part : parts) line += " " + part.id;
    shader.declare(line + "\n");
    return Value{std::string(id), {}};
  };
  const Value pair_0 = composite("%pair_0", "%pair", {a[0], a3}), pair_1 = composite("%pair_1", "%pair", {a[1], b3});
  const Value pairs = composite("%pairs_0", "%pairs", {pair_0, pair_1});
  const Value numbers = composite("%numbers_0", "%numbers", {b[0], b[1], b[2]});
  composite("%nest_0", "%nest", {pairs, numbers, c2});
  shader.declare("%nest_1 = OpSpecConstantOp %nest CompositeInsert " + a[2].id + " %nest_0 0 1 1 2\n" +
                     "%nest_2 = OpSpecConstantOp %nest CompositeInsert %pair_0 %nest_1 0 1\n"
                     "%nest_3 = OpSpecConstantOp %nest CompositeInsert %null_numbers %nest_1 1\n"
                     "%nest_4 = OpSpecConstantOp %nest CompositeInsert " +
                     c[3].id +
                     " %nest_3 2 0\n"
                     "%numbers_1 = OpSpecConstantOp %numbers CompositeExtract %nest_0 1\n"
                     "%pointer_to_nest = OpTypePointer Private %nest\n%pointer_to_part = OpTypePointer Private %v3$\n"
                     "%variable = OpVariable %pointer_to_nest Private %nest_1\n",
                 type.name);
  shader.use_variable("%variable");

  const auto extract = [&](const std::string& from, Shape shape, std::string_view path) {
    shader.result("CompositeExtract in a structure",
                  shader.operation(shape, "CompositeExtract", {Value{from, {}}}, path));
    const Value read = {shader.fresh(), shape};
    shader.execute(read.id + " = OpCompositeExtract " + shader.type_id(shape) + " " + from + " " + std::string(path) +
                   "\n");
    shader.result("OpCompositeExtract in a structure", read);
  };
  for (const std::string_view nest : {"%nest_0", "%nest_1", "%nest_2", "%nest_3", "%nest_4"}) {
    const std::string id(nest);
    extract(id, {&type}, "0 0 0");
    extract(id, {&type, 3}, "0 1 1");
    extract(id, {&type}, "0 1 1 2");
    extract(id, {&type}, "1 2");
    extract(id, {&scalar_type("bool"), 2}, "2");
    extract(id, {&scalar_type("bool")}, "2 0");
  }
  extract("%numbers_1", {&type}, "1");
  shader.execute(
      "%counter_now = OpAccessChain %pointer_to_word %buffer %zero_word %word_count\n"
      "%index = OpLoad %u32 %counter_now\n"
      "%part = OpAccessChain %pointer_to_part %variable %zero_word %index %one_word\n"
      "%part_now = OpLoad %v3$ %part\n",
      type.name);
  shader.result("initializer", {"%part_now", {&type, 3}});
}

// Only floats have matrices.
void add_matrix(SpecShader& shader, const ScalarType& type) {
  const Values a = inputs_of(shader, type, Role::Second);
  const Value a3 = shader.vector(std::span(a).first(3)), b3 = shader.vector(std::span(a).last(3));
  shader.declare("%matrix = OpTypeMatrix %v3$ 2\n%matrix_0 = OpSpecConstantComposite %matrix " + a3.id + " " + b3.id +
                     "\n%matrix_1 = OpSpecConstantOp %matrix CompositeInsert " + a[0].id + " %matrix_0 1 2\n",
                 type.name);
  const Value matrix = {"%matrix_1", {}};
  shader.result("CompositeExtract in a matrix", shader.operation({&type, 3}, "CompositeExtract", {matrix}, "1"));
  shader.result("CompositeExtract in a matrix", shader.operation({&type}, "CompositeExtract", {matrix}, "0 2"));
  shader.execute("%column = OpCompositeExtract %v3$ %matrix_1 1\n", type.name);
  shader.result("OpCompositeExtract in a matrix", {"%column", {&type, 3}});
}

// --- chains -------------------------------------------------------------------------------------------------------------

// Random operations on earlier results, of all integer types and Booleans, so that operations get operands which no
// table contains. All vectors of a chain have the same length, because most operations require it.
class Chain {
 public:
  Chain(SpecShader& shader, unsigned count, std::uint64_t seed) : shader_(shader), count_(count), random_(seed) {
    for (const ScalarType* type : shader.types()) {
      if (type->is_float()) continue;
      types_.push_back(type);
      for (const Role role : {Role::First, Role::Second}) {
        const Values inputs = inputs_of(shader, *type, role);
        pools_[type - scalar_types().data()].push_back(shader.vector(std::span(inputs).first(count)));
      }
    }
  }
  void add() {
    const ScalarType& type = *types_[random_() % types_.size()];
    const Value value = type.is_bool() ? boolean() : integer(type);
    pool(type).push_back(value);
    shader_.result("chain", value);
  }

 private:
  Values& pool(const ScalarType& type) { return pools_[&type - scalar_types().data()]; }
  Value any(const ScalarType& type) { return pool(type)[random_() % pool(type).size()]; }
  const ScalarType& any_integer() { return *types_[1 + random_() % (types_.size() - 1)]; }  // the first one is `bool`
  Value made(const ScalarType& type, std::string_view opcode, std::initializer_list<Value> operands) {
    return shader_.operation({&type, count_}, opcode, operands);
  }

  Value boolean() {
    const ScalarType& type = scalar_type("bool");
    if (random_() % 3 == 0) {
      constexpr std::string_view opcodes[] = {"LogicalOr", "LogicalAnd", "LogicalEqual", "LogicalNotEqual"};
      return made(type, opcodes[random_() % std::size(opcodes)], {any(type), any(type)});
    }
    if (random_() % 8 == 0) return made(type, "LogicalNot", {any(type)});
    const IntegerOperation& operation = comparisons[random_() % comparisons.size()];
    const ScalarType& of = any_integer();
    return made(type, operation.opcode, {any(of), any(of)});
  }

  Value integer(const ScalarType& type) {
    const ScalarType& from = any_integer();
    if (random_() % 4 == 0 && from.width != type.width) {
      return made(type, type.is_signed() || random_() % 2 == 0 ? "SConvert" : "UConvert", {any(from)});
    }
    if (random_() % 8 == 0) return made(type, "Select", {any(scalar_type("bool")), any(type), any(type)});
    const IntegerOperation& operation = arithmetic[random_() % arithmetic.size()];
    // Its types would have to be unsigned.
    if (operation.is_unsigned && type.is_signed()) return made(type, "IAdd", {any(type), any(type)});
    switch (operation.second) {
      case Role::First: return made(type, operation.opcode, {any(type)});
      case Role::Second: return made(type, operation.opcode, {any(type), any(other_signedness(type))});
      case Role::Shift: {
        // Masked, so that the amount is less than the width. Each type has at least 8 bits.
        const Value mask =
            shader_.constant({&from, count_}, std::to_string(type.width < from.width ? type.width - 1 : 7));
        return made(type, operation.opcode, {any(type), made(from, "BitwiseAnd", {any(from), mask})});
      }
      default: {
        // A positive divisor, so that the quotient is defined for each dividend.
        const Value mask = shader_.constant({&type, count_}, "126"), one = shader_.constant({&type, count_}, "1");
        const Value positive = made(type, "BitwiseAnd", {any(type), mask});
        return made(type, operation.opcode, {any(type), made(type, "BitwiseOr", {positive, one})});
      }
    }
  }

  SpecShader& shader_;
  unsigned count_;
  std::mt19937_64 random_;
  std::vector<const ScalarType*> types_;
  std::array<Values, 16> pools_;  // by the position of the type
};

}  // namespace

// --- all shaders --------------------------------------------------------------------------------------------------------

std::vector<SpecShader> spec_shaders(const SupportedTypes& supported) {
  std::vector<SpecShader> shaders;
  const auto add = [&](const std::string& name, const auto& fill) { fill(shaders.emplace_back(name, supported)); };
  const SpecShader any({}, supported);
  for (const ScalarType* type : any.types()) {
    const std::string name(type->name);
    if (type->is_bool()) add("operations of " + name, [&](SpecShader& shader) { add_booleans(shader, *type); });
    if (type->is_int()) add("operations of " + name, [&](SpecShader& shader) { add_integers(shader, *type); });
    add("composites of " + name, [&](SpecShader& shader) {
      add_conversions(shader, *type);
      add_vectors(shader, *type);
      add_nested(shader, *type);
      if (type->is_float()) add_matrix(shader, *type);
    });
    if (!type->is_int()) continue;
    add("control flow of " + name, [&](SpecShader& shader) { add_control(shader, *type); });
    add("array lengths of " + name, [&](SpecShader& shader) { add_array_lengths(shader, *type); });
  }
  for (unsigned count = 1; count <= lanes; ++count) {
    add("chain of " + std::to_string(count), [&](SpecShader& shader) {
      Chain chain(shader, count, count);
      for (int i = 0; i < 100; ++i) chain.add();
    });
  }
  add("WorkgroupSize", [](SpecShader& shader) { add_workgroup_size(shader, true); });
  add("LocalSizeId", [](SpecShader& shader) { add_workgroup_size(shader, false); });
  return shaders;
}

}  // namespace vireo::drivers
