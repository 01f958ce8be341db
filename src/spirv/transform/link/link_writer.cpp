// SPDX-License-Identifier: Apache-2.0
//
// Writes the linked module (link_writer.h).
//
// The sections of the result are those of the modules, one after the other. Words are copied, and the
// words that are ids are replaced: an id gets a number when it first occurs, equal declarations share one.
//
// Source: specification 2.3 (physical layout), 2.4 (logical layout).
#include "spirv/transform/link/link_writer.h"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "spirv/grammar/opcode_families.h"
#include "spirv/module/declaration_order.h"
#include "spirv/module/word_interner.h"
#include "spirv/transform/rewrite.h"
#include "vireo/spirv/binary/views/annotation.h"
#include "vireo/spirv/binary/views/extension.h"
#include "vireo/spirv/binary/views/function.h"
#include "vireo/spirv/binary/views/mode_setting.h"
#include "vireo/spirv/binary/views/type_declaration.h"

namespace vireo::spirv {
namespace {

using enum Op;

class LinkWriter {
 public:
  LinkWriter(std::deque<LinkModule>& modules, std::size_t class_count, Version version)
      : modules_(modules),
        version_(version),
        is_taken_(class_count, false),
        is_declared_(class_count, false),
        class_ids_(class_count, 0) {}

  WordBuffer run() {
    std::size_t words = 0;
    for (LinkModule& module : modules_) {
      mark_duplicates(module);
      mark_groups(module);
      // An id beyond the number of words is rare, so it has no place in the array.
      const std::size_t bound = std::min<std::size_t>(module.module.defined_bound(), module.module.words().size());
      ids_.push_back({std::vector<Word>(bound), {}});
      words += module.module.words().size();
    }
    out_.reserve(words);
    const Header& first = modules_.front().module.header();
    out_ = {magic_number, version_.to_word(), first.generator, 0, first.schema};
    write_unique(Section::Capabilities);
    write_unique(Section::Extensions);
    write_section(Section::Imports);
    append_range(modules_.front(), modules_.front().section(Section::MemoryModel));
    for_each_in(Section::EntryPoints, [&](LinkModule& m, InstructionView view) { append_entry_point(m, view); });
    write_section(Section::ExecutionModes);
    write_section(Section::Sources);
    write_names();
    write_section(Section::ModuleProcessed);
    write_annotations();
    write_globals();
    write_functions(true);
    write_functions(false);
    for (LinkModule& module : modules_) append_range(module, module.module.section(Section::Graphs));
    out_[3] = next_id_;
    return std::move(out_);
  }

 private:
  // --- marks ---

  // Of equal declarations the first one remains.
  void mark_duplicates(LinkModule& module) {
    for (std::size_t i = 0; i < module.classes.size(); ++i) {
      const ClassNumber number = module.classes[i];
      if (number == no_class || module.is_removed[i]) continue;
      if (is_taken_[number]) module.is_removed[i] = true;
      is_taken_[number] = true;
    }
  }

  [[nodiscard]] static bool is_removed_id(const LinkModule& module, Word id) {
    const InstructionIndex definition = module.module.definition(id);
    return !definition.is_none() && module.is_removed[definition.index()];
  }

  // A group remains if it has a target that remains, or no target.
  static void mark_groups(LinkModule& module) {
    if (!module.module.has(OpDecorationGroup)) return;
    SparseTable<bool> is_used;  // by id of the group
    for (const auto [index, view] : module.module.instructions(Section::Annotations)) {
      if (const auto group = as<OpGroupDecorate>(view)) {
        bool& used = is_used[group->decoration_group()];
        for (const Word target : group->targets()) used |= !is_removed_id(module, target);
      } else if (const auto members = as<OpGroupMemberDecorate>(view)) {
        bool& used = is_used[members->decoration_group()];
        for (const MemberOperand target : members->targets()) used |= !is_removed_id(module, target.type);
      }
    }
    for (const auto& [group, used] : is_used) {
      const InstructionIndex definition = module.module.definition(group);
      if (!used && !definition.is_none()) module.is_removed[definition.index()] = true;
    }
  }

  // --- ids ---

  struct ModuleIds {
    std::vector<Word> near;
    SparseTable<Word> far;
  };

  Word new_id(const LinkModule& module, Word id) {
    ModuleIds& ids = ids_[module.number];
    if (id < ids.near.size()) [[likely]] {
      if (ids.near[id] == 0) ids.near[id] = find_id(module, id);
      return ids.near[id];
    }
    if (const auto found = ids.far.find(id); found != ids.far.end()) return found->second;
    const Word result = find_id(module, id);
    ids.far.emplace(id, result);
    return result;
  }

