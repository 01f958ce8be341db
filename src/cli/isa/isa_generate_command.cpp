// SPDX-License-Identifier: Apache-2.0
//
// vireo isa generate: generates source code from a description.
//
// The output depends only on the description and these options, so a build can regenerate it, and a
// repository can store it and compare.
#include <charconv>
#include <optional>
#include <string>
#include <string_view>

#include "cli/isa/isa_inputs.h"
#include "vireo/isa/generate.h"

namespace vireo::cli {
namespace {

constexpr Option generated_gen_option =
    gen_option.with("generate code for this generation; may be repeated (all)",
                    "In other generations no instruction matches. Code for all generations is little larger than for "
                    "one, as common parts are written once.");
constexpr ChoiceOption what_option(
    "--what=WHAT", "disassembler|encoder|packer|unpacker", "what to generate (disassembler)",
    "An encoder has a struct with typed fields for each instruction. A packer encodes your own structures as words; an "
    "unpacker decodes words into them. Both use the <encode> maps of the description.");
constexpr ChoiceOption lang_option("--lang=LANG", "c++|c", "language of the code (c++)",
                                   "C++17 or C11, and later versions.");
constexpr TextOption namespace_option(
    "--namespace=NAME", "namespace or, in C, prefix of all names (from the file's name)",
    "For other products than a disassembler the default ends in _encoder, _packer or _unpacker.");

constexpr auto isa_generate_options = option_list(generated_gen_option, mesa_compat_option, what_option, lang_option,
                                                  namespace_option, isa_output_options);

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
    if (options.value(what_option) == product.name) return product;
  }
  return products[0];
}

// "isa/ir3.xml" → "ir3". Unlike stem_of() it ends at the first dot, since the rest is not part of an identifier.
std::string name_of_file(std::string_view path) {
  path.remove_prefix(path.find_last_of('/') + 1);  // none: npos + 1 = 0
  return isa::identifier_from(path.substr(0, path.find('.')));
}

int run_isa_generate(const Invocation& invocation) {
  const ParsedOptions& options = invocation.options;
  if (invocation.operands().size() != 1) return usage_error(invocation, "expected a description");
  const std::string_view spec = invocation.operands()[0];
  isa::GenerateOptions choice;
  if (options.value(lang_option) == "c") choice.language = isa::GeneratedLanguage::C;
  const Product& product = wanted_product(options);
  choice.name = options.has(namespace_option) ? std::string(options.value(namespace_option))
                                              : name_of_file(spec) + std::string(product.suffix);
  choice.mesa_compat = options.has(mesa_compat_option);
  // A header may cover any number of generations. A number that is too large is an error, as truncation would select
  // another generation.
  for (const std::string_view text : options.values(gen_option)) {
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

}  // namespace

constinit const Command isa_generate_command(
    "isa generate", "SPEC", "generate C++ or C source code from an XML description",
    "Writes one header that needs only the standard library: a disassembler, which prints the same text as 'isa dis', "
    "or the product that --what names. One source file of the program must define NAME_IMPLEMENTATION before it "
    "includes the header. The code covers the generations of --gen, or all of them.",
    "vireo isa generate ir3.xml --lang c++ -o ir3.h\n"
    "vireo isa generate afuc.xml --lang c --gen 6 --gen 7 -o afuc.h\n"
    "vireo isa generate afuc.xml --what encoder -o afuc_encoder.h",
    "xml", isa_generate_options, run_isa_generate);

}  // namespace vireo::cli
