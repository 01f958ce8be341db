// SPDX-License-Identifier: Apache-2.0
//
// A shader gives the same results, whether Specializer or the driver specializes it.
//
// Both get the same map and data (VkSpecializationInfo, SpecMapEntry). Generated shaders store the result
// of each operation, of each type that the device supports (spec_shader.h), and are run once for each variant: all
// values given to the driver; all values given to Specializer; some to each. Operands with which a result is undefined
// do not occur, because a driver may do anything with them.
//
// VIREO_SPECIALIZE_SETS=N runs each shader with N sets of values. Those after the first 16 are random.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <map>
#include <random>
#include <set>
#include <sstream>

#include "drivers/driver_test.h"
#include "drivers/spec_shader.h"
#include "vireo/spirv/environment.h"
#include "vireo/spirv/module/module.h"
#include "vireo/spirv/transform/clean.h"
#include "vireo/spirv/transform/specialize.h"
#include "vireo/spirv/validate/validate.h"

namespace vireo::drivers {
namespace {

using spirv::WordBuffer;
using Numbers = std::vector<std::uint32_t>;

// --- values -------------------------------------------------------------------------------------------------------------

std::uint64_t mask_of(std::uint32_t width) { return ~std::uint64_t{0} >> (64 - width); }

constexpr std::size_t extreme_count = 8;

// 0, 1, -1, the least and the greatest signed number, alternating bits, 2. The greatest unsigned number is -1.
std::uint64_t extreme_integer(std::size_t i, std::uint32_t width) {
  const std::uint64_t sign = std::uint64_t{1} << (width - 1);
  const std::uint64_t values[extreme_count] = {
      0, 1, ~std::uint64_t{0}, sign, sign - 1, 0x5555'5555'5555'5555, 0xAAAA'AAAA'AAAA'AAAA, 2};
  return values[i] & mask_of(width);
}

struct FloatParts {
  std::uint32_t width, mantissa;  // in bits
  [[nodiscard]] std::uint64_t infinity() const { return mask_of(width - 1) & ~mask_of(mantissa); }
  [[nodiscard]] bool is_nan(std::uint64_t bits) const { return (bits & mask_of(width - 1)) > infinity(); }
};

FloatParts parts_of(const ScalarType& type) {
  return {type.width, type.width == 16 ? 10u : type.width == 32 ? 23u : 52u};
}

// Zero, one, the infinity, the greatest number, the least normal one, the greatest and the least subnormal one, and one
// between two halves; with both signs.
std::uint64_t extreme_float(std::size_t i, const FloatParts& parts) {
  const std::uint64_t least_normal = mask_of(parts.mantissa) + 1, one = parts.infinity() / 2 & ~mask_of(parts.mantissa);
  const std::uint64_t values[extreme_count] = {
      0, one, parts.infinity(), parts.infinity() - 1, least_normal, least_normal - 1, 1, one + (least_normal >> 11)};
  const std::uint64_t sign = std::uint64_t{1} << (parts.width - 1);
  return values[i % extreme_count] | (i / extreme_count % 2 != 0 ? sign : 0);
}

// One choice of values for all constants of a shader. The first 16 contain all pairs of extremes: four lanes each.
class ValueSet {
 public:
  ValueSet(std::size_t number, std::uint64_t seed) : number_(number), random_(seed ^ number << 32) {}

  std::uint64_t of(const SpecInput& input) {
    const ScalarType& type = *input.type;
    const std::size_t pair = number_ * 4 + (input.lane + number_) % 4;
    const bool is_extreme = pair < extreme_count * extreme_count;
    const std::size_t extreme = input.role == Role::First ? pair % extreme_count : pair / extreme_count;
    switch (input.role) {
      case Role::Size: return 1 + (is_extreme && number_ < input.bound ? number_ : random_()) % input.bound;
      case Role::Shift: return (is_extreme ? shift_of(pair, input.bound) : random_()) % input.bound;
      default: break;
    }
    std::uint64_t bits = random_() & mask_of(type.width);
    // Half of the random integers are small, so that quotients and comparisons vary.
    if (type.is_int() && random_() % 2 == 0) bits = (random_() % 16 - random_() % 16) & mask_of(type.width);
    if (type.is_float()) {
      if (is_extreme) bits = extreme_float(extreme + number_ % 2 * extreme_count, parts_of(type));
      if (is_extreme && input.role == Role::Second && extreme == 0) bits = parts_of(type).infinity() | 5;  // a NaN
      if (!is_extreme && random_() % 4 != 0) bits = number_near_half(type);
      if (input.role == Role::First && parts_of(type).is_nan(bits)) bits &= parts_of(type).infinity() >> 1;
    } else if (is_extreme && !type.is_bool()) {
      bits = extreme_integer(extreme, type.width);
    } else if (type.is_bool()) {
      bits &= 1;
    }
    if (input.role == Role::First) dividends_[{&type, input.lane}] = bits;
    return input.role == Role::Divisor ? defined_divisor(bits, input) : bits;
  }

