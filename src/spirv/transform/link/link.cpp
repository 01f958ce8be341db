// SPDX-License-Identifier: Apache-2.0
//
// link: the steps of the linker (vireo/spirv/transform/link.h).
//
// The steps share the modules and only mark what becomes of their instructions: equal declarations, replaced
// symbols, unneeded parts. The last step writes what is left. Conflicts of all steps are reported before nothing is written.
//
// Source: specification 2.13 (linkage), 2.4 (logical layout).
#include "vireo/spirv/transform/link.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "spirv/module/opcode_traits.h"
#include "spirv/rules.h"
#include "spirv/transform/link/declaration_classes.h"
#include "spirv/transform/link/entry_interfaces.h"
#include "spirv/transform/link/link_module.h"
#include "spirv/transform/link/link_symbols.h"
#include "spirv/transform/link/link_writer.h"
#include "spirv/transform/link/needed_parts.h"
#include "support/nearest.h"
#include "support/printable.h"
#include "vireo/spirv/binary/views/extension.h"
#include "vireo/spirv/binary/views/memory.h"
#include "vireo/spirv/binary/views/mode_setting.h"
#include "vireo/spirv/binary/views/type_declaration.h"
#include "vireo/spirv/grammar/enum_names.h"
#include "vireo/spirv/module/decorations.h"
#include "vireo/spirv/module/module_declarations.h"

namespace vireo::spirv {
namespace {

using enum Op;

// A list in a message has at most this many names, and this many errors suggest another name.
constexpr std::size_t most_names = 20;
// Names of this many exports are compared with an import that has none.
constexpr std::size_t most_suggestions = 10'000;

std::string version_text(Version version) { return fmt::format("{}.{}", version.major, version.minor); }

class Linker {
 public:
  Linker(std::span<const LinkInput> inputs, const LinkOptions& options, Diagnostics& diagnostics,
         const Grammar& grammar)
      : inputs_(inputs), options_(options), diagnostics_(diagnostics), grammar_(grammar) {}

  Result<WordBuffer> run() {
    if (inputs_.empty()) return error(rule::link_module, Location::none(), "there is no module to link");
    for (const LinkInput& input : inputs_) {
      LinkModule& module = modules_.emplace_back(input, static_cast<std::uint32_t>(modules_.size()), grammar_);
      if (const auto reported = module.read(diagnostics_)) failure_ = reported;
    }
    if (failure_) return *failure_;
    check_id_bounds();
    check_versions();
    check_memory_models();
    check_entry_points();
    check_buffer_kinds();
    std::vector<bool> is_library;
    is_library.reserve(modules_.size());
    for (const LinkModule& module : modules_) {
      is_library.push_back(options_.only_needed && module.number != 0 &&
                           module.module.section(Section::EntryPoints).is_empty() &&
                           module.module.section(Section::Graphs).is_empty());  // graphs have entry points, too
    }
    DeclarationClasses classes(modules_);
    classes.read({});
    Diagnostics conflicts;
    LinkSymbols symbols(modules_, classes, options_, conflicts);
    symbols.resolve(is_library);
    take(conflicts);
    if (options_.only_needed) remove_unneeded(modules_, is_library);
    report_unresolved(symbols);
    if (failure_) return *failure_;
    remove_linkage(is_library);
    WordBuffer words = write_linked(modules_, classes.count(), version_);
    // Linked functions use further variables, and from version 1.4 on interfaces list more of them.
    const bool needs_interfaces = std::ranges::any_of(modules_, [&](const LinkModule& module) {
      return !module.replaced.empty() || module.module.header().version() != version_;
    });
    if (needs_interfaces) {
      if (const auto reported = complete_interfaces(words, grammar_, diagnostics_)) return *reported;
    }
    return words;
  }

 private:
  Reported error(std::string_view rule, Location where, std::string message, std::string hint = {}) {
    const Reported reported = diagnostics_.error(rule, where, std::move(message), std::move(hint));
    failure_ = reported;
    return reported;
  }
  void error_pair(std::string_view rule, Location where, std::string message, Location other, std::string note) {
    failure_ = diagnostics_.report(
        {.rule = rule, .where = where, .message = std::move(message), .notes = {{other, std::move(note)}}});
  }
  void take(const Diagnostics& found) {
    std::size_t kept = 0;
    for (const Diagnostic& each : found.all()) {
      const Reported reported = diagnostics_.report(each);
      if (each.severity != Severity::Error) continue;
      failure_ = reported;
      ++kept;
    }
    diagnostics_.count(Severity::Error, found.error_count() - kept);
  }

