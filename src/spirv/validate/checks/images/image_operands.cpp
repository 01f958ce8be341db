// SPDX-License-Identifier: Apache-2.0
//
// Image operands: the mask of an image instruction and the ids that follow it (specification 3.14).
//
// Each bit has a row in a table (image_operand_rows.h) and is checked by itself. Only the requirements on
// combinations of bits have their own functions.
#include <bit>
#include <optional>
#include <string>

#include "spirv/validate/checks/device/device_limits.h"
#include "spirv/validate/checks/images/images.h"
#include "spirv/validate/tables/bits.h"
#include "spirv/validate/tables/image_operand_rows.h"
#include "vireo/spirv/binary/views/kinds/image_operands.h"

namespace vireo::spirv {
namespace {

using Bit = ImageOperands;
using Value = ImageOperandValue;

// The traits of instructions without a sampler. They access one texel, without a filter.
constexpr std::uint16_t without_sampler = Fetches | Reads | Writes;

class OperandsCheck {
 public:
  OperandsCheck(const ImageCheck& c, ImageOperandsView operands)
      : c_(c), mask_(static_cast<Word>(operands.value())), place_(c.at(operands)) {}

  // Checks each bit by itself, then the requirements between bits. `parameters` are the ids after the mask.
  void run(IdList<IdKind::Any> parameters) {
    // Rows and parameters are both in ascending order of bits, so the next parameter belongs to the current row.
    auto next = parameters.begin();
    const auto take = [&] { return next == parameters.end() ? AnyOperand() : *next++; };
    for (const ImageOperandRow& row : image_operand_rows()) {
      if (!has(row.bit)) continue;
      if (is_in_place(row)) {
        check_image(row);
      } else {
        misplaced_ |= bits(row.bit);
      }
      check_value(row, take());
      if (row.value == Value::Derivatives) check_components(row, take(), TypeKind::Float);
    }
    check_offsets();
    check_offset_image();
    check_lod();
    check_privacy();
    check_extension();
    check_sign();
    check_opencl();
  }

 private:
  // Whether the mask has at least one of these bits.
  [[nodiscard]] bool has(auto... any_of) const { return (mask_ & bits(any_of...)) != 0; }
  // The same, without misplaced bits. A misplaced bit has its own finding and is ignored in the checks of combinations.
  [[nodiscard]] bool uses(auto... any_of) const { return (mask_ & ~misplaced_ & bits(any_of...)) != 0; }
  [[nodiscard]] Place place() const { return place_; }
  [[nodiscard]] std::string name(Bit bit) const { return enumerant_text(c_, "ImageOperands", bits(bit)); }
  // "ConstOffset|Sample": the names of several bits, lowest first.
  [[nodiscard]] std::string names(Word mask) const {
    std::string text;
    for (Word rest = mask; rest != 0; rest &= rest - 1) {
      text.append(text.empty() ? "" : "|");
      text.append(enumerant_text(c_, "ImageOperands", rest & (~rest + 1)));
    }
    return text;
  }

  // --- single bits ---

  // Whether the instruction allows the bit. MinLod is valid with an implicit level of detail or with Grad.
  bool is_in_place(const ImageOperandRow& row) {
    if (c_.row.is(row.where) || (row.bit == Bit::MinLod && has(Bit::Grad))) return true;
    // Extensions allow bits at more instructions than the core specification.
    std::optional<Capability> remedy;
    for (const ImageOperandPlace& further : further_image_operand_places()) {
      const bool is_there = c_.row.is(further.where) && !c_.row.is(further.but);
      if (further.bit != row.bit || !is_there) continue;
      if (c_.has(further.capability)) return true;
      remedy = further.capability;
    }
    c_.report(Rule::UnsupportedImageOperand, place(), {name(row.bit), c_.op(), row.places});
    if (remedy) c_.hint("legal with OpCapability " + enumerant_text(c_, *remedy));
    return false;
  }

  // Checks the dimension and the number of samples of the image. For example, a level of detail needs a mipmapped
  // image, and cubes have no offsets.
  void check_image(const ImageOperandRow& row) {
    const ImageShape& image = c_.image;
    // An unknown dimension has its own finding, so every bit is accepted.
    if (any_dim.has(image.dim) && !row.dims.has(image.dim)) {
      c_.report(Rule::ImageDim, place(), {"image operand " + name(row.bit), image.dim, dims_text(c_, row.dims)});
      c_.note_type(OperandName::dim);
    }
    // check_samples reports all other instructions, which take no multisampled image.
    const bool takes_samples = c_.row.is(without_sampler);
    if (row.one_sample && takes_samples && image.multisampled != 0) {
      refuse_samples(row.bit, "single-sampled image (MS 0)");
    }
    if (row.bit == Bit::Sample && image.multisampled == 0) refuse_samples(row.bit, "multisampled image (MS 1)");
  }

  void refuse_samples(Bit bit, std::string_view expected) {
    c_.report(Rule::ImageSamples, place(), {"image operand " + name(bit), expected, c_.image.multisampled});
    c_.note_type(OperandName::ms);
  }

