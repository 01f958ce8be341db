// SPDX-License-Identifier: Apache-2.0
//
// Random builder calls generated from bytes, for the property tests and the fuzzer.
//
// A table of calls, at least one for each section and each part of a function. One byte selects the call
// and further bytes its operands, from the results of earlier calls or occasionally as random ids. The module need not
// be valid but must have a valid layout.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "vireo/spirv/build/builder.h"

namespace vireo::spirv {

class RandomCalls {
 public:
  /// `bytes` are borrowed. After their end every choice is that of a zero byte.
  RandomCalls(Builder& builder, std::span<const std::uint8_t> bytes) : b_(builder), bytes_(bytes) {
    types_.push_back(b_.OpTypeVoid());
    types_.push_back(b_.OpTypeInt(32, 0));
    types_.push_back(b_.OpTypeBool());
    values_.push_back(constants_.emplace_back(b_.OpConstant(types_[1], 1)));
    strings_.push_back(b_.OpString("file"));
    functions_.push_back(b_.reserve<FunctionId>());
    labels_.push_back(b_.reserve<LabelId>());
  }

  /// Makes calls until the bytes end.
  void run() {
    while (!bytes_.empty()) call(next());
  }

  /// Ends the open block and function and defines the reserved ids, so that build() reports nothing.
  void finish() {
    if (b_.is_in_block()) b_.OpUnreachable();
    if (has_function_) b_.OpFunctionEnd();
    b_.giving(functions_[0]).OpFunction(types_[0], FunctionControl::None, b_.OpTypeFunction(types_[0]));
    b_.begin_block(labels_[0]);
    b_.OpReturn();
    b_.OpFunctionEnd();
    b_.OpMemoryModel(AddressingModel::Logical, MemoryModel::GLSL450);
  }

  /// Makes only calls that are valid at their position: tracks the state of functions and blocks.
  bool is_careful = true;

 private:
  std::uint8_t next() {
    if (bytes_.empty()) return 0;
    const std::uint8_t byte = bytes_.front();
    bytes_ = bytes_.subspan(1);
    return byte;
  }
  Word word() { return Word{next()} << 8 | next(); }
  template <typename SomeId>
  SomeId any(const std::vector<SomeId>& ids) {
    const std::uint8_t choice = next();
    // Rarely, and only if not careful: an id that no call has created.
    if (!is_careful && choice > 250) return SomeId(Word{choice} * 7919);
    return ids[choice % ids.size()];
  }
  TypeId type() { return any(types_); }
  ValueId value() { return any(values_); }
  /// If careful, a value declared before all functions: constants can refer only to those.
  ValueId constant() { return any(is_careful ? constants_ : values_); }
  std::string text() { return std::string(next() % 9, static_cast<char>('a' + next() % 26)); }

  void call(std::uint8_t which);
  void call_in_function(std::uint8_t which);
  void call_structured();

