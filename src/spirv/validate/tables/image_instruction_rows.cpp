// SPDX-License-Identifier: Apache-2.0
//
// The rows of image instructions.
//
// Source: specification 3.42.10 (image instructions).
#include "spirv/validate/tables/image_instruction_rows.h"

#include <algorithm>
#include <iterator>

#include "spirv/grammar/opcode_families.h"
#include "spirv/validate/core/by_opcode.h"

namespace vireo::spirv {
namespace {

using enum Op;

using Source = ImageSource;
using Texel = TexelForm;
using Coordinate = CoordinateKind;

constexpr DimSet gathered_dims(Dim::Dim2D, Dim::Cube, Dim::Rect);
constexpr DimSet stored_dims(Dim::Dim1D, Dim::Dim2D, Dim::Dim3D, Dim::Cube, Dim::Rect, Dim::Buffer);
constexpr DimSet read_dims(Dim::Dim1D, Dim::Dim2D, Dim::Dim3D, Dim::Cube, Dim::Rect, Dim::Buffer, Dim::SubpassData);

// clang-format off
constexpr ImageInstruction instruction_rows[] = {
    // --- sampling ---
    {OpImageSampleImplicitLod,            Source::SampledImage, Texel::Vector, Coordinate::Float, any_dim, ImplicitLod},
    {OpImageSampleExplicitLod,            Source::SampledImage, Texel::Vector, Coordinate::FloatUnlessKernel, any_dim,
                                                                                                          ExplicitLod},
    {OpImageSampleDrefImplicitLod,        Source::SampledImage, Texel::Scalar, Coordinate::Float, any_dim,
                                                                                               ImplicitLod | Compares},
    {OpImageSampleDrefExplicitLod,        Source::SampledImage, Texel::Scalar, Coordinate::Float, any_dim,
                                                                                               ExplicitLod | Compares},
    {OpImageSampleProjImplicitLod,        Source::SampledImage, Texel::Vector, Coordinate::Float, flat_dims,
                                                                                             ImplicitLod | Projective},
    {OpImageSampleProjExplicitLod,        Source::SampledImage, Texel::Vector, Coordinate::Float, flat_dims,
                                                                                             ExplicitLod | Projective},
    {OpImageSampleProjDrefImplicitLod,    Source::SampledImage, Texel::Scalar, Coordinate::Float, flat_dims,
                                                                                  ImplicitLod | Projective | Compares},
    {OpImageSampleProjDrefExplicitLod,    Source::SampledImage, Texel::Scalar, Coordinate::Float, flat_dims,
                                                                                  ExplicitLod | Projective | Compares},
    {OpImageSparseSampleImplicitLod,      Source::SampledImage, Texel::Vector, Coordinate::Float, any_dim,
                                                                                                 ImplicitLod | Sparse},
    {OpImageSparseSampleExplicitLod,      Source::SampledImage, Texel::Vector, Coordinate::FloatUnlessKernel, any_dim,
                                                                                                 ExplicitLod | Sparse},
    {OpImageSparseSampleDrefImplicitLod,  Source::SampledImage, Texel::Scalar, Coordinate::Float, any_dim,
                                                                                      ImplicitLod | Compares | Sparse},
    {OpImageSparseSampleDrefExplicitLod,  Source::SampledImage, Texel::Scalar, Coordinate::Float, any_dim,
                                                                                      ExplicitLod | Compares | Sparse},

    // --- gathering ---
    {OpImageGather,                       Source::SampledImage, Texel::Vector, Coordinate::Float, gathered_dims,
                                                                                                              Gathers},
    {OpImageDrefGather,                   Source::SampledImage, Texel::Vector, Coordinate::Float, gathered_dims,
                                                                                                   Gathers | Compares},
    {OpImageSparseGather,                 Source::SampledImage, Texel::Vector, Coordinate::Float, gathered_dims,
                                                                                                     Gathers | Sparse},
    {OpImageSparseDrefGather,             Source::SampledImage, Texel::Vector, Coordinate::Float, gathered_dims,
                                                                                          Gathers | Compares | Sparse},
    {OpImageGatherQCOM,                   Source::SampledImage, Texel::Vector, Coordinate::Float, gathered_dims,
                                                                                                              Gathers},

    // --- texels without a sampler ---
    {OpImageFetch,                        Source::Image, Texel::Vector, Coordinate::Integer, all_but_cube, Fetches},
    {OpImageSparseFetch,                  Source::Image, Texel::Vector, Coordinate::Integer, all_but_cube,
                                                                                                     Fetches | Sparse},
    {OpImageRead,                         Source::Image, Texel::Any, Coordinate::FloatOrInteger, read_dims, Reads},
    {OpImageSparseRead,                   Source::Image, Texel::Any, Coordinate::FloatOrInteger, stored_dims,
                                                                                                     Reads | Sparse},
    {OpImageWrite,                        Source::Image, Texel::None, Coordinate::FloatOrInteger, stored_dims, Writes},
};
constexpr auto instructions = by_opcode(instruction_rows);

// clang-format on

}  // namespace

const ImageInstruction* find_image_instruction(Op op) { return find_row(instructions, op); }

bool takes_sampled_image(Op op) {
  const ImageInstruction* row = find_image_instruction(op);
  if (row != nullptr) return row->source == ImageSource::SampledImage;
  return is_one_of({OpImage, OpImageQueryLod, OpCopyObject, OpImageSampleFootprintNV, OpConvertSampledImageToUNV},
                   op) ||
         is_one_of(image_processing, op);
}

}  // namespace vireo::spirv
