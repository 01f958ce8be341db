// SPDX-License-Identifier: Apache-2.0
//
// gen_tables: generates the committed tables and enumerations from grammar JSON.
//
//   gen_tables --headers DIR --out REPO   writes them (DIR has spirv.core.grammar.json and extinst.*.grammar.json)
//   gen_tables --headers DIR --check REPO compares them except the source's name; exit status 1 if one is stale
//   --source TEXT                         the name of the source in the banner; default: the grammar's own version
//
// The loader does all the work; this program only prints the result. docs/tables.md has more.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "spirv/grammar/emit/emit_builder.h"
#include "spirv/grammar/emit/emit_tables.h"
#include "spirv/grammar/emit/emit_views.h"
#include "vireo/spirv/grammar/grammar_loader.h"

namespace {

namespace fs = std::filesystem;
using namespace vireo;
using namespace vireo::spirv;

struct Options {
  fs::path headers;
  fs::path repository;
  std::string source;
  bool is_check = false;
};

struct Document {
  std::string name;
  std::string text;
};

std::optional<std::string> read_file(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream) return std::nullopt;
  return std::string(std::istreambuf_iterator<char>(stream), {});
}

/// The core grammar first, then the extended sets in the order of their names.
std::vector<Document> read_documents(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with("extinst.") && name.ends_with(".grammar.json")) names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  names.insert(names.begin(), "spirv.core.grammar.json");
  std::vector<Document> documents;
  for (const std::string& name : names) {
    std::optional<std::string> text = read_file(folder / name);
    if (!text) {
      std::fprintf(stderr, "gen_tables: cannot read %s\n", (folder / name).c_str());
      return {};
    }
    documents.push_back({name, std::move(*text)});
  }
  return documents;
}

// An unchanged file keeps its time stamp, so nothing is recompiled.
bool store(const fs::path& path, const std::string& text) {
  if (read_file(path) == text) return true;
  std::error_code error;
  fs::create_directories(path.parent_path(), error);
  std::ofstream stream(path, std::ios::binary);
  stream.write(text.data(), static_cast<std::streamsize>(text.size()));
  return static_cast<bool>(stream.flush());
}

// Removes the line with the name of the source: if only the source differs, a table is not stale.
std::string without_source(std::string text) {
  const std::size_t begin = text.find("// From ");
  if (begin != std::string::npos) text.erase(begin, text.find('\n', begin) - begin);
  return text;
}

int run(const Options& options) {
  const std::vector<Document> documents = read_documents(options.headers);
  if (documents.empty()) return 3;
  std::vector<GrammarFile> files;
  files.reserve(documents.size());
  for (const Document& document : documents) files.push_back({document.name, document.text, ""});

  Diagnostics diagnostics;
  const Result<GrammarData> data = load_grammar(files, nullptr, diagnostics);
  for (const Diagnostic& d : diagnostics.all()) {
    std::fprintf(stderr, "%s: %s [%.*s]\n", d.path.c_str(), d.message.c_str(), static_cast<int>(d.rule.size()),
                 d.rule.data());
  }
  if (!data) return 1;

  const Grammar& grammar = data->grammar();
  std::string source = options.source;
  if (source.empty()) {
    source = "the grammar documents of SPIR-V " + std::to_string(grammar.major_version) + '.' +
             std::to_string(grammar.minor_version) + " revision " + std::to_string(grammar.revision);
  }
  const GeneratedBanner banner{source};
  std::vector<GeneratedFile> generated = emit_tables(grammar, banner);
  generated.push_back(emit_enums(grammar, banner));
  for (GeneratedFile& file : emit_builder(grammar, banner)) generated.push_back(std::move(file));
  for (GeneratedFile& file : emit_views(grammar, banner)) generated.push_back(std::move(file));
  generated.push_back(emit_enum_names(grammar, banner));

  int status = 0;
  for (const GeneratedFile& file : generated) {
    const fs::path path = options.repository / file.path;
    if (options.is_check) {
      const std::optional<std::string> committed = read_file(path);
      if (committed && without_source(*committed) == without_source(file.text)) continue;
      std::fprintf(stderr, "gen_tables: %s is stale\n", file.path.c_str());
      status = 1;
    } else if (!store(path, file.text)) {
      std::fprintf(stderr, "gen_tables: cannot write %s\n", path.c_str());
      return 3;
    }
  }
  return status;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string_view flag = argv[i];
    if (flag == "--headers") options.headers = argv[i + 1];
    else if (flag == "--source") options.source = argv[i + 1];
    else if (flag == "--out" || flag == "--check")
      options.repository = argv[i + 1], options.is_check = flag == "--check";
  }
  if (argc % 2 == 0 || options.headers.empty() || options.repository.empty()) {
    std::fprintf(stderr, "usage: gen_tables --headers DIR (--out | --check) REPO [--source TEXT]\n");
    return 2;
  }
  return run(options);
}
