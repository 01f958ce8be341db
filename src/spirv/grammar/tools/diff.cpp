// SPDX-License-Identifier: Apache-2.0
//
// Computes the differences between two grammars (grammar_tools.h).
//
// Each item has a stable key: an opcode, a value, or the name of a kind or set. Two lists are merged by
// key, and items with the same key are compared field by field. So if a Khronos name replaces a vendor's name, the
// result is a changed name, not a removal and an addition.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <utility>

#include "spirv/grammar/load/describe_text.h"
#include "spirv/grammar/load/description.h"
#include "spirv/grammar/row_names.h"
#include "vireo/spirv/grammar/grammar_tools.h"

namespace vireo::spirv {
namespace {

class Diff {
 public:
  std::vector<GrammarChange> run(const GrammarDescription& a, const GrammarDescription& b) {
    field("grammar", "version", fmt::format("{}.{} revision {}", a.major_version, a.minor_version, a.revision),
          fmt::format("{}.{} revision {}", b.major_version, b.minor_version, b.revision));
    instructions("instruction", a.instructions, b.instructions);
    kinds("", a.kinds, b.kinds);
    sets(a.sets, b.sets);
    return std::move(changes_);
  }

 private:
  // Changes are in the order of their discovery: core before sets, each by number or name.
  void added_or_removed(bool is_new, std::string subject, std::string what) {
    std::string before = is_new ? std::string() : what;
    std::string after = is_new ? std::move(what) : std::string();
    changes_.push_back({is_new ? GrammarChange::Kind::Added : GrammarChange::Kind::Removed,
                        std::move(subject),
                        {},
                        std::move(before),
                        std::move(after)});
  }
  // Fields are compared as printed text, so a change is always visible.
  void field(const std::string& subject, std::string_view name, std::string before, std::string after) {
    if (before == after) return;
    changes_.push_back({GrammarChange::Kind::Changed, subject, std::string(name), std::move(before), std::move(after)});
  }

  // One change for each field, so that a script can filter them: most changes between versions are in these fields.
  void availability(const std::string& subject, const Availability& a, const Availability& b) {
    field(subject, "capabilities", text_of(a.capabilities), text_of(b.capabilities));
    field(subject, "extensions", text_of(a.extensions), text_of(b.extensions));
    field(subject, "version", text_of(a.since), text_of(b.since));
    field(subject, "last version", text_of(a.last), text_of(b.last));
    field(subject, "provisional", a.is_provisional ? "yes" : "no", b.is_provisional ? "yes" : "no");
  }

  /// Walks two lists by ascending key. Calls `only` for each item that is in one list only, and `both` for each pair
  /// with the same key. Uses a map instead of a merge of sorted lists, as documents may be in any order. O(n log n).
  template <typename Item, typename KeyOf, typename Only, typename Both>
  static void merge(const std::vector<Item>& a, const std::vector<Item>& b, KeyOf key_of, Only only, Both both) {
    using Key = decltype(key_of(a.front()));
    std::map<Key, std::pair<const Item*, const Item*>> all;
    for (const Item& item : a) all[key_of(item)].first = &item;
    for (const Item& item : b) all[key_of(item)].second = &item;
    for (const auto& [key, pair] : all) {
      if (pair.first != nullptr && pair.second != nullptr) both(*pair.first, *pair.second);
      else only(pair.first != nullptr ? *pair.first : *pair.second, pair.first == nullptr);
    }
  }

  /// Pairs items by number, because a renamed item keeps its number. `own` compares the fields that only this item type
  /// has.
  template <typename Item, typename Own>
  void numbered(const std::string& noun, const std::vector<Item>& a, const std::vector<Item>& b,
                std::uint32_t Item::*number, Own own) {
    merge(
        a, b, [&](const Item& item) { return item.*number; },
        [&](const Item& item, bool is_new) {
          added_or_removed(is_new, fmt::format("{} {}", noun, item.name), fmt::format("{}", item.*number));
        },
        [&](const Item& x, const Item& y) {
          // The subject is the name in the newer grammar, which a user can look up.
          const std::string subject = fmt::format("{} {}", noun, y.name);
          field(subject, "name", x.name, y.name);
          field(subject, "aliases", text_of(x.aliases), text_of(y.aliases));
          own(subject, x, y);
          availability(subject, x.availability, y.availability);
        });
  }

