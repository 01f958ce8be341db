// SPDX-License-Identifier: Apache-2.0
//
// QCOM image processing: types of operands. Textures and samplers must be constructed from decorated objects, which have
// no other uses (SPV_QCOM_image_processing, SPV_QCOM_image_processing2).
//
// A table lists the operands, and the decoration that each requires. The decorated object is anywhere on
// the chain from the variable to the operand; front ends decorate the pointer to an element of an array. Two checks use
// the table: from the instruction back to the object, and from the object forward to its uses. Types depend on operand
// names only.
#include <algorithm>
#include <cstdint>
#include <iterator>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "spirv/binary/access_chain.h"
#include "spirv/validate/analysis/decoration_places.h"
#include "spirv/validate/analysis/extended_sets.h"
#include "spirv/validate/analysis/fixes.h"
#include "spirv/validate/analysis/pointers.h"
#include "spirv/validate/checks/checks.h"
#include "spirv/validate/checks/images/images.h"
#include "vireo/spirv/binary/views/composite.h"
#include "vireo/spirv/binary/views/function.h"
#include "vireo/spirv/binary/views/image.h"
#include "vireo/spirv/binary/views/memory.h"
#include "vireo/spirv/module/call_graph.h"

namespace vireo::spirv {
namespace {

using enum Op;

struct TextureOperand {
  Op opcode;
  OperandName name;
  Decoration texture;
  bool has_sampler;  ///< the sampler needs BlockMatchSamplerQCOM
};
constexpr Decoration block = Decoration::BlockMatchTextureQCOM;
constexpr auto target = OperandName::target, reference = OperandName::reference;
// Operand names of instructions that take sampled images.
constexpr auto sampled_target = OperandName::target_sampled_image;
constexpr auto sampled_reference = OperandName::reference_sampled_image;
constexpr TextureOperand operands[] = {
    {OpImageSampleWeightedQCOM, OperandName::weights, Decoration::WeightTextureQCOM, false},
    {OpImageBlockMatchSSDQCOM, target, block, false},
    {OpImageBlockMatchSSDQCOM, reference, block, false},
    {OpImageBlockMatchSADQCOM, target, block, false},
    {OpImageBlockMatchSADQCOM, reference, block, false},
    {OpImageBlockMatchGatherSSDQCOM, sampled_target, block, false},
    {OpImageBlockMatchGatherSSDQCOM, sampled_reference, block, false},
    {OpImageBlockMatchGatherSADQCOM, sampled_target, block, false},
    {OpImageBlockMatchGatherSADQCOM, sampled_reference, block, false},
    {OpImageBlockMatchWindowSSDQCOM, sampled_target, block, true},
    {OpImageBlockMatchWindowSSDQCOM, sampled_reference, block, true},
    {OpImageBlockMatchWindowSADQCOM, sampled_target, block, true},
    {OpImageBlockMatchWindowSADQCOM, sampled_reference, block, true},
};

// --- types of operands --------------------------------------------------------------------------------------------------

constexpr OperandName textures[] = {OperandName::texture, OperandName::weights, target, reference,
                                    sampled_target,       sampled_reference};

struct VectorOperand {
  OperandName name;
  std::string_view text;
  bool is_float;  ///< floats, or unsigned integers
};
constexpr VectorOperand vectors[] = {
    {OperandName::coordinates, "the coordinates", true},
    {OperandName::box_size, "the box size", true},
    {OperandName::target_coordinates, "the target coordinates", false},
    {OperandName::reference_coordinates, "the reference coordinates", false},
    {OperandName::block_size, "the block size", false},
};

// The image types that Vulkan requires, apart from the number of samples.
struct ShapeRow {
  OperandName name;
  Word arrayed;
  std::uint16_t vuid;
};
constexpr ShapeRow shapes[] = {
    {OperandName::weights, 1, 6980}, {target, 0, 6983}, {reference, 0, 6983}, {sampled_target, 0, 9220},
    {sampled_reference, 0, 9220},
};

void check_types(const InstructionCheck& c) {
  for (const OperandName name : textures) {
    const AnyOperand texture = c.operand(name);
    if (texture.id == 0) continue;
    const TypeRow& type = c.type_of(texture);
    const TypeRow& image = type.is(TypeKind::SampledImage) ? type.element_type() : type;
    if (!image.is(TypeKind::Image) || c.types.image(image).multisampled == 0) continue;
    c.report(Rule::ImageSamples, c.at(texture),
             {c.op(), "single-sampled image (MS 0)", c.types.image(image).multisampled});
    note_image_type(c, image, OperandName::ms);
  }
  for (const ShapeRow& row : shapes) {
    const AnyOperand texture = c.operand(row.name);
    if (!c.is_vulkan() || texture.id == 0) continue;
    const TypeRow& type = c.type_of(texture);
    const TypeRow& image = type.is(TypeKind::SampledImage) ? type.element_type() : type;
    const ImageShape shape = c.types.image(image);
    if (!image.is(TypeKind::Image) ||
        (shape.dim == Dim::Dim2D && shape.depth == 0 && shape.arrayed == row.arrayed && shape.sampled == 1))
      continue;
    c.report(Rule::ImageProcessingShape, c.at(texture), {texture, c.op(), image, row.arrayed});
    c.vuid(row.vuid);
  }
  for (const VectorOperand& row : vectors) {
    const AnyOperand vector = c.operand(row.name);
    if (vector.id == 0) continue;
    const TypeRow& type = c.type_of(vector);
    const TypeRow& scalar = type.component();
    const bool is_fine = row.is_float ? scalar.is(TypeKind::Float) : scalar.is(TypeKind::Int) && !scalar.is_signed;
    if (type.is(TypeKind::Vector) && type.count == 2 && is_fine) continue;
    c.wrong_operand(vector, row.text, row.is_float ? "a vector of two floats" : "a vector of two unsigned integers");
  }
}

// --- links between objects ----------------------------------------------------------------------------------------------

// The part of a sampled image that a decoration is about.
enum class Part : std::uint8_t { Texture, Sampler };
constexpr Part part_of(Decoration decoration) {
  return decoration == Decoration::BlockMatchSamplerQCOM ? Part::Sampler : Part::Texture;
}

// The id that the result of an instruction is constructed from: a pointer into an array, a loaded object, a part of a
// combined object. 0 if the result is not constructed from another object.
Word source_of(InstructionView view, Part part) {
  if (const auto load = as<OpLoad>(view)) return load->pointer();
  if (const auto combined = as<OpSampledImage>(view)) {
    return part == Part::Sampler ? Word{combined->sampler()} : Word{combined->image()};
  }
  if (const auto image = as<OpImage>(view)) return part == Part::Texture ? Word{image->sampled_image()} : 0;
  if (const auto copy = as<OpCopyObject>(view)) return copy->operand();
  if (const auto copy = as<OpCopyLogical>(view)) return copy->operand();
  if (const auto extract = as<OpCompositeExtract>(view)) return extract->composite();
  if (const auto chain = as<OpRawAccessChainNV>(view)) return chain->base();
  const auto chain = access_chain(view);
  return chain ? Word{chain->base} : Word{0};
}

// The parameters of a function, in order.
std::vector<Word> parameters_of(const ModuleCheck& c, const FunctionRow& function) {
  std::vector<Word> ids;
  for (const InstructionView view : c.module.views(function.prologue)) {
    if (const auto parameter = as<OpFunctionParameter>(view)) ids.push_back(parameter->result());
  }
  return ids;
}

// --- from the instruction back to the decorated object ------------------------------------------------------------------

// Any object of the chain may have the decoration: the variable, a pointer to an element, the loaded object. A
// parameter of a function stands for the arguments of all calls.
class SourceSearch {
 public:
  SourceSearch(const ModuleCheck& c, Decoration decoration) : c_(c), decoration_(decoration) {}

