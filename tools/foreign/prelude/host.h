// The host's side of common.h. A thread of a block is a fibre of runtime.cpp; the
// functions here that meet other threads end in rt_barrier and rt_warp. The others are
// written after the definitions of the PTX ISA, bit by bit where that is shorter than
// to argue that a faster way is the same.
#pragma once
#include "runtime.h"

#define KERNEL extern "C" void
#define FN static inline __attribute__((always_inline))
#define CALLED static __attribute__((noinline))
#define SHARED static
#define DYNAMIC(type, name) static type name[48 << 10];
#define CONSTANT static const
#define LAUNCHED(k) static rt::Entry entry_##k{#k, rt::invoke<k>};

FN u32 tid_x() { return rt_now->tid[0]; }
FN u32 tid_y() { return rt_now->tid[1]; }
FN u32 tid_z() { return rt_now->tid[2]; }
FN u32 nt_x() { return rt_block[0]; }
FN u32 nt_y() { return rt_block[1]; }
FN u32 nt_z() { return rt_block[2]; }
FN u32 cta_x() { return rt_cta[0]; }
FN u32 cta_y() { return rt_cta[1]; }
FN u32 cta_z() { return rt_cta[2]; }
FN u32 nc_x() { return rt_grid[0]; }
FN u32 nc_y() { return rt_grid[1]; }

FN void barrier() { rt_barrier(0); }
FN u32 barrier_count(bool p) { return rt_barrier(p); }
FN u32 barrier_and(bool p) { return rt_barrier(p) == rt_came; }
FN u32 barrier_or(bool p) { return rt_barrier(p) != 0; }
FN void warp_barrier(u32 m) { rt_warp(rt_vote, m, 0, 0, 0); }
FN u32 ballot(u32 m, bool p) { return rt_warp(rt_vote, m, p, 0, 0); }
FN u32 vote_any(u32 m, bool p) { return ballot(m, p) != 0; }
FN u32 vote_all(u32 m, bool p) { return rt_warp(rt_every, m, p, 0, 0); }
FN u32 vote_uni(u32 m, bool p) { return rt_warp(rt_same, m, p, 0, 0); }
FN u32 shfl_idx(u32 m, u32 v, u32 b, u32 c) { return rt_warp(rt_idx, m, v, b, c); }
FN u32 shfl_up(u32 m, u32 v, u32 b, u32 c) { return rt_warp(rt_up, m, v, b, c); }
FN u32 shfl_down(u32 m, u32 v, u32 b, u32 c) { return rt_warp(rt_down, m, v, b, c); }
FN u32 shfl_bfly(u32 m, u32 v, u32 b, u32 c) { return rt_warp(rt_bfly, m, v, b, c); }
FN u32 match_any(u32 m, u32 v) { return rt_warp(rt_match, m, v, 0, 0); }
FN u32 match_any64(u32 m, u64 v) { return rt_warp(rt_match, m, v, 0, 0); }
FN u32 redux_add(u32 m, u32 v) { return rt_warp(rt_add, m, v, 0, 0); }
FN u32 redux_min(u32 m, i32 v) { return rt_warp(rt_min, m, (u32)v, 0, 0); }
FN u32 redux_umax(u32 m, u32 v) { return rt_warp(rt_umax, m, v, 0, 0); }
FN u32 redux_xor(u32 m, u32 v) { return rt_warp(rt_xor, m, v, 0, 0); }

// A lock, held by one thread at a time.
FN void take(u32 *p) {
  while (*(volatile u32 *)p) rt_wait();
  *p = 1;
}
FN void take_counting(u32 *p) { take(p); }
FN void give(u32 *p) { *p = 0; }

// One thread runs at a time, so nothing comes between.
FN void atomic_add(u32 *p, u32 v) { *p += v; }
FN void atomic_min(i32 *p, i32 v) { if (v < *p) *p = v; }
FN void atomic_umin(u32 *p, u32 v) { if (v < *p) *p = v; }
FN void atomic_max(i32 *p, i32 v) { if (v > *p) *p = v; }
FN void atomic_umax(u32 *p, u32 v) { if (v > *p) *p = v; }
FN void atomic_and(u32 *p, u32 v) { *p &= v; }
FN void atomic_or(u32 *p, u32 v) { *p |= v; }
FN void atomic_xor(u32 *p, u32 v) { *p ^= v; }
FN void atomic_add64(u64 *p, u64 v) { *p += v; }
FN void atomic_min64(i64 *p, i64 v) { if (v < *p) *p = v; }
FN void atomic_umax64(u64 *p, u64 v) { if (v > *p) *p = v; }

