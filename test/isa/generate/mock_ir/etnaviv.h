// SPDX-License-Identifier: Apache-2.0
//
// Mock IR for the maps of the etnaviv description, for tests. Every member is a Cell, so that one table gives
// fill_adapter.inc the position of each member.
#pragma once

#include <cstdint>
#include <map>
#include <string>

using Cell = long;  // 64 bits, signed

struct etna_inst_dst {
  Cell use, amode, reg, write_mask;
};
struct etna_inst_src {
  Cell use, reg, swiz, neg, abs, amode, rgroup;
};
struct etna_inst {
  int label;
  Cell type, thread, cond, rounding, sat, pmode, skphp, denorm, local, left_shift, dst_full, imm;
  etna_inst_dst dst;
  etna_inst_src src[3];
  struct {
    Cell id, swiz;
  } tex;
};

struct Mock {
  etna_inst instruction;
};
#define MOCK_PACK_STATE Mock

static inline int mock_pack_instruction_case(Mock*, etna_inst* inst) { return inst->label; }

namespace mock {

inline etna_inst* instruction(Mock& s) { return &s.instruction; }
inline void set_label(Mock& s, const std::string&, int label) { s.instruction.label = label; }

// The members by the text of a map's path without `src->`.
inline std::map<std::string, Cell*> cells(Mock& s) {
  etna_inst& i = s.instruction;
  std::map<std::string, Cell*> all = {{"type", &i.type},         {"thread", &i.thread},
                                      {"cond", &i.cond},         {"rounding", &i.rounding},
                                      {"sat", &i.sat},           {"pmode", &i.pmode},
                                      {"skphp", &i.skphp},       {"denorm", &i.denorm},
                                      {"local", &i.local},       {"left_shift", &i.left_shift},
                                      {"dst_full", &i.dst_full}, {"imm", &i.imm},
                                      {"dst.use", &i.dst.use},   {"dst.amode", &i.dst.amode},
                                      {"dst.reg", &i.dst.reg},   {"dst.write_mask", &i.dst.write_mask},
                                      {"tex.id", &i.tex.id},     {"tex.swiz", &i.tex.swiz}};
  for (int n = 0; n < 3; ++n) {
    const std::string at = "src[" + std::to_string(n) + "].";
    etna_inst_src& src = i.src[n];
    all.insert({{at + "use", &src.use},
                {at + "reg", &src.reg},
                {at + "swiz", &src.swiz},
                {at + "neg", &src.neg},
                {at + "abs", &src.abs},
                {at + "amode", &src.amode},
                {at + "rgroup", &src.rgroup}});
  }
  return all;
}

// Maps with unusual forms → the member, or its bits, that they read.
inline std::map<std::string, std::string> other_forms() {
  return {{"p->COMPS", "dst.write_mask"},
          {"(src->type & 0x4) > 2", "src->type >> 2"},
          {"(src->thread & 0x1)", "src->thread & 0x1"},
          {"(src->thread & 0x2) > 1", "src->thread >> 1"}};
}

inline Cell flag(const std::string&) { return 0; }
template <typename Filling>
bool set_special(Filling&, const std::string&, Cell) {
  return false;
}
template <typename Filling>
void set_rest(Filling&) {}

}  // namespace mock