  // Returns the first id that lacks the decoration on its whole chain, or 0. It is the pointer of the load, if there is
  // one. If the work budget is exceeded, the ids that remain count as decorated.
  Word find_undecorated(Word id) {
    pending_.push_back(id);
    while (!pending_.empty()) {
      const Word start = pending_.back();
      pending_.pop_back();
      if (const Word found = follow(start)) return found;
    }
    return 0;
  }

 private:
  Word follow(Word id) {
    Word loaded_from = 0;
    for (;;) {
      if (!c_.budget.spend()) return 0;
      if (c_.decorations.has(id, decoration_)) return 0;
      const InstructionIndex at = c_.module.definition(id);
      if (at.is_none()) return 0;  // an undefined id has its own finding
      const InstructionView view = c_.module.instruction(at);
      const Word source = source_of(view, part_of(decoration_));
      // A definition that is missing or does not precede its use is reported elsewhere. Here it could form a cycle.
      if (source != 0 && c_.module.definition(source) >= at) return 0;
      if (source == 0) {
        if (view.opcode == OpFunctionParameter && add_arguments(at, id)) return 0;
        return loaded_from != 0 ? loaded_from : id;
      }
      if (view.opcode == OpLoad) loaded_from = source;
      id = source;
    }
  }

  // Adds the arguments of the calls. Returns false if nothing calls the function.
  bool add_arguments(InstructionIndex at, Word parameter) {
    const FunctionIndex function = c_.module.function_at(at);
    if (function.is_none()) return false;
    const auto parameters = parameters_of(c_, c_.module.functions()[function.index()]);
    const auto number = static_cast<std::size_t>(std::ranges::find(parameters, parameter) - parameters.begin());
    bool is_called = false;
    for (const CallRow& row : c_.facts.call_graph().callers(function)) {
      const auto call = as<OpFunctionCall>(c_.module.instruction(row.instruction));
      if (!call || number >= call->arguments().size()) continue;
      is_called = true;
      const Word argument = call->arguments()[number];
      if (seen_.insert(argument).second) pending_.push_back(argument);
    }
    return is_called;
  }

