// SPDX-License-Identifier: Apache-2.0
//
// Image operands: the mask of an image instruction and the ids that follow it (specification 3.14).
//
// Each bit has a row in a table (image_operand_rows.h) and is checked by itself. Only the requirements on
// combinations of bits have their own functions.
#include <bit>
#include <optional>
#include <string>

#include "spirv/validate/checks/module/device_limits.h"
#include "spirv/validate/engine/type_error_reporter.h"
#include "spirv/validate/tables/bits.h"
#include "spirv/validate/tables/image_operand_rows.h"
#include "vireo/spirv/views/kinds/image_operands.h"

namespace vireo::spirv {
namespace {

using Bit = ImageOperands;
using Value = ImageOperandValue;

// The traits of instructions without a sampler. They access one texel, without a filter.
constexpr std::uint16_t without_sampler = Fetches | Reads | Writes;

class OperandsCheck {
 public:
  OperandsCheck(const ImageAccess& access, ImageOperandsView operands)
      : access_(access), mask_(static_cast<Word>(operands.value())), place_(access.visit.at(operands)) {}

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
  [[nodiscard]] std::string name(Bit bit) const { return enumerant_text(access_.context, "ImageOperands", bits(bit)); }
  // "ConstOffset|Sample": the names of several bits, lowest first.
  [[nodiscard]] std::string names(Word mask) const {
    std::string text;
    for (Word rest = mask; rest != 0; rest &= rest - 1) {
      text.append(text.empty() ? "" : "|");
      text.append(enumerant_text(access_.context, "ImageOperands", rest & (~rest + 1)));
    }
    return text;
  }

  // --- single bits ---

  // Whether the instruction allows the bit. MinLod is valid with an implicit level of detail or with Grad.
  bool is_in_place(const ImageOperandRow& row) {
    if (access_.row.is(row.where) || (row.bit == Bit::MinLod && has(Bit::Grad))) return true;
    // Extensions allow bits at more instructions than the core specification.
    std::optional<Capability> remedy;
    for (const ImageOperandPlace& further : further_image_operand_places()) {
      const bool is_there = access_.row.is(further.where) && !access_.row.is(further.but);
      if (further.bit != row.bit || !is_there) continue;
      if (access_.context.has(further.capability)) return true;
      remedy = further.capability;
    }
    access_.report.add(Rule::UnsupportedImageOperand, place(), {name(row.bit), access_.op(), row.places});
    if (remedy) access_.report.hint("legal with OpCapability " + enumerant_text(access_.context, *remedy));
    return false;
  }

  // Checks the dimension and the number of samples of the image. For example, a level of detail needs a mipmapped
  // image, and cubes have no offsets.
  void check_image(const ImageOperandRow& row) {
    const ImageShape& image = access_.image;
    // An unknown dimension has its own finding, so every bit is accepted.
    if (any_dim.has(image.dim) && !row.dims.has(image.dim)) {
      access_.report.add(Rule::ImageDim, place(),
                         {"image operand " + name(row.bit), enumerant_text(access_.context, image.dim),
                          dims_text(access_.context, row.dims)});
      access_.note_type(OperandName::dim);
    }
    // check_samples reports all other instructions, which take no multisampled image.
    const bool takes_samples = access_.row.is(without_sampler);
    if (row.one_sample && takes_samples && image.multisampled != 0) {
      refuse_samples(row.bit, "single-sampled image (MS 0)");
    }
    if (row.bit == Bit::Sample && image.multisampled == 0) refuse_samples(row.bit, "multisampled image (MS 1)");
  }

  void refuse_samples(Bit bit, std::string_view expected) {
    access_.report.add(Rule::ImageSamples, place(),
                       {"image operand " + name(bit), expected, std::to_string(access_.image.multisampled)});
    access_.note_type(OperandName::ms);
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
    if (!row.is_constant || access_.context.is_constant(id)) return;
    TypeErrorReporter{access_.context, access_.visit, access_.report}.not_constant(id, name(row.bit));
  }

  // With a sampler, Lod is a float, because the sampler interpolates between levels. Without a sampler, Lod is the
  // number of a level.
  [[nodiscard]] Value lod_value() const { return access_.row.is(without_sampler) ? Value::Integer : Value::Float; }

