// SPDX-License-Identifier: Apache-2.0
//
// GLSL.std.450 and OpenCL.std beyond typing rows: pointers to memory, and structure results.
//
// An instruction with a pointer has a row. The row states the pointer operand, its storage classes, its
// pointee, and the operands for an offset and a component count. Only a few instructions have their own code.
//
// Sources: "SPIR-V Extended Instructions for GLSL", section 2; "OpenCL Extended Instruction Set Specification", section
// 2.
#include "spirv/validate/checks/extended_sets/ext_inst_checks.h"
#include "spirv/validate/analysis/type_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "spirv/validate/checks/device/device_limits.h"
#include "spirv/validate/checks/extended_sets/amd_sets.h"
#include "spirv/validate/checks/extended_sets/undefined_functions.h"
#include "spirv/validate/checks/memory/memory_access.h"
#include "spirv/validate/tables/typing.h"
#include "vireo/spirv/binary/views/memory.h"
#include "vireo/spirv/binary/views/sets/glsl_std_450.h"
#include "vireo/spirv/binary/views/sets/nonsemantic_debugprintf.h"
#include "vireo/spirv/binary/views/sets/opencl_std.h"

namespace vireo::spirv {
namespace {

using GL = GLSL_std_450;
using CL = OpenCL_std;

// --- pointers of OpenCL.std ---------------------------------------------------------------------------------------------

/// How an instruction uses memory, which determines the allowed storage classes.
enum class PointerUse : std::uint8_t { Read, Written, Prefetched, Format };

/// The required pointee type.
enum class Pointee : std::uint8_t {
  AsRow,      ///< the typing row checks it
  Result,     ///< the component type of the result
  Data,       ///< the component type of the data to store
  Half,       ///< a 16-bit float
  Character,  ///< an 8-bit integer
  Number,     ///< integers or floats, scalar or vector
};

struct MemoryRow {
  // Value of `offset` and `components` if the instruction has no such operand.
  static constexpr std::uint8_t none = 0xFF;
  CL inst;
  std::uint8_t pointer;  ///< operand index, from 0
  PointerUse use;
  Pointee pointee = Pointee::AsRow;
  std::uint8_t offset = none;      ///< operand index; offsets are as wide as addresses and need physical addressing
  std::uint8_t components = none;  ///< operand index of the literal component count
};

// clang-format off
// Columns: instruction, pointer, use, pointee, offset, literal count. Operand indexes start at 0 after the instruction
// number.
constexpr MemoryRow memory_rows[] = {
    {CL::fract,           1, PointerUse::Written},
    {CL::modf,            1, PointerUse::Written},
    {CL::sincos,          1, PointerUse::Written},
    {CL::frexp,           1, PointerUse::Written},
    {CL::lgamma_r,        1, PointerUse::Written},
    {CL::remquo,          2, PointerUse::Written},
    {CL::vloadn,          1, PointerUse::Read,       Pointee::Result,    0, 2},
    {CL::vload_half,      1, PointerUse::Read,       Pointee::Half,      0},
    {CL::vload_halfn,     1, PointerUse::Read,       Pointee::Half,      0, 2},
    {CL::vloada_halfn,    1, PointerUse::Read,       Pointee::Half,      0, 2},
    {CL::vstoren,         2, PointerUse::Written,    Pointee::Data,      1},
    {CL::vstore_half,     2, PointerUse::Written,    Pointee::Half,      1},
    {CL::vstore_half_r,   2, PointerUse::Written,    Pointee::Half,      1},
    {CL::vstore_halfn,    2, PointerUse::Written,    Pointee::Half,      1},
    {CL::vstore_halfn_r,  2, PointerUse::Written,    Pointee::Half,      1},
    {CL::vstorea_halfn,   2, PointerUse::Written,    Pointee::Half,      1},
    {CL::vstorea_halfn_r, 2, PointerUse::Written,    Pointee::Half,      1},
    {CL::printf,          0, PointerUse::Format,     Pointee::Character},
    {CL::prefetch,        0, PointerUse::Prefetched, Pointee::Number,    1},
};
// clang-format on

bool may_use(const ModuleCheck& c, PointerUse use, StorageClass storage) {
  // Kernels may write these classes and also read UniformConstant. A format string is constant, since it is read when
  // the program is built.
  const bool is_memory = storage == StorageClass::Generic || storage == StorageClass::CrossWorkgroup ||
                         storage == StorageClass::Workgroup || storage == StorageClass::Function;
  switch (use) {
    case PointerUse::Read: return is_memory || storage == StorageClass::UniformConstant;
    case PointerUse::Written: return is_memory;
    case PointerUse::Prefetched: return storage == StorageClass::CrossWorkgroup;
    case PointerUse::Format:
      return storage == StorageClass::UniformConstant ||
             (is_memory && c.module_declarations.has_extension("SPV_EXT_relaxed_printf_string_address_space"));
  }
  return true;
}

std::string_view storage_text(PointerUse use) {
  switch (use) {
    case PointerUse::Read: return "UniformConstant, Generic, CrossWorkgroup, Workgroup or Function";
    case PointerUse::Written: return "Generic, CrossWorkgroup, Workgroup or Function";
    case PointerUse::Prefetched: return "CrossWorkgroup";
    case PointerUse::Format: return "UniformConstant";
  }
  return "";
}

/// The component type of a type; nullptr if it has none.
const TypeRow* component_of(const ModuleCheck& c, Word type) {
  const TypeRow* row = c.types.find(type);
  return row == nullptr || row->component_row.is_none() ? nullptr : &row->component();
}

// Whether a type is the 16-bit float of IEEE 754; bfloat16 is not.
bool is_half(const TypeRow& type) {
  return type.is(TypeKind::Float) && type.width == 16 && type.encoding == TypeRow::no_encoding;
}

// The typing row checks that the operand is a pointer. This function compares the pointee of a typed pointer with the
// loaded or stored value (SPV_KHR_untyped_pointers, "Modifications to the OpenCL.std extended instruction set").
void check_pointee(const ExtInstCheck& c, const MemoryRow& row, const TypeRow& pointer) {
  if (!pointer.is(TypeKind::Pointer)) return;
  const AnyOperand operand = c.operand(row.pointer);
  const TypeRow& pointee = pointer.element_type();
  const Word holder = row.pointee == Pointee::Result ? c.type : c.module.type_of(c.as<CL::vstoren>().data());
  switch (row.pointee) {
    case Pointee::AsRow: return;
    case Pointee::Half:
      if (!is_half(pointee)) c.wrong_operand(operand, "the pointer", "a pointer to 16-bit floats");
      return;
    case Pointee::Character:
      if (!pointee.is_int(8)) c.wrong_operand(operand, "the format", "a pointer to 8-bit integers");
      return;
    case Pointee::Number: {
      const TypeRow& scalar = pointee.component();
      const bool is_number = scalar.is(TypeKind::Int) || scalar.is(TypeKind::Float);
      if ((!pointee.is_scalar() && !pointee.is_vector()) || !is_number) {
        c.wrong_operand(operand, "the pointer", "a pointer to a numerical scalar or vector");
      }
      return;
    }
    case Pointee::Result:
    case Pointee::Data: {
      const TypeRow* component = component_of(c, holder);
      if (component == nullptr || component->id == pointee.id) return;
      c.mismatch(operand, "the pointer",
                 row.pointee == Pointee::Result ? "a pointer to the component type of the result"
                                                : "a pointer to the component type of the stored value",
                 holder);
      return;
    }
  }
}

// An offset is added to an address, so it needs physical addressing and is as wide as an address (size_t of OpenCL C).
void check_offset(const ExtInstCheck& c, AnyOperand offset) {
  const auto model = c.module_declarations.addressing_model();
  if (!model) return;  // check_layout reports a missing memory model
  if (model != AddressingModel::Physical32 && model != AddressingModel::Physical64) {
    c.report_once(Rule::PhysicalAddressing, c.at_number(), "the model", {c.name()});
    return;
  }
  const std::uint32_t width = model == AddressingModel::Physical32 ? 32 : 64;
  const TypeRow& type = c.type_of(offset);
  if (!type.is(TypeKind::Int) || type.width == width) return;
  c.wrong_operand(offset, "the offset", fmt::format("a {}-bit integer scalar, as wide as addresses", width));
}

void check_memory_of(const ExtInstCheck& c, const MemoryRow& row) {
  const TypeRow& pointer = c.type_of(c.operand(row.pointer));
  // The typing row reports other types. Only typed pointers are prefetched; others have OpUntypedPrefetchKHR.
  if (!pointer.is_pointer() || (row.use == PointerUse::Prefetched && !pointer.is(TypeKind::Pointer))) return;
  if (!may_use(c, row.use, pointer.storage)) {
    c.report(Rule::ExtInstStorageClass, c.at(c.operand(row.pointer)),
             {c.name(), pointer.storage, storage_text(row.use)});
  }
  check_pointee(c, row, pointer);
  // A prefetch does not access memory.
  if (row.use != PointerUse::Prefetched) check_null_access(c, c.operand(row.pointer));
  if (row.offset != MemoryRow::none) check_offset(c, c.operand(row.offset));
  const TypeRow& result = c.types.of(c.type);
  if (row.components == MemoryRow::none || !result.is_vector() || result.count == 0) return;
  const AnyOperand components = c.operand(row.components);
  if (components == result.count) return;
  c.report(Rule::VectorLoadCount, c.at(components), {c.name(), components, result.count});
}

// The vectors of shuffle and shuffle2 have 2, 4, 8 or 16 components, never three.
void check_shuffle(const ExtInstCheck& c) {
  const auto x = c.as<CL::shuffle>().x();  // shuffle2 has its first vector at the same index
  const TypeRow &result = c.types.of(c.type), &vector = c.type_of(x);
  constexpr std::string_view expected = "a vector of 2, 4, 8 or 16 components";
  if (result.is_vector() && result.count == 3) c.wrong_result(expected);
  else if (vector.is_vector() && vector.count == 3) c.wrong_operand(x, "the vector", expected);
}

void check_opencl(const ExtInstCheck& c) {
  const CL inst{c.inst.number};
  // A linear search is fast enough for fewer than twenty rows.
  const auto row = std::ranges::find(memory_rows, inst, &MemoryRow::inst);
  if (row != std::end(memory_rows)) check_memory_of(c, *row);
  if (inst == CL::shuffle || inst == CL::shuffle2) check_shuffle(c);
  check_domain(c);
}

// --- GLSL.std.450 -------------------------------------------------------------------------------------------------------

// Determinant and MatrixInverse need a square matrix; the typing row only requires a matrix.
void check_square(const ExtInstCheck& c) {
  const auto x = c.as<GL::Determinant>().x();  // MatrixInverse has the same operand
  const TypeRow& matrix = c.type_of(x);
  if (!matrix.is(TypeKind::Matrix)) return;
  const Shape shape = c.types.shape(matrix);
  if (shape.rows == shape.columns) return;
  c.wrong_operand(x, "the matrix", "a square matrix");
}

// Checks ModfStruct and FrexpStruct, whose result is a structure of two members.
void check_parts(const ExtInstCheck& c) {
  const Types& types = c.types;
  const auto x = c.as<GL::ModfStruct>().x();  // FrexpStruct has the same operand
  const TypeRow &result = types.of(c.type), &operand = c.type_of(x);
  if (!result.is(TypeKind::Struct)) return;
  // ModfStruct and FrexpStruct return both parts in a structure, unlike Modf and Frexp, which write one through a
  // pointer.
  const bool has_exponent = GL{c.inst.number} == GL::FrexpStruct;
  const Words members = types.members(result);
  const auto is_scalar_or_vector = [&](const TypeRow& type) {
    return type.is_scalar() || is_vector_of_any_count(c, type);
  };
  // Fraction and whole part have the same type id; an exponent has the shape of the first member.
  const auto is_second = [&](const TypeRow& second, const TypeRow& first) {
    if (!has_exponent) return second.id == first.id;
    const TypeRow& exponent = second.component();
    const bool may_be_short = c.module_declarations.has_extension("SPV_AMD_gpu_shader_int16");
    return (exponent.is_int(32) || (may_be_short && exponent.is_int(16))) && is_scalar_or_vector(second) &&
           have_same_count(c, second, first);
  };
  // If the structure is empty, id 0 yields no type, and the test of the size below fails.
  const TypeRow& first = types.of(members.empty() ? 0 : members[0]);
  const TypeRow& scalar = first.component();
  const bool is_float =
      scalar.is(TypeKind::Float) && scalar.encoding == TypeRow::no_encoding && is_scalar_or_vector(first);
  if (members.size() != 2 || !is_float || !is_second(types.of(members[1]), first)) {
    c.wrong_result(has_exponent ? "a structure of a float scalar or vector and as many 32-bit integers"
                                : "a structure of two members of the same float type");
  } else if (operand.id != first.id) {
    c.mismatch(x, "the operand", "the type of the result's first member", first.id);
  }
}

// The interpolant is a pointer to an input. Before legalization, HLSL compilers pass a loaded value.
void check_interpolation(const ExtInstCheck& c) {
  const auto interpolate = c.as<GL::InterpolateAtOffset>();  // all three have the interpolant at this position
  const auto interpolant = interpolate.interpolant();
  const auto load = as<Op::OpLoad>(c.module.find(interpolant));
  const bool is_loaded = load && c.has(Feature::BeforeHlslLegalization);
  const TypeRow* pointer = c.find_type_of(is_loaded ? load->pointer() : interpolant);
  if (pointer == nullptr) return;
  if (!pointer->is(TypeKind::Pointer)) {
    c.wrong_operand(interpolant, "the interpolant", "a pointer to an Input variable");
    return;
  }
  if (pointer->storage != StorageClass::Input) {
    c.report(Rule::ExtInstStorageClass, c.at(interpolant), {c.name(), pointer->storage, "Input"});
  }
  // The result type must be the pointee type of the interpolant.
  if (pointer->element != c.type) {
    c.mismatch(interpolant, "the interpolant", "a pointer to the result type", c.type);
  }
  // SPV_AMD_gpu_shader_half_float allows 16-bit floats.
  if (c.module_declarations.has_extension("SPV_AMD_gpu_shader_half_float")) return;
  const auto has_halves = [&](Word type) {
    const TypeRow* component = component_of(c, type);
    return component != nullptr && is_half(*component);
  };
  if (has_halves(c.type)) c.wrong_result("a 32-bit float scalar or vector");
  if (GL{c.inst.number} == GL::InterpolateAtOffset && has_halves(c.module.type_of(interpolate.offset()))) {
    c.wrong_operand(interpolate.offset(), "the offset", "a 2-component 32-bit float vector");
  }
}

// The typing rows and the domains alone check all other instructions.
void check_glsl(const ExtInstCheck& c) {
  check_domain(c);
  switch (GL{c.inst.number}) {
    case GL::Determinant:
    case GL::MatrixInverse: check_square(c); break;
    case GL::ModfStruct:
    case GL::FrexpStruct: check_parts(c); break;
    case GL::InterpolateAtCentroid:
    case GL::InterpolateAtSample: check_interpolation(c); break;
    case GL::InterpolateAtOffset:
      check_interpolation(c);
      check_interpolation_offset(c, c.as<GL::InterpolateAtOffset>().offset());
      break;
    case GL::IMix: c.report(Rule::Reserved, c.at_number(), {c.name()}); break;  // a reserved number
    case GL::Modf:
    case GL::Frexp: check_null_access(c, c.operand(1)); break;
    default: break;
  }
}

// --- all sets -----------------------------------------------------------------------------------------------------------

// Whether the result type of all instructions of the set must be void. KnownSet lists these sets last.
bool returns_void(KnownSet set) { return set >= KnownSet::Break; }

// The format is an OpString; the printed values may have any type.
void check_printf(const ExtInstCheck& c) {
  const auto format = c.as<NonSemantic_DebugPrintf::DebugPrintf>().format();
  const Op op = c.op_of(format);
  if (op == Op::OpString) return check_printf_arguments(c);
  c.report(Rule::NonSemanticOperand, c.at(format), {"the format", c.name(), thing_text(c, format), "an OpString"});
}

void check_void(const ExtInstCheck& c) {
  const TypeRow& type = c.types.of(c.type);
  if (type.is(TypeKind::Void)) return;
  c.report(Rule::NonSemanticResultType, c.at_type(), {c.name(), c.type});
}

// OpExtInstWithForwardRefsKHR is only for non-semantic instructions that have a forward reference; all others use
// OpExtInst. The set may be unknown: the operands of its instructions are ids. An instruction that names its own result
// has a forward reference, too.
void check_relaxed(const InstructionCheck& c) {
  if (c.op() != Op::OpExtInstWithForwardRefsKHR) return;
  const std::span<const Operand> operands = c.operands;
  const ExtInstRow* inst = c.decoded->ext_inst;
  const Place at_number = c.at(c.as<Op::OpExtInst>().instruction());
  const auto refuse = [&](std::string_view what) {
    c.report(Rule::ExtInstForwardReference, at_number,
             {inst == nullptr ? "the instruction" : c.grammar().text(inst->name), what});
    c.hint("use OpExtInst");
  };
  if (!is_non_semantic(c)) {
    refuse("is not a non-semantic instruction");
  } else if (std::none_of(operands.begin(), operands.end(), [&](const Operand& operand) {
               return operand.shape == OperandShape::IdRef && c.module.definition(c.view.word(operand.word)) >= c.index;
             })) {
    refuse("has no forward reference");
  }
}

// A semantic instruction must be in a block or in a graph. A non-semantic one may be outside functions, but not between
// the blocks of a function. If OpFunctionEnd is missing, later instructions appear to be in the function, so they are
// not reported.
void check_in_block(const InstructionCheck& c, KnownSet set) {
  // Older debug information is allowed wherever declarations are, although its set name does not start with
  // "NonSemantic.".
  if (set == KnownSet::PlainDebug || set == KnownSet::OpenClDebug) return;
  const bool is_in_block = !c.block.is_none() && c.flow->block(c.block).all.contains(c.index);
  if (is_in_block) return;
  const bool is_open = is_non_semantic(c) ? c.function.is_none() || c.fragments.may_lack_body(c.function)
                                          : c.module.section(Section::Graphs).contains(c.index);
  if (!is_open) c.report(Rule::OutsideOfBlock, c.at(), {c.name()});
}

}  // namespace

ExtInstChecks::ExtInstChecks(const ModuleCheck& c) : c_(c), described_(c) {
  for (const ImportRow& import : c.module_declarations.imports()) sets_.push_back(named_set(import.name));
}

void ExtInstChecks::run(const InstructionCheck& c) const {
  if (!is_extended(c.op())) return;
  const ImportRow* import = import_of(c_, c.view);
  const ExtInstRow* inst = c.decoded->ext_inst;
  if (import == nullptr) return;
  // sets_ is in the order of the imports, so both have the same index.
  const NamedSet set = sets_[static_cast<std::size_t>(import - c_.module_declarations.imports().data())];
  // The allowed positions differ between the instructions of this set; debug_info.cpp checks them.
  if (set.set != KnownSet::ShaderDebug) check_in_block(c, set.set);
  check_relaxed(c);
  if (inst == nullptr) return;
  const ExtInstCheck ext(c, set, *inst);
  if (returns_void(set.set)) check_void(ext);
  switch (set.set) {
    case KnownSet::Glsl: check_glsl(ext); break;
    case KnownSet::OpenCl: check_opencl(ext); break;
    case KnownSet::Printf: check_printf(ext); break;
    case KnownSet::PlainDebug:
    case KnownSet::OpenClDebug:
    case KnownSet::ShaderDebug: check_debug_info(ext, described_); break;
    case KnownSet::GraphDebug: check_graph_debug_info(ext, described_); break;
    case KnownSet::Reflection: check_reflection(ext, described_); break;
    case KnownSet::Other: check_amd(ext); break;
    case KnownSet::Break: break;
  }
}

}  // namespace vireo::spirv
