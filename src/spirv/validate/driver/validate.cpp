// SPDX-License-Identifier: Apache-2.0
//
// Runs the stages of the validator in order.
//
// A stage runs after the stages that check its preconditions. Facts can be computed for any words. Ids
// and requirements are checked for every instruction that can be decoded. Typing rows and check tables run only if the
// ids are sound. The control flow of a function is checked after its last instruction, and the whole module last. No
// stage after check_form stops at an error, and no error is reported twice.
#include "vireo/spirv/validate/validate.h"

#include "spirv/validate/checks/checks.h"
#include "spirv/validate/driver/check_context.h"
#include "spirv/validate/driver/verify_fixes.h"
#include "spirv/validate/driver/walk.h"
#include "vireo/spirv/binary/reader.h"

namespace vireo::spirv {
namespace {

// Runs all checks of a module that can be divided into instructions to its end.
void check_all(const ModuleCheck& c, Soundness& soundness) {
  check_layout(c);
  check_capabilities(c);
  check_device(c);
  check_adjacency(c);
  check_unique_types(c);
  check_type_nesting(c);
  check_variable_limits(c);
  check_limits(c);
  check_instructions(c, soundness);
  check_module(c);
  check_uniformity(c);
  c.findings.add_unused_allowed();
  if (c.budget.is_exceeded()) { c.report(Rule::WorkLimit, Place::header(0), {c.budget.limit()}); }
}

// Validates without verifying fixes.
bool find_faults(Words words, const ValidateOptions& options, Diagnostics& diagnostics) {
  const std::size_t errors_before = diagnostics.error_count();
  if (!read_header(words, diagnostics)) return false;
  const Grammar& grammar = options.grammar == nullptr ? builtin_grammar() : *options.grammar;

  const Module module = Module::read(words, grammar);
  const Facts facts(module);
  CheckContext context(module, facts, options);
  const ModuleCheck& c = context.check();
  check_header(c);
  if (check_form(c)) check_all(c, context.soundness());
  const bool is_valid = !context.report().has_errors();  // includes errors that were only counted
  context.report().deliver(diagnostics);
  diagnostics.sort_by_place();
  return is_valid && diagnostics.error_count() == errors_before;
}

}  // namespace

bool validate(Words words, const ValidateOptions& options, Diagnostics& diagnostics) {
  if (options.fixes) return validate_with_fixes(words, options, find_faults, diagnostics);
  return find_faults(words, options, diagnostics);
}

}  // namespace vireo::spirv
