// assert stops the launch with the file, the line and the text (docs/ptx-semantics.md).
#include "kumiko/library.h"
#undef assert
#ifdef NDEBUG
#define assert(e) ((void)0)
#elif defined __CUDA_ARCH__
#define assert(e) ((e) ? (void)0 : __assertfail(#e, __FILE__, __LINE__, __func__, 1))
#else
#define assert(e) ((void)(e))
#endif
