// SPDX-License-Identifier: Apache-2.0
//
// SmithGenerator: writes one random module (smith.h).
//
// The generator writes the code from the front to the back. `values_` has the values whose definitions dominate the
// place that is written; the end of an arm or of a loop removes what was added in it. A value of a type is an expression of
// bounded depth, whose leaves are such values, loads and constants.
//
// The order of calls is the order of the random numbers: no two arguments of one call may use the generator.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <vector>

#include "smith/random.h"
#include "smith/smith.h"
#include "smith/types.h"
#include "vireo/spirv/build/builder.h"

namespace vireo::spirv {

class SmithGenerator {
 public:
  SmithGenerator(Builder& builder, const SmithOptions& options);
  void write_module();

 private:
  struct Value {
    TypeRef type;
    ValueId id;
  };
  /// Memory that code may access. A shared variable has an element for each invocation.
  struct Variable {
    enum class Element : std::uint8_t { None, Local, Row };  ///< None: the variable as a whole
    TypeRef type;                                            ///< of the element
    StorageClass storage;
    ValueId id;
    Element element = Element::None;
    bool is_writable = true;
  };
  struct Callee {
    FunctionId id;
    std::optional<TypeRef> result;
    std::vector<TypeRef> values, pointers;  ///< parameters: values first
    std::uint64_t cost;                     ///< at most so many statements are executed
  };
  /// The phis of a block that branches lead to.
  struct Join {
    std::vector<TypeRef> types;
    std::vector<std::vector<PhiSource>> sources;  ///< for each type
    LabelId label;
  };
  struct LoopTargets {
    Join* merge;
    Join* next;  ///< the continue target
  };
  /// The function that is being written.
  struct Body {
    std::optional<TypeRef> result;
    std::vector<Variable> variables;
    std::vector<LoopTargets> loops;
    std::uint32_t nesting = 0;
    std::uint64_t weight = 1;  ///< how often the current block is executed, at most
    std::uint64_t cost = 0;
    bool may_return = true;
  };

  // module.cpp: declarations and functions
  void declare_types();
  void declare_spec_constants();
  void declare_memory();
  void add_spec_operation();
  TypeRef random_int();
  TypeRef random_float() { return types_.floating(16u << random_.below(3)); }
  TypeRef random_type() { return random_.pick(choices_); }
  Callee write_function(std::uint32_t statements, bool is_top);
  void write_main(const Callee& top);
  void exchange(std::span<const Variable> shared);

  // constants.cpp
  ValueId constant(TypeRef type);
  ValueId constant_bits(TypeRef type, std::uint64_t bits);  ///< each component has these bits
  ValueId constant_real(TypeRef type, double number);       ///< each component is this number
  ValueId splat(TypeRef type, ValueId scalar);
  ValueId word(Word number) { return constant_bits(u32_, number); }

  // expressions.cpp: any value, integers and booleans
  ValueId value(TypeRef type, std::uint32_t depth);
  ValueId leaf(TypeRef type);
  ValueId condition();
  ValueId int_value(TypeRef type, std::uint32_t depth);
  ValueId int_division(TypeRef type, std::uint32_t depth);
  ValueId int_shift(TypeRef type, std::uint32_t depth);
  ValueId int_conversion(TypeRef type, std::uint32_t depth);
  ValueId int_bits(TypeRef type, std::uint32_t depth);
  ValueId int_function(TypeRef type, std::uint32_t depth);
  ValueId bool_value(TypeRef type, std::uint32_t depth);
  ValueId comparison(TypeRef type, std::uint32_t depth);
  ValueId select(TypeRef type, std::uint32_t depth);
  bool is_guarded() { return !options_.undefined || !random_.one_in(6); }

  // floats.cpp: floats, vectors of any component, matrices, aggregates
  ValueId float_value(TypeRef type, std::uint32_t depth);
  ValueId float_product(TypeRef type, std::uint32_t depth);
  ValueId float_conversion(TypeRef type, std::uint32_t depth);
  ValueId float_function(TypeRef type, std::uint32_t depth);
  ValueId tame(TypeRef type, ValueId value);
  ValueId extraction(TypeRef scalar, std::uint32_t depth);
  ValueId vector_value(TypeRef type, std::uint32_t depth);
  ValueId matrix_value(TypeRef type, std::uint32_t depth);
  ValueId aggregate_value(TypeRef type, std::uint32_t depth);
  [[nodiscard]] double bound_of(TypeRef type) const;

  // memory.cpp
  Variable new_local(TypeRef type);
  ValueId index_below(ValueId length);
  std::optional<ValueId> pointer_to(TypeRef type, bool is_written);
  ValueId pointer_into(const Variable& variable, TypeRef type);
  ValueId invocation(Variable::Element element);
  ValueId digest(Value value);  ///< a u32 that depends on each bit
  void mix(ValueId digest);     ///< adds to the sum

  // statements.cpp
  void statements(std::uint32_t count);
  void statement();
  void define();
  void store();
  void copy_memory();
  std::optional<ValueId> call(const Callee& callee);
  void call_any();
  void selection();
  void switch_();
  void loop();
  void leave_if();
  void arm(LabelId label, Join& join, bool may_leave);
  void leave();
  void return_();
  Join new_join(std::uint32_t most);
  void record(Join& join);  ///< a value for each phi, at the end of the current block
  void begin(LabelId label);
  void begin(Join& join);
  [[nodiscard]] bool is_deep() const { return body_.nesting >= 3; }

  ValueId op(Op opcode, TypeRef type, std::initializer_list<AnyId> operands);
  ValueId ext(GLSL_std_450 function, TypeRef type, std::initializer_list<OpenOperand> operands);

  Builder& b_;
  const SmithOptions& options_;
  SmithRandom random_;
  SmithTypes types_;
  TypeRef u32_, i32_, bool_;
  std::vector<TypeRef> choices_;  ///< of variables, parameters and phis
  std::vector<Value> spec_constants_;
  std::vector<Value> values_;
  std::vector<Variable> globals_;
  std::vector<ValueId> interface_;
  std::vector<Callee> callees_;
  ValueId sum_, global_id_, local_index_;
  Body body_;
  LabelId block_;
  std::uint32_t statements_left_ = 0;  ///< of the function
};

}  // namespace vireo::spirv
