// SPDX-License-Identifier: Apache-2.0
//
// SpecShader: the text of a compute shader whose results depend on specialization constants.
//
// The shader converts each result to 32-bit words without a float operation, so that results of all
// types can be compared bit by bit. It stores a checksum of the words of each form, because a driver needs most of its
// time to compile stores. To show a difference, the same shader stores all words.
//
//   SpecShader shader("operations of u16", device.types());
//   const Value a = shader.input(type, Role::First, 0), b = shader.input(type, Role::Second, 0);
//   shader.result("IAdd", shader.operation({&type}, "IAdd", {a, b}));
//   assemble({shader.name(), shader.text(Stored::Checksums)}, …);
#pragma once

#include <cstdint>
#include <initializer_list>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "drivers/vulkan_device.h"

namespace vireo::drivers {

/// A scalar type of shaders.
struct ScalarType {
  enum class Class : std::uint8_t { Bool, Signed, Unsigned, Float };
  std::string_view name;  ///< its id in the text is `%name`
  Class class_;
  std::uint32_t width;  ///< in bits; of a Boolean 1
  std::string_view declaration;
  std::string_view capability;      ///< empty: none
  bool SupportedTypes::*supported;  ///< nullptr: always

  [[nodiscard]] bool is_bool() const { return class_ == Class::Bool; }
  [[nodiscard]] bool is_float() const { return class_ == Class::Float; }
  [[nodiscard]] bool is_signed() const { return class_ == Class::Signed; }
  [[nodiscard]] bool is_int() const { return is_signed() || class_ == Class::Unsigned; }
};

/// All scalar types: Boolean, integers of 8 to 64 bits, floats of 16 to 64 bits.
std::span<const ScalarType> scalar_types();
/// The type with this name, which must exist.
const ScalarType& scalar_type(std::string_view name);

/// A scalar or a vector.
struct Shape {
  const ScalarType* type = nullptr;
  unsigned count = 1;  ///< of components
};

/// An id of the text, with its `%`.
struct Value {
  std::string id;
  Shape shape;
};

/// The values that a specialization constant can get. A float that is First is no NaN, because a converted NaN can have
/// several patterns of bits.
enum class Role : std::uint8_t {
  First,    ///< any value; of a Float, any number
  Second,   ///< any value
  Divisor,  ///< of the First of the same lane: the quotient is defined
  Shift,    ///< less than SpecInput::bound
  Size,     ///< from 1 to SpecInput::bound
};

/// A specialization constant. Its SpecId is its index.
struct SpecInput {
  const ScalarType* type = nullptr;
  Role role = Role::First;
  unsigned lane = 0;
  std::uint32_t bound = 0;
};

/// All results of one form and type. Their words are [first, end) of all words.
struct SpecResult {
  std::string form;  ///< "IAdd of i8, of mixed signedness"
  const ScalarType* type = nullptr;
  std::uint32_t scalars = 0;
  std::uint32_t first = 0, end = 0;
};

/// What a shader stores: one word for each SpecResult, or all words.
enum class Stored : std::uint8_t { Checksums, Words };

class SpecShader {
 public:
  SpecShader(std::string name, const SupportedTypes& supported);

  [[nodiscard]] const std::string& name() const { return name_; }
  /// The supported types.
  [[nodiscard]] const std::vector<const ScalarType*>& types() const { return types_; }
  [[nodiscard]] const std::vector<SpecInput>& inputs() const { return inputs_; }
  [[nodiscard]] const std::vector<SpecResult>& results() const { return results_; }
  [[nodiscard]] std::string text(Stored stored) const;
  /// The length of the buffer: the stored words, then the number of invocations.
  [[nodiscard]] std::size_t length(Stored stored) const {
    return (stored == Stored::Words ? words_.size() : results_.size()) + 1;
  }

  /// Declares a specialization constant.
  Value input(const ScalarType& type, Role role, unsigned lane, std::uint32_t bound = 0);
  /// Declares a vector of scalars, or returns the only scalar.
  Value vector(std::span<const Value> components);
  /// Declares an OpSpecConstantOp. `literals` follow the operands.
  Value operation(Shape result, std::string_view opcode, std::span<const Value> operands,
                  std::string_view literals = {});
  Value operation(Shape result, std::string_view opcode, std::initializer_list<Value> operands,
                  std::string_view literals = {}) {
    return operation(result, opcode, std::span(operands.begin(), operands.size()), literals);
  }
  /// Declares a constant with this literal as each component. `true` and `false` are literals of Booleans.
  Value constant(Shape shape, std::string_view literal);
  /// Adds a value, of a constant or of the function, to the results.
  void result(std::string_view form, const Value& value);

  /// The id of the type of a shape.
  [[nodiscard]] std::string type_id(Shape shape) const;
  /// An id that no other part of the text has.
  std::string fresh();
  // Adds lines to the text: execution modes, decorations, declarations, instructions of `main`, functions after `main`.
  // `$` in `lines` is replaced by `type`, such as `i32`.
  void modes(std::string_view lines) { modes_ += lines; }
  void decorate(std::string_view lines) { decorations_ += lines; }
  void declare(std::string_view lines, std::string_view type = {}) { declarations_ += filled(lines, type); }
  void execute(std::string_view lines, std::string_view type = {}) { body_ += filled(lines, type); }
  void define(std::string_view lines, std::string_view type = {}) { functions_ += filled(lines, type); }
  /// Adds a global variable to the interface of `main`.
  void use_variable(std::string_view id) { interface_ += " " + std::string(id); }

 private:
  [[nodiscard]] std::string checksum(const SpecResult& result, std::string& sum) const;
  [[nodiscard]] std::string declarations(std::uint32_t word_count) const;
  static std::string filled(std::string_view lines, std::string_view type);
  void keep_words(const ScalarType& type, const std::string& scalar);
  std::string converted(std::string_view opcode, std::string_view type, const std::string& id);

  std::string name_;
  std::vector<const ScalarType*> types_;
  std::vector<SpecInput> inputs_;
  std::vector<SpecResult> results_;
  std::vector<std::string> words_;  // their ids
  std::uint32_t ids_ = 0;
  std::string interface_, modes_, decorations_, declarations_, body_, functions_;
};

using Values = std::vector<Value>;

// Each of these functions fills a shader. spec_shader_control.cpp defines them.
void add_control(SpecShader& shader, const ScalarType& type);
void add_array_lengths(SpecShader& shader, const ScalarType& type);
void add_workgroup_size(SpecShader& shader, bool has_built_in);

/// All shaders, for the types that the device supports.
std::vector<SpecShader> spec_shaders(const SupportedTypes& supported);

}  // namespace vireo::drivers
