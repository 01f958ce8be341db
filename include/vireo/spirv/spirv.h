// SPDX-License-Identifier: Apache-2.0
//
// SPIR-V: all public headers, for programs that use several of them.
//
//   Diagnostics diagnostics;
//   const Result<FileBytes> file = read_file("shader.spv", diagnostics);
//   const Verdict verdict = validate_and_render({"shader.spv", file->text()});   // one_call.h
//   const Result<ModuleWords> words = read_module_words(file->text(), diagnostics);
//   const Module module = Module::read(words->words());
//   const Facts facts(module);
//
// Typed views of instructions are in views/, with a header for each class of instructions. Compile times differ:
// docs/speed.md lists them. A file that only reads modules should include only the headers that it needs.
#pragma once

#include "vireo/spirv/binary/instruction.h"
#include "vireo/spirv/binary/operand.h"
#include "vireo/spirv/binary/reader.h"
#include "vireo/spirv/binary/view.h"
#include "vireo/spirv/binary/writer.h"
#include "vireo/spirv/build/builder.h"
#include "vireo/spirv/build/edit.h"
#include "vireo/spirv/build/requirements.h"
#include "vireo/spirv/environment.h"
#include "vireo/spirv/grammar/enum_names.h"
#include "vireo/spirv/grammar/enums.h"
#include "vireo/spirv/grammar/grammar.h"
#include "vireo/spirv/grammar/grammar_loader.h"
#include "vireo/spirv/inspect/condition.h"
#include "vireo/spirv/inspect/dot.h"
#include "vireo/spirv/inspect/info_fields.h"
#include "vireo/spirv/inspect/module_info.h"
#include "vireo/spirv/inspect/module_part.h"
#include "vireo/spirv/inspect/pipeline.h"
#include "vireo/spirv/inspect/reflection.h"
#include "vireo/spirv/inspect/reflection_text.h"
#include "vireo/spirv/inspect/uniformity_marks.h"
#include "vireo/spirv/module/call_graph.h"
#include "vireo/spirv/module/constants.h"
#include "vireo/spirv/module/control_flow.h"
#include "vireo/spirv/module/decorations.h"
#include "vireo/spirv/module/facts.h"
#include "vireo/spirv/module/lines.h"
#include "vireo/spirv/module/module.h"
#include "vireo/spirv/module/module_declarations.h"
#include "vireo/spirv/module/source_texts.h"
#include "vireo/spirv/module/type_text.h"
#include "vireo/spirv/module/types.h"
#include "vireo/spirv/module/uniformity.h"
#include "vireo/spirv/module/uses.h"
#include "vireo/spirv/one_call/allow_comments.h"
#include "vireo/spirv/one_call/fixes.h"
#include "vireo/spirv/one_call/one_call.h"
#include "vireo/spirv/text/assemble.h"
#include "vireo/spirv/text/disassemble.h"
#include "vireo/spirv/text/listing.h"
#include "vireo/spirv/transform/canonical_ids.h"
#include "vireo/spirv/transform/clean.h"
#include "vireo/spirv/transform/link.h"
#include "vireo/spirv/transform/parts.h"
#include "vireo/spirv/transform/report.h"
#include "vireo/spirv/transform/shrink.h"
#include "vireo/spirv/transform/spec_constants.h"
#include "vireo/spirv/transform/specialize.h"
#include "vireo/spirv/transform/strip.h"
#include "vireo/spirv/transform/trim.h"
#include "vireo/spirv/validate/option_rows.h"
#include "vireo/spirv/validate/profile.h"
#include "vireo/spirv/validate/validate.h"
#include "vireo/support/file.h"
#include "vireo/support/render.h"
