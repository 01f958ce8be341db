// SPDX-License-Identifier: Apache-2.0
//
// What stands behind the handles of vireo.h, and how its functions keep their promises.
//
// The one idea: a handle is a struct around the C++ object that it stands for. Each function first looks at its arguments,
// then works inside `guarded`, which turns whatever is thrown into a status: no exception crosses the interface.
//
// A function that makes a handle first clears the caller's pointer, then looks at its arguments: so a handle that could
// not be made is NULL, whatever was wrong. Nothing here is locked. A handle that a function takes as const is only
// read, or reads under a lock of its own (Facts); of the others one thread has one.
#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "vireo/spirv/builder.h"
#include "vireo/spirv/edit.h"
#include "vireo/spirv/facts.h"
#include "vireo/spirv/facts/call_graph.h"
#include "vireo/spirv/facts/constants.h"
#include "vireo/spirv/facts/control_flow.h"
#include "vireo/spirv/facts/decorations.h"
#include "vireo/spirv/facts/lines.h"
#include "vireo/spirv/facts/preamble.h"
#include "vireo/spirv/facts/types.h"
#include "vireo/spirv/facts/uses.h"
#include "vireo/spirv/grammar_loader.h"
#include "vireo/spirv/module.h"
#include "vireo/support/diagnostic.h"
#include "vireo/support/text_writer.h"
#include "vireo/vireo.h"

// Rows are copies: the list outlives the call, its Diagnostics and often the input. The counts are of all that was
// told, the rows are the first of it: max_kept errors, and as many of what is no error.
struct vireo_diagnostics {
  struct Row {
    vireo::Diagnostic diagnostic;
    std::string source;  // the file it is about; empty: the input of the call
  };
  std::vector<Row> rows;
  std::size_t kept_errors = 0;  // among the rows
  std::size_t errors = 0;
  std::size_t warnings = 0;
};

// A std::string ends in a zero byte, which vireo_text_data promises.
struct vireo_text {
  std::string text;
};

// Owns all rows, those that were copied from the base included; names that are handed out point into it.
struct vireo_grammar {
  vireo::spirv::GrammarData data;
};

// In host byte order, header included.
struct vireo_words {
  vireo::spirv::WordBuffer words;
};

// Facts look into the module beside them, so neither may move.
struct vireo_module {
  explicit vireo_module(vireo::spirv::Module&& read) : module(std::move(read)), facts(module) {}
  const vireo::spirv::Module module;
  const vireo::spirv::Facts facts;
};

// Borrows the module; its lists of blocks are handed out as they are.
struct vireo_flow {
  vireo::spirv::ControlFlow flow;
};

// The builder refers to `found` from the start, so that is made first, and neither moves.
struct vireo_builder {
  explicit vireo_builder(const vireo::spirv::BuilderOptions& options) : builder(found, options) {}
  vireo::Diagnostics found;  // of the call that runs
  vireo::spirv::Builder builder;
};

// Borrows the module, or has one that borrows the words; changes are copied. The module is read first, and stays where it is.
struct vireo_edit {
  explicit vireo_edit(const vireo::spirv::Module& borrowed) : module(borrowed), edit(borrowed) {}
  explicit vireo_edit(vireo::spirv::Module&& read)
      : own(std::make_unique<const vireo::spirv::Module>(std::move(read))), module(*own), edit(*own) {}
  std::unique_ptr<const vireo::spirv::Module> own;
  const vireo::spirv::Module& module;
  vireo::spirv::Edit edit;
};

namespace vireo::c {

/// Rows of a list: as many as the library keeps of one call, here of all calls together. Else a caller who never clears
/// a list would see it grow with each broken file.
inline constexpr std::size_t max_kept = Diagnostics::default_limit;

/// Runs the body of a function of the interface.
/// The body gives a status, or throws: std::bad_alloc is told apart, as the input is not to blame for it. All else is
/// our mistake, or came through us out of a caller's callback that is C++. Arguments are looked at outside of it: that
/// cannot throw.
template <typename Body>
vireo_status guarded(Body body) noexcept {
  try {
    return body();
  } catch (const std::bad_alloc&) { return VIREO_NO_MEMORY; } catch (...) {
    return VIREO_FAILED;
  }
}

/// A new handle, or null where there is no memory.
/// These functions have no status to give, so there is one way to fail.
template <typename Handle>
Handle* make_handle() noexcept {
  try {
    return new Handle{};
  } catch (...) { return nullptr; }
}

/// Adds what a call found to the caller's list, if there is one; `source` is the file it is about.
void add(vireo_diagnostics* list, const Diagnostics& found, std::string_view source = {});

/// What a call gives that told `found`.
inline vireo_status status_of(const Diagnostics& found) { return found.has_errors() ? VIREO_REPORTED : VIREO_OK; }

/// Texts on their way out and in. An empty text never is NULL on the far side: callers may print what comes out, and
/// algorithms may subtract pointers of what comes in.
inline vireo_string to_c(std::string_view text) { return {text.data() == nullptr ? "" : text.data(), text.size()}; }
inline std::string_view from_c(vireo_string text) { return {text.data == nullptr ? "" : text.data, text.size}; }

/// Whether a pointer with a length is one: nothing may be NULL, something may not.
inline bool is_span(const void* data, std::size_t size) { return data != nullptr || size == 0; }

/// The built-in grammar lives for ever; one that was loaded lives as long as its handle, and is borrowed.
inline const spirv::Grammar& grammar_of(const vireo_grammar* grammar) {
  return grammar == nullptr ? spirv::builtin_grammar() : grammar->data.grammar();
}

/// A caller's callback as a sink. Remembers that it stopped us: that is no error, and no success.
class CallbackSink final : public TextSink {
 public:
  CallbackSink(vireo_write callback, void* user) : callback_(callback), user_(user) {}
  // A sink may be written to again by what has not noticed yet; the caller, once it said stop, is not called again.
  bool write(std::string_view chunk) override {
    if (!stopped_) stopped_ = callback_(user_, chunk.data(), chunk.size()) == 0;
    return !stopped_;
  }
  [[nodiscard]] bool has_stopped() const { return stopped_; }

 private:
  vireo_write callback_;
  void* user_;
  bool stopped_ = false;
};

}  // namespace vireo::c
