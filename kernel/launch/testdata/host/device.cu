#define C __attribute__((constant))
#define D __attribute__((device))
#define NI __attribute__((noinline))
#include "body.h"
extern "C" __attribute__((global)) void k(u64 *out, Big b, int n) { int i = __nvvm_read_ptx_sreg_tid_x() + 64*__nvvm_read_ptx_sreg_ctaid_x(); out[i] = body(i, b, n); }
