// SPDX-License-Identifier: Apache-2.0
//
// The forms for machines; render.h is the door to them.
#pragma once

#include <memory>

#include "support/render.h"

namespace vireo {

std::unique_ptr<Renderer> make_json_renderer(TextSink& sink);
std::unique_ptr<Renderer> make_sarif_renderer(const RenderOptions& options, TextSink& sink);
std::unique_ptr<Renderer> make_github_renderer(TextSink& sink);

}  // namespace vireo
