// The device's side of common.h: attributes, and the functions that are one PTX
// instruction each.
#pragma once

#define KERNEL extern "C" __attribute__((global)) void
#define FN static inline __attribute__((device, always_inline))
#define CALLED static __attribute__((device, noinline))
#define SHARED static __attribute__((shared))
#define DYNAMIC(type, name) extern __attribute__((shared)) type name[];
#define CONSTANT static __attribute__((constant)) const
#define LAUNCHED(k)

FN u32 tid_x() { return __nvvm_read_ptx_sreg_tid_x(); }
FN u32 tid_y() { return __nvvm_read_ptx_sreg_tid_y(); }
FN u32 tid_z() { return __nvvm_read_ptx_sreg_tid_z(); }
FN u32 nt_x() { return __nvvm_read_ptx_sreg_ntid_x(); }
FN u32 nt_y() { return __nvvm_read_ptx_sreg_ntid_y(); }
FN u32 nt_z() { return __nvvm_read_ptx_sreg_ntid_z(); }
FN u32 cta_x() { return __nvvm_read_ptx_sreg_ctaid_x(); }
FN u32 cta_y() { return __nvvm_read_ptx_sreg_ctaid_y(); }
FN u32 cta_z() { return __nvvm_read_ptx_sreg_ctaid_z(); }
FN u32 nc_x() { return __nvvm_read_ptx_sreg_nctaid_x(); }
FN u32 nc_y() { return __nvvm_read_ptx_sreg_nctaid_y(); }

FN void barrier() { __syncthreads(); }
FN u32 barrier_count(bool p) { return __nvvm_bar0_popc(p); }
FN u32 barrier_and(bool p) { return __nvvm_bar0_and(p) != 0; }
FN u32 barrier_or(bool p) { return __nvvm_bar0_or(p) != 0; }
FN void warp_barrier(u32 m) { __nvvm_bar_warp_sync(m); }
FN u32 ballot(u32 m, bool p) { return __nvvm_vote_ballot_sync(m, p); }
FN u32 vote_any(u32 m, bool p) { return __nvvm_vote_any_sync(m, p); }
FN u32 vote_all(u32 m, bool p) { return __nvvm_vote_all_sync(m, p); }
FN u32 vote_uni(u32 m, bool p) { return __nvvm_vote_uni_sync(m, p); }
FN u32 shfl_idx(u32 m, u32 v, u32 b, u32 c) { return __nvvm_shfl_sync_idx_i32(m, v, b, c); }
FN u32 shfl_up(u32 m, u32 v, u32 b, u32 c) { return __nvvm_shfl_sync_up_i32(m, v, b, c); }
FN u32 shfl_down(u32 m, u32 v, u32 b, u32 c) { return __nvvm_shfl_sync_down_i32(m, v, b, c); }
FN u32 shfl_bfly(u32 m, u32 v, u32 b, u32 c) { return __nvvm_shfl_sync_bfly_i32(m, v, b, c); }
#if __CUDA_ARCH__ >= 700
FN u32 match_any(u32 m, u32 v) { return __nvvm_match_any_sync_i32(m, v); }
FN u32 match_any64(u32 m, u64 v) { return __nvvm_match_any_sync_i64(m, v); }
#endif
#if __CUDA_ARCH__ >= 800
FN u32 redux_add(u32 m, u32 v) { return __nvvm_redux_sync_add(v, m); }
FN u32 redux_min(u32 m, i32 v) { return __nvvm_redux_sync_min(v, m); }
FN u32 redux_umax(u32 m, u32 v) { return __nvvm_redux_sync_umax(v, m); }
FN u32 redux_xor(u32 m, u32 v) { return __nvvm_redux_sync_xor(v, m); }
#endif

FN void take(u32 *p) {
  while (__nvvm_atom_cas_gen_i((int *)p, 0, 1) != 0) {}
  __nvvm_membar_gl();
}
FN void take_counting(u32 *p) { // the registers of a lane that waits change
  u32 n = 0;
  while (__nvvm_atom_xchg_gen_i((int *)p, 1) != 0) n++;
  asm volatile("" : : "r"(n) : "memory");
  __nvvm_membar_gl();
}
FN void give(u32 *p) {
  __nvvm_membar_gl();
  __nvvm_atom_xchg_gen_i((int *)p, 0);
}

