// SPDX-License-Identifier: Apache-2.0
//
// Short texts of types (specification 3.42.6, type-declaration instructions), in the notation of shading languages.
#include "spirv/binary/type_notation.h"

#include <algorithm>
#include <array>

#include "spirv/grammar/special_cases.h"
#include "vireo/spirv/grammar/enums.h"

namespace vireo::spirv {
namespace {

constexpr std::size_t max_levels = 8;  // nested arrays and pointers in one text
constexpr int max_function_depth = 2;  // nested function types

bool is_array(InstructionView type) { return type.opcode == Op::OpTypeArray || type.opcode == Op::OpTypeRuntimeArray; }
// A malformed OpTypePointer can have too few words.
bool is_pointer(InstructionView type) { return type.opcode == Op::OpTypePointer && type.word_count > 3; }

class TypeWriter {
 public:
  TypeWriter(std::string& out, const TypeSource& source, std::size_t limit)
      : out_(out), source_(source), limit_(limit) {}

  void type(Word id, int function_depth) {
    // A fixed array and a loop bound the stack use, however deeply a module nests arrays and pointers.
    std::array<InstructionView, max_levels> levels;  // outermost first
    std::size_t count = 0;
    InstructionView definition = source_.definition(id);
    while (count < max_levels && (is_array(definition) || is_pointer(definition))) {
      levels[count++] = definition;
      if (is_array(definition)) out_ += "array<";
      id = definition.word(is_array(definition) ? 2 : 3);
      definition = source_.definition(id);
    }
    if (is_array(definition) || is_pointer(definition)) out_ += "...";
    else plain(id, definition, function_depth);
    while (count > 0) {
      const InstructionView level = levels[--count];
      if (is_array(level)) end_array(level);
      else out_ += '*';
    }
  }

 private:
  [[nodiscard]] bool is_full() const { return out_.size() > limit_; }
  void number(std::uint64_t value) { out_ += std::to_string(value); }

  // If the length is a specialization constant, the text shows its id.
  void end_array(InstructionView array) {
    if (array.opcode == Op::OpTypeArray) {
      out_ += ", ";
      const std::optional<std::uint64_t> length = source_.length(array.word(3));
      out_ += length ? std::to_string(*length) : source_.id_text(array.word(3));
    }
    out_ += '>';
  }

  // "f32", "i8". The words can contain other widths, although no environment permits them: "i24", "f128".
  bool scalar(InstructionView definition) {
    switch (definition.opcode) {
      case Op::OpTypeVoid: out_ += "void"; return true;
      case Op::OpTypeBool: out_ += "bool"; return true;
      case Op::OpTypeInt:
        out_ += definition.word(3) != 0 ? 'i' : 'u';
        number(definition.word(2));
        return true;
      case Op::OpTypeFloat: {
        const std::string_view encoding = definition.word_count > 3 ? friendly_encoding_name(definition.word(3)) : "";
        if (!encoding.empty()) {
          out_ += encoding;
          return true;
        }
        out_ += 'f';
        number(definition.word(2));
        return true;
      }
      default: return false;
    }
  }

  // The prefix of "vec" and "mat", as in GLSL and GL_EXT_shader_explicit_arithmetic_types; nothing if the component
  // type has none.
  static std::optional<std::string> prefix_of(InstructionView component) {
    const Word width = component.word(2);
    const auto one_of = [&](auto... widths) { return ((width == widths) || ...); };
    switch (component.opcode) {
      case Op::OpTypeBool: return "b";
      case Op::OpTypeFloat:
        if (component.word_count > 3 || !one_of(16u, 32u, 64u))
          return std::nullopt;  // a float with an encoding is not an IEEE 754 float
        return width == 32 ? "" : width == 64 ? "d" : "f16";
      case Op::OpTypeInt: {
        if (!one_of(8u, 16u, 32u, 64u)) return std::nullopt;
        std::string letters(1, component.word(3) != 0 ? 'i' : 'u');
        return width == 32 ? letters : letters + std::to_string(width);
      }
      default: return std::nullopt;
    }
  }

