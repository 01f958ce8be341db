// SPDX-License-Identifier: Apache-2.0
//
// The tables of image_operand_rows.h.
#include "spirv/validate/tables/image_operand_rows.h"

namespace vireo::spirv {
namespace {

using Bit = ImageOperands;
using Value = ImageOperandValue;

constexpr std::uint16_t anywhere = 0xFFFF;
constexpr std::uint16_t without_sampler = Fetches | Reads | Writes;
constexpr std::string_view implicit = "with an implicit level of detail";
constexpr std::string_view implicit_or_grad = "with an implicit level of detail or Grad";
constexpr std::string_view reading = "in OpImageRead and OpImageSparseRead";
constexpr std::string_view no_sampler = "in instructions that fetch, read or write texels";
constexpr std::string_view writing = "in OpImageWrite";
constexpr std::string_view gathering = "in gather instructions";
constexpr std::string_view given = "with an explicit level of detail";
constexpr std::string_view given_or_fetch = "with an explicit level of detail and in fetches";
// clang-format off
constexpr ImageOperandRow rows[] = {
    {Bit::Bias,               Value::Float,       false, true,  ImplicitLod,           mipmapped_dims, implicit},
    {Bit::Lod,                Value::Lod,         false, true,  ExplicitLod | Fetches, mipmapped_dims, given_or_fetch},
    {Bit::Grad,               Value::Derivatives, false, true,  ExplicitLod,           any_dim,        given},
    {Bit::ConstOffset,        Value::Offset,      true,  false, anywhere,              all_but_cube,   ""},
    {Bit::Offset,             Value::Offset,      false, false, anywhere,              all_but_cube,   ""},
    {Bit::ConstOffsets,       Value::Offsets,     true,  false, Gathers,               all_but_cube,   gathering},
    {Bit::Sample,             Value::Integer,     false, false, without_sampler,       any_dim,        no_sampler},
    {Bit::MinLod,             Value::Float,       false, true,  ImplicitLod,           mipmapped_dims, implicit_or_grad},
    {Bit::MakeTexelAvailable, Value::Scope,       false, false, Writes,                any_dim,        writing},
    {Bit::MakeTexelVisible,   Value::Scope,       false, false, Reads,                 any_dim,        reading},
    {Bit::Offsets,            Value::Offsets,     false, false, Gathers,               all_but_cube,   gathering},
};
// clang-format on

constexpr ImageOperandPlace further_places[] = {
    {Bit::Bias, Gathers, Compares, Capability::ImageGatherBiasLodAMD},
    {Bit::Lod, Gathers, Compares, Capability::ImageGatherBiasLodAMD},
    {Bit::Lod, Reads | Writes, 0, Capability::ImageReadWriteLodAMD},
};

}  // namespace

std::span<const ImageOperandRow> image_operand_rows() { return rows; }
std::span<const ImageOperandPlace> further_image_operand_places() { return further_places; }

}  // namespace vireo::spirv
