// SPDX-License-Identifier: Apache-2.0
//
// Words for the uniformity of instructions (uniformity_marks.h).
#include "vireo/spirv/inspect/uniformity_marks.h"

#include "vireo/spirv/binary/views/control_flow.h"
#include "vireo/spirv/module/facts.h"
#include "vireo/spirv/module/module.h"
#include "vireo/spirv/module/uniformity.h"

namespace vireo::spirv {
namespace {

std::string_view mark_of(Divergence divergence) {
  if (divergence.is_uniform(UniformityScope::Group)) return {};
  if (divergence.is_uniform(UniformityScope::Subgroup)) return "subgroup-uniform";
  if (divergence.is_uniform(UniformityScope::Primitive)) return "primitive-uniform";
  if (divergence.is_uniform(UniformityScope::Quad)) return "quad-uniform";
  return divergence.is_certain(UniformityScope::Group) ? "divergent" : "divergent?";
}

std::string_view mark_of_block(Divergence divergence) {
  if (divergence.is_uniform(UniformityScope::Group)) return {};
  if (divergence.is_uniform(UniformityScope::Subgroup)) return "in subgroup-uniform control flow";
  if (divergence.is_uniform(UniformityScope::Primitive)) return "in primitive-uniform control flow";
  if (divergence.is_uniform(UniformityScope::Quad)) return "in quad-uniform control flow";
  return divergence.is_certain(UniformityScope::Group) ? "in divergent control flow" : "in divergent? control flow";
}

}  // namespace

struct UniformityMarks::Made {
  Made(Words words, const Grammar& grammar)
      : module(Module::read(words, grammar)), facts(module), uniformity(Uniformity::read(module, facts)) {}

  Module module;
  Facts facts;
  Uniformity uniformity;
};

UniformityMarks::UniformityMarks(Words words, const Grammar* grammar)
    : made_(new Made(words, grammar == nullptr ? builtin_grammar() : *grammar)) {}

UniformityMarks::~UniformityMarks() = default;

std::string_view UniformityMarks::at(std::uint32_t offset) const {
  const Module& module = made_->module;
  const InstructionIndex i = module.at_word(offset);
  if (i.is_none()) return {};
  const InstructionView view = module.instruction(i);
  switch (view.opcode) {
    case Op::OpLabel: {
      const BlockIndex block = module.block_at(i);
      return block.is_none() ? std::string_view() : mark_of_block(made_->uniformity.of(block));
    }
    case Op::OpBranchConditional:
      return mark_of(made_->uniformity.of(module.definition(View<Op::OpBranchConditional>(view).condition())));
    case Op::OpSwitch: return mark_of(made_->uniformity.of(module.definition(View<Op::OpSwitch>(view).selector())));
    default: return mark_of(made_->uniformity.of(i));
  }
}

}  // namespace vireo::spirv