  // Ids are below the bounds of their modules, so this many ids are certain to suffice.
  void check_id_bounds() {
    std::uint64_t ids = 1;
    for (const LinkModule& module : modules_) {
      const Word bound = module.module.header().bound;
      ids += bound == 0 ? 0 : bound - 1;
      if (ids <= ~Word{0}) continue;
      error(rule::link_limit, module.location(),
            fmt::format("the ids of the modules up to here need a bound of {}; the limit is {}", ids, ~Word{0}));
      return;
    }
  }

  void check_versions() {
    const LinkModule& first = modules_.front();
    version_ = first.module.header().version();
    for (const LinkModule& module : modules_) {
      const Version version = module.module.header().version();
      if (version != first.module.header().version() && !options_.use_highest_version) {
        error_pair(rule::link_version, module.location(),
                   fmt::format("the module has version {} of SPIR-V, but {} has version {}", version_text(version),
                               first.name, version_text(first.module.header().version())),
                   first.location(), fmt::format("{} has version {}", first.name, version_text(version_)));
      }
      if (module.module.header().schema != first.module.header().schema) {
        error(rule::link_version, module.location(),
              fmt::format("the module has instruction schema {}, but {} has {}", module.module.header().schema,
                          first.name, first.module.header().schema));
      }
      if (options_.use_highest_version) version_ = std::max(version_, version);
    }
  }

  void check_memory_models() {
    struct Model {
      const LinkModule* module;
      InstructionIndex instruction;
      AddressingModel addressing;
      MemoryModel memory;
    };
    std::optional<Model> first;
    for (const LinkModule& module : modules_) {
      std::optional<Model> model;
      for (const auto [index, view] : module.module.instructions(Section::MemoryModel)) {
        const auto operands = as<OpMemoryModel>(view);
        if (operands && !model) {
          model = {&module, index, operands->addressing_model().value, operands->memory_model().value};
        }
      }
      if (!model) {
        error(rule::link_module, module.location(), "the module has no OpMemoryModel");
        continue;
      }
      if (!first) first = model;
      const auto compare = [&](std::string_view what, const std::string& here, const std::string& there) {
        if (here == there) return;
        error_pair(rule::link_memory_model, module.location_of(model->instruction),
                   fmt::format("the module has the {} {}, but {} has {}", what, here, first->module->name, there),
                   first->module->location_of(first->instruction),
                   fmt::format("{} has the {} {}", first->module->name, what, there));
      };
      compare("addressing model", to_string(model->addressing), to_string(first->addressing));
      compare("memory model", to_string(model->memory), to_string(first->memory));
    }
  }

  void check_entry_points() {
    std::map<std::pair<ExecutionModel, std::string_view>, LinkPlace> seen;
    for (const LinkModule& module : modules_) {
      for (const EntryPointRow& entry : module.facts.module_declarations().entry_points()) {
        const auto [row, is_new] =
            seen.try_emplace({entry.model, entry.name}, LinkPlace{module.number, entry.instruction});
        // Two of one module are a fault of that module, not of linking.
        if (is_new || row->second.module == module.number) continue;
        const LinkModule& other = modules_[row->second.module];
        error_pair(rule::link_entry_point, module.location_of(entry.instruction),
                   fmt::format("entry point {} with execution model {} is also in {}", quoted(entry.name),
                               to_string(entry.model), other.name),
                   other.location_of(row->second.instruction), fmt::format("{} has it here", other.name));
      }
    }
  }

  // Before the storage class StorageBuffer, storage buffers were in Uniform with BufferBlock. A module has one kind
  // (2.16.1).
  void check_buffer_kinds() {
    std::optional<LinkPlace> buffers[2];  // the first variable of each kind: StorageBuffer, Uniform
    for (const LinkModule& module : modules_) {
      for (const auto [index, view] : module.module.instructions(Section::Globals)) {
        if (!is_variable(view.opcode)) continue;
        const StorageClass storage = View<OpVariable>(view).storage_class();
        const bool is_old = storage == StorageClass::Uniform && holds_buffer_block(module, view);
        if (!is_old && storage != StorageClass::StorageBuffer) continue;
        std::optional<LinkPlace>& first = buffers[is_old ? 1 : 0];
        if (!first) first = {module.number, index};
      }
    }
    if (!buffers[0] || !buffers[1] || buffers[0]->module == buffers[1]->module) return;
    const LinkModule& module = modules_[buffers[0]->module];
    const LinkModule& old = modules_[buffers[1]->module];
    error_pair(
        rule::link_memory_model, old.location_of(buffers[1]->instruction),
        fmt::format("the module has storage buffers in Uniform with BufferBlock, but {} has them in StorageBuffer",
                    module.name),
        module.location_of(buffers[0]->instruction), fmt::format("{} has a variable in StorageBuffer", module.name));
  }

