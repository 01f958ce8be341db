// SPDX-License-Identifier: Apache-2.0
//
// Table-driven tests of the grammar: a module that declares the requirements of a row has no finding. If one is
// missing, it has exactly one finding, at the row's word.
//
// Every row with requirements gives a tiny module, in all versions, with all its requirements and without
// each of them. A slow, independent interpreter of the rows predicts the findings. Findings of other rules are ignored,
// because these modules have no meaning.
//
// Source: specification 3 (versions, extensions and capabilities of instructions and enumerants), 3.31 (implied
// capabilities).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "spirv/validate/tables/grammar_words.h"
#include "vireo/spirv/validate/validate.h"

namespace vireo::spirv {
namespace {

using test::Carrier;
using test::GrammarWords;
using test::Mention;
using Of = Mention::Of;

constexpr Version first_version{1, 0}, newest_version{1, 6};

// --- exceptions to the grammar ---------------------------------------------------------------------------------------

// Requirements that differ from the rows, with the reason.
struct Exception {
  enum class What { NoCapability, VersionToo };
  What what;
  std::string_view kind, name;
  std::string_view extension;  ///< only with this one; empty: always
  std::string_view why;
};
constexpr Exception exceptions[] = {
    {Exception::What::NoCapability, "BuiltIn", "PointSize", "", "blocks of shaders of old hold it without using it"},
    {Exception::What::NoCapability, "BuiltIn", "ClipDistance", "", "the same"},
    {Exception::What::NoCapability, "BuiltIn", "CullDistance", "", "the same"},
    {Exception::What::NoCapability, "GroupOperation", "Reduce", "SPV_AMD_shader_ballot",
     "the extension's text frees it"},
    {Exception::What::NoCapability, "GroupOperation", "InclusiveScan", "SPV_AMD_shader_ballot", "the same"},
    {Exception::What::NoCapability, "GroupOperation", "ExclusiveScan", "SPV_AMD_shader_ballot", "the same"},
    {Exception::What::VersionToo, "", "OpTerminateInvocation", "", "Shader, which enables it, is older than it is"},
};

// Kinds without operands: their values are those of constants, which rules of scopes and semantics check.
constexpr std::string_view kinds_of_constants[] = {
    "MemorySemantics",
    "Scope",
    "KernelEnqueueFlags",
    "KernelProfilingInfo",
    "RayFlags",
    "RayQueryIntersection",
    "RayQueryCommittedIntersectionType",
    "RayQueryCandidateIntersectionType",
    "FragmentShadingRate",
    "CooperativeMatrixLayout",
    "CooperativeMatrixUse",
    "CooperativeVectorMatrixLayout",
    "ComponentType",
    "TensorClampMode",
    "GatherModes",
    "QuantizationModes",
    "OverflowModes",
};

// --- the independent interpreter -------------------------------------------------------------------------------------

using Finding = std::pair<std::string_view, std::size_t>;  // a rule, and the word of its finding

class SecondReading {
 public:
  explicit SecondReading(const Grammar& grammar) : grammar_(grammar) {}

  std::vector<Finding> of(const std::vector<Mention>& mentions, Version version,
                          const std::set<std::string_view>& extensions) {
    std::set<std::string_view> capabilities;
    for (const Mention& mention : mentions) {
      if (mention.of == Of::Capability) declare(mention.name, capabilities);
    }
    std::vector<Finding> findings;
    std::set<std::vector<std::string_view>> missed;  // each list is reported where it is first missing
    const auto miss = [&](std::string_view rule, const std::vector<std::string_view>& list, std::size_t word) {
      if (missed.insert(list).second) findings.push_back({rule, word});
    };
    for (const Mention& it : mentions) {
      const std::vector<std::string_view> enabling = capabilities_of(it.capabilities),
                                          bringing = names_of(it.extensions);
      if (it.of == Of::Instruction && it.since.is_none() && bringing.empty() && !may_come_with(it.capabilities)) {
        findings.push_back({"reserved", it.word});
        continue;
      }
      const bool is_enabled = enabling.empty() || any_in(enabling, capabilities);
      if (!is_enabled && it.of != Of::Capability && excused(Exception::What::NoCapability, it, extensions)) continue;
      if (!is_enabled && it.of != Of::Capability) miss("missing-capability", enabling, it.word);
      if (!it.last.is_none() && version > it.last) {
        findings.push_back({"removed-in-version", it.word});
        continue;
      }
      const bool is_brought = (!it.since.is_none() && version >= it.since) ||
                              (bringing.empty() ? it.since.is_none() : any_in(bringing, extensions));
      if (is_brought) continue;
      // Capabilities have versions themselves, so the version of an enabled row is not checked.
      const bool is_enabled_alone = it.of == Of::Instruction && !enabling.empty();
      if (is_enabled_alone && !excused(Exception::What::VersionToo, it, extensions)) continue;
      if (bringing.empty()) findings.push_back({"missing-extension", it.word});
      else miss("missing-extension", bringing, it.word);
    }
    std::sort(findings.begin(), findings.end());
    return findings;
  }

