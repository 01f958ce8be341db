// SPDX-License-Identifier: Apache-2.0
//
// vireo isa …: instruction sets described in XML.
#include <algorithm>
#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/commands.h"
#include "cli/report.h"
#include "support/io.h"
#include "vireo/isa/isa.h"

namespace vireo::cli {
namespace {

constexpr std::string_view malformed_input = "malformed-input";
constexpr std::string_view model_too_large = "model-too-large";

// --- what the commands share --------------------------------------------------------------------------------------------

/// Loads a description and reports its errors; warnings are for `isa check`.
std::optional<isa::Model> load_spec(const Invocation& invocation, std::string_view path, Reporter& reporter,
                                    int& status) {
  isa::LoadOptions options;
  options.mesa_compat = invocation.options.has(OptionId::MesaCompat);
  isa::LoadedModel loaded = isa::load_model(std::string(path), options);
  if (loaded.ok()) return std::move(loaded.model);
  status = exit_status::wrong_input;
  for (const isa::SourceFile& file : loaded.files) {
    Diagnostics errors(reporter.limit());
    for (const Diagnostic& diagnostic : file.diagnostics.all()) {
      if (diagnostic.severity == Severity::Error) errors.report(diagnostic);
      if (diagnostic.rule == rule::cannot_read) status = exit_status::no_file;
    }
    reporter.add({file.name, file.text}, errors);
  }
  return std::nullopt;
}

std::optional<FileBytes> read_input(const Invocation& invocation, std::string_view path, Reporter& reporter) {
  Diagnostics diagnostics(reporter.limit());
  Result<FileBytes> bytes =
      path == "-" ? read_descriptor(invocation.streams.in, "<stdin>", diagnostics) : read_file(path, diagnostics);
  reporter.add({path, {}}, diagnostics);
  if (!bytes) return std::nullopt;
  return std::move(bytes).value();
}

std::string_view next_line(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

std::string_view without_blanks(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

// --- custom fields ------------------------------------------------------------------------------------------------------

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; }

/// Texts of custom fields: the registers of a firmware.
class CustomNames final : public isa::PrintListener {
 public:
  bool load(std::string_view text, Diagnostics& diagnostics) {
    const char* begin = text.data();
    while (!text.empty()) {
      const std::string_view line = next_line(text);
      if (without_blanks(line).empty()) continue;
      const auto at = static_cast<std::uint64_t>(line.data() - begin);
      const std::size_t first = line.find('\t');
      const std::size_t second = first == std::string_view::npos ? first : line.find('\t', first + 1);
      Row row;
      if (second != std::string_view::npos) {
        std::string_view digits = line.substr(first + 1, second - first - 1);
        const bool is_hex = digits.starts_with("0x");
        if (is_hex) digits.remove_prefix(2);
        const auto [end, error] =
            std::from_chars(digits.data(), digits.data() + digits.size(), row.value, is_hex ? 16 : 10);
        if (error == std::errc() && end == digits.data() + digits.size()) {
          row.kind = line.substr(0, first);
          row.name = line.substr(second + 1);
          std::transform(row.kind.begin(), row.kind.end(), row.kind.begin(), lower);
          rows_.push_back(std::move(row));
          continue;
        }
      }
      diagnostics.error(malformed_input, Location::in_text(at, at + line.size()), "expected KIND<TAB>VALUE<TAB>NAME");
    }
    return !diagnostics.has_errors();
  }

  void custom(std::string_view field, std::uint64_t value, std::string& text) override {
    std::string name(field);
    std::transform(name.begin(), name.end(), name.begin(), lower);
    for (const Row& row : rows_) {
      if (row.value != value || !name.starts_with(row.kind)) continue;
      text.push_back(row.kind == "sqe" ? '%' : '@');
      text.append(row.name);
      return;
    }
    char digits[20];
    const char* end = std::to_chars(digits, digits + sizeof digits, value, 16).ptr;
    text.append("0x");
    const auto count = static_cast<std::size_t>(end - digits);
    if (count < 3) text.append(3 - count, '0');
    text.append(digits, count);
  }

 private:
  struct Row {
    std::string kind;
    std::uint64_t value = 0;
    std::string name;
  };
  std::vector<Row> rows_;
};

// --- isa dis ------------------------------------------------------------------------------------------------------------

std::optional<isa::EntryPoint> entry_point(std::string_view text) {
  const std::size_t equals = text.rfind('=');
  if (equals == std::string_view::npos || equals == 0) return std::nullopt;
  isa::EntryPoint result{std::string(text.substr(0, equals)), 0};
  const std::string_view digits = text.substr(equals + 1);
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), result.offset);
  if (digits.empty() || error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return result;
}

/// The size of a hexadecimal line's instruction: that of all, or what its digits say where sizes differ.
std::uint32_t bits_of_line(const isa::Model& model, std::string_view line) {
  if (model.instruction_roots().size() == 1 && !model.instruction_roots().front().has_pattern) return model.unit_bits();
  const std::size_t digits = line.size() - (line.starts_with("0x") ? 2 : 0);
  return static_cast<std::uint32_t>(std::min<std::size_t>(digits * 4, isa::max_bitset_size));
}

class WordPrinter {
 public:
  WordPrinter(const isa::Model& model, isa::Printer& printer, TextSink& sink)
      : model_(model), printer_(printer), sink_(sink) {}

  // One line for one line, whatever it holds.
  void line(std::string_view text) {
    text = without_blanks(text);
    const std::uint32_t bits = bits_of_line(model_, text);
    line_.clear();
    if (const std::optional<isa::Bits> word = isa::parse_hex(text, bits)) {
      printer_.print_word(word->words(), bits, line_);
    } else {
      line_ = "error: expected a hexadecimal number of at most " + std::to_string(isa::hex_digits(bits)) + " digits";
    }
    line_.push_back('\n');
    sink_.write(line_);
  }

