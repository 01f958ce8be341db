// SPDX-License-Identifier: Apache-2.0
//
// Anchors the classes TextSink and StringSink (vireo/support/text_writer.h) in libvireo.
//
// The one idea: compilers emit the vtable and the type information of a class where its first non-inline virtual
// function is defined. So they are in libvireo alone, and every sink has the same base class.
#include "vireo/support/text_writer.h"

namespace vireo {

TextSink::~TextSink() = default;

// Growth by doubling would touch and copy every page of a long text again.
void StringSink::expect(std::uint64_t bytes) { text_.reserve(text_.size() + bytes); }

}  // namespace vireo