FN void atomic_add(u32 *p, u32 v) { __nvvm_atom_add_gen_i((int *)p, v); }
FN void atomic_min(i32 *p, i32 v) { __nvvm_atom_min_gen_i(p, v); }
FN void atomic_umin(u32 *p, u32 v) { __nvvm_atom_min_gen_ui(p, v); }
FN void atomic_max(i32 *p, i32 v) { __nvvm_atom_max_gen_i(p, v); }
FN void atomic_umax(u32 *p, u32 v) { __nvvm_atom_max_gen_ui(p, v); }
FN void atomic_and(u32 *p, u32 v) { __nvvm_atom_and_gen_i((int *)p, v); }
FN void atomic_or(u32 *p, u32 v) { __nvvm_atom_or_gen_i((int *)p, v); }
FN void atomic_xor(u32 *p, u32 v) { __nvvm_atom_xor_gen_i((int *)p, v); }
FN void atomic_add64(u64 *p, u64 v) { __nvvm_atom_add_gen_ll((long long *)p, v); }
FN void atomic_min64(i64 *p, i64 v) { __nvvm_atom_min_gen_ll(p, v); }
FN void atomic_umax64(u64 *p, u64 v) { __nvvm_atom_max_gen_ull(p, v); }

FN u32 prmt(u32 a, u32 b, u32 s) { return __nvvm_prmt(a, b, s); }
FN u32 mul_hi(u32 a, u32 b) { return __nvvm_mulhi_ui(a, b); }
FN i32 mul_hi(i32 a, i32 b) { return __nvvm_mulhi_i(a, b); }
FN u64 mul_hi(u64 a, u64 b) { return __nvvm_mulhi_ull(a, b); }
FN i64 mul_hi(i64 a, i64 b) { return __nvvm_mulhi_ll(a, b); }
FN i32 mul_24(i32 a, i32 b) { return __nvvm_mul24_i(a, b); }
FN u32 mul_24(u32 a, u32 b) { return __nvvm_mul24_ui(a, b); }
FN u32 sad(i32 a, i32 b, u32 c) { return __nvvm_sad_i(a, b, c); }
FN u32 sad(u32 a, u32 b, u32 c) { return __nvvm_sad_ui(a, b, c); }

#define ASM1(name, text)                                                                                               \
  FN u32 name(u32 a) { u32 d; asm(text " %0, %1;" : "=r"(d) : "r"(a)); return d; }
