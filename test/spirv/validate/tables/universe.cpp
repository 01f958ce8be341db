// SPDX-License-Identifier: Apache-2.0
//
// The declarations of the universe: a table or a loop for each form of type.
#include "spirv/validate/tables/universe.h"

#include <algorithm>

namespace vireo::spirv::test {
namespace {

using Form = PlainType::Form;
using Scalar = PlainType::Scalar;

struct ScalarRow {
  std::string_view name;
  Scalar scalar;
  Word width;
  std::vector<Word> operands;  // for OpTypeBool, OpTypeInt or OpTypeFloat
};
// The first matching type is chosen first; 32 bits are valid for exponents, offsets and indexes.
const ScalarRow scalar_rows[] = {
    {"u32", Scalar::Unsigned, 32, {32, 0}},
    {"i32", Scalar::Signed, 32, {32, 1}},
    {"f32", Scalar::Float, 32, {32}},
    {"bool", Scalar::Bool, 0, {}},
    {"u8", Scalar::Unsigned, 8, {8, 0}},
    {"i8", Scalar::Signed, 8, {8, 1}},
    {"u16", Scalar::Unsigned, 16, {16, 0}},
    {"i16", Scalar::Signed, 16, {16, 1}},
    {"u64", Scalar::Unsigned, 64, {64, 0}},
    {"i64", Scalar::Signed, 64, {64, 1}},
    {"f16", Scalar::Float, 16, {16}},
    {"f64", Scalar::Float, 64, {64}},
    {"bf16", Scalar::OddFloat, 16, {16, static_cast<Word>(FPEncoding::BFloat16KHR)}},
    {"e4m3", Scalar::OddFloat, 8, {8, static_cast<Word>(FPEncoding::Float8E4M3EXT)}},
};

// Constants used by other declarations.
constexpr Word most_numbers = 17;

struct PointerRow {
  StorageClass storage;
  std::vector<std::string_view> pointees;
};
// In addition to those of Workgroup, which point to all scalars and vectors.
const PointerRow pointer_rows[] = {
    {StorageClass::Function, {"f16", "f32", "f64", "i32", "u32", "f32v2", "f32v4", "i32v2", "u32v3", "i32v4", "query"}},
    {StorageClass::CrossWorkgroup, {"u8", "i32", "f16", "f32", "f32v4"}},
    {StorageClass::UniformConstant, {"u8", "i8", "f32"}},
    {StorageClass::Input, {"f32", "f32v2", "f32v3", "f32v4", "f16"}},
    {StorageClass::Output, {"f32"}},
    {StorageClass::Private, {"query", "hitnv", "hitext", "f32", "s_f32_f32"}},
    {StorageClass::RayPayloadKHR, {"f32v4"}},
    {StorageClass::IncomingRayPayloadKHR, {"f32v4"}},
    {StorageClass::CallableDataKHR, {"f32v4"}},
    {StorageClass::IncomingCallableDataKHR, {"f32v4"}},
    {StorageClass::HitAttributeKHR, {"f32v2"}},
    {StorageClass::TaskPayloadWorkgroupEXT, {"s_f32_f32"}},
    {StorageClass::HitObjectAttributeNV, {"f32v2"}},
    {StorageClass::HitObjectAttributeEXT, {"f32v2"}},
};

std::string number_text(unsigned value) { return std::to_string(value); }

}  // namespace

// Raw words, because the modules contain errors that the builder would reject.
void append(WordBuffer& words, Op op, const std::vector<Word>& operands) {
  words.push_back(static_cast<Word>(op) | static_cast<Word>((operands.size() + 1) << 16));
  words.insert(words.end(), operands.begin(), operands.end());
}

std::size_t Universe::find(std::string_view name) const {
  const auto found = std::find_if(types_.begin(), types_.end(), [&](const PlainType& t) { return t.name == name; });
  return found == types_.end() ? PlainType::none : static_cast<std::size_t>(found - types_.begin());
}

Word Universe::number(Word value) const { return numbers_[value]; }

// Each type is declared once, as the specification requires, so its id is its identity.
std::size_t Universe::declare(Op op, const std::vector<Word>& operands, PlainType type) {
  type.id = next_id_++;
  type.declared_by = op;
  std::vector<Word> all{type.id};
  all.insert(all.end(), operands.begin(), operands.end());
  append(globals_, op, all);
  types_.push_back(std::move(type));
  return types_.size() - 1;
}

Word Universe::value(Op op, std::size_t type, const std::vector<Word>& operands, Source source, WordBuffer& words) {
  const Word id = next_id_++;
  std::vector<Word> all{types_[type].id, id};
  all.insert(all.end(), operands.begin(), operands.end());
  append(words, op, all);
  values_.push_back({type, source, id});
  return id;
}

Universe::Universe(World world) : world_(world) {
  declare(Op::OpTypeVoid, {}, {.name = "void"});
  declare_scalars();
  declare_vectors();
  if (world == World::Shader) declare_matrices();
  declare_aggregates();
  declare_opaque();
  declare_pointers();
  declare_values();
  function_type_ = next_id_++;
  std::vector<Word> signature{function_type_, void_type()};
  if (world == World::Shader) signature.push_back(declare_parameter());
  append(globals_, Op::OpTypeFunction, signature);
}

void Universe::declare_scalars() {
  for (const ScalarRow& row : scalar_rows) {
    if (world_ == World::Kernel && row.scalar == Scalar::Signed) continue;
    const Op op = row.scalar == Scalar::Bool                                       ? Op::OpTypeBool
                  : row.scalar == Scalar::Signed || row.scalar == Scalar::Unsigned ? Op::OpTypeInt
                                                                                   : Op::OpTypeFloat;
    declare(op, row.operands,
            {.name = std::string(row.name),
             .form = Form::Scalar,
             .scalar = row.scalar,
             .width = row.width,
             .component = types_.size()});
  }
  const Word u32 = types_[find("u32")].id;
  for (Word number = 0; number < most_numbers; ++number) {
    numbers_.push_back(next_id_);
    append(globals_, Op::OpConstant, {u32, next_id_++, number});
  }
}

// Long vectors with lengths that vectors cannot have, and with two lengths for comparisons.
void Universe::declare_vectors() {
  for (const ScalarRow& row : scalar_rows) {
    const std::size_t scalar = find(row.name);
    if (scalar == PlainType::none) continue;
    for (Word count = 2; count <= 4; ++count) {
      PlainType type = types_[scalar];
      type.name += "v" + number_text(count);
      type.form = Form::Vector;
      type.count = count;
      declare(Op::OpTypeVector, {types_[scalar].id, count}, type);
    }
  }
  if (world_ == World::Kernel) return;
  struct LongRow {
    std::string_view scalar;
    Word count;
  };
  for (const LongRow& row : {LongRow{"u32", 5},
                             {"f32", 5},
                             {"u32", 6},
                             {"f32", 6},
                             {"i32", 5},
                             {"bool", 5},
                             {"u16", 5},
                             {"u64", 5},
                             {"f16", 5},
                             {"bf16", 5},
                             {"e4m3", 5}}) {
    PlainType type = types_[find(row.scalar)];
    type.name += "long" + number_text(row.count);
    type.form = Form::LongVector;
    type.count = row.count;
    declare(Op::OpTypeVectorIdEXT, {types_[type.component].id, number(row.count)}, type);
  }
}

// Matrices that differ in columns, rows and width. Cooperative matrices have one shape, because no row depends on it.
void Universe::declare_matrices() {
  struct MatrixRow {
    std::string_view scalar;
    Word columns, rows;
  };
  for (const MatrixRow& row : {MatrixRow{"f32", 2, 2},
                               {"f32", 3, 3},
                               {"f32", 2, 3},
                               {"f32", 3, 2},
                               {"f32", 4, 3},
                               {"f32", 4, 4},
                               {"f16", 2, 2},
                               {"f16", 4, 3},
                               {"f64", 2, 2},
                               {"f64", 3, 3}}) {
    PlainType type = types_[find(row.scalar)];
    const std::size_t column = find(type.name + "v" + number_text(row.rows));
    type.name += "m" + number_text(row.columns) + "x" + number_text(row.rows);
    type.form = Form::Matrix;
    type.count = row.rows;
    type.parts = row.columns;
    declare(Op::OpTypeMatrix, {types_[column].id, row.columns}, type);
  }
  constexpr auto scope = static_cast<Word>(Scope::Subgroup);
  constexpr auto use = static_cast<Word>(CooperativeMatrixUse::MatrixAccumulatorKHR);
  for (const std::string_view scalar : {"f32", "f16", "u32", "i32", "u8", "u16", "bf16"}) {
    PlainType type = types_[find(scalar)];
    type.name += "coop";
    type.form = Form::Cooperative;
    declare(Op::OpTypeCooperativeMatrixKHR,
            {types_[type.component].id, number(scope), number(16), number(16), number(use)}, type);
  }
  for (const std::string_view scalar : {"f16", "f32", "u32"}) {
    PlainType type = types_[find(scalar)];
    type.name += "coopnv";
    type.form = Form::CooperativeNv;
    declare(Op::OpTypeCooperativeMatrixNV, {types_[type.component].id, number(scope), number(16), number(16)}, type);
  }
}

// Structures for results in two parts; arrays that rows name, and arrays that differ from them in one respect.
void Universe::declare_aggregates() {
  struct StructureRow {
    std::string_view first, second;
  };
  for (const StructureRow& row : {StructureRow{"f32", "f32"},
                                  {"f32", "i32"},
                                  {"f32v2", "f32v2"},
                                  {"f32v3", "u32v3"},
                                  {"f16", "f16"},
                                  {"f64", "i32"},
                                  {"u32", "u32"}}) {
    if (find(row.second) == PlainType::none) continue;
    declare(Op::OpTypeStruct, {types_[find(row.first)].id, types_[find(row.second)].id},
            {.name = "s_" + std::string(row.first) + "_" + std::string(row.second), .form = Form::Structure});
  }
  struct ArrayRow {
    std::string_view element;
    Word length;
  };
  const auto declare_array = [&](std::string_view element, Word length, Word length_id) {
    const PlainType& of = types_[find(element)];
    declare(Op::OpTypeArray, {of.id, length_id},
            {.name = std::string(element) + "[" + number_text(length) + "]",
             .form = Form::Array,
             .scalar = of.scalar,
             .width = of.width,
             .count = of.count,
             .parts = length});
  };
  for (const ArrayRow& row : {ArrayRow{"f32v3", 2},
                              {"f32v3", 3},
                              {"f32", 2},
                              {"f32", 3},
                              {"u32", 2},
                              {"f16v3", 3},
                              {"f32v2", 2},
                              {"f64", 2}}) {
    declare_array(row.element, row.length, number(row.length));
  }
  // A specialization constant gives the length, which is recorded as 0.
  const Word length = next_id_++;
  append(globals_, Op::OpSpecConstant, {types_[find("u32")].id, length, 7});
  declare_array("f32v3", 0, length);
}

// Images that differ in the properties that queries check, and types without components.
void Universe::declare_opaque() {
  if (world_ == World::Kernel) {
    declare(Op::OpTypeNamedBarrier, {}, {.name = "barrier"});
    declare(Op::OpTypeEvent, {}, {.name = "event"});
    declare(Op::OpTypeImage, {void_type(), static_cast<Word>(Dim::Dim2D), 0, 0, 0, 0, 0, 0}, {.name = "image"});
    return;
  }
  const Word f32 = types_[find("f32")].id;
  constexpr Word depth = 0, arrayed = 0, multisampled = 0, sampled = 1, stored = 2;
  const auto dimension = static_cast<Word>(Dim::Dim2D);
  const std::size_t image =
      declare(Op::OpTypeImage, {f32, dimension, depth, arrayed, multisampled, sampled, 0}, {.name = "image"});
  declare(Op::OpTypeImage,
          {f32, dimension, depth, arrayed, multisampled, stored, static_cast<Word>(ImageFormat::Rgba32f)},
          {.name = "storage_image"});
  declare(Op::OpTypeImage, {f32, dimension, depth, arrayed, 1, sampled, 0}, {.name = "multisampled_image"});
  declare(Op::OpTypeImage, {f32, static_cast<Word>(Dim::TileImageDataEXT), depth, arrayed, multisampled, stored, 0},
          {.name = "tile_image"});
  declare(Op::OpTypeSampledImage, {types_[image].id}, {.name = "sampled_image"});
  declare(Op::OpTypeSampler, {}, {.name = "sampler"});
  declare(Op::OpTypeAccelerationStructureKHR, {}, {.name = "accel"});
  declare(Op::OpTypeRayQueryKHR, {}, {.name = "query"});
  declare(Op::OpTypeHitObjectNV, {}, {.name = "hitnv"});
  declare(Op::OpTypeHitObjectEXT, {}, {.name = "hitext"});
}

void Universe::point_to(std::size_t pointee, StorageClass storage) {
  declare(Op::OpTypePointer, {static_cast<Word>(storage), types_[pointee].id},
          {.name = types_[pointee].name + "*" + number_text(static_cast<unsigned>(storage)),
           .form = Form::Pointer,
           .pointee = pointee,
           .storage = storage});
}

// One storage class has pointers to all scalars and vectors; the others have those that rows and other checks need.
void Universe::declare_pointers() {
  const std::size_t count = types_.size();
  for (std::size_t t = 0; t < count; ++t) {
    if (types_[t].form == Form::Scalar || types_[t].form == Form::Vector) point_to(t, StorageClass::Workgroup);
  }
  for (const PointerRow& row : pointer_rows) {
    for (const std::string_view pointee : row.pointees) {
      // Storage classes of ray tracing and mesh shaders have large numbers and need shaders.
      const bool is_of_rays = row.storage >= StorageClass::CallableDataKHR && row.storage != StorageClass::Private;
      if (find(pointee) != PlainType::none && !(world_ == World::Kernel && is_of_rays))
        point_to(find(pointee), row.storage);
    }
  }
  for (const std::string_view loaded :
       {"image", "storage_image", "multisampled_image", "sampled_image", "sampler", "accel"}) {
    if (find(loaded) != PlainType::none) point_to(find(loaded), StorageClass::UniformConstant);
  }
  if (world_ == World::Kernel) return;
  point_to(find("tile_image"), StorageClass::TileImageEXT);
  declare(Op::OpTypeUntypedPointerKHR, {static_cast<Word>(StorageClass::Workgroup)},
          {.name = "untyped*", .form = Form::UntypedPointer, .storage = StorageClass::Workgroup});
}

// Plain values come first, then constants and variables, so that the first match is the most general value.
void Universe::declare_values() {
  const std::size_t count = types_.size();
  // Values that cannot be constants are loaded. There are no values of type void and of types that are used only
  // through pointers.
  const auto is_loaded = [&](std::size_t t) {
    const Op op = types_[t].declared_by;
    return op == Op::OpTypeImage || op == Op::OpTypeSampledImage || op == Op::OpTypeSampler ||
           op == Op::OpTypeAccelerationStructureKHR;
  };
  const auto is_valueless = [&](std::size_t t) {
    const Op op = types_[t].declared_by;
    return op == Op::OpTypeVoid || op == Op::OpTypeRayQueryKHR || op == Op::OpTypeHitObjectNV ||
           op == Op::OpTypeHitObjectEXT;
  };
  for (std::size_t t = 0; t < count; ++t) {
    if (!is_loaded(t) && !is_valueless(t)) value(Op::OpUndef, t, {}, Source::Plain, globals_);
  }
  // Constants are 1, which is valid as a scope, exponent or stream.
  for (std::size_t t = 0; t < count; ++t) {
    const PlainType& type = types_[t];
    const bool is_int = type.scalar == Scalar::Signed || type.scalar == Scalar::Unsigned;
    if (type.form == Form::Scalar && is_int) {
      const std::vector<Word> one = type.width == 64 ? std::vector<Word>{1, 0} : std::vector<Word>{1};
      value(Op::OpConstant, t, one, Source::Constant, globals_);
      if (type.name == "u32") value(Op::OpSpecConstant, t, one, Source::Constant, globals_);
    } else if (type.form == Form::Scalar || type.form == Form::Vector) {
      value(Op::OpConstantNull, t, {}, Source::Constant, globals_);
    }
  }
  for (std::size_t t = 0; t < count; ++t) {
    const PlainType type = types_[t];
    if (type.form != Form::Pointer) continue;
    const Word variable = value(Op::OpVariable, t, {static_cast<Word>(type.storage)}, Source::Variable,
                                type.storage == StorageClass::Function ? locals_ : globals_);
    if (is_loaded(type.pointee)) value(Op::OpLoad, type.pointee, {variable}, Source::Plain, locals_);
  }
}

// Pointers that are a parameter or a part of a variable. Returns the type of the parameter.
Word Universe::declare_parameter() {
  const auto pointer_of = [&](StorageClass storage) {
    return find("query*" + number_text(static_cast<unsigned>(storage)));
  };
  const std::size_t given = pointer_of(StorageClass::Function);
  value(Op::OpFunctionParameter, given, {}, Source::Parameter, parameters_);
  const Word array = next_id_++, to_array = next_id_++, queries = next_id_++;
  constexpr auto storage = static_cast<Word>(StorageClass::Private);
  append(globals_, Op::OpTypeArray, {array, types_[find("query")].id, number(2)});
  append(globals_, Op::OpTypePointer, {to_array, storage, array});
  append(globals_, Op::OpVariable, {to_array, queries, storage});
  value(Op::OpAccessChain, pointer_of(StorageClass::Private), {queries, number(1)}, Source::Part, locals_);
  return types_[given].id;
}

}  // namespace vireo::spirv::test
