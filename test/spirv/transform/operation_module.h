// SPDX-License-Identifier: Apache-2.0
//
// A generated module of specialization constants, and a comparison of its specializations with the naive interpreter.
//
// The module keeps its declarations as data. After a specialization it evaluates them in order, each from
// the constants that the library wrote for the operands. So one wrong result is one fault, and a result for which the
// specification permits several values has no effect on the rest.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "spirv/transform/naive_spec_ops.h"
#include "vireo/spirv/grammar/enums.h"
#include "vireo/spirv/word.h"
#include "vireo/support/diagnostic.h"

namespace vireo::spirv::naive {

using TypeNumber = std::size_t;
using NodeNumber = std::size_t;
using SpecValues = std::vector<std::optional<std::uint64_t>>;  ///< by SpecId; none: the constant gets no value

/// Counts of compared results, and a text with the first faults; empty if there are none.
struct Comparison {
  std::size_t values = 0;     ///< operations and composites that became constants
  std::size_t scalars = 0;    ///< scalars in them
  std::size_t undefined = 0;  ///< operations that must stay because their result is undefined
  std::size_t kept = 0;       ///< other declarations that must stay
  std::size_t fault_count = 0;
  std::string faults;

  void add(const Comparison& other);
};

class OperationModule {
 public:
  /// `head` is the text before the decorations: capabilities and the memory model.
  explicit OperationModule(std::string_view head) : head_(head) {}

  // Each call declares a new type, except for scalars.
  TypeNumber scalar(ScalarType type);
  TypeNumber vector(TypeNumber component, std::size_t count);
  TypeNumber array(TypeNumber element, std::size_t count);
  TypeNumber structure(const std::vector<TypeNumber>& members);

  /// A scalar with the next SpecId, which is also its index in SpecValues. Its default value is 0.
  NodeNumber specializable(TypeNumber type);
  NodeNumber constant(TypeNumber type, std::uint64_t bits);  ///< a scalar
  NodeNumber undef(TypeNumber type);
  NodeNumber composite(TypeNumber type, const std::vector<NodeNumber>& parts);
  NodeNumber operation(Op op, TypeNumber type, const std::vector<NodeNumber>& operands,
                       const std::vector<Word>& literals = {});

  [[nodiscard]] std::size_t node_count() const { return nodes_.size(); }
  [[nodiscard]] TypeNumber type_of(NodeNumber node) const { return nodes_[node].type; }
  [[nodiscard]] const std::vector<TypeNumber>& parts_of(TypeNumber type) const { return types_[type].parts; }
  [[nodiscard]] ScalarType scalar_of(TypeNumber type) const { return types_[type].scalar; }  ///< of the first scalar
  [[nodiscard]] std::size_t count_of(TypeNumber type) const { return types_[type].scalars.size(); }
  /// The types of the constants by SpecId.
  [[nodiscard]] const std::vector<ScalarType>& spec_types() const { return spec_types_; }

  [[nodiscard]] WordBuffer words() const;
  /// The module with these default values.
  [[nodiscard]] WordBuffer words(const SpecValues& defaults) const;

  /// Compares a specialization of `before`, which is words(), and its warnings.
  [[nodiscard]] Comparison compare(Words before, Words after, const SpecValues& values,
                                   const Diagnostics& diagnostics) const;

 private:
  struct Type {
    Word id = 0;
    ScalarType scalar;                // of the first scalar
    std::vector<TypeNumber> parts;    // empty for a scalar
    std::vector<ScalarType> scalars;  // of all parts, in order
  };
  struct Node {
    enum class Kind : std::uint8_t { Specializable, Constant, Undef, Composite, Operation };
    Kind kind = Kind::Constant;
    Word id = 0;
    TypeNumber type = 0;
    std::uint64_t bits = 0;  // Specializable: the SpecId; Constant: the value
    Op op = Op::OpNop;
    std::vector<NodeNumber> operands = {};
    std::vector<Word> literals = {};
  };
  class Run;

  TypeNumber add_type(std::string_view text, const std::vector<TypeNumber>& parts);
  NodeNumber add_node(Node node, std::string_view text);
  [[nodiscard]] std::string name(NodeNumber node) const { return " %" + std::to_string(nodes_[node].id); }

  std::string head_, decorations_, globals_;
  std::vector<Type> types_;
  std::vector<Node> nodes_;
  std::vector<ScalarType> spec_types_;
  Word next_id_ = 1;
};

}  // namespace vireo::spirv::naive
