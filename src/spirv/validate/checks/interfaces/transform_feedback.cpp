// SPDX-License-Identifier: Apache-2.0
//
// Transform feedback: decorations that must be equal for all objects captured into one buffer (specification 2.16.1).
//
// XfbBuffer gives the buffer of an object (a variable or a member). A buffer has no declaration, so each
// object is compared with the first object of the same buffer. The time is near-linear in the decorations.
#include <map>

#include "spirv/validate/analysis/decoration_places.h"
#include "spirv/validate/checks/checks.h"

namespace vireo::spirv {
namespace {

// The stride of a buffer, and the stream that is captured into it.
constexpr Decoration agreed[] = {Decoration::XfbStride, Decoration::Stream};

}  // namespace

void check_transform_feedback(const ModuleCheck& c) {
  const Decorations& decorations = c.decorations;
  // The first row for each buffer and decoration.
  std::map<std::pair<Word, Decoration>, const DecorationRow*> first;
  for (const DecorationRow& buffer : decorations.rows()) {
    if (buffer.decoration != Decoration::XfbBuffer) continue;
    const Word number = decorations.operand_or(buffer, 0);
    for (const Decoration decoration : agreed) {
      const DecorationRow* row = decorations.find(buffer.target, buffer.member, decoration);
      if (row == nullptr) continue;
      const auto [place, is_new] = first.try_emplace({number, decoration}, row);
      const DecorationRow& before = *place->second;
      if (is_new || decorations.operand_or(*row, 0) == decorations.operand_or(before, 0)) continue;
      c.report(Rule::TransformFeedbackAgreement, parameter_place(*row),
               {target_text(c, *row), decoration, decorations.operand_or(*row, 0), target_text(c, before), number,
                decorations.operand_or(before, 0)});
      c.vuid(decoration == Decoration::XfbStride ? 4693 : 4694);
      c.note(parameter_place(before), "applied here");
    }
  }
}

}  // namespace vireo::spirv
