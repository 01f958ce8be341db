// SPDX-License-Identifier: Apache-2.0
//
// vireo val: verdicts and findings.
//
// The one idea: the library says what is wrong with words; this file decides what they came from and what people see of
// it. Text is assembled first, and findings point into it; a binary is disassembled when there is something to point at.
// With --format=json everything goes to standard output, a line a finding and a line a verdict.
#include <algorithm>
#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/batch.h"
#include "cli/commands.h"
#include "cli/environment_option.h"
#include "cli/grammar_option.h"
#include "cli/inputs.h"
#include "cli/val_places.h"
#include "support/json_writer.h"
#include "support/render.h"
#include "vireo/spirv/assemble.h"
#include "vireo/spirv/disassemble.h"
#include "vireo/spirv/reader.h"
#include "vireo/spirv/validate.h"

namespace vireo::cli {
namespace {

struct LimitOption {
  OptionId id;
  spirv::Word spirv::Limits::*limit;
};
constexpr LimitOption limit_options[] = {
    {OptionId::MaxStructMembers, &spirv::Limits::struct_members},
    {OptionId::MaxStructDepth, &spirv::Limits::struct_depth},
    {OptionId::MaxLocalVariables, &spirv::Limits::local_variables},
    {OptionId::MaxGlobalVariables, &spirv::Limits::global_variables},
    {OptionId::MaxSwitchBranches, &spirv::Limits::switch_branches},
    {OptionId::MaxFunctionArgs, &spirv::Limits::function_parameters},
    {OptionId::MaxNestingDepth, &spirv::Limits::nesting_depth},
    {OptionId::MaxAccessChainIndexes, &spirv::Limits::access_chain_indexes},
    {OptionId::MaxIdBound, &spirv::Limits::id_bound},
};

struct FeatureOption {
  OptionId id;
  spirv::Feature feature;
};
constexpr FeatureOption feature_options[] = {
    {OptionId::RelaxLogicalPointer, spirv::Feature::RelaxLogicalPointer},
    {OptionId::BeforeHlslLegalization, spirv::Feature::BeforeHlslLegalization},
    {OptionId::RelaxStructStore, spirv::Feature::RelaxStructStore},
    {OptionId::RelaxBlockLayout, spirv::Feature::RelaxBlockLayout},
    {OptionId::UniformBufferStandardLayout, spirv::Feature::UniformBufferStandardLayout},
    {OptionId::ScalarBlockLayout, spirv::Feature::ScalarBlockLayout},
    {OptionId::WorkgroupScalarBlockLayout, spirv::Feature::WorkgroupScalarBlockLayout},
    {OptionId::SkipBlockLayout, spirv::Feature::SkipBlockLayout},
    {OptionId::AllowLocalSizeId, spirv::Feature::AllowLocalSizeId},
    {OptionId::AllowOffsetTextureOperand, spirv::Feature::AllowOffsetTextureOperand},
    {OptionId::AllowVulkan32BitBitwise, spirv::Feature::AllowVulkan32BitBitwise},
};

struct DescriptorOption {
  OptionId id;
  spirv::DescriptorLayout spirv::ValidateOptions::*layout;
};
constexpr DescriptorOption descriptor_options[] = {
    {OptionId::BufferDescriptorLayout, &spirv::ValidateOptions::buffer_descriptor},
    {OptionId::ImageDescriptorLayout, &spirv::ValidateOptions::image_descriptor},
    {OptionId::SamplerDescriptorLayout, &spirv::ValidateOptions::sampler_descriptor},
    {OptionId::TensorDescriptorLayout, &spirv::ValidateOptions::tensor_descriptor},
};

bool parse_count(std::string_view digits, spirv::Word& value) {
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return error == std::errc() && end == digits.data() + digits.size();
}

// "SIZE:ALIGNMENT" in bytes. Empty, or what is wrong.
std::string read_descriptor_layout(std::string_view text, spirv::DescriptorLayout& layout) {
  const std::size_t colon = text.find(':');
  if (colon != std::string_view::npos && parse_count(text.substr(0, colon), layout.size) &&
      parse_count(text.substr(colon + 1), layout.alignment) && layout.alignment != 0) {
    return {};
  }
  return "expected SIZE:ALIGNMENT in bytes, found '" + std::string(text) + '\'';
}

std::string read_options(const ParsedOptions& options, spirv::ValidateOptions& validation) {
  for (const LimitOption& row : limit_options) {
    const std::size_t value = options.count(row.id, validation.limits.*row.limit);
    validation.limits.*row.limit = static_cast<spirv::Word>(std::min<std::size_t>(value, 0xFFFFFFFF));
  }
  for (const FeatureOption& row : feature_options) {
    if (options.has(row.id)) validation.features.add(row.feature);
  }
  for (const DescriptorOption& row : descriptor_options) {
    if (!options.has(row.id)) continue;
    if (std::string problem = read_descriptor_layout(options.value(row.id), validation.*row.layout); !problem.empty()) {
      return problem;
    }
  }
  return {};
}

// What was validated: the words, and the text that stands for them as far as there is one.
struct Subject {
  spirv::WordBuffer assembled;
  std::optional<spirv::ModuleWords> read;
  spirv::SourceMap map;
  bool is_text = false;

