// SPDX-License-Identifier: Apache-2.0
//
// Data outside the repository, if present: recorded data, the newest reference programs and grammars.
//
// A test looks for the folder, and skips with the reason if it does not exist.
//
//   const auto shared = outside::shared_folder();
//   if (!shared) GTEST_SKIP() << outside::no_shared;
//
// The environment variable takes precedence over the CMake option (cmake/outside.cmake).
#pragma once

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace vireo::outside {

inline constexpr std::string_view no_shared =
    "no recorded data: set VIREO_SHARED (environment or CMake) to the folder that holds it";
inline constexpr std::string_view no_peers =
    "no reference programs: set VIREO_PEERS (environment or CMake) to the folder that holds bin/spirv-as";

inline std::optional<std::filesystem::path> folder(const char* variable, std::string_view configured) {
  const char* from_environment = std::getenv(variable);
  const std::filesystem::path path = from_environment != nullptr ? std::string_view(from_environment) : configured;
  std::error_code error;
  if (path.empty() || !std::filesystem::is_directory(path, error)) return std::nullopt;
  return path;
}

inline std::optional<std::filesystem::path> shared_folder() { return folder("VIREO_SHARED", VIREO_SHARED); }
inline std::optional<std::filesystem::path> peers_folder() { return folder("VIREO_PEERS", VIREO_PEERS); }

/// A file or folder of the repository itself: `source_folder() / "data/spirv"`.
inline std::filesystem::path source_folder() { return VIREO_SOURCE_DIR; }

}  // namespace vireo::outside
