// SPDX-License-Identifier: Apache-2.0
//
// The answer comes before its time: nothing is measured whose result was not proved in the same run.
//
// The one idea: our assembler judges both sides' texts. The peer's text cannot be compared by its bytes, since an old
// peer prints older names for some enumerants; but both texts must assemble to the module they were printed from.
#pragma once

#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "operations.h"

#include "vireo/spirv/module.h"

namespace vireo::bench {

/// Whether two modules have the same instructions. Headers differ: each assembler writes its own generator, and the
/// peer its context's version.
inline bool same_instructions(spirv::Words a, spirv::Words b) {
  if (a.size() < spirv::header_word_count || b.size() < spirv::header_word_count) return false;
  return std::ranges::equal(a.subspan(spirv::header_word_count), b.subspan(spirv::header_word_count));
}

/// Empty when the operation gives the right answer on this module, else what is wrong.
inline std::string wrong_answer(const Material& material, Operation operation) {
  const spirv::WordBuffer& words = material.words;
  switch (operation) {
    case Operation::Walk:  // a walk that ends early would come out short in every operation below
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

    case Operation::Validate:  // what one side refuses is left out (Material::is_valid)
      return {};

    case Operation::DisNamedStreamed:  // the same text, chunk by chunk
    case Operation::DisNumbersStreamed:
      if (stream_disassembled(words, ids_of(operation)) != disassembled(words, ids_of(operation)).size()) {
        return "the chunks are not the text";
      }
      return {};

    case Operation::DisNumbers:  // material.numbers is the peer's text, where there is a peer
      if (assembled(disassembled(words, Ids::Numbers), Ids::Numbers) != words) return "our text is another module";
      if (!same_instructions(assembled(material.numbers, Ids::Numbers), words))
        return "the peer's text is another module";
      return {};

    case Operation::DisNamed: {
      // Ids are numbered anew, so the module is compared with what the other text gives; and printing what was
      // assembled must give the same names again, for the same instructions.
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
