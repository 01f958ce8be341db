// SPDX-License-Identifier: Apache-2.0
//
// Defines the handles of vireo.h, and shared code of its functions.
//
// A handle is a struct that wraps a C++ object. Each function first checks its arguments and then runs in
// `guarded`, which converts exceptions to a status. So no exception reaches a C caller.
//
// A function that creates a handle first sets the caller's pointer to NULL, then checks its arguments, so the pointer
// is NULL after any failure. The interface has no locks. Threads may share a const handle, because it is only read or
// locks internally (Facts). Other handles may be used by only one thread at a time.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "vireo/spirv/build/builder.h"
#include "vireo/spirv/build/edit.h"
#include "vireo/spirv/grammar/grammar_loader.h"
#include "vireo/spirv/module/call_graph.h"
#include "vireo/spirv/module/constants.h"
#include "vireo/spirv/module/control_flow.h"
#include "vireo/spirv/module/decorations.h"
#include "vireo/spirv/module/facts.h"
#include "vireo/spirv/module/lines.h"
#include "vireo/spirv/module/module.h"
#include "vireo/spirv/module/module_declarations.h"
#include "vireo/spirv/module/types.h"
#include "vireo/spirv/module/uses.h"
#include "vireo/spirv/validate/profile.h"
#include "vireo/support/diagnostic.h"
#include "vireo/support/text_writer.h"
#include "vireo/vireo.h"

// Rows are copies, because the list outlives the call, its Diagnostics and often the input. The counts include all
// diagnostics. The rows are the first max_kept errors, and the first max_kept warnings and notes.
struct vireo_diagnostics {
  struct Row {
    vireo::Diagnostic diagnostic;
    std::string source;  // the file; empty: the input of the call
  };
  std::vector<Row> rows;
  std::size_t kept_errors = 0;  // among the rows
  std::size_t errors = 0;
  std::size_t warnings = 0;
};

// vireo_text_data guarantees a terminating zero byte, which std::string provides.
struct vireo_text {
  std::string text;
};

// Owns all rows, including copies of the base grammar's rows. Returned names point into it.
struct vireo_grammar {
  vireo::spirv::GrammarData data;
};

// In host byte order, header included.
struct vireo_words {
  vireo::spirv::WordBuffer words;
};

// Facts refer to the module, so neither may move.
struct vireo_module {
  explicit vireo_module(vireo::spirv::Module&& read) : module(std::move(read)), facts(module) {}
  const vireo::spirv::Module module;
  const vireo::spirv::Facts facts;
};

// The module must outlive the flow. Lists of blocks are returned without a copy.
struct vireo_flow {
  vireo::spirv::ControlFlow flow;
};

// The builder refers to `found`, so `found` is constructed first, and neither may move.
struct vireo_builder {
  explicit vireo_builder(const vireo::spirv::BuilderOptions& options) : builder(found, options) {}
  vireo::Diagnostics found;  // of the current call
  vireo::spirv::Builder builder;
};

// Refers to a module of the caller, or owns one that refers to the caller's words. The words of changes are copied. The
// edit refers to the module, which must not move.
struct vireo_edit {
  explicit vireo_edit(const vireo::spirv::Module& borrowed) : module(borrowed), edit(borrowed) {}
  explicit vireo_edit(vireo::spirv::Module&& read)
      : own(std::make_unique<const vireo::spirv::Module>(std::move(read))), module(*own), edit(*own) {}
  std::unique_ptr<const vireo::spirv::Module> own;
  const vireo::spirv::Module& module;
  vireo::spirv::Edit edit;
};

// The grammar must outlive the profile, as vireo.h documents. Names in the profile refer to it, and modules are
// validated with it.
struct vireo_profile {
  vireo::spirv::Profile profile;
  const vireo::spirv::Grammar* grammar;
};

