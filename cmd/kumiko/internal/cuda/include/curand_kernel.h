// Random numbers in kernels (cuRAND Library, "Device API"): the generators XORWOW and Philox4_32_10, with uniform and
// normal distributions. For the same seed, sequence and offset the numbers are those of cuRAND, the normal ones but for
// errors of the logarithm, sine and cosine; a test compares them. The time that they take is not cuRAND's, because the
// instructions are others.
#pragma once
#include "cuda_runtime.h"
#include "kumiko/philox.h"
#include "kumiko/xorwow.h"
#pragma clang attribute push(__attribute__((nodebug)), apply_to = hasType(functionType))

// The second number of a pair, kept for the next call for the same distribution.
enum __k_kept_kind { __k_none, __k_plain, __k_logarithmic };
template <class number> struct __k_kept {
  number kept;
  __k_kept_kind kind;
};

struct curandStateXORWOW {
  unsigned d, v[5];
  __k_kept<float> single;
  __k_kept<double> twice;
};
struct curandStatePhilox4_32_10 {
  uint4 counter, block; // block: the numbers of counter
  uint2 key;
  unsigned next; // number of block
  __k_kept<float> single;
  __k_kept<double> twice;
};
typedef curandStateXORWOW curandStateXORWOW_t, curandState_t, curandState;
typedef curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;

// The other generators are not there.
#define __K_NO_GENERATOR(name)                                                                                         \
  struct __attribute__((unavailable("only XORWOW and Philox4_32_10 are there: use curandState"))) name;
__K_NO_GENERATOR(curandStateMRG32k3a)
__K_NO_GENERATOR(curandStateMRG32k3a_t)
__K_NO_GENERATOR(curandStateMtgp32)
__K_NO_GENERATOR(curandStateMtgp32_t)
__K_NO_GENERATOR(curandStateSobol32)
__K_NO_GENERATOR(curandStateSobol32_t)
__K_NO_GENERATOR(curandStateScrambledSobol32)
__K_NO_GENERATOR(curandStateScrambledSobol32_t)
__K_NO_GENERATOR(curandStateSobol64)
__K_NO_GENERATOR(curandStateSobol64_t)
__K_NO_GENERATOR(curandStateScrambledSobol64)
__K_NO_GENERATOR(curandStateScrambledSobol64_t)
#undef __K_NO_GENERATOR

// XORWOW: Marsaglia, "Xorshift RNGs", Journal of Statistical Software 8(14), 2003, page 5.
static __device__ inline void __k_step(unsigned (&v)[5]) {
  unsigned t = v[0] ^ v[0] >> 2;
  v[0] = v[1], v[1] = v[2], v[2] = v[3], v[3] = v[4];
  v[4] = v[4] ^ v[4] << 4 ^ t ^ t << 1;
}
static __device__ inline unsigned curand(curandStateXORWOW *s) {
  __k_step(s->v);
  return (s->d += 362437) + s->v[4];
}

// Skips n times 2^first numbers, without their effect on d.
static __device__ inline void __k_skip(curandStateXORWOW *s, unsigned long long n, int first) {
  for (int k = first - 7; n; n >>= 1, k++) {
    if (!(n & 1)) continue;
    unsigned r[5] = {};
    for (int i = 159; i >= 0; i--) { // Horner's rule
      __k_step(r);
      unsigned take = -(__k_xorwow_powers[k][i / 32] >> i % 32 & 1);
      for (int j = 0; j < 5; j++) r[j] ^= take & s->v[j];
    }
    for (int j = 0; j < 5; j++) s->v[j] = r[j];
  }
}
static __device__ inline void skipahead(unsigned long long n, curandStateXORWOW *s) {
  for (int i = n & 127; i > 0; i--) __k_step(s->v);
  __k_skip(s, n >> 7, 7);
  s->d += 362437 * (unsigned)n;
}
// A sequence is 2^67 numbers (cuRAND Library, "Bit Generation with XORWOW and MRG32k3a generators"): d is as before.
static __device__ inline void skipahead_sequence(unsigned long long n, curandStateXORWOW *s) { __k_skip(s, n, 67); }

// Marsaglia's start values, changed by the seed as AMD's hcRNG (hiprng_hcc.cpp) publishes it for this generator.
static __device__ inline void curand_init(unsigned long long seed, unsigned long long sequence,
                                          unsigned long long offset, curandStateXORWOW *s) {
  unsigned a = 1099087573u * ((unsigned)seed ^ 0xaad26b49), b = 2591861531u * ((unsigned)(seed >> 32) ^ 0xf7dcefdd);
  *s = {6615241 + a + b, {123456789 + a, 362436069 ^ a, 521288629 + b, 88675123 ^ b, 5783321 + a}, {}, {}};
  skipahead(offset, s);
  skipahead_sequence(sequence, s);
}

// Philox: the key is the seed, the upper half of the counter the sequence, and each value of the counter gives four
// numbers (cuRAND Library, "Bit Generation with Philox_4x32_10 generator").
static __device__ inline void __k_add(uint4 &c, unsigned long long n) {
  unsigned long long low = (c.x | (unsigned long long)c.y << 32) + n;
  if (low < n && !++c.z) c.w++;
  c.x = (unsigned)low, c.y = (unsigned)(low >> 32);
}
static __device__ inline void skipahead(unsigned long long n, curandStatePhilox4_32_10 *s) {
  s->next += n & 3, n >>= 2;
  if (s->next > 3) s->next -= 4, n++;
  __k_add(s->counter, n);
  s->block = __k_philox(s->counter, s->key);
}
static __device__ inline void skipahead_sequence(unsigned long long n, curandStatePhilox4_32_10 *s) {
  unsigned long long high = (s->counter.z | (unsigned long long)s->counter.w << 32) + n;
  s->counter.z = (unsigned)high, s->counter.w = (unsigned)(high >> 32);
  s->block = __k_philox(s->counter, s->key);
}
static __device__ inline void curand_init(unsigned long long seed, unsigned long long sequence,
                                          unsigned long long offset, curandStatePhilox4_32_10 *s) {
  *s = {};
  s->key = {(unsigned)seed, (unsigned)(seed >> 32)};
  s->counter.z = (unsigned)sequence, s->counter.w = (unsigned)(sequence >> 32);
  skipahead(offset, s);
}
static __device__ inline void __k_advance(curandStatePhilox4_32_10 *s) {
  __k_add(s->counter, 1);
  s->block = __k_philox(s->counter, s->key);
}
static __device__ inline unsigned curand(curandStatePhilox4_32_10 *s) {
  unsigned low = s->next & 1 ? s->block.y : s->block.x, high = s->next & 1 ? s->block.w : s->block.z;
  unsigned r = s->next & 2 ? high : low;
  if (++s->next == 4) s->next = 0, __k_advance(s);
  return r;
}
static __device__ inline uint4 curand4(curandStatePhilox4_32_10 *s) {
  uint4 a = s->block;
  __k_advance(s);
  uint4 b = s->block;
  switch (s->next) {
  case 0: return a;
  case 1: return {a.y, a.z, a.w, b.x};
  case 2: return {a.z, a.w, b.x, b.y};
  }
  return {a.w, b.x, b.y, b.z};
}

#include "kumiko/distributions.h"
#pragma clang attribute pop
