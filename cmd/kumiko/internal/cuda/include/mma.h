// Matrix functions of a warp (CUDA C++ Programming Guide, "Warp Matrix Functions"): D = A * B + C with A and B of half,
// and C and D of float or half, by PTX's wmma. The guide leaves the places of the elements in a fragment open; here
// they are those of PTX's registers. Only loads, stores and the same operation on each element mean something.
#pragma once
#include "cuda_fp16.h"
#pragma clang attribute push(__attribute__((nodebug)), apply_to = hasType(functionType))

namespace nvcuda {
namespace wmma {
struct matrix_a {};
struct matrix_b {};
struct accumulator {};
struct row_major {};
struct col_major {};
enum layout_t { mem_row_major, mem_col_major };

template <class number, int n> struct __k_elements {
  enum { num_elements = n };
  number x[n];
};
template <class number> struct __k_there { enum { value = 0 }; };

// A fragment that is not there has no definition.
template <class use, int m, int n, int k, class number, class layout = void> struct fragment {
  static_assert(__k_there<number>::value, "fragments of half, and accumulators of float and half, in the shapes 16x16x16, "
                                     "32x8x16 and 8x32x16 are there; write others as asm(\"wmma...\")");
};
template <int n> __K_FN unsigned *__k_words(half (&x)[n]) { return reinterpret_cast<unsigned *>(x); }

#define __K_IN4(c, p) "=" c(p[0]), "=" c(p[1]), "=" c(p[2]), "=" c(p[3])
#define __K_IN8(c, p) __K_IN4(c, p), "=" c(p[4]), "=" c(p[5]), "=" c(p[6]), "=" c(p[7])
#define __K_OF4(c, p) c(p[0]), c(p[1]), c(p[2]), c(p[3])
#define __K_OF8(c, p) __K_OF4(c, p), c(p[4]), c(p[5]), c(p[6]), c(p[7])
#define __K_LIST4 "{%0, %1, %2, %3}"
#define __K_LIST8 "{%0, %1, %2, %3, %4, %5, %6, %7}"

// Loads of A or B.
#define __K_OPERAND(use, letter, m, n, k, shape, layout, order)                                                        \
  template <> struct fragment<use, m, n, k, half, layout> : __k_elements<half, 16> {};                                 \
  __K_FN void load_matrix_sync(fragment<use, m, n, k, half, layout> &f, const half *from, unsigned ld) {               \
    unsigned *w = __k_words(f.x);                                                                                      \
    asm volatile("wmma.load." letter ".sync.aligned." order "." shape ".f16 " __K_LIST8 ", [%8], %9;"                  \
                 : __K_IN8("r", w) : "l"(from), "r"(ld) : "memory");                                                   \
  }
// Loads and stores of C and D.
#define __K_MOVES(m, n, k, shape, T, type, c, p, list, in, of, at, stride)                                             \
  template <> struct fragment<accumulator, m, n, k, T> : __k_elements<T, 8> {};                                        \
  __K_FN void load_matrix_sync(fragment<accumulator, m, n, k, T> &f, const T *from, unsigned ld, layout_t layout) {    \
    auto *w = p(f.x);                                                                                                  \
    if (layout == mem_row_major)                                                                                       \
      asm volatile("wmma.load.c.sync.aligned.row." shape "." type " " list ", [" at "], " stride ";"                   \
                   : in(c, w) : "l"(from), "r"(ld) : "memory");                                                        \
    else                                                                                                               \
      asm volatile("wmma.load.c.sync.aligned.col." shape "." type " " list ", [" at "], " stride ";"                   \
                   : in(c, w) : "l"(from), "r"(ld) : "memory");                                                        \
  }                                                                                                                    \
  __K_FN void store_matrix_sync(T *to, const fragment<accumulator, m, n, k, T> &f, unsigned ld, layout_t layout) {     \
    auto *w = p(const_cast<T(&)[8]>(f.x));                                                                             \
    if (layout == mem_row_major)                                                                                       \
      asm volatile("wmma.store.d.sync.aligned.row." shape "." type " [" at "], " list ", " stride ";"                  \
                   ::of(c, w), "l"(to), "r"(ld) : "memory");                                                           \
    else                                                                                                               \
      asm volatile("wmma.store.d.sync.aligned.col." shape "." type " [" at "], " list ", " stride ";"                  \
                   ::of(c, w), "l"(to), "r"(ld) : "memory");                                                           \
  }
__K_FN float *__k_floats(float (&x)[8]) { return x; }

// The product, by the layouts of A and B and the types of D and C.
#define __K_FLOATS "{%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9, %10, %11, %12, %13, %14, %15}, "                        \
                   "{%16, %17, %18, %19, %20, %21, %22, %23}, {%24, %25, %26, %27, %28, %29, %30, %31};"
#define __K_HALVES "{%0, %1, %2, %3}, {%4, %5, %6, %7, %8, %9, %10, %11}, "                                            \
                   "{%12, %13, %14, %15, %16, %17, %18, %19}, {%20, %21, %22, %23};"
#define __K_PRODUCT(m, n, k, shape, A, B, orders, T, types, c, p, list, in, of)                                        \
  __K_FN void mma_sync(fragment<accumulator, m, n, k, T> &d, const fragment<matrix_a, m, n, k, half, A> &a,            \
                       const fragment<matrix_b, m, n, k, half, B> &b, const fragment<accumulator, m, n, k, T> &f) {    \
    auto *wd = p(d.x), *wc = p(const_cast<T(&)[8]>(f.x));                                                              \
    unsigned *wa = __k_words(const_cast<half(&)[16]>(a.x)), *wb = __k_words(const_cast<half(&)[16]>(b.x));             \
    asm volatile("wmma.mma.sync.aligned." orders "." shape "." types " " list                                          \
                 : in(c, wd) : __K_OF8("r", wa), __K_OF8("r", wb), of(c, wc));                                         \
  }
#define __K_PRODUCTS(m, n, k, shape, A, B, orders)                                                                     \
  __K_PRODUCT(m, n, k, shape, A, B, orders, float, "f32.f32", "f", __k_floats, __K_FLOATS, __K_IN8, __K_OF8)           \
  __K_PRODUCT(m, n, k, shape, A, B, orders, half, "f16.f16", "r", __k_words, __K_HALVES, __K_IN4, __K_OF4)
#define __K_SHAPE(m, n, k, shape)                                                                                      \
  __K_OPERAND(matrix_a, "a", m, n, k, shape, row_major, "row")                                                         \
  __K_OPERAND(matrix_a, "a", m, n, k, shape, col_major, "col")                                                         \
  __K_OPERAND(matrix_b, "b", m, n, k, shape, row_major, "row")                                                         \
  __K_OPERAND(matrix_b, "b", m, n, k, shape, col_major, "col")                                                         \
  __K_MOVES(m, n, k, shape, float, "f32", "f", __k_floats, __K_LIST8, __K_IN8, __K_OF8, "%8", "%9")                    \
  __K_MOVES(m, n, k, shape, half, "f16", "r", __k_words, __K_LIST4, __K_IN4, __K_OF4, "%4", "%5")                      \
  __K_PRODUCTS(m, n, k, shape, row_major, row_major, "row.row")                                                        \
  __K_PRODUCTS(m, n, k, shape, row_major, col_major, "row.col")                                                        \
  __K_PRODUCTS(m, n, k, shape, col_major, row_major, "col.row")                                                        \
  __K_PRODUCTS(m, n, k, shape, col_major, col_major, "col.col")
__K_SHAPE(16, 16, 16, "m16n16k16")
__K_SHAPE(32, 8, 16, "m32n8k16")
__K_SHAPE(8, 32, 16, "m8n32k16")
#undef __K_SHAPE
#undef __K_PRODUCTS
#undef __K_PRODUCT
#undef __K_HALVES
#undef __K_FLOATS
#undef __K_LIST4
#undef __K_OF4
#undef __K_IN4
#undef __K_MOVES
#undef __K_OPERAND
#undef __K_LIST8
#undef __K_OF8
#undef __K_IN8

template <class use, int m, int n, int k, class number, class layout>
static __device__ __forceinline__ void fill_fragment(fragment<use, m, n, k, number, layout> &f, const number &v) {
  for (number &x : f.x) x = v;
}
} // namespace wmma
} // namespace nvcuda
#pragma clang attribute pop
