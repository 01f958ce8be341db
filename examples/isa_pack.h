/* SPDX-License-Identifier: Apache-2.0 */
/* The structures in which a compiler for Finch stores instructions. The `encode` elements of finch.xml map them to words, and
   the packer is generated from these elements. This header and the packer are valid C and valid C++.

   The members have the compiler's own types. One structure serves all instructions; each instruction reads
   only the members that it needs. A member that is 0 has no effect. */
#ifndef FINCH_STRUCTURES_H
#define FINCH_STRUCTURES_H

#include <stdbool.h>
#include <stdint.h>

/* A float of 6 bits, as in an operand. */
struct finch_real {
  unsigned sign, exponent, fraction;
};

/* An operand. The instruction determines whether its number is an integer or a float. */
enum finch_kind { finch_register, finch_number, finch_uniform };
struct finch_operand {
  enum finch_kind kind;
  unsigned number; /* of the register, or of the uniform */
  unsigned part;   /* of a register that holds an integer: a value of #part */
  bool is_negated; /* of one that holds a float */
  bool is_absolute;
  int value;
  struct finch_real real;
};

struct finch_predicate {
  unsigned p;
  bool is_negated;
};

/* A register and a number of elements, or a uniform and the register of an index. */
struct finch_address {
  bool is_indexed;
  unsigned base;
  unsigned offset;
  unsigned index;
};

struct finch_op {
  int opcode;      /* FINCH_ADD …, a label of the packer, of the instructions that are as long as this one */
  unsigned units;  /* how long it is: 1, 2 or 4 units of 16 bits */
  unsigned guard;  /* 0: for all threads */
  unsigned reg[2]; /* what is a register and cannot be anything else; the result first */
  unsigned p;      /* the predicate that is written */
  struct finch_predicate predicate[2];
  struct finch_operand* operand[3];
  struct finch_address* address;
  unsigned how;      /* what stands behind a dot or a %: a condition, an atomic, a lane, a dimension … */
  unsigned to, from; /* of a conversion */
  unsigned rounding;
  bool saturates;
  unsigned bits; /* of memory: 0 for 8, 1 for 16 … */
  unsigned is_signed;
  unsigned space;
  int number;        /* a small constant */
  uint32_t constant; /* a large one; of a float its bits */
  int target;        /* in units: from here, or of a call from the start */
  unsigned texture, sampler;
  bool has_lod;
};

#endif
