// What the kernels of this folder need of CUDA C++, so that clang compiles them
// without a CUDA toolkit.
#pragma once

#define KERNEL extern "C" __attribute__((global)) void
#define DEVICE __attribute__((device))
#define NOINLINE __attribute__((device, noinline))
#define SHARED static __attribute__((shared))
#define DYNSHARED extern __attribute__((shared))
#define CONSTANT __attribute__((constant))

typedef signed char s8;
typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef long long s64;
typedef unsigned long long u64;

#define tidx ((int)__nvvm_read_ptx_sreg_tid_x())
#define tidy ((int)__nvvm_read_ptx_sreg_tid_y())
#define tidz ((int)__nvvm_read_ptx_sreg_tid_z())
#define ctax ((int)__nvvm_read_ptx_sreg_ctaid_x())
#define ctay ((int)__nvvm_read_ptx_sreg_ctaid_y())
#define ctaz ((int)__nvvm_read_ptx_sreg_ctaid_z())
#define ntidx ((int)__nvvm_read_ptx_sreg_ntid_x())
#define ntidy ((int)__nvvm_read_ptx_sreg_ntid_y())
#define ntidz ((int)__nvvm_read_ptx_sreg_ntid_z())
#define nctax ((int)__nvvm_read_ptx_sreg_nctaid_x())
#define nctay ((int)__nvvm_read_ptx_sreg_nctaid_y())
#define nctaz ((int)__nvvm_read_ptx_sreg_nctaid_z())
#define gidx (ctax * ntidx + tidx)
