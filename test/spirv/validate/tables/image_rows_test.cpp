// SPDX-License-Identifier: Apache-2.0
//
// Table-driven tests of image instructions and image operands: each operand of each instruction, with images of each
// dimension.
//
// An access to an image is an instruction row, an image and a mask. All other parts are valid by
// construction, and an independent interpreter of the rows predicts the rules that image and mask violate.
//
// Source: specification 3.42.10 (image instructions), 3.14 (image operands), as in images.h and image_operand_rows.h.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <string>
#include <vector>

#include "spirv/validate/checks/images/images.h"
#include "spirv/validate/tables/image_operand_rows.h"
#include "spirv/validate/tables/test_shaders.h"

namespace vireo::spirv {
namespace {

using test::RuleNames;
using test::TestShader;
using Bit = ImageOperands;
using Value = ImageOperandValue;

constexpr std::uint16_t without_sampler = Fetches | Reads | Writes;

constexpr Word bits(auto... operands) { return (static_cast<Word>(operands) | ... | 0u); }

// --- images -------------------------------------------------------------------------------------------------------------

struct Dimension {
  Dim dim;
  std::string_view name;
  unsigned components;    ///< of a coordinate
  bool may_have_sampler;  ///< can be used in an OpTypeSampledImage
  bool is_multisampled = false;
};
constexpr Dimension dimensions[] = {
    {Dim::Dim1D, "1D", 1, true},       {Dim::Dim2D, "2D", 2, true},  {Dim::Dim2D, "2D", 2, true, true},
    {Dim::Dim3D, "3D", 3, true},       {Dim::Cube, "Cube", 3, true}, {Dim::Rect, "Rect", 2, true},
    {Dim::Buffer, "Buffer", 1, false},
};

// --- operands after the mask -----------------------------------------------------------------------------------------

// An id for a bit, and the rule that it violates; empty: none.
struct OperandArgument {
  std::string text;
  std::string_view rule;
};

std::string constant(std::string_view letter, unsigned components) {
  return " %" + std::string(letter) + std::to_string(components);
}

// Valid operands first. Constants are %f1 to %f4 and %u1 to %u4 by their components; %f_value and %u_value are not
// constants.
std::vector<OperandArgument> given_for(const ImageOperandRow& row, const ImageInstruction& instruction,
                                       unsigned components) {
  const auto integer_or_float = [](bool is_integer) -> std::vector<OperandArgument> {
    if (is_integer)
      return {{" %u1", ""}, {" %u_value", ""}, {" %f1", "image-operand-type"}, {" %uu2", "image-operand-type"}};
    return {{" %f1", ""}, {" %f_value", ""}, {" %u1", "image-operand-type"}, {" %ff2", "image-operand-type"}};
  };
  switch (row.value) {
    case Value::None: return {{"", ""}};
    case Value::Scope: return {{" %u2", ""}};
    case Value::Float: return integer_or_float(false);
    case Value::Integer: return integer_or_float(true);
    case Value::Lod: return integer_or_float(instruction.is(without_sampler));
    case Value::Derivatives: {
      std::vector<OperandArgument> all;
      const std::string fine = constant("ff", components);
      all.push_back({fine + fine, ""});
      for (unsigned count = 1; count <= 4; ++count) {
        if (count == components) continue;
        all.push_back({fine + constant("ff", count), "image-operand-count"});
        all.push_back({constant("ff", count) + fine, "image-operand-count"});
      }
      all.push_back({fine + constant("uu", components), "image-operand-type"});
      return all;
    }
    case Value::Offset: {
      std::vector<OperandArgument> all{{constant("uu", components), ""}};
      for (unsigned count = 1; count <= 4; ++count) {
        if (count != components) all.push_back({constant("uu", count), "image-operand-count"});
      }
      all.push_back({constant("ff", components), "image-operand-type"});
      if (components == 1) all.push_back({" %u_value", row.is_constant ? "constant-operand" : ""});
      return all;
    }
    case Value::Offsets:
      return {{" %offsets", ""},
              {" %uu2", "image-operand-type"},
              {" %few_offsets", "image-operand-type"},
              {" %offset_value", row.is_constant ? "constant-operand" : ""}};
  }
  return {};
}

constexpr std::string_view values = R"(%fv4 = OpTypeVector %f32 4
%fv2 = OpTypeVector %f32 2
%fv3 = OpTypeVector %f32 3
%uv2 = OpTypeVector %u32 2
%uv3 = OpTypeVector %u32 3
%uv4 = OpTypeVector %u32 4
%ff1 = OpConstant %f32 2
%ff2 = OpConstantComposite %fv2 %f1 %f1
%ff3 = OpConstantComposite %fv3 %f1 %f1 %f1
%ff4 = OpConstantComposite %fv4 %f1 %f1 %f1 %f1
%u0 = OpConstant %u32 0
%uu1 = OpConstant %u32 7
%uu2 = OpConstantComposite %uv2 %u1 %u1
%uu3 = OpConstantComposite %uv3 %u1 %u1 %u1
%uu4 = OpConstantComposite %uv4 %u1 %u1 %u1 %u1
%four = OpTypeArray %uv2 %u4
%three = OpTypeArray %uv2 %u3
%offsets = OpConstantComposite %four %uu2 %uu2 %uu2 %uu2
%few_offsets = OpConstantComposite %three %uu2 %uu2 %uu2
%sparse_scalar = OpTypeStruct %u32 %f32
%sparse_vector = OpTypeStruct %u32 %fv4
)";
constexpr std::string_view computed = R"(%f_value = OpFAdd %f32 %f1 %f1
%u_value = OpIAdd %u32 %u1 %u1
%offset_value = OpCompositeInsert %four %uu2 %offsets 0
)";