  [[nodiscard]] std::vector<std::string_view> names_of(Slice slice) const {
    std::vector<std::string_view> names;
    for (const StringRef name : grammar_.strings(slice)) names.push_back(grammar_.text(name));
    return names;
  }

  void expect_every_exception_to_be_needed() const {
    for (const Exception& exception : exceptions) EXPECT_TRUE(used_.contains(&exception)) << exception.name;
  }

 private:
  static bool any_in(const std::vector<std::string_view>& names, const std::set<std::string_view>& set) {
    return std::any_of(names.begin(), names.end(), [&](std::string_view name) { return set.contains(name); });
  }

  [[nodiscard]] std::vector<std::string_view> capabilities_of(Slice slice) const {
    std::vector<std::string_view> names;
    for (const std::uint16_t row : grammar_.capabilities(slice))
      names.push_back(grammar_.text(grammar_.enumerants[row].name));
    return names;
  }

  // Declares a capability and those that it implies.
  void declare(std::string_view name, std::set<std::string_view>& declared) const {
    if (!declared.insert(name).second) return;
    const EnumerantRow* row = grammar_.find_enumerant(grammar_.capability_kind, name);
    for (const std::string_view implied : capabilities_of(row->capabilities)) declare(implied, declared);
  }

  // An instruction without a version may be enabled by a capability of an extension.
  [[nodiscard]] bool may_come_with(Slice capabilities) const {
    const auto rows = grammar_.capabilities(capabilities);
    return std::any_of(rows.begin(), rows.end(), [&](std::uint16_t row) {
      return grammar_.enumerants[row].since.is_none() || grammar_.enumerants[row].extensions.count != 0;
    });
  }

  bool excused(Exception::What what, const Mention& it, const std::set<std::string_view>& extensions) {
    for (const Exception& exception : exceptions) {
      if (exception.what != what || exception.kind != it.kind || exception.name != it.name) continue;
      if (!exception.extension.empty() && !extensions.contains(exception.extension)) continue;
      used_.insert(&exception);
      return true;
    }
    return false;
  }

  const Grammar& grammar_;
  std::set<const Exception*> used_;
};

// --- making modules -----------------------------------------------------------------------------------------------------

// Only the rules of requirements, because these modules have no other meaning.
std::vector<Finding> requirement_findings(Words words) {
  constexpr std::string_view checked_rules[] = {"missing-capability", "missing-extension", "removed-in-version",
                                                "reserved"};
  ValidateOptions options;
  options.max_findings = 100'000;
  Diagnostics diagnostics(options.max_findings);
  validate(words, options, diagnostics);
  std::vector<Finding> findings;
  for (const Diagnostic& diagnostic : diagnostics.all()) {
    if (std::find(std::begin(checked_rules), std::end(checked_rules), diagnostic.rule) == std::end(checked_rules))
      continue;
    findings.push_back({diagnostic.rule, static_cast<std::size_t>(diagnostic.where.begin)});
    // Lists that one capability would satisfy are one finding, with a note for each.
    for (const Note& note : diagnostic.notes) {
      if (note.message.find(" more use") != std::string::npos) continue;  // further uses of the same list
      if (note.where.begin != diagnostic.where.begin)
        findings.push_back({diagnostic.rule, static_cast<std::size_t>(note.where.begin)});
    }
  }
  std::sort(findings.begin(), findings.end());
  return findings;
}

// The declarations of a module.
struct Declared {
  Version version = newest_version;
  std::vector<const EnumerantRow*> capabilities;
  std::set<std::string_view> extensions;
};

class GrammarRowsTest : public testing::Test {
 protected:
  GrammarRowsTest() : g_(builtin_grammar()), reading_(g_) {}