FN u32 prmt(u32 a, u32 b, u32 s) {
  u64 from = (u64)b << 32 | a;
  u32 d = 0;
  for (int i = 0; i < 4; i++) {
    u32 pick = s >> 4 * i & 15, byte = (u32)(from >> 8 * (pick & 7)) & 0xff;
    if (pick & 8) byte = byte & 0x80 ? 0xff : 0;
    d |= byte << 8 * i;
  }
  return d;
}
// The modes of prmt: the bytes from s on upwards, downwards, one byte, the bytes up to s or
// from s on held there, one half.
template <class F> FN u32 bytes_by(u32 a, u32 b, F place) {
  u32 d = 0;
  for (u32 i = 0; i < 4; i++) d |= ((u32)(((u64)b << 32 | a) >> 8 * (place(i) & 7)) & 0xff) << 8 * i;
  return d;
}
FN u32 prmt_f4e(u32 a, u32 b, u32 s) { return bytes_by(a, b, [=](u32 i) { return (s & 3) + i; }); }
FN u32 prmt_b4e(u32 a, u32 b, u32 s) { return bytes_by(a, b, [=](u32 i) { return (s & 3) - i; }); }
FN u32 prmt_rc8(u32 a, u32 b, u32 s) { return bytes_by(a, b, [=](u32) { return s & 3; }); }
FN u32 prmt_ecl(u32 a, u32 b, u32 s) { return bytes_by(a, b, [=](u32 i) { return i > (s & 3) ? i : s & 3; }); }
FN u32 prmt_ecr(u32 a, u32 b, u32 s) { return bytes_by(a, b, [=](u32 i) { return i < (s & 3) ? i : s & 3; }); }
FN u32 prmt_rc16(u32 a, u32 b, u32 s) { return bytes_by(a, b, [=](u32 i) { return (i & 1) + 2 * (s & 1); }); }
FN u32 add4_sat(u32 a, u32 b, u32) {
  u32 d = 0;
  for (int i = 0; i < 32; i += 8) {
    u32 v = (a >> i & 0xff) + (b >> i & 0xff);
    d |= (v > 255 ? 255 : v) << i;
  }
  return d;
}
FN u32 min2(u32 a, u32 b, u32) {
  i16 al = (i16)a, ah = (i16)(a >> 16), bl = (i16)b, bh = (i16)(b >> 16);
  return (u32)(u16)(ah < bh ? ah : bh) << 16 | (u16)(al < bl ? al : bl);
}
FN u32 mad_24(u32 a, u32 b, u32 c) { return (a & 0xffffff) * (b & 0xffffff) + c; }
FN u32 mad_24_hi(u32 a, u32 b, u32 c) { return (u32)((u64)(a & 0xffffff) * (b & 0xffffff) >> 16) + c; }
FN u32 mad_hi(u32 a, u32 b, u32 c) { return (u32)((u64)a * b >> 32) + c; }
FN u64 mad64(u64 a, u64 b, u64 c) { return a * b + c; }
FN u64 sad64(u64 a, u64 b, u64 c) { return c + (a < b ? b - a : a - b); }
FN u32 mul_hi(u32 a, u32 b) { return (u32)((u64)a * b >> 32); }
FN i32 mul_hi(i32 a, i32 b) { return (i32)((i64)a * b >> 32); }
FN u64 mul_hi(u64 a, u64 b) { return (u64)((unsigned __int128)a * b >> 64); }
FN i64 mul_hi(i64 a, i64 b) { return (i64)((__int128)a * b >> 64); }
FN i32 mul_24(i32 a, i32 b) { return (i32)((u32)((i32)((u32)a << 8) >> 8) * (u32)((i32)((u32)b << 8) >> 8)); }
FN u32 mul_24(u32 a, u32 b) { return (a & 0xffffff) * (b & 0xffffff); }
FN u32 sad(i32 a, i32 b, u32 c) { return c + (a < b ? (u32)b - (u32)a : (u32)a - (u32)b); }
FN u32 sad(u32 a, u32 b, u32 c) { return c + (a < b ? b - a : a - b); }

