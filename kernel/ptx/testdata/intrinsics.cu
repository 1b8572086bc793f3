#define G __attribute__((global))
#define D __attribute__((device))
#define S __attribute__((shared))
#define C __attribute__((constant))
typedef unsigned int u32; typedef unsigned long long u64;
extern "C" D int vprintf(const char*, const char*);
struct Big { int a; char b; double c[3]; float v[5]; };
C float coef[16] = {1,2,3.5f};
C struct { int a; char c[3]; float* p; } cs;
D int gtab[5] = {1,2,3};
D int *gp = &gtab[2];
D float garr[3][4] = {{1,2},{3}};
D const char msg[] = "hello %d\n";
extern S char dyn[];
D __attribute__((noinline)) float addf(float a, float b){ return a*b+1; }
D __attribute__((noinline)) float subf(float a, float b){ return a/b; }
typedef float (*fn)(float,float);
D fn table[2] = {addf, subf};
D __attribute__((noinline)) Big mk(Big x, int i){ x.a += i; x.c[i&1] *= 2; x.v[i%5]=i; return x; }

extern "C" G void k1(Big b, float *out, int n) {
  int i = __nvvm_read_ptx_sreg_tid_x();
  Big r = mk(b, i);
  out[i] = r.c[0] + r.a + r.v[n%5] + coef[i & 15] + gtab[n] + *gp + garr[i&1][n&3] + cs.a + cs.c[i%3];
}
extern "C" G void k2(float *out, int sel) {
  int i = __nvvm_read_ptx_sreg_tid_x();
  out[i] = table[sel](out[i], 3.0f);
}
extern "C" G void k3(int *out) {
  int i = __nvvm_read_ptx_sreg_tid_x();
  struct { int a; double d; } args = {i, 2.0};
  vprintf("x %d %f\n", (const char*)&args);
  S static int sh[64]; 
  ((int*)dyn)[i] = i; sh[i] = out[i];
  __nvvm_bar_sync(0);
  out[i] = sh[63-i] + ((int*)dyn)[i^1];
  int* q = out[i] > 3 ? sh : out;
  q[i] += 3;
}
extern "C" G void k4(int *out, u32 a, u32 b, u64 c, double d, float f) {
  int i = __nvvm_read_ptx_sreg_tid_x();
  u32 r = 0;
  r += __builtin_popcount(a)+__builtin_clz(b)+__builtin_popcountll(c)+__builtin_clzll(c)+__builtin_bitreverse32(a)+__builtin_bitreverse64(c);
  r += __nvvm_prmt(a,b,i);
  r += __nvvm_sad_i(a,b,i);
  r ^= __nvvm_mulhi_i(a,b); r+= __nvvm_mulhi_ui(a,b); r+= __nvvm_mulhi_ull(c,c+1);
  r += __nvvm_shfl_sync_down_i32(-1, r, 2, 31);
  r += __nvvm_shfl_sync_bfly_i32(-1, r, 1, 31);
  r += __nvvm_shfl_sync_idx_i32(-1, r, i, 31);
  r += __nvvm_vote_ballot_sync(-1, i&1);
  r += __nvvm_vote_any_sync(-1, r>3) + __nvvm_vote_all_sync(-1, r>5)+__nvvm_vote_uni_sync(-1, r>5);
  r += __nvvm_bar0_popc(i&1) + __nvvm_bar0_and(i>3) + __nvvm_bar0_or(i>7);
  r += __nvvm_activemask();
  r += __nvvm_atom_add_gen_i(out, 1); r += __nvvm_atom_max_gen_ui((u32*)out+1, 7); r += __nvvm_atom_cas_gen_ll((long long*)out+4, 1, 2);
  __nvvm_atom_add_gen_f((float*)out+20, 1.f); r += __nvvm_atom_inc_gen_ui((u32*)out+3, 5);
  __nvvm_membar_cta(); __nvvm_membar_gl(); __nvvm_membar_sys();
  r += __nvvm_d2i_rn(d)+ __nvvm_f2i_rz(f) + (int)__nvvm_ex2_approx_ftz_f(f) + (int)__nvvm_rsqrt_approx_f(f) + (int)__nvvm_saturate_f(f) + (int) __nvvm_sqrt_rn_d(d)+(int)__nvvm_rcp_rn_d(d);
  r += (int)__nvvm_fmin_f(f,2.f) + (int)__nvvm_ceil_f(f)+(int)__nvvm_floor_d(d)+ (long long)d + (u64)f + (int)__nvvm_round_f(f);
  r += __nvvm_read_ptx_sreg_clock()+__nvvm_read_ptx_sreg_laneid()+__nvvm_read_ptx_sreg_warpid()+__nvvm_read_ptx_sreg_smid()+__nvvm_read_ptx_sreg_lanemask_lt()+(u32)__nvvm_read_ptx_sreg_clock64();
  r += __builtin_bswap32(a) + (a << 7 | a >> 25) + (u32)(c << i | c >> (64-i)) + (c*c >> 3);
  r += c / (a+1) + c % 7 + (int)a / 3 + (long long)c / (int)b + a % b;
  unsigned char uc = a; signed char sc = b; short sh = a; r += uc + sc + sh + (unsigned char)(uc*3) + (sc >> 2);
  _Float16 h = f; h = h*h + (_Float16)2; r += (int)(float)h;
  __bf16 bb = f; r+= (int)(float)bb;
  switch(a) { case 0: r+=1; break; case 1: r*=3; break; case 2: r-=7; break; case 3: r ^= 5; break; case 4: r|=99; break; case 5: r/=3; break; case 6: r*=r; break; default: ; }
  if (f != f) __nvvm_exit(); 
  if (a==77) __builtin_trap();
  out[i] = r;
  asm volatile("{ .reg .pred p; .reg .u32 tmp<4>; setp.ne.u32 p, %0, 0; @p add.u32 tmp1, %0, 1; @!p mov.u32 tmp1, 5; st.global.u32 [%1], tmp1; @p bra $X; add.u32 tmp1, tmp1, 2; $X: }":: "r"(a), "l"(out));
}
