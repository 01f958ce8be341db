// SPDX-License-Identifier: Apache-2.0
//
// The home of TextSink, the base of all sinks, and of StringSink (vireo/support/text_writer.h).
//
// The one idea: compilers put the virtual table and the type information of a class where its first virtual function
// that is not inline is defined. So they are in libvireo alone, and a sink from anywhere has the same base.
#include "vireo/support/text_writer.h"

namespace vireo {

TextSink::~TextSink() = default;

// Growing by doubling would touch and move every page of a long text again.
void StringSink::expect(std::uint64_t bytes) { text_.reserve(text_.size() + bytes); }

}  // namespace vireo
