// SPDX-License-Identifier: Apache-2.0
//
// IdFacts: the properties of ids that the literals of later instructions depend on.
//
// An array indexed by id has eight bytes for each id and grows as needed. An id that is far too high for
// the size of the text (a preserved %4000000000, a raw word) goes into a map instead. So the memory depends on the size
// of the text and not on the numbers in it. An id whose definition has an error is marked as poisoned: errors that
// follow from it are not reported.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <vector>

#include "vireo/spirv/binary/operand.h"
#include "vireo/spirv/grammar/grammar.h"
#include "vireo/spirv/word.h"

namespace vireo::spirv::text {

struct IdFact {
  enum class What : std::uint8_t { Nothing, Value, Type, Scalar, Import, Poisoned };

  Word type = 0;  ///< Value: its type, 0 = none. Scalar: index of its ScalarType
  What what = What::Nothing;
  ExtInstSetId set;  ///< Import: the set; none = a non-semantic set that the grammar does not contain
};
static_assert(sizeof(IdFact) == 8);

class IdFacts {
 public:
  explicit IdFacts(std::size_t text_size) : limit_(text_size / 4 + 1024) {}

  /// The fact of an id; a default fact if there is none.
  [[nodiscard]] IdFact get(Word id) const {
    if (id < facts_.size()) [[likely]]
      return facts_[id];
    return get_far(id);
  }
  /// The fact of an id, for writing. The reference is valid until the next call.
  IdFact& at(Word id) {
    if (id < facts_.size()) [[likely]]
      return facts_[id];
    return add(id);
  }

  /// Records that an instruction with a result defines this id. If the id is already a type, it remains a type.
  void set_value(Word id, Word type) {
    IdFact& fact = at(id);
    if (fact.what == IdFact::What::Scalar) return;
    fact.type = type;
    if (fact.what == IdFact::What::Nothing || fact.what == IdFact::What::Poisoned) fact.what = IdFact::What::Value;
  }
  void set_scalar(Word id, ScalarType type) {
    at(id) = {static_cast<Word>(scalars_.size()), IdFact::What::Scalar, {}};
    scalars_.push_back(type);
  }
  /// The scalar type that an id denotes; Class::None when it denotes none.
  [[nodiscard]] ScalarType scalar(Word id) const {
    const IdFact fact = get(id);
    return fact.what == IdFact::What::Scalar ? scalars_[fact.type] : ScalarType{};
  }

 private:
  [[gnu::noinline]] IdFact& add(Word id) {
    if (id >= limit_) return far_[id];
    const std::size_t size = std::max<std::size_t>({facts_.size() * 2, std::size_t{id} + 1, 256});
    facts_.resize(std::min(size, limit_));
    return facts_[id];
  }
  [[gnu::noinline]] IdFact get_far(Word id) const {
    const auto found = far_.find(id);
    return found == far_.end() ? IdFact{} : found->second;
  }

  std::size_t limit_;
  std::vector<IdFact> facts_;
  std::map<Word, IdFact> far_;
  std::vector<ScalarType> scalars_;
};

}  // namespace vireo::spirv::text