  const ModuleCheck& c_;
  const Decoration decoration_;
  std::vector<Word> pending_;
  std::set<Word> seen_;  // arguments
};

// Reports each variable once, although several operands and instructions may use it.
void check_operand(const InstructionCheck& c, const TextureOperand& row) {
  const AnyOperand id = c.operand(row.name);
  const auto require = [&](std::string_view what, Decoration decoration) {
    const Word source = SourceSearch(c, decoration).find_undecorated(id);
    if (source == 0) return;
    const std::string name = enumerant_text(c, decoration);
    c.report_once(Rule::ImageTextureDecoration, c.at(id), name + id_text(c, origin_of(c, source)),
                  {what, id, c.op(), name});
    const bool is_sampled = row.name == sampled_target || row.name == sampled_reference;
    c.vuid(row.texture == Decoration::WeightTextureQCOM ? 6981 : is_sampled ? 9221 : 6984);
    c.findings.await_counterpart(missing_decoration(decoration, source));
    if (!c.type_of(source).is_pointer()) return;
    hint_decoration(c, decoration, source);
    note_pointer(c, source);
  };
  require("texture", row.texture);
  if (row.has_sampler) require("sampler", Decoration::BlockMatchSamplerQCOM);
}

// Instructions with a target and a reference texture have two rows.
void check_operands(const InstructionCheck& c) {
  check_types(c);
  for (const TextureOperand& row : operands) {
    if (row.opcode == c.op()) check_operand(c, row);
  }
}

// --- from the decorated object on to its uses ---------------------------------------------------------------------------

// Whether the table has a row for the used operand. Samplers with the decoration are used in all block matches.
bool is_processing(const Use& use, Op user, Decoration decoration) {
  return std::any_of(std::begin(operands), std::end(operands), [&](const TextureOperand& row) {
    return row.opcode == user && word_of(user, row.name) == use.word &&
           (decoration != Decoration::BlockMatchSamplerQCOM || row.texture == block);
  });
}

// Follows all objects that are constructed from decorated ones, and reports uses outside image processing.
class UseSearch {
 public:
  explicit UseSearch(const ModuleCheck& c) : c_(c) {}

