// SPDX-License-Identifier: Apache-2.0
//
// Compares types of different modules (type_matcher.h).
#include "spirv/inspect/reflect/type_matcher.h"

#include "vireo/spirv/module/constants.h"
#include "vireo/spirv/module/decorations.h"

namespace vireo::spirv {

bool TypeMatcher::are_equal(std::uint32_t module_a, Word a, std::uint32_t module_b, Word b) {
  std::vector<Pair> assumed;
  waiting_.assign(1, Pair{module_a, module_b, a, b});
  while (!waiting_.empty()) {
    const Pair pair = waiting_.back();
    waiting_.pop_back();
    if (!equal_.insert(pair).second) continue;
    assumed.push_back(pair);
    if (budget_ == 0) return true;
    --budget_;
    if (compare(pair)) continue;
    // The pairs depend on each other, so none of this comparison is known to be equal.
    for (const Pair& each : assumed) equal_.erase(each);
    return false;
  }
  return true;
}

std::uint64_t TypeMatcher::length_of(std::uint32_t module, const TypeRow& array) const {
  if (array.count != 0 || array.length == 0) return array.count;
  return modules_[module]->facts().constants().as_u64(array.length, ValueUse::OrDefault).value_or(0);
}

bool TypeMatcher::compare(const Pair& pair) {
  const Facts &facts_a = modules_[pair[0]]->facts(), &facts_b = modules_[pair[1]]->facts();
  const TypeRow &a = facts_a.types().of(pair[2]), &b = facts_b.types().of(pair[3]);
  if (a.kind != b.kind || a.width != b.width || a.is_signed != b.is_signed || a.encoding != b.encoding) return false;
  const auto stride = [](const Facts& facts, Word type) {
    const DecorationRow* row = facts.decorations().find(type, Decoration::ArrayStride);
    return row == nullptr ? 0 : facts.decorations().operand_or(*row, 0);
  };
  switch (a.kind) {
    case TypeKind::Struct: return compare_members(pair, a, b);
    case TypeKind::Image:
      if (!compare_images(pair, a, b)) return false;
      break;
    case TypeKind::Array:
    case TypeKind::RuntimeArray:
      if (length_of(pair[0], a) != length_of(pair[1], b) || stride(facts_a, a.id) != stride(facts_b, b.id))
        return false;
      break;
    case TypeKind::Vector:
    case TypeKind::Matrix:
      if (a.count != b.count) return false;
      break;
    case TypeKind::Pointer:
      if (a.storage != b.storage) return false;
      break;
    case TypeKind::SampledImage: break;
    default: return true;  // without parts
  }
  waiting_.push_back({pair[0], pair[1], a.element, b.element});
  return true;
}

bool TypeMatcher::compare_members(const Pair& pair, const TypeRow& a, const TypeRow& b) {
  const Words types_a = modules_[pair[0]]->facts().types().members(a);
  const Words types_b = modules_[pair[1]]->facts().types().members(b);
  if (types_a.size() != types_b.size()) return false;
  // The rows of structures without a layout are empty.
  const auto rows_a = modules_[pair[0]]->members(a.id), rows_b = modules_[pair[1]]->members(b.id);
  for (std::size_t i = 0; i < types_a.size(); ++i) {
    if (i < rows_a.size() && i < rows_b.size()) {
      const ReflectedMember &x = rows_a[i], &y = rows_b[i];
      const bool is_same = x.offset == y.offset && x.matrix_stride == y.matrix_stride &&
                           x.is_row_major == y.is_row_major && x.built_in == y.built_in;
      if (!is_same) return false;
    }
    waiting_.push_back({pair[0], pair[1], types_a[i], types_b[i]});
  }
  return true;
}

bool TypeMatcher::compare_images(const Pair& pair, const TypeRow& a, const TypeRow& b) const {
  const ImageShape x = modules_[pair[0]]->facts().types().image(a), y = modules_[pair[1]]->facts().types().image(b);
  return x.dim == y.dim && x.arrayed == y.arrayed && x.multisampled == y.multisampled && x.sampled == y.sampled;
}

}  // namespace vireo::spirv
