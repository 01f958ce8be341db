// SPDX-License-Identifier: Apache-2.0
//
// Parses displays into segments and expands templates (docs/isaspec.md, "Displays").
//
// `{T}` for a template T is replaced by the segments of T. Each template is expanded once, inner
// templates first; a cycle has no such order. A segment keeps the position where the user wrote it, in a display or a
// template.
//
// Mesa replaces text once per loaded file, so nested templates may remain unexpanded there; here all are expanded.
// Expansion takes time linear in the size of the result, and a limit on that size protects against templates that
// multiply.
#include <algorithm>
#include <charconv>
#include <unordered_set>

#include "isa/model/model_builder.h"
#include "support/printable.h"

namespace vireo::isa {
namespace {

constexpr std::string_view align_mark = ":align=";
// The limit of a column. Real listings align within the first hundred columns.
constexpr std::uint32_t max_align = 1024;

class DisplayResolver {
 public:
  explicit DisplayResolver(ModelBuilder& draft) : draft_(draft), rows_(draft.rows) {}

  // Resolves the displays, and then checks that no template has the name of a field.
  void run() {
    expand_templates();
    for (std::size_t i = 0; i < rows_.cases.size(); ++i) {
      Case& row = rows_.cases[i];
      if (!row.has_display) continue;
      row.segments = make(row.display, draft_.display_of[i]);
      for (std::uint32_t k = row.aliases.first; k < row.aliases.first + row.aliases.count; ++k) {
        rows_.aliases[k].segments = make(rows_.aliases[k].text, draft_.alias_source[k]);
      }
    }
    std::unordered_set<std::uint32_t> reported;
    for (const Field& field : rows_.fields) {
      const auto clash = draft_.template_by_name.find(field.name.raw);
      if (clash == draft_.template_by_name.end()) continue;
      // Reported once per template, because many bitsets may have a field of this name.
      if (!reported.insert(clash->second.raw).second) continue;
      draft_.fault(rule::duplicate_name, field.where,
                   quoted(draft_.text(field.name)) + " is both a field and a template; the template takes precedence");
      draft_.note(field.where, rows_.templates[clash->second.index()].where, "the template");
    }
  }

 private:
  enum class State : std::uint8_t { New, Open, Done };

  TemplateId template_of(const Segment& segment) const {
    // `{T:align=9}` is a field even if T is a template, because only the exact text `{T}` is replaced.
    if (segment.kind != Segment::Kind::Field || segment.has_align) return TemplateId::none();
    const auto found = draft_.template_by_name.find(segment.name.raw);
    return found == draft_.template_by_name.end() ? TemplateId::none() : found->second;
  }

  // Expands templates depth first, with an explicit stack.
  void expand_templates() {
    const std::size_t count = rows_.templates.size();
    raw_.resize(count);
    expanded_.resize(count);
    std::vector<State> states(count, State::New);
    for (std::size_t i = 0; i < count; ++i) raw_[i] = read(rows_.templates[i].text, draft_.template_source[i]);
    struct Step {
      std::size_t index;
      std::size_t next;
    };
    for (std::size_t start = 0; start < count; ++start) {
      if (states[start] != State::New) continue;
      std::vector<Step> open{{start, 0}};
      // Open: the expansion is in progress; reaching an open template is a cycle. Done: expanded.
      states[start] = State::Open;
      while (!open.empty()) {
        Step& step = open.back();
        if (step.next == raw_[step.index].size()) {
          states[step.index] = State::Done;
          expand(step.index);
          open.pop_back();
          continue;
        }
        const Segment& segment = raw_[step.index][step.next++];
        const TemplateId inner = template_of(segment);
        // Each template is expanded once, however often it is used.
        if (inner.is_none() || states[inner.index()] == State::Done) continue;
        if (states[inner.index()] == State::Open) {
          draft_.error(rule::template_cycle, segment.where, "template " + quoted(segment.text) + " contains itself");
          continue;
        }
        states[inner.index()] = State::Open;
        open.push_back({inner.index(), 0});
      }
    }
  }

  void expand(std::size_t index) {
    std::vector<Segment>& result = expanded_[index];
    for (const Segment& segment : raw_[index]) {
      const TemplateId inner = template_of(segment);
      if (inner.is_none()) {
        result.push_back(segment);
        continue;
      }
      const std::vector<Segment>& part =
          expanded_[inner.index()];  // empty for an open template, whose cycle was reported
      // Check before copying, because a few dozen templates that each use the previous one twice would exhaust the
      // memory.
      if (result.size() + part.size() > max_segments) return too_long(rows_.templates[index].where);
      result.insert(result.end(), part.begin(), part.end());
    }
  }

  Run make(std::string_view text, const TextSource& source) {
    const auto first = static_cast<std::uint32_t>(rows_.segments.size());
    for (const Segment& segment : read(text, source)) append(segment, first);
    return {first, static_cast<std::uint32_t>(rows_.segments.size()) - first};
  }