  // Only malformed modules have components that are not scalars; the text shows the component's id.
  void vector(InstructionView vector) {
    const InstructionView component = source_.definition(vector.word(2));
    const std::optional<std::string> prefix = prefix_of(component);
    if (prefix) out_ += *prefix;
    out_ += "vec";
    number(vector.word(3));
    if (prefix) return;
    out_ += '<';
    if (!scalar(component)) out_ += source_.id_text(vector.word(2));
    out_ += '>';
  }

  // Columns by rows, as in GLSL: mat4x3 has four columns of vec3.
  void matrix(InstructionView matrix) {
    const InstructionView column = source_.definition(matrix.word(2));
    const Word columns = matrix.word(3);
    // Specification, OpTypeMatrix: the column type is a vector; its component count is the number of rows.
    const Word rows = column.opcode == Op::OpTypeVector ? column.word(3) : 0;
    const std::optional<std::string> prefix = rows == 0 ? std::nullopt : prefix_of(source_.definition(column.word(2)));
    if (!prefix) {
      out_ += "matrix of ";
      number(columns);
      out_ += " columns";
      return;
    }
    (out_ += *prefix) += "mat";
    number(columns);
    if (rows == columns) return;
    out_ += 'x';
    number(rows);
  }

  // GLSL's names: itexture2DMSArray, image3D, samplerCubeShadow, subpassInput.
  void image(InstructionView image, bool is_sampled_image) {
    // Indexed by Dim (specification 3, Dim). The last entry is SubpassData, whose name (subpassInput) has no suffix.
    constexpr std::string_view dimensions[] = {"1D", "2D", "3D", "Cube", "2DRect", "Buffer", ""};
    const Word dimension = image.word(3);
    const bool is_subpass = dimension == static_cast<Word>(Dim::SubpassData);
    const InstructionView texel = source_.definition(image.word(2));
    const bool is_number = texel.opcode == Op::OpTypeInt || texel.opcode == Op::OpTypeFloat;
    if (is_number) out_ += prefix_of(texel).value_or("");
    // Specification, OpTypeImage, operand Sampled: 2 means access without a sampler, as with an image in GLSL.
    const bool is_storage = image.word(7) == 2 || !is_number;  // in kernels, the sampled type is OpTypeVoid
    out_ += is_subpass ? "subpassInput" : is_sampled_image ? "sampler" : is_storage ? "image" : "texture";
    if (dimension < std::size(dimensions)) out_ += dimensions[dimension];
    if (image.word(6) != 0) out_ += "MS";
    if (image.word(5) != 0) out_ += "Array";
    // Depth is a property of sampling, so GLSL has a name for it only for combined image samplers.
    if (is_sampled_image && image.word(4) == 1) out_ += "Shadow";
  }

  void function(InstructionView function, int depth) {
    // A parameter can be a pointer to a function type (SPV_INTEL_function_pointers). A malformed function type can
    // contain itself.
    if (depth == max_function_depth) {
      out_ += "function";
      return;
    }
    type(function.word(2), depth + 1);
    out_ += " (";
    for (std::size_t i = 3; i < function.word_count && !is_full(); ++i) {
      if (i > 3) out_ += ", ";
      type(function.word(i), depth + 1);
    }
    out_ += ')';
  }

  // A type that is neither array nor pointer.
  void plain(Word id, InstructionView definition, int function_depth) {
    if (scalar(definition)) return;
    switch (definition.opcode) {
      case Op::OpTypeVector: return vector(definition);
      case Op::OpTypeMatrix: return matrix(definition);
      case Op::OpTypeImage: return image(definition, false);
      case Op::OpTypeSampledImage: {
        const InstructionView sampled = source_.definition(definition.word(2));
        if (sampled.opcode == Op::OpTypeImage) return image(sampled, true);
        break;
      }
      case Op::OpTypeSampler: out_ += "sampler"; return;
      case Op::OpTypeAccelerationStructureKHR: out_ += "accelerationStructure"; return;
      case Op::OpTypeRayQueryKHR: out_ += "rayQuery"; return;
      case Op::OpTypeFunction: return function(definition, function_depth);
      default: break;
    }
    out_ += source_.id_text(id);  // structures and rare types
  }

  std::string& out_;
  const TypeSource& source_;
  std::size_t limit_;
};

}  // namespace

void append_type(std::string& out, const TypeSource& source, Word type, std::size_t limit) {
  TypeWriter(out, source, limit).type(type, 0);
}

}  // namespace vireo::spirv
