// SPDX-License-Identifier: Apache-2.0
//
// Prints instructions of a comparison (diff_printer.h).
#include "spirv/inspect/diff/diff_printer.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "spirv/inspect/diff/module_diff_data.h"
#include "vireo/spirv/binary/views/debug.h"

namespace vireo::spirv {
namespace {

constexpr std::uint32_t no_token = ~std::uint32_t{0};

bool is_id_token(const Token& token) { return token.style == TokenStyle::Id || token.style == TokenStyle::ResultId; }

// "%17", which says nothing about the id.
bool is_numeric(std::string_view name) {
  return name.size() > 1 && std::ranges::all_of(name.substr(1), [](char c) { return c >= '0' && c <= '9'; });
}

// The places of instructions of `part` in `whole`, of which they are a subsequence.
std::vector<PartInstruction> places_in(Words whole, Words part) {
  std::vector<PartInstruction> places;
  const Instructions all(whole);
  auto at = all.begin();
  std::uint64_t ordinal = 1;
  for (const InstructionView view : Instructions(part)) {
    while (at != all.end() && !std::ranges::equal((*at).words(), view.words())) {
      ++at;
      ++ordinal;
    }
    if (at == all.end()) break;
    places.push_back({view.offset, (*at).offset, ordinal});
    ++at;
    ++ordinal;
  }
  return places;
}

}  // namespace

PrintedModule::PrintedModule(const DiffSide& side, Words whole, Words compared, const Grammar* grammar) : side_(side) {
  DisassembleOptions options;
  options.grammar = grammar;
  options.header = false;
  options.indent = false;
  options.escape_strings = true;
  const bool is_part = whole.data() != compared.data();
  const std::vector<PartInstruction> places = is_part ? places_in(whole, compared) : std::vector<PartInstruction>();
  const WholeModule module{whole, places};
  if (is_part) options.whole = &module;
  Diagnostics ignored;  // the comparison has decoded all instructions
  disassemble(compared, options, text_, ignored, &map_);

  const std::uint32_t count = side.module().instruction_count();
  tokens_.assign(count + std::size_t{1}, no_token);
  name_tokens_.assign(side.id_count() + std::size_t{1}, no_token);
  const std::vector<Token>& tokens = map_.tokens();
  for (std::uint32_t t = 0; t < tokens.size(); ++t) {
    const Token& token = tokens[t];
    if (token.instruction == 0 || token.instruction > count) continue;
    const std::uint32_t i = token.instruction - 1;
    if (tokens_[i] == no_token) tokens_[i] = t;
    if (const Word id = is_id_token(token) ? id_of(token) : 0; id != 0) name_tokens_[id] = t;
  }
  tokens_[count] = static_cast<std::uint32_t>(tokens.size());
}

Word PrintedModule::id_of(const Token& token) const {
  const InstructionView view = side_.instruction(token.instruction - 1);
  return token.word < view.word_count && side_.is_id(view, token.word) ? view.first[token.word] : 0;
}

template <typename Name>
std::string PrintedModule::text_of(std::uint32_t instruction, Name&& name) const {
  const std::vector<Token>& tokens = map_.tokens();
  const std::string_view all = text_.text();
  std::string text;
  std::uint32_t t = tokens_[instruction];
  if (t >= tokens.size()) return text;
  std::uint64_t at = tokens[t].begin;
  for (; t < tokens.size() && tokens[t].instruction == instruction + 1; ++t) {
    const Word id = is_id_token(tokens[t]) ? id_of(tokens[t]) : 0;
    if (id == 0) continue;
    text += all.substr(at, tokens[t].begin - at);
    text += name(id);
    at = tokens[t].begin + tokens[t].length;
  }
  // The last token of a string does not include the closing quote.
  text += all.substr(at, (t < tokens.size() ? tokens[t].begin : all.size()) - at);
  text.erase(text.find_last_not_of("\n ") + 1);
  return text;
}

std::string_view PrintedModule::name_of(Word id) const {
  if (name_tokens_[id] == no_token) return {};
  const Token& token = map_.tokens()[name_tokens_[id]];
  return std::string_view(text_.text()).substr(token.begin, token.length);
}

DiffPrinter::DiffPrinter(const ModuleDiff& diff, const DiffTextOptions& options)
    : options_(options),
      side_before_(&diff.data_->before),
      side_after_(&diff.data_->after),
      pairing_(&diff.data_->pairing),
      lines_(&diff.data_->lines),
      before_(*side_before_, diff.data_->whole_before, diff.data_->before_words, diff.data_->grammar),
      after_(*side_after_, diff.data_->whole_after, diff.data_->after_words, diff.data_->grammar) {
  choose_own_names();
}

// Ids of the second module that are new, or have a new definition or name, have names of their own. These names must
// not refer to anything else.
void DiffPrinter::choose_own_names() {
  std::vector<bool> has_own_name(side_after_->id_count() + std::size_t{1});
  for (Word id = 1; id <= side_after_->id_count(); ++id) has_own_name[id] = pairing_->after.ids[id] == 0;
  for (const DiffLine& line : *lines_) {
    if (line.kind != DiffLine::Kind::Changed && line.kind != DiffLine::Kind::Added) continue;
    const InstructionView view = side_after_->instruction(line.after);
    if (const Word id = side_after_->result_of(line.after); id != 0) has_own_name[id] = true;
    const auto name = as<Op::OpName>(view);
    if (name && side_after_->is_id(view, name->target().word)) has_own_name[name->target()] = true;
  }
  std::unordered_set<std::string> taken;
  for (Word id = 1; id <= side_before_->id_count(); ++id) taken.insert(name_before(id));
  own_names_.resize(has_own_name.size());
  for (Word id = 1; id <= side_after_->id_count(); ++id) {
    const Word partner = pairing_->after.ids[id];
    std::string name = listed_name_after(id);
    if (!has_own_name[id] || name.empty() || (partner != 0 && (is_numeric(name) || name == name_before(partner)))) {
      continue;
    }
    while (!taken.insert(name).second) name.insert(1, "new_");
    own_names_[id] = std::move(name);
  }
}

std::string DiffPrinter::name_before(Word id) const {
  std::string name;
  if (options_.name_of_id_before) name = options_.name_of_id_before(side_before_->original_id(id));
  return name.empty() ? std::string(before_.name_of(id)) : name;
}

std::string DiffPrinter::listed_name_after(Word id) const {
  std::string name;
  if (options_.name_of_id_after) name = options_.name_of_id_after(side_after_->original_id(id));
  return name.empty() ? std::string(after_.name_of(id)) : name;
}

std::string DiffPrinter::name_after(Word id) const {
  const Word partner = pairing_->after.ids[id];
  if (!own_names_[id].empty() || partner == 0) return own_names_[id];
  return name_before(partner);
}

std::string DiffPrinter::text_before(std::uint32_t instruction) const {
  return before_.text_of(instruction, [&](Word id) { return name_before(id); });
}
std::string DiffPrinter::text_after(std::uint32_t instruction) const {
  return after_.text_of(instruction, [&](Word id) { return name_after(id); });
}

std::string DiffPrinter::function_of(const DiffLine& line) const {
  const bool is_before = line.before != no_partner;
  const DiffSide& side = is_before ? *side_before_ : *side_after_;
  const FunctionIndex function = side.function_of(is_before ? line.before : line.after);
  if (function.is_none()) return {};
  const Word id = side.result_of(side.module().functions()[function.index()].all.first);
  if (id == 0) return {};
  if (is_before) return name_before(id);
  const Word partner = pairing_->after.ids[id];
  return partner != 0 ? name_before(partner) : name_after(id);
}

Section DiffPrinter::section_of(const DiffLine& line) const {
  const bool is_before = line.before != no_partner;
  const DiffSide& side = is_before ? *side_before_ : *side_after_;
  const InstructionIndex index(is_before ? line.before : line.after);
  for (std::size_t s = 0; s < section_count; ++s) {
    if (side.module().section(static_cast<Section>(s)).contains(index)) return static_cast<Section>(s);
  }
  return Section::Functions;
}

}  // namespace vireo::spirv
