// SPDX-License-Identifier: Apache-2.0
//
// A common interface of generated encoders and packers.
//
// A decoded word is passed in a flat form: scopes, and the fields of each. An adapter for each generated
// program fills the program's structs from it and returns the encoded word.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct flat_field {
  const char* name;
  const char* type;      /* by its name in the description */
  uint32_t low;          /* within the scope's bitset; meaningless for a derived field */
  uint32_t width;        /* 0: derived */
  const uint64_t* words; /* the bits, or the derived value */
  int32_t nested;        /* index of the field's scope; -1: none */
  const char* map;       /* of an `encode` element, on one line; empty: none */
  bool is_structure;     /* a bitset whose encode type is a pointer */
  bool is_shown;         /* by the display that was chosen */
} flat_field;

typedef struct flat_scope {
  const char* leaf;
  uint32_t first_gen;
  uint32_t last_gen;
  uint32_t first; /* of the fields */
  uint32_t count;
} flat_scope;

typedef struct flat_word {
  const flat_scope* scopes; /* the instruction is the first */
  const flat_field* fields;
  const uint64_t* words;
  uint32_t bits;
  uint32_t gen;
} flat_word;

/* The structures cannot represent this word. */
#define encoding_unrepresentable 0xFFFFFFFFu

/* Encodes the word. Returns its number of bits; 0 on failure, with the message in `text`. */
typedef uint32_t (*encoding_function)(const flat_word* word, uint64_t* words, char* text, size_t room);

#ifdef __cplusplus
}
#endif
