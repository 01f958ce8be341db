// SPDX-License-Identifier: Apache-2.0
//
// The definitions of the handles of vireo_isa.h. As in c/handles.h, a struct wraps each C++ object.
#pragma once

#include "c/handles.h"
#include "vireo/isa/decode.h"
#include "vireo/isa/load.h"

// Immutable. Decoders refer to it, and the caller must keep it alive for them.
struct vireo_isa {
  vireo::isa::Model model;
};

// One generation of a description, compiled. Refers to the model in its vireo_isa.
struct vireo_decoder {
  vireo::isa::Decoder decoder;
};

// Keeps its memory between words. It may be queried before the first decoding, so the model may be null.
struct vireo_decoded {
  vireo::isa::Decoded decoded;
  const vireo::isa::Model* model = nullptr;  // model of the last decoding; null: none yet
};
