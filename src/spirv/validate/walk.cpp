// SPDX-License-Identifier: Apache-2.0
//
// Every instruction once, in order, through all checks of instructions, blocks and functions.
//
// The one idea: functions depend on each other only in what is reported once per module: the first use of an id that
// nothing defines, the first need of a capability. So large modules are shared out among threads in the hope that
// nothing is wrong with them, which is the usual case. Where anything is wrong, that work is thrown away and the module
// is walked again, front to back, on one thread. So the findings are the same, whatever the number of threads.
#include "spirv/validate/walk.h"

#include <algorithm>
#include <cassert>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "spirv/binary/decode_report.h"
#include "spirv/validate/alike.h"
#include "spirv/validate/check_table.h"
#include "spirv/validate/checks.h"
#include "spirv/validate/dominance.h"
#include "spirv/validate/ext_inst_checks.h"
#include "spirv/validate/extended_sets.h"
#include "spirv/validate/ids.h"
#include "spirv/validate/requirements_check.h"
#include "spirv/validate/small_types.h"
#include "spirv/validate/stages.h"
#include "spirv/validate/structure.h"
#include "spirv/validate/type_answers.h"
#include "spirv/validate/visited_ids.h"
#include "support/parallel.h"

namespace vireo::spirv {
namespace {

// In builds with assertions, instructions that are like one that was found right are judged all the same, and have to be
// right.
#ifdef NDEBUG
constexpr bool checks_what_is_known = false;
#else
constexpr bool checks_what_is_known = true;
#endif

// What all walks of a module share.
struct Tables {
  // They are made once a module and only read afterwards, so threads need no lock for them.
  explicit Tables(const Context& context)
      : ext_typing(context),
        ext_insts(context),
        checks(context.grammar()),
        has_storage_only_types(spirv::has_storage_only_types(context)) {}

  const ExtTyping ext_typing;
  const ExtInstCheck ext_insts;
  const CheckTable checks;
  const bool has_storage_only_types;
};

// A run of functions, front to back, each instruction once; what is known of a function's control flow is read when it
// begins.
class Walk {
 public:
  // The decoder is told the size of the module too: a bound that lies (2^32 - 1) costs no memory.
  Walk(const Context& context, const Tables& tables, Report& report)
      : decoder_(context.grammar(), context.module.header().bound, context.module.words().size()),
        answers_(context),
        context_(with(context, decoder_.seen(), answers_)),
        tables_(tables),
        report_(report),
        visited_(context_.module),
        ids_(context_, visited_),
        requirements_(context_),
        dominance_(context_, visited_),
        stages_(context_),
        alike_(context_.module) {}

  /// What stands in front of the first function.
  void visit_declarations() { walk({0, declarations_end()}, FunctionIndex::none()); }
  /// For a walk of functions alone: learns from one that has visited the declarations what functions need of them.
  // They are decoded, not checked: literals of OpConstant and OpSwitch are read by types that the decoder has seen.
  void read_declarations(const Walk& other) {
    for (const InstructionView view : context_.module.views({0, declarations_end()})) decoder_.decode(view);
    visited_ = other.visited_;
  }

  /// The functions `first` … `end` - 1, each with what stands between it and the next; the last one of the module with
  /// all that is left.
  void visit_functions(std::size_t first, std::size_t end) {
    const auto functions = context_.module.functions();
    for (std::size_t i = first; i < end; ++i) {
      const FunctionRow& function = functions[i];
      enter(function);
      walk(function.all, FunctionIndex(i));
      leave(function);
      // Instructions between functions belong to none, and are looked at all the same.
      const bool is_last = i + 1 == functions.size();
      const std::uint32_t next = is_last ? context_.module.instruction_count() : functions[i + 1].all.first;
      walk({function.all.end, next}, FunctionIndex::none());
    }
  }

  /// Reports what was gathered of missing capabilities and extensions.
  void finish_requirements() { requirements_.finish(report_); }
  /// Reports what entry points lead to.
  void finish_stages() { stages_.finish(report_); }
  /// Takes over what another walk gathered of later functions.
  void take(Walk&& other) { stages_.take(std::move(other.stages_)); }

