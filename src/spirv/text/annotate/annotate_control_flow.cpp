// SPDX-License-Identifier: Apache-2.0
//
// Annotations for structured control flow (specification 2.11): the construct that a merge instruction begins, the role
// of a label in it, and the target of a branch.
//
// A label has roles (LabelPart of annotate_facts.h). Each role has one text for the label and another one for a branch
// to the label.
#include <optional>
#include <tuple>

#include "spirv/text/annotate/annotate_remark.h"
#include "vireo/spirv/binary/views/control_flow.h"

namespace vireo::spirv {
namespace {

constexpr std::size_t max_cases_shown = 6;

struct PartRow {
  LabelPart part;
  std::string_view at_label;
  std::string_view at_branch;  // empty: a branch to this role has no text of its own
};

// The rows are in the order in which the roles of a label are printed. A branch uses the first role that has a text for
// branches. Ends precede beginnings, because a label that ends one construct and begins another does so in this order.
constexpr PartRow part_rows[] = {
    {LabelPart::LoopMerge, "loop merge", "break"},
    {LabelPart::SwitchMerge, "end of switch", "end of switch"},
    {LabelPart::EndIf, "endif", "to endif"},
    {LabelPart::ContinueTarget, "continue target", "continue"},
    {LabelPart::Then, "then", ""},
    {LabelPart::Else, "else", ""},
    {LabelPart::Default, "default", "to default"},
    {LabelPart::LoopHeader, "loop header", ""},
    {LabelPart::LoopTest, "loop test", ""},
    {LabelPart::Body, "body", "body"},
};

// Adds the literals of the cases that branch to a label, as far as these cases are consecutive in their OpSwitch.
void add_cases(Remark& remark, Word label) {
  const ModuleFacts::Case first = remark.facts.first_case_of(label);
  const View<Op::OpSwitch> switch_over(first.instruction);
  const ScalarType type = remark.facts.scalar_type(remark.facts.type_of(switch_over.selector()));
  const CaseList cases(first.instruction.words().subspan(first.word), first.word,
                       type.width > 32 && type.width <= 64 ? 2 : 1);
  remark.add("case ");
  // Only consecutive cases are shown: a search for the others would read the whole switch for each label.
  std::size_t shown = 0;
  for (const CaseOperand& found : cases) {
    if (found.label != label) break;
    if (shown > 0) remark.add(", ");
    if (shown == max_cases_shown) {
      remark.add("...");
      break;
    }
    add_literal(remark, found.literal, type);
    ++shown;
  }
}

// A label can have several roles, such as the end of one selection and an arm of another.
void add_part(Remark& remark, std::string_view words) {
  if (!remark.is_empty()) remark.add(", ");
  remark.add(words);
}

void remark_on_label(Remark& remark, Word label) {
  const LabelPart parts = remark.facts.parts_of(label);
  if (has(parts, LabelPart::Case)) add_cases(remark, label);
  for (const PartRow& row : part_rows) {
    if (has(parts, row.part)) add_part(remark, row.at_label);
  }
  remark.has_news = !remark.is_empty();
}

// The text for a branch from `from` to a label; empty if it has none.
std::string_view branch_words(const Remark& remark, Word label, InstructionView from) {
  const LabelPart parts = remark.facts.parts_of(label);
  // This holds only for backward branches: a branch to the loop header from above enters the loop and needs no text.
  if (has(parts, LabelPart::LoopHeader)) {
    const InstructionView target = remark.facts.definition(label);
    if (target.word_count != 0 && target.offset < from.offset) return "loop back";
  }
  for (const PartRow& row : part_rows) {
    if (has(parts, row.part) && !row.at_branch.empty()) return row.at_branch;
  }
  return {};
}

// `if i < 4 then body else break`; `body or break` if the condition is unknown. Shows the condition as an expression,
// and the roles of the two targets, which no line shows.
void remark_on_conditional(Remark& remark, View<Op::OpBranchConditional> branch, InstructionView merge) {
  const Word yes = branch.true_label();
  const Word no = branch.false_label();
  std::string_view yes_words = branch_words(remark, yes, branch.view());
  std::string_view no_words = branch_words(remark, no, branch.view());
  if (const auto selection = as<Op::OpSelectionMerge>(merge)) {
    // In an `if` without `else` the false target is the merge block of the selection (specification 2.11). The line
    // above already shows that block, so the false target gets no text.
    if (no == selection->merge_block()) no_words = {};
    if (yes == selection->merge_block()) yes_words = "skip";
  }
  remark.add("if ");
  add_condition(remark, branch.condition());
  // The text of the condition would only be its id, which the line already shows.
  if (!remark.has_news && !yes_words.empty() && !no_words.empty()) {
    remark.drop();
    remark.add(yes_words).add(" or ").add(no_words);
  } else {
    if (!yes_words.empty()) remark.add(" then ").add(yes_words);
    if (!no_words.empty()) remark.add(" else ").add(no_words);
  }
  if (!yes_words.empty() || !no_words.empty()) remark.has_news = true;
}

// The kind of construct follows from the branch after the merge instruction (specification 2.11).
std::string_view construct_words(const Remark& remark, InstructionView merge) {
  switch (op_of(remark.facts.next(merge))) {
    case Op::OpBranchConditional: return "structured if";
    case Op::OpSwitch: return "structured switch";
    default: return {};
  }
}

}  // namespace

bool remark_on_control_flow(Remark& remark, InstructionView instruction, InstructionView merge) {
  switch (op_of(instruction)) {
    case Op::OpLabel: remark_on_label(remark, View<Op::OpLabel>(instruction).result()); return true;
    case Op::OpSelectionMerge:
      remark.add(construct_words(remark, instruction));
      remark.has_news = true;
      return true;
    case Op::OpLoopMerge:
      remark.add("structured loop");
      remark.has_news = true;
      return true;
    case Op::OpBranch: {
      // Returns true without a text: no other family annotates the branch from a header into its loop.
      if (op_of(merge) == Op::OpLoopMerge) return true;
      const Word target = View<Op::OpBranch>(instruction).target_label();
      remark.add(branch_words(remark, target, instruction));
      if (remark.is_empty() && has(remark.facts.parts_of(target), LabelPart::Case)) remark.add("fall through");
      remark.has_news = true;
      return true;
    }
    case Op::OpBranchConditional:
      remark_on_conditional(remark, View<Op::OpBranchConditional>(instruction), merge);
      return true;
    case Op::OpSwitch:
      remark.add("switch over ");
      add_condition(remark, View<Op::OpSwitch>(instruction).selector());
      return true;
    default: return false;
  }
}

}  // namespace vireo::spirv
