// Distributions of random numbers, for both generators (cuRAND Library, "Distributions"). Uniform numbers are above 0
// and at most 1. Normal ones come in pairs by the transform of Box and Muller ("A Note on the Generation of Random
// Normal Deviates", Annals of Mathematical Statistics 29(2), 1958): of two uniform numbers, one for the radius and one
// for the angle.
#pragma once

static __device__ inline float __k_uniform(unsigned x) { return x * 0x1p-32f + 0x1p-33f; }
static __device__ inline double __k_uniform_double(unsigned x, unsigned y) { // of 53 bits
  return (x ^ (unsigned long long)y << 21) * 0x1p-53 + 0x1p-54;
}
static __device__ inline float2 __k_normal(unsigned x, unsigned y) {
  const float turn = 6.2831855f; // 2 pi
  float r = sqrtf(-2 * logf(__k_uniform(x))), sine, cosine;
  __sincosf(y * (0x1p-32f * turn) + 0x1p-33f * turn, &sine, &cosine);
  return {r * sine, r * cosine};
}
// real is double: templates, because a file without these functions needs no logarithm of double precision.
template <class real> static __device__ inline double2 __k_normal_double(uint4 v) {
  real r = sqrt(-2 * log((real)__k_uniform_double(v.x, v.y))), angle = 2 * __k_uniform_double(v.z, v.w);
  return {r * sinpi(angle), r * cospi(angle)};
}

// The next two or four numbers, one after the other.
template <class state> static __device__ inline uint2 __k_two(state *s) {
  unsigned x = curand(s);
  return {x, curand(s)};
}
template <class state> static __device__ inline uint4 __k_four(state *s) {
  uint2 a = __k_two(s), b = __k_two(s);
  return {a.x, a.y, b.x, b.y};
}

template <class state> static __device__ inline float curand_uniform(state *s) { return __k_uniform(curand(s)); }
static __device__ inline double curand_uniform_double(curandStateXORWOW *s) {
  uint2 v = __k_two(s);
  return __k_uniform_double(v.x, v.y);
}
// Of 32 bits only, because this function takes one number of Philox, as cuRAND's reference says.
static __device__ inline double curand_uniform_double(curandStatePhilox4_32_10 *s) {
  return (curand(s) + 1.0) * 0x1p-32;
}
template <class state> static __device__ inline float2 curand_normal2(state *s) {
  uint2 v = __k_two(s);
  return __k_normal(v.x, v.y);
}
template <class state> static __device__ inline double2 curand_normal2_double(state *s) {
  return __k_normal_double<double>(__k_four(s));
}
// Numbers whose logarithm is normal.
template <class state> static __device__ inline float2 curand_log_normal2(state *s, float mean, float deviation) {
  float2 v = curand_normal2(s);
  return {expf(mean + deviation * v.x), expf(mean + deviation * v.y)};
}
template <class state, class real = double>
static __device__ inline double2 curand_log_normal2_double(state *s, double mean, double deviation) {
  double2 v = curand_normal2_double(s);
  return {exp((real)(mean + deviation * v.x)), exp((real)(mean + deviation * v.y))};
}

// One of a pair: the one kept, if the last pair was of the same distribution, or the first of a new one.
#define __K_ONE(number, pair, wanted, ...)                                                                             \
  if (pair.kind == wanted) return pair.kind = __k_none, pair.kept;                                                     \
  number##2 v = __VA_ARGS__;                                                                                           \
  pair.kind = wanted, pair.kept = v.y;                                                                                 \
  return v.x;
template <class state> static __device__ inline float curand_normal(state *s) {
  __K_ONE(float, s->single, __k_plain, curand_normal2(s))
}
template <class state> static __device__ inline double curand_normal_double(state *s) {
  __K_ONE(double, s->twice, __k_plain, curand_normal2_double(s))
}
template <class state> static __device__ inline float curand_log_normal(state *s, float mean, float deviation) {
  __K_ONE(float, s->single, __k_logarithmic, curand_log_normal2(s, mean, deviation))
}
template <class state> static __device__ inline double curand_log_normal_double(state *s, double mean, double deviation) {
  __K_ONE(double, s->twice, __k_logarithmic, curand_log_normal2_double(s, mean, deviation))
}
#undef __K_ONE

// Four numbers of Philox at once.
static __device__ inline float4 curand_uniform4(curandStatePhilox4_32_10 *s) {
  uint4 v = curand4(s);
  return {__k_uniform(v.x), __k_uniform(v.y), __k_uniform(v.z), __k_uniform(v.w)};
}
static __device__ inline double2 curand_uniform2_double(curandStatePhilox4_32_10 *s) {
  uint4 v = curand4(s);
  return {__k_uniform_double(v.x, v.y), __k_uniform_double(v.z, v.w)};
}
static __device__ inline float4 curand_normal4(curandStatePhilox4_32_10 *s) {
  uint4 v = curand4(s);
  float2 a = __k_normal(v.x, v.y), b = __k_normal(v.z, v.w);
  return {a.x, a.y, b.x, b.y};
}
