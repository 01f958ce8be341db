// SPDX-License-Identifier: Apache-2.0
//
// vireo.h: validation.
//
// A profile contains all options, so new options need no change of a C struct.
#include "vireo/spirv/validate/validate.h"

#include "c/handles.h"
#include "vireo/spirv/validate/rule_texts.h"
#include "vireo/vireo_rules.h"

using namespace vireo;
using namespace vireo::c;

namespace {

/// The texts of the result have static lifetime.
vireo_rule rule_of(const spirv::ValidationRule& rule) {
  return {to_c(rule.name), to_c(rule.section), to_c(rule.vuids), to_c(rule.requirement),
          static_cast<std::uint32_t>(rule.severity)};
}

}  // namespace

vireo_status vireo_profile_read(const char* json, std::size_t size, const vireo_grammar* grammar,
                                vireo_diagnostics* diagnostics, vireo_profile** out) {
  return create(out, is_span(json, size), [&] {
    Diagnostics found;
    Result<spirv::Profile> profile = spirv::read_profile({"", from_c({json, size})}, grammar_of(grammar), found);
    add(diagnostics, found);
    if (profile) *out = new vireo_profile{std::move(*profile), &grammar_of(grammar)};
    return profile ? VIREO_OK : VIREO_REPORTED;
  });
}

vireo_status vireo_profile_create(const char* environment, vireo_diagnostics* diagnostics, vireo_profile** out) {
  return create(out, environment != nullptr, [&] {
    Diagnostics found;
    const Result<spirv::Environment> chosen = spirv::find_environment(environment, found);
    add(diagnostics, found);
    if (!chosen) return VIREO_REPORTED;
    *out = new vireo_profile{{}, &grammar_of(nullptr)};
    (*out)->profile.environment = *chosen;
    return VIREO_OK;
  });
}

void vireo_profile_destroy(vireo_profile* profile) { delete profile; }

vireo_status vireo_validate(const std::uint32_t* words, std::size_t count, const vireo_profile* profile,
                            vireo_diagnostics* diagnostics) {
  if (!is_span(words, count)) return VIREO_BAD_ARGUMENT;
  return guarded([&] {
    Diagnostics found;
    const bool is_valid = spirv::validate({words, count}, options_of(profile), found);
    add(diagnostics, found);
    return is_valid ? VIREO_OK : VIREO_REPORTED;
  });
}

// An index after the last rule returns VIREO_NO_MATCH, which ends a loop over the rules.
vireo_status vireo_rule_get(std::size_t index, vireo_rule* out) {
  if (out == nullptr) return VIREO_BAD_ARGUMENT;
  const auto rules = spirv::validation_rules();
  *out = index < rules.size() ? rule_of(rules[index]) : vireo_rule{};
  return index < rules.size() ? VIREO_OK : VIREO_NO_MATCH;
}

vireo_status vireo_find_rule(vireo_string name, vireo_rule* out) {
  if (out == nullptr || !is_span(name.data, name.size)) return VIREO_BAD_ARGUMENT;
  const spirv::ValidationRule* rule = spirv::find_validation_rule(from_c(name));
  *out = rule == nullptr ? vireo_rule{} : rule_of(*rule);
  return rule == nullptr ? VIREO_NO_MATCH : VIREO_OK;
}

vireo_status vireo_find_rule_text(vireo_string name, vireo_rule_text* out) {
  if (out == nullptr || !is_span(name.data, name.size)) return VIREO_BAD_ARGUMENT;
  const spirv::RuleText* text = spirv::find_rule_text(from_c(name));
  *out = text == nullptr
             ? vireo_rule_text{}
             : vireo_rule_text{to_c(text->fix), to_c(text->lifted_by), to_c(text->options), to_c(text->example)};
  return text == nullptr ? VIREO_NO_MATCH : VIREO_OK;
}
