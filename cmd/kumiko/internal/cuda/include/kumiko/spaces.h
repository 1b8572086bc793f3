// Addresses and state spaces (CUDA C++ Programming Guide, "Address Space Predicate Functions" and "Address Space
// Conversion Functions").
#pragma once
#include "qualifiers.h"

#define __K_SPACE(Name, name)                                                                                          \
  __K_FN size_t __cvta_generic_to_##name(const void *p) {                                                              \
    size_t a;                                                                                                          \
    asm("cvta.to." #name ".u64 %0, %1;" : "=l"(a) : "l"((uint64_t)p));                                                 \
    return a;                                                                                                          \
  }                                                                                                                    \
  __K_FN void *__cvta_##name##_to_generic(size_t a) {                                                                  \
    uint64_t p;                                                                                                        \
    asm("cvta." #name ".u64 %0, %1;" : "=l"(p) : "l"(a));                                                              \
    return (void *)p;                                                                                                  \
  }                                                                                                                    \
  __K_FN unsigned __is##Name(const void *p) {                                                                          \
    unsigned is;                                                                                                       \
    asm("{ .reg .pred p; isspacep." #name " p, %1; selp.u32 %0, 1, 0, p; }" : "=r"(is) : "l"((uint64_t)p));            \
    return is;                                                                                                         \
  }
__K_SPACE(Global, global)
__K_SPACE(Shared, shared)
__K_SPACE(Local, local)
__K_SPACE(Constant, const)
#undef __K_SPACE
__K_FN size_t __cvta_generic_to_constant(const void *p) { return __cvta_generic_to_const(p); }
__K_FN void *__cvta_constant_to_generic(size_t a) { return __cvta_const_to_generic(a); }
