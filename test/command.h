// SPDX-License-Identifier: Apache-2.0
//
// Runs commands in a shell, as a user types them, and returns their output.
#pragma once

#include <cstdio>
#include <string>

namespace vireo {

struct Said {
  int status = -1;  ///< as returned by wait(); 0: success
  std::string text;
};

inline Said run(const std::string& command) {
  Said said;
  std::FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  if (pipe == nullptr) return said;
  for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) said.text.push_back(static_cast<char>(c));
  said.status = pclose(pipe);
  return said;
}

inline bool is_installed(const std::string& program) { return run("command -v " + program).status == 0; }

}  // namespace vireo
