// SPDX-License-Identifier: Apache-2.0
//
// Generated encoders and packers behind one face.
//
// The one idea: what a word means is handed over flat, as a decoder has found it out: scopes, and the fields of each. An
// adapter around each generated program fills the program's own structs from it and gives back the word that they make.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct flat_field {
  const char* name;
  const char* type;      /* as the description names it */
  uint32_t low;          /* within the scope's bitset; meaningless for a derived field */
  uint32_t width;        /* 0: derived */
  const uint64_t* words; /* the bits, or the derived value */
  int32_t nested;        /* the scope that the field is; -1: none */
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

/* There is no structure for this word. */
#define encoding_cannot_be_said 0xFFFFFFFFu

/* Makes the word again. Gives its bits; 0 when something was wrong: what, by `text`, a string. */
typedef uint32_t (*encoding_function)(const flat_word* word, uint64_t* words, char* text, size_t room);

#ifdef __cplusplus
}
#endif
