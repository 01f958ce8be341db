// SPDX-License-Identifier: Apache-2.0
//
// One instruction after the other, through all checks; many functions at once where that pays.
//
// The one idea: functions know nothing of each other but for what is told once in a module: the first use of an id that
// nothing defines, the first need of a capability. So functions are shared out among threads in the hope that nothing is
// wrong with them, which is the usual case; where anything is, the module is walked again, front to back, on one thread.
// Whatever the number of threads, the findings are the same.
#include "spirv/validate/walk.h"

#include <algorithm>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "spirv/binary/decode_report.h"
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

// The chapters of specification 3.42 whose instructions have checks beside their typing rows.
// Functions, since the tables are other files' and not known when this one is compiled.
constexpr std::span<const Check> (*chapter_tables[])() = {
    type_checks,
    constant_checks,
    composite_checks,
    arithmetic_checks,
    dot_product_checks,
    conversion_checks,
    function_checks,
    variable_checks,
    memory_checks,
    access_chain_checks,
    logical_pointer_checks,
    descriptor_heap_checks,
    cooperative_checks,
    cooperative_array_checks,
    cooperative_tensor_checks,
    float_format_checks,
    control_flow_checks,
    annotation_checks,
    mode_checks,
    group_checks,
    pipe_checks,
    shader_checks,
    image_type_checks,
    image_access_checks,
    image_query_checks,
    image_processing_checks,
    tensor_checks,
    graph_checks,
    import_checks,
    miscellaneous_checks,
    limit_checks,
};

// Checks by opcode: the chapters' tables, gathered by row of the grammar, each opcode's checks as neighbours.
class CheckTable {
 public:
  // Counts stand a place behind their row and become begins, which move along while the checks are placed: so each module
  // pays for two looks at some six hundred checks, and no more.
  explicit CheckTable(const Grammar& grammar) : grammar_(grammar), begins_(grammar.instructions.size() + 2) {
    std::size_t count = 0;
    for (const auto chapter : chapter_tables) {
      for (const Check& check : chapter()) {
        if (const std::size_t row = row_of(check); row != none) ++begins_[row + 2], ++count;
      }
    }
    for (std::size_t i = 3; i < begins_.size(); ++i)
      begins_[i] = static_cast<std::uint16_t>(begins_[i] + begins_[i - 1]);
    checks_.resize(count);
    for (const auto chapter : chapter_tables) {
      for (const Check& check : chapter()) {
        if (const std::size_t row = row_of(check); row != none) checks_[begins_[row + 1]++] = &check;
      }
    }
  }

  void run(const Context& context, const Visit& visit, Report& report) const {
    run(*visit.decoded->row, context, visit, report);
    // What holds for an instruction holds for it within OpSpecConstantOp.
    if (const InstructionRow* row = visit.decoded->spec_row) run(*row, context, visit.operation_of(), report);
  }

 private:
  void run(const InstructionRow& instruction, const Context& context, const Visit& visit, Report& report) const {
    const std::size_t row = &instruction - grammar_.instructions.data();
    for (std::size_t i = begins_[row]; i < begins_[row + 1]; ++i) checks_[i]->run(context, visit, report);
  }

  static constexpr std::size_t none = ~std::size_t{0};
  [[nodiscard]] std::size_t row_of(const Check& check) const {
    const InstructionRow* row = grammar_.find_opcode(static_cast<std::uint32_t>(check.opcode));
    return row == nullptr ? none : static_cast<std::size_t>(row - grammar_.instructions.data());
  }

