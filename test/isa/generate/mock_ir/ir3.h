// SPDX-License-Identifier: Apache-2.0
//
// Mock IR for the maps of the ir3 descriptions, for tests. Every member is a Cell, so that one table gives
// fill_adapter.inc the position of each member. Values that a compiler would compute (the selected source, the hints of
// the sources) are members here, because otherwise the functions of the maps would have to be inverted.
#pragma once

#include <cstdint>
#include <map>
#include <string>

using Cell = long;  // 64 bits, signed

enum : Cell {
  IR3_REG_R = 1 << 0,
  IR3_REG_HALF = 1 << 1,
  IR3_REG_EI = 1 << 2,
  IR3_REG_CONST = 1 << 3,
  IR3_REG_IMMED = 1 << 4,
  IR3_REG_RELATIV = 1 << 5,
  IR3_REG_LAST_USE = 1 << 6,
  IR3_REG_FNEG = 1 << 7,
  IR3_REG_SNEG = 1 << 8,
  IR3_REG_BNOT = 1 << 9,
  IR3_INSTR_SS = 1 << 0,
  IR3_INSTR_SY = 1 << 1,
  IR3_INSTR_JP = 1 << 2,
  IR3_INSTR_UL = 1 << 3,
  IR3_INSTR_SAT = 1 << 4,
  IR3_INSTR_EQ = 1 << 5,
  IR3_INSTR_3D = 1 << 6,
  IR3_INSTR_A = 1 << 7,
  IR3_INSTR_O = 1 << 8,
  IR3_INSTR_P = 1 << 9,
  IR3_INSTR_S = 1 << 10,
  IR3_INSTR_V = 1 << 11,
  IR3_INSTR_B = 1 << 12,
  IR3_INSTR_U = 1 << 13,
  IR3_INSTR_S2EN = 1 << 14,
  IR3_INSTR_INV_1D = 1 << 15,
  IR3_INSTR_IMM_OFFSET = 1 << 16,
};

struct ir3_register {
  int label;  // for the kinds of sources
  Cell flags, num, value, wrmask, absneg;
  struct {
    Cell offset;
  } array;
};

struct ir3_instruction {
  int label;
  int dst_label;
  Cell flags, repeat, srcs_count, src1_r, src2_r;
  ir3_register *dsts[4], *srcs[6], *cat5_srcs[2], *cat6_srcs[3];
  struct {
    Cell immed, inv1, inv2, idx;
  } cat0;
  struct {
    Cell round, dst_type, src_type;
  } cat1;
  struct {
    Cell condition;
  } cat2;
  struct {
    Cell signedness, packed;
  } cat3;
  struct {
    Cell tex_base, samp, tex, type, cluster_size, full, desc_mode;
  } cat5;
  struct {
    Cell type, dst_offset, iim_val, d, typed, base, shfl_mode, desc_mode;
  } cat6;
  struct {
    Cell w, r, l, g, alias_scope;
  } cat7;
};

struct Mock {
  ir3_instruction* instr;  // used by the maps
  ir3_instruction instruction;
  ir3_register registers[15];
};
#define MOCK_PACK_STATE Mock

static inline unsigned extract_reg_uim(const ir3_register* reg) { return static_cast<unsigned>(reg->value); }
static inline int extract_reg_iim(const ir3_register* reg) { return static_cast<int>(reg->value); }
static inline Cell extract_ABSNEG(const ir3_register* reg) { return reg->absneg; }
static inline Cell extract_SRC1_R(const ir3_instruction* instr) { return instr->src1_r; }
static inline Cell extract_SRC2_R(const ir3_instruction* instr) { return instr->src2_r; }
static inline Cell extract_cat5_FULL(const ir3_instruction* instr) { return instr->cat5.full; }
static inline Cell extract_cat5_DESC_MODE(const ir3_instruction* instr) { return instr->cat5.desc_mode; }
static inline Cell extract_cat6_DESC_MODE(const ir3_instruction* instr) { return instr->cat6.desc_mode; }
static inline ir3_register* extract_cat5_SRC(const ir3_instruction* instr, int n) { return instr->cat5_srcs[n]; }
static inline ir3_register* extract_cat6_SRC(const ir3_instruction* instr, int n) { return instr->cat6_srcs[n]; }
static inline Cell reg_comp(const ir3_register* reg) { return reg->num & 3; }
static inline Cell util_logbase2(Cell value) {
  Cell result = 0;
  while (value > 1) {
    value >>= 1;
    ++result;
  }
  return result;
}

static inline int mock_pack_instruction_case(Mock*, ir3_instruction* instr) { return instr->label; }
static inline int mock_pack_const_dst_case(Mock*, ir3_instruction* instr) { return instr->dst_label; }
static inline int mock_pack_multisrc_case(Mock*, ir3_register* reg) { return reg->label; }
static inline int mock_pack_cat3_src_case(Mock*, ir3_register* reg) { return reg->label; }

