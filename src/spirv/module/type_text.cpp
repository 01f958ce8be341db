// SPDX-License-Identifier: Apache-2.0
//
// The notation of types, with data from Facts (module/type_text.h).
#include "vireo/spirv/module/type_text.h"

#include <cstddef>

#include "spirv/binary/type_notation.h"
#include "support/printable.h"
#include "vireo/spirv/module/constants.h"
#include "vireo/spirv/module/decorations.h"
#include "vireo/spirv/module/facts.h"

namespace vireo::spirv {
namespace {

constexpr std::size_t max_text = 120;
constexpr std::size_t max_name = 40;

class FactsTypeSource final : public TypeSource {
 public:
  explicit FactsTypeSource(const Facts& facts) : facts_(facts) {}

  [[nodiscard]] InstructionView definition(Word id) const override { return facts_.module().find(id); }
  [[nodiscard]] std::optional<std::uint64_t> length(Word constant) const override {
    return facts_.constants().as_u64(constant);
  }
  // Names can reach terminals and logs, so control characters are escaped.
  [[nodiscard]] std::string id_text(Word id) const override {
    std::string text;
    append_printable(text, facts_.names().of(id).substr(0, max_name));
    return text.empty() ? "%" + std::to_string(id) : text;
  }

 private:
  const Facts& facts_;
};

}  // namespace

std::string type_text(const Facts& facts, Word type) {
  std::string text;
  append_type(text, FactsTypeSource(facts), type, max_text);
  return text;
}

}  // namespace vireo::spirv
