// SPDX-License-Identifier: Apache-2.0
//
// Filling the cache (name_cache.h): one look into the grammar for each name that a text uses.
#include "spirv/text/assemble/name_cache.h"

namespace vireo::spirv::text {

std::uint32_t NameCache::fill(std::uint16_t scope, const WordKey& key, const char* begin) {
  const NameEntry* entry = grammar_.find_name(scope, {begin, key.length});
  // Unknown names are not cached: each of them ends in a fault.
  if (entry == nullptr) return none;
  // An alias has a slot of its own: the key is the spelling, the row is the one that both share.
  names_[slot_of(scope, key)] = {key, scope, entry->row, grammar_.text(entry->text).data()};
  return entry->row;
}

}  // namespace vireo::spirv::text