namespace mock {

inline ir3_instruction* instruction(Mock& s) {
  ir3_instruction& i = s.instruction;
  s.instr = &i;
  ir3_register* next = s.registers;
  for (auto& reg : i.dsts) reg = next++;
  for (auto& reg : i.srcs) reg = next++;
  for (auto& reg : i.cat5_srcs) reg = next++;
  for (auto& reg : i.cat6_srcs) reg = next++;
  return &i;
}

template <typename Each>
void for_each_register(ir3_instruction& i, Each&& each) {
  const auto all = [&](const std::string& name, const std::string& end, auto& list) {
    int n = 0;
    for (ir3_register* reg : list) each(name + std::to_string(n++) + end, *reg);
  };
  all("dsts[", "]->", i.dsts);
  all("srcs[", "]->", i.srcs);
  all("extract_cat5_SRC(src, ", ")->", i.cat5_srcs);
  all("extract_cat6_SRC(src, ", ")->", i.cat6_srcs);
}

// Sets the label of the instruction, or of the operand at `at`.
inline void set_label(Mock& s, const std::string& at, int label) {
  for_each_register(s.instruction, [&](const std::string& name, ir3_register& reg) {
    if (name == at) reg.label = label;
  });
  if (at.empty()) s.instruction.label = label;
  if (at == "const-dst") s.instruction.dst_label = label;
}

inline std::map<std::string, Cell*> cells(Mock& s) {
  ir3_instruction& i = s.instruction;
  std::map<std::string, Cell*> all = {{"flags", &i.flags},
                                      {"repeat", &i.repeat},
                                      {"srcs_count", &i.srcs_count},
                                      {"extract_SRC1_R(src)", &i.src1_r},
                                      {"extract_SRC2_R(src)", &i.src2_r},
                                      {"cat0.immed", &i.cat0.immed},
                                      {"cat0.inv1", &i.cat0.inv1},
                                      {"cat0.inv2", &i.cat0.inv2},
                                      {"cat0.idx", &i.cat0.idx},
                                      {"cat1.round", &i.cat1.round},
                                      {"cat1.dst_type", &i.cat1.dst_type},
                                      {"cat1.src_type", &i.cat1.src_type},
                                      {"cat2.condition", &i.cat2.condition},
                                      {"cat3.signedness", &i.cat3.signedness},
                                      {"cat3.packed", &i.cat3.packed},
                                      {"cat5.tex_base", &i.cat5.tex_base},
                                      {"cat5.samp", &i.cat5.samp},
                                      {"cat5.tex", &i.cat5.tex},
                                      {"cat5.type", &i.cat5.type},
                                      {"cat5.cluster_size", &i.cat5.cluster_size},
                                      {"extract_cat5_FULL(src)", &i.cat5.full},
                                      {"extract_cat5_DESC_MODE(src)", &i.cat5.desc_mode},
                                      {"cat6.type", &i.cat6.type},
                                      {"cat6.dst_offset", &i.cat6.dst_offset},
                                      {"cat6.iim_val", &i.cat6.iim_val},
                                      {"cat6.d", &i.cat6.d},
                                      {"cat6.typed", &i.cat6.typed},
                                      {"cat6.base", &i.cat6.base},
                                      {"cat6.shfl_mode", &i.cat6.shfl_mode},
                                      {"extract_cat6_DESC_MODE(src)", &i.cat6.desc_mode},
                                      {"cat7.w", &i.cat7.w},
                                      {"cat7.r", &i.cat7.r},
                                      {"cat7.l", &i.cat7.l},
                                      {"cat7.g", &i.cat7.g},
                                      {"cat7.alias_scope", &i.cat7.alias_scope}};
  for_each_register(i, [&](const std::string& at, ir3_register& reg) {
    all.insert({{at + "flags", &reg.flags},
                {at + "num", &reg.num},
                {at + "value", &reg.value},
                {at + "wrmask", &reg.wrmask},
                {at + "absneg", &reg.absneg},
                {at + "array.offset", &reg.array.offset}});
  });
  return all;
}

inline std::map<std::string, std::string> other_forms() {
  return {{"util_logbase2(8) - 1", "2"},
          {"extract_reg_uim(src)", "src->value"},
          {"extract_reg_iim(src)", "src->value"},
          {"extract_ABSNEG(src)", "src->absneg"},
          {"(src->srcs_count > 0) ? src->srcs[0] : NULL", "src->srcs[0]"},
          {"reg_comp(src->srcs[0])", "src->srcs[0]->num"},
          {"reg_comp(src->srcs[1])", "src->srcs[1]->num"},
          {"extract_SRC1_R(src)", "src->extract_SRC1_R(src)"},
          {"extract_SRC2_R(src)", "src->extract_SRC2_R(src)"},
          {"extract_cat5_FULL(src)", "src->extract_cat5_FULL(src)"},
          {"extract_cat5_DESC_MODE(src)", "src->extract_cat5_DESC_MODE(src)"},
          {"extract_cat6_DESC_MODE(src)", "src->extract_cat6_DESC_MODE(src)"}};
}

inline Cell flag(const std::string& name) {
  static const std::map<std::string, Cell> flags = {{"IR3_REG_R", IR3_REG_R},
                                                    {"IR3_REG_HALF", IR3_REG_HALF},
                                                    {"IR3_REG_EI", IR3_REG_EI},
                                                    {"IR3_REG_CONST", IR3_REG_CONST},
                                                    {"IR3_REG_IMMED", IR3_REG_IMMED},
                                                    {"IR3_REG_RELATIV", IR3_REG_RELATIV},
                                                    {"IR3_REG_LAST_USE", IR3_REG_LAST_USE},
                                                    {"IR3_REG_FNEG", IR3_REG_FNEG},
                                                    {"IR3_REG_SNEG", IR3_REG_SNEG},
                                                    {"IR3_REG_BNOT", IR3_REG_BNOT},
                                                    {"IR3_INSTR_SS", IR3_INSTR_SS},
                                                    {"IR3_INSTR_SY", IR3_INSTR_SY},
                                                    {"IR3_INSTR_JP", IR3_INSTR_JP},
                                                    {"IR3_INSTR_UL", IR3_INSTR_UL},
                                                    {"IR3_INSTR_SAT", IR3_INSTR_SAT},
                                                    {"IR3_INSTR_EQ", IR3_INSTR_EQ},
                                                    {"IR3_INSTR_3D", IR3_INSTR_3D},
                                                    {"IR3_INSTR_A", IR3_INSTR_A},
                                                    {"IR3_INSTR_O", IR3_INSTR_O},
                                                    {"IR3_INSTR_P", IR3_INSTR_P},
                                                    {"IR3_INSTR_S", IR3_INSTR_S},
                                                    {"IR3_INSTR_V", IR3_INSTR_V},
                                                    {"IR3_INSTR_B", IR3_INSTR_B},
                                                    {"IR3_INSTR_U", IR3_INSTR_U},
                                                    {"IR3_INSTR_S2EN", IR3_INSTR_S2EN},
                                                    {"IR3_INSTR_INV_1D", IR3_INSTR_INV_1D},
                                                    {"IR3_INSTR_IMM_OFFSET", IR3_INSTR_IMM_OFFSET}};
  const auto found = flags.find(name);
  return found == flags.end() ? 0 : found->second;
}

// Maps with a condition. The precision of a destination is relative to that of a source, which can still change. The
// value is stored and applied at the end.
inline int& kept_source() {
  static int source = -1;
  return source;
}
inline Cell& kept_conversion() {
  static Cell conversion = 0;
  return conversion;
}

template <typename Filling>
bool set_special(Filling& f, const std::string& text, Cell value) {
  ir3_instruction& i = f.mock.instruction;
  const std::string half = "((src->dsts[0]->num >> 2) == 62) ? ";
  if (text.rfind(half + "0 :", 0) == 0) {
    kept_source() = text.find("srcs[1]") != std::string::npos ? 1 : 0;
    kept_conversion() = value;
    return true;
  }
  if (text.rfind(half + "1 :", 0) == 0) {
    kept_source() = 6;  // absolute, not relative to a source
    kept_conversion() = value;
    return true;
  }
  if (text.rfind("(src->srcs[0]->flags & IR3_REG_CONST) ? 1", 0) == 0) {
    i.srcs[0]->flags |= value == 1 ? Cell{IR3_REG_CONST} : value == 2 ? Cell{IR3_REG_IMMED} : 0;
    f.is_unrepresentable = f.is_unrepresentable || value == 3;
    return true;
  }
  return false;
}

template <typename Filling>
void set_rest(Filling& f) {
  ir3_instruction& i = f.mock.instruction;
  i.srcs_count = 6;
  const int source = kept_source();
  if (source < 0) return;
  const bool is_full = source == 6;
  const bool value = kept_conversion() != 0;
  kept_source() = -1;
  if (i.dsts[0]->num >> 2 == 62) {
    f.is_unrepresentable = f.is_unrepresentable || value != is_full;
    return;
  }
  const bool source_half = !is_full && (i.srcs[source]->flags & IR3_REG_HALF) != 0;
  if (is_full ? !value : value != source_half) i.dsts[0]->flags |= IR3_REG_HALF;
}

}  // namespace mock