  const Grammar& grammar_;
  std::vector<std::uint16_t> begins_;  // by row of the grammar
  std::vector<const Check*> checks_;
};

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
        typing_(context_) {}

  /// What stands in front of the first function.
  void visit_declarations() { walk({0, declarations_end()}, FunctionIndex::none()); }
  /// The same when another walk has visited it: what functions need to know of it.
  // Decoded, not checked: literals of OpConstant and OpSwitch are read by types that the decoder has seen.
  void read_declarations(const Walk& other) {
    for (const InstructionView view : context_.module.views({0, declarations_end()})) decoder_.decode(view);
    visited_ = other.visited_;
  }

  /// The functions from `first` on, up to `end`, with what stands between them; behind the last one all that is left.
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
    // Structured control flow is what Shader demands (2.11). With a target that is no block the graph lacks an edge,
    // and what is said of structure would follow from that.
    // The same holds where the begin or the end of a block is missing.
    const bool is_whole =
        flow_.bad_targets().empty() && !context_.fragments.has_torn_blocks(context_.module.index_of(function));
    if (context_.is_shader() && is_whole) check_structure(context_, flow_, report_);
  }

  // Whether the function is one block that leads to no other: of those there is nothing to say.
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
                      function.is_none() || is_fragment ? LocalBlock::none() : block_};
    // Most instructions have no operands of some shapes; who looks for those alone is not asked.
    const auto has_any = [shapes = decoder_.shapes()](auto... wanted) {
      return (shapes & (OperandDecoder::bit_of(wanted) | ...)) != 0;
    };
    requirements_.run(visit, report_);
    if (has_any(OperandShape::ValueEnum, OperandShape::BitEnum)) requirements_.run_enumerants(visit, report_);
    // settle() is the short way: it knows of nearly all instructions that there is nothing to find.
    const auto may_be_type = [&](const Operand& operand) { return ids_.may_be_type(visit, operand); };
    const bool is_sound = visited_.settle(visit, may_be_type) || check_ids(visit);
    if (!is_sound) poison(visit.result);
    // A result counts as passed even if the instruction is wrong, or each of its uses would be told as well.
    visited_.pass(context_, visit);
    // Of what lacks its begin nobody knows where it stands.
    if (!is_sound || is_fragment) return;
    if (has_unsound_ && is_poisoned(visit)) return;
    typing_.run(visit, report_);
    if (has_any(OperandShape::IdScope, OperandShape::IdMemorySemantics)) {
      check_scopes(context_, visit, report_);
      stages_.visit_scopes(visit);
    }
    if (has_any(OperandShape::LiteralString)) check_texts(context_, visit, report_);
    // OpExtInstWithForwardRefsKHR is for what only describes, which has no typing rows.
    if (is_extended(visit.op())) {
      const TypingPattern* pattern = visit.op() == Op::OpExtInst ? tables_.ext_typing.pattern_of(visit) : nullptr;
      if (pattern != nullptr) typing_.run_extended(*pattern, visit, report_);
      tables_.ext_insts.run(visit, report_);
    }
    // Chapters come behind the typing rows: what a row has refused they do not tell again (report.h).
    tables_.checks.run(context_, visit, report_);
    stages_.visit(visit);
    if (tables_.has_storage_only_types) check_storage_only_use(context_, visit, report_);
    if (visited_.is_type(visit.result) && has_bad_part(visit.result)) poison(visit.result);
  }

  // Whether the instruction can be looked at; reports what is wrong with its words.
  bool decode(InstructionIndex index, InstructionView view) {
    const DecodeFault fault = decoder_.decode(view);
    if (fault == DecodeFault::None) [[likely]] { return true; }
    if (follows_from_missing(fault, index, view)) {
      has_unsound_ = true;
      return false;
    }
    // The reader of modules reports in a form of its own; instructions are counted from 1 there.
    Diagnostics told;
    const Word id = view.word(decoder_.fault_word());
    report_decode_fault(fault, decoder_, context_.grammar(), view, index.raw + std::uint64_t{1}, told,
                        id_text(context_, id));
    for (const Diagnostic& diagnostic : told.all()) report_.add(diagnostic);
    has_unsound_ = true;
    if (fault == DecodeFault::IdDefinedTwice) report_.note({context_.module.definition(id), 0}, "defined here first");
    return is_decodable(fault);
  }

  // Whether words cannot be read for an id alone that is missing: that is one fault, however many instructions need it.
  bool follows_from_missing(DecodeFault fault, InstructionIndex index, InstructionView view) {
    const std::uint16_t word = decoder_.fault_word();
    const Word id = view.word(word);
    const InstructionIndex definition = context_.module.definition(id);
    switch (fault) {
      case DecodeFault::SelectorNotInteger:
        // Whatever gives the selector has told of its type.
        if (const Word type = context_.module.type_of(id); type != 0 && context_.module.definition(type).is_none())
          return true;
        [[fallthrough]];
      case DecodeFault::TypeNotScalar: return ids_.tell_missing(id, view, {index, word}, report_);
      // Which set it is cannot be seen from the id, so the first one is told as what it is.
      case DecodeFault::SetNotImported: return definition.is_none() && !ids_.is_first_undefined(id);
      default: return false;
    }
  }

  // What is made of an unsound type is not told again: types with such a part, and all that gives or takes their values.
  void poison(Word result) {
    has_unsound_ = true;
    if (result != 0 && context_.types.find(result) != nullptr) poisoned_.insert(result);
  }

  // Whether some part of a type is none: its chapter has told that.
  [[nodiscard]] bool has_bad_part(Word id) const {
    const TypeRow& type = context_.types.of(id);
    if (!type.contains.has_any(TypeTrait::Unknown)) return false;
    return context_.is_no_type(type.element) ||
           std::ranges::any_of(context_.types.members(type), [&](Word member) { return context_.is_no_type(member); });
  }

  bool is_poisoned(const Visit& visit) {
    const auto is_bad = [&](Word type) { return context_.is_no_type(type) || poisoned_.contains(type); };
    bool is_any = is_bad(visit.type);
    for (const Operand& operand : visit.operands) {
      if (operand.shape > OperandShape::IdMemorySemantics || operand.shape == OperandShape::IdResult) continue;
      const Word id = visit.view.word(operand.word);
      is_any |= poisoned_.contains(id) || is_bad(context_.type_id_of(id));
    }
    // A pointer to a type holds nothing of it.
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
  Typing typing_;
  ControlFlow flow_;
  LocalBlock block_;          // of the instruction
  IdHashSet poisoned_;        // types that are unsound, or have an unsound part
  bool has_unsound_ = false;  // whether any instruction was unsound
};