  // Appends to the display that begins at segment `first`.
  void append(const Segment& segment, std::uint32_t first) {
    const TemplateId inner = template_of(segment);
    if (inner.is_none()) {
      rows_.segments.push_back(segment);
      return;
    }
    // All templates are expanded, so one pass suffices.
    const std::vector<Segment>& part = expanded_[inner.index()];
    // One limit bounds the text of a word, the other the memory of all displays.
    if (rows_.segments.size() - first + part.size() > max_segments || rows_.segments.size() > max_model_rows) {
      return too_long(segment.where);
    }
    rows_.segments.insert(rows_.segments.end(), part.begin(), part.end());
  }

  void too_long(Place where) {
    draft_.error(rule::limit_exceeded, where,
                 "a display has at most " + std::to_string(max_segments) + " segments after template expansion");
  }

  // --- braces ------------------------------------------------------------------------------------------------------------

  std::vector<Segment> read(std::string_view text, const TextSource& source) {
    std::vector<Segment> segments;
    if (source.element == nullptr) return segments;
    const auto offset_of = [&](std::size_t at) {
      return static_cast<std::size_t>(text.data() - source.element->text.data()) + at;
    };
    // A line break would split the line of an instruction. The C code that Mesa generates would not compile.
    if (text.find('\n') != std::string_view::npos) {
      draft_.error(rule::malformed_display, draft_.place_of(source, offset_of(text.find('\n')), 1),
                   "a display is one line");
      return segments;
    }
    if (text.size() > max_display_length) {
      draft_.error(rule::limit_exceeded, draft_.place_of(source, 0, 1),
                   "a display has at most " + std::to_string(max_display_length) + " bytes");
      return segments;
    }
    std::size_t at = 0;
    while (at < text.size()) {
      const std::size_t brace = std::min(text.find('{', at), text.size());
      if (brace > at) {
        Segment literal;
        literal.text = text.substr(at, brace - at);
        literal.where = draft_.place_of(source, offset_of(at), literal.text.size());
        segments.push_back(literal);
      }
      if (brace == text.size()) break;
      // Braces do not nest, so the next `}` ends the name.
      const std::size_t end = text.find('}', brace);
      // Mesa's decoder reads past the end of such a text.
      if (end == std::string_view::npos) {
        draft_.error(rule::malformed_display, draft_.place_of(source, offset_of(brace), 1), "'{' without '}'");
        break;
      }
      const Place where = draft_.place_of(source, offset_of(brace), end + 1 - brace);
      segments.push_back(read_reference(text.substr(brace + 1, end - brace - 1), where));
      at = end + 1;
    }
    return segments;
  }

  Segment read_reference(std::string_view spec, Place where) {
    Segment segment;
    segment.where = where;
    segment.text = spec;
    std::string_view name = spec;
    if (const std::size_t mark = spec.find(align_mark); mark != std::string_view::npos) {
      const std::string_view digits = spec.substr(mark + align_mark.size());
      const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), segment.align);
      // A negative column is an error. Mesa's decoder would pad without end.
      if (digits.empty() || code != std::errc() || end != digits.data() + digits.size() || segment.align > max_align) {
        draft_.error(
            rule::malformed_display, where,
            "expected a column of at most " + std::to_string(max_align) + " after 'align=', found " + quoted(digits));
        segment.align = 0;
      }
      segment.has_align = true;
      name = spec.substr(0, mark);
      // `{:align=20}` prints only padding.
      if (name.empty()) {
        segment.kind = Segment::Kind::Align;
        return segment;
      }
    }
    // No field has a colon in its name, so Mesa's tools print nothing here.
    if (const std::size_t colon = name.find(':'); colon != std::string_view::npos) {
      draft_.fault(rule::malformed_display, where,
                   "unknown format " + quoted(name.substr(colon)) + ", expected ':align=COLUMN'");
    }
    if (name == "NAME") {
      segment.kind = Segment::Kind::Name;
      return segment;
    }
    // Mesa compares prefixes, so it reads {}, {N}, {NA} and {NAM} as {NAME}, and cannot show fields with these names.
    // In Vireo only {NAME} has this meaning, and the other forms are reported.
    if (name.empty()) draft_.fault(rule::malformed_display, where, "expected a name between '{' and '}'");
    else if (std::string_view("NAME").starts_with(name)) {
      draft_.warning(rule::malformed_display, where, "Mesa's tools read {" + std::string(name) + "} as {NAME}");
    }
    if (name.empty() || (draft_.mesa_compat && std::string_view("NAME").starts_with(name))) {
      segment.kind = Segment::Kind::Name;
      return segment;
    }
    segment.kind = Segment::Kind::Field;
    segment.name = draft_.intern(name);
    return segment;
  }

  static constexpr std::size_t max_segments = 4096;

  ModelBuilder& draft_;
  ModelRows& rows_;
  std::vector<std::vector<Segment>> raw_;
  std::vector<std::vector<Segment>> expanded_;
};

}  // namespace

void resolve_displays(ModelBuilder& draft) { DisplayResolver(draft).run(); }

}  // namespace vireo::isa
