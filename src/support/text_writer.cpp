// SPDX-License-Identifier: Apache-2.0
//
// Where the class of all sinks stands (vireo/support/text_writer.h).
//
// The one idea: a class with virtual functions belongs to the file that has the first one that is not inline. So its table
// and its type are in libvireo alone, and a sink that was made by somebody else is the same class everywhere.
#include "vireo/support/text_writer.h"

namespace vireo {

TextSink::~TextSink() = default;

}  // namespace vireo
