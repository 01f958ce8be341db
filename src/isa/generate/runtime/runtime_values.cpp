// SPDX-License-Identifier: Apache-2.0
//
// Number formatting in the generated language.
//
// Floats are formatted without the C library, because its decimal point depends on the locale and its digits on the
// implementation. A half or a single is an integer times a power of two, so its decimal digits are exact.
//
// Each function writes at `o` and returns the end of its text. Some write more bytes, up to the slack after a text,
// because a copy of constant size costs less than one of the exact size.
#include "isa/generate/runtime/runtime.h"

namespace vireo::isa::generate {

// Defines the operations that C leaves undefined, as in vireo/isa/expression.h. Sums wrap around. A quotient by zero is
// 0. Shifts by more than 63 shift all bits out. Unsigned numbers are used, because they wrap around in C. `value`
// returns its argument; it converts booleans to numbers without compiler warnings.
std::string_view arithmetic_text() {
  return R"(static inline int64_t @value(int64_t a) { return a; }
static inline int64_t @negate(int64_t a) { return (int64_t)(0 - (uint64_t)a); }
static inline int64_t @add(int64_t a, int64_t b) { return (int64_t)((uint64_t)a + (uint64_t)b); }
static inline int64_t @subtract(int64_t a, int64_t b) { return (int64_t)((uint64_t)a - (uint64_t)b); }
static inline int64_t @multiply(int64_t a, int64_t b) { return (int64_t)((uint64_t)a * (uint64_t)b); }
static inline int64_t @divide(int64_t a, int64_t b) { return b == 0 ? 0 : b == -1 ? @negate(a) : a / b; }
static inline int64_t @remainder(int64_t a, int64_t b) { return b == 0 || b == -1 ? 0 : a % b; }
static inline int64_t @shift_left(int64_t a, int64_t b) { return b < 0 || b > 63 ? 0 : (int64_t)((uint64_t)a << b); }
static inline int64_t @shift_right(int64_t a, int64_t b) { return b < 0 || b > 63 ? (a < 0 ? -1 : 0) : a >> b; }

static inline int64_t @extend(uint64_t value, unsigned width) {
  const uint64_t sign = (uint64_t)1 << ((width - 1) & 63);
  if (width == 0 || width >= 64) return (int64_t)value;
  return (int64_t)(((value & (2 * sign - 1)) ^ sign) - sign);
}

)";
}

// Decimals are converted two digits at a time by a table, which halves the divisions. `flag` copies the text and then
// adds its length or 0. `piece` reads the length from the last byte of a row (values.cpp). `offset` and `uoffset` print
// nothing for zero, and a sign for other numbers. A large number is an array of limbs, divided by ten until it is zero;
// its digits are produced in reverse.
std::string_view number_text() {
  return R"(/* --- numbers -------------------------------------------------------------------------------------------- */

static inline char* @put(char* o, const char* text, size_t size) {
  memcpy(o, text, size);
  return o + size;
}
static inline char* @flag(char* o, const char* text, size_t size, int64_t is_set) {
  memcpy(o, text, size);
  return o + size * (size_t)is_set;
}
static inline char* @piece8(char* o, const char* piece) {
  memcpy(o, piece, 8);
  return o + piece[7];
}
static inline char* @piece16(char* o, const char* piece) {
  memcpy(o, piece, 16);
  return o + piece[15];
}

static const char @pairs[] =
  "0001020304050607080910111213141516171819202122232425262728293031323334353637383940414243444546474849"
  "5051525354555657585960616263646566676869707172737475767778798081828384858687888990919293949596979899";

static inline char* @long_decimal(char* o, uint64_t value) {
  char digits[20];
  char* at = digits + 20;
  for (; value >= 100; value /= 100) {
    at -= 2;
    memcpy(at, @pairs + 2 * (value % 100), 2);
  }
  at -= 2;
  memcpy(at, @pairs + 2 * value, 2);
  if (value < 10) ++at;
  const size_t size = (size_t)(digits + 20 - at);
  memcpy(o, at, size);
  return o + size;
}
static inline char* @digit(char* o, uint64_t value) {
  *o = (char)('0' + value);
  return o + 1;
}
static inline char* @decimal(char* o, uint64_t value) {
  if (value < 10) return @digit(o, value);
  if (value >= 100) return @long_decimal(o, value);
  memcpy(o, @pairs + 2 * value, 2);
  return o + 2;
}
/* Below 256, without a branch: up to three digits and their number. */
static inline char* @small(char* o, uint64_t value) {
  memcpy(o, @numbers[value], 4);
  return o + @numbers[value][3];
}
static inline char* @signed_decimal(char* o, uint64_t value, unsigned width) {
  const int64_t number = @extend(value, width);
  if (number >= 0) return @decimal(o, (uint64_t)number);
  *o = '-';
  return @decimal(o + 1, 0 - (uint64_t)number);
}
static inline char* @hex(char* o, uint64_t value) {
  unsigned size = 1;
  while (size < 16 && value >> (4 * size) != 0) ++size;
  for (unsigned i = size; i-- > 0; value >>= 4) o[i] = "0123456789abcdef"[value & 15];
  return o + size;
}
static inline char* @offset(char* o, uint64_t value, unsigned width) {
  if (value == 0) return o;
  if (@extend(value, width) >= 0) *o++ = '+';
  return @signed_decimal(o, value, width);
}
static inline char* @uoffset(char* o, uint64_t value) {
  if (value == 0) return o;
  *o = '+';
  return @decimal(o + 1, value);
}

/* A number of many 32-bit limbs, lowest first. Destroys the limbs. */
static inline char* @limbs_decimal(char* o, uint32_t* limbs, size_t count) {
  char* const begin = o;
  while (count > 0 && limbs[count - 1] == 0) --count;
  do {
    uint64_t rest = 0;
    for (size_t i = count; i-- > 0;) {
      rest = rest << 32 | limbs[i];
      limbs[i] = (uint32_t)(rest / 10);
      rest %= 10;
    }
    *o++ = (char)('0' + rest);
    while (count > 0 && limbs[count - 1] == 0) --count;
  } while (count > 0);
  for (char *a = begin, *b = o - 1; a < b; ++a, --b) {
    const char c = *a;
    *a = *b;
    *b = c;
  }
  return o;
}

)";
}