#define ASM2(name, text)                                                                                               \
  FN u32 name(u32 a, u32 b) { u32 d; asm(text " %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b)); return d; }
#define ASM3(name, text)                                                                                               \
  FN u32 name(u32 a, u32 b, u32 c) {                                                                                   \
    u32 d; asm(text " %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c)); return d;                                  \
  }
ASM3(bfe_u, "bfe.u32")
ASM3(bfe_s, "bfe.s32")
ASM1(find_u, "bfind.u32")
ASM1(find_s, "bfind.s32")
ASM1(find_shift, "bfind.shiftamt.u32")
ASM1(cnot, "cnot.b32")
ASM2(add_sat, "add.sat.s32")
ASM2(sub_sat, "sub.sat.s32")
ASM3(funnel_l, "shf.l.wrap.b32")
ASM3(funnel_r, "shf.r.wrap.b32")
ASM3(funnel_lc, "shf.l.clamp.b32")
ASM3(funnel_rc, "shf.r.clamp.b32")
ASM3(absdiff4, "vabsdiff4.u32.u32.u32.add")
ASM3(slct, "slct.u32.s32")
ASM3(mad_24, "mad24.lo.u32")
ASM3(mad_24_hi, "mad24.hi.u32")
ASM3(mad_hi, "mad.hi.u32")
ASM3(prmt_f4e, "prmt.b32.f4e")
ASM3(prmt_b4e, "prmt.b32.b4e")
ASM3(prmt_rc8, "prmt.b32.rc8")
ASM3(prmt_ecl, "prmt.b32.ecl")
ASM3(prmt_ecr, "prmt.b32.ecr")
ASM3(prmt_rc16, "prmt.b32.rc16")
ASM3(add4_sat, "vadd4.u32.u32.u32.sat")
ASM3(min2, "vmin2.s32.s32.s32")
#if __CUDA_ARCH__ >= 610
ASM3(dot4_u, "dp4a.u32.u32")
ASM3(dot4_s, "dp4a.s32.s32")
#endif
FN u32 bfi(u32 a, u32 b, u32 c, u32 e) {
  u32 d;
  asm("bfi.b32 %0, %1, %2, %3, %4;" : "=r"(d) : "r"(a), "r"(b), "r"(c), "r"(e));
  return d;
}
FN u64 bfi64(u64 a, u64 b, u32 c, u32 e) {
  u64 d;
  asm("bfi.b64 %0, %1, %2, %3, %4;" : "=l"(d) : "l"(a), "l"(b), "r"(c), "r"(e));
  return d;
}
FN u64 mad64(u64 a, u64 b, u64 c) {
  u64 d;
  asm("mad.lo.u64 %0, %1, %2, %3;" : "=l"(d) : "l"(a), "l"(b), "l"(c));
  return d;
}
FN u64 sad64(u64 a, u64 b, u64 c) {
  u64 d;
  asm("sad.u64 %0, %1, %2, %3;" : "=l"(d) : "l"(a), "l"(b), "l"(c));
  return d;
}
FN u64 bfe64(i64 a, u32 b, u32 c) {
  u64 d;
  asm("bfe.s64 %0, %1, %2, %3;" : "=l"(d) : "l"(a), "r"(b), "r"(c));
  return d;
}
template <int table> FN u32 lop3(u32 a, u32 b, u32 c) {
  u32 d;
  asm("lop3.b32 %0, %1, %2, %3, %4;" : "=r"(d) : "r"(a), "r"(b), "r"(c), "n"(table));
  return d;
}

// Arithmetic with the rounding direction in the name. Clang's intrinsics for some of these
// lose it (i2f_rz becomes a conversion to nearest), so they are written out.
#define ROUNDED(m)                                                                                                     \
  FN f32 add_##m(f32 a, f32 b) {                                                                                       \
    f32 d_; asm("add." #m ".f32" " %0, %1, %2;" : "=f"(d_) : "f"(a), "f"(b)); return d_; }                             \
  FN f32 mul_##m(f32 a, f32 b) {                                                                                       \
    f32 d_; asm("mul." #m ".f32" " %0, %1, %2;" : "=f"(d_) : "f"(a), "f"(b)); return d_; }                             \
  FN f32 div_##m(f32 a, f32 b) {                                                                                       \
    f32 d_; asm("div." #m ".f32" " %0, %1, %2;" : "=f"(d_) : "f"(a), "f"(b)); return d_; }                             \
  FN f32 fma_##m(f32 a, f32 b, f32 c) {                                                                                \
    f32 d_; asm("fma." #m ".f32" " %0, %1, %2, %3;" : "=f"(d_) : "f"(a), "f"(b), "f"(c)); return d_; }                 \
  FN f32 sqrt_##m(f32 a) { f32 d_; asm("sqrt." #m ".f32" " %0, %1;" : "=f"(d_) : "f"(a)); return d_; }                 \
  FN f32 rcp_##m(f32 a) { f32 d_; asm("rcp." #m ".f32" " %0, %1;" : "=f"(d_) : "f"(a)); return d_; }                   \
  FN f64 add_##m(f64 a, f64 b) {                                                                                       \
    f64 d_; asm("add." #m ".f64" " %0, %1, %2;" : "=d"(d_) : "d"(a), "d"(b)); return d_; }                             \
  FN f64 mul_##m(f64 a, f64 b) {                                                                                       \
    f64 d_; asm("mul." #m ".f64" " %0, %1, %2;" : "=d"(d_) : "d"(a), "d"(b)); return d_; }                             \
  FN f64 div_##m(f64 a, f64 b) {                                                                                       \
    f64 d_; asm("div." #m ".f64" " %0, %1, %2;" : "=d"(d_) : "d"(a), "d"(b)); return d_; }                             \
  FN f64 fma_##m(f64 a, f64 b, f64 c) {                                                                                \
    f64 d_; asm("fma." #m ".f64" " %0, %1, %2, %3;" : "=d"(d_) : "d"(a), "d"(b), "d"(c)); return d_; }                 \
  FN f64 sqrt_##m(f64 a) { f64 d_; asm("sqrt." #m ".f64" " %0, %1;" : "=d"(d_) : "d"(a)); return d_; }                 \
  FN f64 rcp_##m(f64 a) { f64 d_; asm("rcp." #m ".f64" " %0, %1;" : "=d"(d_) : "d"(a)); return d_; }                   \
  FN f32 narrow_##m(f64 a) { f32 d_; asm("cvt." #m ".f32.f64" " %0, %1;" : "=f"(d_) : "d"(a)); return d_; }            \
  FN i32 to_i32_##m(f32 a) { i32 d_; asm("cvt." #m "i.s32.f32" " %0, %1;" : "=r"(d_) : "f"(a)); return d_; }           \
  FN u32 to_u32_##m(f32 a) { u32 d_; asm("cvt." #m "i.u32.f32" " %0, %1;" : "=r"(d_) : "f"(a)); return d_; }           \
  FN i64 to_i64_##m(f32 a) { i64 d_; asm("cvt." #m "i.s64.f32" " %0, %1;" : "=l"(d_) : "f"(a)); return d_; }           \
  FN u64 to_u64_##m(f32 a) { u64 d_; asm("cvt." #m "i.u64.f32" " %0, %1;" : "=l"(d_) : "f"(a)); return d_; }           \
  FN i32 to_i32_##m(f64 a) { i32 d_; asm("cvt." #m "i.s32.f64" " %0, %1;" : "=r"(d_) : "d"(a)); return d_; }           \
  FN u32 to_u32_##m(f64 a) { u32 d_; asm("cvt." #m "i.u32.f64" " %0, %1;" : "=r"(d_) : "d"(a)); return d_; }           \
  FN i64 to_i64_##m(f64 a) { i64 d_; asm("cvt." #m "i.s64.f64" " %0, %1;" : "=l"(d_) : "d"(a)); return d_; }           \
  FN u64 to_u64_##m(f64 a) { u64 d_; asm("cvt." #m "i.u64.f64" " %0, %1;" : "=l"(d_) : "d"(a)); return d_; }           \
  FN f32 to_f32_##m(i32 a) { f32 d_; asm("cvt." #m ".f32.s32" " %0, %1;" : "=f"(d_) : "r"(a)); return d_; }            \
  FN f32 to_f32_##m(u32 a) { f32 d_; asm("cvt." #m ".f32.u32" " %0, %1;" : "=f"(d_) : "r"(a)); return d_; }            \
  FN f32 to_f32_##m(i64 a) { f32 d_; asm("cvt." #m ".f32.s64" " %0, %1;" : "=f"(d_) : "l"(a)); return d_; }            \
  FN f32 to_f32_##m(u64 a) { f32 d_; asm("cvt." #m ".f32.u64" " %0, %1;" : "=f"(d_) : "l"(a)); return d_; }            \
  FN f64 to_f64_##m(i64 a) { f64 d_; asm("cvt." #m ".f64.s64" " %0, %1;" : "=d"(d_) : "l"(a)); return d_; }            \
  FN f64 to_f64_##m(u64 a) { f64 d_; asm("cvt." #m ".f64.u64" " %0, %1;" : "=d"(d_) : "l"(a)); return d_; }
ROUNDED(rn)
ROUNDED(rz)
ROUNDED(rm)
ROUNDED(rp)

FN f32 fmin_(f32 a, f32 b) { return __nvvm_fmin_f(a, b); }
FN f32 fmax_(f32 a, f32 b) { return __nvvm_fmax_f(a, b); }
FN f64 fmin_(f64 a, f64 b) { return __nvvm_fmin_d(a, b); }
FN f64 fmax_(f64 a, f64 b) { return __nvvm_fmax_d(a, b); }
FN f32 saturate(f32 a) { return __nvvm_saturate_f(a); }
FN f32 floor_(f32 a) { return __nvvm_floor_f(a); }
FN f32 ceil_(f32 a) { return __nvvm_ceil_f(a); }
FN f32 trunc_(f32 a) { return __nvvm_trunc_f(a); }
FN f32 rint_(f32 a) { return __builtin_rintf(a); }
FN f32 round_(f32 a) { return __builtin_roundf(a); }
FN f64 floor_(f64 a) { return __nvvm_floor_d(a); }
FN f64 ceil_(f64 a) { return __nvvm_ceil_d(a); }
FN f64 trunc_(f64 a) { return __nvvm_trunc_d(a); }
FN f64 rint_(f64 a) { return __builtin_rint(a); }
FN f64 round_(f64 a) { return __builtin_round(a); }
FN f32 abs_(f32 a) { return __builtin_fabsf(a); }
FN f64 abs_(f64 a) { return __builtin_fabs(a); }
