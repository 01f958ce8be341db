// SPDX-License-Identifier: Apache-2.0
//
// QCOM image processing: types of operands. Textures and samplers must be loaded from decorated variables and have no
// other uses (SPV_QCOM_image_processing, SPV_QCOM_image_processing2).
//
// The one idea: a table lists the operands, and the decoration that each requires on its variable. Two checks use it:
// from the instruction back to the variable, and from the load forward to its uses. Types depend on operand names only.
#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>

#include "spirv/validate/analysis/pointers.h"
#include "spirv/validate/checks/images/images.h"
#include "spirv/validate/engine/checks.h"
#include "spirv/validate/engine/fixes.h"
#include "spirv/validate/engine/type_error_reporter.h"
#include "vireo/spirv/views/image.h"
#include "vireo/spirv/views/memory.h"

namespace vireo::spirv {
namespace {

using enum Op;

struct TextureOperand {
  Op opcode;
  OperandName name;
  Decoration texture;
  bool has_sampler;  ///< the sampler needs BlockMatchSamplerQCOM
};
constexpr Decoration block = Decoration::BlockMatchTextureQCOM;
constexpr auto target = OperandName::target, reference = OperandName::reference;
// Operand names of instructions that take sampled images.
constexpr auto sampled_target = OperandName::target_sampled_image;
constexpr auto sampled_reference = OperandName::reference_sampled_image;
constexpr TextureOperand operands[] = {
    {OpImageSampleWeightedQCOM, OperandName::weights, Decoration::WeightTextureQCOM, false},
    {OpImageBlockMatchSSDQCOM, target, block, false},
    {OpImageBlockMatchSSDQCOM, reference, block, false},
    {OpImageBlockMatchSADQCOM, target, block, false},
    {OpImageBlockMatchSADQCOM, reference, block, false},
    {OpImageBlockMatchGatherSSDQCOM, sampled_target, block, false},
    {OpImageBlockMatchGatherSSDQCOM, sampled_reference, block, false},
    {OpImageBlockMatchGatherSADQCOM, sampled_target, block, false},
    {OpImageBlockMatchGatherSADQCOM, sampled_reference, block, false},
    {OpImageBlockMatchWindowSSDQCOM, sampled_target, block, true},
    {OpImageBlockMatchWindowSSDQCOM, sampled_reference, block, true},
    {OpImageBlockMatchWindowSADQCOM, sampled_target, block, true},
    {OpImageBlockMatchWindowSADQCOM, sampled_reference, block, true},
};

// --- types of operands --------------------------------------------------------------------------------------------------

constexpr OperandName textures[] = {OperandName::texture, OperandName::weights, target, reference,
                                    sampled_target,       sampled_reference};

struct VectorOperand {
  OperandName name;
  std::string_view text;
  bool is_float;  ///< floats, or unsigned integers
};
constexpr VectorOperand vectors[] = {
    {OperandName::coordinates, "the coordinates", true},
    {OperandName::box_size, "the box size", true},
    {OperandName::target_coordinates, "the target coordinates", false},
    {OperandName::reference_coordinates, "the reference coordinates", false},
    {OperandName::block_size, "the block size", false},
};

void check_types(const Context& context, const DecodedInstruction& visit, Report& report) {
  for (const OperandName name : textures) {
    const AnyOperand texture = visit.operand(name);
    if (texture.id == 0) continue;
    const TypeRow& type = context.type_of(texture);
    const TypeRow& image = type.is(TypeKind::SampledImage) ? context.types.row(type.element_row) : type;
    if (!image.is(TypeKind::Image) || context.types.image(image).multisampled == 0) continue;
    report.add(Rule::ImageSamples, visit.at(texture),
               {op_text(context, visit.op()), "single-sampled image (MS 0)",
                std::to_string(context.types.image(image).multisampled)});
    note_image_type(image, OperandName::ms, report);
  }
  for (const VectorOperand& row : vectors) {
    const AnyOperand vector = visit.operand(row.name);
    if (vector.id == 0) continue;
    const TypeRow& type = context.type_of(vector);
    const TypeRow& scalar = context.types.row(type.component);
    const bool is_fine = row.is_float ? scalar.is(TypeKind::Float) : scalar.is(TypeKind::Int) && !scalar.is_signed;
    if (type.is(TypeKind::Vector) && type.count == 2 && is_fine) continue;
    TypeErrorReporter{context, visit, report}.operand(
        vector, row.text, row.is_float ? "a vector of two floats" : "a vector of two unsigned integers");
  }
}

// --- from the instruction back to the variable --------------------------------------------------------------------------

// Whether a value is loaded from a variable with a decoration; true if the variable is unknown. False for a copy of a
// loaded value; check_uses() also reports the copy. Sets `origin` to the variable, or to 0 if the value is not loaded.
bool is_loaded_from(const Context& context, Word id, Decoration decoration, Word& origin) {
  origin = 0;
  const auto load = as<OpLoad>(context.module.find(id));
  if (!load) return false;
  origin = origin_of(context, load->pointer());
  return origin == 0 || context.decorations.has(origin, decoration);
}

void check_operand(const Context& context, const DecodedInstruction& visit, const TextureOperand& row, Report& report) {
  const AnyOperand id = visit.operand(row.name);
  const auto combined = as<OpSampledImage>(context.module.find(id));
  const auto require = [&](std::string_view what, Word source, Decoration decoration) {
    Word origin = 0;
    if (is_loaded_from(context, source, decoration, origin)) return;
    const std::string name = enumerant_text(context, decoration);
    report.add(Rule::ImageTextureDecoration, visit.at(id),
               {what, id_text(context, source), op_text(context, visit.op()), name});
    if (origin == 0 || !is_variable(context.op_of(origin))) return;
    hint_decoration(context, report, decoration, origin);
    report.note({context.module.definition(origin), 0}, "variable declared here");
  };
  require("texture", combined ? combined->image().id : id.id, row.texture);
  if (row.has_sampler) {
    require("sampler", combined ? combined->sampler().id : id.id, Decoration::BlockMatchSamplerQCOM);
  }
}

// Instructions with a target and a reference texture have two rows.
void check_operands(const Context& context, const DecodedInstruction& visit, Report& report) {
  check_types(context, visit, report);
  for (const TextureOperand& row : operands) {
    if (row.opcode == visit.op()) check_operand(context, visit, row, report);
  }
}

// --- from the load on to its uses ---------------------------------------------------------------------------------------

// Whether the table has a row for the used operand.
bool is_processing(const Use& use, Op user) {
  return std::any_of(std::begin(operands), std::end(operands), [&](const TextureOperand& row) {
    return row.opcode == user && word_of(user, row.name) == use.word;
  });
}

// Reports uses of a loaded value outside image processing. Follows the uses of an OpSampledImage that takes the value.
void check_uses(const Context& context, Word loaded, Decoration decoration, Report& report) {
  const Uses& uses = context.facts.uses();
  const auto check = [&](const Use& use) {
    const auto user = context.module.instruction(use.instruction).opcode;
    if (use.kind != UseKind::Operand || is_processing(use, user)) return;
    report.add(Rule::ImageTextureUse, {use.instruction, use.word},
               {op_text(context, user), id_text(context, loaded), enumerant_text(context, decoration)});
    report.note({context.module.definition(loaded), 0}, "loaded here");
  };
  for (const Use& use : uses.of(loaded)) {
    const auto combined = as<OpSampledImage>(context.module.instruction(use.instruction));
    if (!combined) {
      check(use);
      continue;
    }
    for (const Use& next : uses.of(combined->result())) check(next);
  }
}

bool is_image_processing(const Context& context) {
  return context.has(Capability::TextureBlockMatchQCOM) || context.has(Capability::TextureBlockMatch2QCOM) ||
         context.has(Capability::TextureSampleWeightedQCOM);
}

// Modules with these capabilities are rare and loads are frequent, so the capabilities are tested first.
void check_image_load(const Context& context, const DecodedInstruction& visit, Report& report) {
  if (!is_image_processing(context)) return;
  const Word variable = origin_of(context, visit.as<OpLoad>().pointer());
  for (const Decoration decoration : {Decoration::WeightTextureQCOM, Decoration::BlockMatchTextureQCOM}) {
    if (!context.decorations.has(variable, decoration)) continue;
    check_uses(context, visit.result, decoration, report);
    return;
  }
}

}  // namespace

std::span<const Check> image_processing_checks() {
  static constexpr Check checks[] = {
      {{OpLoad}, check_image_load},
      {{OpImageBoxFilterQCOM, OpImageSampleWeightedQCOM, OpImageBlockMatchSSDQCOM, OpImageBlockMatchSADQCOM,
        OpImageBlockMatchGatherSSDQCOM, OpImageBlockMatchGatherSADQCOM, OpImageBlockMatchWindowSSDQCOM,
        OpImageBlockMatchWindowSADQCOM},
       check_operands},
  };
  return checks;
}

}  // namespace vireo::spirv
