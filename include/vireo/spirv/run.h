// SPDX-License-Identifier: Apache-2.0
//
// Execution of shaders without a GPU.
//
//   Diagnostics diagnostics;
//   Result<Executor> executor = Executor::create(words, {}, diagnostics);
//   executor->bind({.set = 0, .binding = 1, .bytes = std::as_writable_bytes(std::span(numbers))});
//   Result<DispatchReport> report = executor->dispatch({4, 1, 1}, diagnostics);
//
// An executor runs one entry point of a module. It executes what the specification defines, and reports each instruction
// whose behavior or result is undefined: as a finding of a rule (validation_rules()), at the instruction, with a note that
// states an invocation and the values of its operands. Findings of one rule for one instruction are one diagnostic, which
// counts them. After a finding the execution continues with an arbitrary value.
//
// Equal modules, inputs and options give equal bytes and findings. The invocations of a subgroup execute in lockstep and
// reconverge at each merge block; subgroups and workgroups run one after the other.
//
// Source: specification 2.11 (control flow), 2.18 (memory); Vulkan, "Shader Execution", "SPIR-V Environment".
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "vireo/spirv/environment.h"
#include "vireo/spirv/grammar/grammar.h"
#include "vireo/spirv/module/constants.h"
#include "vireo/spirv/validate/validate.h"
#include "vireo/spirv/word.h"
#include "vireo/support/api.h"
#include "vireo/support/diagnostic.h"
#include "vireo/support/function.h"
#include "vireo/support/result.h"

namespace vireo::spirv {

/// The bytes of memory that no instruction has written, and of OpUndef.
enum class UndefinedBytes : std::uint8_t { Random, Zero, Ones };

/// What an access outside a buffer does (Vulkan, "Shader Memory Access Bounds").
enum class Robustness : std::uint8_t {
  Off,      ///< an error: a load gives an undefined value, a store has no effect
  Robust,   ///< a warning: a load gives 0, a store has no effect
  Robust2,  ///< the same, as VK_EXT_robustness2 guarantees it
};

/// The order of workgroups, and of the subgroups of one. Each runs until it ends or waits for others. What the specification
/// defines does not depend on it, except for results of atomics.
enum class Schedule : std::uint8_t {
  Forward,
  Reverse,
  Random,  ///< chosen by RunOptions::seed
};

/// A line that DebugPrintf prints, without a line end.
struct VIREO_API PrintedLine {
  std::string_view text;
  std::array<Word, 3> invocation = {};  ///< GlobalInvocationId
};

/// Options of Executor::create(). Spans, texts and functions are borrowed while the executor exists.
struct VIREO_API RunOptions {
  const Grammar* grammar = nullptr;   ///< nullptr: the built-in one
  Environment environment = {};       ///< see find_environment(); decides which results are undefined
  std::string_view entry_point = {};  ///< its name; empty: the only one
  std::span<const Specialization> specializations = {};  ///< if several have the same SpecId, the last one applies
  Word subgroup_size = 32;                               ///< a power of two from 1 to 128
  /// Whether undefined values are tracked and findings are reported. Without checks, an execution is faster.
  bool checks = true;
  /// Whether accesses of different invocations to the same memory are compared (data races). Only with checks.
  bool races = true;
  /// Severities of findings, as in ValidateOptions. Each rule has a default severity for executions, which may be higher
  /// than that of validate(): what validate() suspects has happened here.
  std::span<const RuleChoice> rules = {};
  std::span<const AllowedRule> allowed = {};  ///< findings that are not reported, as in ValidateOptions
  std::size_t max_findings = Diagnostics::default_limit;
  Robustness robustness = Robustness::Off;
  UndefinedBytes undefined = UndefinedBytes::Random;
  Schedule schedule = Schedule::Forward;
  std::uint64_t seed = 1;                             ///< of random bytes and random schedules
  std::uint64_t max_steps = 10'000'000'000;           ///< instructions of all invocations of a dispatch together
  std::uint64_t max_steps_of_subgroup = 100'000'000;  ///< instructions that a subgroup executes
  std::uint64_t max_memory = std::uint64_t{1} << 30;  ///< bytes of variables and values
  Function<void(const PrintedLine&)> print = {};      ///< called for each line of DebugPrintf
  Function<std::string(Word)> name_of_id = {};        ///< as in ValidateOptions
  Function<bool()> is_interrupted = {};               ///< asked from time to time; true ends the dispatch
};

/// A buffer of the caller for a descriptor. The bytes are borrowed until the descriptor is bound again.
struct VIREO_API BufferBinding {
  Word set = 0, binding = 0;
  Word element = 0;  ///< of an array of descriptors, less than 65,536
  std::span<std::byte> bytes;
};

/// An image of the caller. The texels of the levels follow each other; a level has its layers, a layer its slices, a slice
/// its rows, without padding. A texel buffer is an image with one row.
struct VIREO_API ImageBinding {
  Word set = 0, binding = 0;
  Word element = 0;              ///< of an array of descriptors
  std::string_view format = {};  ///< of Vulkan, such as "R8G8B8A8_UNORM"; borrowed during the call
  Word width = 1, height = 1, depth = 1;
  Word layers = 1;  ///< six for each cube
  Word levels = 1;
  std::span<std::byte> bytes = {};  ///< borrowed until the descriptor is bound again
};

enum class SamplerAddress : std::uint8_t { Repeat, MirroredRepeat, ClampToEdge, ClampToBorder, MirrorClampToEdge };
enum class SamplerBorder : std::uint8_t { TransparentBlack, OpaqueBlack, OpaqueWhite };
enum class SamplerCompare : std::uint8_t { Never, Less, Equal, LessOrEqual, Greater, NotEqual, GreaterOrEqual, Always };

/// A sampler, as in Vulkan. Without anisotropy.
struct VIREO_API RunSampler {
  bool mag_linear = false, min_linear = false, mip_linear = false;
  SamplerAddress address_u = SamplerAddress::Repeat, address_v = SamplerAddress::Repeat,
                 address_w = SamplerAddress::Repeat;
  SamplerBorder border = SamplerBorder::TransparentBlack;
  SamplerCompare compare = SamplerCompare::Never;
  bool is_normalized = true;  ///< coordinates from 0 to 1
  double lod_bias = 0, min_lod = 0, max_lod = 1000;
};

/// A sampler for a descriptor; for a combined image and sampler, bind both.
struct VIREO_API SamplerBinding {
  Word set = 0, binding = 0;
  Word element = 0;
  RunSampler sampler = {};
};

/// Why a dispatch ended.
enum class DispatchEnd : std::uint8_t {
  Finished,     ///< all invocations ended
  StepLimit,    ///< the finding step-limit, or a note of it, says where
  Stuck,        ///< no invocation can go on: a finding says why
  Interrupted,  ///< RunOptions::is_interrupted returned true
};

/// How a dispatch ended, and how much it executed.
struct VIREO_API DispatchReport {
  DispatchEnd end = DispatchEnd::Finished;
  std::uint64_t invocations = 0;              ///< that were started
  std::uint64_t subgroup_instructions = 0;    ///< executed: one for all active invocations of a subgroup
  std::uint64_t invocation_instructions = 0;  ///< executed: one for each active invocation
  std::size_t findings = 0;                   ///< occurrences of all kinds, including those that were only counted
};

/// An entry point that is ready for execution. Movable; not for several threads at the same time.
class VIREO_API Executor {
 public:
  /// Prepares an entry point of a module. The words are borrowed while the executor exists. Errors: the module is invalid
  /// in universal SPIR-V with all features (layouts of memory are not checked); it has no such entry point, or several and
  /// `entry_point` is empty; an instruction that the entry point may reach cannot be executed (rule run-unsupported, one
  /// error for each kind).
  static Result<Executor> create(Words words, const RunOptions& options, Diagnostics& diagnostics);

