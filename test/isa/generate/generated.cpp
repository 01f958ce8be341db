// SPDX-License-Identifier: Apache-2.0
//
// Generated programs: those that are linked, and those that are compiled on request (generated.h).
#include "isa/generate/generated.h"

#include <map>
#include <stdexcept>

#include "isa/generate/compiled.h"
#include "vireo/isa/bits.h"
#include "vireo/isa/generate.h"
#include "vireo/isa/load.h"

namespace vireo::isa {
namespace {

namespace fs = std::filesystem;

// --- a request for generated code ----------------------------------------------------------------------------------------

std::string hex_of(const std::uint64_t* words, std::uint32_t bits) {
  std::string text;
  append_hex(text, {words, words_for(bits)}, bits);
  return text;
}

// The size of a callback's text is bounded; a longer text is an error of the test.
std::size_t copied(const std::string& answer, char* text) {
  constexpr std::size_t callback_room = 256;
  if (answer.size() > callback_room) throw std::length_error("a callback's text is too long: " + answer);
  return answer.copy(text, callback_room);
}

const Request& request_of(void* user) { return *static_cast<const Request*>(user); }

std::string run(const generated_program& program, std::span<const std::uint8_t> bytes, const Request& request) {
  std::vector<generated_entry> entries;
  for (const auto& [name, offset] : request.entrypoints) entries.push_back({name.c_str(), offset});
  generated_request wanted{};
  wanted.gen = request.gen;
  wanted.hide_errors = !request.errors;
  wanted.branch_labels = request.labels;
  wanted.max_errors = request.max_errors;
  wanted.entries = entries.data();
  wanted.entry_count = entries.size();
  wanted.user = const_cast<Request*>(&request);
  if (request.custom) {
    wanted.custom = [](void* user, const char* field, std::uint64_t value, char* text) {
      return copied(request_of(user).custom(field, value), text);
    };
  }
  if (request.before) {
    wanted.before = [](void* user, std::uint64_t index, const std::uint64_t* words, std::uint32_t bits, char* text) {
      return copied(request_of(user).before(static_cast<std::size_t>(index), hex_of(words, bits)), text);
    };
  }
  if (request.after) {
    wanted.after = [](void* user, std::uint64_t index, const std::uint64_t* words, std::uint32_t bits, char* text) {
      return copied(request_of(user).after(static_cast<std::size_t>(index), hex_of(words, bits)), text);
    };
  }
  if (request.no_match) {
    wanted.no_match = [](void* user, std::uint64_t, const std::uint64_t* words, std::uint32_t bits, char* text) {
      return copied(request_of(user).no_match(hex_of(words, bits)), text);
    };
  }
  std::string text;
  const generated_sink append = [](void* user, const char* data, std::size_t size) {
    static_cast<std::string*>(user)->append(data, size);
    return true;
  };
  program.print(bytes.data(), bytes.size(), &wanted, append, &text);
  return text;
}

// --- compiling -----------------------------------------------------------------------------------------------------------

std::string generate(const fs::path& description, Manner manner, GeneratedLanguage language) {
  const bool is_mesa = manner == Manner::Mesa;
  const LoadedModel loaded = load_model(description.string(), {.mesa_compat = is_mesa, .read = {}});
  Diagnostics diagnostics;
  const GenerateOptions options{.language = language, .name = "made", .gens = {}, .mesa_compat = is_mesa};
  Result<std::string> source = generate_disassembler(loaded.model, options, diagnostics);
  if (!source)
    throw std::runtime_error("cannot generate " + description.string() + ": " + diagnostics.all()[0].message);
  return *std::move(source);
}

const generated_program* compile(const fs::path& description, Manner manner, bool is_cpp) {
  const std::string stem = description.stem().string() + (manner == Manner::Mesa ? "_mesa" : "_clean");
  std::string text = "#define MADE_IMPLEMENTATION\n";
  text += generate(description, manner, is_cpp ? GeneratedLanguage::Cpp : GeneratedLanguage::C);
  text += is_cpp ? "#define GENERATED(part) made::part\n" : "#define GENERATED(part) made_##part\n";
  text += "#define GENERATED_ROW made_program\n#define DESCRIPTION \"" + description.filename().string() + "\"\n";
  text += std::string("#define LANGUAGE \"") + (is_cpp ? "c++" : "c") + "\"\n";
  // The source changes if the adapter changes.
  const fs::path adapters = fs::path(VIREO_SOURCE_DIR) / "test/isa/generate";
  const std::string face = text_of(adapters / "generated_face.h") + text_of(adapters / "generated_adapter.inc");
  text +=
      "#include \"isa/generate/generated_adapter.inc\"\n// " + std::to_string(std::hash<std::string>{}(face)) + "\n";
  // Random descriptions can compare an expression with itself, which compilers warn about.
  const bool is_made_up = stem.starts_with("random-");
  const SourceCode code{.stem = stem,
                        .text = text,
                        .is_cpp = is_cpp,
                        .standard = is_cpp ? "-std=c++20" : "-std=c11",
                        .flags = is_made_up ? "-O0 -w" : "-O1 -Wall -Wextra -Wconversion -Werror"};
  const void* row = compiled_symbol(code, "made_program");
  return static_cast<const generated_program*>(row);
}

}  // namespace

std::vector<const generated_program*> generated_programs(const fs::path& description, Manner manner) {
  // Loaded once in each process and kept.
  static std::map<std::pair<fs::path, Manner>, std::vector<const generated_program*>> made;
  std::vector<const generated_program*>& programs = made[{description, manner}];
  if (!programs.empty()) return programs;
  const bool is_ours = description.parent_path().string().starts_with(VIREO_SOURCE_DIR);
  for (const generated_program* program : built_programs()) {
    if (is_ours && description.filename() == program->description) programs.push_back(program);
  }
  if (programs.empty()) programs = {compile(description, manner, true), compile(description, manner, false)};
  return programs;
}

Disassembler generated_disassembler(const generated_program& program) {
  return {
      std::string("generated ") + program.language,
      [&program](std::span<const std::uint8_t> bytes, const Request& request) { return run(program, bytes, request); }};
}

}  // namespace vireo::isa
