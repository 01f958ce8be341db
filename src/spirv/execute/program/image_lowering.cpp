// SPDX-License-Identifier: Apache-2.0
//
// Steps of the instructions on images and samplers (function_lowering.h).
//
// The value of an image or a sampler is the object of its descriptor; a sampled image has both.
#include <algorithm>

#include "spirv/execute/program/function_lowering.h"
#include "spirv/execute/program/step_rows.h"
#include "vireo/spirv/binary/views/image.h"
#include "vireo/spirv/binary/views/memory.h"
#include "vireo/spirv/grammar/enum_names.h"
#include "vireo/spirv/module/constants.h"

namespace vireo::spirv {

using enum Op;

namespace {

// The words of the operands that image instructions have in common; 0: none.
struct ImageWords {
  Op opcode;
  std::uint8_t image = 3, coordinate = 4, other = 0, operands = 0;
};
constexpr ImageWords image_words[] = {
    {OpImageRead, 3, 4, 0, 5},
    {OpImageSparseRead, 3, 4, 0, 5},
    {OpImageWrite, 1, 2, 3, 4},
    {OpImageFetch, 3, 4, 0, 5},
    {OpImageSparseFetch, 3, 4, 0, 5},
    {OpImageSampleExplicitLod, 3, 4, 0, 5},
    {OpImageSampleDrefExplicitLod, 3, 4, 5, 6},
    {OpImageSampleProjExplicitLod, 3, 4, 0, 5},
    {OpImageSampleProjDrefExplicitLod, 3, 4, 5, 6},
    {OpImageSparseSampleExplicitLod, 3, 4, 0, 5},
    {OpImageSparseSampleDrefExplicitLod, 3, 4, 5, 6},
    {OpImageGather, 3, 4, 5, 6},
    {OpImageDrefGather, 3, 4, 5, 6},
    {OpImageSparseGather, 3, 4, 5, 6},
    {OpImageSparseDrefGather, 3, 4, 5, 6},
    {OpImageQuerySize, 3, 0, 0, 0},
    {OpImageQuerySizeLod, 3, 0, 4, 0},
    {OpImageQueryLevels, 3, 0, 0, 0},
    {OpImageQuerySamples, 3, 0, 0, 0},
    {OpImageTexelPointer, 3, 4, 5, 0},
};

}  // namespace

// The image type of an image, a sampled image, or a pointer to an image.
ImageShape FunctionLowering::image_shape(Word value) const {
  const TypeRow* type = &types_.of(type_of(value));
  if (type->is_pointer()) type = &types_.of(placed(value).type);
  if (type->is(TypeKind::SampledImage)) type = &types_.of(type->element);
  return types_.image(*type);
}

bool FunctionLowering::lower_image(InstructionView view) {
  switch (view.opcode) {
    case OpSampledImage:
      add(view.opcode, result(view), value(nth_operand(view, 0)), value(nth_operand(view, 1)));
      return true;
    case OpImage: add(view.opcode, result(view), value(nth_operand(view, 0))); return true;
    case OpImageSparseTexelsResident: {
      // All texels are resident.
      Step& step = add(OpIEqual, result(view), value(nth_operand(view, 0)), value(nth_operand(view, 0)));
      step.type = owner_.cells_.scalar(type_of(nth_operand(view, 0)));
      return true;
    }
    default: break;
  }
  const auto words = std::ranges::find(image_words, view.opcode, &ImageWords::opcode);
  if (words == std::end(image_words)) return false;
  ImageStep image;
  image.shape = image_shape(view.word(words->image));
  if (image.shape.dim == Dim::SubpassData || image.shape.multisampled != 0) return false;
  Step step;
  step.opcode = view.opcode;
  step.source = source_;
  step.a = value(view.word(words->image));
  step.flags = resource_flag(view.word(words->image));
  if (words->coordinate != 0) {
    const Word coordinate = view.word(words->coordinate);
    step.b = value(coordinate);
    image.coordinates = count_of(type_of(coordinate));
    image.coordinate_type = owner_.cells_.scalar(type_of(coordinate));
  }
  if (words->other != 0) {
    step.c = value(view.word(words->other));
    step.type = owner_.cells_.scalar(type_of(view.word(words->other)));
    image.others = count_of(type_of(view.word(words->other)));
  }
  if (module_.result_of(view) != 0) {
    step.result = result(view);
    step.count = count_of(module_.type_of(view));
    const TypeRow& type = types_.of(module_.type_of(view));
    image.is_sparse = type.is(TypeKind::Struct);
    step.result_type = owner_.cells_.scalar(image.is_sparse ? types_.members(type)[1] : type.id);
  } else {
    step.count = image.others;
    step.result_type = step.type;
  }
  if (words->operands != 0) read_image_operands(ImageOperandsView(view, words->operands), image);
  step.extra = static_cast<std::uint32_t>(program_.images.size());
  program_.images.push_back(image);
  program_.steps.push_back(step);
  if (view.opcode == OpImageTexelPointer) {
    const Word type = module_.type_of(view);
    pointees_.insert_or_assign(module_.result_of(view), PlacedType{types_.of(type).element, false, {}, true});
  }
  return true;
}

void FunctionLowering::read_image_operands(const ImageOperandsView& operands, ImageStep& image) {
  if (!operands.is_present()) return;
  const auto cells = [&](const auto& id) { return id ? value(*id) : CellRef{}; };
  if (operands.Lod()) {
    image.lod = cells(operands.Lod());
    image.lod_type = owner_.cells_.scalar(type_of(*operands.Lod()));
  }
  if (operands.MinLod()) {
    image.min_lod = cells(operands.MinLod());
    image.min_lod_type = owner_.cells_.scalar(type_of(*operands.MinLod()));
  }
  if (operands.Grad()) {
    image.gradient_x = cells(operands.Grad());
    image.gradient_y = cells(operands.Grad_2());
    image.lod_type = owner_.cells_.scalar(type_of(*operands.Grad()));
  }
  const auto offset = operands.ConstOffset() ? operands.ConstOffset() : operands.Offset();
  if (offset) {
    image.offset = cells(offset);
    image.offsets = count_of(type_of(*offset));
  }
  const auto four = operands.ConstOffsets() ? operands.ConstOffsets() : operands.Offsets();
  if (four) {
    image.offset = cells(four);
    image.offsets = count_of(type_of(*four));
  }
}

}  // namespace vireo::spirv