  Executor(Executor&&) noexcept;
  Executor& operator=(Executor&&) noexcept;
  ~Executor();

  /// The number of invocations of a workgroup in each dimension, after specialization.
  [[nodiscard]] std::array<Word, 3> workgroup_size() const;
  /// The name of the entry point.
  [[nodiscard]] std::string_view entry_point() const;

  /// Binds a buffer to all variables with this DescriptorSet and Binding.
  void bind(const BufferBinding& buffer);
  /// Binds an image or a sampler. Returns false if the executor does not have the format, or if `bytes` has fewer bytes
  /// than the image.
  bool bind_image(const ImageBinding& image);
  void bind_sampler(const SamplerBinding& sampler);
  /// Sets the push constants, which start at offset 0. Bytes beyond the span are undefined. Borrowed like a buffer.
  void push(std::span<std::byte> bytes);

  /// Executes a grid of workgroups; the bound buffers then contain what the shader wrote. Findings are added to
  /// `diagnostics`. A step limit or a finding is no failure of the function. Errors: a variable that the entry point uses
  /// has no buffer; variables and values exceed `max_memory`.
  Result<DispatchReport> dispatch(std::array<Word, 3> groups, Diagnostics& diagnostics);

 private:
  struct State;
  explicit Executor(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

/// The severity that findings of a rule have in executions unless RunOptions::rules choose another one; nullopt: dispatch()
/// reports no findings of the rule.
VIREO_API std::optional<Severity> run_severity(std::string_view rule);

}  // namespace vireo::spirv