  Word find_id(const LinkModule& module, Word id) {
    const InstructionIndex definition = module.module.definition(id);
    if (definition.is_none()) return next_id_++;
    if (const auto found = module.replaced.find(definition.raw); found != module.replaced.end()) {
      const LinkModule& other = modules_[found->second.module];
      return new_id(other, other.module.result_of(other.module.instruction(found->second.instruction)));
    }
    const ClassNumber number = module.class_of(definition);
    if (number == no_class) return next_id_++;
    if (class_ids_[number] == 0) class_ids_[number] = next_id_++;
    return class_ids_[number];
  }

  // --- instructions ---

  template <typename Take>
  void for_each_in(Section section, Take&& take) {
    for (LinkModule& module : modules_) {
      for (const auto [index, view] : module.module.instructions(module.section(section))) {
        if (!module.is_removed[index.index()]) take(module, view);
      }
    }
  }

  void append(const LinkModule& module, InstructionView view) {
    const std::size_t begin = out_.size();
    out_.insert(out_.end(), view.words().begin(), view.words().end());
    module.for_each_id(view, [&](std::uint16_t word) { out_[begin + word] = new_id(module, view.word(word)); });
  }

  // The first `count` words of an instruction, with the word count of the instruction that begins at `begin`.
  void append_part(const LinkModule& module, InstructionView view, std::size_t count) {
    const std::size_t begin = out_.size();
    const Words part = view.words().first(std::min<std::size_t>(count, view.word_count));
    out_.insert(out_.end(), part.begin(), part.end());
    module.for_each_id(view, [&](std::uint16_t word) {
      if (word < part.size()) out_[begin + word] = new_id(module, view.word(word));
    });
  }
  void end_instruction(std::size_t begin) { out_[begin] = first_word(out_.size() - begin, opcode_of(out_[begin])); }

  void append_range(const LinkModule& module, InstructionRange range) {
    for (const InstructionView view : module.module.views(range)) append(module, view);
  }

  void write_section(Section section) {
    for_each_in(section, [&](const LinkModule& module, InstructionView view) { append(module, view); });
  }

  // Instructions without a result that need not occur twice.
  class Unique {
   public:
    explicit Unique(WordBuffer& out) : out_(out) {}
    /// Removes the instruction that begins at `begin`, the last one, if it was written before.
    void end(std::size_t begin) {
      if (seen_.intern(Words(out_).subspan(begin)) == count_) ++count_;
      else out_.resize(begin);
    }

   private:
    WordBuffer& out_;
    WordInterner seen_;
    std::uint32_t count_ = 0;
  };

  void write_unique(Section section) {
    Unique unique(out_);
    for_each_in(section, [&](const LinkModule& module, InstructionView view) {
      const std::size_t begin = out_.size();
      append(module, view);
      unique.end(begin);
    });
  }

  // Variables that became one are listed once.
  void append_entry_point(const LinkModule& module, InstructionView view) {
    if (const auto entry = as<OpEntryPoint>(view)) {
      append_entry_point(module, view, entry->interfaces().word(), entry->interfaces().words());
    } else if (const auto conditional = as<OpConditionalEntryPointINTEL>(view)) {
      append_entry_point(module, view, conditional->interfaces().word(), conditional->interfaces().words());
    } else {
      append(module, view);
    }
  }
  void append_entry_point(const LinkModule& module, InstructionView view, std::size_t interface_word, Words interface) {
    const std::size_t begin = out_.size();
    append_part(module, view, interface_word);
    const std::size_t first = out_.size();
    WordInterner seen;
    for (const Word id : interface) {
      const Word variable[] = {new_id(module, id)};
      if (seen.intern(variable) == out_.size() - first) out_.push_back(variable[0]);
    }
    end_instruction(begin);
  }

  void write_names() {
    Unique unique(out_);
    for_each_in(Section::Names, [&](const LinkModule& module, InstructionView view) {
      if (is_removed_id(module, AnnotationOperands(view).target())) return;
      const std::size_t begin = out_.size();
      append(module, view);
      unique.end(begin);
    });
  }

