// SPDX-License-Identifier: Apache-2.0
//
// The same as ../c/consumer.c through the C++ interface, with its own sink and an exception. A virtual function, its
// type information and memory cross the boundary of a shared library here.
#include <vireo/isa/isa.h>
#include <vireo/spirv/module/module.h>
#include <vireo/spirv/text/assemble.h>
#include <vireo/spirv/text/disassemble.h>
#include <cstdio>
#include <string>

class Printer final : public vireo::TextSink {
 public:
  bool write(std::string_view chunk) override {
    return std::fwrite(chunk.data(), 1, chunk.size(), stdout) == chunk.size();
  }
};

int main() {
  vireo::Diagnostics diagnostics;
  const auto words = vireo::spirv::assemble({"", "OpCapability Shader\n"}, {}, diagnostics);
  if (!words) return 1;
  const vireo::spirv::Module module = vireo::spirv::Module::read(*words);
  if (module.section(vireo::spirv::Section::Capabilities).size() != 1) return 1;
  if (vireo::isa::load_model_text("empty.xml", "<isa/>").ok()) return 1;
  std::printf("%zu words: ", words->size());
  std::fflush(stdout);
  Printer printer;
  return vireo::spirv::disassemble(*words, {.header = false, .indent = false}, printer, diagnostics) ? 0 : 1;
}
