// SPDX-License-Identifier: Apache-2.0
//
// A universe of typed values: the operands of instructions in table-driven tests of the validator.
//
// The test itself describes each type (form, scalar, width, count) together with the words that declare
// it, so that TypingChecker needs no library function. All generated modules begin with the same declarations. A type
// that a row names must be in the universe to be tested, so the table is wide.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "vireo/spirv/grammar/enums.h"
#include "vireo/spirv/word.h"

namespace vireo::spirv::test {

/// A type as the test describes it.
struct PlainType {
  enum class Form : std::uint8_t {
    Scalar,
    Vector,
    LongVector,
    Matrix,
    Cooperative,
    CooperativeNv,
    Array,
    Structure,
    Pointer,
    UntypedPointer,
    Other,  ///< identified by the opcode that declares it
  };
  enum class Scalar : std::uint8_t { None, Bool, Signed, Unsigned, Float, OddFloat };
  static constexpr std::size_t none = ~std::size_t{0};

  std::string name;  ///< "f32v3", for messages
  Form form = Form::Other;
  Scalar scalar = Scalar::None;  ///< of the components, or of an array's elements
  unsigned width = 0;            ///< bits of a component
  unsigned count = 0;            ///< components of a vector, of a column, of an array's element (0: a scalar)
  unsigned parts = 0;            ///< columns of a matrix, elements of an array; 0: an array of unknown length
  std::size_t component = none;  ///< the type of a component; for a scalar the scalar itself
  std::size_t pointee = none;    ///< for pointers
  StorageClass storage = StorageClass::UniformConstant;
  Op declared_by = Op::OpNop;
  Word id = 0;
};

/// The kind of a value: some rows require constants or variables.
enum class Source : std::uint8_t { Plain, Constant, Variable, Part, Parameter };

struct PlainValue {
  std::size_t type = 0;  ///< index into Universe::types
  Source source = Source::Plain;
  Word id = 0;
};

/// Kernels have no signed integers, and shaders no named barriers. Each universe has the types that the other lacks.
enum class World : std::uint8_t { Shader, Kernel };

/// The declared types and values, with the words of their declarations by section.
class Universe {
 public:
  explicit Universe(World world);

  [[nodiscard]] World world() const { return world_; }

  [[nodiscard]] const std::vector<PlainType>& types() const { return types_; }
  [[nodiscard]] const std::vector<PlainValue>& values() const { return values_; }
  /// Types, constants and variables.
  [[nodiscard]] Words globals() const { return globals_; }
  /// Parts of a function: parameters; and, after its label, local variables and loads.
  [[nodiscard]] Words parameters() const { return parameters_; }
  [[nodiscard]] Words locals() const { return locals_; }
  [[nodiscard]] Word void_type() const { return types_[0].id; }
  [[nodiscard]] Word function_type() const { return function_type_; }
  /// A 32-bit constant, for scopes and semantics.
  [[nodiscard]] Word number(Word value) const;
  /// The first id that is free.
  [[nodiscard]] Word free_id() const { return next_id_; }
  /// PlainType::none if there is no such type.
  [[nodiscard]] std::size_t find(std::string_view name) const;

 private:
  std::size_t declare(Op op, const std::vector<Word>& operands, PlainType type);
  Word value(Op op, std::size_t type, const std::vector<Word>& operands, Source source, WordBuffer& words);
  void declare_scalars();
  void declare_vectors();
  void declare_matrices();
  void declare_aggregates();
  void declare_opaque();
  void declare_pointers();
  void point_to(std::size_t pointee, StorageClass storage);
  void declare_values();
  Word declare_parameter();

  World world_;
  std::vector<PlainType> types_;
  std::vector<PlainValue> values_;
  std::vector<Word> numbers_;
  WordBuffer globals_, parameters_, locals_;
  Word function_type_ = 0;
  Word next_id_ = 1;
};

/// Appends an instruction.
void append(WordBuffer& words, Op op, const std::vector<Word>& operands);

}  // namespace vireo::spirv::test
