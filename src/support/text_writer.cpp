// SPDX-License-Identifier: Apache-2.0
//
// Defines the virtual functions of TextSink and StringSink (vireo/support/text_writer.h).
//
// Compilers emit the vtable and the type information of a class in the file that defines its first
// non-inline virtual function. So only libvireo contains them, and all sinks have the same base class at run time.
#include "vireo/support/text_writer.h"

namespace vireo {

TextSink::~TextSink() = default;

// Reserves the memory, because growth by doubling would copy a long text several times.
void StringSink::expect(std::uint64_t bytes) { text_.reserve(text_.size() + bytes); }

}  // namespace vireo