// Each row has four bytes, three digits and their count, so it is copied in one move.
std::string small_numbers_text() {
  std::string text = "static const char @numbers[256][4] = {\n ";
  for (int value = 0; value < 256; ++value) {
    const std::string digits = std::to_string(value);
    text += " {";
    for (std::size_t i = 0; i < 3; ++i) text += i < digits.size() ? std::to_string(digits[i]) + "," : "0,";
    text += std::to_string(digits.size()) + (value % 8 == 7 ? "},\n " : "},");
  }
  return text + "};\n\n";
}

// `fixed` is %f: the number of millionths fits into 64 bits (24 bits of digits times a million), so rounding is exact.
// `general` is %g: a fraction m * 2^-n has the digits of m * 5^n. 14 limbs hold the digits of the smallest single, with
// n = 149. Five digits distinguish all halves, and nine digits distinguish all singles. A number without a fraction
// needs neither function.
std::string_view float_text() {
  return R"(/* --- floats: m * 2^e, exactly --------------------------------------------------------------------------- */

static inline char* @integral(char* o, uint32_t m, int e) {
  uint32_t limbs[5] = {0, 0, 0, 0, 0};
  if (e < 0) return @decimal(o, -e > 31 ? 0 : m >> -e);
  const uint64_t shifted = (uint64_t)m << e % 32;
  limbs[e / 32] = (uint32_t)shifted;
  if (e / 32 < 4) limbs[e / 32 + 1] = (uint32_t)(shifted >> 32);
  return @limbs_decimal(o, limbs, 5);
}
/* Six decimals, halves to even. */
static inline char* @fixed(char* o, uint32_t m, int e) {
  uint64_t millionths = (uint64_t)m * 1000000u;
  if (e >= 0) return @put(@integral(o, m, e), ".000000", 7);
  if (-e > 63) {
    millionths = 0;
  } else {
    const uint64_t half = (uint64_t)1 << (-e - 1);
    const uint64_t rest = millionths & (2 * half - 1);
    millionths >>= -e;
    if (rest > half || (rest == half && (millionths & 1) != 0)) ++millionths;
  }
  o = @decimal(o, millionths / 1000000u);
  *o++ = '.';
  uint32_t decimals = (uint32_t)(millionths % 1000000u);
  for (unsigned i = 6; i-- > 0; decimals /= 10) o[i] = (char)('0' + decimals % 10);
  return o + 6;
}
/* `precision` significant digits, as %g writes them, for a number with a fraction. */
static inline char* @general(char* o, uint32_t m, int e, int precision) {
  uint32_t limbs[14] = {m};
  for (int i = 0; i < -e; ++i) { /* m * 2^e = m * 5^-e / 10^-e */
    uint64_t carry = 0;
    for (int k = 0; k < 14; ++k) {
      carry += (uint64_t)limbs[k] * 5u;
      limbs[k] = (uint32_t)carry;
      carry >>= 32;
    }
  }
  char digits[160];
  int count = (int)(@limbs_decimal(digits, limbs, 14) - digits);
  int exponent = count - 1 + e; /* of the first digit */
  if (count > precision) {
    bool is_over_half = false;
    for (int i = precision + 1; i < count; ++i) is_over_half = is_over_half || digits[i] != '0';
    const char next = digits[precision];
    const bool rounds_up =
        next > '5' || (next == '5' && (is_over_half || (digits[precision - 1] - '0') % 2 != 0));
    count = precision;
    if (rounds_up) {
      int i = count - 1;
      while (i >= 0 && digits[i] == '9') digits[i--] = '0';
      if (i >= 0) {
        ++digits[i];
      } else {
        digits[0] = '1';
        ++exponent;
      }
    }
  }
  while (count > 1 && digits[count - 1] == '0') --count;
  if (exponent < -4 || exponent >= precision) {
    *o++ = digits[0];
    if (count > 1) *o++ = '.';
    o = @put(o, digits + 1, (size_t)(count - 1));
    *o++ = 'e';
    *o++ = exponent < 0 ? '-' : '+';
    const int size = exponent < 0 ? -exponent : exponent;
    *o++ = (char)('0' + size / 10);
    *o++ = (char)('0' + size % 10);
    return o;
  }
  if (exponent < 0) {
    o = @put(o, "0.0000", (size_t)(1 - exponent));
    return @put(o, digits, (size_t)count);
  }
  for (int i = 0; i < count || i <= exponent; ++i) {
    if (i == exponent + 1) *o++ = '.';
    *o++ = i < count ? digits[i] : '0';
  }
  return o;
}
/* 16 or 32 bits. */
static inline char* @real(const @State* s, char* o, uint64_t raw, unsigned width) {
  const unsigned fraction_bits = width == 16 ? 10 : 23;
  const uint32_t top = width == 16 ? 31 : 255;
  const uint32_t exponent = (uint32_t)(raw >> fraction_bits) & top;
  uint32_t m = (uint32_t)raw & (((uint32_t)1 << fraction_bits) - 1);
  if ((raw >> (width - 1) & 1) != 0) *o++ = '-';
  if (exponent == top) return @put(o, m == 0 ? "inf" : "nan", 3);
  int e = (int)(exponent == 0 ? 1 : exponent) - (int)(top / 2) - (int)fraction_bits;
  if (exponent != 0) m |= (uint32_t)1 << fraction_bits;
  if (!s->options->round_trip_floats) return @fixed(o, m, e);
  const bool is_integral = m == 0 || e >= 0 || (-e < 32 && (m & (((uint32_t)1 << -e) - 1)) == 0);
  if (is_integral) return @put(@integral(o, m, e), ".0", 2);
  return @general(o, m, e, width == 16 ? 5 : 9);
}

)";
}

