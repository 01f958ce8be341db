// SPDX-License-Identifier: Apache-2.0
//
// The small descriptions that a door of instruction sets is tried with.
//
// The one idea: an input is short, so a description that it could name is small; its first byte chooses one. All are made
// once, when the first input comes.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "vireo/isa/isa.h"

namespace vireo::isa {

/// A description, decoded in generation 0, and what the door makes of it.
template <typename Door>
struct Language {
  LoadedModel loaded;
  std::unique_ptr<Decoder> decoder;
  std::unique_ptr<Door> door;
};

/// `open` makes a door of a decoder. One that does not load is our own mistake.
template <typename Door, typename Open>
std::vector<Language<Door>> make_languages(std::span<const std::string_view> descriptions, Open open) {
  std::vector<Language<Door>> languages(descriptions.size());
  for (std::size_t i = 0; i < languages.size(); ++i) {
    Language<Door>& language = languages[i];
    language.loaded = load_model_text("fuzz.xml", std::string(descriptions[i]));
    if (!language.loaded.ok()) std::abort();
    language.decoder = std::make_unique<Decoder>(language.loaded.model, DecodeOptions{});
    language.door = open(*language.decoder);
  }
  return languages;
}

/// The language that the first byte of an input chooses; the rest is what the door is given. The input is not empty.
template <typename Door>
Language<Door>& chosen(std::vector<Language<Door>>& languages, std::string_view& input) {
  Language<Door>& language = languages[static_cast<std::uint8_t>(input.front()) % languages.size()];
  input.remove_prefix(1);
  return language;
}

}  // namespace vireo::isa
