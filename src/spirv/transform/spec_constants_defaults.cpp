// SPDX-License-Identifier: Apache-2.0
//
// Changes the default values of specialization constants, and parses such values.
//
// The type of the constant decides how a value is read. So a text is only checked for its form when it is
// parsed, and becomes bits for each constant with its SpecId. A literal keeps its number of words, so the new words
// replace the old ones in a copy of the module.
//
// Source: specification 2.2.1 (literals), 3.42.7 (constant-creation instructions).
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "spirv/grammar/opcode_families.h"
#include "spirv/module/fold.h"
#include "spirv/module/section_walk.h"
#include "spirv/rules.h"
#include "spirv/transform/spec_constants.h"
#include "support/counted.h"
#include "support/printable.h"
#include "vireo/spirv/binary/views/constant_creation.h"
#include "vireo/spirv/module/types.h"
#include "vireo/spirv/transform/spec_constants.h"
#include "vireo/support/number.h"

namespace vireo::spirv {
namespace {

using enum Op;

// --- values -----------------------------------------------------------------------------------------------------------

// The highest word of a literal with the bits above the width as 2.2.1 requires; nothing if they are something else.
std::optional<Word> highest_word(Word word, const TypeRow& type) {
  const std::uint32_t used = type.width % 32;
  if (used == 0) return word;
  const Word low = word & static_cast<Word>(mask_of(used));
  const Word extended = static_cast<Word>(sign_extended(low, used));
  if (word != low && (type.is(TypeKind::Float) || word != extended)) return std::nullopt;
  return type.is(TypeKind::Int) && type.is_signed ? extended : low;
}

}  // namespace

std::optional<std::uint64_t> bits_of_number(std::string_view text, const TypeRow& type) {
  std::uint64_t bits = 0;
  NumberFault fault = NumberFault::UnsupportedWidth;
  if (type.is(TypeKind::Int)) {
    fault = parse_integer(text, {type.width, type.is_signed}, bits);
  } else if (const std::optional<FloatFormat> format = Types::float_format(type)) {
    fault = parse_float(text, *format, bits);
  }
  return fault == NumberFault::None ? std::optional(bits) : std::nullopt;
}

std::string value_type_text(const TypeRow& type) {
  if (type.is(TypeKind::Bool)) return "a Boolean";
  if (type.is(TypeKind::Float)) return "a float of " + counted(type.width, "bit");
  return fmt::format("{} integer of {}", type.is_signed ? "a signed" : "an unsigned", counted(type.width, "bit"));
}

namespace {

class DefaultSetter {
 public:
  DefaultSetter(const Module& module, std::span<const SpecDefault> defaults, const SetSpecDefaultsOptions& options,
                Diagnostics& diagnostics)
      : module_(module),
        types_(Types::read(module)),
        options_(options),
        diagnostics_(diagnostics),
        result_(module.words().begin(), module.words().end()) {
    for (const SpecDefault& each : defaults) defaults_.insert_or_assign(each.spec_id, &each);
  }

  Result<WordBuffer> run() && {
    const IdMap<Word> spec_ids = spec_ids_of(module_);
    walk_section(module_, Section::Globals, [&](InstructionIndex index, InstructionView view) {
      if (!has_default_value(view.opcode)) return;
      const auto spec_id = spec_ids.find(ValueOperands(view).result());
      if (spec_id == spec_ids.end()) return;
      const auto found = defaults_.find(spec_id->second);
      if (found != defaults_.end() && !set(view, found->second->value)) report(index, *found->second);
    });
    if (reported_) return *reported_;
    return std::move(result_);
  }

 private:
  // Returns false if the value does not fit the constant.
  bool set(InstructionView view, const std::variant<WordBuffer, std::string>& value) {
    const auto* text = std::get_if<std::string>(&value);
    const auto* words = std::get_if<WordBuffer>(&value);
    if (view.opcode == OpSpecConstantTrue || view.opcode == OpSpecConstantFalse) {
      if (text != nullptr) return (*text == "true" || *text == "false") && set_boolean(view, *text == "true");
      return !words->empty() && set_boolean(view, std::ranges::any_of(*words, [](Word word) { return word != 0; }));
    }
    if (view.opcode == OpSpecConstantDataKHR) return words != nullptr && set_literal(view, *words);
    const TypeRow& type = types_.of(ValueOperands(view).result_type());
    if (text != nullptr) {
      const std::optional<std::uint64_t> bits = bits_of_number(*text, type);
      if (!bits) return false;
      const Word literal[] = {static_cast<Word>(*bits), static_cast<Word>(*bits >> 32)};
      return set_literal(view, Words(literal).first(type.width > 32 ? 2 : 1));
    }
    if (words->empty()) return false;
    const std::optional<Word> highest = highest_word(words->back(), type);
    if (!highest || !set_literal(view, *words)) return false;
    result_[view.offset + view.word_count - 1] = *highest;
    return true;
  }

