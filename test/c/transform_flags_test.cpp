// SPDX-License-Identifier: Apache-2.0
//
// The flags of vireo_transform.h, which are those of the library's tables (vireo/spirv/transform/parts.h).
#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <string_view>

#include "vireo/spirv/transform/clean.h"
#include "vireo/spirv/transform/link.h"
#include "vireo/spirv/transform/strip.h"
#include "vireo/spirv/transform/trim.h"
#include "vireo/vireo_transform.h"

namespace vireo {
namespace {

using Flags = std::map<std::string_view, std::uint32_t>;

template <typename Options, std::size_t N>
void check(const spirv::TransformPart<Options> (&parts)[N], const Flags& flags) {
  Flags found;
  std::uint32_t all = 0;
  for (const spirv::TransformPart<Options>& part : parts) {
    found.emplace(part.name, part.flag);
    all |= part.flag;
  }
  EXPECT_EQ(found, flags);
  EXPECT_TRUE(spirv::select_parts(parts, all).has_value());
  EXPECT_FALSE(spirv::select_parts(parts, all + 1).has_value()) << "an unknown flag";
}

TEST(TransformFlags, are_those_of_the_library) {
  check(spirv::strip_parts, {{"debug", VIREO_STRIP_DEBUG},
                             {"names", VIREO_STRIP_NAMES},
                             {"nonsemantic", VIREO_STRIP_NONSEMANTIC},
                             {"reflection", VIREO_STRIP_REFLECTION}});
  check(spirv::trim_parts, {{"capabilities", VIREO_TRIM_CAPABILITIES},
                            {"extensions", VIREO_TRIM_EXTENSIONS},
                            {"interfaces", VIREO_TRIM_INTERFACES}});
  check(spirv::clean_parts, {{"functions", VIREO_CLEAN_FUNCTIONS},
                             {"blocks", VIREO_CLEAN_BLOCKS},
                             {"code", VIREO_CLEAN_CODE},
                             {"variables", VIREO_CLEAN_VARIABLES},
                             {"types", VIREO_CLEAN_TYPES},
                             {"constants", VIREO_CLEAN_CONSTANTS},
                             {"compact-ids", VIREO_CLEAN_COMPACT_IDS},
                             {"members", VIREO_CLEAN_MEMBERS},
                             {"canonical-ids", VIREO_CLEAN_CANONICAL_IDS},
                             {"drop-bindings", VIREO_CLEAN_DROP_BINDINGS},
                             {"drop-specs", VIREO_CLEAN_DROP_SPECS}});
  check(spirv::link_options, {{"library", VIREO_LINK_LIBRARY},
                              {"partial", VIREO_LINK_PARTIAL},
                              {"only-needed", VIREO_LINK_ONLY_NEEDED},
                              {"use-highest-version", VIREO_LINK_USE_HIGHEST_VERSION},
                              {"allow-pointer-mismatch", VIREO_LINK_ALLOW_POINTER_MISMATCH}});
}

// The default set of C, and the options of C++ without a choice.
TEST(TransformFlags, of_the_default_are_the_default_options) {
  const spirv::CleanOptions chosen = spirv::select_parts(spirv::clean_parts, VIREO_CLEAN_DEFAULT).value();
  const spirv::CleanOptions usual;
  for (const spirv::TransformPart<spirv::CleanOptions>& part : spirv::clean_parts) {
    EXPECT_EQ(chosen.*part.option, usual.*part.option) << part.name;
    if (part.second_option != nullptr) {
      EXPECT_EQ(chosen.*part.second_option, usual.*part.second_option) << part.name;
    }
  }
}

}  // namespace
}  // namespace vireo
