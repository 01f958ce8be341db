// SPDX-License-Identifier: Apache-2.0
//
// Variables of a random module, and the sum of all that it computes (generator.h).
#include <vector>

#include "smith/generator.h"

namespace vireo::spirv {

using Kind = SmithType::Kind;

SmithGenerator::Variable SmithGenerator::new_local(TypeRef type) {
  const TypeId pointer = b_.OpTypePointer(StorageClass::Function, types_[type].id);
  const ValueId id = is_guarded() ? b_.OpVariable(pointer, StorageClass::Function, constant(type))
                                  : b_.OpVariable(pointer, StorageClass::Function);
  body_.variables.push_back({type, StorageClass::Function, id});
  return body_.variables.back();
}

ValueId SmithGenerator::index_below(ValueId length) {
  const ValueId index = leaf(u32_);
  return is_guarded() ? op(Op::OpUMod, u32_, {index, length}) : index;
}

// The number of the invocation that selects its element.
ValueId SmithGenerator::invocation(Variable::Element element) {
  if (element == Variable::Element::Local) return b_.OpLoad(types_[u32_].id, local_index_);
  const ValueId all = b_.OpLoad(types_[types_.vector(u32_, 3)].id, global_id_);
  return b_.OpCompositeExtract(types_[u32_].id, all, {0});
}

ValueId SmithGenerator::pointer_into(const Variable& variable, TypeRef type) {
  std::vector<ValueId> path;
  if (variable.element == Variable::Element::Row) path.push_back(word(0));  // the only member of the block
  if (variable.element != Variable::Element::None) path.push_back(invocation(variable.element));
  for (TypeRef at = variable.type; at != type;) {
    const SmithType whole = types_[at];
    std::uint32_t part = random_.below(whole.count);
    while (!types_.contains(whole.part(part), type)) part = (part + 1) % whole.count;
    if (whole.kind != Kind::Struct && random_.one_in(2)) {
      path.push_back(index_below(whole.kind == Kind::Array ? whole.length : word(whole.count)));
    } else {
      path.push_back(random_.one_in(2) ? word(part) : constant_bits(i32_, part));
    }
    at = whole.part(part);
  }
  if (path.empty()) return variable.id;
  const TypeId pointer = b_.OpTypePointer(variable.storage, types_[type].id);
  return random_.one_in(2) ? b_.OpAccessChain(pointer, variable.id, path)
                           : b_.OpInBoundsAccessChain(pointer, variable.id, path);
}

std::optional<ValueId> SmithGenerator::pointer_to(TypeRef type, bool is_written) {
  std::vector<Variable> found;
  for (const auto* variables : {&body_.variables, &globals_}) {
    for (const Variable& each : *variables) {
      if ((each.is_writable || !is_written) && types_.contains(each.type, type)) found.push_back(each);
    }
  }
  if (found.empty()) return std::nullopt;
  return pointer_into(random_.pick(found), type);
}

// --- the sum --------------------------------------------------------------------------------------------------------------

ValueId SmithGenerator::digest(Value value) {
  const SmithType type = types_[value.type];
  switch (type.kind) {
    case Kind::Bool: {
      const ValueId a = word(3), b = word(5);
      return b_.OpSelect(types_[u32_].id, value.id, a, b);
    }
    case Kind::Int: {
      if (type.width == 32) return type.is_signed ? op(Op::OpBitcast, u32_, {value.id}) : value.id;
      const ValueId low = op(Op::OpUConvert, u32_, {value.id});
      if (type.width < 32) return low;
      const ValueId shifted = op(Op::OpShiftRightLogical, value.type, {value.id, word(32)});
      const ValueId high = op(Op::OpUConvert, u32_, {shifted});
      return op(Op::OpBitwiseXor, u32_, {low, high});
    }
    case Kind::Float: {
      if (!options_.any_floats) {
        // The sign of -0 does not matter to an integer.
        const ValueId clamped = tame(value.type, value.id);
        return digest({i32_, op(Op::OpConvertFToS, i32_, {clamped})});
      }
      const TypeRef bits_type = types_.integer(type.width, false);
      const ValueId is_nan = op(Op::OpIsNan, bool_, {value.id});
      const ValueId bits = op(Op::OpBitcast, bits_type, {value.id});
      const ValueId same = b_.OpSelect(types_[bits_type].id, is_nan, constant_bits(bits_type, 99), bits);
      return digest({bits_type, same});
    }
    default: break;
  }
  ValueId all = word(type.count);
  for (Word i = 0; i < type.count; ++i) {
    const ValueId part = b_.OpCompositeExtract(types_[type.part(i)].id, value.id, {i});
    const ValueId added = digest({type.part(i), part});
    const ValueId scaled = op(Op::OpIMul, u32_, {all, word(33)});
    all = op(Op::OpBitwiseXor, u32_, {scaled, added});
  }
  return all;
}

void SmithGenerator::mix(ValueId digest) {
  const ValueId sum = b_.OpLoad(types_[u32_].id, sum_);
  const ValueId scaled = op(Op::OpIMul, u32_, {sum, word(31)});
  const ValueId mixed = op(Op::OpIAdd, u32_, {scaled, digest});
  b_.OpStore(sum_, mixed);
}

}  // namespace vireo::spirv
