// SPDX-License-Identifier: Apache-2.0
//
// What the detector of races learns from a machine, and its findings (machine.h).
#include <fmt/format.h>

#include <string>
#include <string_view>

#include "spirv/execute/machine/machine.h"
#include "spirv/execute/program/step_rows.h"

namespace vireo::spirv {
namespace {

// Whether several invocations can reach an object, and one can write it.
bool is_shared(const Object& object, const ProgramVariable& variable) {
  switch (object.storage) {
    case StorageClass::Workgroup:
    case StorageClass::UniformConstant:  // images
    case StorageClass::StorageBuffer:
    case StorageClass::PhysicalStorageBuffer: return true;
    case StorageClass::Uniform: return !variable.is_read_only;
    default: return false;
  }
}

MemoryClass class_of(const Object& object) {
  return object.storage == StorageClass::Workgroup         ? MemoryClass::Workgroup
         : object.storage == StorageClass::UniformConstant ? MemoryClass::Image
                                                           : MemoryClass::Buffer;
}

Rule rule_of(RaceKind kind) {
  switch (kind) {
    case RaceKind::SameValue: return Rule::RaceSameValue;
    case RaceKind::Atomicity: return Rule::RaceAtomicity;
    case RaceKind::Alias: return Rule::AliasRace;
    case RaceKind::HalfBarrier: return Rule::BarrierHalf;
    case RaceKind::NotVisible: return Rule::NotVisible;
    default: return Rule::DataRace;
  }
}

}  // namespace

void Machine::report_race(const Step& step, const MemoryPlace& place, std::uint32_t lane, const RaceFound& found) {
  const Rule rule = rule_of(found.kind);
  if (!state_.report->begins_pair(rule, step.source, InstructionIndex(found.instruction))) return;
  const ModuleCheck& c = state_.report->check();
  const ProgramVariable& variable = program_.variables[place.object->variable];
  const std::string path = state_.report->path_of(variable, place.object->element, static_cast<std::int64_t>(place.at));
  const InstructionIndex earlier(found.instruction);
  LanePlaces other = places_;
  const std::uint32_t group = state_.races->group_of(found.agent);
  other.group = {group % state_.group_count[0], group / state_.group_count[0] % state_.group_count[1],
                 group / state_.group_count[0] / state_.group_count[1]};
  other.first = 0;
  const auto id = other.global(state_.races->invocation_of(found.agent));
  report(rule, step, 0, lane,
         {path, op_text(c, c.module.instruction(step.source).opcode), op_text(c, c.module.instruction(earlier).opcode),
          fmt::format("{},{},{}", id[0], id[1], id[2])});
  if (earlier != step.source) state_.report->note({earlier, 0}, "the earlier access", {});
  if (found.passed_barrier)
    state_.report->note({earlier, 0},
                        "the barrier between the two does not order this memory: its semantics lack {text}",
                        {place.object->storage == StorageClass::Workgroup         ? "WorkgroupMemory"
                         : place.object->storage == StorageClass::UniformConstant ? "ImageMemory"
                                                                                  : "UniformMemory"});
}

void Machine::note_shared(const Step& step, const MemoryPlace& place, std::uint32_t size, std::uint32_t lane,
                          bool is_write, bool keeps_value) {
  const ProgramVariable& variable = program_.variables[place.object->variable];
  if (!is_shared(*place.object, variable)) return;
  AccessEvent event;
  event.bytes = place.bytes;
  event.size = size;
  event.instruction = static_cast<std::uint32_t>(step.source.index());
  event.object = place.object->number;
  event.memory = class_of(*place.object);
  event.is_write = is_write;
  event.is_private = !variable.is_coherent && (step.flags & is_visible) == 0;
  event.keeps_value = keeps_value;
  const RaceFound found = state_.races->access(places_.first + lane, event);
  if (found.kind != RaceKind::None) report_race(step, place, lane, found);
}

void Machine::note_texel(const Step& step, const MemoryPlace& place, std::uint32_t size, std::uint32_t lane,
                         bool is_write) {
  if (state_.races == nullptr) return;
  AccessEvent event;
  event.bytes = place.bytes;
  event.size = size;
  event.instruction = static_cast<std::uint32_t>(step.source.index());
  event.object = place.object->number;
  event.memory = MemoryClass::Image;
  event.is_write = is_write;
  event.is_private = !program_.variables[place.object->variable].is_coherent;
  const RaceFound found = state_.races->access(places_.first + lane, event);
  if (found.kind != RaceKind::None) report_race(step, place, lane, found);
}

void Machine::note_atomic(const Step& step, const MemoryPlace& place, std::uint32_t size, std::uint32_t lane,
                          bool is_read, bool is_write) {
  if (state_.races == nullptr || place.object->is_of_lane) return;
  AccessEvent event;
  event.bytes = place.bytes;
  event.size = size;
  event.instruction = static_cast<std::uint32_t>(step.source.index());
  event.object = place.object->number;
  event.memory = class_of(*place.object);
  event.scope = static_cast<Scope>(step.operation);
  event.is_write = is_write;
  event.is_atomic = true;
  const RaceFound found = state_.races->access(places_.first + lane, event);
  if (found.kind != RaceKind::None) report_race(step, place, lane, found);
  state_.races->synchronize(places_.first + lane, event, {step.extra}, is_read, !is_read);
}

void Machine::note_barrier(const Step& step) {
  if (state_.races == nullptr) return;
  if (step.opcode == Op::OpControlBarrier) {
    if (static_cast<Scope>(step.extra) == Scope::Subgroup)
      state_.races->subgroup_barrier(places_.first / width_, {step.count});
    return;
  }
  for_each_lane(active_, [&](std::uint32_t lane) { state_.races->memory_barrier(places_.first + lane, {step.count}); });
}

}  // namespace vireo::spirv