  // The alias declarations of all modules precede the annotations of all modules.
  void write_annotations() {
    Unique unique(out_);
    for_each_in(Section::Annotations, [&](const LinkModule& module, InstructionView view) {
      if (is_alias_declaration(view.opcode)) append(module, view);
    });
    for_each_in(Section::Annotations, [&](const LinkModule& module, InstructionView view) {
      if (is_alias_declaration(view.opcode) || is_removed_id(module, AnnotationOperands(view).target())) return;
      const bool is_group = view.opcode == OpGroupDecorate, has_members = view.opcode == OpGroupMemberDecorate;
      const std::size_t begin = out_.size();
      if (!is_group && !has_members) {
        append(module, view);
        return unique.end(begin);
      }
      append_part(module, view, 2);
      for (std::size_t word = 2; word < view.word_count; word += is_group ? 1 : 2) {
        if (is_removed_id(module, view.word(word))) continue;
        out_.push_back(new_id(module, view.word(word)));
        if (has_members) out_.push_back(view.word(word + 1));
      }
      if (out_.size() - begin == 2) return out_.resize(begin);
      end_instruction(begin);
      unique.end(begin);
    });
  }

  // --- line information ---

  // Outside of blocks line information is written where it changes: it must not apply to what follows from another
  // module, or in another order.
  static void follow_line(InstructionView view, InstructionView& line) {
    if (is_line(view.opcode)) line = view.opcode == OpLine ? view : InstructionView();
  }
  void write_line(const LinkModule& module, InstructionView line) {
    if (line.first == written_line_) return;
    written_line_ = line.first;
    if (line.word_count != 0) append(module, line);
    else out_.push_back(first_word(1, OpNoLine));
  }

  // The constants of a workgroup size precede the types of all modules that depend on it (declaration_order.h). So they
  // come first, with their operands.
  void find_first_globals() {
    const auto has_types = [](const LinkModule& module) { return !types_after_workgroup_size(module.module).empty(); };
    if (modules_.size() == 1 || std::ranges::none_of(modules_, has_types)) return;
    std::vector<LinkPlace> open;  // their operands are not yet followed
    for (const LinkModule& module : modules_) {
      is_first_.emplace_back(module.module.instruction_count());
      for (const WorkgroupSizeConstant& constant :
           workgroup_size_constants(module.module, module.facts.module_declarations(), module.facts.decorations())) {
        open.push_back({module.number, module.module.definition(constant.id)});
      }
    }
    SparseTable<LinkPlace> written;  // by class: the declaration of it that is written
    for (const LinkModule& module : modules_) {
      for (std::size_t i = 0; i < module.classes.size(); ++i) {
        if (module.classes[i] != no_class && !module.is_removed[i])
          written.try_emplace(module.classes[i], LinkPlace{module.number, InstructionIndex(i)});
      }
    }
    while (!open.empty()) {
      LinkPlace place = open.back();
      open.pop_back();
      if (place.instruction.is_none()) continue;
      if (const ClassNumber number = modules_[place.module].class_of(place.instruction); number != no_class) {
        if (const auto found = written.find(number); found != written.end()) place = found->second;
      }
      const LinkModule& module = modules_[place.module];
      if (!module.section(Section::Globals).contains(place.instruction)) continue;
      if (is_first_[place.module][place.instruction.index()]) continue;
      is_first_[place.module][place.instruction.index()] = true;
      const InstructionView view = module.module.instruction(place.instruction);
      module.for_each_id(view, [&](std::uint16_t word) {
        open.push_back({place.module, module.module.definition(view.word(word))});
      });
    }
    for (const LinkModule& module : modules_) write_globals(module, true);
  }

  void write_globals() {
    find_first_globals();
    for (const LinkModule& module : modules_) lines_.push_back(write_globals(module, false));
  }

  // Writes the globals that come first, or all others. Returns the line that is in effect after them in the module.
  InstructionView write_globals(const LinkModule& module, bool are_first) {
    InstructionView line;
    for (const auto [index, view] : module.module.instructions(module.section(Section::Globals))) {
      follow_line(view, line);
      if (is_line(view.opcode) || module.is_removed[index.index()]) continue;
      const bool is_first = !is_first_.empty() && is_first_[module.number][index.index()];
      if (is_first != are_first || !needs_declaration(module, view)) continue;
      write_line(module, line);
      append(module, view);
    }
    return line;
  }
  // An OpTypeForwardPointer is written before the pointer type that all equal ones became.
  bool needs_declaration(const LinkModule& module, InstructionView view) {
    if (view.opcode != OpTypeForwardPointer) {
      const InstructionIndex definition = module.module.definition(module.module.result_of(view));
      const ClassNumber number = definition.is_none() ? no_class : module.class_of(definition);
      if (number != no_class) is_declared_[number] = true;
      return true;
    }
    const InstructionIndex pointer = module.module.definition(View<OpTypeForwardPointer>(view).pointer_type());
    const ClassNumber number = pointer.is_none() ? no_class : module.class_of(pointer);
    if (number == no_class) return true;
    const bool is_needed = is_taken_[number] && !is_declared_[number];
    is_declared_[number] = true;
    return is_needed;
  }