  static bool holds_buffer_block(const LinkModule& module, InstructionView variable) {
    // An untyped variable states the type of its content as its data type.
    const auto untyped = as<OpUntypedVariableKHR>(variable);
    const InstructionView pointer = module.module.find(View<OpVariable>(variable).result_type());
    Word type =
        untyped ? untyped->data_type().value_or(IdOperand<IdKind::Type>()) : View<OpTypePointer>(pointer).type();
    InstructionView view = module.module.find(type);
    // An array follows its element, so an array of itself is not possible; the bound is for broken modules.
    for (int level = 0; level < 100 && (view.opcode == OpTypeArray || view.opcode == OpTypeRuntimeArray); ++level) {
      type = View<OpTypeArray>(view).element_type();
      view = module.module.find(type);
    }
    return module.facts.decorations().has(type, Decoration::BufferBlock);
  }

  void report_unresolved(const LinkSymbols& symbols) {
    std::size_t count = 0;
    std::string names;
    for (const LinkSymbols::Unresolved& each : symbols.unresolved()) {
      const LinkModule& module = modules_[each.module];
      const LinkSymbol& symbol = module.symbols[each.symbol];
      if (module.is_removed[symbol.definition.index()]) continue;  // an unneeded part of a library
      if (!options_.partial) {
        error(rule::link_unresolved, module.location_of(symbol.definition),
              fmt::format("{} is imported, but no module exports it", quoted(symbol.name)),
              count < most_names ? suggestion_for(symbol.name) : std::string());
      }
      ++count;
      if (count <= most_names) names += (count == 1 ? "" : ", ") + quoted(symbol.name);
    }
    if (count == 0 || !options_.partial) return;
    if (count > most_names) names += fmt::format(" and {} more", count - most_names);
    diagnostics_.report({.rule = rule::link_unresolved,
                         .severity = Severity::Note,
                         .message = fmt::format("{} import{} without an export remain{}: {}", count,
                                                count == 1 ? "" : "s", count == 1 ? "s" : "", names)});
  }

  [[nodiscard]] std::string suggestion_for(std::string_view name) const {
    NearestNames nearest(name);
    std::size_t offered = 0;
    for (const LinkModule& module : modules_) {
      for (const LinkSymbol& symbol : module.symbols) {
        if (symbol.is_import()) continue;
        if (++offered > most_suggestions) return {};
        nearest.offer(symbol.name);
      }
    }
    return did_you_mean(nearest.best());
  }

  // Removes the attributes of resolved and internal symbols. The last one takes the capability or the extension with it.
  // A program needs no capability, also if modules declare it for nothing, as compilers of kernels do; of a library only
  // duplicates are removed. A module without an entry point is only valid with the capability.
  void remove_linkage(const std::vector<bool>& is_library) {
    bool has_linkage = false, may_drop_linkage = !options_.library;
    bool has_once = false, had_once = false, has_entry_point = false;
    for (LinkModule& module : modules_) {
      has_entry_point |= !module.module.section(Section::EntryPoints).is_empty();
      for (const LinkSymbol& symbol : module.symbols) {
        const bool stays = symbol.is_import() || (options_.library && !is_library[module.number]);
        if (module.is_removed[symbol.definition.index()] || !stays) {
          module.is_removed[symbol.decoration.index()] = true;
          may_drop_linkage = true;
          had_once |= symbol.linkage == LinkageType::LinkOnceODR;
        } else {
          has_once |= symbol.linkage == LinkageType::LinkOnceODR;
        }
      }
      for (const DecorationRow& row : module.facts.decorations().rows()) {
        has_linkage |= row.decoration == Decoration::LinkageAttributes && !module.is_removed[row.instruction.index()];
      }
    }
    for (LinkModule& module : modules_) {
      for (const auto [index, view] : module.module.instructions(Section::Capabilities)) {
        const auto capability = as<OpCapability>(view);
        const bool is_linkage = capability && capability->capability().value == Capability::Linkage;
        if (is_linkage && may_drop_linkage && !has_linkage && has_entry_point) module.is_removed[index.index()] = true;
      }
      for (const auto [index, view] : module.module.instructions(Section::Extensions)) {
        const auto extension = as<OpExtension>(view);
        const bool is_once = extension && std::string_view(extension->name()) == "SPV_KHR_linkonce_odr";
        if (is_once && had_once && !has_once) module.is_removed[index.index()] = true;
      }
    }
  }

  std::span<const LinkInput> inputs_;
  const LinkOptions& options_;
  Diagnostics& diagnostics_;
  const Grammar& grammar_;
  std::deque<LinkModule> modules_;  // they do not move
  Version version_;
  std::optional<Reported> failure_;
};

}  // namespace

Result<WordBuffer> link(std::span<const LinkInput> inputs, const LinkOptions& options, Diagnostics& diagnostics,
                        const Grammar& grammar) {
  return Linker(inputs, options, diagnostics, grammar).run();
}

}  // namespace vireo::spirv
