// SPDX-License-Identifier: Apache-2.0
//
// Program: the code of one entry point, decoded once for execution.
//
// Each value of the module is a range of cells, one for each scalar in it: a vec3 has three, a structure those of its
// members in order. A cell is 64 bits for each lane: an integer or float zero-extended, a boolean as 0 or 1, a pointer
// as an object and an offset (memory/objects.h). A value has one definition, so an extracted part needs no code: it is
// a part of the range. Cells of constants and of module-scope values are common to all functions; the others belong to
// the frame of a call.
//
// A step is one operation on ranges of cells. The steps of a block end with its terminator; the moves of OpPhi belong
// to the edges. Blocks are in the structural order (module/control_flow.h): a machine that executes the lanes of the
// first waiting block reconverges at each merge block.
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "vireo/spirv/grammar/enums.h"
#include "vireo/spirv/module/module.h"
#include "vireo/spirv/module/types.h"
#include "vireo/support/number.h"

namespace vireo::spirv {

/// The first cell of a range. The highest bit is set for cells of the module, clear for cells of a frame.
struct CellRef {
  static constexpr std::uint32_t module_bit = 0x80000000;
  static constexpr std::uint32_t none = 0xFFFFFFFF;
  std::uint32_t raw = none;

  [[nodiscard]] constexpr bool is_none() const { return raw == none; }
  [[nodiscard]] constexpr bool is_of_module() const { return (raw & module_bit) != 0; }
  [[nodiscard]] constexpr std::uint32_t index() const { return raw & ~module_bit; }
  [[nodiscard]] constexpr CellRef plus(std::uint32_t cells) const { return {raw + cells}; }
};

/// The type of one scalar.
struct CellType {
  enum class Kind : std::uint8_t { Bool, Int, Float, Pointer, Opaque };
  Kind kind = Kind::Int;
  std::uint8_t width = 32;  ///< bits; Bool: 1
  FloatFormat format = FloatFormat::Single;
  bool is_signed = false;  ///< Int: how readers see it
};

/// The operation of a step. Most are opcodes of SPIR-V; those are named here that a machine treats specially.
struct Step {
  Op opcode = Op::OpNop;
  std::uint16_t operation = 0;  ///< the number of an extended instruction, or of a variant of the opcode
  std::uint8_t flags = 0;       ///< step_rows.h
  CellType type;                ///< of the cells that the operation computes with: of the first operand
  CellType result_type;
  std::uint32_t count = 1;  ///< cells of the result, or lanes of a vector operation
  CellRef result, a, b, c;
  std::uint32_t extra = 0;  ///< index into a table of the program; its meaning depends on the opcode
  InstructionIndex source;  ///< in the module
};

/// Copies of cells, all at once: no copy reads what another one wrote.
struct Move {
  CellRef to, from;
  std::uint32_t count = 1;
};

struct MoveList {
  std::uint32_t first = 0, count = 0;  // in Program::moves
  bool overlaps = false;               ///< whether a copy reads the target of another
};

/// A branch from one block to another.
struct Edge {
  std::uint32_t target = 0;  ///< position of the block in its function
  MoveList moves;
};

struct CodeBlock {
  std::uint32_t first_step = 0, step_count = 0;      // in Program::steps; the terminator is the last one
  std::uint32_t first_edge = 0, edge_count = 0;      // in Program::edges, in the order of the terminator's targets
  InstructionIndex loop = InstructionIndex::none();  // the OpLoopMerge of the header of a loop
  std::uint32_t first_case = 0;  // OpSwitch: in Program::cases, one literal for each edge but the first, ascending
};

struct CodeFunction {
  Word id = 0;
  std::uint32_t first_block = 0, block_count = 0;  // in Program::blocks, in structural order
  std::uint32_t cells = 0;                         ///< of a frame
  std::vector<CellRef> parameters;
  std::vector<std::uint32_t> variables;  ///< indexes into Program::variables, created at each call
};

/// The layout of a type in memory, as the scalars that it consists of. Padding belongs to none of them.
struct MemoryScalar {
  std::uint32_t offset = 0;  ///< bytes
  CellType type;
};
struct MemoryShape {
  std::vector<MemoryScalar> scalars;
  std::uint64_t size = 0;  ///< bytes
  std::uint32_t alignment = 1;
};

/// A variable of the module or of a function.
struct ProgramVariable {
  Word id = 0;
  StorageClass storage = StorageClass::Function;
  Word type = 0;             ///< of what it holds; of an array of descriptors what one holds
  bool is_explicit = false;  ///< whether the type has a layout of decorations
  std::uint64_t size = 0;    ///< bytes; of a buffer the least size
  CellRef pointer;           ///< the cell that holds its address
  CellRef initializer;       ///< none: there is none
  std::uint32_t initializer_shape = 0;
  std::uint32_t set = 0, binding = 0;
  bool has_binding = false;
  bool is_coherent = false;       ///< whether accesses are visible to other invocations without more
  bool is_read_only = false;      ///< a block of Uniform
  bool is_aliased = false;        ///< Workgroup: all such blocks share memory
  std::uint32_t descriptors = 1;  ///< of an array of descriptors: one object each, with consecutive numbers
};

/// A step of an access chain: adds `scale` times an index, or a constant offset; or selects a descriptor of an array.
struct ChainStep {
  CellRef index;  ///< none: `offset` alone
  std::uint8_t index_width = 32;
  bool selects_descriptor = false;
  std::uint16_t word = 0;  ///< of the index, in the instruction
  Word type = 0;           ///< of what is indexed
  std::uint64_t scale = 0;
  std::uint64_t offset = 0;
  std::uint64_t limit = 0;  ///< number of elements; 0: unknown
};

/// A value that DebugPrintf prints.
struct PrintArgument {
  CellRef cells;
  CellType type;
  std::uint32_t count = 1;
  std::uint16_t word = 0;  ///< of the operand
};
/// A call of DebugPrintf; its step has the opcode OpString.
struct PrintRow {
  Word id = 0;  ///< of the format
  std::string_view format;
  std::vector<PrintArgument> arguments;
};

/// The operands of an operation on an image, besides image, coordinate, and reference, component, texel or level.
struct ImageStep {
  ImageShape shape;
  std::uint32_t coordinates = 0, others = 0, offsets = 0;  ///< cells of the operands
  CellType coordinate_type, lod_type, min_lod_type;
  CellRef lod, min_lod, gradient_x, gradient_y, offset;
  bool is_sparse = false;
};

struct Program {
  std::vector<ImageStep> images;
  std::vector<PrintRow> prints;
  std::vector<CodeFunction> functions;
  std::vector<CodeBlock> blocks;
  std::vector<Step> steps;
  std::vector<Edge> edges;
  std::vector<std::uint64_t> cases;
  std::vector<Move> moves;
  std::vector<ChainStep> chains;
  std::vector<MemoryShape> shapes;
  std::vector<ProgramVariable> variables;
  bool has_descriptor_arrays = false;
  std::uint32_t module_cells = 0;
  std::uint64_t stack_cells = 0;  ///< of the deepest chain of calls
  std::vector<std::pair<std::uint32_t, std::uint32_t>>
      undefined_cells;                                             ///< of the module, and the index of the OpUndef
  std::vector<std::pair<std::uint32_t, std::uint64_t>> constants;  ///< values of cells of the module, for all lanes
  std::uint32_t entry = 0;                                         ///< index into functions
  std::uint32_t group_size[3] = {1, 1, 1};
};

}  // namespace vireo::spirv
