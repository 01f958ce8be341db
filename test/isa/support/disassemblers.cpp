// SPDX-License-Identifier: Apache-2.0
//
// The decoders under test, see the header.
#include "isa/support/disassemblers.h"

#include <algorithm>
#include <map>
#include <memory>
#include <stdexcept>

#include "isa/generate/generated.h"
#include "isa/naive/naive_decoder.h"
#include "vireo/isa/load.h"
#include "vireo/isa/print.h"
#include "vireo/support/text_writer.h"

namespace vireo::isa {
namespace {

std::string hex_of(const naive::Bits& bits) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text;
  for (unsigned at = 0; at < bits.width; at += 4) {
    unsigned digit = 0;
    for (unsigned bit = at; bit < bits.width && bit < at + 4; ++bit) digit |= (bits.bit(bit) ? 1u : 0u) << (bit - at);
    text.insert(text.begin(), digits[digit]);
  }
  return text;
}

naive::Options naive_options(const Request& request, Manner manner) {
  naive::Options options;
  options.gen = request.gen;
  options.errors = request.errors;
  options.max_errors = request.max_errors;
  options.labels = request.labels;
  options.mesa = manner == Manner::Mesa;
  options.entrypoints = request.entrypoints;
  options.custom = request.custom;
  if (request.no_match) options.no_match = [&](const naive::Bits& word) { return request.no_match(hex_of(word)); };
  if (request.before)
    options.before = [&](std::size_t at, const naive::Bits& word) { return request.before(at, hex_of(word)); };
  if (request.after)
    options.after = [&](std::size_t at, const naive::Bits& word) { return request.after(at, hex_of(word)); };
  return options;
}

// --- the product's interpreter ------------------------------------------------------------------------------------------

/// Passes a request's callbacks to the printer as a listener.
class RequestListener final : public PrintListener {
 public:
  explicit RequestListener(const Request& request) : request_(request) {}

  void before_line(const Instruction& instruction, std::string& text) override {
    if (request_.before) text += request_.before(static_cast<std::size_t>(instruction.index), hex_of(instruction));
  }
  void after_instruction(const Instruction& instruction, std::string& text) override {
    if (request_.after) text += request_.after(static_cast<std::size_t>(instruction.index), hex_of(instruction));
  }
  bool no_match(const Instruction& instruction, std::string& text) override {
    if (!request_.no_match) return false;
    text += request_.no_match(hex_of(instruction));
    return true;
  }
  void custom(std::string_view name, std::uint64_t value, std::string& text) override {
    if (request_.custom) text += request_.custom(name, value);
  }

 private:
  static std::string hex_of(const Instruction& instruction) {
    std::string text;
    append_hex(text, instruction.words, instruction.bits);
    return text;
  }

  const Request& request_;
};

class Interpreter {
 public:
  Interpreter(const std::filesystem::path& description, Manner manner)
      : manner_(manner),
        loaded_(load_model(description.string(), {.mesa_compat = manner == Manner::Mesa, .read = {}})) {
    if (loaded_.ok()) return;
    std::string faults = "cannot load " + description.string();
    for (const SourceFile& file : loaded_.files) {
      for (const Diagnostic& diagnostic : file.diagnostics.all())
        faults += "\n  " + file.name + ": " + diagnostic.message;
    }
    throw std::runtime_error(faults);
  }

  std::string run(std::span<const std::uint8_t> bytes, const Request& request) {
    auto& decoder = decoders_[request.gen];
    if (!decoder) {
      const DecodeOptions options{.gen = request.gen, .mesa_compat = manner_ == Manner::Mesa};
      decoder = std::make_unique<Decoder>(loaded_.model, options);
    }
    RequestListener listener(request);
    PrintOptions options;
    options.show_errors = request.errors;
    options.branch_labels = request.labels;
    options.max_errors = request.max_errors;
    for (const auto& [name, offset] : request.entrypoints) options.entry_points.push_back({name, offset});
    options.listener = &listener;
    StringSink sink;
    Printer(*decoder, options).print({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, sink);
    return std::move(sink).text();
  }

 private:
  Manner manner_;
  LoadedModel loaded_;
  std::map<std::uint32_t, std::unique_ptr<Decoder>> decoders_;  // by generation
};

Disassembler interpreter(const std::filesystem::path& description, Manner manner) {
  const auto shared = std::make_shared<Interpreter>(description, manner);
  return {"interpreter", [shared](std::span<const std::uint8_t> bytes, const Request& request) {
            return shared->run(bytes, request);
          }};
}

std::string line_of(const std::string& text, std::size_t at) {
  const std::size_t begin = at == 0 ? 0 : text.rfind('\n', at - 1) + 1;
  return text.substr(begin, text.find('\n', at) - begin);
}

}  // namespace

Disassembler naive_disassembler(const std::filesystem::path& description, Manner manner) {
  const auto isa = std::make_shared<const naive::Isa>(naive::Isa::load(description));
  return {"naive", [isa, manner](std::span<const std::uint8_t> bytes, const Request& request) {
            return isa->disassemble(bytes, naive_options(request, manner));
          }};
}

std::vector<Disassembler> disassemblers_of(const std::filesystem::path& description, Manner manner) {
  return {naive_disassembler(description, manner), interpreter(description, manner)};
}

std::vector<Disassembler> all_disassemblers_of(const std::filesystem::path& description, Manner manner) {
  std::vector<Disassembler> all = disassemblers_of(description, manner);
  for (const generated_program* program : generated_programs(description, manner)) {
    all.push_back(generated_disassembler(*program));
  }
  return all;
}

std::string difference(const std::string& wanted, const std::string& got) {
  const auto [a, b] = std::mismatch(wanted.begin(), wanted.end(), got.begin(), got.end());
  const auto at = static_cast<std::size_t>(a - wanted.begin());
  static_cast<void>(b);
  return "\n  wanted " + line_of(wanted, at) + "\n  got    " + line_of(got, std::min(at, got.size()));
}

}  // namespace vireo::isa
