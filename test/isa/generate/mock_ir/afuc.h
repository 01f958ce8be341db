// SPDX-License-Identifier: Apache-2.0
//
// Mock IR for the maps of the afuc description, for tests.
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct afuc_instr {
  int label;
  uint8_t dst, src1, src2;
  uint32_t immed;
  uint8_t bit, shift, xmov, sds;
  int offset;
  uint32_t literal;
  bool rep, preincrement, peek;
};

struct afuc_state {
  struct afuc_instr instr;
};

#define MOCK_STATE struct afuc_state
#define MOCK_TYPE struct afuc_instr*

static inline int mock_pack_instruction_case(struct afuc_state* s, struct afuc_instr* instr) {
  (void)s;
  return instr->label;
}
static inline struct afuc_instr* mock_unpack_instruction_create(struct afuc_state* s, int label) {
  s->instr.label = label;
  return &s->instr;
}
static inline void mock_between(struct afuc_state* s, const uint64_t* words) {
  (void)s;
  (void)words;
}
