// SPDX-License-Identifier: Apache-2.0
//
// Every result is verified in the same run before it is timed.
//
// Our assembler verifies the texts of both sides. The peer's text cannot be compared byte by byte, since
// an old peer prints older names of some enumerants. But both texts must assemble to the module from which they were
// printed.
#pragma once

#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "operations.h"

#include "vireo/spirv/module/module.h"

namespace vireo::bench {

/// Whether two modules have the same instructions. Headers differ: each assembler writes its own generator, and the
/// peer its context's version.
inline bool same_instructions(spirv::Words a, spirv::Words b) {
  if (a.size() < spirv::header_word_count || b.size() < spirv::header_word_count) return false;
  return std::ranges::equal(a.subspan(spirv::header_word_count), b.subspan(spirv::header_word_count));
}

/// Returns an empty text if the result of the operation is right, else the fault.
inline std::string wrong_answer(const Material& material, Operation operation) {
  const spirv::WordBuffer& words = material.words;
  switch (operation) {
    case Operation::Walk:  // the operations below detect a walk that ends early
      return {};

    case Operation::Index: {
      const spirv::Module module = spirv::Module::read(words);
      std::uint32_t at = 0;
      for (const spirv::InstructionView instruction : spirv::Instructions(words)) {
        if (at == module.instruction_count()) return "the index ends early";
        if (module.instruction(spirv::InstructionIndex(at++)).offset != instruction.offset) return "the index is wrong";
      }
      return at == module.instruction_count() ? std::string() : "the index has too much";
    }

    case Operation::Facts:
    case Operation::CoreFacts: return wrong_facts(words);

    case Operation::Decode:
      if (count_operands(words) == 0) return "an instruction cannot be decoded";
      if (peer::is_linked() && count_operands(words) != peer::count_operands(words)) return "the peer counts otherwise";
      return {};

    case Operation::Validate:  // modules that one side rejects are skipped (Material::is_valid)
      return {};

    case Operation::DisNamedStreamed:  // the same text, chunk by chunk
    case Operation::DisNumbersStreamed:
      if (stream_disassembled(words, ids_of(operation)) != disassembled(words, ids_of(operation)).size()) {
        return "the chunks are not the text";
      }
      return {};

    case Operation::DisNumbers:  // material.numbers is the peer's text, if there is a peer
      if (assembled(disassembled(words, Ids::Numbers), Ids::Numbers) != words) return "our text is another module";
      if (!same_instructions(assembled(material.numbers, Ids::Numbers), words))
        return "the peer's text is another module";
      return {};

    case Operation::DisNamed: {
      // Ids are renumbered, so the module is compared with the module that the other text gives. Printing the result
      // must give the same names again, for the same instructions.
      const spirv::WordBuffer again = assembled(disassembled(words, Ids::Named), Ids::Named);
      if (!same_instructions(again, assembled(material.named, Ids::Named))) return "our text is not the peer's";
      const std::string once = disassembled(again, Ids::Named);
      if (assembled(once, Ids::Named) != again) return "a second round changes the module";
      if (again.size() != words.size()) return "words are missing";
      return {};
    }

    case Operation::AsNumbers:
      if (!same_instructions(assembled(material.numbers, Ids::Numbers), words)) return "the words are not the module's";
      return {};

    case Operation::AsNamed: {
      const spirv::WordBuffer ours = assembled(material.named, Ids::Named);
      if (ours.size() != words.size()) return "the words are not as many as the module's";
      if (peer::is_linked() && !same_instructions(ours, peer::assemble(material.named, Ids::Named).words())) {
        return "the words are not the peer's";
      }
      return {};
    }
  }
  return "no check for this operation";
}

inline std::string wrong_answer(const Workbench& bench, Operation operation) {
  if (bench.materials().empty() || bench.bytes(operation) == 0) return "no module is left";
  for (std::size_t i = 0; i < bench.materials().size(); ++i) {
    if (std::string fault = wrong_answer(bench.materials()[i], operation); !fault.empty()) {
      return bench.materials().size() == 1 ? fault : fmt::format("module {}: {}", i, fault);
    }
  }
  return {};
}

}  // namespace vireo::bench
