// SPDX-License-Identifier: Apache-2.0
//
// Small descriptions of instruction sets for the fuzz targets.
//
// Inputs are short, so the descriptions are small; the first byte of an input selects one. All are
// created once, for the first input.
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

/// A description, its decoder for generation 0, and the object under test.
template <typename Target>
struct Language {
  LoadedModel loaded;
  std::unique_ptr<Decoder> decoder;
  std::unique_ptr<Target> target;
};

/// `open` creates the object under test from a decoder. Aborts if a description does not load.
template <typename Target, typename Open>
std::vector<Language<Target>> make_languages(std::span<const std::string_view> descriptions, Open open) {
  std::vector<Language<Target>> languages(descriptions.size());
  for (std::size_t i = 0; i < languages.size(); ++i) {
    Language<Target>& language = languages[i];
    language.loaded = load_model_text("fuzz.xml", std::string(descriptions[i]));
    if (!language.loaded.ok()) std::abort();
    language.decoder = std::make_unique<Decoder>(language.loaded.model, DecodeOptions{});
    language.target = open(*language.decoder);
  }
  return languages;
}

/// Selects the language by the first byte of an input and removes that byte. The input must not be empty.
template <typename Target>
Language<Target>& chosen(std::vector<Language<Target>>& languages, std::string_view& input) {
  Language<Target>& language = languages[static_cast<std::uint8_t>(input.front()) % languages.size()];
  input.remove_prefix(1);
  return language;
}

}  // namespace vireo::isa
