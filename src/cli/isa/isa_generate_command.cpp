// SPDX-License-Identifier: Apache-2.0
//
// vireo isa generate: generates source code from a description.
//
// The one idea: the output depends only on the description and these options, so a build can regenerate it, and a
// repository can store it and compare.
#include <charconv>
#include <optional>
#include <string>
#include <string_view>

#include "cli/isa/isa_inputs.h"
#include "cli/isa/isa_output.h"
#include "vireo/isa/generate.h"

namespace vireo::cli {
namespace {

// The products, and the suffix that distinguishes the names of two headers for one instruction set.
struct Product {
  std::string_view name;
  std::string_view suffix;
  Result<std::string> (*generate)(const isa::Model&, const isa::GenerateOptions&, Diagnostics&);
};
constexpr Product products[] = {
    {"disassembler", "", isa::generate_disassembler},
    {"encoder", "_encoder", isa::generate_encoder},
    {"packer", "_packer", isa::generate_packer},
    {"unpacker", "_unpacker", isa::generate_unpacker},
};

// The option parser accepts only these names; the first is the default.
const Product& wanted_product(const ParsedOptions& options) {
  for (const Product& product : products) {
    if (options.value(OptionId::What) == product.name) return product;
  }
  return products[0];
}

// "isa/ir3.xml" → "ir3". Unlike stem_of() it ends at the first dot, since the rest is not part of an identifier.
std::string name_of_file(std::string_view path) {
  path.remove_prefix(path.find_last_of('/') + 1);  // none: npos + 1 = 0
  return isa::identifier_from(path.substr(0, path.find('.')));
}

}  // namespace

int run_isa_generate(const Invocation& invocation) {
  const ParsedOptions& options = invocation.options;
  if (invocation.operands().size() != 1) return usage_error(invocation, "expected a description");
  const std::string_view spec = invocation.operands()[0];
  isa::GenerateOptions choice;
  if (options.value(OptionId::Lang) == "c") choice.language = isa::GeneratedLanguage::C;
  const Product& product = wanted_product(options);
  choice.name = options.has(OptionId::Namespace) ? std::string(options.value(OptionId::Namespace))
                                                 : name_of_file(spec) + std::string(product.suffix);
  choice.mesa_compat = options.has(OptionId::MesaCompat);
  // A header may cover any number of generations. A number that is too large is an error, as truncation would select
  // another generation.
  for (const std::string_view text : options.values(OptionId::Gen)) {
    std::uint32_t gen = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), gen);
    if (error != std::errc() || end != text.data() + text.size()) {
      return usage_error(invocation, "option '--gen' needs a 32-bit number, found '" + std::string(text) + "'");
    }
    choice.gens.push_back(gen);
  }

  Reporter reporter(invocation);
  int status = exit_status::fine;
  const std::optional<isa::Model> model = load_spec(invocation, spec, reporter, status);
  if (!model) return status;
  Diagnostics diagnostics(reporter.limit());
  const Result<std::string> source = product.generate(*model, choice, diagnostics);
  status = source ? write_output(invocation, *source, diagnostics) : exit_status::wrong_input;
  reporter.add({spec, {}}, diagnostics);
  return status;
}

}  // namespace vireo::cli
