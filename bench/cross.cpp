// SPDX-License-Identifier: Apache-2.0
//
// Asks SPIRV-Cross for the facts of a shader (shader_facts.h).
#include "shader_facts.h"

#ifdef VIREO_BENCH_CROSS
#include <spirv_cross_c.h>

#include <algorithm>

namespace vireo::bench::cross {
namespace {

struct ListRow {
  spvc_resource_type list;
  ResourceKind kind;
};
constexpr ListRow lists[] = {
    {SPVC_RESOURCE_TYPE_UNIFORM_BUFFER, ResourceKind::UniformBuffer},
    {SPVC_RESOURCE_TYPE_STORAGE_BUFFER, ResourceKind::StorageBuffer},
    {SPVC_RESOURCE_TYPE_STORAGE_IMAGE, ResourceKind::StorageImage},
    {SPVC_RESOURCE_TYPE_SAMPLED_IMAGE, ResourceKind::CombinedImage},
    {SPVC_RESOURCE_TYPE_SEPARATE_IMAGE, ResourceKind::SampledImage},
    {SPVC_RESOURCE_TYPE_SEPARATE_SAMPLERS, ResourceKind::Sampler},
    {SPVC_RESOURCE_TYPE_SUBPASS_INPUT, ResourceKind::InputAttachment},
    {SPVC_RESOURCE_TYPE_ACCELERATION_STRUCTURE, ResourceKind::AccelerationStructure},
    {SPVC_RESOURCE_TYPE_PUSH_CONSTANT, ResourceKind::PushConstants},
};

class Reader {
 public:
  Reader(spvc_compiler compiler, ShaderFacts& facts) : compiler_(compiler), facts_(facts) {}

  bool run() {
    spvc_resources resources = nullptr;
    if (spvc_compiler_create_shader_resources(compiler_, &resources) != SPVC_SUCCESS) return false;
    for (const ListRow& row : lists) {
      for_each(resources, row.list, [&](const spvc_reflected_resource& each) { add_resource(row.kind, each); });
    }
    for (const bool is_output : {false, true}) {
      const auto list = is_output ? SPVC_RESOURCE_TYPE_STAGE_OUTPUT : SPVC_RESOURCE_TYPE_STAGE_INPUT;
      for_each(resources, list, [&](const spvc_reflected_resource& each) {
        facts_.variables.push_back({each.id, decoration(each.id, SpvDecorationLocation), is_output,
                                    spvc_compiler_get_name(compiler_, each.id)});
      });
    }
    add_structures();
    return add_spec_constants();
  }

 private:
  template <typename Use>
  void for_each(spvc_resources resources, spvc_resource_type type, const Use& use) {
    const spvc_reflected_resource* list = nullptr;
    std::size_t count = 0;
    spvc_resources_get_resource_list_for_type(resources, type, &list, &count);
    for (std::size_t i = 0; i < count; ++i) use(list[i]);
  }

  [[nodiscard]] std::uint32_t decoration(SpvId id, SpvDecoration which) const {
    return spvc_compiler_has_decoration(compiler_, id, which) != 0 ? spvc_compiler_get_decoration(compiler_, id, which)
                                                                   : ShaderFacts::none;
  }

  void add_resource(ResourceKind kind, const spvc_reflected_resource& each) {
    const bool is_block = kind == ResourceKind::UniformBuffer || kind == ResourceKind::StorageBuffer ||
                          kind == ResourceKind::PushConstants;
    std::string_view name = spvc_compiler_get_name(compiler_, each.id);
    if (name.empty() && is_block) name = spvc_compiler_get_name(compiler_, each.base_type_id);
    std::size_t size = 0;
    if (is_block) {
      spvc_compiler_get_declared_struct_size(compiler_, spvc_compiler_get_type_handle(compiler_, each.base_type_id),
                                             &size);
      open_.push_back(each.base_type_id);
    }
    const spvc_type type = spvc_compiler_get_type_handle(compiler_, each.type_id);
    facts_.resources.push_back({each.id, decoration(each.id, SpvDecorationDescriptorSet),
                                decoration(each.id, SpvDecorationBinding), kind, name, size,
                                spvc_type_get_num_array_dimensions(type)});
  }

  // Each structure once.
  void add_structures() {
    std::vector<spvc_type_id> seen;
    while (!open_.empty()) {
      const spvc_type_id id = open_.back();
      open_.pop_back();
      const auto place = std::ranges::lower_bound(seen, id);
      if (place != seen.end() && *place == id) continue;
      seen.insert(place, id);
      const spvc_type type = spvc_compiler_get_type_handle(compiler_, id);
      const unsigned count = spvc_type_get_num_member_types(type);
      for (unsigned i = 0; i < count; ++i) {
        unsigned offset = 0;
        std::size_t size = 0;
        spvc_compiler_type_struct_member_offset(compiler_, type, i, &offset);
        spvc_compiler_get_declared_struct_member_size(compiler_, type, i, &size);
        facts_.members.push_back({id, i, offset, spvc_compiler_get_member_name(compiler_, id, i), size});
        const spvc_type member = spvc_compiler_get_type_handle(compiler_, spvc_type_get_member_type(type, i));
        if (spvc_type_get_basetype(member) == SPVC_BASETYPE_STRUCT) open_.push_back(spvc_type_get_base_type_id(member));
      }
    }
  }

  bool add_spec_constants() {
    const spvc_specialization_constant* constants = nullptr;
    std::size_t count = 0;
    if (spvc_compiler_get_specialization_constants(compiler_, &constants, &count) != SPVC_SUCCESS) return false;
    for (std::size_t i = 0; i < count; ++i) {
      const spvc_constant value = spvc_compiler_get_constant_handle(compiler_, constants[i].id);
      facts_.spec_constants.push_back({constants[i].id, constants[i].constant_id,
                                       spvc_constant_get_scalar_u32(value, 0, 0),
                                       spvc_compiler_get_name(compiler_, constants[i].id)});
    }
    return true;
  }

  spvc_compiler compiler_;
  ShaderFacts& facts_;
  std::vector<spvc_type_id> open_;
};

}  // namespace

bool is_linked() { return true; }

Shader::Shader(spirv::Words words) {
  spvc_context context = nullptr;
  if (spvc_context_create(&context) != SPVC_SUCCESS) return;
  context_ = context;
  spvc_parsed_ir parsed = nullptr;
  spvc_compiler compiler = nullptr;
  ok_ = spvc_context_parse_spirv(context, words.data(), words.size(), &parsed) == SPVC_SUCCESS &&
        spvc_context_create_compiler(context, SPVC_BACKEND_NONE, parsed, SPVC_CAPTURE_MODE_TAKE_OWNERSHIP, &compiler) ==
            SPVC_SUCCESS &&
        Reader(compiler, facts_).run();
}

Shader::~Shader() {
  if (context_ != nullptr) spvc_context_destroy(static_cast<spvc_context>(context_));
}

}  // namespace vireo::bench::cross

#else

namespace vireo::bench::cross {

bool is_linked() { return false; }
Shader::Shader(spirv::Words) {}
Shader::~Shader() = default;

}  // namespace vireo::bench::cross

#endif
