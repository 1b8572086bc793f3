// Qualifiers and attributes of CUDA C++ (CUDA C++ Programming Guide, "C++ Language Extensions") as clang's attributes.
#pragma once
#include <stddef.h>
#include <stdint.h>

#define __CUDACC__ 1
// Headers of others ask for these to know that the runtime is there.
#define __CUDA_RUNTIME_H__
#define __DRIVER_TYPES_H__
#define __HOST_DEFINES_H__
#define CUDART_VERSION 12000
#define CUDA_VERSION 12000

#ifdef __CUDA__
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#ifdef __KUMIKO_APPLICATION // the runtime knows a managed variable by the section of its host's part
#define __managed__ __attribute__((device, section("kumiko_managed")))
#else
#define __managed__ __attribute__((device))
#endif
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#else // a file of the host alone
#define __host__
#define __device__
#endif
#define __forceinline__ inline __attribute__((always_inline))
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __grid_constant__

#ifndef __KUMIKO_APPLICATION
// Functions of this folder. They are callable from both sides, and the host's side is never compiled.
#define __K_FN static inline __attribute__((host, device, always_inline, unused))
// Longer ones; the compiler decides whether a call is inlined, as it does for a user's functions.
#define __K_LONG static inline __attribute__((host, device, unused))
#else
// Functions of the device, beside those of the host's C library, with which they share their names.
#define __K_FN static inline __attribute__((device, always_inline, unused))
#define __K_LONG static inline __attribute__((device, unused))
#endif
// Functions of both sides.
#ifdef __CUDA__
#define __K_BOTH static inline __attribute__((host, device, always_inline, unused))
#else
#define __K_BOTH static inline __attribute__((always_inline, unused))
#endif
// A function without an implementation: a call in device code is an error with the given text.
#define __K_ABSENT(text) __attribute__((device, unavailable(text)))