 private:
  static Context with(Context context, const SeenIds& seen, TypeAnswers& answers) {
    context.seen = &seen;
    context.answers = &answers;
    return context;
  }

  [[nodiscard]] std::uint32_t declarations_end() const {
    const auto functions = context_.module.functions();
    return functions.empty() ? context_.module.instruction_count() : functions.front().all.first;
  }

  void enter(const FunctionRow& function) {
    flow_.read(context_.module, function, PostDominators::OfLoops);
    visited_.enter(function, flow_);
    dominance_.begin(function, flow_);
    block_ = LocalBlock::none();
  }

  void leave(const FunctionRow& function) {
    // OpPhi may name what stands further down, so it waits for the end.
    dominance_.end(report_);
    if (function.is_declaration() || is_straight()) return;
    check_blocks(context_, flow_, report_);
    // Structured control flow is what Shader demands (2.11). Where a target is no block, or a block lacks its begin or
    // its end, the graph lacks edges, and all that could be said of its structure would follow from that.
    const bool is_whole =
        flow_.bad_targets().empty() && !context_.fragments.has_torn_blocks(context_.module.index_of(function));
    if (context_.is_shader() && is_whole) check_structure(context_, flow_, report_);
  }

  // Whether the function is one block that leads to no other: there is nothing to check in its control flow.
  [[nodiscard]] bool is_straight() const {
    if (flow_.block_count() != 1 || flow_.merge(LocalBlock(0)).kind != MergeRow::Kind::None) return false;
    const InstructionIndex terminator = flow_.block(LocalBlock(0)).terminator;
    if (terminator.is_none()) return true;
    const auto op = static_cast<Op>(context_.module.instruction(terminator).opcode);
    return op != Op::OpBranch && op != Op::OpBranchConditional && op != Op::OpSwitch;
  }

  void walk(InstructionRange range, FunctionIndex function) {
    const auto views = context_.module.views(range);
    for (auto it = views.begin(); it != views.end(); ++it) visit(it.index(), *it, function);
  }

  void visit(InstructionIndex index, InstructionView view, FunctionIndex function) {
    if (!function.is_none()) {
      // The next block begins here, or none does.
      const std::uint32_t next = block_.is_none() ? 0 : block_.raw + 1;
      if (next < flow_.block_count() && flow_.block(LocalBlock(next)).all.first == index.raw) block_ = LocalBlock(next);
    }
    const bool is_fragment = context_.fragments.contains(index);
    if (!decode(index, view)) return;
    // Types and results stand in front (specification 2.3). Only a loaded grammar could say that one may be absent.
    const std::uint32_t flags = decoder_.row()->flags;
    // Words of the type and the result id; 0 is the opcode's word and means there is none.
    const std::uint16_t type_word = (flags & HasResultType) != 0 ? 1 : 0;
    const std::uint16_t result_word = (flags & HasResult) != 0 ? type_word + 1 : 0;
    const auto id_at = [view](std::uint16_t word) { return word == 0 ? Word{0} : view.word(word); };
    const Visit visit{view,
                      index,
                      decoder_.operands(),
                      &decoder_.context(),
                      function,
                      id_at(type_word),
                      id_at(result_word),
                      function.is_none() ? nullptr : &flow_,
                      function.is_none() || is_fragment ? LocalBlock::none() : block_,
                      static_cast<Op>(view.opcode)};
    // Checks that look for operands of certain shapes alone are not called where the instruction has none.
    const auto has_any = [shapes = decoder_.shapes()](auto... wanted) {
      return (shapes & (OperandDecoder::bit_of(wanted) | ...)) != 0;
    };
    requirements_.run(visit, report_);
    if (has_any(OperandShape::ValueEnum, OperandShape::BitEnum)) requirements_.run_enumerants(visit, report_);
    // settle() is the short way: of nearly all instructions it can tell that nothing is wrong with their ids.
    const auto may_be = [&](VisitedIds::Unsettled what, const Operand& operand) {
      if (what == VisitedIds::Unsettled::Unknown) return ids_.may_be_unknown(visit, operand);
      return (flags & DeclaresType) != 0 || ids_.may_be_type(visit, operand);  // types are made of types
    };
    const TypingPattern* pattern = pattern_of(visit);
    const CheckTable::Row& checks = tables_.checks.of(*visit.decoded->row);
    alike_.begin(visit, basis_of(visit, pattern, checks));
    const bool is_sound = visited_.settle(visit, decoder_.seen(), alike_, may_be) || check_ids(visit);
    if (!is_sound) poison(visit.result);
    // What is no pointer cannot be loaded or stored to, and that is the same fault.
    if (is_variable(visit.op()) && !context_.types.of(visit.type).is_pointer()) {
      has_unsound_ = true;
      poisoned_.insert(visit.result);
    }
    // A result counts as passed even if its instruction is wrong: otherwise each of its uses would be reported as well.
    visited_.pass(context_, visit);
    // Of an instruction whose block lacks its begin nobody knows where it belongs.
    if (!is_sound || is_fragment) return;
    if (has_unsound_ && is_poisoned(visit)) return;
    judge_alike(visit, pattern, checks);
    if (has_any(OperandShape::IdScope, OperandShape::IdMemorySemantics)) {
      check_scopes(context_, visit, report_);
      stages_.visit_scopes(visit);
    }
    if (has_any(OperandShape::LiteralString)) check_texts(context_, visit, report_);
    if (is_extended(visit.op())) tables_.ext_insts.run(visit, report_);
    tables_.checks.run_of_each(checks, context_, visit, report_);
    if (visit.decoded->spec_row != nullptr) judge_operation(visit.operation_of());
    stages_.visit(visit);
    if (tables_.has_storage_only_types) check_storage_only_use(context_, visit, report_);
    const bool is_bad_type =
        visited_.is_type(visit.result) && (report_.is_ill_formed(index) || has_bad_part(visit.result));
    if (is_bad_type) poison(visit.result);
  }

