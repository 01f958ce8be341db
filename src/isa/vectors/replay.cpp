// SPDX-License-Identifier: Apache-2.0
//
// Replays test vectors, and reports lines whose results have changed.
//
// Each line has a word and a text; the word is decoded and the text is assembled. Lines are read one at a
// time, so the memory depends on the longest line and not on the file. Each generation has one decoder; a bounded
// number is kept.
#include <algorithm>
#include <charconv>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "isa/model/rules.h"
#include "support/json.h"
#include "support/printable.h"
#include "vireo/isa/assemble.h"
#include "vireo/isa/custom_names.h"
#include "vireo/isa/load.h"
#include "vireo/isa/print.h"
#include "vireo/isa/vectors.h"

namespace vireo::isa {
namespace {

// Bounds the memory, because a file may contain any number of generations.
constexpr std::size_t max_tools = 64;  // generations kept at a time

// Parses a 32-bit number; none for any other text.
std::optional<std::uint32_t> number_of(std::string_view text) {
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// Parses the print options with which a line was recorded, as words of a command line. None if an option is unknown: it
// may change the text, so the line cannot be checked.
std::optional<PrintOptions> options_of(JsonValue list) {
  PrintOptions options;
  std::vector<std::string_view> words;
  for (const JsonValue word : list.elements()) words.push_back(word.text());
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string_view value = i + 1 < words.size() ? words[i + 1] : std::string_view();
    if (words[i] == "-l") {
      options.branch_labels = true;
    } else if (words[i] == "-q") {
      options.show_errors = false;
    } else if (words[i] == "-p") {  // an array is always one program
    } else if (words[i] == "-M" && number_of(value)) {
      options.max_errors = *number_of(value);
      ++i;
    } else if (words[i] == "-E") {
      for (std::string_view rest = value; !rest.empty();) {
        const std::string_view one = rest.substr(0, rest.find(','));
        rest.remove_prefix(std::min(one.size() + 1, rest.size()));
        const std::size_t colon = std::min(one.find(':'), one.size());
        const std::optional<std::uint32_t> place = number_of(one.substr(std::min(colon + 1, one.size())));
        if (!place) return std::nullopt;
        options.entry_points.push_back({std::string(one.substr(0, colon)), *place});
      }
      ++i;
    } else {
      return std::nullopt;
    }
  }
  return options;
}

// Reads the lines once, from front to back. All views point into the lines.
class Replayer {
 public:
  Replayer(const Model& model, bool mesa_compat, std::string_view lines, Diagnostics& diagnostics)
      : model_(model), mesa_compat_(mesa_compat), lines_(lines), diagnostics_(diagnostics) {}

  Replay run() {
    std::string_view rest = lines_;
    while (!rest.empty()) {
      line_ = rest.substr(0, rest.find('\n'));
      rest.remove_prefix(std::min(line_.size() + 1, rest.size()));
      if (line_.find_first_not_of(" \t\r") != std::string_view::npos) replay_line();
    }
    return result_;
  }

 private:
  // The decoder and assembler of one generation.
  struct Tools {
    // The assembler refers to the decoder, so this object must not move; tools_ stores pointers.
    Tools(const Model& model, DecodeOptions options, CustomNames& numbers)
        : decoder(model, options), assembler(decoder, {.custom = &numbers, .listener = &numbers}) {}
    Decoder decoder;
    Assembler assembler;
  };

  Tools& tools_for(std::uint32_t gen) {
    // Discards all tools if there are too many.
    if (tools_.size() == max_tools && !tools_.contains(gen)) tools_.clear();
    std::unique_ptr<Tools>& tools = tools_[gen];
    if (!tools)
      tools = std::make_unique<Tools>(model_, DecodeOptions{.gen = gen, .mesa_compat = mesa_compat_}, numbers_);
    return *tools;
  }