// Limbs have 32 bits, so that a remainder and a limb fit into 64 bits during division. For a negative number, the limbs
// are inverted and incremented, and its magnitude is printed after the sign.
std::string_view wide_text() {
  return R"(/* --- fields of more than 64 bits ------------------------------------------------------------------------- */

static inline bool @any_bits(@Word w, unsigned low, unsigned width) {
  for (unsigned at = 0; at < width; at += 64) {
    if (@bits(w, low + at, width - at < 64 ? width - at : 64) != 0) return true;
  }
  return false;
}
static inline char* @wide_number(char* o, @Word w, unsigned low, unsigned width, bool is_signed) {
  uint32_t limbs[2 * @word_count + 1];
  size_t count = 0;
  for (unsigned at = 0; at < width; at += 32) {
    limbs[count++] = (uint32_t)@bits(w, low + at, width - at < 32 ? width - at : 32);
  }
  if (is_signed && @bits(w, low + width - 1, 1) != 0) { /* invert and add one */
    uint64_t carry = 1;
    *o++ = '-';
    if (width % 32 != 0) limbs[count - 1] |= ~(uint32_t)0 << width % 32;
    for (size_t i = 0; i < count; ++i) {
      carry += (uint32_t)~limbs[i];
      limbs[i] = (uint32_t)carry;
      carry >>= 32;
    }
  }
  return @limbs_decimal(o, limbs, count);
}
static inline char* @wide_decimal(char* o, @Word w, unsigned low, unsigned width) {
  return @wide_number(o, w, low, width, false);
}
static inline char* @wide_signed(char* o, @Word w, unsigned low, unsigned width) {
  return @wide_number(o, w, low, width, true);
}
static inline char* @wide_offset(char* o, @Word w, unsigned low, unsigned width) {
  if (!@any_bits(w, low, width)) return o;
  if (@bits(w, low + width - 1, 1) == 0) *o++ = '+';
  return @wide_number(o, w, low, width, true);
}
static inline char* @wide_uoffset(char* o, @Word w, unsigned low, unsigned width) {
  if (!@any_bits(w, low, width)) return o;
  *o = '+';
  return @wide_number(o + 1, w, low, width, false);
}
static inline char* @wide_hex(char* o, @Word w, unsigned low, unsigned width) {
  unsigned at = (width - 1) / 4 * 4;
  while (at > 0 && @bits(w, low + at, width - at < 4 ? width - at : 4) == 0) at -= 4;
  for (;; at -= 4) {
    *o++ = "0123456789abcdef"[@bits(w, low + at, width - at < 4 ? width - at : 4)];
    if (at == 0) return o;
  }
}

)";
}

}  // namespace vireo::isa::generate
