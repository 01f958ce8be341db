// SPDX-License-Identifier: Apache-2.0
//
// Compares two blocks member by member (layout_difference.h).
#include "spirv/inspect/reflect/layout_difference.h"

#include <fmt/format.h>

#include <map>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "spirv/inspect/reflect/reflection_cells.h"
#include "vireo/spirv/module/decorations.h"
#include "vireo/spirv/module/types.h"

namespace vireo::spirv {
namespace {

constexpr std::size_t max_pairs = 100'000;
constexpr std::size_t max_path = 400;  // bytes

class LayoutComparison {
 public:
  LayoutComparison(const Reflection& a, const Reflection& b) : a_(a), b_(b) {}

  // A list, because the depth depends on the module.
  std::string run(Word a, Word b) {
    add({a, b});
    for (std::size_t pairs = 0; !waiting_.empty() && pairs < max_pairs; ++pairs) {
      const Pair pair = std::move(waiting_.back());
      waiting_.pop_back();
      if (std::string found = compare(pair); !found.empty()) return found;
    }
    return {};
  }

 private:
  struct Pair {
    Word a = 0, b = 0;      // types
    std::string path = {};  // of the member: "lights[].colour"; empty: the block
    std::uint64_t offset_a = 0, offset_b = 0;
    const ReflectedMember *member_a = nullptr, *member_b = nullptr;  // null: a part of the member
  };

  std::string compare(const Pair& pair) {
    if (pair.member_a != nullptr) {
      if (std::string found = compare_members(pair); !found.empty()) return found;
    }
    if (!seen_.insert({pair.a, pair.b}).second) return {};
    const TypeRow &x = a_.facts().types().of(pair.a), &y = b_.facts().types().of(pair.b);
    if (x.is_array() && y.is_array()) {
      const std::uint32_t stride_a = array_strides(a_.facts(), pair.a, 1)[0],
                          stride_b = array_strides(b_.facts(), pair.b, 1)[0];
      if (stride_a != stride_b) return numbers_text(pair, "array stride", stride_a, stride_b);
      add({x.element, y.element, pair.path + "[]", pair.offset_a, pair.offset_b});
    } else if (x.is(TypeKind::Struct) && y.is(TypeKind::Struct)) {
      add_members(pair);
    } else if (x.is(TypeKind::Pointer) && y.is(TypeKind::Pointer) && x.storage == y.storage) {
      add({x.element, y.element, pair.path + "->"});
    }
    return {};
  }

  [[nodiscard]] static std::string compare_members(const Pair& pair) {
    const ReflectedMember &x = *pair.member_a, &y = *pair.member_b;
    if (x.offset != y.offset) {
      return fmt::format("{} is at offset {} and {}", place(pair), pair.offset_a, pair.offset_b);
    }
    if (x.matrix_stride != y.matrix_stride) {
      return numbers_text(pair, "matrix stride", x.matrix_stride, y.matrix_stride);
    }
    if (x.is_row_major != y.is_row_major) {
      return fmt::format("{} at offset {} is {} and {}", place(pair), pair.offset_a,
                         x.is_row_major ? "row-major" : "column-major", y.is_row_major ? "row-major" : "column-major");
    }
    return {};
  }

  // Pairs that are added last are compared first.
  void add_members(const Pair& pair) {
    const auto x = a_.members(pair.a), y = b_.members(pair.b);
    std::map<std::string_view, const ReflectedMember*> named;
    for (const ReflectedMember& member : y) {
      if (!member.name.empty()) named.emplace(member.name, &member);
    }
    for (std::size_t i = x.size(); i-- > 0;) {
      const auto same_name = named.find(x[i].name);
      const bool is_unnamed = i < y.size() && (x[i].name.empty() || y[i].name.empty());
      const ReflectedMember* other = same_name != named.end() ? same_name->second : is_unnamed ? &y[i] : nullptr;
      if (other == nullptr) continue;
      Pair members{x[i].type, other->type, path_of(pair.path, x[i], *other)};
      members.offset_a = pair.offset_a + x[i].offset.value_or(0);
      members.offset_b = pair.offset_b + other->offset.value_or(0);
      members.member_a = &x[i];
      members.member_b = other;
      add(std::move(members));
    }
  }

  void add(Pair pair) {
    if (pair.path.size() <= max_path) waiting_.push_back(std::move(pair));
  }

  [[nodiscard]] static std::string path_of(const std::string& path, const ReflectedMember& x,
                                           const ReflectedMember& y) {
    const std::string_view name = x.name.empty() ? y.name : x.name;
    return fmt::format("{}{}{}", path, path.empty() || path.ends_with("->") ? "" : ".", member_text(name, x.number));
  }

  [[nodiscard]] static std::string place(const Pair& pair) {
    return pair.path.empty() ? "the type" : pair.path.starts_with("member ") ? pair.path : "member '" + pair.path + "'";
  }

  [[nodiscard]] static std::string numbers_text(const Pair& pair, std::string_view what, std::uint64_t a,
                                                std::uint64_t b) {
    return fmt::format("{} at offset {} has the {} {} and {}", place(pair), pair.offset_a, what, a, b);
  }

  const Reflection &a_, &b_;
  std::vector<Pair> waiting_;
  std::set<std::pair<Word, Word>> seen_;
};

}  // namespace

std::string layout_difference(std::span<const Reflection* const> modules, std::uint32_t module_a, Word a,
                              std::uint32_t module_b, Word b) {
  return LayoutComparison(*modules[module_a], *modules[module_b]).run(a, b);
}

}  // namespace vireo::spirv
