// SPDX-License-Identifier: Apache-2.0
//
// What stands behind the handles of vireo_isa.h: as in c/handles.h, a struct around each C++ object.
#pragma once

#include "c/handles.h"
#include "vireo/isa/decode.h"
#include "vireo/isa/load.h"

// Never changes once made. Decoders refer to it, so it outlives them, which is up to the caller.
struct vireo_isa {
  vireo::isa::Model model;
};

// One generation of a description, compiled. Refers to the model within its vireo_isa.
struct vireo_decoder {
  vireo::isa::Decoder decoder;
};

// Keeps its memory from word to word. It may be asked before it was ever decoded with, hence the null.
struct vireo_decoded {
  vireo::isa::Decoded decoded;
  const vireo::isa::Model* model = nullptr;  // that it was last decoded with; null: not yet
};
