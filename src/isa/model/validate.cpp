// SPDX-License-Identifier: Apache-2.0
#include "isa/model/draft.h"
namespace vireo::isa {
void validate(Draft&, const Model&) {}
}