  void bytes(std::string_view bytes) {
    const std::size_t unit = model_.unit_bits() / 8;
    for (; bytes.size() >= unit; bytes.remove_prefix(unit)) {
      isa::Bits word(model_.unit_bits());
      for (std::size_t i = 0; i < unit; ++i)
        word.data()[i / 8] |= isa::BitWord{static_cast<unsigned char>(bytes[i])} << i % 8 * 8;
      line_.clear();
      printer_.print_word(word.words(), word.width(), line_);
      line_.push_back('\n');
      sink_.write(line_);
    }
  }

 private:
  const isa::Model& model_;
  isa::Printer& printer_;
  TextSink& sink_;
  std::string line_;
};

/// Lines of hexadecimal → the bytes of a program. Lines that are none are reported and left out.
std::string bytes_of_hex(const isa::Model& model, std::string_view text, Diagnostics& diagnostics) {
  std::string bytes;
  const char* begin = text.data();
  while (!text.empty()) {
    const std::string_view line = without_blanks(next_line(text));
    if (line.empty()) continue;
    const std::uint32_t bits = bits_of_line(model, line);
    const std::optional<isa::Bits> word = isa::parse_hex(line, bits);
    if (!word) {
      const auto at = static_cast<std::uint64_t>(line.data() - begin);
      diagnostics.error(
          malformed_input, Location::in_text(at, at + line.size()),
          "expected a hexadecimal number of at most " + std::to_string(isa::hex_digits(bits)) + " digits");
      continue;
    }
    for (std::uint32_t i = 0; i < bits; i += 8)
      bytes.push_back(static_cast<char>(word->slice(i, std::min(i + 7, bits - 1))));
  }
  return bytes;
}

}  // namespace

int run_isa_dis(const Invocation& invocation) {
  const ParsedOptions& options = invocation.options;
  if (invocation.operands().size() != 2) return usage_error(invocation, "expected a description and an input");
  isa::PrintOptions style;
  style.show_errors = !options.has(OptionId::NoErrors);
  style.branch_labels = options.has(OptionId::Labels);
  style.max_errors =
      static_cast<std::uint32_t>(std::min<std::size_t>(options.count(OptionId::MaxErrors, 0), ~std::uint32_t{0}));
  if (options.value(OptionId::Floats) == "roundtrip") style.float_style = isa::FloatStyle::RoundTrip;
  for (const std::string_view value : options.values(OptionId::EntryPoint)) {
    std::optional<isa::EntryPoint> entry = entry_point(value);
    if (!entry) return usage_error(invocation, "--entrypoint wants NAME=OFFSET, found '" + std::string(value) + "'");
    style.entry_points.push_back(std::move(*entry));
  }

  Reporter reporter(invocation);
  int status = exit_status::fine;
  const std::optional<isa::Model> model = load_spec(invocation, invocation.operands()[0], reporter, status);
  if (!model) return status;
  CustomNames names;
  style.listener = &names;
  if (options.has(OptionId::Names)) {
    const std::string_view path = options.value(OptionId::Names);
    const std::optional<FileBytes> bytes = read_input(invocation, path, reporter);
    if (!bytes) return exit_status::no_file;
    Diagnostics diagnostics(reporter.limit());
    const bool is_sound = names.load(bytes->text(), diagnostics);
    reporter.add({path, bytes->text()}, diagnostics);
    if (!is_sound) return exit_status::wrong_input;
  }
  const std::string_view path = invocation.operands()[1];
  const std::optional<FileBytes> input = read_input(invocation, path, reporter);
  if (!input) return exit_status::no_file;

  Diagnostics diagnostics(reporter.limit());
  const std::string_view name = path == "-" ? std::string_view("<stdin>") : path;
  const auto gen =
      static_cast<std::uint32_t>(std::min<std::size_t>(options.count(OptionId::Gen, 0), ~std::uint32_t{0}));
  const isa::Decoder decoder(*model, {.gen = gen, .mesa_compat = options.has(OptionId::MesaCompat)});
  if (!decoder.is_usable()) {
    diagnostics.error(model_too_large, Location::none(), "the instruction set is too large to be decoded with");
    reporter.add({invocation.operands()[0], {}}, diagnostics);
    return exit_status::wrong_input;
  }
  isa::Printer printer(decoder, std::move(style));

  const std::string_view output = options.value(OptionId::Output, "-");
  OutputFile file(output);
  DescriptorSink standard(invocation.streams.out);
  TextSink& sink = output == "-" ? static_cast<TextSink&>(standard) : file;
  const bool is_hex = options.has(OptionId::Hex);
  if (options.has(OptionId::Each)) {
    WordPrinter words(*model, printer, sink);
    std::string_view text = input->text();
    if (!is_hex) words.bytes(text);
    while (is_hex && !text.empty()) words.line(next_line(text));
  } else if (is_hex) {
    printer.print(bytes_of_hex(*model, input->text(), diagnostics), sink);
  } else {
    printer.print(input->text(), sink);
  }
  status = diagnostics.has_errors() ? exit_status::wrong_input : exit_status::fine;
  if (output != "-" && status == exit_status::fine && !file.commit(diagnostics)) status = exit_status::no_file;
  if (output == "-" && !standard.flush()) {
    diagnostics.error(rule::cannot_write, Location::none(),
                      "cannot write to standard output: " + describe_error(standard.error()));
    status = exit_status::no_file;
  }
  reporter.add({name, input->text()}, diagnostics);
  return status;
}

}  // namespace vireo::cli