  [[nodiscard]] bool is_scalar(Word id, TypeKind kind) const {
    const TypeRow& type = access_.context.type_of(id);
    return type.is(kind) && (type.width == 32 || is_half(type));
  }

  // SPV_AMD_gpu_shader_half_float_fetch allows 16-bit operands.
  [[nodiscard]] bool is_half(const TypeRow& scalar) const {
    return scalar.is(TypeKind::Float) && scalar.width == 16 && access_.context.has(Capability::Float16ImageAMD);
  }

  void refuse(const ImageOperandRow& row, AnyOperand id, std::string_view expected) {
    TypeErrorReporter{access_.context, access_.visit, access_.report}.operand(id, name(row.bit), expected);
  }

  // Offsets and derivatives have a component for each dimension of the image, but none for the layer.
  void check_components(const ImageOperandRow& row, AnyOperand id, TypeKind kind) {
    const TypeRow& type = access_.context.type_of(id);
    const bool is_fine = kind == TypeKind::Int
                             ? is_int32(access_.context, type)
                             : is_float32(access_.context, type) || is_half(access_.context.types.row(type.component));
    if (!is_fine) {
      refuse(row, id,
             kind == TypeKind::Int ? "a scalar or vector of 32-bit integers" : "a scalar or vector of 32-bit floats");
      return;
    }
    // The count must match exactly: unlike coordinates, offsets and derivatives take no extra components.
    const std::uint32_t expected = component_count(access_.image.dim);
    if (count_of(type) == expected) return;
    access_.report.add(Rule::ImageOperandCount, access_.visit.at(id),
                       {name(row.bit), access_.op(), std::to_string(count_of(type)), std::to_string(expected),
                        type_name(access_.context, access_.type.id)});
  }

  // Checks an array of four two-component offsets, one for each gathered texel. If the length of the array is a
  // specialization constant, its default is used.
  void check_four(const ImageOperandRow& row, AnyOperand id) {
    const Context& context = access_.context;
    const TypeRow& type = context.type_of(id);
    const TypeRow& element = context.types.row(type.element_row);
    const std::optional<std::uint64_t> length = context.constants.as_u64(type.length, ValueUse::OrDefault);
    const bool is_fine = type.is(TypeKind::Array) && length.value_or(4) == 4 && element.is(TypeKind::Vector) &&
                         element.count == 2 && is_int32(context, element);
    if (!is_fine) refuse(row, id, "an array of four vectors of two 32-bit integers");
  }

  // --- requirements between bits ---

  void check_offsets() {
    constexpr Word offsets = bits(Bit::Offset, Bit::ConstOffset, Bit::ConstOffsets, Bit::Offsets);
    const Word used = mask_ & ~misplaced_ & offsets;
    if (std::popcount(used) > 1) access_.report.add(Rule::OneOffset, place(), {access_.op(), names(used)});
    // Before HLSL legalization, Offset is accepted: legalization makes the operand constant.
    const bool is_excused = access_.row.is(Gathers) || access_.context.has(Feature::BeforeHlslLegalization);
    if (has(Bit::Offset) && access_.context.is_vulkan() && !is_excused) {
      access_.report.add(Rule::VulkanOffset, place(), {access_.op()});
      access_.report.hint("legal with the feature maintenance8 (--allow-offset-texture-operand)");
    }
  }

  // Lod excludes Grad and Bias. If Lod and Grad are missing, the finding is a warning: the specification requires one of
  // them, but SPIRV-Tools does not report it.
  void check_lod() {
    if (uses(Bit::Lod) && uses(Bit::Grad)) access_.report.add(Rule::LodAndGrad, place(), {access_.op()});
    // Only gather instructions allow both (SPV_AMD_texture_gather_bias_lod).
    if (uses(Bit::Lod) && uses(Bit::Bias)) access_.report.add(Rule::LodAndBias, place(), {access_.op()});
    // A misplaced bit is probably the one that should be Lod or Grad.
    if (access_.row.is(ExplicitLod) && misplaced_ == 0 && !has(Bit::Lod, Bit::Grad)) {
      access_.report.add(Rule::LodMissing, place(), {access_.op()});
    }
    if (access_.row.is(without_sampler) && access_.image.multisampled == 1 && !has(Bit::Sample)) {
      access_.report.add(Rule::SampleMissing, access_.at_image(), {access_.op()});
      access_.note_type(OperandName::ms);
    }
  }

