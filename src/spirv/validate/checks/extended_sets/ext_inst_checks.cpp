// SPDX-License-Identifier: Apache-2.0
//
// GLSL.std.450 and OpenCL.std beyond typing rows: memory that instructions point to, and results made of several parts.
//
// The one idea: an instruction with a pointer is a row that says where the pointer stands, in which storage classes it may
// be, what it points to, and where an offset and a number of components are. Only few instructions have code of their own.
//
// Sources: "SPIR-V Extended Instructions for GLSL", section 2; "OpenCL Extended Instruction Set Specification", section 2.
#include "spirv/validate/checks/extended_sets/ext_inst_checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "spirv/validate/engine/complaint.h"
#include "vireo/spirv/views/memory.h"
#include "vireo/spirv/views/sets/glsl_std_450.h"
#include "vireo/spirv/views/sets/nonsemantic_debugprintf.h"
#include "vireo/spirv/views/sets/opencl_std.h"

namespace vireo::spirv {
namespace {

using GL = GLSL_std_450;
using CL = OpenCL_std;

// --- pointers of OpenCL.std ---------------------------------------------------------------------------------------------

/// Storage classes that an instruction may point to.
enum class PointerUse : std::uint8_t { Read, Written, Prefetched, Format };

/// What has to be there.
enum class Pointee : std::uint8_t {
  AsRow,      ///< the typing row says it
  Result,     ///< the component type of the result
  Data,       ///< that of the data to store
  Half,       ///< a 16-bit float
  Character,  ///< an 8-bit integer
  Number,     ///< integers or floats, scalar or vector
};

struct MemoryRow {
  // For the last two columns: there is no such operand.
  static constexpr std::uint8_t none = 0xFF;
  CL inst;
  std::uint8_t pointer;  ///< operand, from 0
  PointerUse use;
  Pointee pointee = Pointee::AsRow;
  std::uint8_t offset = none;      ///< operand; offsets are as wide as addresses, and need such
  std::uint8_t components = none;  ///< operand: a literal
};

// clang-format off
// Columns: instruction, pointer, what may be pointed to, what is there, offset, literal count. Operands are counted
// from 0, behind the number of the instruction.
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

bool may_use(const Context& context, PointerUse use, StorageClass storage) {
  // What a kernel may write is any memory; what it only reads may be constant as well; a format is a constant, since it
  // is read when the program is built.
  const bool is_memory = storage == StorageClass::Generic || storage == StorageClass::CrossWorkgroup ||
                         storage == StorageClass::Workgroup || storage == StorageClass::Function;
  switch (use) {
    case PointerUse::Read: return is_memory || storage == StorageClass::UniformConstant;
    case PointerUse::Written: return is_memory;
    case PointerUse::Prefetched: return storage == StorageClass::CrossWorkgroup;
    case PointerUse::Format:
      return storage == StorageClass::UniformConstant ||
             (is_memory && context.preamble.has_extension("SPV_EXT_relaxed_printf_string_address_space"));
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

/// The component type of a value or a result; nullptr when it is not to be known.
const TypeRow* component_of(const Context& context, Word type) {
  const TypeRow* row = context.types.find(type);
  return row == nullptr || row->component.is_none() ? nullptr : &context.types.row(row->component);
}

// Of IEEE 754: bfloat16 has 16 bits too, and is no half.
bool is_half(const TypeRow& type) {
  return type.is(TypeKind::Float) && type.width == 16 && type.encoding == TypeRow::no_encoding;
}

// The typing row has said that it is a pointer; here it is compared with the value that is loaded or stored.
void check_pointee(const ExtVisit& ext, const MemoryRow& row, const TypeRow& pointer) {
  const Complaint complain{ext.context, ext.visit, ext.report};
  const AnyOperand operand = ext.operand(row.pointer);
  const TypeRow& pointee = ext.context.types.row(pointer.element_row);
  const Word holder =
      row.pointee == Pointee::Result ? ext.visit.type : ext.context.module.type_of(ext.as<CL::vstoren>().data());
  switch (row.pointee) {
    case Pointee::AsRow: return;
    case Pointee::Half:
      if (!is_half(pointee)) complain.operand(operand, "the pointer", "a pointer to 16-bit floats");
      return;
    case Pointee::Character:
      if (!pointee.is_int(8)) complain.operand(operand, "the format", "a pointer to 8-bit integers");
      return;
    case Pointee::Number: {
      const TypeRow& scalar = ext.context.types.row(pointee.component);
      const bool is_number = scalar.is(TypeKind::Int) || scalar.is(TypeKind::Float);
      if ((!pointee.is_scalar() && !pointee.is(TypeKind::Vector)) || !is_number) {
        complain.operand(operand, "the pointer", "a pointer to integers or floats, scalars or vectors");
      }
      return;
    }
    case Pointee::Result:
    case Pointee::Data: {
      const TypeRow* component = component_of(ext.context, holder);
      if (component == nullptr || component->id == pointee.id) return;
      complain.relation(operand, "the pointer", "a pointer to components of", holder);
      return;
    }
  }
}

// An offset is added to an address, so there have to be addresses, and it is as wide as they are (size_t of OpenCL C).
void check_offset(const ExtVisit& ext, AnyOperand offset) {
  const auto model = ext.context.preamble.addressing_model();
  if (!model) return;  // another check reports a module without a memory model
  if (model != AddressingModel::Physical32 && model != AddressingModel::Physical64) {
    ext.report.add_once(Rule::PhysicalAddressing, ext.at_number(), "the model", {ext.name()});
    return;
  }
  const std::uint32_t width = model == AddressingModel::Physical32 ? 32 : 64;
  const TypeRow* type = ext.context.type_of(offset);
  if (type == nullptr || !type->is(TypeKind::Int) || type->width == width) return;
  Complaint{ext.context, ext.visit, ext.report}.operand(offset, "the offset",
                                                        fmt::format("{}-bit integer scalar, as addresses are", width));
}

void check_memory_of(const ExtVisit& ext, const MemoryRow& row) {
  const TypeRow* pointer = ext.context.type_of(ext.operand(row.pointer));
  if (pointer == nullptr || !pointer->is(TypeKind::Pointer)) return;  // what it has to be, the typing row says
  if (!may_use(ext.context, row.use, pointer->storage)) {
    ext.report.add(Rule::ExtStorage, ext.visit.at(ext.operand(row.pointer)),
                   {ext.name(), enumerant_text(ext.context, pointer->storage), storage_text(row.use)});
  }
  check_pointee(ext, row, *pointer);
  if (row.offset != MemoryRow::none) check_offset(ext, ext.operand(row.offset));
  const TypeRow* result = ext.context.types.find(ext.visit.type);
  if (row.components == MemoryRow::none || result == nullptr || !result->is(TypeKind::Vector)) return;
  const AnyOperand components = ext.operand(row.components);
  if (components == result->count) return;
  ext.report.add(Rule::VectorLiteral, ext.visit.at(components),
                 {ext.name(), std::to_string(components), std::to_string(result->count)});
}

// Vectors of three cannot be shuffled: masks select by bits.
void check_shuffle(const ExtVisit& ext) {
  const Complaint complain{ext.context, ext.visit, ext.report};
  const auto x = ext.as<CL::shuffle>().x();  // shuffle2 has its first vector at the same place
  const TypeRow *result = ext.context.types.find(ext.visit.type), *vector = ext.context.type_of(x);
  constexpr std::string_view expected = "a vector of 2, 4, 8 or 16 components";
  if (result != nullptr && result->is(TypeKind::Vector) && result->count == 3) complain.result(expected);
  else if (vector != nullptr && vector->is(TypeKind::Vector) && vector->count == 3)
    complain.operand(x, "the vector", expected);
}

void check_opencl(const ExtVisit& ext) {
  const CL inst{ext.inst.number};
  // Under twenty rows; most instructions of the set are in none, and end here.
  const auto row = std::ranges::find(memory_rows, inst, &MemoryRow::inst);
  if (row != std::end(memory_rows)) check_memory_of(ext, *row);
  if (inst == CL::shuffle || inst == CL::shuffle2) check_shuffle(ext);
}

// --- GLSL.std.450 -------------------------------------------------------------------------------------------------------

// Only a square matrix has a determinant or an inverse; the typing row says no more than that it is a matrix.
void check_square(const ExtVisit& ext) {
  const auto x = ext.as<GL::Determinant>().x();  // MatrixInverse has the same operand
  const TypeRow* matrix = ext.context.type_of(x);
  if (matrix == nullptr || !matrix->is(TypeKind::Matrix)) return;
  const Shape shape = ext.context.types.shape(*matrix);
  if (shape.rows == shape.columns) return;
  Complaint{ext.context, ext.visit, ext.report}.operand(x, "the matrix", "a square matrix");
}

// The fraction and the whole part are of one type; an exponent is as many integers.
void check_parts(const ExtVisit& ext) {
  const Complaint complain{ext.context, ext.visit, ext.report};
  const Types& types = ext.context.types;
  const auto x = ext.as<GL::ModfStruct>().x();  // FrexpStruct has the same operand
  const TypeRow *result = types.find(ext.visit.type), *operand = ext.context.type_of(x);
  if (result == nullptr || !result->is(TypeKind::Struct) || operand == nullptr) return;
  // ModfStruct and FrexpStruct give both parts in a structure, in place of the older forms that wrote one through a
  // pointer.
  const bool has_exponent = GL{ext.inst.number} == GL::FrexpStruct;
  const Words members = types.members(*result);
  // Fraction and whole part have one type, so one id; an exponent has the shape of the first member.
  const auto is_second = [&](const TypeRow& second, const TypeRow& first) {
    if (!has_exponent) return second.id == first.id;
    const TypeRow& exponent = types.row(second.component);
    const bool may_be_short = ext.context.preamble.has_extension("SPV_AMD_gpu_shader_int16");
    return (exponent.is_int(32) || (may_be_short && exponent.is_int(16))) && second.is_scalar() == first.is_scalar() &&
           (second.is_scalar() || second.is(TypeKind::Vector)) && second.count == first.count;
  };
  // Id 0 is of no type: a structure without members fails the comparison of sizes below.
  const TypeRow& first = types.of(members.empty() ? 0 : members[0]);
  const TypeRow& scalar = types.row(first.component);
  const bool is_float = scalar.is(TypeKind::Float) && scalar.encoding == TypeRow::no_encoding &&
                        (first.is_scalar() || first.is(TypeKind::Vector));
  if (members.size() != 2 || !is_float || !is_second(types.of(members[1]), first)) {
    complain.result(has_exponent ? "a structure of floats and as many 32-bit integers" : "a structure of floats twice");
  } else if (operand->id != first.id) {
    complain.relation(x, "the operand", "the first member of the result", first.id);
  }
}

// What is interpolated is an input. Compilers of HLSL load it first, and leave it to legalization to take that away.
void check_interpolation(const ExtVisit& ext) {
  const Complaint complain{ext.context, ext.visit, ext.report};
  const Context& context = ext.context;
  const auto interpolate = ext.as<GL::InterpolateAtOffset>();  // the others have the same interpolant
  const auto interpolant = interpolate.interpolant();
  const auto load = as<Op::OpLoad>(context.module.find(interpolant));
  const bool is_loaded = load && context.has(Feature::BeforeHlslLegalization);
  const TypeRow* pointer = context.type_of(is_loaded ? load->pointer() : interpolant);
  if (pointer == nullptr) return;
  if (!pointer->is(TypeKind::Pointer)) {
    complain.operand(interpolant, "the interpolant", "a pointer to an input");
    return;
  }
  if (pointer->storage != StorageClass::Input) {
    ext.report.add(Rule::ExtStorage, ext.visit.at(interpolant),
                   {ext.name(), enumerant_text(context, pointer->storage), "Input"});
  }
  // The result is a value of what is interpolated, evaluated elsewhere.
  if (pointer->element != ext.visit.type) {
    complain.relation(interpolant, "the interpolant", "a pointer to", ext.visit.type);
  }
  // Halves are an extension's.
  if (context.preamble.has_extension("SPV_AMD_gpu_shader_half_float")) return;
  const auto has_halves = [&](Word type) {
    const TypeRow* component = component_of(context, type);
    return component != nullptr && is_half(*component);
  };
  if (has_halves(ext.visit.type)) complain.result("32-bit IEEE float scalar or vector");
  if (GL{ext.inst.number} == GL::InterpolateAtOffset && has_halves(context.module.type_of(interpolate.offset()))) {
    complain.operand(interpolate.offset(), "the offset", "2-component 32-bit IEEE float vector");
  }
}

// What is not named here is said in full by its typing row.
void check_glsl(const ExtVisit& ext) {
  switch (GL{ext.inst.number}) {
    case GL::Determinant:
    case GL::MatrixInverse: check_square(ext); break;
    case GL::ModfStruct:
    case GL::FrexpStruct: check_parts(ext); break;
    case GL::InterpolateAtCentroid:
    case GL::InterpolateAtSample:
    case GL::InterpolateAtOffset: check_interpolation(ext); break;
    case GL::IMix: ext.report.add(Rule::Reserved, ext.at_number(), {ext.name()}); break;  // has a number only
    default: break;
  }
}

// --- all sets -----------------------------------------------------------------------------------------------------------

// What describes gives no value. (That debugPrintf is void nobody demands, and nobody writes otherwise.)
// By the order of KnownSet: the sets that do something stand first.
bool describes(KnownSet set) { return set > KnownSet::Printf; }

// A format is a text of the module; what it prints is values of any type.
void check_printf(const ExtVisit& ext) {
  const auto format = ext.as<NonSemantic_DebugPrintf::DebugPrintf>().format();
  const Op op = ext.context.op_of(format);
  if (op == Op::OpString) return;
  ext.report.add(Rule::DescribingOperand, ext.visit.at(format),
                 {"the format", ext.name(), op_text(ext.context, op), "an OpString"});
}

void check_void(const ExtVisit& ext) {
  const TypeRow* type = ext.context.types.find(ext.visit.type);
  if (type == nullptr || type->is(TypeKind::Void)) return;
  ext.report.add(Rule::DescribingResult, ext.visit.at_type(), {ext.name(), type_text(ext.context, ext.visit.type)});
}

// The instruction with relaxed references is for those that need it.
// References ahead are for descriptions that name each other; who makes none uses OpExtInst.
void check_relaxed(const ExtVisit& ext) {
  if (ext.visit.op() != Op::OpExtInstWithForwardRefsKHR) return;
  const std::span<const Operand> operands = ext.visit.operands;
  if (!is_non_semantic(ext.context, ext.visit)) {
    ext.report.add(Rule::RelaxedForward, ext.at_number(), {ext.name(), "a non-semantic instruction"});
  } else if (std::none_of(operands.begin(), operands.end(), [&](const Operand& operand) {
               return operand.shape == OperandShape::IdRef &&
                      ext.context.module.definition(ext.visit.view.word(operand.word)) > ext.visit.index;
             })) {
    ext.report.add(Rule::RelaxedForward, ext.at_number(), {ext.name(), "an instruction that refers ahead"});
  }
}

// What works stands in a block, or in a graph; what describes may stand between functions, but not between their blocks.
// Where the end of a function is missing, what stands behind it stands in it; that was told.
void check_stands_in_block(const Context& context, const Visit& visit, KnownSet set, Report& report) {
  // Debug information of older sets stands where declarations do, though its set does not say so of itself.
  if (set == KnownSet::PlainDebug || set == KnownSet::OpenClDebug) return;
  const bool is_in_block = !visit.block.is_none() && visit.flow->block(visit.block).all.contains(visit.index);
  if (is_in_block) return;
  const bool is_open = is_non_semantic(context, visit)
                           ? visit.function.is_none() || context.fragments.may_lack_body(visit.function)
                           : context.module.section(Section::Graphs).contains(visit.index);
  if (!is_open) report.add(Rule::OutsideOfBlock, visit.at(), {instruction_text(context, visit)});
}

}  // namespace

ExtInstCheck::ExtInstCheck(const Context& context) : context_(context), described_(context) {
  for (const ImportRow& import : context.preamble.imports()) sets_.push_back(named_set(import.name));
}

void ExtInstCheck::run(const Visit& visit, Report& report) const {
  if (!is_extended(visit.op())) return;
  const ImportRow* import = import_of(context_, visit.view);
  const ExtInstRow* inst = visit.decoded->ext_inst;
  if (import == nullptr) return;
  // sets_ is in the order of the imports, so the row's place is the index.
  const NamedSet set = sets_[static_cast<std::size_t>(import - context_.preamble.imports().data())];
  // Where its instructions stand differs from one to the other, so that set says it for itself (debug_info.cpp).
  if (set.set != KnownSet::ShaderDebug) check_stands_in_block(context_, visit, set.set, report);
  if (inst == nullptr) return;
  const ExtVisit ext{context_, visit, report, set, *inst};
  check_relaxed(ext);
  if (describes(set.set)) check_void(ext);
  switch (set.set) {
    case KnownSet::Glsl: check_glsl(ext); break;
    case KnownSet::OpenCl: check_opencl(ext); break;
    case KnownSet::Printf: check_printf(ext); break;
    case KnownSet::PlainDebug:
    case KnownSet::OpenClDebug:
    case KnownSet::ShaderDebug: check_debug_info(ext, described_); break;
    case KnownSet::GraphDebug: check_graph_debug_info(ext, described_); break;
    case KnownSet::Reflection: check_reflection(ext, described_); break;
    case KnownSet::Other: break;
  }
}

}  // namespace vireo::spirv
