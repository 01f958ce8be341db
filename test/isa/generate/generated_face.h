// SPDX-License-Identifier: Apache-2.0
//
// A common interface of generated programs in C and C++.
//
// Each generated program has its own types, so a small adapter (generated_adapter.inc) gives all of them
// the same function. It is linked into the tests, or loaded from a shared object that a test has compiled.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct generated_entry {
  const char* name;
  uint64_t offset;
} generated_entry;

/* The request of a test. The callbacks are those of the generated options, with the instruction as separate arguments. */
typedef struct generated_request {
  uint32_t gen;
  bool hide_errors;
  bool branch_labels;
  bool round_trip_floats;
  uint32_t max_errors;
  const generated_entry* entries;
  size_t entry_count;
  void* user;
  size_t (*custom)(void* user, const char* field, uint64_t value, char* text);
  size_t (*before)(void* user, uint64_t index, const uint64_t* words, uint32_t bits, char* text);
  size_t (*after)(void* user, uint64_t index, const uint64_t* words, uint32_t bits, char* text);
  size_t (*no_match)(void* user, uint64_t index, const uint64_t* words, uint32_t bits, char* text);
} generated_request;

typedef bool (*generated_sink)(void* user, const char* text, size_t size);

/* Prints a program. */
typedef bool (*generated_print)(const void* bytes, size_t size, const generated_request* request, generated_sink sink,
                                void* sink_user);

/* Prints one word into `text`; returns the length. */
typedef size_t (*generated_word)(const uint64_t* words, uint32_t bits, const generated_request* request, char* text,
                                 size_t room);

typedef struct generated_program {
  const char* description; /* "tiny8.xml" */
  const char* language;    /* "c++" or "c" */
  generated_print print;
  generated_word word;
} generated_program;

#ifdef __cplusplus
}
#endif