  void run(const DecorationRow& row) {
    row_ = &row;
    if (row.decoration != decoration_) seen_.clear();
    decoration_ = row.decoration;
    push(row.target);
    while (!pending_.empty()) {
      const Word id = pending_.back();
      pending_.pop_back();
      for (const Use& use : c_.facts.uses().of(id)) {
        if (use.kind == UseKind::Operand) visit(id, use);
      }
    }
  }

 private:
  void push(Word id) {
    if (seen_.insert(id).second) pending_.push_back(id);
  }

  void visit(Word id, const Use& use) {
    const InstructionView user = c_.module.instruction(use.instruction);
    if (is_processing(use, user.opcode, decoration_)) return;
    if (const auto call = as<OpFunctionCall>(user)) {
      pass_argument(use.word - call->arguments().word(), call->function());
    } else if (source_of(user, part_of(decoration_)) == id) {
      push(c_.module.result_of(user));
    } else if (user.opcode == OpSampledImage) {
      // A sampler with the decoration of a texture, or the reverse: check_operand() reports the part that lacks it.
    } else if (!is_non_semantic(c_, user) && !is_older_debug_information(c_, user) &&
               reported_.emplace(use.instruction.raw, use.word).second) {
      // A decoration of another id is missing where it belongs.
      const bool is_misplaced = c_.types.find(row_->target) != nullptr;
      if (is_misplaced && c_.findings.join_counterpart({Report::DecorationFault::Wrong, decoration_, row_->target},
                                                       Rule::ImageTextureUse)) {
        c_.note({row_->instruction, 0}, "{enumerant} decorates {id}", {decoration_, row_->target});
        return;
      }
      c_.report(Rule::ImageTextureUse, {use.instruction, use.word}, {user.opcode, id, decoration_});
      c_.note({row_->instruction, 0}, "{id} decorated here", {row_->target});
    }
  }

  void pass_argument(std::size_t number, Word function) {
    const FunctionIndex callee = c_.module.function_of(function);
    if (callee.is_none()) return;
    const auto parameters = parameters_of(c_, c_.module.functions()[callee.index()]);
    if (number < parameters.size() && c_.budget.spend(parameters.size())) push(parameters[number]);
  }

  const ModuleCheck& c_;
  const DecorationRow* row_ = nullptr;
  Decoration decoration_{};
  std::vector<Word> pending_;
  std::set<Word> seen_;                                         // by the current decoration
  std::set<std::pair<std::uint32_t, std::uint16_t>> reported_;  // instructions and words
};

}  // namespace

std::span<const Check> image_processing_checks() {
  static constexpr Check checks[] = {
      {image_processing, check_operands},
  };
  return checks;
}

void check_image_processing(const ModuleCheck& c) {
  // Modules with these capabilities are rare.
  if (!c.has(Capability::TextureBlockMatchQCOM) && !c.has(Capability::TextureBlockMatch2QCOM) &&
      !c.has(Capability::TextureSampleWeightedQCOM)) {
    return;
  }
  UseSearch search(c);
  // One decoration after the other, so that each object is visited at most once for each of them.
  for (const Decoration decoration :
       {Decoration::WeightTextureQCOM, Decoration::BlockMatchTextureQCOM, Decoration::BlockMatchSamplerQCOM}) {
    for (const DecorationRow& row : c.decorations.rows()) {
      if (row.decoration == decoration && row.member == no_member) search.run(row);
    }
  }
}

}  // namespace vireo::spirv
