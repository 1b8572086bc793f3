// Texture references, which CUDA had until version 11.
#pragma once
#include "kumiko/texture.h"
#include "driver_types.h"
#define cudaTextureType1D 1
#define cudaTextureType2D 2
#define cudaTextureType3D 3

template <class T, int dim = 1, cudaTextureReadMode mode = cudaReadModeElementType>
struct __attribute__((device_builtin_texture_type)) texture : public textureReference {
  texture(int normalized = 0, cudaTextureFilterMode filter = cudaFilterModePoint,
          cudaTextureAddressMode address = cudaAddressModeClamp);
};
extern "C" cudaChannelFormatDesc cudaCreateChannelDesc(int, int, int, int, cudaChannelFormatKind);
template <class T> cudaChannelFormatDesc cudaCreateChannelDesc();
template <class T, int dim, cudaTextureReadMode mode>
inline texture<T, dim, mode>::texture(int n, cudaTextureFilterMode f, cudaTextureAddressMode a) {
  normalized = n, filterMode = f;
  for (cudaTextureAddressMode &m : addressMode) m = a;
  channelDesc = cudaCreateChannelDesc<T>();
}

// In device code, a reference is its handle.
#ifdef __CUDA_ARCH__
#define __K_HANDLE(t)                                                                                                  \
  cudaTextureObject_t h;                                                                                               \
  asm("mov.b64 %0, %1;" : "=l"(h) : "l"(t));
#define __K_FETCH(name, dim, params, at)                                                                               \
  template <class T> static __device__ __forceinline__ T name(texture<T, dim, cudaReadModeElementType> t, params) {    \
    __K_HANDLE(t)                                                                                                      \
    return __k_fetched<T>(h, at);                                                                                      \
  }
#else
#define __K_FETCH(name, dim, params, at)                                                                               \
  template <class T> static __device__ T name(texture<T, dim, cudaReadModeElementType> t, params);
#endif
#define __K_AND ,
__K_FETCH(tex1Dfetch, 1, int x, x)
__K_FETCH(tex1D, 1, float x, x)
__K_FETCH(tex2D, 2, float x __K_AND float y, x __K_AND y)
__K_FETCH(tex3D, 3, float x __K_AND float y __K_AND float z, x __K_AND y __K_AND z)
#undef __K_FETCH
#undef __K_AND

template <class T, int d, cudaTextureReadMode m>
inline cudaError_t cudaBindTexture(size_t *o, const texture<T, d, m> &t, const void *p, const cudaChannelFormatDesc &c,
                                   size_t n = 0xffffffffu) {
  return cudaBindTexture(o, (const textureReference *)&t, p, &c, n);
}
template <class T, int d, cudaTextureReadMode m>
inline cudaError_t cudaBindTexture(size_t *o, const texture<T, d, m> &t, const void *p, size_t n = 0xffffffffu) {
  return cudaBindTexture(o, (const textureReference *)&t, p, &t.channelDesc, n);
}
template <class T, int d, cudaTextureReadMode m>
inline cudaError_t cudaBindTexture2D(size_t *o, const texture<T, d, m> &t, const void *p,
                                     const cudaChannelFormatDesc &c, size_t w, size_t h, size_t pitch) {
  return cudaBindTexture2D(o, (const textureReference *)&t, p, &c, w, h, pitch);
}
template <class T, int d, cudaTextureReadMode m>
inline cudaError_t cudaBindTextureToArray(const texture<T, d, m> &t, cudaArray_const_t a,
                                          const cudaChannelFormatDesc &c) {
  return cudaBindTextureToArray((const textureReference *)&t, a, &c);
}
template <class T, int d, cudaTextureReadMode m>
inline cudaError_t cudaBindTextureToArray(const texture<T, d, m> &t, cudaArray_const_t a) {
  return cudaBindTextureToArray((const textureReference *)&t, a, &t.channelDesc);
}
template <class T, int d, cudaTextureReadMode m> inline cudaError_t cudaUnbindTexture(const texture<T, d, m> &t) {
  return cudaUnbindTexture((const textureReference *)&t);
}