FN u64 field(u64 a, u32 b, u32 c, u32 top, bool is_signed) {
  u32 pos = b & 0xff, len = c & 0xff;
  u32 last = pos + len - 1 < top ? pos + len - 1 : top;
  u64 sign = is_signed && len != 0 ? a >> last & 1 : 0, d = 0;
  for (u32 i = 0; i <= top; i++) d |= (i < len && pos + i <= top ? a >> (pos + i) & 1 : sign) << i;
  return d;
}
FN u32 bfe_u(u32 a, u32 b, u32 c) { return (u32)field(a, b, c, 31, false); }
FN u32 bfe_s(u32 a, u32 b, u32 c) { return (u32)field(a, b, c, 31, true); }
FN u64 bfe64(i64 a, u32 b, u32 c) { return field((u64)a, b, c, 63, true); }
FN u32 bfi(u32 a, u32 b, u32 c, u32 e) {
  u32 pos = c & 0xff, len = e & 0xff, d = b;
  for (u32 i = 0; i < len && pos + i <= 31; i++) d = (d & ~(1u << (pos + i))) | (a >> i & 1) << (pos + i);
  return d;
}
FN u64 bfi64(u64 a, u64 b, u32 c, u32 e) {
  u32 pos = c & 0xff, len = e & 0xff;
  for (u32 i = 0; i < len && pos + i <= 63; i++) b = (b & ~(1ull << (pos + i))) | (a >> i & 1) << (pos + i);
  return b;
}
FN u32 find_u(u32 a) {
  for (int i = 31; i >= 0; i--) if (a >> i & 1) return i;
  return ~0u;
}
FN u32 find_s(u32 a) { return find_u((i32)a < 0 ? ~a : a); }
FN u32 find_shift(u32 a) { return a ? 31 - find_u(a) : ~0u; }
FN u32 cnot(u32 a) { return a == 0; }
FN u32 clamped(i64 v) { return (u32)(i32)(v < -2147483648ll ? -2147483648ll : v > 2147483647ll ? 2147483647ll : v); }
FN u32 add_sat(u32 a, u32 b) { return clamped((i64)(i32)a + (i32)b); }
FN u32 sub_sat(u32 a, u32 b) { return clamped((i64)(i32)a - (i32)b); }
FN u32 funnel_left(u32 a, u32 b, u32 n) { return (u32)(((u64)b << 32 | a) << n >> 32); }
FN u32 funnel_right(u32 a, u32 b, u32 n) { return (u32)(((u64)b << 32 | a) >> n); }
FN u32 funnel_l(u32 a, u32 b, u32 c) { return funnel_left(a, b, c & 31); }
FN u32 funnel_r(u32 a, u32 b, u32 c) { return funnel_right(a, b, c & 31); }
FN u32 funnel_lc(u32 a, u32 b, u32 c) { return funnel_left(a, b, c < 32 ? c : 32); }
FN u32 funnel_rc(u32 a, u32 b, u32 c) { return funnel_right(a, b, c < 32 ? c : 32); }
FN u32 slct(u32 a, u32 b, u32 c) { return (i32)c >= 0 ? a : b; }
FN u32 absdiff4(u32 a, u32 b, u32 c) {
  for (int i = 0; i < 32; i += 8) {
    int x = a >> i & 0xff, y = b >> i & 0xff;
    c += x < y ? y - x : x - y;
  }
  return c;
}
FN u32 dot4_u(u32 a, u32 b, u32 c) {
  for (int i = 0; i < 32; i += 8) c += (a >> i & 0xff) * (b >> i & 0xff);
  return c;
}
FN u32 dot4_s(u32 a, u32 b, u32 c) {
  for (int i = 0; i < 32; i += 8) c += (u32)((i32)(i8)(a >> i) * (i32)(i8)(b >> i));
  return c;
}
template <int table> FN u32 lop3(u32 a, u32 b, u32 c) {
  u32 d = 0;
  for (int i = 0; i < 32; i++) d |= (u32)(table >> ((a >> i & 1) << 2 | (b >> i & 1) << 1 | (c >> i & 1)) & 1) << i;
  return d;
}

