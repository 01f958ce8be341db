// SPDX-License-Identifier: Apache-2.0
//
// The home of TextSink, the base of all sinks (vireo/support/text_writer.h).
//
// The one idea: compilers put the virtual table and the type information of a class where its first virtual function
// that is not inline is defined. So they are in libvireo alone, and a sink from anywhere has the same base.
#include "vireo/support/text_writer.h"

namespace vireo {

TextSink::~TextSink() = default;

}  // namespace vireo
