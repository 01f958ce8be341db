// SPDX-License-Identifier: Apache-2.0
//
// assemble(): options, the header, and the loop over the instructions of a text.
//
// The header is first in the module, but its values are known last. So five words are reserved for it and
// written at the end.
#include "vireo/spirv/text/assemble.h"

#include <algorithm>

#include <fmt/format.h>

#include "spirv/text/assemble/assembler.h"

namespace vireo::spirv {
namespace text {
namespace {

constexpr Version default_version{1, 6};

// The options take precedence over the text's header comment; the default is the newest version that spirv-as supports.
Version version_of(const AssembleOptions& options, const HeaderComments& comments) {
  if (!options.version.is_none()) return options.version;
  return comments.deduced_version.is_none() ? default_version : comments.deduced_version;
}

}  // namespace

Assembler::Assembler(const Grammar& grammar, const Lexer& lexer, const AssembleOptions& options,
                     const HeaderComments& comments, Diagnostics& diagnostics, SourceMap* map)
    : grammar_(grammar),
      lexer_(lexer),
      options_(options),
      comments_(comments),
      diagnostics_(diagnostics),
      map_(map),
      reported_(comments.reported),
      version_(version_of(options, comments)),
      names_(grammar, lexer),
      ids_(lexer, {options.preserve_numeric_ids}),
      facts_(lexer.size()),
      at_(lexer.skip(lexer.begin())) {
  // A word takes about nine bytes of text. Reserved pages that are never written cost nothing.
  words_.reserve(lexer.size() / 8 + 64);
  // The header is written at the end. With its space reserved, offsets in the buffer equal offsets in the module.
  words_.resize(header_word_count);
  out_ = space_end_ = words_.data() + header_word_count;
}

Result<WordBuffer> Assembler::run() {
  while (at_ < lexer_.end()) {
    start_ = at_;
    first_ = static_cast<std::size_t>(out_ - words_.data());
    bool is_good = false;
    // One byte determines whether a result id, an opcode, or a raw word instead of an opcode begins here.
    switch (*at_) {
      case '%':
      case 'O': is_good = instruction(); break;
      case '!': is_good = raw_instruction(); break;
      default: is_good = stray_word(); break;
    }
    if (!is_good) [[unlikely]]
      recover();
  }

  // A bound in a comment may be higher than needed, as in modules from an optimizer, but never lower (specification
  // 2.3, table 1). It is not checked after other faults: the highest id may be a typo.
  std::uint64_t bound = ids_.bound();
  if (comments_.bound && !reported_) {
    if (*comments_.bound < bound) {
      reported_ =
          diagnostics_.error(rule::bad_header_comment, Location::in_text(comments_.bound_range),
                             fmt::format("the bound is {}, but the text has id {}", *comments_.bound, bound - 1));
    }
    bound = *comments_.bound;
  }
  if (reported_) return *reported_;

  const Version version = options_.version.is_none() ? comments_.version.value_or(version_) : options_.version;
  words_.resize(static_cast<std::size_t>(out_ - words_.data()));
  words_[0] = magic_number;
  // Specification 2.3, table 1: magic number, version, generator, bound, schema.
  words_[1] = version.to_word();
  words_[2] = comments_.generator.value_or(assembler_generator);
  words_[3] = static_cast<Word>(bound);
  words_[4] = comments_.schema.value_or(0);
  return std::move(words_);
}

void Assembler::grow(std::size_t count) {
  // A vector fills new elements with zeros. In steps that fit in the cache this is cheap, and reserved memory is not
  // touched before it is needed.
  constexpr std::size_t step = 4096;
  const auto used = static_cast<std::size_t>(out_ - words_.data());
  const std::size_t needed = used + count;
  if (needed > words_.capacity()) words_.reserve(std::max(needed + step, words_.capacity() * 2));
  words_.resize(std::min(words_.capacity(), needed + step));
  out_ = words_.data() + used;
  space_end_ = words_.data() + words_.size();
}

// This function is cold: it is only used with a source map, for editors and tests.
void Assembler::add_token(const char* begin, const char* end, std::size_t first_word, std::size_t count,
                          TokenStyle style) {
  Token token;
  token.begin = lexer_.offset_of(begin);
  token.length = static_cast<std::uint32_t>(end - begin);
  token.instruction = instruction_count_ + 1;
  token.word = static_cast<std::uint16_t>(first_word);
  token.word_count = static_cast<std::uint16_t>(count);
  token.style = style;
  map_->add(token);
}

}  // namespace text

Result<WordBuffer> assemble(SourceText source, const AssembleOptions& options, Diagnostics& diagnostics,
                            SourceMap* map) {
  const Grammar& grammar = options.grammar != nullptr ? *options.grammar : builtin_grammar();
  const text::Lexer lexer(source.text);
  // Read before the first word: the version determines which opcodes exist.
  const text::HeaderComments comments =
      options.exact ? text::read_header_comments(lexer, diagnostics) : text::read_version_comment(lexer);
  if (map != nullptr) map->clear();
  return text::Assembler(grammar, lexer, options, comments, diagnostics, map).run();
}

}  // namespace vireo::spirv
