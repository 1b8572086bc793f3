// What the random kernels call, on the device and on the host alike. device.h and
// host.h say what FN, KERNEL and the intrinsics are; what is here is C++ that means
// the same on both.
#pragma once

typedef signed char i8;
typedef unsigned char u8;
typedef short i16;
typedef unsigned short u16;
typedef int i32;
typedef unsigned int u32;
typedef long long i64;
typedef unsigned long long u64;
typedef float f32;
typedef double f64;
typedef _Float16 f16;

struct alignas(4) c4 { i8 x, y, z, w; };
struct alignas(8) s4 { u16 x, y, z, w; };
struct alignas(8) i2 { i32 x, y; };
struct alignas(16) i4 { i32 x, y, z, w; };
struct alignas(8) f2 { f32 x, y; };
struct alignas(16) f4 { f32 x, y, z, w; };
struct alignas(16) d2 { f64 x, y; };
struct alignas(16) l2 { u64 x, y; };

#ifdef __CUDA__
#include "device.h"
#else
#include "host.h"
#endif

// A NaN's payload is not the same on both; numbers become bits, and bits numbers,
// with the one NaN of PTX's single precision, and the usual one of double precision.
FN u32 one_nan(u32 b) { return (b & 0x7fffffffu) > 0x7f800000u ? 0x7fffffffu : b; }
FN u64 one_nan(u64 b) { return (b & ~0ull >> 1) > 0x7ff0000000000000ull ? 0x7ff8000000000000ull : b; }
FN u32 bits(f32 x) { return one_nan(__builtin_bit_cast(u32, x)); }
FN u64 bits(f64 x) { return one_nan(__builtin_bit_cast(u64, x)); }
FN f32 number(u32 b) { return __builtin_bit_cast(f32, one_nan(b)); }
FN f64 number(u64 b) { return __builtin_bit_cast(f64, one_nan(b)); }
FN f32 sign_of(f32 x, f32 y) { return y != y ? x : __builtin_copysignf(x, y); }
FN f64 sign_of(f64 x, f64 y) { return y != y ? x : __builtin_copysign(x, y); }

// Division and remainder with a value for what C++ leaves undefined.
template <class T> FN T quo(T a, T b) { return b == 0 ? T(~a) : T(-1) < T(0) && b == T(-1) ? T(0 - a) : T(a / b); }
template <class T> FN T rem(T a, T b) { return b == 0 ? a : T(-1) < T(0) && b == T(-1) ? T(0) : T(a % b); }
template <class T> FN T least(T a, T b) { return a < b ? a : b; }
template <class T> FN T most(T a, T b) { return a > b ? a : b; }
template <class T> FN T mag(T a) { return a < T(0) ? T(0 - a) : a; }
FN u32 zeros(u32 a) { return a ? __builtin_clz(a) : 32; }
FN u32 zeros(u64 a) { return a ? __builtin_clzll(a) : 64; }
FN u32 tail(u32 a) { return a ? __builtin_ctz(a) : 32; }
FN u32 tail(u64 a) { return a ? __builtin_ctzll(a) : 64; }

FN u32 threads() { return nt_x() * nt_y() * nt_z(); }
FN u32 linear() { return (tid_z() * nt_y() + tid_y()) * nt_x() + tid_x(); }
FN u32 cta() { return (cta_z() * nc_y() + cta_y()) * nc_x() + cta_x(); }
FN u32 lane() { return linear() & 31; }
// The lanes of the warp that are threads of the block.
FN u32 present() {
  u32 n = threads() - (linear() & ~31u);
  return n >= 32 ? ~0u : (1u << n) - 1;
}

FN u64 shfl64(u32 m, u64 v, u32 b) {
  u32 lo = shfl_idx(m, (u32)v, b, 31), hi = shfl_idx(m, (u32)(v >> 32), b, 31);
  return (u64)hi << 32 | lo;
}
FN f32 shflf(u32 m, f32 v, u32 b) { return number(shfl_bfly(m, bits(v), b, 31)); }