  // The location is the whole line, because either the word or the text may be wrong.
  void report(std::string_view rule, std::string message) {
    const auto begin = static_cast<std::uint64_t>(line_.data() - lines_.data());
    diagnostics_.error(rule, Location::in_text(begin, begin + line_.size()), std::move(message));
    ++result_.differ;
  }

  void replay_line() {
    JsonFault fault;
    const std::optional<JsonDocument> document = JsonDocument::parse(line_, fault);
    if (!document) return report(rule::malformed_input, "invalid JSON: " + fault.message);
    const JsonValue root = document->root();
    const JsonValue hex = root.find("hex");
    const JsonValue text = root.find("text");
    if (!text.is(JsonType::String) || !(hex.is(JsonType::String) || hex.is(JsonType::Array)))
      return report(rule::malformed_input, "expected an object with 'hex' and 'text'");
    // A line with unknown print options is skipped.
    std::optional<PrintOptions> options = options_of(root.find("options"));
    if (!options) {
      ++result_.skipped;
      return;
    }
    // A single word is a program of one instruction, recorded without the final line feed.
    std::string bytes;
    const bool is_program = hex.is(JsonType::Array);
    std::optional<Bits> word;
    const auto add = [&](JsonValue digits) {
      word = parse_hex(digits.text(),
                       static_cast<std::uint32_t>(std::min<std::size_t>(digits.text().size() * 4, max_bitset_size)));
      // Programs are little-endian.
      for (std::uint32_t bit = 0; word && bit + 8 <= word->width(); bit += 8)
        bytes.push_back(static_cast<char>(word->slice(bit, bit + 7)));
      return word.has_value();
    };
    // `hex` is one word, or an array of words for a program. The word is kept to compare it with the assembled text.
    bool is_read = true;
    if (!is_program) is_read = add(hex);
    // An absent value has no elements.
    for (const JsonValue digits : is_program ? hex.elements() : JsonValue().elements())
      is_read = is_read && add(digits);
    if (!is_read) return report(rule::malformed_input, "expected hexadecimal digits in 'hex'");

    Tools& tools = tools_for(static_cast<std::uint32_t>(root.find("gen").integer().value_or(0)));
    options->listener = &numbers_;
    StringSink printed;
    Printer(tools.decoder, std::move(*options)).print(bytes, printed);
    std::string_view found = printed.text();
    if (!is_program && found.ends_with('\n')) found.remove_suffix(1);
    if (found != text.text())
      return report(rule::vector_differs, "the word prints as " + quoted(found) + "; expected " + quoted(text.text()));
    const std::string_view wanted = root.find("asm").text();
    if (!is_program && !assembles(tools, *word, text.text(), wanted)) return;
    ++result_.held;
  }

  bool assembles(Tools& tools, const Bits& word, std::string_view text, std::string_view wanted) {
    // Other values of `asm` are from other assemblers and are not checked.
    const bool needs_same_bits = wanted == "same_bits";
    if (!needs_same_bits && wanted != "same_text") return true;
    if (!tools.assembler.assemble_line(text, assembled_)) {
      report(rule::vector_differs, quoted(text) + " cannot be assembled: " + assembled_.fault.message);
      return false;
    }
    if (!needs_same_bits || assembled_.word == word) return true;  // the assembler guarantees the same text
    report(rule::vector_differs,
           quoted(text) + " assembles to " + to_hex(assembled_.word) + "; expected " + to_hex(word));
    return false;
  }

  const Model& model_;
  bool mesa_compat_;
  std::string_view lines_;
  Diagnostics& diagnostics_;
  std::string_view line_;
  CustomNames numbers_;
  std::map<std::uint32_t, std::unique_ptr<Tools>> tools_;
  AssembledLine assembled_;
  Replay result_;
};

}  // namespace

Replay replay_vectors(const Model& model, bool mesa_compat, std::string_view lines, Diagnostics& diagnostics) {
  return Replayer(model, mesa_compat, lines, diagnostics).run();
}

}  // namespace vireo::isa
