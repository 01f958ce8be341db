// SPDX-License-Identifier: Apache-2.0
//
// Transforms do not change what shaders compute: real compute and fragment shaders give the same bits before and after.
//
// A module declares its resources, so the test can fill them with pseudo-random numbers and run any shader
// (test/equivalence). The driver may crash, or a shader may not end, so another program runs them, and this test starts
// it again after the module at which it ended. A shader that the driver cannot run before a transform is counted with
// the reason; one that it cannot run after a transform is a failure. The device is a CPU, which runs an instruction in
// one way, so that a difference of one bit in a float is an error, too.
//
// VIREO_EQUIVALENCE_STRIDE=N runs only each N-th module. VIREO_EQUIVALENCE_KEEP names a folder that receives the
// transformed modules whose results differ.
#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <map>
#include <set>
#include <thread>

#include "drivers/driver_test.h"
#include "support/json.h"
#include "system/corpus.h"
#include "vireo/spirv/environment.h"
#include "vireo/spirv/module/module_declarations.h"
#include "vireo/spirv/validate/validate.h"

namespace vireo::drivers {
namespace {

using spirv::ExecutionModel;

constexpr const char* program = VIREO_BINARY_DIR "/test/equivalence_worker";

/// What the program reports about one entry point, or about the module at which it ended.
struct Report {
  std::size_t module = 0;
  std::string shader, verdict, detail;
};

std::vector<std::string> columns_of(const std::string& line) {
  std::vector<std::string> columns;
  for (std::size_t at = 0; at <= line.size();) {
    const std::size_t end = std::min(line.find('\t', at), line.size());
    columns.push_back(line.substr(at, end - at));
    at = end + 1;
  }
  columns.resize(std::max<std::size_t>(columns.size(), 4));
  return columns;
}

bool has_shader_to_run(spirv::Words words) {
  const spirv::Module module = spirv::Module::read(words);
  const auto declarations = spirv::ModuleDeclarations::read(module);
  return std::ranges::any_of(declarations.entry_points(), [](const spirv::EntryPointRow& entry) {
    return entry.model == ExecutionModel::GLCompute || entry.model == ExecutionModel::Fragment;
  });
}

class Equivalence : public OnDevice {
 protected:
  /// Runs the modules of the lines (see test/equivalence/main.cpp) with two processes.
  std::vector<Report> compare(const std::vector<std::string>& lines) const {
    const std::filesystem::path list = folder_ / "list";
    std::ofstream file(list);
    for (const std::string& line : lines) file << line << '\n';
    file.close();
    constexpr std::size_t processes = 2;
    std::vector<Report> reports[processes];
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < processes; ++i) {
      threads.emplace_back([&, i] { reports[i] = run_from(list.string(), i, lines.size(), processes); });
    }
    for (std::thread& thread : threads) thread.join();
    for (std::size_t i = 1; i < processes; ++i)
      reports[0].insert(reports[0].end(), reports[i].begin(), reports[i].end());
    return std::move(reports[0]);
  }

  /// Compares the results of all modules, checks that none differs and that `minimum` shaders were compared, and prints
  /// the share. A smaller selection of modules has a smaller minimum.
  void expect_same(std::vector<std::string> paths, std::size_t minimum) const {
    const char* stride_text = std::getenv("VIREO_EQUIVALENCE_STRIDE");
    const std::size_t stride = std::max(1, stride_text == nullptr ? 1 : std::atoi(stride_text));
    std::vector<std::string> selected;
    for (std::size_t i = 0; i < paths.size(); i += stride) selected.push_back(std::move(paths[i]));

    std::map<std::string, std::size_t> verdicts, reasons;
    const std::vector<Report> reports = compare(selected);
    for (const Report& report : reports) {
      ++verdicts[report.verdict];
      if (report.verdict == "different")
        ADD_FAILURE() << selected[report.module] << ": " << report.shader << ": " << report.detail;
      else if (report.verdict != "same") ++reasons[report.detail];
    }
    for (const auto& [verdict, count] : verdicts) RecordProperty(verdict, static_cast<int>(count));
    for (const auto& [reason, count] : reasons) RecordProperty("reason: " + reason, static_cast<int>(count));
    EXPECT_GE(verdicts["same"], minimum / stride);
    std::cout << "             " << reports.size() << " shaders: " << verdicts["same"] << " give the same results, "
              << verdicts["no-result"] << " write nothing, " << verdicts["differs-with-itself"]
              << " differ from run to run, the driver cannot run " << verdicts["cannot-run"] << '\n';
  }

