// SPDX-License-Identifier: Apache-2.0
//
// The record of a difference (changes.h). A missing property has no key, which distinguishes it from an empty text.
#include "cli/common/changes.h"

namespace vireo::cli {

void write_change(JsonWriter& json, const ChangeRecord& record) {
  json.begin_object().key("change").string(record.change).key("subject").string(record.subject);
  if (!record.field.empty()) json.key("field").string(record.field);
  if (record.before) json.key("before").string(*record.before);
  if (record.after) json.key("after").string(*record.after);
  json.end_object();
  json.end_document();
}

}  // namespace vireo::cli