  Builder& b_;
  std::span<const std::uint8_t> bytes_;
  std::vector<TypeId> types_;
  std::vector<ValueId> values_;
  std::vector<ValueId> constants_;  // a subset of the values
  std::vector<LabelId> labels_;
  std::vector<FunctionId> functions_;
  std::vector<StringId> strings_;
  bool has_function_ = false;
  bool has_label_ = false;
};

inline void RandomCalls::call(std::uint8_t which) {
  switch (which % 32) {
    // Global declarations, whether a function is open or not.
    case 0: b_.OpCapability(next() % 2 != 0 ? Capability::Shader : Capability::Int64); return;
    case 1: b_.OpExtension(text()); return;
    case 2: b_.OpExtInstImport("GLSL.std.450"); return;
    case 3: b_.OpEntryPoint(ExecutionModel::Vertex, any(functions_), text(), {value(), value()}); return;
    case 4: b_.OpExecutionMode(any(functions_), ExecutionModeWith::LocalSize(next(), next(), next())); return;
    case 5: strings_.push_back(b_.OpString(text())); return;
    case 6: b_.OpSource(SourceLanguage::GLSL, next(), any(strings_), text()); return;
    case 7: b_.OpName(value(), text()); return;
    case 8: b_.OpMemberName(type(), next(), text()); return;
    case 9: b_.OpModuleProcessed(text()); return;
    case 10: b_.OpDecorate(value(), DecorationWith::Location(next())); return;
    case 11: b_.OpDecorate(type(), Decoration::Block); return;
    case 12: {
      const GroupId group = b_.OpDecorationGroup();
      b_.OpGroupDecorate(group, {type(), value()});
      return;
    }
    case 13: types_.push_back(b_.OpTypeInt(8u << next() % 4, next() % 2)); return;
    case 14: types_.push_back(b_.OpTypePointer(static_cast<StorageClass>(next() % 12), type())); return;
    case 15: types_.push_back(b_.OpTypeStruct({type(), type()})); return;
    case 16: types_.push_back(b_.OpTypeFunction(type(), {type()})); return;
    case 17: values_.push_back(constants_.emplace_back(b_.OpConstant(types_[1], word()))); return;
    case 18:
      values_.push_back(constants_.emplace_back(b_.OpConstantComposite(type(), {constant(), constant()})));
      return;
    case 19:
      values_.push_back(constants_.emplace_back(b_.OpSpecConstantOp(type(), Op::OpIAdd, {constant(), constant()})));
      return;
    case 20: {
      // A local variable needs a function with a block.
      const bool is_local = next() % 2 != 0 && (has_label_ || !is_careful);
      values_.push_back(b_.OpVariable(type(), is_local ? StorageClass::Function : StorageClass::Private));
      return;
    }
    case 21: b_.OpLine(any(strings_), next(), next()); return;
    case 22: b_.OpNoLine(); return;
    case 23:
      if (!is_careful || !has_function_ || b_.is_in_block()) values_.push_back(b_.OpUndef(type()));
      return;
    default: call_in_function(which); return;
  }
}

inline void RandomCalls::call_in_function(std::uint8_t which) {
  const bool is_open = b_.is_in_block();
  switch (which % 32) {
    case 24:
      if (is_careful && has_function_) return;
      functions_.push_back(b_.OpFunction(type(), FunctionControl::Inline, type()));
      has_function_ = true;
      has_label_ = false;
      return;
    case 25:
      if (is_careful && (!has_function_ || has_label_)) return;
      values_.push_back(b_.OpFunctionParameter(type()));
      return;
    case 26:
      if (is_careful && (!has_function_ || is_open)) return;
      labels_.push_back(b_.OpLabel());
      has_label_ = has_label_ || has_function_;
      return;
    case 27:
      if (is_careful && !is_open) return;
      switch (next() % 4) {
        case 0: b_.OpBranch(any(labels_)); return;
        case 1: b_.OpReturn(); return;
        case 2: b_.OpSwitch(value(), any(labels_)); return;
        default: b_.OpBranchConditional(value(), any(labels_), any(labels_)); return;
      }
    case 28:
      if (is_careful && (!has_function_ || is_open)) return;
      b_.OpFunctionEnd();
      // The builder may have rejected careless calls, so this checks whether a function is open.
      if (!b_.is_in_block()) has_function_ = has_label_ = false;
      return;
    case 29:
      if (is_careful && !is_open) return;
      call_structured();
      return;
    case 30:
      if (is_careful && !is_open) return;
      values_.push_back(b_.ext(GLSL_std_450::Sqrt, type(), {value()}));
      return;
    default:
      if (is_careful && !is_open) return;
      values_.push_back(b_.OpIAdd(type(), value(), value()));
      b_.OpStore(value(), values_.back(), {.Aligned = next()});
      return;
  }
}

inline void RandomCalls::call_structured() {
  const auto arm = [&] { call(next()); };
  switch (next() % 4) {
    case 0: b_.if_then(value(), arm); return;
    case 1: b_.if_else(value(), arm, arm); return;
    case 2: b_.loop({.condition = [&] { return value(); }, .step = [&](const Loop&) { b_.OpNop(); }}); return;
    default: {
      // If careful, the selector is the constant, which is an integer.
      const ValueId selector = is_careful ? values_[0] : value();
      b_.switch_on(selector, {{{1}, arm}, {{2, 3}, arm}}, next() % 2 != 0 ? arm : std::function<void()>());
      return;
    }
  }
}

}  // namespace vireo::spirv