// Neighbouring functions of some size, so that a thread has something to do; the last run has what is left.
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

// A walk of its own for each thread: it goes from run to run, each further behind than the one before.
// Its report is asked for one thing only: whether it is empty. What is wrong is told by the walk on one thread.
struct Worker {
  Worker(const Context& context, const Tables& tables, const Severities& severities)
      : report(context.module, severities), walk(context, tables, report) {}
  Report report;
  Walk walk;
};

// Fewer instructions than these are checked in the time that it takes to begin.
// A worker reads all declarations before its first function.
constexpr std::size_t instructions_that_pay = 20'000;

// Whether several threads found nothing: then `walk` has gathered all that is gathered. Otherwise nothing can be said.
bool check_many_functions(const Context& context, const Tables& tables, const Severities& severities, unsigned threads,
                          Walk& walk) {
  const std::vector<std::size_t> begins = share_out(context.module, instructions_that_pay);
  std::mutex mutex;
  std::vector<std::unique_ptr<Worker>> idle;
  bool is_clean = true;
  struct Nothing {};
  const auto work = [&](std::size_t turn) {
    // Meanwhile one thread works out who calls whom: the checks of the whole module, on one thread, ask for it anyway.
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
  // begins has a number more than there are runs, and the call graph is a turn more: so the counts agree.
  deliver_in_order<Nothing>(begins.size(), threads, work, [](std::size_t, Nothing) {});
  // What workers noted of stages is sorted at the end (stages.cpp), so the order in which they come does not matter.
  for (const std::unique_ptr<Worker>& worker : idle) walk.take(std::move(worker->walk));
  return is_clean;
}

// What is defined twice, or stands where it should not, is judged by what stands in front of it.
bool pays_to_share(const Context& context) {
  const Module& module = context.module;
  return module.functions().size() > 1 && module.misfits().empty() &&
         module.section(Section::Functions).size() >= 2 * instructions_that_pay;
}

// Asked for where it pays: of a small module it would be a hundredth of the time.
unsigned thread_count(const Context& context) {
  return context.options.threads == 0 ? hardware_threads() : context.options.threads;
}

}  // namespace

void check_instructions(const Context& context, const Severities& severities, Report& report) {
  const Tables tables(context);
  if (const unsigned threads = pays_to_share(context) ? thread_count(context) : 1; threads > 1) {
    // What was found in vain is thrown away with this report, and found again in order.
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