// A number that is integral, or would be after the rounding, as an integer of the
// range [least, most]. A NaN is 0, or the highest bit alone for a source or a result of
// 64 bits.
template <class T, class F> FN T integer(F x, F least, F beyond, bool wide) {
  if (x != x) return wide ? T(1) << (sizeof(T) * 8 - 1) : T(0);
  if (x < least) return T(-1) < T(0) ? T(1) << (sizeof(T) * 8 - 1) : T(0);
  if (x >= beyond) return T(-1) < T(0) ? T(~(T(1) << (sizeof(T) * 8 - 1))) : T(~T(0));
  return T(x);
}
#define ROUNDED(m, mode, whole)                                                                                        \
  FN f32 add_##m(f32 a, f32 b) { return rt_f32(rt_fadd, mode, a, b, 0); }                                              \
  FN f32 mul_##m(f32 a, f32 b) { return rt_f32(rt_fmul, mode, a, b, 0); }                                              \
  FN f32 div_##m(f32 a, f32 b) { return rt_f32(rt_fdiv, mode, a, b, 0); }                                              \
  FN f32 fma_##m(f32 a, f32 b, f32 c) { return rt_f32(rt_ffma, mode, a, b, c); }                                       \
  FN f32 sqrt_##m(f32 a) { return rt_f32(rt_fsqrt, mode, a, 0, 0); }                                                   \
  FN f32 rcp_##m(f32 a) { return rt_f32(rt_fdiv, mode, 1, a, 0); }                                                     \
  FN f64 add_##m(f64 a, f64 b) { return rt_f64(rt_fadd, mode, a, b, 0); }                                              \
  FN f64 mul_##m(f64 a, f64 b) { return rt_f64(rt_fmul, mode, a, b, 0); }                                              \
  FN f64 div_##m(f64 a, f64 b) { return rt_f64(rt_fdiv, mode, a, b, 0); }                                              \
  FN f64 fma_##m(f64 a, f64 b, f64 c) { return rt_f64(rt_ffma, mode, a, b, c); }                                       \
  FN f64 sqrt_##m(f64 a) { return rt_f64(rt_fsqrt, mode, a, 0, 0); }                                                   \
  FN f64 rcp_##m(f64 a) { return rt_f64(rt_fdiv, mode, 1, a, 0); }                                                     \
  FN f32 narrow_##m(f64 a) { return rt_narrow(mode, a); }                                                              \
  FN i32 to_i32_##m(f32 a) { return integer<i32, f32>(whole##f(a), -0x1p31f, 0x1p31f, false); }                        \
  FN u32 to_u32_##m(f32 a) { return integer<u32, f32>(whole##f(a), 0, 0x1p32f, false); }                               \
  FN i64 to_i64_##m(f32 a) { return integer<i64, f32>(whole##f(a), -0x1p63f, 0x1p63f, true); }                         \
  FN u64 to_u64_##m(f32 a) { return integer<u64, f32>(whole##f(a), 0, 0x1p64f, true); }                                \
  FN i32 to_i32_##m(f64 a) { return integer<i32, f64>(whole(a), -0x1p31, 0x1p31, true); }                              \
  FN u32 to_u32_##m(f64 a) { return integer<u32, f64>(whole(a), 0, 0x1p32, true); }                                    \
  FN i64 to_i64_##m(f64 a) { return integer<i64, f64>(whole(a), -0x1p63, 0x1p63, true); }                              \
  FN u64 to_u64_##m(f64 a) { return integer<u64, f64>(whole(a), 0, 0x1p64, true); }                                    \
  FN f32 to_f32_##m(i32 a) { return rt_single(mode, a); }                                                              \
  FN f32 to_f32_##m(u32 a) { return rt_single(mode, a); }                                                              \
  FN f32 to_f32_##m(i64 a) { return rt_single(mode, a); }                                                              \
  FN f32 to_f32_##m(u64 a) { return rt_single_u(mode, a); }                                                            \
  FN f64 to_f64_##m(i64 a) { return rt_double(mode, a); }                                                              \
  FN f64 to_f64_##m(u64 a) { return rt_double_u(mode, a); }
ROUNDED(rn, 0, __builtin_rint)
ROUNDED(rm, 1, __builtin_floor)
ROUNDED(rp, 2, __builtin_ceil)
ROUNDED(rz, 3, __builtin_trunc)

// The other operand of a NaN, and -0 below +0.
template <class F> FN F lesser(F a, F b) {
  return a != a ? b : b != b ? a : a == b ? (__builtin_copysign(1.0, a) < 0 ? a : b) : a < b ? a : b;
}
template <class F> FN F greater(F a, F b) {
  return a != a ? b : b != b ? a : a == b ? (__builtin_copysign(1.0, a) < 0 ? b : a) : a > b ? a : b;
}
FN f32 fmin_(f32 a, f32 b) { return lesser(a, b); }
FN f32 fmax_(f32 a, f32 b) { return greater(a, b); }
FN f64 fmin_(f64 a, f64 b) { return lesser(a, b); }
FN f64 fmax_(f64 a, f64 b) { return greater(a, b); }
FN f32 saturate(f32 a) { return a > 0 ? a < 1 ? a : 1.0f : 0.0f; }
FN f32 floor_(f32 a) { return __builtin_floorf(a); }
FN f32 ceil_(f32 a) { return __builtin_ceilf(a); }
FN f32 trunc_(f32 a) { return __builtin_truncf(a); }
FN f32 rint_(f32 a) { return __builtin_rintf(a); }
FN f32 round_(f32 a) { return __builtin_roundf(a); }
FN f64 floor_(f64 a) { return __builtin_floor(a); }
FN f64 ceil_(f64 a) { return __builtin_ceil(a); }
FN f64 trunc_(f64 a) { return __builtin_trunc(a); }
FN f64 rint_(f64 a) { return __builtin_rint(a); }
FN f64 round_(f64 a) { return __builtin_round(a); }
FN f32 abs_(f32 a) { return __builtin_fabsf(a); }
FN f64 abs_(f64 a) { return __builtin_fabs(a); }
