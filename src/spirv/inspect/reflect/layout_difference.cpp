// SPDX-License-Identifier: Apache-2.0
//
// Compares two blocks member by member (layout_difference.h).
#include "spirv/inspect/reflect/layout_difference.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
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
  LayoutComparison(std::span<const Reflection* const> modules, TypeMatcher& matcher, std::uint32_t module_a,
                   std::uint32_t module_b)
      : a_(*modules[module_a]), b_(*modules[module_b]), module_a_(module_a), module_b_(module_b), matcher_(matcher) {}

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
    std::string message = {};                                        // of a member that only one structure has
  };

  std::string compare(const Pair& pair) {
    if (!pair.message.empty()) return pair.message;
    if (pair.member_a != nullptr) {
      if (std::string found = compare_members(pair); !found.empty()) return found;
    }
    if (!seen_.insert({pair.a, pair.b}).second) return {};
    const TypeRow &x = a_.facts().types().of(pair.a), &y = b_.facts().types().of(pair.b);
    const bool is_array = x.is_array() && x.kind == y.kind;
    if (is_array && matcher_.length_of(module_a_, x) == matcher_.length_of(module_b_, y)) {
      const std::uint32_t stride_a = array_strides(a_.facts(), pair.a, 1)[0],
                          stride_b = array_strides(b_.facts(), pair.b, 1)[0];
      if (stride_a != stride_b) return numbers_text(pair, "array stride", stride_a, stride_b);
      add({x.element, y.element, pair.path + "[]", pair.offset_a, pair.offset_b});
    } else if (x.is(TypeKind::Struct) && y.is(TypeKind::Struct)) {
      return add_members(pair);
    } else if (x.is(TypeKind::Pointer) && y.is(TypeKind::Pointer) && x.storage == y.storage) {
      add({x.element, y.element, pair.path + "->"});
    } else if (!matcher_.are_equal(module_a_, pair.a, module_b_, pair.b)) {
      return fmt::format("{} is {} at offset {} and {} at offset {}", place(pair), sized_type_text(a_, pair.a),
                         pair.offset_a, sized_type_text(b_, pair.b), pair.offset_b);
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
  std::string add_members(const Pair& pair) {
    const auto x = a_.members(pair.a), y = b_.members(pair.b);
    const std::size_t common = std::min(x.size(), y.size());
    if (x.size() != y.size()) {
      const bool is_first = x.size() > y.size();
      const ReflectedMember& extra = is_first ? x[common] : y[common];
      const std::uint64_t offset = (is_first ? pair.offset_a : pair.offset_b) + extra.offset.value_or(0);
      Pair missing;
      missing.path = path_of(pair.path, extra, extra);
      missing.message =
          fmt::format("only the {} block has {}, at offset {}", is_first ? "first" : "second", place(missing), offset);
      add(std::move(missing));
    }
    for (std::size_t i = common; i-- > 0;) {
      Pair members{x[i].type, y[i].type, path_of(pair.path, x[i], y[i])};
      members.offset_a = pair.offset_a + x[i].offset.value_or(0);
      members.offset_b = pair.offset_b + y[i].offset.value_or(0);
      members.member_a = &x[i];
      members.member_b = &y[i];
      add(std::move(members));
    }
    return {};
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
  std::uint32_t module_a_, module_b_;
  TypeMatcher& matcher_;
  std::vector<Pair> waiting_;
  std::set<std::pair<Word, Word>> seen_;
};

}  // namespace

std::string layout_difference(std::span<const Reflection* const> modules, TypeMatcher& matcher, std::uint32_t module_a,
                              Word a, std::uint32_t module_b, Word b) {
  return LayoutComparison(modules, matcher, module_a, module_b).run(a, b);
}

}  // namespace vireo::spirv