  [[nodiscard]] spirv::Words words() const { return read ? read->words() : spirv::Words(assembled); }
};

bool read_subject(const SourceText& input, const spirv::ValidateOptions& validation, Diagnostics& diagnostics,
                  Subject& subject) {
  if (looks_like_assembly(input.text)) {
    subject.is_text = true;
    spirv::AssembleOptions assembly;
    assembly.grammar = validation.grammar;
    assembly.preserve_numeric_ids = true;  // a message about %12 is about the %12 of the text
    Result<spirv::WordBuffer> words = spirv::assemble(input, assembly, diagnostics, &subject.map);
    if (!words) return false;
    subject.assembled = std::move(*words);
    // A text that states no version is of the newest one that the environment takes.
    const bool states_version = input.text.find("; Version:") != std::string_view::npos;
    if (validation.environment != nullptr && !states_version) {
      subject.assembled[1] = validation.environment->version.to_word();
    }
    return true;
  }
  Result<spirv::ModuleWords> words = spirv::read_module_words(input.text, diagnostics);
  if (words) subject.read.emplace(std::move(*words));
  return words.ok();
}

void write_notes(JsonWriter& json, const Diagnostic& diagnostic) {
  if (diagnostic.notes.empty()) return;
  json.key("notes").begin_array();
  for (const Note& note : diagnostic.notes) {
    json.begin_object();
    json.key("message").string(note.message);
    if (note.where.kind == Location::Kind::Words) json.key("word_offset").number(note.where.begin);
    json.end_object();
  }
  json.end_array();
}

// Findings and the verdict of one input. Places in words come from the findings as they were made, lines from those that
// point into the text, where there is one.
void write_json(const SourceText& input, const Diagnostics& found, const Diagnostics* in_text, bool is_valid,
                TextSink& sink) {
  JsonWriter json(sink);
  const LineIndex lines(in_text == nullptr ? std::string_view() : input.text);
  for (std::size_t i = 0; i < found.all().size(); ++i) {
    const Diagnostic& diagnostic = found.all()[i];
    json.begin_object();
    json.key("file").string(input.name);
    json.key("severity").string(name_of(diagnostic.severity));
    json.key("rule").string(diagnostic.rule);
    const spirv::ValidationRule* rule = spirv::find_validation_rule(diagnostic.rule);
    if (rule != nullptr && !rule->vuid.empty()) json.key("vuid").string(rule->vuid);
    json.key("message").string(diagnostic.message);
    const Location& shown = in_text == nullptr ? diagnostic.where : in_text->all()[i].where;
    if (shown.kind == Location::Kind::Text) {
      const LineColumn at = lines.locate(shown.begin);
      json.key("line").number(at.line).key("column").number(at.column);
    }
    if (diagnostic.where.kind == Location::Kind::Words) {
      json.key("word_offset").number(diagnostic.where.begin);
      if (diagnostic.where.instruction != 0) json.key("instruction").number(diagnostic.where.instruction);
    }
    if (!diagnostic.hint.empty()) json.key("hint").string(diagnostic.hint);
    write_notes(json, diagnostic);
    json.end_object().end_document();
  }
  json.begin_object();
  json.key("file").string(input.name);
  json.key("valid").boolean(is_valid);
  json.key("errors").number(found.error_count());
  json.key("warnings").number(found.warning_count());
  json.end_object().end_document();
}

void take_all(const Diagnostics& from, Diagnostics& to) {
  for (const Diagnostic& diagnostic : from.all()) to.report(diagnostic);
}

}  // namespace

int run_val(const Invocation& invocation) {
  const ParsedOptions& options = invocation.options;
  spirv::ValidateOptions validation;
  const ChosenEnvironment target = environment_of_target(options);
  if (!target.problem.empty()) return usage_error(invocation, target.problem);
  validation.environment = target.environment;
  if (const std::string problem = read_options(options, validation); !problem.empty()) {
    return usage_error(invocation, problem);
  }

  Reporter reporter(invocation);
  ChosenGrammar chosen;
  if (const int status = chosen.load(invocation, reporter); status != exit_status::fine) return status;
  validation.grammar = &chosen.grammar();
  const bool is_json = options.value(OptionId::Format) == "json";

  const auto check = [&](const BatchItem& item) {
    Diagnostics found(reporter.limit());
    Subject subject;
    const bool is_read = read_subject(item.input, validation, found, subject);
    spirv::ValidateOptions options_here = validation;
    std::vector<std::string_view> names;
    if (is_read && subject.is_text) {
      names = names_in_text(item.input.text, subject.words(), subject.map);
      options_here.id_names = names;
    }
    const bool is_valid = is_read && spirv::validate(subject.words(), options_here, found);
    if (is_json) {
      if (subject.is_text && is_read) {
        const Diagnostics turned = point_into_text(found, subject.words(), subject.map);
        write_json(item.input, found, &turned, is_valid, item.output);
      } else {
        write_json(item.input, found, subject.is_text ? &found : nullptr, is_valid, item.output);
      }
      return is_valid;
    }
    if (!is_read || found.all().empty()) {
      take_all(found, item.diagnostics);
      return is_valid;
    }
    if (!subject.is_text) {
      // Only now: a valid module is never disassembled.
      StringSink text;
      Diagnostics ignored;
      spirv::DisassembleOptions style;
      style.grammar = validation.grammar;
      style.handle_unknown = true;
      spirv::disassemble(subject.words(), style, text, ignored, &subject.map);
      item.shown.assign(text.text());
    }
    take_all(point_into_text(found, subject.words(), subject.map), item.diagnostics);
    return is_valid;
  };
  return run_batch(invocation, {".spv", "", false}, reporter, check);
}

}  // namespace vireo::cli