  // --- functions ---

  void write_functions(bool declarations) {
    for (const LinkModule& module : modules_) {
      const InstructionRange section = module.section(Section::Functions);
      InstructionView line = lines_[module.number];
      std::uint32_t next = section.first;
      for (const FunctionRow& function : module.module.functions()) {
        const bool is_written = function.is_declaration() == declarations;
        for (const InstructionView view : module.module.views({next, function.all.first})) follow_line(view, line);
        if (is_written) write_non_semantic(module, {next, function.all.first});
        if (is_written && !module.is_removed[function.all.first]) {
          write_line(module, line);
          write_function(module, function.all);
        }
        // The end of a block ends line information.
        if (!function.is_declaration()) line = {};
        else
          for (const InstructionView view : module.module.views(function.all)) follow_line(view, line);
        if (is_written && !module.is_removed[function.all.first]) written_line_ = line.first;
        next = function.all.end;
      }
      if (!declarations) write_non_semantic(module, {next, section.end});
    }
  }

  // Instructions between functions.
  void write_non_semantic(const LinkModule& module, InstructionRange range) {
    for (const auto [index, view] : module.module.instructions(range)) {
      if (!is_line(view.opcode) && !module.is_removed[index.index()]) append(module, view);
    }
  }

  void write_function(const LinkModule& module, InstructionRange range) {
    if (module.casts.empty()) return append_words(module, range);
    for (const InstructionView view : module.module.views(range)) append_call(module, view);
  }

  // A range of instructions, copied at once.
  void append_words(const LinkModule& module, InstructionRange range) {
    if (range.is_empty()) return;
    const std::size_t first = module.module.instruction(InstructionIndex(range.first)).offset;
    const InstructionView last = module.module.instruction(InstructionIndex(range.end - 1));
    const std::size_t end = std::size_t{last.offset} + last.word_count;
    const Words words = module.module.words().subspan(first, end - first);
    const std::size_t begin = out_.size();
    out_.insert(out_.end(), words.begin(), words.end());
    module.for_each_id(first, end, [&](std::size_t at) {
      Word& word = out_[begin + at - first];
      word = new_id(module, word);
    });
  }

  // Converts the pointers of a call to the types of the parameters (LinkOptions::allow_pointer_mismatch).
  void append_call(const LinkModule& module, InstructionView view) {
    const View<OpFunctionCall> call(view);
    const auto cast = view.opcode == OpFunctionCall ? module.casts.find(call.function()) : module.casts.end();
    if (cast == module.casts.end()) return append(module, view);
    const LinkPlace place = module.replaced.at(cast->second.raw);
    const LinkModule& other = modules_[place.module];
    const auto parameters_of = [](const LinkModule& link, InstructionIndex function) {
      const Word type = View<OpFunction>(link.module.instruction(function)).function_type();
      return View<OpTypeFunction>(link.module.find(type)).parameter_types();
    };
    const auto from = parameters_of(module, cast->second), to = parameters_of(other, place.instruction);
    const auto arguments = call.arguments();
    WordBuffer converted;  // by argument; 0: it is passed as it is
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      converted.push_back(0);
      if (i >= from.size() || i >= to.size() || new_id(module, from[i]) == new_id(other, to[i])) continue;
      converted.back() = next_id_++;
      for (const Word word : {first_word(4, OpBitcast), new_id(other, to[i]), converted.back()}) out_.push_back(word);
      out_.push_back(new_id(module, arguments[i]));
    }
    append_part(module, view, arguments.word());
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      out_.push_back(converted[i] != 0 ? converted[i] : new_id(module, arguments[i]));
    }
  }

  std::deque<LinkModule>& modules_;
  const Version version_;
  std::vector<std::vector<bool>> is_first_;  // by module and instruction: globals before all others; often empty
  std::vector<bool> is_taken_;               // by class: a declaration of it is written
  std::vector<bool> is_declared_;            // by class: it was written, or an OpTypeForwardPointer for it
  std::vector<Word> class_ids_;              // by class; 0: no id yet
  std::vector<ModuleIds> ids_;               // by module
  Word next_id_ = 1;
  std::vector<InstructionView> lines_;  // by module: the OpLine in effect after its globals
  const Word* written_line_ = nullptr;  // the OpLine in effect in the result, outside of blocks
  WordBuffer out_;
};

}  // namespace

WordBuffer write_linked(std::deque<LinkModule>& modules, std::size_t class_count, Version version) {
  return LinkWriter(modules, class_count, version).run();
}

}  // namespace vireo::spirv
