// SPDX-License-Identifier: Apache-2.0
//
// Finds the accesses of a module to descriptor heaps.
//
// An access begins at an instruction that takes a pointer to a descriptor. From there the pointer is followed back to
// the heap: through access chains, copies, selections, phis and parameters of functions.
//
// Source: SPV_EXT_descriptor_heap, SPV_KHR_untyped_pointers.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "spirv/module/layouts/type_layouts.h"
#include "vireo/spirv/inspect/reflection.h"
#include "vireo/spirv/module/module.h"

namespace vireo::spirv {

class HeapAccesses {
 public:
  struct Heap {
    Word id = 0;
    BuiltIn built_in = BuiltIn::ResourceHeapEXT;
  };
  /// The functions that an access needs: an entry point performs it if it reaches all of them.
  using Functions = std::set<InstructionIndex>;  // OpFunction

  HeapAccesses(const Facts& facts, const TypeLayouts& layouts, std::vector<Heap> heaps)
      : facts_(facts), module_(facts.module()), layouts_(layouts), heaps_(std::move(heaps)) {}

  /// Reads the functions. Time is bounded: after a million steps, further ways of pointers are not followed.
  void run();

  /// In the order of the instructions; equal accesses are one row.
  [[nodiscard]] std::vector<ReflectedHeapAccess>& rows() { return rows_; }
  /// By row: the instructions that perform it, each with its functions.
  [[nodiscard]] const std::vector<std::set<Functions>>& functions() const { return functions_; }

 private:
  // A pointer to a descriptor, or into a heap.
  struct Pointer {
    InstructionIndex function;
    std::vector<Word> sources = {};  // one base, or the values that it can have
    Word base_type = 0;              // of an access chain
    std::optional<Word> element = {};
    Words indexes = {};
  };
  // An instruction that takes such a pointer.
  struct Use {
    InstructionIndex function;
    Word id = 0, pointer = 0;
    Word type = 0;         // of the loaded object or the texel's image; 0: a buffer
    Word buffer_type = 0;  // of the pointer to a buffer
  };

  void read_function(const FunctionRow& function);
  void read(InstructionView view, InstructionIndex function);
  void read_data_access(InstructionView view);
  void add_data_type(Word pointer, Word type);
  [[nodiscard]] bool is_heap_pointer(Word type) const;
  void follow(const Use& use);
  void add(const Use& use, const Heap& heap, const std::vector<Word>& way);
  [[nodiscard]] Word add_steps(const Pointer& chain, std::vector<ReflectedHeapStep>& steps) const;
  [[nodiscard]] ReflectedNumber layout_number(Word type, Word member, Decoration literal, Decoration id) const;
  void set_offset(ReflectedHeapAccess& row) const;
  void set_blocks(ReflectedHeapAccess& row, const Use& use) const;
  [[nodiscard]] static std::string key_of(const ReflectedHeapAccess& row);

  const Facts& facts_;
  const Module& module_;
  const TypeLayouts& layouts_;
  std::vector<Heap> heaps_;
  std::unordered_map<Word, Pointer> pointers_;
  std::unordered_map<Word, std::vector<Word>> data_types_;  // by untyped pointer to data: types of accesses
  std::vector<Use> uses_;
  std::vector<ReflectedHeapAccess> rows_;
  std::vector<std::set<Functions>> functions_;
  std::map<std::string, std::size_t> rows_by_key_;
  std::uint32_t budget_ = 1'000'000;
};

}  // namespace vireo::spirv