  void instructions(const std::string& noun, const std::vector<InstructionDescription>& a,
                    const std::vector<InstructionDescription>& b) {
    numbered(noun, a, b, &InstructionDescription::opcode, [this](const std::string& subject, auto& x, auto& y) {
      field(subject, "operands", text_of(x.operands), text_of(y.operands));
      field(subject, "class", x.printing_class, y.printing_class);
    });
  }

  void enumerants(const std::string& kind, const std::vector<EnumerantDescription>& a,
                  const std::vector<EnumerantDescription>& b) {
    numbered("enumerant " + kind, a, b, &EnumerantDescription::value,
             [this](const std::string& subject, auto& x, auto& y) {
               field(subject, "parameters", text_of(x.parameters), text_of(y.parameters));
             });
  }

  // `owner` is empty for the core; otherwise it is the set's name and a blank.
  void kinds(const std::string& owner, const std::vector<KindDescription>& a, const std::vector<KindDescription>& b) {
    using Item = KindDescription;
    merge(
        a, b, [](const Item& item) { return item.name; },
        [&](const Item& item, bool is_new) {
          added_or_removed(is_new, fmt::format("kind {}{}", owner, item.name), std::string(name_of(item.category)));
          // The values of an added or removed kind are changes too: a user who maintains a code generator needs each of
          // them.
          const std::vector<EnumerantDescription> none;
          if (is_new) enumerants(owner + item.name, none, item.enumerants);
          else enumerants(owner + item.name, item.enumerants, none);
        },
        [&](const Item& x, const Item& y) {
          const std::string subject = fmt::format("kind {}{}", owner, y.name);
          field(subject, "category", std::string(name_of(x.category)), std::string(name_of(y.category)));
          field(subject, "bases", text_of(x.bases), text_of(y.bases));
          enumerants(owner + y.name, x.enumerants, y.enumerants);
        });
  }

  void sets(const std::vector<SetDescription>& a, const std::vector<SetDescription>& b) {
    using Item = SetDescription;
    merge(
        a, b, [](const Item& item) { return item.name; },
        [&](const Item& item, bool is_new) {
          // An added or removed set is one line. A list of its instructions would hide the other changes.
          added_or_removed(is_new, "set " + item.name, fmt::format("{} instructions", item.instructions.size()));
        },
        [&](const Item& x, const Item& y) {
          instructions(y.name, x.instructions, y.instructions);
          kinds(y.name + " ", x.kinds, y.kinds);
        });
  }

  std::vector<GrammarChange> changes_;
};

using Names = std::map<std::string, std::string, std::less<>>;

// Maps the old name of each renamed capability to its name in the newer grammar.
Names renamed_capabilities(const Grammar& before, const Grammar& after) {
  Names names;
  if (before.capability_kind.is_none() || after.capability_kind.is_none()) return names;
  for (const EnumerantRow& row : before.enumerants_of(before.kind(before.capability_kind))) {
    const EnumerantRow* now = after.find_value(after.capability_kind, row.value);
    const std::string_view name = before.text(row.name);
    if (now != nullptr && after.text(now->name) != name) names.emplace(name, after.text(now->name));
  }
  return names;
}

// Renames capabilities, so that a renamed one is a change of its own row, and not of all rows that need it.
void rename_capabilities(GrammarDescription& grammar, const Names& names) {
  const auto rename_all = [&](auto& rows) {
    for (auto& row : rows) {
      for (std::string& capability : row.availability.capabilities) {
        if (const auto found = names.find(capability); found != names.end()) capability = found->second;
      }
    }
  };
  rename_all(grammar.instructions);
  for (KindDescription& kind : grammar.kinds) rename_all(kind.enumerants);
  for (SetDescription& set : grammar.sets) {
    rename_all(set.instructions);
    for (KindDescription& kind : set.kinds) rename_all(kind.enumerants);
  }
}

}  // namespace

std::vector<GrammarChange> diff_grammars(const Grammar& before, const Grammar& after) {
  GrammarDescription older = describe(before);
  rename_capabilities(older, renamed_capabilities(before, after));
  return Diff().run(older, describe(after));
}

std::string to_line(const GrammarChange& change) {
  std::string line;
  switch (change.kind) {
    case GrammarChange::Kind::Added: line = fmt::format("+ {} ({})", change.subject, change.after); break;
    case GrammarChange::Kind::Removed: line = fmt::format("- {} ({})", change.subject, change.before); break;
    case GrammarChange::Kind::Changed:
      line = fmt::format("~ {}: {}: {} -> {}", change.subject, change.field, change.before, change.after);
      break;
  }
  // One line for each change, even if names of an untrusted document contain line feeds.
  return on_one_line(line);
}

}  // namespace vireo::spirv