  bool set_boolean(InstructionView view, bool value) {
    result_[view.offset] = first_word(view.word_count, value ? OpSpecConstantTrue : OpSpecConstantFalse);
    return true;
  }

  // The literal of OpSpecConstant, and the data of OpSpecConstantDataKHR, are the words after the result.
  bool set_literal(InstructionView view, Words literal) {
    const std::size_t first = View<OpSpecConstant>(view).value().word();
    if (first + literal.size() != view.word_count) return false;
    std::ranges::copy(literal, result_.begin() + static_cast<std::ptrdiff_t>(view.offset + first));
    return true;
  }

  void report(InstructionIndex index, const SpecDefault& value) {
    const InstructionView view = module_.instruction(index);
    const auto* text = std::get_if<std::string>(&value.value);
    std::string message = fmt::format("the value {} for SpecId {} does not fit {}",
                                      text != nullptr ? quoted(*text) : words_text(std::get<WordBuffer>(value.value)),
                                      value.spec_id, type_text_of(view));
    if (options_.skip_unfit_values) diagnostics_.warning(rule::spec_default, module_.location_of(index), message);
    else reported_ = diagnostics_.error(rule::spec_default, module_.location_of(index), std::move(message));
  }

  // At most four words: a caller may pass any number.
  static std::string words_text(Words words) {
    constexpr std::size_t most_words = 4;
    std::string text = words.empty() ? "without words" : "of the words";
    for (const Word word : words.first(std::min(words.size(), most_words))) text += fmt::format(" {:#x}", word);
    return words.size() > most_words ? text + " …" : text;
  }

  [[nodiscard]] std::string type_text_of(InstructionView view) const {
    const TypeRow& type = types_.of(ValueOperands(view).result_type());
    if (type.is(TypeKind::Bool) || type.is_numerical()) return value_type_text(type);
    return "constant data of " + counted(view.word_count - View<OpSpecConstant>(view).value().word(), "word");
  }

  const Module& module_;
  const Types types_;
  const SetSpecDefaultsOptions& options_;
  Diagnostics& diagnostics_;
  IdMap<const SpecDefault*> defaults_;  // by SpecId
  WordBuffer result_;
  std::optional<Reported> reported_;
};

// --- text -------------------------------------------------------------------------------------------------------------

constexpr std::string_view blanks = " \t\r\n";

// Whether a text has the form of a value. A number that no type can hold has it, too: the type is not known here.
bool has_form_of_value(std::string_view text) {
  std::uint64_t bits = 0;
  return text == "true" || text == "false" || parse_integer(text, {64, true}, bits) != NumberFault::Malformed ||
         parse_float(text, FloatFormat::Double, bits) != NumberFault::Malformed;
}

}  // namespace

Result<std::vector<SpecDefault>> parse_spec_defaults(std::string_view text, Diagnostics& diagnostics) {
  std::vector<SpecDefault> defaults;
  std::optional<Reported> reported;
  std::size_t begin = text.find_first_not_of(blanks);
  while (begin != std::string_view::npos) {
    const std::size_t end = std::min(text.find_first_of(blanks, begin), text.size());
    const std::string_view item = text.substr(begin, end - begin);
    const std::size_t colon = std::min(item.find(':'), item.size());
    const std::string_view value = item.substr(std::min(colon + 1, item.size()));
    Word spec_id = 0;
    if (parse_u32(item.substr(0, colon), spec_id) != NumberFault::None) {
      reported = diagnostics.error(
          rule::spec_default, Location::in_text(begin, begin + colon),
          fmt::format("expected a SpecId (an unsigned number of 32 bits), found {}", quoted(item.substr(0, colon))));
    } else if (!has_form_of_value(value)) {
      reported =
          diagnostics.error(rule::spec_default, Location::in_text(begin, end),
                            fmt::format("expected ID:VALUE with a number, 'true' or 'false', found {}", quoted(item)));
    } else {
      defaults.push_back({spec_id, std::string(value)});
    }
    begin = text.find_first_not_of(blanks, end);
  }
  if (reported) return *reported;
  return defaults;
}

Result<WordBuffer> set_spec_defaults(Words words, std::span<const SpecDefault> defaults,
                                     const SetSpecDefaultsOptions& options, Diagnostics& diagnostics,
                                     const Grammar& grammar) {
  const Result<Module> module = read_decodable(words, grammar, diagnostics);
  if (!module) return module.failure();
  return DefaultSetter(*module, defaults, options, diagnostics).run();
}

}  // namespace vireo::spirv
