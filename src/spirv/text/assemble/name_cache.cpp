// SPDX-License-Identifier: Apache-2.0
//
// Fills the cache (name_cache.h): one lookup in the grammar for each name of a text.
#include "spirv/text/assemble/name_cache.h"

namespace vireo::spirv::text {

std::uint32_t NameCache::fill(std::uint16_t scope, const WordKey& key, const char* begin) {
  const NameEntry* entry = grammar_.find_name(scope, {begin, key.length});
  // Unknown names are not cached: each one is a fault.
  if (entry == nullptr) return none;
  // An alias has its own slot: the key is the spelling; the row is shared with the primary name.
  names_[slot_of(scope, key)] = {key, scope, entry->row, grammar_.text(entry->text).data()};
  return entry->row;
}

}  // namespace vireo::spirv::text
