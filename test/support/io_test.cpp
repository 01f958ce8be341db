// SPDX-License-Identifier: Apache-2.0
//
// Files in a folder of the test.
#include "support/io.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace vireo {
namespace {

namespace fs = std::filesystem;

class io : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "vireo-io-XXXXXX").string();
    folder = ::mkdtemp(pattern.data());
  }
  void TearDown() override { fs::remove_all(folder); }

  std::string path(std::string_view name) const { return (folder / name).string(); }
  void put(std::string_view name, std::string_view bytes) const {
    std::ofstream(folder / name, std::ios::binary) << bytes;
  }
  std::string get(std::string_view name) const {
    std::ifstream file(folder / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  std::size_t files() const { return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), {})); }

  fs::path folder;
  Diagnostics diagnostics;
};

TEST_F(io, reads_files_of_every_size) {
  for (const std::size_t size : {0u, 1u, 4096u, 65535u, 65536u, 65537u, 1'000'000u}) {
    std::string bytes(size, '\0');
    for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<char>(i * 7);
    put("f", bytes);
    const Result<FileBytes> read = read_file(path("f"), diagnostics);
    ASSERT_TRUE(read);
    EXPECT_EQ(read->text(), bytes);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(read->text().data()) % alignof(std::max_align_t), 0u);
  }
}

TEST_F(io, reads_files_of_unknown_size) {
  const Result<FileBytes> read = read_file("/proc/self/status", diagnostics);
  ASSERT_TRUE(read);
  EXPECT_NE(read->text().find("Name:"), std::string_view::npos);
}