namespace vireo::c {

/// The maximum number of errors in a list, over all calls; the same number of warnings and notes is kept. Without a
/// limit, a list that is never cleared would grow with each call.
inline constexpr std::size_t max_kept = Diagnostics::default_limit;

/// Runs the body of a function of the interface. std::bad_alloc gives VIREO_NO_MEMORY. Any other exception is an
/// internal error, or was thrown by a C++ callback of the caller.
template <typename Body>
vireo_status guarded(Body body) noexcept {
  try {
    return body();
  } catch (const std::bad_alloc&) { return VIREO_NO_MEMORY; } catch (...) {
    return VIREO_FAILED;
  }
}

/// Creates a handle, or returns null if there is no memory. For functions that return no status.
template <typename Handle>
Handle* make_handle() noexcept {
  try {
    return new Handle{};
  } catch (...) { return nullptr; }
}

/// Appends the diagnostics of a call to the caller's list, if there is one; `source` is the file name.
void add(vireo_diagnostics* list, const Diagnostics& found, std::string_view source = {});

/// The body of a function that creates a handle. The caller's pointer is NULL after any failure.
template <typename Handle, typename Make>
vireo_status create(Handle** out, bool are_arguments, Make make) {
  if (out == nullptr) return VIREO_BAD_ARGUMENT;
  *out = nullptr;
  return are_arguments ? guarded(make) : VIREO_BAD_ARGUMENT;
}
/// The same for a function of the library that reports diagnostics to a list and returns a Result, whose value becomes
/// the handle.
template <typename Handle, typename Make>
vireo_status create(Handle** out, bool are_arguments, vireo_diagnostics* diagnostics, Make make) {
  return create(out, are_arguments, [&] {
    Diagnostics found;
    auto made = make(found);
    add(diagnostics, found);
    if (!made) return VIREO_REPORTED;
    *out = new Handle{std::move(made).value()};
    return VIREO_OK;
  });
}

/// The status of a call that reported `found`.
inline vireo_status status_of(const Diagnostics& found) { return found.has_errors() ? VIREO_REPORTED : VIREO_OK; }

/// Convert texts. The data pointer of the result is never NULL, because callers may print output texts, and algorithms
/// may subtract pointers of input texts.
inline vireo_string to_c(std::string_view text) { return {text.data() == nullptr ? "" : text.data(), text.size()}; }
inline std::string_view from_c(vireo_string text) { return {text.data == nullptr ? "" : text.data, text.size}; }

/// Whether a pointer and a length form a valid span: NULL requires a length of 0.
inline bool is_span(const void* data, std::size_t size) { return data != nullptr || size == 0; }

/// Returns the grammar of a handle, or the built-in grammar for NULL.
inline const spirv::Grammar& grammar_of(const vireo_grammar* grammar) {
  return grammar == nullptr ? spirv::builtin_grammar() : grammar->data.grammar();
}

/// A sink that calls the caller's callback. Records whether the callback requested a stop, which is neither an error
/// nor success.
class CallbackSink final : public TextSink {
 public:
  CallbackSink(vireo_write callback, void* user) : callback_(callback), user_(user) {}
  // A printer may write again after a stop, but the callback is not called again once it has returned 0.
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

/// The body of a function that writes to the caller's callback. `print` gets the sink, and a list for diagnostics. A stop
/// by the callback takes precedence over reported errors.
template <typename Print>
vireo_status write_to(vireo_write write, void* user, vireo_diagnostics* diagnostics, Print print) {
  return guarded([&] {
    CallbackSink sink(write, user);
    Diagnostics found;
    print(sink, found);
    add(diagnostics, found);
    return sink.has_stopped() ? VIREO_STOPPED : status_of(found);
  });
}

/// Copies a list to the caller's buffer, and sets its size in any case. A null buffer only queries the size.
template <typename List, typename Element>
vireo_status copy_out(const List& list, Element* out, std::size_t capacity, std::size_t& out_count) {
  out_count = list.size();
  if (out == nullptr) return VIREO_OK;
  if (list.size() > capacity) return VIREO_BAD_ARGUMENT;
  std::ranges::copy(list, out);
  return VIREO_OK;
}

/// The options of a profile; for NULL those of universal SPIR-V and the built-in grammar.
inline spirv::ValidateOptions options_of(const vireo_profile* profile) {
  spirv::ValidateOptions options;
  if (profile == nullptr) return options;
  options.grammar = profile->grammar;
  spirv::apply(profile->profile, options);
  return options;
}

}  // namespace vireo::c
