// SPDX-License-Identifier: Apache-2.0
//
// Image operands: the mask behind image instructions, and what follows it (specification 3.14).
//
// The one idea: a bit is a row (image_operand_rows.h), judged by itself; what two bits demand of each other is the only thing
// that is not in the table.
#include <bit>

#include "spirv/validate/engine/complaint.h"
#include "spirv/validate/tables/bits.h"
#include "spirv/validate/tables/image_operand_rows.h"
#include "vireo/spirv/views/kinds/image_operands.h"

namespace vireo::spirv {
namespace {

using Bit = ImageOperands;
using Value = ImageOperandValue;

// Instructions that take texels by number: without a filter, with an explicit level, one sample at a time.
constexpr std::uint16_t without_sampler = Fetches | Reads | Writes;

class OperandsCheck {
 public:
  OperandsCheck(const ImageAccess& access, ImageOperandsView operands)
      : access_(access), mask_(static_cast<Word>(operands.value())), place_(access.visit.at(operands)) {}

  // Checks each bit by itself, then what bits demand of each other. `parameters` are the ids after the mask.
  void run(IdList<IdKind::Any> parameters) {
    // Rows ascend by bit, as the parameters do: the next one is always that of the row.
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
  // Whether the mask has one of these bits.
  [[nodiscard]] bool has(auto... any_of) const { return (mask_ & bits(any_of...)) != 0; }
  // The same, without bits that the instruction has no use for. Those are reported as such, and nothing else that they
  // break is: it would be right without them.
  [[nodiscard]] bool uses(auto... any_of) const { return (mask_ & ~misplaced_ & bits(any_of...)) != 0; }
  [[nodiscard]] Place place() const { return place_; }
  [[nodiscard]] std::string name(Bit bit) const { return enumerant_text(access_.context, "ImageOperands", bits(bit)); }

  // --- bit by bit ---

  // A minimum for the level of detail makes sense wherever that level is computed: from derivatives that are given, too.
  bool is_in_place(const ImageOperandRow& row) {
    if (access_.row.is(row.where) || (row.bit == Bit::MinLod && has(Bit::Grad))) return true;
    // Extensions let a bit stand at instructions that the core has not foreseen.
    for (const ImageOperandPlace& further : further_image_operand_places()) {
      const bool is_there = access_.row.is(further.where) && !access_.row.is(further.but);
      if (further.bit == row.bit && is_there && access_.context.has(further.capability)) return true;
    }
    access_.report.add(Rule::ImageOperandPlace, place(), {name(row.bit), access_.op(), row.places});
    return false;
  }

  // Levels of detail exist where images are mipmapped; offsets where a coordinate lies in a plane, which a cube's does not.
  void check_image(const ImageOperandRow& row) {
    const ImageShape& image = access_.image;
    // A dimension that is not known is the grammar's finding, and suits every bit here.
    if (any_dim.has(image.dim) && !row.dims.has(image.dim)) {
      access_.report.add(
          Rule::ImageDim, place(),
          {name(row.bit), enumerant_text(access_.context, image.dim), dims_text(access_.context, row.dims)});
    }
    // An instruction that takes no multisampled image says so itself.
    const bool takes_samples = access_.row.is(without_sampler);
    if (row.one_sample && takes_samples && image.multisampled != 0) {
      access_.report.add(Rule::ImageSamples, place(), {name(row.bit), "a multisampled", "one sample a texel"});
    }
    if (row.bit == Bit::Sample && image.multisampled == 0) {
      access_.report.add(Rule::ImageSamples, place(), {"Sample", "a single-sampled", "a multisampled one"});
    }
  }

  // The parameter of a bit, or the first of two. All scopes of a module are checked together, elsewhere.
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
    Complaint{access_.context, access_.visit, access_.report}.not_constant(id, name(row.bit));
  }

  // A sampler blends levels; without one a level is taken by its number.
  [[nodiscard]] Value lod_value() const { return access_.row.is(without_sampler) ? Value::Integer : Value::Float; }

  // An id without a type is reported elsewhere, so it passes.
  [[nodiscard]] bool is_scalar(Word id, TypeKind kind) const {
    const TypeRow* type = access_.context.type_of(id);
    return type == nullptr || (type->is(kind) && (type->width == 32 || is_half(*type)));
  }

  // SPV_AMD_gpu_shader_half_float_fetch has operands of 16 bits.
  [[nodiscard]] bool is_half(const TypeRow& scalar) const {
    return scalar.is(TypeKind::Float) && scalar.width == 16 && access_.context.has(Capability::Float16ImageAMD);
  }

  void refuse(const ImageOperandRow& row, AnyOperand id, std::string_view expected) {
    Complaint{access_.context, access_.visit, access_.report}.operand(id, name(row.bit), expected);
  }

  // Layers have no neighbours: an offset or derivative says nothing of them, so only dimensions count.
  void check_components(const ImageOperandRow& row, AnyOperand id, TypeKind kind) {
    const TypeRow* type = access_.context.type_of(id);
    if (type == nullptr) return;
    const bool is_fine = kind == TypeKind::Int ? is_int32(access_.context, *type)
                                               : is_float32(access_.context, *type) ||
                                                     is_half(access_.context.types.row(type->component));
    if (!is_fine) {
      refuse(row, id,
             kind == TypeKind::Int ? "a scalar or vector of 32-bit integers" : "a scalar or vector of 32-bit floats");
      return;
    }
    // Exactly as many: unlike coordinates, offsets and derivatives take no further components.
    const std::uint32_t expected = component_count(access_.image.dim);
    if (count_of(*type) == expected) return;
    access_.report.add(Rule::ImageOperandCount, access_.visit.at(id),
                       {name(row.bit), access_.op(), std::to_string(count_of(*type)), std::to_string(expected)});
  }