  // Compares the findings of some carriers with the prediction; returns the number of findings.
  std::size_t check(const Declared& declared, const std::vector<Carrier>& carriers) {
    GrammarWords module(g_, declared.version);
    for (const EnumerantRow* capability : declared.capabilities) module.add_capability(*capability);
    for (const std::string_view extension : declared.extensions) module.add_extension(extension);
    for (const Carrier& carrier : carriers) {
      if (carrier.extended != nullptr) module.add_import(import_of(carrier.set));
      module.add(carrier);
    }
    const std::vector<Finding> expected = reading_.of(module.mentions(), declared.version, declared.extensions);
    EXPECT_EQ(requirement_findings(module.words()), expected) << describe(declared, carriers);
    ++made_;
    return expected.size();
  }

  [[nodiscard]] std::string import_of(ExtInstSetId set) const {
    const ExtInstSetRow& row = g_.sets[set.index()];
    return std::string(g_.text(row.name)) + (row.match == SetMatch::Prefix ? "100" : "");
  }

  [[nodiscard]] std::string describe(const Declared& declared, const std::vector<Carrier>& carriers) const {
    std::string text = "SPIR-V 1." + std::to_string(declared.version.minor);
    for (const EnumerantRow* row : declared.capabilities) text.append(", ").append(g_.text(row->name));
    for (const std::string_view name : declared.extensions) text.append(", ").append(name);
    if (carriers.size() != 1) return text;
    text.append(": ").append(g_.text(carriers[0].instruction->name));
    if (carriers[0].extended != nullptr) text.append(" ").append(g_.text(carriers[0].extended->name));
    for (const auto& [kind, value] : carriers[0].choices)
      text.append(" ").append(g_.text(g_.kind(kind).name)).append(" ").append(std::to_string(value));
    return text;
  }

  // Tests a carrier with all its requirements, and without each of them. The minimum is one capability of each list;
  // for the list of the subject each capability is tested.
  void turn_round(const Carrier& carrier, Slice subject, bool is_capability = false) {
    GrammarWords alone(g_, newest_version);
    alone.add(carrier);
    Declared all;
    std::vector<const EnumerantRow*> others;  // capabilities that the subject does not need
    for (const Mention& it : alone.mentions()) {
      if (it.capabilities.count == 0 || it.of == Of::Capability || it.capabilities == subject) continue;
      others.push_back(&g_.enumerants[g_.capabilities(it.capabilities)[0]]);
    }
    for (const Mention& it : alone.mentions()) {
      for (const std::string_view name : reading_.names_of(it.extensions)) all.extensions.insert(name);
      if (!it.last.is_none()) all.version = std::min(all.version, it.last);
    }
    std::vector<const EnumerantRow*> enabling;
    if (!is_capability) {
      for (const std::uint16_t row : g_.capabilities(subject)) enabling.push_back(&g_.enumerants[row]);
    }
    for (std::size_t i = 0; i < std::max<std::size_t>(enabling.size(), 1); ++i) {
      Declared it = all;
      it.capabilities = others;
      if (!enabling.empty()) it.capabilities.push_back(enabling[i]);
      for (const EnumerantRow* row : it.capabilities) {
        for (const std::string_view name : reading_.names_of(row->extensions)) it.extensions.insert(name);
      }
      sound_ += check(it, {carrier}) == 0;
      if (i == 0) check_versions(it, carrier);
    }
    if (enabling.empty()) return;
    all.capabilities = others;
    check(all, {carrier});
    for (const Exception& exception : exceptions) {
      if (!exception.extension.empty()) all.extensions.insert(exception.extension);
    }
    check(all, {carrier});
  }

  // In all versions; with all extensions, with each one of them, and without any.
  void check_versions(Declared declared, const Carrier& carrier) {
    std::vector<std::set<std::string_view>> choices{declared.extensions, {}};
    if (declared.extensions.size() > 1) {
      for (const std::string_view name : declared.extensions) choices.push_back({name});
    }
    for (std::uint8_t minor = first_version.minor; minor <= newest_version.minor; ++minor) {
      declared.version = {1, minor};
      for (const auto& choice : choices) {
        declared.extensions = choice;
        check(declared, {carrier});
      }
    }
  }

