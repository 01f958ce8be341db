// SPDX-License-Identifier: Apache-2.0
//
// Instruction sets described in XML: includes the headers for loading, decoding and printing. Typical use:
//
//   LoadedModel loaded = load_model("ir3.xml");
//   for (const SourceFile& file : loaded.files) …                  // file.diagnostics: faults with their locations
//   if (!loaded.ok()) return;
//   Decoder decoder(loaded.model, {.gen = 600});
//   Printer printer(decoder, {.branch_labels = true});
//   StringSink text;
//   printer.print(bytes, text);
#pragma once

#include "vireo/isa/bits.h"
#include "vireo/isa/decode.h"
#include "vireo/isa/expression.h"
#include "vireo/isa/load.h"
#include "vireo/isa/model.h"
#include "vireo/isa/print.h"
