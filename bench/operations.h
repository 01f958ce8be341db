// SPDX-License-Identifier: Apache-2.0
//
// The measured operations, ours and the peer's, on one subject.
//
// A Workbench holds all inputs of an operation (modules and texts, prepared before), so only one
// conversion is timed. Both sides assemble the same texts: the peer's, if there is a peer, since an old peer lacks the
// newest names.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "corpus.h"
#include "peer.h"

namespace vireo::bench {

enum class Operation {
  Walk,
  Index,
  Facts,
  CoreFacts,  ///< the types, the uses, and the graph and dominators of each function
  Decode,
  Validate,
  DisNamed,
  DisNamedStreamed,
  DisNumbers,
  DisNumbersStreamed,
  AsNamed,
  AsNumbers
};

struct OperationRow {
  Operation operation;
  std::string_view name;
  double target;  ///< required speed-up over the peer; 0: none
};

inline constexpr std::array<OperationRow, 12> operations = {{
    {Operation::Walk, "walk", 0},
    {Operation::Index, "index", 0},
    {Operation::Facts, "module, all facts", 10},
    {Operation::CoreFacts, "types, uses, dominators", 10},
    {Operation::Decode, "decode operands", 3},
    {Operation::Validate, "validate", 8},
    {Operation::DisNamed, "dis", 10},
    {Operation::DisNamedStreamed, "dis, streamed", 10},
    {Operation::DisNumbers, "raw", 15},
    {Operation::DisNumbersStreamed, "raw, streamed", 15},
    {Operation::AsNamed, "as, names", 5},
    {Operation::AsNumbers, "as, raw ids", 5},
}};

/// One module and its texts.
struct Material {
  spirv::WordBuffer words;
  std::string named;      ///< text with friendly names
  std::string numbers;    ///< text with raw ids
  bool is_valid = false;  ///< both sides accept it; otherwise a comparison is meaningless
};

class Workbench {
 public:
  /// Creates the subject's modules and texts. Modules that the peer cannot read are skipped and counted.
  explicit Workbench(const Subject& subject);

  /// Runs the operation on all modules. The result depends on the output, so that no work is optimised away.
  [[nodiscard]] std::size_t ours(Operation operation) const;
  [[nodiscard]] std::size_t peers(Operation operation) const;
  [[nodiscard]] static bool peer_has(Operation operation) {
    return peer::is_linked() && operation != Operation::Walk && operation != Operation::Index;
  }

  [[nodiscard]] const std::vector<Material>& materials() const { return materials_; }
  [[nodiscard]] std::size_t bytes(Operation operation) const;       ///< of the modules that the operation runs on
  [[nodiscard]] std::size_t text_bytes(Operation operation) const;  ///< read or written by the operation; 0: none
  [[nodiscard]] std::size_t refused() const { return refused_; }

 private:
  std::vector<Material> materials_;
  std::size_t refused_ = 0;
};

/// How an operation writes ids; irrelevant if it has no text.
constexpr Ids ids_of(Operation operation) {
  return operation == Operation::DisNumbers || operation == Operation::DisNumbersStreamed ||
                 operation == Operation::AsNumbers
             ? Ids::Numbers
             : Ids::Named;
}

/// Vireo's conversions, as the programs call them. After a fault the result is empty.
std::string disassembled(spirv::Words words, Ids ids);
std::size_t stream_disassembled(spirv::Words words, Ids ids);  ///< into a sink that only counts
spirv::WordBuffer assembled(std::string_view text, Ids ids);
std::size_t count_operands(spirv::Words words);
bool is_valid(spirv::Words words);  ///< by the universal rules

/// Reads a module with all its facts (facts.cpp).
std::size_t count_facts(spirv::Words words);
/// Reads a module with its types, its uses, and the graphs and dominators of its functions, as the validator does.
std::size_t count_core_facts(spirv::Words words);
/// Returns an empty text if those facts agree with naive computations, else the fault.
std::string wrong_facts(spirv::Words words);

}  // namespace vireo::bench