  template <typename Row>
  static bool requires_something(const Row& row) {
    return row.capabilities.count + row.extensions.count != 0 || row.since != first_version || !row.last.is_none();
  }

  const Grammar& g_;
  SecondReading reading_;
  std::size_t made_ = 0, sound_ = 0;
};

TEST_F(GrammarRowsTest, each_missing_requirement_is_reported_once) {
  std::size_t subjects = 0;
  for (const InstructionRow& row : g_.instructions) {
    if (!requires_something(row)) continue;
    ++subjects;
    Carrier carrier{&row, nullptr, {}, {}};
    // OpExtInst and its variants can only be decoded with an instruction of a set.
    if (g_.text(row.name).starts_with("OpExtInst")) {
      carrier.set = g_.find_set("GLSL.std.450");
      carrier.extended = g_.find_ext_inst(carrier.set, "Sqrt");
    }
    turn_round(carrier, row.capabilities);
  }
  for (std::size_t i = 0; i < g_.kinds.size(); ++i) {
    const auto rows = g_.enumerants_of(g_.kinds[i]);
    if (std::none_of(rows.begin(), rows.end(), requires_something<EnumerantRow>)) continue;
    const std::optional<Carrier> carrier = test::carrier_of(g_, KindId(i));
    const bool is_of_constants = std::find(std::begin(kinds_of_constants), std::end(kinds_of_constants),
                                           g_.text(g_.kinds[i].name)) != std::end(kinds_of_constants);
    EXPECT_EQ(carrier.has_value(), !is_of_constants) << g_.text(g_.kinds[i].name);
    if (!carrier) continue;
    for (const EnumerantRow& row : rows) {
      if (!requires_something(row) || (g_.kinds[i].category == Category::BitEnum && row.value == 0)) continue;
      ++subjects;
      Carrier subject = *carrier;
      subject.choices[KindId(i)] = row.value;
      turn_round(subject, row.capabilities, KindId(i) == g_.capability_kind);
    }
  }
  for (std::size_t i = 0; i < g_.sets.size(); ++i) {
    for (const ExtInstRow& row : g_.instructions_of(g_.sets[i])) {
      if (row.capabilities.count == 0) continue;
      ++subjects;
      turn_round({g_.find_instruction("OpExtInst"), &row, ExtInstSetId(i), {}}, row.capabilities);
    }
  }
  RecordProperty("subjects", static_cast<int>(subjects));
  RecordProperty("modules", static_cast<int>(made_));
  EXPECT_GE(subjects, 1500u);
  EXPECT_GE(sound_, subjects) << "each subject has a module without findings";
  reading_.expect_every_exception_to_be_needed();
}

// One module for each capability: it uses the first row of each list of capabilities in the grammar.
TEST_F(GrammarRowsTest, implied_capabilities_satisfy_requirements) {
  std::vector<Carrier> carriers;
  std::set<std::pair<std::uint16_t, std::uint16_t>> seen;
  const auto is_new = [&](Slice list) { return list.count != 0 && seen.emplace(list.first, list.count).second; };
  for (const InstructionRow& row : g_.instructions) {
    if (is_new(row.capabilities)) carriers.push_back({&row, nullptr, {}, {}});
  }
  for (std::size_t i = 0; i < g_.kinds.size(); ++i) {
    if (KindId(i) == g_.capability_kind) continue;
    for (const EnumerantRow& row : g_.enumerants_of(g_.kinds[i])) {
      if (!is_new(row.capabilities)) continue;
      const std::optional<Carrier> carrier = test::carrier_of(g_, KindId(i));
      if (!carrier) break;
      carriers.push_back(*carrier);
      carriers.back().choices[KindId(i)] = row.value;
    }
  }
  const auto capabilities = g_.enumerants_of(g_.kind(g_.capability_kind));
  std::size_t found = 0;
  for (const EnumerantRow& capability : capabilities) found += check({newest_version, {&capability}, {}}, carriers);
  RecordProperty("lists", static_cast<int>(carriers.size()));
  RecordProperty("findings", static_cast<int>(found));
  EXPECT_GE(capabilities.size() * carriers.size(), 50'000u);
}

}  // namespace
}  // namespace vireo::spirv