  // Four texels are gathered, each with an offset of its own in a plane. A length that specialization may change is taken.
  void check_four(const ImageOperandRow& row, AnyOperand id) {
    const Context& context = access_.context;
    const TypeRow* type = context.type_of(id);
    if (type == nullptr) return;
    const TypeRow& element = context.types.row(type->element_row);
    const std::optional<std::uint64_t> length = context.constants.as_u64(type->length, ValueUse::OrDefault);
    const bool is_fine = type->is(TypeKind::Array) && length.value_or(4) == 4 && element.is(TypeKind::Vector) &&
                         element.count == 2 && is_int32(context, element);
    if (!is_fine) refuse(row, id, "an array of four vectors of two 32-bit integers");
  }

  // --- what bits demand of each other ---

  void check_offsets() {
    constexpr Word offsets = bits(Bit::Offset, Bit::ConstOffset, Bit::ConstOffsets, Bit::Offsets);
    if (std::popcount(mask_ & ~misplaced_ & offsets) > 1) access_.report.add(Rule::OneOffset, place(), {access_.op()});
    // Legalization makes constants of what HLSL's front ends leave open.
    const bool is_excused = access_.row.is(Gathers) || access_.context.has(Feature::BeforeHlslLegalization);
    if (has(Bit::Offset) && access_.context.is_vulkan() && !is_excused) {
      access_.report.add(Rule::VulkanOffset, place(), {access_.op()});
    }
  }

  // A blended level and one that derivatives give exclude each other. That both are missing is a warning: the
  // specification wants one of them, and the reference lets it pass.
  void check_lod() {
    if (uses(Bit::Lod) && uses(Bit::Grad)) access_.report.add(Rule::LodAndGrad, place(), {access_.op()});
    if (access_.row.is(ExplicitLod) && !has(Bit::Lod, Bit::Grad)) {
      access_.report.add(Rule::LodMissing, place(), {access_.op()});
    }
    if (access_.row.is(without_sampler) && access_.image.multisampled == 1 && !has(Bit::Sample)) {
      access_.report.add(Rule::SampleMissing, access_.at_image(), {access_.op()});
    }
  }

  // Availability and visibility are about memory that others see (2.18.1).
  void check_privacy() {
    if (has(Bit::NonPrivateTexel)) return;
    for (const Bit bit : {Bit::MakeTexelAvailable, Bit::MakeTexelVisible}) {
      if (uses(bit)) access_.report.add(Rule::TexelNonPrivate, place(), {name(bit)});
    }
  }

  // Extension chooses how the bits of narrow texels become the wider ones that code works with.
  void check_extension() {
    if (!has(Bit::SignExtend, Bit::ZeroExtend) || access_.texel == nullptr) return;
    // Only integers are extended by a sign or by zeros; zeros in front make a number that is never negative.
    const TypeRow& component = access_.context.types.row(access_.texel->component);
    const auto refuse_texel = [&](Bit bit, std::string_view expected) {
      access_.report.add(Rule::TexelExtension, place(),
                         {name(bit), type_text(access_.context, access_.texel->id), expected});
    };
    if (!component.is(TypeKind::Int)) {
      refuse_texel(has(Bit::SignExtend) ? Bit::SignExtend : Bit::ZeroExtend, "integers");
    } else if (has(Bit::ZeroExtend) && component.is_signed) {
      refuse_texel(Bit::ZeroExtend, "integers without a sign");
    }
  }

  // The format has a sign or has none; the sampled type says which is meant, or the extension in its place.
  void check_sign() {
    const Context& context = access_.context;
    const FormatRow format = format_row(access_.image.format);
    const TypeRow& sampled = context.types.of(access_.image.sampled_type);
    // A format that is unknown, or of floats, has no sign to agree with.
    if (!context.is_vulkan() || format.kind != TypeKind::Int || !sampled.is(TypeKind::Int)) return;
    const bool is_signed = has(Bit::SignExtend) || (!has(Bit::ZeroExtend) && sampled.is_signed);
    if (is_signed == format.is_signed) return;
    access_.report.add(
        Rule::ImageFormatType, access_.at_image(),
        {access_.op() + " of an image", enumerant_text(context, access_.image.format),
         type_text(context, sampled.id) + (has(Bit::SignExtend, Bit::ZeroExtend) ? " that are extended" : ""),
         format.is_signed ? "signed integers" : "unsigned integers"});
  }

  // OpenCL's environment names what its images can do; the rest is of shaders.
  void check_opencl() {
    if (!access_.context.is_opencl()) return;
    // Kernels read at the coordinate itself, and write without any operand but the two that extend.
    const bool is_constant_offset = has(Bit::ConstOffset) && access_.row.is(Reads | ExplicitLod);
    if (is_constant_offset) {
      access_.report.add(Rule::OpenClImageOperand, place(), {"ConstOffset", access_.op()});
    } else if (access_.row.is(Writes) && (mask_ & ~bits(Bit::SignExtend, Bit::ZeroExtend)) != 0) {
      access_.report.add(Rule::OpenClImageOperand, place(), {"an image operand", access_.op()});
    }
  }

  const ImageAccess& access_;
  const Word mask_;
  const Place place_;   // of the mask
  Word misplaced_ = 0;  // bits that the instruction has no use for
};

}  // namespace

void check_image_operands(const ImageAccess& access) {
  // All image instructions call the mask the same. An absent mask reads as 0.
  const ImageOperandsView operands(access.visit.view, access.visit.operand(OperandName::image_operands).word);
  OperandsCheck(access, operands).run({operands.parameters(), operands.word() + std::size_t{1}});
}

}  // namespace vireo::spirv
