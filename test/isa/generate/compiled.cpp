// SPDX-License-Identifier: Apache-2.0
//
// Compiles a source into a shared object, or finds an existing one, and loads it (compiled.h).
#include "isa/generate/compiled.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace vireo::isa {

namespace fs = std::filesystem;

std::string text_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

namespace {

// Held by one process at a time. The lock file is not removed.
class FileLock {
 public:
  explicit FileLock(const fs::path& path) : file_(open(path.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0644)) {
    if (file_ < 0 || flock(file_, LOCK_EX) != 0) throw std::runtime_error("cannot lock " + path.string());
  }
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;
  ~FileLock() { close(file_); }

 private:
  int file_;
};

}  // namespace

fs::path compiled_folder() { return fs::path(VIREO_BINARY_DIR) / "test/generated"; }

const void* compiled_symbol(const SourceCode& code, std::string_view symbol) {
  const fs::path source = compiled_folder() / (code.stem + (code.is_cpp ? ".cpp" : ".c"));
  const fs::path object = compiled_folder() / (code.stem + (code.is_cpp ? "_cpp.so" : "_c.so"));
  fs::create_directories(compiled_folder());
  const FileLock lock(object.string() + ".lock");  // two processes run the tests of this folder
  if (!fs::exists(object) || text_of(source) != code.text) {
    fs::remove(object);
    std::ofstream(source, std::ios::binary) << code.text;
    const std::string compiler = code.is_cpp ? VIREO_CXX_COMPILER : VIREO_C_COMPILER;
    const std::string command = compiler + " " + std::string(code.standard) + " " + std::string(code.flags) +
                                " -shared -fPIC -I'" VIREO_SOURCE_DIR "/test' '" + source.string() + "' -o '" +
                                object.string() + ".new'";
    if (std::system(command.c_str()) != 0) throw std::runtime_error("does not compile: " + command);
    fs::rename(object.string() + ".new", object);
  }
  void* library = dlopen(object.c_str(), RTLD_NOW | RTLD_LOCAL);
  const void* found = library == nullptr ? nullptr : dlsym(library, std::string(symbol).c_str());
  if (found == nullptr) throw std::runtime_error("cannot load " + object.string() + ": " + dlerror());
  return found;
}

}  // namespace vireo::isa