  // Checks the parameter of a bit, or the first of two. check_scopes checks scopes.
  void check_value(const ImageOperandRow& row, AnyOperand id) {
    const Value value = row.value == Value::Lod ? lod_value() : row.value;
    switch (value) {
      case Value::None:
      case Value::Scope: return;
      case Value::Float:
        if (!is_scalar(id, TypeKind::Float)) refuse(row, id, "a 32-bit float scalar");
        return;
      case Value::Lod:
      case Value::Integer:
        if (!is_scalar(id, TypeKind::Int)) refuse(row, id, "a 32-bit integer scalar");
        return;
      case Value::Derivatives: check_components(row, id, TypeKind::Float); return;
      case Value::Offset: check_components(row, id, TypeKind::Int); break;
      case Value::Offsets: check_four(row, id); break;
    }
    if (!row.is_constant || c_.is_constant(id)) return;
    c_.not_constant(id, name(row.bit));
  }

  // With a sampler, Lod is a float, because the sampler interpolates between levels. Without a sampler, Lod is the
  // number of a level.
  [[nodiscard]] Value lod_value() const { return c_.row.is(without_sampler) ? Value::Integer : Value::Float; }

  [[nodiscard]] bool is_scalar(Word id, TypeKind kind) const {
    const TypeRow& type = c_.type_of(id);
    return type.is(kind) && (type.width == 32 || is_half(type));
  }

  // SPV_AMD_gpu_shader_half_float_fetch allows 16-bit operands.
  [[nodiscard]] bool is_half(const TypeRow& scalar) const {
    return scalar.is(TypeKind::Float) && scalar.width == 16 && c_.has(Capability::Float16ImageAMD);
  }

  void refuse(const ImageOperandRow& row, AnyOperand id, std::string_view expected) {
    c_.wrong_operand(id, name(row.bit), expected);
  }

  // Offsets and derivatives have a component for each dimension of the image, but none for the layer.
  void check_components(const ImageOperandRow& row, AnyOperand id, TypeKind kind) {
    const TypeRow& type = c_.type_of(id);
    const bool is_fine = kind == TypeKind::Int ? is_int32(c_, type) : is_float32(c_, type) || is_half(type.component());
    if (!is_fine) {
      refuse(row, id,
             kind == TypeKind::Int ? "a scalar or vector of 32-bit integers" : "a scalar or vector of 32-bit floats");
      return;
    }
    // The count must match exactly: unlike coordinates, offsets and derivatives take no extra components.
    const std::uint32_t expected = component_count(c_.image.dim);
    if (count_of(type) == expected) return;
    c_.report(Rule::ImageOperandCount, c_.at(id), {name(row.bit), c_.op(), count_of(type), expected, c_.image_type.id});
  }

  // Checks an array of four two-component offsets, one for each gathered texel. If the length of the array is a
  // specialization constant, its default is used.
  void check_four(const ImageOperandRow& row, AnyOperand id) {
    const TypeRow& type = c_.type_of(id);
    const TypeRow& element = type.element_type();
    const std::optional<std::uint64_t> length = c_.constants.as_u64(type.length, ValueUse::OrDefault);
    const bool is_fine = type.is(TypeKind::Array) && length.value_or(4) == 4 && element.is(TypeKind::Vector) &&
                         element.count == 2 && is_int32(c_, element);
    if (!is_fine) refuse(row, id, "an array of four vectors of two 32-bit integers");
  }

  // --- requirements between bits ---

  void check_offsets() {
    constexpr Word offsets = bits(Bit::Offset, Bit::ConstOffset, Bit::ConstOffsets, Bit::Offsets);
    const Word used = mask_ & ~misplaced_ & offsets;
    if (std::popcount(used) > 1) c_.report(Rule::OneOffset, place(), {c_.op(), names(used)});
    // Before HLSL legalization, Offset is accepted: legalization makes the operand constant.
    const bool is_excused = c_.row.is(Gathers) || c_.has(Feature::BeforeHlslLegalization);
    if (has(Bit::Offset) && c_.is_vulkan() && !is_excused) {
      c_.report(Rule::VulkanOffset, place(), {c_.op()});
      c_.hint("legal with the feature maintenance8 (--allow-offset-texture-operand)");
    }
  }

  // Vulkan has offsets only for images that may be sampled.
  void check_offset_image() {
    constexpr Word offsets = bits(Bit::Offset, Bit::ConstOffset, Bit::ConstOffsets);
    const Word used = mask_ & ~misplaced_ & offsets;
    if (!c_.is_vulkan() || used == 0 || c_.image.sampled == 1) return;
    c_.report(Rule::OffsetImage, place(), {names(used), c_.op(), c_.image.sampled});
    c_.note_type(OperandName::sampled);
  }

