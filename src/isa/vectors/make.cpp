// SPDX-License-Identifier: Apache-2.0
//
// Description → vectors.
//
// The one idea: the samples of the checks, all of them, with the answers of this day. A word is kept if it belongs to the
// leaf it was made for and, unless remarks are asked for, prints without one: what a person could have written.
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
  // A description with errors claims nothing.
  if (!decoder.is_usable()) return;
  const Model& model = decoder.model();
  // Without rows: vectors have to mean the same whatever names somebody has for numbers.
  CustomNames numbers;
  Printer printer(decoder, {.listener = &numbers});
  Assembler assembler(decoder, {.custom = &numbers, .listener = &numbers});
  Samples samples(model, decoder.gen(), Samples::Corners::All);
  Decoded decoded;
  AssembledLine line;
  std::string printed;
  // One for all lines, so that memory is asked for once. Who wants to keep one copies it.
  TestVector vector;
  vector.gen = decoder.gen();
  for (const InstructionRoot& row : model.instruction_roots()) {
    for (const BitsetId id : model.leaves(model[row.root])) {
      if (!model[id].gens.contains(decoder.gen())) continue;
      vector.leaf = model.text(model[id].name);
      samples.each(model[id], [&](const Bits& word) {
        if (!decoder.decode(word, decoded) || decoded.instruction().leaf != id) return;
        // Samples are made from a leaf's pattern, and a pattern of another leaf may match them, too: those claim
        // nothing of this one.
        const bool has_remarks = !decoded.faults().empty();
        if (has_remarks && !options.keeps_remarks) return;
        vector.text.clear();
        printer.print_word(word.words(), word.width(), vector.text);
        vector.word = word;
        vector.assembly = TestVector::Assembly::Nothing;
        // A text with remarks is none that anybody writes.
        if (!has_remarks && assembler.assemble_line(vector.text, line)) {
          if (line.word == word) {
            vector.assembly = TestVector::Assembly::SameBits;
          } else {
            // Proved by the assembler already; the blanks may be others, though, and those are recorded.
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
