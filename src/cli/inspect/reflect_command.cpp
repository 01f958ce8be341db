// SPDX-License-Identifier: Apache-2.0
//
// vireo reflect: the resources, blocks, interfaces and specialization constants of modules.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>

#include "cli/common/batch.h"
#include "cli/common/inputs.h"
#include "cli/inspect/pipeline_command.h"
#include "cli/spirv/grammar_option.h"
#include "cli/val/val_subject.h"
#include "spirv/rules.h"
#include "support/nearest.h"
#include "support/printable.h"
#include "vireo/spirv/facts/module_declarations.h"
#include "vireo/spirv/inspect/reflection_text.h"

namespace vireo::cli {
namespace {

// A value of --format, and the files in --out-dir. The first is the default, also for the formats of diagnostics.
struct ReflectForm {
  std::string_view name, extension;
  bool is_json = false;
  std::optional<spirv::HeaderLanguage> language = {};  // of a generated header
};
constexpr ReflectForm forms[] = {
    {"table", ".txt"},
    {"json", ".json", true},
    {"c", ".h", false, spirv::HeaderLanguage::C},
    {"c++", ".hpp", false, spirv::HeaderLanguage::Cpp},
};

const ReflectForm& form_of(std::string_view name) {
  const auto* found = std::ranges::find(forms, name, &ReflectForm::name);
  return found == std::end(forms) ? forms[0] : *found;
}

// Reports an entry point that the module lacks. Returns whether there is one with the name.
bool has_entry_point(const spirv::Facts& facts, std::string_view name, Diagnostics& diagnostics) {
  NearestNames nearest(name);
  for (const spirv::EntryPointRow& entry : facts.module_declarations().entry_points()) {
    if (entry.name == name) return true;
    nearest.offer(entry.name);
  }
  diagnostics.error(spirv::rule::unknown_function, Location::none(),
                    fmt::format("the module has no entry point {}", vireo::quoted(name)),
                    did_you_mean(nearest.names()));
  return false;
}

}  // namespace

int run_reflect(const Invocation& invocation) {
  const ParsedOptions& options = invocation.options;
  Reporter reporter(invocation);
  ChosenGrammar chosen;
  if (const int status = chosen.load(invocation, reporter); status != exit_status::fine) return status;
  const spirv::Grammar& grammar = chosen.grammar();
  if (options.has(OptionId::Pipeline)) return run_reflect_pipeline(invocation, grammar, reporter);
  const ReflectForm& form = form_of(options.value(OptionId::Format));
  const spirv::ReflectionTextOptions text = {.entry_point = options.value(OptionId::Entry)};
  const auto convert = [&](const BatchItem& item) {
    Subject subject;
    spirv::ValidateOptions reading;
    reading.grammar = &grammar;
    if (!read_subject(item.input, reading, item.diagnostics, subject)) return false;
    const spirv::Module module = spirv::Module::read(subject.words(), grammar);
    const spirv::Facts facts(module);
    if (!text.entry_point.empty() && !has_entry_point(facts, text.entry_point, item.diagnostics)) return false;
    const spirv::Reflection reflection(facts);
    if (form.language) {
      const spirv::ReflectionHeaderOptions header = {
          .language = *form.language,
          .entry_point = text.entry_point,
          .scope = options.value(OptionId::Namespace, stem_of(item.input.name))};
      return spirv::write_reflection_header(reflection, item.input.name, header, item.output);
    }
    const auto write = form.is_json ? spirv::write_reflection_json : spirv::write_reflection_table;
    return write(reflection, item.input.name, text, item.output);
  };
  return run_batch(invocation, {{".spv", ".spvasm"}, form.extension}, reporter, convert);
}

}  // namespace vireo::cli
