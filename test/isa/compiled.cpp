// SPDX-License-Identifier: Apache-2.0
#include "isa/compiled.h"

#include <dlfcn.h>

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

fs::path compiled_folder() { return fs::path(VIREO_BINARY_DIR) / "test/generated"; }

const void* compiled_symbol(const SourceCode& code, std::string_view symbol) {
  const fs::path source = compiled_folder() / (code.stem + (code.is_cpp ? ".cpp" : ".c"));
  const fs::path object = compiled_folder() / (code.stem + (code.is_cpp ? "_cpp.so" : "_c.so"));
  if (!fs::exists(object) || text_of(source) != code.text) {
    fs::create_directories(compiled_folder());
    fs::remove(object);
    std::ofstream(source, std::ios::binary) << code.text;
    const std::string compiler = code.is_cpp ? VIREO_CXX_COMPILER : VIREO_C_COMPILER;
    const std::string command = compiler + " " + std::string(code.standard) + " " + std::string(code.flags) +
                                " -shared -fPIC -I'" VIREO_SOURCE_DIR "/test' '" + source.string() + "' -o '" +
                                object.string() + ".new'";
    if (std::system(command.c_str()) != 0) throw std::runtime_error("does not compile: " + command);
    fs::rename(object.string() + ".new", object);  // another process may be at the same
  }
  void* library = dlopen(object.c_str(), RTLD_NOW | RTLD_LOCAL);
  const void* found = library == nullptr ? nullptr : dlsym(library, std::string(symbol).c_str());
  if (found == nullptr) throw std::runtime_error("cannot load " + object.string() + ": " + dlerror());
  return found;
}

}  // namespace vireo::isa
