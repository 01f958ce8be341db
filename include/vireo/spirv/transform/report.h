// SPDX-License-Identifier: Apache-2.0
//
// TransformReport: what a transform removed from a module.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "vireo/spirv/grammar/enums.h"
#include "vireo/spirv/grammar/grammar.h"
#include "vireo/spirv/word.h"
#include "vireo/support/api.h"

namespace vireo::spirv {

/// The removed instructions of one opcode.
struct VIREO_API RemovedInstructions {
  Op opcode = Op::OpNop;
  std::uint32_t count = 0;
  std::uint64_t words = 0;
};

/// Describes the result of a transform. A transform overwrites the report that it is given.
struct VIREO_API TransformReport {
  std::vector<RemovedInstructions> removed;  ///< in the order of their first occurrence; each opcode once
  std::vector<std::string> declarations;     ///< the names of removed capabilities, extensions and imports, in order
  std::uint32_t interface_entries = 0;       ///< variables removed from the interfaces of entry points
  std::size_t words_before = 0;              ///< of the module, with its header
  std::size_t words_after = 0;
};

/// Describes what a module after some transforms has less than before: instructions by opcode, declarations by name.
/// Both are whole modules in host byte order. Linear in the words.
VIREO_API TransformReport describe_transform(Words before, Words after, const Grammar& grammar = builtin_grammar());

}  // namespace vireo::spirv