 private:
  static std::uint64_t shift_of(std::size_t pair, std::uint32_t bound) {
    const std::uint64_t shifts[] = {0, 1, bound / 2, bound - 1};
    return shifts[pair % 4];
  }
  // A number whose exponent is in or near the range of a half: conversions then round it.
  std::uint64_t number_near_half(const ScalarType& type) {
    const FloatParts parts = parts_of(type);
    const std::uint64_t bias = (parts.infinity() >> parts.mantissa) / 2;
    const std::uint64_t exponent = type.width == 16 ? random_() % 31 : bias - 27 + random_() % 45;
    const std::uint64_t sign = random_() % 2 << (type.width - 1);
    std::uint64_t mantissa = random_() & mask_of(parts.mantissa);
    // A tie between two narrower floats, or a number next to it. A double next to a tie of halves is an exception:
    // lavapipe converts it by way of a float, which is the tie, so it rounds twice. Specializer rounds to the nearest
    // half. Vulkan permits both results ("Precision and Operation of SPIR-V Instructions": correctly rounded, but the
    // rounding mode is not defined).
    const bool is_tie_of_singles = type.width == 64 && random_() % 2 == 0;
    if (type.width > 16 && random_() % 2 == 0) {
      mantissa &= ~mask_of(parts.mantissa - (is_tie_of_singles ? 24 : 11));
      if (type.width == 32 || is_tie_of_singles) mantissa |= random_() % 2;
    }
    return sign | exponent << parts.mantissa | mantissa;
  }
  // The divisor is not 0, and is not -1 for the least dividend.
  std::uint64_t defined_divisor(std::uint64_t bits, const SpecInput& input) {
    const std::uint64_t dividend = dividends_[{input.type, input.lane}];
    const bool overflows = bits == mask_of(input.type->width) && dividend == std::uint64_t{1}
                                                                                 << (input.type->width - 1);
    return bits == 0 || overflows ? 3 : bits;
  }

  std::size_t number_;
  std::mt19937_64 random_;
  std::map<std::pair<const ScalarType*, unsigned>, std::uint64_t> dividends_;
};

/// Values in the layout of Vulkan. Sizes differ, so most offsets are not aligned.
struct MapAndData {
  std::vector<VkSpecializationMapEntry> entries;
  std::vector<std::byte> data;