  // The typing row of an instruction; nullptr when it has none. OpExtInstWithForwardRefsKHR is for instructions that only
  // describe, and these have none.
  [[nodiscard]] const TypingPattern* pattern_of(const Visit& visit) const {
    return visit.op() == Op::OpExtInst ? tables_.ext_typing.pattern_of(visit) : typing_of(visit);
  }

  // What the row and the checks of alike instructions rest on together.
  static RestsOn basis_of(const Visit& visit, const TypingPattern* pattern, const CheckTable::Row& checks) {
    // The operation in OpSpecConstantOp has its operands elsewhere, and few modules have many.
    if (visit.decoded->spec_row != nullptr) return RestsOn::Anything;
    if (pattern == nullptr) return checks.basis;
    return pattern->asks_for_definitions ? RestsOn::Anything : std::max(checks.basis, RestsOn::Types);
  }

  // Checks that rest on no more than an instruction has in common with others: its typing row, then those of the
  // chapters, which do not report again what the row has refused (report.h).
  void judge_alike(const Visit& visit, const TypingPattern* pattern, const CheckTable::Row& checks) {
    const bool is_known = alike_.knows();
    if (is_known && !checks_what_is_known) return;
    const std::size_t told = report_.told();
    if (pattern != nullptr) {
      const auto check = visit.op() == Op::OpExtInst ? check_ext_typing : check_typing;
      check(context_, *pattern, visit, report_);
    }
    tables_.checks.run_of_alike(checks, context_, visit, report_);
    const bool is_right = report_.told() == told;
    assert(is_right || !is_known);
    if (is_right && !is_known) alike_.learn();
  }

  // What is demanded of an instruction is demanded of it within OpSpecConstantOp, too.
  void judge_operation(const Visit& operation) {
    const CheckTable::Row& checks = tables_.checks.of(*operation.decoded->spec_row);
    tables_.checks.run_of_alike(checks, context_, operation, report_);
    tables_.checks.run_of_each(checks, context_, operation, report_);
  }