// --- the independent interpreter -------------------------------------------------------------------------------------

struct Access {
  const ImageInstruction* instruction = nullptr;
  const Dimension* image = nullptr;
  Word mask = 0;
  std::vector<Capability> capabilities;
};

bool is_permitted(const ImageOperandRow& row, const Access& it) {
  if (it.instruction->is(row.where) || (row.bit == Bit::MinLod && (it.mask & bits(Bit::Grad)) != 0)) return true;
  for (const ImageOperandPlace& place : further_image_operand_places()) {
    if (place.bit == row.bit && it.instruction->is(place.where) && !it.instruction->is(place.but) &&
        std::find(it.capabilities.begin(), it.capabilities.end(), place.capability) != it.capabilities.end())
      return true;
  }
  return false;
}

// Does not check the operands after the mask.
RuleNames rules_broken_by(const Access& it) {
  RuleNames broken;
  const auto add_if = [&](bool is_broken, std::string_view rule) {
    if (is_broken) broken.emplace_back(rule);
  };
  const ImageInstruction& instruction = *it.instruction;
  const auto has = [&](auto... any_of) { return (it.mask & bits(any_of...)) != 0; };
  // A bit that is not permitted is not checked further.
  Word used = it.mask;
  for (const ImageOperandRow& row : image_operand_rows()) {
    if (has(row.bit) && !is_permitted(row, it)) used &= ~bits(row.bit);
  }
  const auto uses = [&](auto bit) { return (used & bits(bit)) != 0; };
  add_if(!instruction.dims.has(it.image->dim), "image-dim");
  add_if(it.image->is_multisampled && !instruction.is(without_sampler), "image-samples");
  add_if(it.image->is_multisampled && instruction.is(without_sampler) && !has(Bit::Sample), "sample-missing");
  for (const ImageOperandRow& row : image_operand_rows()) {
    if (!has(row.bit)) continue;
    add_if(!uses(row.bit), "unsupported-image-operand");
    if (!uses(row.bit)) continue;
    add_if(!row.dims.has(it.image->dim), "image-dim");
    // For instructions that accept no multisampled images this has been reported above.
    add_if(row.one_sample && it.image->is_multisampled && instruction.is(without_sampler), "image-samples");
    add_if(row.bit == Bit::Sample && !it.image->is_multisampled, "image-samples");
  }
  add_if(std::popcount(used & bits(Bit::Offset, Bit::ConstOffset, Bit::ConstOffsets, Bit::Offsets)) > 1, "one-offset");
  add_if(uses(Bit::Lod) && uses(Bit::Grad), "lod-and-grad");
  // A misplaced bit counts as the missing one.
  add_if(instruction.is(ExplicitLod) && used == it.mask && !has(Bit::Lod, Bit::Grad), "lod-missing");
  const int unshared = has(Bit::NonPrivateTexel) ? 0 : uses(Bit::MakeTexelAvailable) + uses(Bit::MakeTexelVisible);
  for (int i = 0; i < unshared; ++i) broken.emplace_back("texel-non-private");
  add_if(has(Bit::SignExtend, Bit::ZeroExtend), "texel-extension");  // these texels are floats
  return broken;
}

