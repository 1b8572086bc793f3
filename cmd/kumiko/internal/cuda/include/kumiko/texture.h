// Fetches by texture objects (CUDA C++ Programming Guide, "Texture Functions"). A launch file makes the object:
// {texture = "NAME"}. An element has the type of the fetch: a number or a vector of 2 or 4, of float, int, unsigned or
// their narrow types.
#pragma once
#include "vectors.h"

typedef unsigned long long cudaTextureObject_t;

#define __K_FETCHES(four, type, c)                                                                                     \
  static __device__ __forceinline__ void __k_fetch(four &d, cudaTextureObject_t t, int x) {                            \
    asm("tex.1d.v4." type ".s32 {%0, %1, %2, %3}, [%4, {%5}];"                                                         \
        : "=" c(d.x), "=" c(d.y), "=" c(d.z), "=" c(d.w) : "l"(t), "r"(x));                                            \
  }                                                                                                                    \
  static __device__ __forceinline__ void __k_fetch(four &d, cudaTextureObject_t t, float x) {                          \
    asm("tex.1d.v4." type ".f32 {%0, %1, %2, %3}, [%4, {%5}];"                                                         \
        : "=" c(d.x), "=" c(d.y), "=" c(d.z), "=" c(d.w) : "l"(t), "f"(x));                                            \
  }                                                                                                                    \
  static __device__ __forceinline__ void __k_fetch(four &d, cudaTextureObject_t t, float x, float y) {                 \
    asm("tex.2d.v4." type ".f32 {%0, %1, %2, %3}, [%4, {%5, %6}];"                                                     \
        : "=" c(d.x), "=" c(d.y), "=" c(d.z), "=" c(d.w) : "l"(t), "f"(x), "f"(y));                                    \
  }                                                                                                                    \
  static __device__ __forceinline__ void __k_fetch(four &d, cudaTextureObject_t t, float x, float y, float z) {        \
    asm("tex.3d.v4." type ".f32 {%0, %1, %2, %3}, [%4, {%5, %6, %7, %7}];"                                             \
        : "=" c(d.x), "=" c(d.y), "=" c(d.z), "=" c(d.w) : "l"(t), "f"(x), "f"(y), "f"(z));                            \
  }                                                                                                                    \
  static __device__ __forceinline__ void __k_fetch(four &d, cudaTextureObject_t t, int layer, float x) {               \
    asm("tex.a1d.v4." type ".f32 {%0, %1, %2, %3}, [%4, {%5, %6}];"                                                    \
        : "=" c(d.x), "=" c(d.y), "=" c(d.z), "=" c(d.w) : "l"(t), "r"(layer), "f"(x));                                \
  }                                                                                                                    \
  static __device__ __forceinline__ void __k_fetch(four &d, cudaTextureObject_t t, int layer, float x, float y) {      \
    asm("tex.a2d.v4." type ".f32 {%0, %1, %2, %3}, [%4, {%5, %6, %7, %7}];"                                            \
        : "=" c(d.x), "=" c(d.y), "=" c(d.z), "=" c(d.w) : "l"(t), "r"(layer), "f"(x), "f"(y));                        \
  }
__K_FETCHES(float4, "f32", "f")
__K_FETCHES(int4, "s32", "r")
__K_FETCHES(uint4, "u32", "r")
#undef __K_FETCHES

// The vector that a fetch gives for an element, and the element made of its components.
template <class T> struct __k_texel;
#define __K_TEXEL(T, wide, ...)                                                                                        \
  template <> struct __k_texel<T> {                                                                                    \
    typedef wide four;                                                                                                 \
    static __device__ T of(wide v) { return __VA_ARGS__; }                                                             \
  };
#define __K_TEXELS(T, base, wide)                                                                                      \
  __K_TEXEL(T, wide, (T)v.x)                                                                                           \
  __K_TEXEL(base##2, wide, {(T)v.x, (T)v.y})                                                                           \
  __K_TEXEL(base##4, wide, {(T)v.x, (T)v.y, (T)v.z, (T)v.w})
__K_TEXELS(float, float, float4)
__K_TEXELS(int, int, int4)
__K_TEXELS(short, short, int4)
__K_TEXELS(signed char, char, int4)
__K_TEXELS(unsigned, uint, uint4)
__K_TEXELS(unsigned short, ushort, uint4)
__K_TEXELS(unsigned char, uchar, uint4)
__K_TEXEL(char, int4, (char)v.x)
#undef __K_TEXELS
#undef __K_TEXEL

template <class T, class... A> static __device__ __forceinline__ T __k_fetched(cudaTextureObject_t t, A... at) {
  typename __k_texel<T>::four v;
  __k_fetch(v, t, at...);
  return __k_texel<T>::of(v);
}
template <class T> static __device__ __forceinline__ T tex1Dfetch(cudaTextureObject_t t, int x) {
  return __k_fetched<T>(t, x);
}
template <class T> static __device__ __forceinline__ T tex1D(cudaTextureObject_t t, float x) {
  return __k_fetched<T>(t, x);
}
template <class T> static __device__ __forceinline__ T tex2D(cudaTextureObject_t t, float x, float y) {
  return __k_fetched<T>(t, x, y);
}
template <class T> static __device__ __forceinline__ T tex3D(cudaTextureObject_t t, float x, float y, float z) {
  return __k_fetched<T>(t, x, y, z);
}
template <class T> static __device__ __forceinline__ T tex1DLayered(cudaTextureObject_t t, float x, int layer) {
  return __k_fetched<T>(t, layer, x);
}
template <class T>
static __device__ __forceinline__ T tex2DLayered(cudaTextureObject_t t, float x, float y, int layer) {
  return __k_fetched<T>(t, layer, x, y);
}
// Textures have one level of detail.
template <class T> static __device__ __forceinline__ T tex2DLod(cudaTextureObject_t t, float x, float y, float) {
  return __k_fetched<T>(t, x, y);
}
template <class T>
static __device__ __forceinline__ T tex3DLod(cudaTextureObject_t t, float x, float y, float z, float) {
  return __k_fetched<T>(t, x, y, z);
}