  // Lod excludes Grad and Bias. If Lod and Grad are missing, the finding is a warning: the specification requires one of
  // them, but SPIRV-Tools does not report it.
  void check_lod() {
    if (uses(Bit::Lod) && uses(Bit::Grad)) c_.report(Rule::LodAndGrad, place(), {c_.op()});
    // Only gather instructions allow both (SPV_AMD_texture_gather_bias_lod).
    if (uses(Bit::Lod) && uses(Bit::Bias)) c_.report(Rule::LodAndBias, place(), {c_.op()});
    // A misplaced bit is probably the one that should be Lod or Grad.
    if (c_.row.is(ExplicitLod) && misplaced_ == 0 && !has(Bit::Lod, Bit::Grad)) {
      c_.report(Rule::LodMissing, place(), {c_.op()});
    }
    if (c_.row.is(without_sampler) && c_.image.multisampled == 1 && !has(Bit::Sample)) {
      c_.report(Rule::SampleMissing, c_.at_image(), {c_.op()});
      c_.note_type(OperandName::ms);
    }
  }

  // MakeTexelAvailable and MakeTexelVisible need NonPrivateTexel: they apply to memory that other invocations access
  // (2.18.1).
  void check_privacy() {
    if (has(Bit::NonPrivateTexel)) return;
    for (const Bit bit : {Bit::MakeTexelAvailable, Bit::MakeTexelVisible}) {
      if (uses(bit)) c_.report(Rule::TexelNonPrivate, place(), {name(bit)});
    }
  }

  // SignExtend and ZeroExtend specify the extension of narrow texels to the texel type.
  void check_extension() {
    if (!has(Bit::SignExtend, Bit::ZeroExtend) || c_.texel == nullptr) return;
    // Only integers can be extended. ZeroExtend never yields a negative number, so it needs an unsigned type.
    const TypeRow& component = c_.texel->component();
    const auto refuse_texel = [&](Bit bit, std::string_view expected) {
      c_.report(Rule::TexelExtension, place(), {name(bit), expected, c_.texel->id});
    };
    if (!component.is(TypeKind::Int)) {
      refuse_texel(has(Bit::SignExtend) ? Bit::SignExtend : Bit::ZeroExtend, "integer");
    } else if (has(Bit::ZeroExtend) && component.is_signed) {
      refuse_texel(Bit::ZeroExtend, "unsigned integer");
    }
  }

  // The signedness of the format must match SignExtend or ZeroExtend. Without these bits, it must match that of the
  // sampled type.
  void check_sign() {
    const FormatRow format = format_row(c_.image.format);
    const TypeRow& sampled = c_.types.of(c_.image.sampled_type);
    // Unknown formats and float formats have no signedness.
    if (!c_.is_vulkan() || format.kind != TypeKind::Int || !sampled.is(TypeKind::Int)) return;
    const bool is_signed = has(Bit::SignExtend) || (!has(Bit::ZeroExtend) && sampled.is_signed);
    if (is_signed == format.is_signed) return;
    const bool is_extended = has(Bit::SignExtend, Bit::ZeroExtend);
    c_.report(Rule::ImageFormatType, is_extended ? place() : c_.at_image(),
              {c_.image.format, format.is_signed ? "signed" : "unsigned",
               is_extended ? name(has(Bit::SignExtend) ? Bit::SignExtend : Bit::ZeroExtend)
                           : "Sampled Type " + type_text(c_, sampled.id)});
    c_.note_type(OperandName::image_format);
  }

  // The OpenCL environment allows only some image operands.
  void check_opencl() {
    if (!c_.is_opencl()) return;
    // Image reads, and sampling with an explicit level of detail, take no ConstOffset. OpImageWrite takes only
    // SignExtend and ZeroExtend.
    const bool is_constant_offset = has(Bit::ConstOffset) && c_.row.is(Reads | ExplicitLod);
    if (is_constant_offset) {
      c_.report(Rule::OpenClImageOperand, place(), {c_.op(), "image operand ConstOffset"});
    } else if (c_.row.is(Writes) && (mask_ & ~bits(Bit::SignExtend, Bit::ZeroExtend)) != 0) {
      const std::string found = names(mask_ & ~bits(Bit::SignExtend, Bit::ZeroExtend));
      c_.report(Rule::OpenClImageOperand, place(), {c_.op(), "image operand " + found});
    }
  }

  const ImageCheck& c_;
  const Word mask_;
  const Place place_;   // of the mask
  Word misplaced_ = 0;  // bits that this instruction does not allow
};

}  // namespace

void check_image_operands(const ImageCheck& c) {
  // All image instructions use the same name for the mask. An absent mask reads as 0.
  const ImageOperandsView operands(c.view, c.operand(OperandName::image_operands).word);
  OperandsCheck(c, operands).run({operands.parameters(), operands.word() + std::size_t{1}});
  for (const auto& offset : {operands.ConstOffset(), operands.ConstOffsets()}) {
    if (!offset) continue;
    check_texel_offset(c, {*offset, offset->word}, c.row.is(Gathers));
  }
}

}  // namespace vireo::spirv