// --- modules ------------------------------------------------------------------------------------------------------------

class ImageRowsTest : public testing::Test {
 protected:
  ImageRowsTest() : g_(builtin_grammar()) {
    for (const InstructionRow& row : g_.instructions) {
      const ImageInstruction* found = find_image_instruction(row.opcode);
      if (found != nullptr) instructions_.push_back(found);
    }
    for (const EnumerantRow& row : g_.enumerants_of(g_.kind(g_.find_kind("ImageOperands")))) {
      if (row.value != 0) bits_.push_back(row.value);
    }
  }

  [[nodiscard]] std::string mask_text(Word mask) const {
    std::string text;
    for (const Word bit : bits_) {
      if ((mask & bit) == 0) continue;
      text.append(text.empty() ? " " : "|");
      text.append(g_.text(g_.find_value(g_.find_kind("ImageOperands"), bit)->name));
    }
    return text;
  }

  // The instruction without its mask.
  [[nodiscard]] std::string head_of(const Access& it) const {
    const ImageInstruction& row = *it.instruction;
    const bool is_scalar = row.texel == TexelForm::Scalar;
    std::string text;
    if (!row.is(Writes)) {
      text = "%result = ";
      text.append(g_.text(g_.find_opcode(static_cast<std::uint32_t>(row.opcode))->name));
      text += row.is(Sparse) ? (is_scalar ? " %sparse_scalar" : " %sparse_vector") : is_scalar ? " %f32" : " %fv4";
    } else {
      text = "OpImageWrite";
    }
    text += row.source == ImageSource::SampledImage ? " %sampled" : " %image";
    text += row.source == ImageSource::SampledImage ? " %ff4" : " %uu4";
    if (row.is(Compares)) text += " %f1";
    else if (row.is(Gathers)) text += " %u1";
    if (row.opcode == Op::OpImageGatherQCOM) text += " %u0";  // linear
    if (row.is(Writes)) text += " %ff4";
    return text;
  }