  void add(std::uint32_t spec_id, const ScalarType& type, std::uint64_t bits) {
    const std::size_t size = type.is_bool() ? sizeof(VkBool32) : type.width / 8;
    entries.push_back({spec_id, static_cast<std::uint32_t>(data.size()), size});
    const auto* const bytes = reinterpret_cast<const std::byte*>(&bits);  // hosts are little-endian
    data.insert(data.end(), bytes, bytes + size);
  }
  [[nodiscard]] VkSpecializationInfo info() const {
    return {static_cast<std::uint32_t>(entries.size()), entries.data(), data.size(), data.data()};
  }
};

// --- comparison ---------------------------------------------------------------------------------------------------------

/// One variant: the values that Specializer gets, and what follows.
struct Variant {
  std::string_view name;
  bool takes_all = true;  // otherwise the driver gets half of the values
  bool prune = false, clean = false;
};
constexpr Variant variants[] = {
    {"all values"},
    {"all values, pruned", true, true},
    {"all values, pruned and cleaned", true, true, true},
    {"half of the values", false},
    {"half of the values, pruned", false, true},
};

/// A form that lavapipe of Mesa 22.3 computes wrongly in OpSpecConstantOp.
struct DriverFault {
  std::string_view form;
  std::string_view instead;  // the form for which the driver gives the right results
};
constexpr DriverFault driver_faults[] = {
    // Since SPIR-V 1.4, a scalar condition selects a whole object (specification, OpSelect). The driver reads a
    // component of the condition for each component of the result, and all but the first one are false.
    {"Select by a scalar", "OpSelect by a scalar"},
};

// The form for which the driver gives the right results: mostly the same form.
std::string rightly_computed(const std::string& form) {
  for (const DriverFault& fault : driver_faults) {
    if (form.starts_with(fault.form)) return std::string(fault.instead) + form.substr(fault.form.size());
  }
  return form;
}

/// Operations that each shader with capability Shader may use in OpSpecConstantOp, and the classes of their operands.
struct Required {
  std::string_view opcode;
  bool (*applies)(const ScalarType&);
};
constexpr auto any_type = [](const ScalarType&) { return true; };
constexpr auto any_int = [](const ScalarType& type) { return type.is_int(); };
constexpr auto any_unsigned = [](const ScalarType& type) { return type.is_int() && !type.is_signed(); };
constexpr auto any_float = [](const ScalarType& type) { return type.is_float(); };
constexpr auto any_bool = [](const ScalarType& type) { return type.is_bool(); };
constexpr auto single_float = [](const ScalarType& type) { return type.is_float() && type.width == 32; };
constexpr Required required[] = {
    {"SConvert", any_int},
    {"UConvert", any_int},
    {"FConvert", any_float},
    {"SNegate", any_int},
    {"Not", any_int},
    {"IAdd", any_int},
    {"ISub", any_int},
    {"IMul", any_int},
    {"UDiv", any_unsigned},
    {"SDiv", any_int},
    {"UMod", any_unsigned},
    {"SRem", any_int},
    {"SMod", any_int},
    {"ShiftRightLogical", any_int},
    {"ShiftRightArithmetic", any_int},
    {"ShiftLeftLogical", any_int},
    {"BitwiseOr", any_int},
    {"BitwiseXor", any_int},
    {"BitwiseAnd", any_int},
    {"VectorShuffle", any_type},
    {"CompositeExtract", any_type},
    {"CompositeInsert", any_type},
    {"LogicalOr", any_bool},
    {"LogicalAnd", any_bool},
    {"LogicalNot", any_bool},
    {"LogicalEqual", any_bool},
    {"LogicalNotEqual", any_bool},
    {"Select", any_type},
    {"IEqual", any_int},
    {"INotEqual", any_int},
    {"ULessThan", any_int},
    {"SLessThan", any_int},
    {"UGreaterThan", any_int},
    {"SGreaterThan", any_int},
    {"ULessThanEqual", any_int},
    {"SLessThanEqual", any_int},
    {"UGreaterThanEqual", any_int},
    {"SGreaterThanEqual", any_int},
    {"QuantizeToF16", single_float},
};

/// A shader that stores its results in one of the two ways.
struct Prepared {
  const SpecShader& shader;
  Stored stored;
  WordBuffer words;
  spirv::Specializer specializer;
};

spirv::Environment environment() { return spirv::find_environment("vulkan1.3").value(); }

/// The values of one set: all of them, and two halves.
struct Given {
  MapAndData all, ours, theirs;

