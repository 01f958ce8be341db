// SPDX-License-Identifier: Apache-2.0
//
// Annotations of type declarations; binary/type_notation.h defines the notation.
#include <algorithm>
#include <optional>
#include <string>

#include "spirv/binary/type_notation.h"
#include "spirv/grammar/special_cases.h"
#include "spirv/text/annotate/annotate_remark.h"
#include "vireo/spirv/binary/views/type_declaration.h"

namespace vireo::spirv {
namespace {

struct StorageRow {
  StorageClass storage_class;
  std::string_view words;
};
// Texts for the storage classes of the specification (3, Storage Class). A class without a row is left out of the
// annotation, because the line shows its name.
constexpr StorageRow storage_rows[] = {
    {StorageClass::UniformConstant, "uniform constant"},
    {StorageClass::Input, "input"},
    {StorageClass::Uniform, "uniform"},
    {StorageClass::Output, "output"},
    {StorageClass::Workgroup, "workgroup"},
    {StorageClass::CrossWorkgroup, "global"},
    {StorageClass::Private, "private"},
    {StorageClass::Function, "function-local"},
    {StorageClass::Generic, "generic"},
    {StorageClass::PushConstant, "push-constant"},
    {StorageClass::AtomicCounter, "atomic counter"},
    {StorageClass::Image, "image texel"},
    {StorageClass::StorageBuffer, "storage-buffer"},
    {StorageClass::CallableDataKHR, "callable data"},
    {StorageClass::IncomingCallableDataKHR, "incoming callable data"},
    {StorageClass::RayPayloadKHR, "ray payload"},
    {StorageClass::HitAttributeKHR, "hit attribute"},
    {StorageClass::IncomingRayPayloadKHR, "incoming ray payload"},
    {StorageClass::ShaderRecordBufferKHR, "shader record"},
    {StorageClass::PhysicalStorageBuffer, "physical-storage"},
    {StorageClass::TaskPayloadWorkgroupEXT, "task payload"},
};

// Gives the type notation access to the module, through ModuleFacts.
class RemarkTypeSource final : public TypeSource {
 public:
  explicit RemarkTypeSource(Remark& remark) : remark_(remark) {}

  [[nodiscard]] InstructionView definition(Word id) const override { return remark_.facts.definition(id); }
  [[nodiscard]] std::optional<std::uint64_t> length(Word constant) const override {
    std::uint64_t value = 0;
    return remark_.facts.constant_index(constant, value) ? std::optional(value) : std::nullopt;
  }
  [[nodiscard]] std::string id_text(Word id) const override {
    if (!remark_.name_of(id).empty()) remark_.has_meaning = true;
    return remark_.id_text(id);
  }

 private:
  Remark& remark_;
};

// Only the annotation of the structure itself shows its members. Elsewhere a structure is shown by its name.
void remark_on_structure(Remark& remark, View<Op::OpTypeStruct> structure) {
  const Word id = structure.result();
  remark.add("struct ");
  const std::string_view name = remark.name_of(id);
  if (!name.empty()) remark.add_input(name).add(" ");
  remark.add("{");
  const auto members = structure.member_types();
  for (std::size_t i = 0; i < members.size() && !remark.is_full(); ++i) {
    remark.add(i == 0 ? " " : "; ");
    add_type(remark, members[i]);
    const std::string_view member = remark.facts.member_name(id, static_cast<Word>(i));
    if (!member.empty()) remark.add(" ").add_input(member);
  }
  remark.add(" }");
}

}  // namespace

std::string_view storage_class_words(StorageClass storage_class) {
  const auto* row = std::ranges::find(storage_rows, storage_class, &StorageRow::storage_class);
  return row == std::end(storage_rows) ? std::string_view{} : row->words;
}

// The text of a type rarely adds information, so a name within a type does not set has_news.
void add_type(Remark& remark, Word type) {
  std::string text;
  append_type(text, RemarkTypeSource(remark), type, Remark::max_bytes);
  remark.add(text);
}

void add_type_as_news(Remark& remark, Word type) {
  add_type(remark, type);
  if (!remark.line_shows(type)) remark.has_news = true;
}

bool remark_on_type(Remark& remark, InstructionView instruction) {
  switch (op_of(instruction)) {
    case Op::OpTypeInt: {
      const View<Op::OpTypeInt> type(instruction);
      remark.add(std::uint64_t{type.width()}).add("-bit int, ").add(type.signedness() != 0 ? "signed" : "sign-less");
      break;
    }
    case Op::OpTypeFloat: {
      const View<Op::OpTypeFloat> type(instruction);
      const auto encoding = type.floating_point_encoding();
      const std::string_view name = encoding ? friendly_encoding_name(static_cast<Word>(encoding->value)) : "";
      remark.add(std::uint64_t{type.width()}).add("-bit float");
      if (!name.empty()) remark.add(", ").add(name);
      break;
    }
    // The declaration of a pointer shows the storage class first. Other types omit it, as it would distract from the
    // pointee.
    case Op::OpTypePointer: {
      const View<Op::OpTypePointer> pointer(instruction);
      const std::string_view storage = storage_class_words(pointer.storage_class());
      if (!storage.empty()) remark.add(storage).add(" ");
      add_type(remark, pointer.type());
      remark.add("*");
      break;
    }
    case Op::OpTypeStruct: remark_on_structure(remark, View<Op::OpTypeStruct>(instruction)); break;
    case Op::OpTypeVector:
    case Op::OpTypeMatrix:
    case Op::OpTypeArray:
    case Op::OpTypeRuntimeArray:
    case Op::OpTypeImage:
    case Op::OpTypeSampledImage:
    case Op::OpTypeFunction: add_type(remark, View<Op::OpTypeVoid>(instruction).result()); break;
    default: return false;
  }
  remark.has_news = true;
  return true;
}

}  // namespace vireo::spirv
