# SPDX-License-Identifier: Apache-2.0
#
# Entry points of a shader, from Python: entry_points.py libvireo.so.0 SHADER.spvasm
#
# Shows the four patterns of the C interface: handles, texts with lengths, structs that the callee fills, callbacks.
import ctypes as c
import sys


class String(c.Structure):
    _fields_ = [("data", c.c_void_p), ("size", c.c_size_t)]

    def __str__(self):
        return c.string_at(self.data, self.size).decode()


class Place(c.Structure):
    _fields_ = [("kind", c.c_uint32), ("instruction", c.c_uint32), ("begin", c.c_uint64), ("end", c.c_uint64)]


class Diagnostic(c.Structure):
    _fields_ = [("severity", c.c_uint32), ("note_count", c.c_uint32), ("rule", String), ("message", String),
                ("hint", String), ("requirement", String), ("source", String), ("where", Place)]


class EntryPoint(c.Structure):
    _fields_ = [("execution_model", c.c_uint32), ("function_id", c.c_uint32), ("instruction", c.c_uint32),
                ("interface_count", c.c_uint32), ("interface_ids", c.POINTER(c.c_uint32)), ("name", String)]


class Operand(c.Structure):
    _fields_ = [("word", c.c_uint16), ("word_count", c.c_uint16), ("kind", c.c_uint16), ("shape", c.c_uint8),
                ("is_parameter", c.c_uint8)]


class Instruction(c.Structure):
    _fields_ = [("words", c.POINTER(c.c_uint32)), ("word_count", c.c_uint32), ("opcode", c.c_uint32),
                ("index", c.c_uint32), ("offset", c.c_uint32), ("type_id", c.c_uint32), ("result_id", c.c_uint32),
                ("name", String), ("inner_name", String), ("operands", c.POINTER(Operand)),
                ("operand_count", c.c_size_t), ("is_complete", c.c_uint32), ("literal_class", c.c_uint32),
                ("literal_width", c.c_uint32), ("literal_is_signed", c.c_uint32)]


OnInstruction = c.CFUNCTYPE(c.c_int, c.c_void_p, c.POINTER(Instruction))

vireo = c.CDLL(sys.argv[1])
vireo.vireo_diagnostics_create.restype = c.c_void_p
vireo.vireo_diagnostics_count.restype = c.c_size_t
vireo.vireo_words_data.restype = c.c_void_p
vireo.vireo_words_count.restype = c.c_size_t
vireo.vireo_module_entry_point_count.restype = c.c_uint32

# Handles are addresses. They are declared as void*, because ctypes passes a plain number as a C int.
text = open(sys.argv[2], "rb").read()
found = c.c_void_p(vireo.vireo_diagnostics_create())
words = c.c_void_p()
if vireo.vireo_assemble(text, c.c_size_t(len(text)), None, found, c.byref(words)) != 0:
    for i in range(vireo.vireo_diagnostics_count(found)):
        fault, line, column = Diagnostic(), c.c_uint64(), c.c_uint64()
        vireo.vireo_diagnostics_get(found, c.c_size_t(i), c.byref(fault))
        vireo.vireo_locate(text, c.c_size_t(len(text)), c.c_uint64(fault.where.begin), c.byref(line), c.byref(column))
        print(f"{line.value}:{column.value}: {fault.message} [{fault.rule}]")
    sys.exit(1)

data, count = c.c_void_p(vireo.vireo_words_data(words)), c.c_size_t(vireo.vireo_words_count(words))
names = []
model_kind = 0


@OnInstruction
def on_instruction(_, instruction):
    global model_kind
    one = instruction.contents
    names.append(str(one.name))
    if names[-1] == "OpEntryPoint":
        model_kind = one.operands[0].kind  # what an execution model is to the grammar
    return 1  # go on


vireo.vireo_parse(data, count, None, None, on_instruction, None, found)

module = c.c_void_p()
vireo.vireo_module_read(data, count, None, c.byref(module))
NONE = c.c_uint32(0xFFFFFFFF)  # the id itself, and no member of it


def name_of(identifier):
    name = String()
    vireo.vireo_module_name(module, c.c_uint32(identifier), NONE, c.byref(name))
    return name


def string_of(text):
    kept = c.create_string_buffer(text.encode())
    string = String(c.addressof(kept), len(text))
    string.kept = kept  # the library borrows the bytes: they have to live as long as the string
    return string


def decoration_of(identifier, name):
    number, operands, many = c.c_uint32(), c.POINTER(c.c_uint32)(), c.c_size_t()
    vireo.vireo_find_enumerant(None, string_of("Decoration"), string_of(name), c.byref(number))
    if vireo.vireo_module_decoration(module, c.c_uint32(identifier), NONE, number, c.byref(operands), c.byref(many)):
        return None
    return operands[0]


for i in range(vireo.vireo_module_entry_point_count(module)):
    entry, model = EntryPoint(), String()
    vireo.vireo_module_entry_point(module, c.c_uint32(i), c.byref(entry))
    vireo.vireo_enumerant_name(None, c.c_uint32(model_kind), c.c_uint32(entry.execution_model), c.byref(model))
    print(f"{model} {entry.name}: {entry.interface_count} variables")
    for variable in entry.interface_ids[: entry.interface_count]:
        line = f"  {name_of(variable)}"
        for decoration in "DescriptorSet", "Binding", "Location":
            value = decoration_of(variable, decoration)
            if value is not None:
                line += f" {decoration} {value}"
        print(line)
print(f"{len(names)} instructions, {names.count('OpName')} of them OpName")

vireo.vireo_module_destroy(module)
vireo.vireo_words_destroy(words)
vireo.vireo_diagnostics_destroy(found)
