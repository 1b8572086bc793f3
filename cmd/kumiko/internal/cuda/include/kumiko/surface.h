// Surface objects (CUDA C++ Programming Guide, "Surface Functions"): x is in bytes. An element has 1, 2, 4, 8 or 16.
#pragma once
#include "vectors.h"

typedef unsigned long long cudaSurfaceObject_t;
enum cudaSurfaceBoundaryMode { cudaBoundaryModeZero, cudaBoundaryModeClamp, cudaBoundaryModeTrap };

// Accesses of an element of a size in one mode, by the coordinates of a geometry.
#define __K_SULD(geometry, at, mode)                                                                                   \
  if (sizeof(T) == 1)                                                                                                  \
    asm volatile("suld.b." geometry ".b8." mode " {%0}, [%[s], " at "];" : "=h"(h) : __K_PLACE);                       \
  else if (sizeof(T) == 2)                                                                                             \
    asm volatile("suld.b." geometry ".b16." mode " {%0}, [%[s], " at "];" : "=h"(h) : __K_PLACE);                      \
  else if (sizeof(T) == 4)                                                                                             \
    asm volatile("suld.b." geometry ".b32." mode " {%0}, [%[s], " at "];" : "=r"(w[0]) : __K_PLACE);                   \
  else if (sizeof(T) == 8)                                                                                             \
    asm volatile("suld.b." geometry ".v2.b32." mode " {%0, %1}, [%[s], " at "];"                                       \
                 : "=r"(w[0]), "=r"(w[1]) : __K_PLACE);                                                                \
  else                                                                                                                 \
    asm volatile("suld.b." geometry ".v4.b32." mode " {%0, %1, %2, %3}, [%[s], " at "];"                               \
                 : "=r"(w[0]), "=r"(w[1]), "=r"(w[2]), "=r"(w[3]) : __K_PLACE);
#define __K_SUST(geometry, at, mode)                                                                                   \
  if (sizeof(T) == 1)                                                                                                  \
    asm volatile("sust.b." geometry ".b8." mode " [%[s], " at "], {%0};" ::"h"(h), __K_PLACE : "memory");              \
  else if (sizeof(T) == 2)                                                                                             \
    asm volatile("sust.b." geometry ".b16." mode " [%[s], " at "], {%0};" ::"h"(h), __K_PLACE : "memory");             \
  else if (sizeof(T) == 4)                                                                                             \
    asm volatile("sust.b." geometry ".b32." mode " [%[s], " at "], {%0};" ::"r"(w[0]), __K_PLACE : "memory");          \
  else if (sizeof(T) == 8)                                                                                             \
    asm volatile("sust.b." geometry ".v2.b32." mode " [%[s], " at "], {%0, %1};" ::"r"(w[0]), "r"(w[1]), __K_PLACE     \
                 : "memory");                                                                                          \
  else                                                                                                                 \
    asm volatile("sust.b." geometry ".v4.b32." mode " [%[s], " at "], {%0, %1, %2, %3};" ::"r"(w[0]), "r"(w[1]),       \
                 "r"(w[2]), "r"(w[3]), __K_PLACE : "memory");
#define __K_PLACE [s] "l"(s), [x] "r"(x), [y] "r"(y), [z] "r"(z)
#define __K_MODES(access, geometry, at)                                                                                \
  static_assert(sizeof(T) <= 16 && (sizeof(T) & (sizeof(T) - 1)) == 0, "an element of 1, 2, 4, 8 or 16 bytes");        \
  switch (mode) {                                                                                                      \
  case cudaBoundaryModeZero: access(geometry, at, "zero") break;                                                       \
  case cudaBoundaryModeClamp: access(geometry, at, "clamp") break;                                                     \
  case cudaBoundaryModeTrap: access(geometry, at, "trap") break;                                                       \
  }

#define __K_SURFACE(name, geometry, at, params, args)                                                                  \
  template <class T>                                                                                                   \
  static __device__ __forceinline__ void name##write(T v, cudaSurfaceObject_t s, params,                               \
                                                     cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {            \
    int y = 0, z = 0;                                                                                                  \
    unsigned short h = 0;                                                                                              \
    unsigned w[4] = {};                                                                                                \
    args __builtin_memcpy(sizeof(T) < 4 ? (void *)&h : w, &v, sizeof(T));                                              \
    __K_MODES(__K_SUST, geometry, at)                                                                                  \
  }                                                                                                                    \
  template <class T>                                                                                                   \
  static __device__ __forceinline__ void name##read(T *v, cudaSurfaceObject_t s, params,                               \
                                                    cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {             \
    int y = 0, z = 0;                                                                                                  \
    unsigned short h = 0;                                                                                              \
    unsigned w[4] = {};                                                                                                \
    args __K_MODES(__K_SULD, geometry, at) __builtin_memcpy(v, sizeof(T) < 4 ? (void *)&h : w, sizeof(T));             \
  }                                                                                                                    \
  template <class T>                                                                                                   \
  static __device__ __forceinline__ T name##read(cudaSurfaceObject_t s, params,                                        \
                                                 cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                \
    T v;                                                                                                               \
    name##read(&v, s, __K_GIVEN_##name, mode);                                                                         \
    return v;                                                                                                          \
  }
#define __K_AND ,
#define __K_GIVEN_surf1D x
#define __K_GIVEN_surf2D x, b
#define __K_GIVEN_surf3D x, b, c
#define __K_GIVEN_surf1DLayered x, layer
#define __K_GIVEN_surf2DLayered x, b, layer
__K_SURFACE(surf1D, "1d", "{%[x]}", int x, )
__K_SURFACE(surf2D, "2d", "{%[x], %[y]}", int x __K_AND int b, y = b;)
__K_SURFACE(surf3D, "3d", "{%[x], %[y], %[z], %[z]}", int x __K_AND int b __K_AND int c, y = b __K_AND z = c;)
__K_SURFACE(surf1DLayered, "a1d", "{%[z], %[x]}", int x __K_AND int layer, z = layer;)
__K_SURFACE(surf2DLayered, "a2d", "{%[z], %[x], %[y], %[y]}", int x __K_AND int b __K_AND int layer,
            y = b __K_AND z = layer;)
#undef __K_SURFACE
#undef __K_GIVEN_surf1D
#undef __K_GIVEN_surf2D
#undef __K_GIVEN_surf3D
#undef __K_GIVEN_surf1DLayered
#undef __K_GIVEN_surf2DLayered
#undef __K_AND
#undef __K_MODES
#undef __K_PLACE
#undef __K_SUST
#undef __K_SULD