  // Whether the instruction can be looked at; reports what is wrong with its words.
  bool decode(InstructionIndex index, InstructionView view) {
    const DecodeFault fault = decoder_.decode(view);
    if (fault == DecodeFault::None) [[likely]] { return true; }
    if (follows_from_missing(fault, index, view)) {
      has_unsound_ = true;
      return false;
    }
    // What decoding reports has a form of its own, in which instructions are counted from 1.
    Diagnostics told;
    const Word id = view.word(decoder_.fault_word());
    report_decode_fault(fault, decoder_, context_.grammar(), view, index.raw + std::uint64_t{1}, told,
                        id_text(context_, id));
    for (const Diagnostic& diagnostic : told.all()) report_.add(diagnostic);
    has_unsound_ = true;
    if (fault == DecodeFault::IdDefinedTwice) report_.note({context_.module.definition(id), 0}, "defined here first");
    return is_decodable(fault);
  }

  // Whether the words cannot be read only because an id is missing: that is one fault, however many instructions need
  // the id.
  bool follows_from_missing(DecodeFault fault, InstructionIndex index, InstructionView view) {
    const std::uint16_t word = decoder_.fault_word();
    const Word id = view.word(word);
    const InstructionIndex definition = context_.module.definition(id);
    switch (fault) {
      case DecodeFault::SelectorNotInteger:
        // The missing type was reported where the selector is defined.
        if (const Word type = context_.module.type_of(id); type != 0 && context_.module.definition(type).is_none())
          return true;
        [[fallthrough]];
      case DecodeFault::TypeNotScalar: return ids_.tell_missing(id, view, {index, word}, report_);
      // That a set was not imported says more than that an id is missing, so the first use is reported as that, and no
      // other.
      case DecodeFault::SetNotImported: return definition.is_none() && !ids_.note_undefined(id);
      default: return false;
    }
  }

  // Marks a type as poisoned: it is unsound or has an unsound part. What is made of it is not judged any further.
  void poison(Word result) {
    has_unsound_ = true;
    if (result != 0 && context_.types.find(result) != nullptr) poisoned_.insert(result);
  }

  // Whether some part of a type is no type at all, which the chapter of that type has reported.
  [[nodiscard]] bool has_bad_part(Word id) const {
    const TypeRow& type = context_.types.of(id);
    if (!type.contains.has_any(TypeTrait::Unknown)) return false;
    return context_.is_no_type(type.element) ||
           std::ranges::any_of(context_.types.members(type), [&](Word member) { return context_.is_no_type(member); });
  }

  // Whether the instruction's type, or an id that it takes, is poisoned or of a poisoned type.
  bool is_poisoned(const Visit& visit) {
    const auto is_bad = [&](Word type) { return context_.is_no_type(type) || poisoned_.contains(type); };
    bool is_any = is_bad(visit.type);
    for (const Operand& operand : visit.operands) {
      if (operand.shape > OperandShape::IdMemorySemantics || operand.shape == OperandShape::IdResult) continue;
      const Word id = visit.view.word(operand.word);
      is_any |= poisoned_.contains(id) || is_bad(context_.type_id_of(id));
    }
    // A type that contains a poisoned one is poisoned, too. A pointer contains nothing of what it points to.
    const TypeRow* made = is_any && visit.result != 0 ? context_.types.find(visit.result) : nullptr;
    if (made != nullptr && made->contains.has_any(TypeTrait::Unknown)) poisoned_.insert(visit.result);
    return is_any;
  }

  // Whether checks may look at what the instruction's ids stand for; reports what is wrong with them.
  bool check_ids(const Visit& visit) {
    const bool is_sound = ids_.run(visit, report_);
    if (!visit.function.is_none()) dominance_.visit(visit, visit.block, report_);
    return is_sound;
  }

