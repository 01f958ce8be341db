// SPDX-License-Identifier: Apache-2.0
//
// Marks the instructions that strip removes.
//
// One row for each opcode with the part that it belongs to. Extended instructions belong to the parts of
// their set.
//
// Source: specification 2.15, 3.42.2 (debug instructions); SPV_KHR_non_semantic_info; SPV_GOOGLE_hlsl_functionality1;
// SPV_GOOGLE_user_type; SPV_GOOGLE_decorate_string.
#include "vireo/spirv/transform/strip.h"
#include "spirv/grammar/opcode_families.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>
#include <vector>

#include "spirv/grammar/special_sets.h"
#include "spirv/transform/rewrite.h"
#include "vireo/spirv/binary/views/annotation.h"
#include "vireo/spirv/binary/views/extension.h"

namespace vireo::spirv {
namespace {

using enum Op;

constexpr Decoration reflection_decorations[] = {Decoration::UserSemantic, Decoration::UserTypeGOOGLE,
                                                 Decoration::HlslCounterBufferGOOGLE};

// An extension that is removed if the module contains nothing of it any more.
constexpr std::string_view non_semantic_extension = "SPV_KHR_non_semantic_info";
constexpr std::string_view forward_extension = "SPV_KHR_relaxed_extended_instruction";
constexpr std::string_view google_extensions[] = {"SPV_GOOGLE_hlsl_functionality1", "SPV_GOOGLE_user_type",
                                                  "SPV_GOOGLE_decorate_string"};

bool is_removed_set(std::string_view name, const StripOptions& options) {
  return (options.debug && is_debug_information(name)) || (options.nonsemantic && is_non_semantic_set(name)) ||
         (options.reflection && named_set(name).set == KnownSet::Reflection);
}

bool is_google_decoration(InstructionView view) {
  const auto decoration = static_cast<Decoration>(view.word(is_member_decoration(view.opcode) ? 3 : 2));
  return std::ranges::find(reflection_decorations, decoration) != std::end(reflection_decorations);
}

class Stripper {
 public:
  Stripper(const Module& module, const StripOptions& options) : module_(module), options_(options), rewrite_(module) {}

  Rewrite run() {
    for (const auto [index, view] : module_.instructions(Section::Imports)) {
      const auto import = as<OpExtInstImport>(view);
      if (!import || !is_removed_set(import->name(), options_)) continue;
      sets_.push_back(import->result());
      rewrite_.remove(index);
    }
    for (const auto [index, view] : module_.instructions()) {
      if (is_part(view)) rewrite_.remove(index);
    }
    // Nothing that was marked has a result in a module without strings and imports.
    const bool has_results = !sets_.empty() || (options_.debug && module_.has(OpString));
    if (has_results) {
      rewrite_.keep_what_is_used(Uses::read(module_));
      rewrite_.remove_annotations();
    }
    remove_extensions();
    return std::move(rewrite_);
  }

 private:
  [[nodiscard]] bool is_part(InstructionView view) const {
    if (is_extended(view.opcode)) return std::ranges::find(sets_, View<OpExtInst>(view).set().id) != sets_.end();
    if (options_.reflection && is_decoration(view.opcode)) return is_google_decoration(view);
    if (gives_name(view.opcode)) return options_.names;
    return options_.debug && is_one_of(source_information, view.opcode);
  }

  // Extensions that only removed instructions needed.
  void remove_extensions() {
    bool has_non_semantic = false, has_google = false, has_forward = false;
    for (const auto [index, view] : module_.instructions(Section::Imports)) {
      const auto import = as<OpExtInstImport>(view);
      has_non_semantic |= !rewrite_.is_removed(index) && import && is_non_semantic_set(import->name());
    }
    for (const auto [index, view] : module_.instructions(Section::Annotations)) {
      if (rewrite_.is_removed(index)) continue;
      has_google |= view.opcode == OpDecorateString || view.opcode == OpMemberDecorateString ||
                    (is_decoration(view.opcode) && is_google_decoration(view));
    }
    if (module_.has(OpExtInstWithForwardRefsKHR)) {
      for (const auto [index, view] : module_.instructions()) {
        has_forward |= view.opcode == OpExtInstWithForwardRefsKHR && !rewrite_.is_removed(index);
      }
    }
    for (const auto [index, view] : module_.instructions(Section::Extensions)) {
      const auto extension = as<OpExtension>(view);
      const std::string_view name = extension ? std::string_view(extension->name()) : std::string_view();
      const bool is_google = std::ranges::find(google_extensions, name) != std::end(google_extensions);
      if ((name == non_semantic_extension && (options_.nonsemantic || !sets_.empty()) && !has_non_semantic) ||
          (name == forward_extension && !sets_.empty() && !has_forward) ||
          (is_google && options_.reflection && !has_google)) {
        rewrite_.remove(index);
      }
    }
  }

  const Module& module_;
  const StripOptions& options_;
  Rewrite rewrite_;
  std::vector<Word> sets_;  // results of removed imports
};

}  // namespace

Result<WordBuffer> strip(Words words, const StripOptions& options, Diagnostics& diagnostics, TransformReport* report,
                         const Grammar& grammar) {
  const Result<Module> module = read_for_transform(words, grammar, diagnostics);
  if (!module) return module.failure();
  Rewrite rewrite = Stripper(*module, options).run();
  WordBuffer result = rewrite.write();
  if (report != nullptr) *report = describe_transform(words, result, grammar);
  return result;
}

}  // namespace vireo::spirv
