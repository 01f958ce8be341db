// SPDX-License-Identifier: Apache-2.0
//
// Reading of recorded answers, see the header.
#include "isa/vectors/vectors.h"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <optional>
#include <stdexcept>

#include "outside.h"
#include "support/json.h"

namespace vireo::isa {
namespace {

std::string three_digits(std::string_view, std::uint64_t value) {
  char text[32];
  std::snprintf(text, sizeof text, "0x%03llx", static_cast<unsigned long long>(value));
  return text;
}

std::string low_word(const std::string& word) {
  return word.substr(word.size() - std::min<std::size_t>(word.size(), 8));
}

std::string index_and_words(std::size_t at, const std::string& word) {
  char text[64];
  std::snprintf(text, sizeof text, "%3zu[%s_%s] ", at, word.substr(0, 8).c_str(), word.substr(8).c_str());
  return text;
}

std::vector<std::pair<std::string, std::size_t>> read_entrypoints(std::string_view text) {
  std::vector<std::pair<std::string, std::size_t>> entrypoints;
  while (!text.empty()) {
    const std::string_view one = text.substr(0, text.find(','));
    const std::size_t colon = one.find(':');
    entrypoints.emplace_back(one.substr(0, colon), std::stoul(std::string(one.substr(colon + 1))));
    text.remove_prefix(std::min(one.size() + 1, text.size()));
  }
  return entrypoints;
}

void read_options(JsonValue options, Request& request) {
  std::vector<std::string> words;
  for (const JsonValue word : options.elements()) words.emplace_back(word.text());
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "-l") request.labels = true;
    if (words[i] == "-q") request.errors = false;
    if (words[i] == "-M") request.max_errors = static_cast<unsigned>(std::stoul(words.at(++i)));
    if (words[i] == "-E") request.entrypoints = read_entrypoints(words.at(++i));
    if (words[i] == "-n") request.no_match = [](const std::string& word) { return "[" + low_word(word) + "]\n"; };
    if (words[i] == "-L") request.before = index_and_words;
  }
}

}  // namespace

std::filesystem::path vectors_of(std::filesystem::path description) { return description.replace_extension(".jsonl"); }

std::vector<std::filesystem::path> teaching_descriptions() {
  namespace fs = std::filesystem;
  std::vector<fs::path> found;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(outside::source_folder() / "data/isa")) {
    if (entry.path().extension() == ".xml" && fs::exists(vectors_of(entry.path()))) found.push_back(entry.path());
  }
  std::sort(found.begin(), found.end());  // the order of a folder's entries depends on the machine
  return found;
}

std::vector<std::uint8_t> read_bytes(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) throw std::runtime_error("cannot read " + file.string());
  return {std::istreambuf_iterator<char>(stream), {}};
}

void append_word(std::vector<std::uint8_t>& bytes, std::string_view hex) {
  for (std::size_t end = hex.size(); end > 0; end -= 2)
    bytes.push_back(static_cast<std::uint8_t>(std::stoul(std::string(hex.substr(end - 2, 2)), nullptr, 16)));
}

std::vector<Vector> read_vectors(const std::filesystem::path& file, std::string_view text_key) {
  std::ifstream stream(file);
  if (!stream) throw std::runtime_error("cannot read " + file.string());
  std::vector<Vector> vectors;
  std::string line;
  for (std::size_t number = 1; std::getline(stream, line); ++number) {
    JsonFault fault;
    const std::optional<JsonDocument> document = JsonDocument::parse(line, fault);
    if (!document) throw std::runtime_error(file.string() + ": " + fault.message);
    const JsonValue root = document->root();
    const JsonValue text = root.find(text_key);
    if (!text.is(JsonType::String) || text.text().starts_with("raw 0x")) continue;

    Vector vector;
    vector.where = file.filename().string() + ":" + std::to_string(number);
    vector.isa = root.find("isa").text();
    vector.text = text.text();
    vector.request.gen = static_cast<std::uint32_t>(root.find("gen").integer().value_or(0));
    vector.request.custom = three_digits;
    read_options(root.find("options"), vector.request);
    read_options(root.find("flags"), vector.request);
    if (root.find("hex").is(JsonType::Array)) {
      for (const JsonValue word : root.find("hex").elements()) append_word(vector.bytes, word.text());
    } else {
      append_word(vector.bytes, root.find("hex").text());
      vector.text += "\n";
    }
    vectors.push_back(std::move(vector));
  }
  return vectors;
}

}  // namespace vireo::isa