 private:
  // Starts the program, again after each crash, for the lines `first`, `first` + `step`, ….
  [[nodiscard]] std::vector<Report> run_from(const std::string& list, std::size_t first, std::size_t count,
                                             std::size_t step) const {
    std::vector<Report> reports;
    // Without threads the order of atomic operations is fixed. The cache saves the driver equal compilations.
    const char* keep = std::getenv("VIREO_EQUIVALENCE_KEEP");
    const std::string settings = "LP_NUM_THREADS=0 MESA_SHADER_CACHE_DIR='" + (folder_ / "cache").string() + "' ";
    while (first < count) {
      const std::string command = settings + program + " '" + list + "' " + std::to_string(first) + " " +
                                  std::to_string(step) + (keep == nullptr ? "" : " '" + std::string(keep) + "'") +
                                  " 2>/dev/null";
      Report last{first, {}, "different", "the program does not start"};
      int status = 0;
      const std::string output = system_test::output_of(command, status);
      for (std::size_t at = 0; at < output.size();) {
        const std::size_t end = std::min(output.find('\n', at), output.size());
        const std::vector<std::string> columns = columns_of(output.substr(at, end - at));
        at = end + 1;
        if (columns[0] == "end") return reports;
        if (columns[0] == "module") last.module = std::strtoul(columns[1].c_str(), nullptr, 10);
        if (columns[0] == "stage") last.shader = columns[1];
        if (columns[0] == "shader") reports.push_back({last.module, columns[1], columns[2], columns[3]});
      }
      if (!last.shader.empty()) last.detail = "the driver crashed or took too long";
      if (last.shader == "original") last.verdict = "cannot-run";
      reports.push_back(last);
      first = last.module + step;
    }
    return reports;
  }
};

TEST_F(Equivalence, of_real_shaders_and_their_transforms) {
  const auto shared = outside::shared_folder();
  if (!shared) GTEST_SKIP() << outside::no_shared;
  const std::filesystem::path archive = *shared / "modules" / "real.tar.xz";
  if (!std::filesystem::exists(archive)) GTEST_SKIP() << "no " << archive;
  const system_test::UnpackedArchive unpacked(archive);
  ASSERT_TRUE(unpacked.is_good()) << "tar could not unpack " << archive;

  std::vector<std::string> paths;
  for (const system_test::ManifestRow& row : system_test::manifest_rows(*shared / "modules" / "manifest.tsv")) {
    const std::filesystem::path path = unpacked.path_of(row.path);
    const bool is_valid = std::ranges::any_of(
        row.environments, [](const std::string& environment) { return environment.starts_with("vulkan"); });
    if (!is_valid || !std::filesystem::exists(path)) continue;
    if (has_shader_to_run(system_test::words_of_bytes(system_test::bytes_of_file(path))))
      paths.push_back(path.string());
  }
  expect_same(std::move(paths), 900);
}

TEST_F(Equivalence, of_recorded_inputs_of_an_optimizer) {
  const auto shared = outside::shared_folder();
  if (!shared) GTEST_SKIP() << outside::no_shared;
  const std::filesystem::path cases = *shared / "cases" / "opt.jsonl.xz";
  if (!std::filesystem::exists(cases)) GTEST_SKIP() << "no " << cases;
  spirv::ValidateOptions options;
  options.environment = spirv::find_environment("vulkan1.3").value();
  std::set<std::string> inputs;  // many cases have the same input
  std::vector<std::string> paths;
  for (const std::string& line : system_test::packed_lines(cases)) {
    JsonFault fault;
    const std::optional<JsonDocument> row = JsonDocument::parse(line, fault);
    ASSERT_TRUE(row) << fault.message;
    const std::string bytes = system_test::from_base64(row->root().find("input").text());
    const spirv::WordBuffer words = system_test::words_of_bytes(bytes);
    Diagnostics diagnostics;
    if (!has_shader_to_run(words) || !inputs.insert(bytes).second || !validate(words, options, diagnostics)) continue;
    paths.push_back((folder_ / (std::to_string(paths.size()) + ".spv")).string());
    std::ofstream(paths.back(), std::ios::binary) << bytes;
  }
  expect_same(std::move(paths), 100);
}

// The comparison detects a change: a shader with another limit of its loop.
TEST_F(Equivalence, is_not_reported_for_another_shader) {
  std::string text = text_of(outside::source_folder() / "data/spirv/mandelbrot.comp.spvasm");
  const auto write = [&](const std::string& name) {
    Diagnostics diagnostics;
    const Result<spirv::WordBuffer> words = spirv::assemble({name, text}, {}, diagnostics);
    EXPECT_TRUE(bool(words));
    std::ofstream(folder_ / name, std::ios::binary)
        .write(reinterpret_cast<const char*>(words->data()), static_cast<std::streamsize>(words->size() * 4));
    return (folder_ / name).string();
  };
  const std::string before = write("before.spv");
  const std::string sum = "OpFAdd", difference = "OpFSub";
  ASSERT_NE(text.find(sum), std::string::npos);
  text.replace(text.find(sum), sum.size(), difference);
  const std::string after = write("after.spv");
  const std::vector<Report> reports = compare({before + '\t' + before, before + '\t' + after});
  ASSERT_EQ(reports.size(), 2u);
  EXPECT_EQ(reports[0].verdict, "same") << reports[0].detail;
  EXPECT_EQ(reports[1].verdict, "different") << reports[1].detail;
}

}  // namespace
}  // namespace vireo::drivers
