// SPDX-License-Identifier: Apache-2.0
//
// Types in a few words (specification 3.42.6, type-declaration instructions), in the spelling of shading languages.
//
// The one idea: a type's text is made from its declaration each time. Arrays and pointers, which nest without end, are
// unwound by a loop over a few levels; structures are called by name; so nothing depends on how deep the input nests.
#include <algorithm>
#include <array>

#include "spirv/grammar/load/special_cases.h"
#include "spirv/text/annotate/annotate_remark.h"

namespace vireo::spirv {
namespace {

constexpr std::size_t max_levels = 8;  // of arrays and pointers within one text
constexpr int max_function_depth = 2;  // of function types within parameters

struct StorageRow {
  StorageClass storage_class;
  std::string_view words;
};
// Words for those that the specification names (3, Storage Class); a class without a row is left out of the remark,
// as its name is on the line.
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

// Scalars that have a name of their own, and the letters that their vectors begin with: ivec4, f16mat3.
// GLSL's where it has one (GL_EXT_shader_explicit_arithmetic_types for the others): most readers of modules come from
// there.
struct ScalarRow {
  ScalarType::Class class_;
  bool is_signed;
  std::uint16_t width;
  std::string_view name;
  std::string_view prefix;
};
constexpr ScalarRow scalar_rows[] = {
    {ScalarType::Class::Float, true, 16, "half", "f16"},      {ScalarType::Class::Float, true, 32, "float", ""},
    {ScalarType::Class::Float, true, 64, "double", "d"},      {ScalarType::Class::Integer, true, 32, "int", "i"},
    {ScalarType::Class::Integer, false, 32, "uint", "u"},     {ScalarType::Class::Integer, true, 8, "int8", "i8"},
    {ScalarType::Class::Integer, false, 8, "uint8", "u8"},    {ScalarType::Class::Integer, true, 16, "int16", "i16"},
    {ScalarType::Class::Integer, false, 16, "uint16", "u16"}, {ScalarType::Class::Integer, true, 64, "int64", "i64"},
    {ScalarType::Class::Integer, false, 64, "uint64", "u64"},
};

// Eleven rows: linear.
const ScalarRow* find_scalar(ScalarType type) {
  // A 16-bit float with an encoding is no half.
  if (type.encoding != ScalarType::no_encoding) return nullptr;
  const auto* row = std::ranges::find_if(scalar_rows, [&](const ScalarRow& r) {
    return r.class_ == type.class_ && r.is_signed == type.is_signed && r.width == type.width;
  });
  return row == std::end(scalar_rows) ? nullptr : row;
}

// Other widths are legal in the words, if not in any environment: int24, float128.
void add_scalar(Remark& remark, ScalarType type) {
  if (const ScalarRow* row = find_scalar(type)) {
    remark.add(row->name);
    return;
  }
  const std::string_view encoding = friendly_encoding_name(type.encoding);
  if (type.class_ == ScalarType::Class::Float && !encoding.empty()) {
    remark.add(encoding);
    return;
  }
  remark.add(type.class_ == ScalarType::Class::Float ? "float"
             : type.is_signed                        ? "int"
                                                     : "uint")
      .add(std::uint64_t{type.width});
}

// "vec" or "mat" with the letters of the component type; false when there are none for it.
// OpTypeBool is no ScalarType, as no literal has it.
bool add_prefixed(Remark& remark, Word component, std::string_view stem) {
  const ModuleFacts& facts = remark.facts;
  if (op_of(facts.definition(component)) == Op::OpTypeBool) {
    remark.add("b").add(stem);
    return true;
  }
  const ScalarRow* row = find_scalar(facts.scalar_type(component));
  if (row == nullptr) return false;
  remark.add(row->prefix).add(stem);
  return true;
}

// Components that are no scalars stand in broken modules only; their id is all there is to say.
void add_component(Remark& remark, Word component) {
  const ScalarType scalar = remark.facts.scalar_type(component);
  if (scalar.class_ != ScalarType::Class::None) return add_scalar(remark, scalar);
  remark.add_id(component);
}

void add_vector(Remark& remark, InstructionView vector) {
  const Word count = vector.word(3);
  if (add_prefixed(remark, vector.word(2), "vec")) {
    remark.add(std::uint64_t{count});
    return;
  }
  remark.add("vec").add(std::uint64_t{count}).add("<");
  add_component(remark, vector.word(2));
  remark.add(">");
}

// Columns by rows, as GLSL has it: mat4x3 has four columns of vec3.
void add_matrix(Remark& remark, InstructionView matrix) {
  const InstructionView column = remark.facts.definition(matrix.word(2));
  const Word columns = matrix.word(3);
  // Specification, OpTypeMatrix: the component type is the column's, a vector; its size is the number of rows.
  const Word rows = op_of(column) == Op::OpTypeVector ? column.word(3) : 0;
  if (rows == 0 || !add_prefixed(remark, column.word(2), "mat")) {
    remark.add("matrix of ").add(std::uint64_t{columns}).add(" columns");
    return;
  }
  remark.add(std::uint64_t{columns});
  if (rows != columns) remark.add("x").add(std::uint64_t{rows});
}

// GLSL's names: itexture2DMSArray, image3D, samplerCubeShadow, subpassInput.
void add_image(Remark& remark, InstructionView image, bool is_sampled_image) {
  // In the order of the enumeration Dim (specification 3, Dim); the last one is SubpassData, which has a word of its
  // own.
  constexpr std::string_view dimensions[] = {"1D", "2D", "3D", "Cube", "2DRect", "Buffer", ""};
  const Word dimension = image.word(3);
  const bool is_subpass = dimension == static_cast<Word>(Dim::SubpassData);
  const ScalarType texel = remark.facts.scalar_type(image.word(2));
  if (const ScalarRow* row = find_scalar(texel)) remark.add(row->prefix);
  // Specification, OpTypeImage, operand Sampled: 2 is read and written without a sampler, which GLSL calls an image.
  const bool is_storage = image.word(7) == 2 || texel.class_ == ScalarType::Class::None;  // kernels know no texel type
  remark.add(is_subpass ? "subpassInput" : is_sampled_image ? "sampler" : is_storage ? "image" : "texture");
  if (dimension < std::size(dimensions)) remark.add(dimensions[dimension]);
  if (image.word(6) != 0) remark.add("MS");
  if (image.word(5) != 0) remark.add("Array");
  // Depth is a property of the sampling, so GLSL has a name for it only where image and sampler are one.
  if (is_sampled_image && image.word(4) == 1) remark.add("Shadow");
}

// Broken declarations have fewer words than are read of a pointer.
bool is_array(InstructionView type) { return op_of(type) == Op::OpTypeArray || op_of(type) == Op::OpTypeRuntimeArray; }
bool is_pointer(InstructionView type) { return op_of(type) == Op::OpTypePointer && type.word_count > 3; }

// A length may be a specialization constant: then it is called by its name.
void add_length(Remark& remark, InstructionView array) {
  remark.add("[");
  if (op_of(array) == Op::OpTypeArray) {
    const bool had_news = remark.has_news;
    std::uint64_t length = 0;
    if (remark.facts.constant_index(array.word(3), length)) {
      remark.add(length);
    } else {
      remark.add_id(array.word(3));
    }
    remark.has_news = had_news;
  }
  remark.add("]");
}

void add_type_at(Remark& remark, Word type, int function_depth);

void add_function(Remark& remark, InstructionView function, int depth) {
  // A function type may take functions (pointers to them, SPV_INTEL_function_pointers), and a broken one itself.
  if (depth == max_function_depth) {
    remark.add("function");
    return;
  }
  add_type_at(remark, function.word(2), depth + 1);
  remark.add(" (");
  for (std::size_t i = 3; i < function.word_count && !remark.is_full(); ++i) {
    if (i > 3) remark.add(", ");
    add_type_at(remark, function.word(i), depth + 1);
  }
  remark.add(")");
}

// A type that is neither array nor pointer.
void add_plain_type(Remark& remark, Word type, InstructionView definition, int function_depth) {
  switch (op_of(definition)) {
    case Op::OpTypeVoid: remark.add("void"); return;
    case Op::OpTypeBool: remark.add("bool"); return;
    case Op::OpTypeInt:
    case Op::OpTypeFloat: return add_scalar(remark, remark.facts.scalar_type(type));
    case Op::OpTypeVector: return add_vector(remark, definition);
    case Op::OpTypeMatrix: return add_matrix(remark, definition);
    case Op::OpTypeImage: return add_image(remark, definition, false);
    case Op::OpTypeSampledImage: {
      const InstructionView image = remark.facts.definition(definition.word(2));
      if (op_of(image) == Op::OpTypeImage) return add_image(remark, image, true);
      break;
    }
    case Op::OpTypeSampler: remark.add("sampler"); return;
    case Op::OpTypeAccelerationStructureKHR: remark.add("accelerationStructure"); return;
    case Op::OpTypeRayQueryKHR: remark.add("rayQuery"); return;
    case Op::OpTypeFunction: return add_function(remark, definition, function_depth);
    case Op::OpTypeStruct:
    case Op::OpTypeOpaque:
    default: break;
  }
  remark.add_id(type);  // structures by name, all that is rare by the name the text has for it
}

void add_type_at(Remark& remark, Word type, int function_depth) {
  // A fixed array and a loop: nested arrays and pointers cost the same stack however deep a module nests them.
  std::array<InstructionView, max_levels> levels;  // from the outside in
  std::size_t count = 0;
  InstructionView definition = remark.facts.definition(type);
  while (count < max_levels && (is_array(definition) || is_pointer(definition))) {
    levels[count++] = definition;
    type = definition.word(is_array(definition) ? 2 : 3);
    definition = remark.facts.definition(type);
  }
  if (is_array(definition) || is_pointer(definition)) {
    remark.add("...");
  } else {
    add_plain_type(remark, type, definition, function_depth);
  }
  // Pointers read from the inside out, the lengths of an array of arrays from the outside in, as in C.
  // The levels were taken from the outside in. Going back, each pointer is a `*` behind what it points to, while a
  // run of arrays is turned over: int[2][3] is two arrays of three.
  while (count > 0) {
    std::size_t run = count;
    while (run > 0 && is_array(levels[run - 1])) --run;
    for (std::size_t i = run; i < count; ++i) add_length(remark, levels[i]);
    if (run > 0) {
      remark.add("*");
      --run;
    }
    count = run;
  }
}

// Members are what a reader wants of a structure, and the one place where they are all told; elsewhere it is called
// by name.
void remark_on_structure(Remark& remark, InstructionView structure) {
  const Word id = structure.word(1);
  remark.add("struct ");
  const std::string_view name = remark.name_of(id);
  if (!name.empty()) remark.add_input(name).add(" ");
  remark.add("{");
  for (std::size_t i = 2; i < structure.word_count && !remark.is_full(); ++i) {
    remark.add(i == 2 ? " " : "; ");
    add_type(remark, structure.word(i));
    const std::string_view member = remark.facts.member_name(id, static_cast<Word>(i - 2));
    if (!member.empty()) remark.add(" ").add_input(member);
  }
  remark.add(" }");
}

}  // namespace

std::string_view storage_class_words(Word storage_class) {
  const auto* row =
      std::ranges::find(storage_rows, static_cast<StorageClass>(storage_class), &StorageRow::storage_class);
  return row == std::end(storage_rows) ? std::string_view{} : row->words;
}

// Types are rarely news by themselves: names within them must not make a remark of what the line shows.
void add_type(Remark& remark, Word type) {
  const bool had_news = remark.has_news;
  add_type_at(remark, type, 0);
  remark.has_news = had_news;
}

void add_type_as_news(Remark& remark, Word type) {
  add_type(remark, type);
  if (!remark.line_shows(type)) remark.has_news = true;
}

bool remark_on_type(Remark& remark, InstructionView instruction) {
  const Word id = instruction.word(1);
  switch (op_of(instruction)) {
    case Op::OpTypeInt:
      remark.add(std::uint64_t{instruction.word(2)})
          .add("-bit int, ")
          .add(instruction.word(3) != 0 ? "signed" : "sign-less");
      break;
    case Op::OpTypeFloat: {
      const std::string_view encoding = instruction.word_count > 3 ? friendly_encoding_name(instruction.word(3)) : "";
      remark.add(std::uint64_t{instruction.word(2)}).add("-bit float");
      if (!encoding.empty()) remark.add(", ").add(encoding);
      break;
    }
    // The storage class leads here, where the pointer is declared; within other types it would bury what is pointed
    // to.
    case Op::OpTypePointer: {
      const std::string_view storage = storage_class_words(instruction.word(2));
      if (!storage.empty()) remark.add(storage).add(" ");
      add_type(remark, instruction.word(3));
      remark.add("*");
      break;
    }
    case Op::OpTypeStruct: remark_on_structure(remark, instruction); break;
    case Op::OpTypeVector:
    case Op::OpTypeMatrix:
    case Op::OpTypeArray:
    case Op::OpTypeRuntimeArray:
    case Op::OpTypeImage:
    case Op::OpTypeSampledImage:
    case Op::OpTypeFunction: add_type(remark, id); break;
    default: return false;
  }
  remark.has_news = true;
  return true;
}

}  // namespace vireo::spirv
