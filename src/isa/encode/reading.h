// SPDX-License-Identifier: Apache-2.0
//
// Settings that were understood: for each field that is given, what each definition of its name makes of the value.
//
// The one idea: a name may be defined by several cases, with other bits and another type in each, and which case it will be
// is not known yet. So a field has a *reading* for each definition that can have the value. Later one is picked
// (variant.h). Everything that can be said about names and values alone has been said by then.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "isa/decode/tables.h"
#include "vireo/isa/encode.h"

namespace vireo::isa {

/// A value, as one definition has it.
struct ReadValue {
  enum class Kind : std::uint8_t {
    Bits,     ///< the bits of the field are `value`
    Wide,     ///< the same, of more than 64 bits: `wide`
    Equals,   ///< a derived field is `value`
    IsTrue,   ///< a derived bool is not 0
    IsFalse,  ///< a derived bool is 0
  } kind = Kind::Bits;
  BitWord value = 0;
  Bits wide;
  std::uint32_t blank = nowhere;  ///< Bits, Equals: the number of the value that is to come
};

struct Reading {
  std::uint32_t choice = 0;  ///< of the resolver's choices
  std::uint32_t definition = 0;
  ReadValue value;
  std::uint32_t scope = nowhere;  ///< a nested bitset with fields of its own: index of ReadSettings::scopes
};

struct ReadField {
  std::string path;
  Location where;
  std::uint32_t resolver = 0;
  std::vector<Reading> readings;  ///< in the order of search
};

/// A leaf with the fields that are given in it.
struct ReadScope {
  std::uint32_t plan = 0;
  std::uint32_t group = 0;
  std::vector<std::uint32_t> fields;  ///< of ReadSettings::fields
  std::string path;                   ///< of the field that it is; empty: the instruction
};

struct ReadSettings {
  struct Blank {
    std::string path;
    Location where;
  };
  std::vector<ReadScope> scopes;  ///< the instruction first
  std::vector<ReadField> fields;
  std::vector<Blank> blanks;
  Location where;  ///< of the leaf's name
};

/// Why a value was refused.
struct ValueFault {
  std::string_view rule;
  std::string message;
  std::string hint;
};

/// What a definition that is no nested bitset makes of a value; of one that is, its bits. `path` names the field in faults.
bool read_value(const Model& model, const Definition& definition, const FieldValue& value, std::string_view path,
                ReadValue& result, ValueFault& fault);

/// Whether a number that came for a blank fits.
bool fits(const Definition& definition, BitWord value);

/// The fault of a number that does not.
ValueFault range_fault(const Definition& definition, std::string_view path, std::string_view number);

/// Whether a text can only be a number, not a name.
bool is_numeral(std::string_view text);

/// What an instruction's settings mean. None: they are sound; else all that is wrong has been reported.
std::optional<Reported> read_settings(const Model& model, const DecodeTables& tables, std::string_view leaf,
                                      Location where, std::span<const FieldSetting> fields, ReadSettings& result,
                                      Diagnostics& diagnostics);

}  // namespace vireo::isa
