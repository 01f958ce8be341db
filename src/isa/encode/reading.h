// SPDX-License-Identifier: Apache-2.0
//
// Parsed settings: for each field that is set, its value according to each definition of its name.
//
// Several cases may define a name, each with other bits and another type. The reader cannot determine yet
// which case applies. So a field has a *reading* for each definition that can have the value, and variant.h picks one
// of them. All errors that follow from names and values alone are reported before that.
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

/// A value according to one definition.
struct ReadValue {
  enum class Kind : std::uint8_t {
    Bits,     ///< the bits of the field are `value`
    Wide,     ///< the bits of a field of more than 64 bits are `wide`
    Equals,   ///< a derived field is `value`
    IsTrue,   ///< a derived bool is not 0
    IsFalse,  ///< a derived bool is 0
  } kind = Kind::Bits;
  BitWord value = 0;
  Bits wide;
  std::uint32_t blank = nowhere;  ///< Bits, Equals: index of the value that encode() receives
};

struct Reading {
  std::uint32_t choice = 0;  ///< index into the resolver's choices
  std::uint32_t definition = 0;
  ReadValue value;
  std::uint32_t scope = nowhere;  ///< a nested bitset with settings for its fields: index into ReadSettings::scopes
};

struct ReadField {
  std::string path;
  Location where;
  std::uint32_t resolver = 0;
  std::vector<Reading> readings;  ///< in search order
};

/// A leaf with the fields that are set in it.
struct ReadScope {
  std::uint32_t plan = 0;
  std::uint32_t group = 0;
  std::vector<std::uint32_t> fields;  ///< indexes into ReadSettings::fields
  std::string path;                   ///< path of the field that contains the bitset; empty: the instruction
};

struct ReadSettings {
  struct Blank {
    std::string path;
    Location where;
  };
  std::vector<ReadScope> scopes;  ///< the instruction first
  std::vector<ReadField> fields;
  std::vector<Blank> blanks;
  Location where;  ///< location of the leaf's name
};

/// The reason why a value was rejected.
struct ValueFault {
  std::string_view rule;
  std::string message;
  std::string hint;
};

/// Converts a value for a definition. If the definition is a nested bitset, the value gives its bits. `path` names the
/// field in errors.
bool read_value(const Model& model, const Definition& definition, const FieldValue& value, std::string_view path,
                ReadValue& result, ValueFault& fault);

/// Returns whether a number for a blank fits into the field.
bool fits(const Definition& definition, BitWord value);

/// Returns the error for a number that does not fit.
ValueFault range_fault(const Definition& definition, std::string_view path, std::string_view number);

/// Returns whether a text can only be a number, not a name.
bool is_numeral(std::string_view text);

/// Reads the settings of an instruction. Returns nullopt if they are valid; otherwise it has reported all errors.
std::optional<Reported> read_settings(const Model& model, const DecodeTables& tables, std::string_view leaf,
                                      Location where, std::span<const FieldSetting> fields, ReadSettings& result,
                                      Diagnostics& diagnostics);

}  // namespace vireo::isa