  Given(const SpecShader& shader, std::size_t number) {
    ValueSet set(number, shader.inputs().size());
    for (std::uint32_t i = 0; i < shader.inputs().size(); ++i) {
      const SpecInput& input = shader.inputs()[i];
      const std::uint64_t bits = set.of(input);
      all.add(i, *input.type, bits);
      ((i * 0x9E37'79B9u >> 16) % 2 == number % 2 ? ours : theirs).add(i, *input.type, bits);
    }
  }
};

class Specialize : public OnDevice {
 protected:
  static std::optional<Prepared> prepared(const SpecShader& shader, Stored stored) {
    const std::string text = shader.text(stored);
    Diagnostics diagnostics;
    Result<WordBuffer> words = spirv::assemble({shader.name(), text}, {}, diagnostics);
    EXPECT_TRUE(bool(words)) << shader.name() << ": " << diagnostics.all().front().message;
    if (!words) return std::nullopt;
    expect_valid(*words, shader.name());
    Result<spirv::Specializer> specializer =
        spirv::Specializer::read(*words, {.environment = environment()}, diagnostics);
    EXPECT_TRUE(bool(specializer)) << shader.name();
    if (!specializer) return std::nullopt;
    EXPECT_EQ(specializer->constants().size(), shader.inputs().size()) << shader.name();
    return Prepared{shader, stored, std::move(*words), std::move(*specializer)};
  }

  static void expect_valid(spirv::Words words, const std::string& name) {
    Diagnostics findings;
    EXPECT_TRUE(spirv::validate(words, {.environment = environment()}, findings))
        << name << ": " << findings.all().front().message;
  }
  static void expect_no_spec_constants(spirv::Words words, const std::string& name) {
    const spirv::Module module = spirv::Module::read(words);
    for (const auto [index, view] : module.instructions()) {
      const bool is_spec = view.opcode >= spirv::Op::OpSpecConstantTrue && view.opcode <= spirv::Op::OpSpecConstantOp;
      EXPECT_FALSE(is_spec) << name << ": opcode " << static_cast<int>(view.opcode) << " is left";
    }
  }

  // To check a module with the driver's values, the validation layer (1.3.239) folds it with SPIRV-Tools 2023.1. Its
  // --fold-spec-const-op-composite can use a constant before its declaration, which the layer then reports. So this
  // message is ignored. The test validates the same module after Specializer.
  static void expect_no_messages(const std::string& name) {
    std::istringstream messages(device()->take_messages());
    for (std::string line; std::getline(messages, line);) {
      if (line.find("pSpecializationInfo-06719") == std::string::npos) ADD_FAILURE() << name << ": " << line;
    }
  }

  static Numbers run_on_driver(const Prepared& prepared, spirv::Words words, const MapAndData& given) {
    std::vector<Numbers> buffers(1, Numbers(prepared.shader.length(prepared.stored), 0xCDCDCDCD));
    buffers[0].back() = 0;  // the counter of invocations
    const VkSpecializationInfo info = given.info();
    device()->run({.shader = words, .buffers = buffers, .specialization_info = &info});
    expect_no_messages(prepared.shader.name());
    return std::move(buffers[0]);
  }

  /// The module with the values of the map; empty after a failure.
  static WordBuffer specialized(const Prepared& prepared, const MapAndData& given, const Variant& variant,
                                spirv::SpecializerMemory& memory, const std::string& name) {
    std::vector<spirv::SpecMapEntry> entries;
    for (const VkSpecializationMapEntry& entry : given.entries) {
      entries.push_back({entry.constantID, entry.offset, entry.size});
    }
    Diagnostics diagnostics;
    std::vector<spirv::Specialization> values;
    WordBuffer words;
    EXPECT_FALSE(prepared.specializer.read_map(entries, given.data, values, diagnostics)) << name;
    EXPECT_FALSE(prepared.specializer.specialize(values, {.prune = variant.prune}, memory, words, diagnostics)) << name;
    EXPECT_TRUE(diagnostics.all().empty()) << name << ": " << diagnostics.all().front().message;
    if (!variant.clean || words.empty()) return words;
    Result<WordBuffer> cleaned = spirv::clean(words, {}, diagnostics);
    EXPECT_TRUE(bool(cleaned)) << name;
    return cleaned ? std::move(*cleaned) : WordBuffer();
  }

  /// The results of a variant.
  static Numbers results(const Prepared& prepared, const Given& given, const Variant& variant,
                         spirv::SpecializerMemory& memory, const std::string& name) {
    const WordBuffer words = specialized(prepared, variant.takes_all ? given.all : given.ours, variant, memory, name);
    if (words.empty()) return {};
    expect_valid(words, name);
    if (variant.takes_all) expect_no_spec_constants(words, name);
    return run_on_driver(prepared, words, variant.takes_all ? MapAndData() : given.theirs);
  }

  /// The words of a result in both runs.
  static std::string shown(const Prepared& prepared, const SpecResult& result, const Given& given,
                           const Variant& variant) {
    spirv::SpecializerMemory memory;
    const std::optional<Prepared> all = Specialize::prepared(prepared.shader, Stored::Words);
    if (!all) return {};
    const Numbers driver = run_on_driver(*all, all->words, given.all);
    const Numbers ours = results(*all, given, variant, memory, prepared.shader.name());
    std::string text;
    for (std::uint32_t i = result.first; i < result.end && i < ours.size(); ++i) {
      char word[64];
      std::snprintf(word, sizeof word, " %08x/%08x", driver[i], ours[i]);
      if (driver[i] != ours[i]) text.append(" [").append(std::to_string(i - result.first)).append("]").append(word);
    }
    return text;
  }

  void compare(const Prepared& prepared, const Given& given, const Variant& variant, const Numbers& expected,
               const Numbers& got, const std::string& name) {
    const std::vector<SpecResult>& results = prepared.shader.results();
    for (std::size_t i = 0; i < results.size(); ++i) {
      const SpecResult& result = results[i];
      std::size_t right = i;
      if (const std::string form = rightly_computed(result.form); form != result.form) {
        if (!variant.takes_all) continue;  // the driver computes a part of it
        const auto is_right = [&](const SpecResult& each) { return each.form == form && each.type == result.type; };
        right = std::ranges::find_if(results, is_right) - results.begin();
      }
      if (got[i] != expected[right] && ++differences_ <= max_shown) {
        ADD_FAILURE() << name << ": " << result.form << ", driver/Vireo:" << shown(prepared, result, given, variant);
      }
      Tally& tally = tallies_[{result.form, result.type->name}];
      tally.compared += result.scalars;
      tally.sums.insert(got[i]);
    }
    EXPECT_EQ(expected.back(), got.back()) << name << ": another number of invocations";
  }

  void compare_all(const Prepared& prepared, std::size_t number, spirv::SpecializerMemory& memory) {
    const Given given(prepared.shader, number);
    const Numbers expected = run_on_driver(prepared, prepared.words, given.all);
    for (const Variant& variant : variants) {
      // To save time, only one variant with half of the values.
      if (!variant.takes_all && variant.prune != (number % 2 != 0)) continue;
      const std::string name =
          prepared.shader.name() + ", values " + std::to_string(number) + ", " + std::string(variant.name);
      const Numbers got = results(prepared, given, variant, memory, name);
      if (!got.empty()) compare(prepared, given, variant, expected, got, name);
    }
  }

  /// Each operation was compared for each type, and each form had results that depend on the values.
  void expect_complete(std::size_t sets) const {
    for (const auto& [key, tally] : tallies_) {
      EXPECT_GE(tally.sums.size(), 2u) << key.first << ", " << key.second << " has always the same results";
    }
    const SpecShader any({}, device()->types());
    for (const Required& each : required) {
      for (const ScalarType* type : any.types()) {
        if (!each.applies(*type)) continue;
        const std::string form = std::string(each.opcode).append(" of ").append(type->name);
        std::size_t compared = 0;
        for (const auto& [key, tally] : tallies_) compared += key.first.starts_with(form) ? tally.compared : 0;
        EXPECT_GE(compared, sets * 3) << form << " was not compared";
      }
    }
  }

  void print_counts(std::size_t shaders, std::size_t sets) const {
    std::size_t compared = 0;
    std::set<std::string_view> names;
    for (const auto& [key, tally] : tallies_) {
      compared += tally.compared;
      names.insert(key.second);
    }
    std::cout << "             " << shaders << " shaders, " << tallies_.size() << " forms, results of " << names.size()
              << " types, " << sets << " sets of values: " << compared << " results compared, " << differences_
              << " groups differ\n";
  }

  static constexpr std::size_t max_shown = 20;
  struct Tally {
    std::size_t compared = 0;      // scalars
    std::set<std::uint32_t> sums;  // checksums of the form
  };
  std::map<std::pair<std::string, std::string_view>, Tally> tallies_;  // by form and type of the result
  std::size_t differences_ = 0;
};

TEST_F(Specialize, gives_the_results_of_a_driver) {
  const char* sets_text = std::getenv("VIREO_SPECIALIZE_SETS");
  const std::size_t sets = sets_text == nullptr ? 20 : std::strtoul(sets_text, nullptr, 10);
  spirv::SpecializerMemory memory;
  const std::vector<SpecShader> shaders = spec_shaders(device()->types());
  for (const SpecShader& shader : shaders) {
    const std::optional<Prepared> prepared = Specialize::prepared(shader, Stored::Checksums);
    ASSERT_TRUE(prepared);
    for (std::size_t number = 0; number < sets; ++number) compare_all(*prepared, number, memory);
  }
  expect_complete(sets);
  print_counts(shaders.size(), sets);
}

}  // namespace
}  // namespace vireo::drivers