TEST_F(io, reads_a_pipe_to_its_end) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const std::string bytes(50'000, 'p');  // fits into the buffer of a pipe
  ASSERT_EQ(::write(ends[1], bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
  ::close(ends[1]);
  const Result<FileBytes> read = read_descriptor(ends[0], "<stdin>", diagnostics);
  ::close(ends[0]);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->text(), bytes);
}

TEST_F(io, reads_a_descriptor_from_its_current_position) {
  put("f", std::string(100'000, 'a') + "end");
  const int descriptor = ::open(path("f").c_str(), O_RDONLY);
  ::lseek(descriptor, 100'000, SEEK_SET);
  const Result<FileBytes> read = read_descriptor(descriptor, "<stdin>", diagnostics);
  ::close(descriptor);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->text(), "end");
}

TEST_F(io, limits_apply_to_files_of_every_kind) {
  for (const std::size_t size : {1000u, 100'000u}) {  // read, mapped
    put("f", std::string(size, 'a'));
    for (const std::size_t limit : {std::size_t{0}, std::size_t{10}, size - 1, size, size + 1}) {
      const Result<FileBytes> read = read_file(path("f"), diagnostics, {limit, true});
      ASSERT_TRUE(read);
      EXPECT_EQ(read->size(), std::min(size, limit)) << size << " " << limit;
    }
  }
  const Result<FileBytes> endless = read_file("/dev/zero", diagnostics, {100'000, false});
  ASSERT_TRUE(endless);
  EXPECT_EQ(endless->size(), 100'000u);
  EXPECT_TRUE(diagnostics.all().empty());
  // A pipe without a writer would block.
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  EXPECT_FALSE(read_file(path("pipe"), diagnostics, {100, true}));
  ASSERT_EQ(diagnostics.all().size(), 1u);
  EXPECT_EQ(diagnostics.all()[0].message, "cannot read '" + path("pipe") + "': not a regular file");
}

TEST_F(io, reports_read_errors_with_the_reason) {
  EXPECT_FALSE(read_file(path("missing"), diagnostics));
  EXPECT_FALSE(read_file(folder.string(), diagnostics));
  ASSERT_EQ(diagnostics.all().size(), 2u);
  EXPECT_EQ(diagnostics.all()[0].message, "cannot open '" + path("missing") + "': No such file or directory");
  EXPECT_EQ(diagnostics.all()[0].rule, "cannot-read");
  EXPECT_EQ(diagnostics.all()[1].message, "cannot read '" + folder.string() + "': Is a directory");
}

TEST_F(io, writes_a_file_or_reports_an_error) {
  EXPECT_TRUE(write_file(path("f"), "new", diagnostics));
  EXPECT_EQ(get("f"), "new");
  EXPECT_FALSE(write_file(path("none/f"), "new", diagnostics));
  EXPECT_EQ(diagnostics.error_count(), 1u);
}

TEST_F(io, an_output_appears_on_commit) {
  OutputFile file(path("out"));
  EXPECT_TRUE(file.write(std::string(300'000, 'a')));
  EXPECT_TRUE(file.write("b"));
  EXPECT_FALSE(fs::exists(path("out")));
  ASSERT_TRUE(file.commit(diagnostics));
  EXPECT_EQ(get("out"), std::string(300'000, 'a') + "b");
  EXPECT_EQ(files(), 1u);
}

TEST_F(io, an_empty_output_is_a_file) {
  OutputFile file(path("out"));
  ASSERT_TRUE(file.commit(diagnostics));
  EXPECT_TRUE(fs::exists(path("out")));
  EXPECT_EQ(get("out"), "");
}

TEST_F(io, without_commit_no_file_is_changed) {
  put("out", "old");
  {
    OutputFile file(path("out"));
    file.write(std::string(300'000, 'a'));
    EXPECT_EQ(files(), 2u) << "the temporary file is in the same folder";
  }
  EXPECT_EQ(get("out"), "old");
  EXPECT_EQ(files(), 1u);
}

TEST_F(io, an_output_replaces_an_older_file_and_keeps_its_permissions) {
  put("out", "old and longer");
  ::chmod(path("out").c_str(), 0640);
  OutputFile file(path("out"));
  file.write("new");
  ASSERT_TRUE(file.commit(diagnostics));
  EXPECT_EQ(get("out"), "new");
  EXPECT_EQ(fs::status(path("out")).permissions(), fs::perms(0640));
}

TEST_F(io, a_new_output_respects_the_umask) {
  const mode_t old = ::umask(027);
  OutputFile file(path("out"));
  EXPECT_TRUE(file.commit(diagnostics));
  ::umask(old);
  EXPECT_EQ(fs::status(path("out")).permissions(), fs::perms(0640));
}

TEST_F(io, an_output_follows_a_symbolic_link) {
  put("real", "old");
  fs::create_symlink("real", folder / "link");
  fs::create_symlink("nothing-yet", folder / "dangling");
  for (const std::string_view name : {"link", "dangling"}) {
    OutputFile file(path(name));
    file.write("new");
    ASSERT_TRUE(file.commit(diagnostics));
    EXPECT_TRUE(fs::is_symlink(path(name)));
  }
  EXPECT_EQ(get("real"), "new");
  EXPECT_EQ(get("nothing-yet"), "new");
  EXPECT_EQ(files(), 4u);
}

TEST_F(io, devices_are_written_directly) {
  OutputFile file("/dev/null");
  EXPECT_TRUE(file.write(std::string(300'000, 'a')));
  EXPECT_TRUE(file.commit(diagnostics));
}

TEST_F(io, a_full_device_is_reported_once) {
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "no /dev/full";
  OutputFile file("/dev/full");
  file.write("x");
  EXPECT_FALSE(file.commit(diagnostics));
  EXPECT_EQ(diagnostics.all().at(0).message, "cannot write '/dev/full': No space left on device");
  EXPECT_EQ(diagnostics.error_count(), 1u);

  OutputFile large("/dev/full");
  EXPECT_FALSE(large.write(std::string(300'000, 'a'))) << "the printer must stop";
  EXPECT_FALSE(large.commit(diagnostics));
}

TEST_F(io, reports_write_errors_with_the_reason) {
  put("file", "");
  struct Row {
    std::string path;
    std::string_view why;
  };
  const Row rows[] = {
      {path("no/such/out"), "No such file or directory"},
      {folder.string(), "Is a directory"},
      {path("file/out"), "Not a directory"},
  };
  for (const Row& row : rows) {
    OutputFile file(row.path);
    file.write("x");
    EXPECT_FALSE(file.commit(diagnostics));
    EXPECT_EQ(diagnostics.all().back().message, "cannot write '" + row.path + "': " + std::string(row.why));
    EXPECT_EQ(diagnostics.all().back().rule, "cannot-write");
  }
  EXPECT_EQ(files(), 1u);
}

TEST_F(io, a_descriptor_sink_keeps_the_order_of_small_and_large_chunks) {
  const int descriptor = ::open(path("out").c_str(), O_WRONLY | O_CREAT, 0600);
  std::string expected;
  {
    DescriptorSink sink(descriptor);
    for (std::size_t i = 0; i < 400; ++i) {
      const std::string chunk(i % 50 == 0 ? 100'000 : i, static_cast<char>('a' + i % 26));
      expected += chunk;
      EXPECT_TRUE(sink.write(chunk));
    }
  }
  ::close(descriptor);
  EXPECT_EQ(get("out"), expected);
}

TEST_F(io, creates_missing_folders) {
  EXPECT_TRUE(make_folders(path("a/b/c"), diagnostics));
  EXPECT_TRUE(make_folders(path("a/b/"), diagnostics));
  EXPECT_TRUE(fs::is_directory(path("a/b/c")));
  put("file", "");
  EXPECT_FALSE(make_folders(path("file"), diagnostics));
  EXPECT_FALSE(make_folders(path("file/below"), diagnostics));
  EXPECT_EQ(diagnostics.error_count(), 2u);
}

}  // namespace
}  // namespace vireo
