// SPDX-License-Identifier: Apache-2.0
//
// The maps of data/isa/finch.xml use the structures of an example; this file has the functions that a packer and an
// unpacker call. Labels are in the order of `finch_kind`.
#pragma once

#include "../../../../examples/isa_pack.h"

struct finch_state {
  struct finch_op op;
  struct finch_operand operands[3];
  struct finch_address address;
  unsigned operand_count;
};

#define MOCK_STATE struct finch_state
#define MOCK_TYPE struct finch_op*
#define MOCK_ROOTS(EACH) EACH(short, 16) EACH(normal, 32) EACH(wide, 64)

/* For instructions of each size: the label of a structure, and a new structure for a label. */
#define FINCH_ROOT(root, length)                                                                 \
  static inline int mock_pack_##root##_case(struct finch_state* s, struct finch_op* op) {        \
    (void)s;                                                                                     \
    return op->opcode;                                                                           \
  }                                                                                              \
  static inline struct finch_op* mock_unpack_##root##_create(struct finch_state* s, int label) { \
    s->op.opcode = label;                                                                        \
    s->op.units = (length) / 16;                                                                 \
    return &s->op;                                                                               \
  }
MOCK_ROOTS(FINCH_ROOT)
#undef FINCH_ROOT

/* The same for both kinds of operands. */
static inline int mock_pack_source_case(struct finch_state* s, struct finch_operand* operand) {
  (void)s;
  return (int)operand->kind;
}
static inline int mock_pack_float_source_case(struct finch_state* s, struct finch_operand* operand) {
  (void)s;
  return (int)operand->kind;
}
static inline struct finch_operand* mock_unpack_source_create(struct finch_state* s, int label) {
  struct finch_operand* operand;
  if (s->operand_count == 3) return 0;
  operand = &s->operands[s->operand_count++];
  operand->kind = (enum finch_kind)label;
  return operand;
}
static inline struct finch_operand* mock_unpack_float_source_create(struct finch_state* s, int label) {
  return mock_unpack_source_create(s, label);
}

static inline int mock_pack_address_case(struct finch_state* s, struct finch_address* address) {
  (void)s;
  return address->is_indexed ? 1 : 0;
}
static inline struct finch_address* mock_unpack_address_create(struct finch_state* s, int label) {
  s->address.is_indexed = label != 0;
  return &s->address;
}

/* The maps copy everything. */
static inline void mock_between(struct finch_state* s, const uint64_t* words) {
  (void)s;
  (void)words;
}
