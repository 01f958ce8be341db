// SPDX-License-Identifier: Apache-2.0
//
// One function for each operation and side (operations.h).
#include "operations.h"

#include "test/counting_sink.h"
#include "vireo/spirv/binary/instruction.h"
#include "vireo/spirv/binary/operand.h"
#include "vireo/spirv/grammar/enums.h"
#include "vireo/spirv/grammar/grammar.h"
#include "vireo/spirv/module/module.h"
#include "vireo/spirv/text/assemble.h"
#include "vireo/spirv/text/disassemble.h"
#include "vireo/spirv/validate/validate.h"

namespace vireo::bench {
namespace {

std::size_t count_instructions(spirv::Words words) {
  std::size_t count = 0;
  for (const spirv::InstructionView instruction : spirv::Instructions(words))
    count += 1 + (static_cast<unsigned>(instruction.opcode) >> 15);
  return count;
}

}  // namespace

std::string disassembled(spirv::Words words, Ids ids) {
  // Into one string, because the peer returns one; for a large module the string takes half of the time.
  StringSink sink;
  Diagnostics diagnostics;
  spirv::disassemble(words, {.friendly_names = ids == Ids::Named}, sink, diagnostics);
  return std::move(sink).text();
}

std::size_t stream_disassembled(spirv::Words words, Ids ids) {
  CountingSink sink;
  Diagnostics diagnostics;
  spirv::disassemble(words, {.friendly_names = ids == Ids::Named}, sink, diagnostics);
  return sink.bytes;
}

spirv::WordBuffer assembled(std::string_view text, Ids ids) {
  Diagnostics diagnostics;
  auto words = spirv::assemble(
      {"bench.spvasm", text}, {.preserve_numeric_ids = ids == Ids::Numbers, .exact = ids == Ids::Numbers}, diagnostics);
  return words ? std::move(words).value() : spirv::WordBuffer();
}

std::size_t count_operands(spirv::Words words) {
  spirv::OperandDecoder decoder(spirv::builtin_grammar(), words[3], words.size());
  std::size_t count = 0;
  for (const spirv::InstructionView instruction : spirv::Instructions(words)) {
    if (!spirv::is_decodable(decoder.decode(instruction))) return 0;
    count += decoder.operands().size();
  }
  return count;
}

bool is_valid(spirv::Words words) {
  Diagnostics diagnostics;
  return spirv::validate(words, {}, diagnostics);
}

namespace {

/// Whether the peer can read the module: an old peer rejects newer modules, and the version of 2023 misreads the string
/// of OpAsmTargetINTEL as ids.
bool peer_knows(spirv::Words words, const peer::Text& named, const peer::Text& numbers) {
  if (!named.ok() || !numbers.ok() || !peer::assemble(named.view(), Ids::Named).ok()) return false;
  if (peer::rebuilt_size(words) == 0) return false;
  for (const spirv::InstructionView instruction : spirv::Instructions(words)) {
    if (instruction.opcode == spirv::Op::OpAsmTargetINTEL) return false;
  }
  return true;
}

}  // namespace

Workbench::Workbench(const Subject& subject) {
  for (spirv::WordBuffer& words : subject.modules()) {
    Material material{std::move(words), {}, {}, false};
    if (peer::is_linked()) {
      const auto named = peer::disassemble(material.words, Ids::Named);
      const auto numbers = peer::disassemble(material.words, Ids::Numbers);
      if (!peer_knows(material.words, named, numbers)) {
        ++refused_;
        continue;
      }
      material.named = named.view();
      material.numbers = numbers.view();
    } else {
      material.named = disassembled(material.words, Ids::Named);
      material.numbers = disassembled(material.words, Ids::Numbers);
    }
    material.is_valid = is_valid(material.words) && (!peer::is_linked() || peer::is_valid(material.words));
    materials_.push_back(std::move(material));
  }
}

std::size_t Workbench::ours(Operation operation) const {
  std::size_t total = 0;
  const Ids ids = ids_of(operation);
  for (const Material& material : materials_) {
    switch (operation) {
      case Operation::Walk: total += count_instructions(material.words); break;
      case Operation::Index: total += spirv::Module::read(material.words).instruction_count(); break;
      case Operation::Facts: total += count_facts(material.words); break;
      case Operation::CoreFacts: total += count_core_facts(material.words); break;
      case Operation::Decode: total += count_operands(material.words); break;
      case Operation::Validate: total += material.is_valid && is_valid(material.words) ? 1 : 0; break;
      case Operation::DisNamed:
      case Operation::DisNumbers: total += disassembled(material.words, ids).size(); break;
      case Operation::DisNamedStreamed:
      case Operation::DisNumbersStreamed: total += stream_disassembled(material.words, ids); break;
      case Operation::AsNamed: total += assembled(material.named, Ids::Named).size(); break;
      case Operation::AsNumbers: total += assembled(material.numbers, Ids::Numbers).size(); break;
    }
  }
  return total;
}

std::size_t Workbench::peers(Operation operation) const {
  std::size_t total = 0;
  for (const Material& material : materials_) {
    switch (operation) {
      case Operation::Walk:
      case Operation::Index: break;
      case Operation::Facts:
      case Operation::CoreFacts: total += peer::rebuilt_size(material.words); break;
      case Operation::Decode: total += peer::count_operands(material.words); break;
      case Operation::Validate: total += material.is_valid && peer::is_valid(material.words) ? 1 : 0; break;
      case Operation::DisNamed:
      case Operation::DisNamedStreamed:
      case Operation::DisNumbers:
      case Operation::DisNumbersStreamed:
        total += peer::disassemble(material.words, ids_of(operation)).view().size();
        break;
      case Operation::AsNamed: total += peer::assemble(material.named, Ids::Named).words().size(); break;
      case Operation::AsNumbers: total += peer::assemble(material.numbers, Ids::Numbers).words().size(); break;
    }
  }
  return total;
}

std::size_t Workbench::bytes(Operation operation) const {
  std::size_t total = 0;
  for (const Material& material : materials_) {
    if (operation != Operation::Validate || material.is_valid) total += material.words.size() * sizeof(spirv::Word);
  }
  return total;
}

std::size_t Workbench::text_bytes(Operation operation) const {
  if (operation < Operation::DisNamed) return 0;
  std::size_t total = 0;
  for (const Material& material : materials_) {
    total += ids_of(operation) == Ids::Named ? material.named.size() : material.numbers.size();
  }
  return total;
}

}  // namespace vireo::bench