  // MakeTexelAvailable and MakeTexelVisible need NonPrivateTexel: they apply to memory that other invocations access
  // (2.18.1).
  void check_privacy() {
    if (has(Bit::NonPrivateTexel)) return;
    for (const Bit bit : {Bit::MakeTexelAvailable, Bit::MakeTexelVisible}) {
      if (uses(bit)) access_.report.add(Rule::TexelNonPrivate, place(), {name(bit)});
    }
  }

  // SignExtend and ZeroExtend specify the extension of narrow texels to the texel type.
  void check_extension() {
    if (!has(Bit::SignExtend, Bit::ZeroExtend) || access_.texel == nullptr) return;
    // Only integers can be extended. ZeroExtend never yields a negative number, so it needs an unsigned type.
    const TypeRow& component = access_.context.types.row(access_.texel->component);
    const auto refuse_texel = [&](Bit bit, std::string_view expected) {
      access_.report.add(Rule::TexelExtension, place(),
                         {name(bit), expected, type_text(access_.context, access_.texel->id)});
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
    const Context& context = access_.context;
    const FormatRow format = format_row(access_.image.format);
    const TypeRow& sampled = context.types.of(access_.image.sampled_type);
    // Unknown formats and float formats have no signedness.
    if (!context.is_vulkan() || format.kind != TypeKind::Int || !sampled.is(TypeKind::Int)) return;
    const bool is_signed = has(Bit::SignExtend) || (!has(Bit::ZeroExtend) && sampled.is_signed);
    if (is_signed == format.is_signed) return;
    const bool is_extended = has(Bit::SignExtend, Bit::ZeroExtend);
    access_.report.add(Rule::ImageFormatType, is_extended ? place() : access_.at_image(),
                       {enumerant_text(context, access_.image.format), format.is_signed ? "signed" : "unsigned",
                        is_extended ? name(has(Bit::SignExtend) ? Bit::SignExtend : Bit::ZeroExtend)
                                    : "Sampled Type " + type_text(context, sampled.id)});
    access_.note_type(OperandName::image_format);
  }

  // The OpenCL environment allows only some image operands.
  void check_opencl() {
    if (!access_.context.is_opencl()) return;
    // Image reads, and sampling with an explicit level of detail, take no ConstOffset. OpImageWrite takes only
    // SignExtend and ZeroExtend.
    const bool is_constant_offset = has(Bit::ConstOffset) && access_.row.is(Reads | ExplicitLod);
    if (is_constant_offset) {
      access_.report.add(Rule::OpenClImageOperand, place(), {access_.op(), "image operand ConstOffset"});
    } else if (access_.row.is(Writes) && (mask_ & ~bits(Bit::SignExtend, Bit::ZeroExtend)) != 0) {
      const std::string found = names(mask_ & ~bits(Bit::SignExtend, Bit::ZeroExtend));
      access_.report.add(Rule::OpenClImageOperand, place(), {access_.op(), "image operand " + found});
    }
  }

  const ImageAccess& access_;
  const Word mask_;
  const Place place_;   // of the mask
  Word misplaced_ = 0;  // bits that this instruction does not allow
};

}  // namespace

void check_image_operands(const ImageAccess& access) {
  // All image instructions use the same name for the mask. An absent mask reads as 0.
  const ImageOperandsView operands(access.visit.view, access.visit.operand(OperandName::image_operands).word);
  OperandsCheck(access, operands).run({operands.parameters(), operands.word() + std::size_t{1}});
  for (const auto& offset : {operands.ConstOffset(), operands.ConstOffsets()}) {
    if (!offset) continue;
    check_texel_offset(access.context, access.visit, {*offset, offset->word}, access.row.is(Gathers), access.report);
  }
}

}  // namespace vireo::spirv
