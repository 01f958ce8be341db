// SPDX-License-Identifier: Apache-2.0
//
// judge ENVIRONMENT FILE: validates a module for an environment ("vulkan1.3") and prints what is wrong with it, where that
// stands in the disassembly. Exit status 1 when there is an error.
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>

#include "vireo/spirv/environment.h"
#include "vireo/spirv/listing.h"
#include "vireo/spirv/reader.h"
#include "vireo/spirv/validate.h"

namespace {

using namespace vireo;
using namespace vireo::spirv;

// A place that is none is one of the header, which stands in no line.
void print(const LineIndex& lines, const Location& where, std::string_view message) {
  const std::uint64_t line = where.kind == Location::Kind::Text ? lines.locate(where.begin).line : 0;
  const std::string_view text = lines.line(line);
  std::printf("%llu: %.*s\n", static_cast<unsigned long long>(line), static_cast<int>(message.size()), message.data());
  if (!text.empty()) std::printf("    %.*s\n", static_cast<int>(text.size()), text.data());
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 3) return 2;
  std::ifstream file(arguments[2], std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  Diagnostics diagnostics;
  const Result<ModuleWords> words = read_module_words(bytes, diagnostics);
  if (!words) return 1;

  Listing listing(words->words());
  ValidateOptions options;
  options.environment = find_environment(arguments[1]);
  options.name_of_id = [&](Word id) { return listing.name_of(id); };
  const bool is_valid = validate(words->words(), options, diagnostics);

  const Diagnostics in_text = listing.point_into_text(diagnostics);
  const LineIndex lines(listing.text());
  for (const Diagnostic& diagnostic : in_text.all()) {
    print(lines, diagnostic.where, std::string(diagnostic.rule) + ": " + diagnostic.message);
    for (const Note& note : diagnostic.notes) print(lines, note.where, "  note: " + note.message);
  }
  return is_valid ? 0 : 1;
}
