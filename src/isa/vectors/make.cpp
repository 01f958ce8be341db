// SPDX-License-Identifier: Apache-2.0
//
// Makes test vectors from a description.
//
// The sample words of `isa check` are printed and assembled, and the results are recorded. A word is kept
// if it decodes to the leaf for which it was made and, unless options.includes_faulty_words is set, prints without
// annotations.
#include "isa/check/samples.h"
#include "support/json_writer.h"
#include "vireo/isa/assemble.h"
#include "vireo/isa/custom_names.h"
#include "vireo/isa/print.h"
#include "vireo/isa/vectors.h"

namespace vireo::isa {
namespace {

// In the order of TestVector::Assembly; `Nothing` is not written.
constexpr std::string_view assembly_names[] = {"same_bits", "same_text"};

}  // namespace

void make_vectors(const Decoder& decoder, const VectorOptions& options,
                  const std::function<void(const TestVector&)>& take) {
  // A description with errors has no vectors.
  if (!decoder.is_usable()) return;
  const Model& model = decoder.model();
  // The table of names is empty, because vectors must not depend on the names that a user defines for numbers.
  CustomNames numbers;
  Printer printer(decoder, {.listener = &numbers});
  Assembler assembler(decoder, {.custom = &numbers, .listener = &numbers});
  Samples samples(model, decoder.gen(), Samples::Corners::All);
  Decoded decoded;
  AssembledLine line;
  std::string printed;
  // One object is reused for all vectors; a consumer must copy it to keep it.
  TestVector vector;
  vector.gen = decoder.gen();
  for (const InstructionRoot& row : model.instruction_roots()) {
    for (const BitsetId id : model.leaves(model[row.root])) {
      if (!model[id].gens.contains(decoder.gen())) continue;
      vector.leaf = model.text(model[id].name);
      samples.each(model[id], [&](const Bits& word) {
        if (!decoder.decode(word, decoded) || decoded.instruction().leaf != id) return;
        // Another leaf may match the word as well; such words were skipped above.
        const bool has_faults = !decoded.faults().empty();
        if (has_faults && !options.includes_faulty_words) return;
        vector.text.clear();
        printer.print_word(word.words(), word.width(), vector.text);
        vector.word = word;
        vector.assembly = TestVector::Assembly::Nothing;
        // A text with annotations is not valid input for the assembler.
        if (!has_faults && assembler.assemble_line(vector.text, line)) {
          if (line.word == word) {
            vector.assembly = TestVector::Assembly::SameBits;
          } else {
            // The assembler guarantees equal texts except for spaces, but the record needs equal texts.
            printed.clear();
            printer.print_word(line.word.words(), line.word.width(), printed);
            if (printed == vector.text) vector.assembly = TestVector::Assembly::SameText;
          }
        }
        take(vector);
      });
    }
  }
}

void append_json_line(std::string& lines, const TestVector& vector) {
  StringSink sink;
  JsonWriter json(sink);
  json.begin_object().key("gen").number(vector.gen).key("hex").string(to_hex(vector.word));
  json.key("text").string(vector.text).key("leaf").string(vector.leaf);
  if (vector.assembly != TestVector::Assembly::Nothing)
    json.key("asm").string(assembly_names[static_cast<std::size_t>(vector.assembly)]);
  json.end_object().end_document();
  json.flush();
  lines += sink.text();
}

}  // namespace vireo::isa
