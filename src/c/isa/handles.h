// SPDX-License-Identifier: Apache-2.0
//
// What stands behind the handles of vireo_isa.h: as in c/handles.h, a struct around each C++ object.
#pragma once

#include "c/handles.h"
#include "vireo/isa/decode.h"
#include "vireo/isa/load.h"

struct vireo_isa {
  vireo::isa::Model model;
};

struct vireo_decoder {
  vireo::isa::Decoder decoder;
};

struct vireo_decoded {
  vireo::isa::Decoded decoded;
  const vireo::isa::Model* model = nullptr;  // that it was last decoded with; null: not yet
};
