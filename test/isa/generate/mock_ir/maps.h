// SPDX-License-Identifier: Apache-2.0
//
// The structures of the maps of data/isa/maps.xml, and the functions that a packer and an unpacker call.
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct maps_operand {
  int label;
  uint8_t reg;
  bool negate;
  int number[2]; /* plain, wide */
};

struct maps_op {
  int label;
  unsigned unit;
  uint8_t dst;
  struct maps_operand* src[2];
  bool wide;
  bool is_far;
  int target;
  int offset;
  unsigned count;
};

struct maps_state {
  bool is_cached;
  struct maps_op op;
  struct maps_operand operands[2];
  unsigned operand_count;
};

#define MOCK_STATE struct maps_state
#define MOCK_TYPE struct maps_op*

/* For the packer: the leaf of a structure. */
static inline int mock_pack_instruction_case(struct maps_state* s, struct maps_op* op) {
  (void)s;
  return op->label;
}
static inline int mock_pack_operand_case(struct maps_state* s, struct maps_operand* operand) {
  (void)s;
  return operand->label;
}

/* For the unpacker: a new structure for a leaf. */
static inline struct maps_op* mock_unpack_instruction_create(struct maps_state* s, int label) {
  s->op.label = label;
  return &s->op;
}
static inline struct maps_operand* mock_unpack_operand_create(struct maps_state* s, int label) {
  struct maps_operand* operand;
  if (s->operand_count == 2) return 0;
  operand = &s->operands[s->operand_count++];
  operand->label = label;
  return operand;
}

/* Copies the parts without a map. */
static inline void mock_between(struct maps_state* s, const uint64_t* words) {
  s->is_cached = (words[0] >> 8 & 1) != 0;
}