  void check(const Access& it, const std::string& operands, RuleNames expected) {
    TestShader shader;
    shader.model = ExecutionModel::Fragment;
    shader.capabilities = it.capabilities;
    if (it.instruction->opcode == Op::OpImageGatherQCOM)
      shader.capabilities.push_back(Capability::ImageGatherLinearQCOM);
    // Availability of texels needs the Vulkan memory model.
    shader.memory_model = "Logical Vulkan";
    shader.capabilities.insert(shader.capabilities.end(),
                               {Capability::VulkanMemoryModel, Capability::Image1D, Capability::ImageRect,
                                Capability::ImageBuffer, Capability::StorageImageMultisample});
    const bool is_storage = it.instruction->is(Reads | Writes);
    shader.declarations = values;
    shader.declarations += "%image_type = OpTypeImage %f32 " + std::string(it.image->name) + " 0 0 " +
                           (it.image->is_multisampled ? "1 " : "0 ") + (is_storage ? "2 Rgba32f\n" : "1 Unknown\n");
    shader.declarations += "%image = OpUndef %image_type\n";
    if (it.image->may_have_sampler && !is_storage)
      shader.declarations += "%sampled_type = OpTypeSampledImage %image_type\n%sampled = OpUndef %sampled_type\n";
    // An instruction that needs a level of detail also needs the mask.
    const bool is_bare = it.mask == 0 && it.instruction->is(ExplicitLod);
    const std::string line = head_of(it) + (is_bare ? " None" : mask_text(it.mask)) + operands + "\n";
    shader.body = std::string(computed) + line;
    std::sort(expected.begin(), expected.end());
    EXPECT_EQ(test::rules_reported_for(test::words_of(shader), "spv1.6"), expected)
        << line << it.image->name << (it.image->is_multisampled ? " multisampled" : "");
    ++made_;
    sound_ += expected.empty();
  }

  // A valid operand for each bit of the mask.
  [[nodiscard]] static std::string suiting(const Access& it) {
    std::string text;
    for (const ImageOperandRow& row : image_operand_rows()) {
      if ((it.mask & bits(row.bit)) != 0) text += given_for(row, *it.instruction, it.image->components).front().text;
    }
    return text;
  }

  [[nodiscard]] static bool suits(const ImageInstruction& instruction, const Dimension& image) {
    return instruction.source == ImageSource::Image || image.may_have_sampler;
  }

  const Grammar& g_;
  std::vector<const ImageInstruction*> instructions_;
  std::vector<Word> bits_;
  std::size_t made_ = 0, sound_ = 0;
};

// No bit, each bit, and each pair of bits.
TEST_F(ImageRowsTest, instructions_accept_the_operands_of_their_rows) {
  for (const ImageInstruction* instruction : instructions_) {
    for (const Dimension& image : dimensions) {
      if (!suits(*instruction, image)) continue;
      Access it{instruction, &image, 0, {}};
      check(it, "", rules_broken_by(it));
      for (const Word first : bits_) {
        for (const Word second : bits_) {
          it.mask = first | second;
          if (second < first || (second != first && image.dim != Dim::Dim2D)) continue;
          check(it, suiting(it), rules_broken_by(it));
        }
      }
    }
  }
  RecordProperty("modules", static_cast<int>(made_));
  EXPECT_GE(made_, 5'000u);
  EXPECT_GE(sound_, 500u);
}

TEST_F(ImageRowsTest, vendor_capabilities_permit_more_operands) {
  const Dimension& image = dimensions[1];
  for (const ImageOperandPlace& place : further_image_operand_places()) {
    for (const ImageInstruction* instruction : instructions_) {
      const Access it{instruction, &image, bits(place.bit), {place.capability}};
      check(it, suiting(it), rules_broken_by(it));
    }
  }
  EXPECT_GE(made_, 60u);
}

TEST_F(ImageRowsTest, operands_after_the_mask_match_the_rows) {
  for (const ImageInstruction* instruction : instructions_) {
    for (const Dimension& image : dimensions) {
      if (!suits(*instruction, image)) continue;
      for (const ImageOperandRow& row : image_operand_rows()) {
        const Access it{instruction, &image, bits(row.bit), {}};
        for (const OperandArgument& given : given_for(row, *instruction, image.components)) {
          RuleNames expected = rules_broken_by(it);
          if (!given.rule.empty()) expected.emplace_back(given.rule);
          check(it, given.text, expected);
        }
      }
    }
  }
  RecordProperty("modules", static_cast<int>(made_));
  EXPECT_GE(made_, 4'000u);
}

}  // namespace
}  // namespace vireo::spirv
