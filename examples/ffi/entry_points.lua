-- SPDX-License-Identifier: Apache-2.0
--
-- Entry points of a shader, from LuaJIT: entry_points.lua libvireo.so.0 SHADER.spvasm
--
-- The same as entry_points.py. LuaJIT parses C declarations, so these are copied from vireo.h.
local ffi = require("ffi")

ffi.cdef [[
typedef struct vireo_string { const char *data; size_t size; } vireo_string;
typedef struct vireo_place { uint32_t kind; uint32_t instruction; uint64_t begin; uint64_t end; } vireo_place;
typedef struct vireo_diagnostic {
  uint32_t severity; uint32_t note_count;
  vireo_string rule; vireo_string message; vireo_string hint; vireo_string requirement;
  vireo_string source;
  vireo_place where;
} vireo_diagnostic;
typedef struct vireo_entry_point {
  uint32_t execution_model; uint32_t function_id; uint32_t instruction; uint32_t interface_count;
  const uint32_t *interface_ids;
  vireo_string name;
} vireo_entry_point;
typedef struct vireo_operand {
  uint16_t word; uint16_t word_count; uint16_t kind; uint8_t shape; uint8_t is_parameter;
} vireo_operand;
typedef struct vireo_instruction {
  const uint32_t *words;
  uint32_t word_count; uint32_t opcode; uint32_t index; uint32_t offset; uint32_t type_id; uint32_t result_id;
  vireo_string name; vireo_string inner_name;
  const vireo_operand *operands; size_t operand_count;
  uint32_t is_complete; uint32_t literal_class; uint32_t literal_width; uint32_t literal_is_signed;
} vireo_instruction;
typedef struct vireo_diagnostics vireo_diagnostics;
typedef struct vireo_words vireo_words;
typedef struct vireo_module vireo_module;
typedef int (*vireo_on_instruction)(void *user, const vireo_instruction *instruction);

vireo_diagnostics *vireo_diagnostics_create(void);
void vireo_diagnostics_destroy(vireo_diagnostics *diagnostics);
size_t vireo_diagnostics_count(const vireo_diagnostics *diagnostics);
int vireo_diagnostics_get(const vireo_diagnostics *diagnostics, size_t index, vireo_diagnostic *out);
int vireo_locate(const char *text, size_t size, uint64_t offset, uint64_t *line, uint64_t *column);
int vireo_assemble(const char *text, size_t size, const void *options, vireo_diagnostics *diagnostics, vireo_words **out);
void vireo_words_destroy(vireo_words *words);
const uint32_t *vireo_words_data(const vireo_words *words);
size_t vireo_words_count(const vireo_words *words);
int vireo_parse(const uint32_t *words, size_t count, const void *grammar, void *on_header,
                vireo_on_instruction on_instruction, void *user, vireo_diagnostics *diagnostics);
int vireo_enumerant_name(const void *grammar, uint32_t kind, uint32_t value, vireo_string *out);
int vireo_module_read(const uint32_t *words, size_t count, const void *grammar, vireo_module **out);
void vireo_module_destroy(vireo_module *module);
uint32_t vireo_module_entry_point_count(const vireo_module *module);
int vireo_module_entry_point(const vireo_module *module, uint32_t index, vireo_entry_point *out);
int vireo_module_name(const vireo_module *module, uint32_t id, uint32_t member, vireo_string *out);
int vireo_module_decoration(const vireo_module *module, uint32_t id, uint32_t member, uint32_t decoration,
                            const uint32_t **operands, size_t *count);
int vireo_find_enumerant(const void *grammar, vireo_string kind, vireo_string name, uint32_t *out);
]]

local vireo = ffi.load(arg[1])
local function text_of(s) return ffi.string(s.data, s.size) end

local file = assert(io.open(arg[2], "rb"))
local text = file:read("*a")
file:close()

-- Lua's garbage collector destroys the handles.
local found = ffi.gc(vireo.vireo_diagnostics_create(), vireo.vireo_diagnostics_destroy)
local out = ffi.new("vireo_words *[1]")
if vireo.vireo_assemble(text, #text, nil, found, out) ~= 0 then
  local fault, line, column = ffi.new("vireo_diagnostic"), ffi.new("uint64_t[1]"), ffi.new("uint64_t[1]")
  for i = 0, tonumber(vireo.vireo_diagnostics_count(found)) - 1 do
    vireo.vireo_diagnostics_get(found, i, fault)
    vireo.vireo_locate(text, #text, fault.where.begin, line, column)
    print(("%d:%d: %s [%s]"):format(tonumber(line[0]), tonumber(column[0]), text_of(fault.message), text_of(fault.rule)))
  end
  os.exit(1)
end
local words = ffi.gc(out[0], vireo.vireo_words_destroy)
local data, count = vireo.vireo_words_data(words), vireo.vireo_words_count(words)

local instructions, names, model_kind = 0, 0, 0
local on_instruction = ffi.cast("vireo_on_instruction", function(_, instruction)
  local name = text_of(instruction.name)
  instructions = instructions + 1
  if name == "OpName" then names = names + 1 end
  if name == "OpEntryPoint" then model_kind = instruction.operands[0].kind end
  return 1 -- go on
end)
vireo.vireo_parse(data, count, nil, nil, on_instruction, nil, found)
on_instruction:free()

local module_out = ffi.new("vireo_module *[1]")
vireo.vireo_module_read(data, count, nil, module_out)
local module = ffi.gc(module_out[0], vireo.vireo_module_destroy)
local NONE = 0xFFFFFFFF -- the id itself, and no member of it

local function name_of(id)
  local name = ffi.new("vireo_string")
  vireo.vireo_module_name(module, id, NONE, name)
  return text_of(name)
end
local function string_of(s) return ffi.new("vireo_string", s, #s) end
local function decoration_of(id, name)
  local number, operands, many = ffi.new("uint32_t[1]"), ffi.new("const uint32_t *[1]"), ffi.new("size_t[1]")
  vireo.vireo_find_enumerant(nil, string_of("Decoration"), string_of(name), number)
  if vireo.vireo_module_decoration(module, id, NONE, number[0], operands, many) ~= 0 then return nil end
  return operands[0][0]
end

local entry, model = ffi.new("vireo_entry_point"), ffi.new("vireo_string")
for i = 0, vireo.vireo_module_entry_point_count(module) - 1 do
  vireo.vireo_module_entry_point(module, i, entry)
  vireo.vireo_enumerant_name(nil, model_kind, entry.execution_model, model)
  print(("%s %s: %d variables"):format(text_of(model), text_of(entry.name), entry.interface_count))
  for v = 0, entry.interface_count - 1 do
    local line = "  " .. name_of(entry.interface_ids[v])
    for _, decoration in ipairs { "DescriptorSet", "Binding", "Location" } do
      local value = decoration_of(entry.interface_ids[v], decoration)
      if value then line = line .. (" %s %d"):format(decoration, value) end
    end
    print(line)
  end
end
print(("%d instructions, %d of them OpName"):format(instructions, names))
