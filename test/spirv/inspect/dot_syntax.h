// SPDX-License-Identifier: Apache-2.0
//
// Checks the syntax of graphs in the DOT language, without Graphviz.
//
// Texts of a module can break the syntax only by ending a string or a label early. So the check follows
// strings, HTML-like labels with their tags and entities, and braces, and checks that nodes are defined once and before
// the edges that use them.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace vireo::spirv::test {

class DotSyntax {
 public:
  explicit DotSyntax(std::string_view text) : text_(text) {}

  /// The first fault; empty if there is none.
  std::string fault() {
    while (at_ < text_.size() && fault_.empty()) step();
    if (fault_.empty() && depth_ != 0) fault_ = "open brace";
    return fault_;
  }

  std::size_t graphs = 0, nodes = 0, edges = 0, clusters = 0;

 private:
  void step() {
    const char c = text_[at_];
    if (c == '"') return string();
    if (c == '<') return label();
    ++at_;
    if (c == '{') {
      if (depth_++ == 0) ++graphs, names_.clear();
    } else if (c == '}') {
      if (depth_-- == 0) fault_ = "surplus brace";
    } else if (c == '\n') {
      line();
    }
  }

  // The start of a statement: a node, an edge or a cluster.
  void line() {
    std::size_t begin = text_.find_first_not_of(' ', at_);
    if (begin == std::string_view::npos || text_[begin] == '\n') return;
    const std::string_view rest = text_.substr(begin);
    const auto name = [](std::string_view from) { return std::string(from.substr(0, from.find_first_of(" ;[\n"))); };
    const std::string first = name(rest);
    if (first == "subgraph") ++clusters;
    if (first == "graph" || first == "node" || first == "edge" || first == "subgraph" || first == "digraph") return;
    if (rest.starts_with(first + " -> ")) {
      ++edges;
      const std::string to = name(rest.substr(first.size() + 4));
      if (!names_.contains(first) || !names_.contains(to)) fault_ = "edge of an undefined node: " + first + " -> " + to;
    } else if (rest.starts_with(first + " [")) {
      ++nodes;
      if (!names_.insert(first).second) fault_ = "node defined twice: " + first;
    }
  }

  void string() {
    for (++at_; at_ < text_.size() && text_[at_] != '"'; ++at_) {
      if (static_cast<unsigned char>(text_[at_]) < 0x20) fault_ = "control character in a string";
      if (text_[at_] == '\\') ++at_;
    }
    if (at_++ >= text_.size()) fault_ = "open string";
  }

  // Tags must be closed in order; `<BR/>` has no end.
  void label() {
    std::vector<std::string> open;
    for (++at_; at_ < text_.size() && fault_.empty();) {
      const char c = text_[at_];
      if (c == '>' && open.empty()) return void(++at_);
      if (c == '<') {
        const std::size_t end = text_.find('>', at_);
        if (end == std::string_view::npos) break;
        const std::string_view tag = text_.substr(at_ + 1, end - at_ - 1);
        if (tag.starts_with('/')) {
          if (open.empty() || open.back() != tag.substr(1)) fault_ = "wrong end of a tag";
          else open.pop_back();
        } else if (!tag.ends_with('/')) {
          open.emplace_back(tag.substr(0, tag.find(' ')));
        }
        at_ = end + 1;
        continue;
      }
      if (c == '>' || c == '"' || static_cast<unsigned char>(c) < 0x20) fault_ = "unescaped character in a label";
      if (c == '&' && text_.substr(at_, 8).find(';') == std::string_view::npos) fault_ = "unescaped & in a label";
      ++at_;
    }
    if (fault_.empty()) fault_ = "open label";
  }

  std::string_view text_;
  std::size_t at_ = 0, depth_ = 0;
  std::string fault_;
  std::set<std::string> names_;
};

inline std::string dot_fault(std::string_view text) { return DotSyntax(text).fault(); }

}  // namespace vireo::spirv::test