  OperandDecoder decoder_;
  TypeAnswers answers_;
  const Context context_;  // with what the decoder has seen
  const Tables& tables_;
  Report& report_;
  VisitedIds visited_;
  IdCheck ids_;
  RequirementCheck requirements_;
  DominanceCheck dominance_;
  StageCheck stages_;
  Alike alike_;
  ControlFlow flow_;
  LocalBlock block_;          // of the instruction
  IdHashSet poisoned_;        // types that are unsound, or have an unsound part; variables that are no pointers
  bool has_unsound_ = false;  // whether any instruction was unsound
};

// Divides the functions into runs of so many instructions or a few more; the last run has what is left. Gives where
// each run begins, and the end.
std::vector<std::size_t> share_out(const Module& module, std::size_t instructions_each) {
  std::vector<std::size_t> begins{0};
  std::size_t count = 0;
  for (std::size_t i = 0; i < module.functions().size(); ++i) {
    if (count >= instructions_each) {
      begins.push_back(i);
      count = 0;
    }
    count += module.functions()[i].all.size();
  }
  begins.push_back(module.functions().size());
  return begins;
}

// What one thread works with: a walk that takes run after run, always further down. Its report is only asked whether it
// is empty; the findings themselves are made by the second walk, on one thread.
struct Worker {
  Worker(const Context& context, const Tables& tables, const Severities& severities)
      : report(context.module, severities), walk(context, tables, report) {}
  Report report;
  Walk walk;
};

// Instructions that are worth a run of their own: fewer are checked in the time that a worker takes to begin, since it
// reads all declarations first.
constexpr std::size_t instructions_that_pay = 20'000;

// Walks all functions on several threads. True when nothing is wrong with them: `walk` has then taken over all that was
// gathered of them. False says only that the module has to be walked again.
bool check_many_functions(const Context& context, const Tables& tables, const Severities& severities, unsigned threads,
                          Walk& walk) {
  const std::vector<std::size_t> begins = share_out(context.module, instructions_that_pay);
  std::mutex mutex;
  std::vector<std::unique_ptr<Worker>> idle;
  bool is_clean = true;
  struct Nothing {};
  const auto work = [&](std::size_t turn) {
    // The first turn makes the call graph: the checks of the whole module ask for it anyway, when there is but one
    // thread.
    if (turn == 0) {
      static_cast<void>(context.facts.call_graph());
      return Nothing{};
    }
    const std::size_t run = turn - 1;
    // The lock guards the list of idle workers and is_clean, and is held for neither reading nor checking.
    std::unique_lock lock(mutex);
    if (!is_clean) return Nothing{};
    std::unique_ptr<Worker> worker;
    if (!idle.empty()) {
      worker = std::move(idle.back());
      idle.pop_back();
    }
    lock.unlock();
    if (worker == nullptr) {
      worker = std::make_unique<Worker>(context, tables, severities);
      worker->walk.read_declarations(walk);
    }
    worker->walk.visit_functions(begins[run], begins[run + 1]);
    worker->walk.finish_requirements();
    lock.lock();
    is_clean &= worker->report.is_empty();
    idle.push_back(std::move(worker));
    return Nothing{};
  };
  // As many turns as begins has numbers: one for each run, which is one less, and one for the call graph.
  deliver_in_order<Nothing>(begins.size(), threads, work, [](std::size_t, Nothing) {});
  // What workers noted of stages is sorted at the end (stages.cpp), so the order in which they come does not matter.
  for (const std::unique_ptr<Worker>& worker : idle) walk.take(std::move(worker->walk));
  return is_clean;
}

// Modules with misfits are not shared out: what is defined twice, or out of place, is judged by what stands in front of
// it.
bool pays_to_share(const Context& context) {
  const Module& module = context.module;
  return module.functions().size() > 1 && module.misfits().empty() &&
         module.section(Section::Functions).size() >= 2 * instructions_that_pay;
}

// Called for large modules only: asking the system would take a hundredth of the time of a small one.
unsigned thread_count(const Context& context) {
  return context.options.threads == 0 ? hardware_threads() : context.options.threads;
}

}  // namespace

void check_instructions(const Context& context, const Severities& severities, Report& report) {
  const Tables tables(context);
  if (const unsigned threads = pays_to_share(context) ? thread_count(context) : 1; threads > 1) {
    // If anything is wrong, this report is thrown away, and its findings are made again in order.
    Report hoped(context.module, severities);
    Walk walk(context, tables, hoped);
    walk.visit_declarations();
    walk.finish_requirements();
    if (hoped.is_empty() && check_many_functions(context, tables, severities, threads, walk)) {
      walk.finish_stages();
      report.take(std::move(hoped));
      return;
    }
  }
  Walk walk(context, tables, report);
  walk.visit_declarations();
  walk.visit_functions(0, context.module.functions().size());
  walk.finish_requirements();
  walk.finish_stages();
}

}  // namespace vireo::spirv
