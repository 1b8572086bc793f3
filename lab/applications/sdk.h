// What programs use of the utilities of CUDA's SDK 4.2 (cutil.h, cutil_inline.h, sdkHelper.h, shrUtils.h and shrQATest.h),
// written anew: the library that implements them is published as machine code alone.
#pragma once
#include <cuda_runtime.h>
#include <helper_timer.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <algorithm>
using std::max;
using std::min;
typedef unsigned int uint;
#define CLAMP(x, low, high) MIN(MAX(x, low), high)
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))

static inline void sdk_check(cudaError_t e, const char *what, const char *file, int line) {
  if (e == cudaSuccess) return;
  fprintf(stderr, "%s:%d: %s: %s\n", file, line, what, cudaGetErrorString(e));
  exit(1);
}
#define cutilSafeCall(call) sdk_check((call), #call, __FILE__, __LINE__)
#define cutilCheckMsg(text) sdk_check(cudaGetLastError(), text, __FILE__, __LINE__)
#define cutilCheckError(call) ((void)(call))
#define CUDA_SAFE_CALL(call) cutilSafeCall(call)
#define CUDA_SAFE_CALL_NO_SYNC(call) cutilSafeCall(call)
#define CUT_SAFE_CALL(call) ((void)(call))
#define CUT_CHECK_ERROR(text) cutilCheckMsg(text)
#define CUT_EXIT(n, args) exit(0)
#define CUT_DEVICE_INIT(...) cutilSafeCall(cudaSetDevice(0))
#define CUT_BANK_CHECKER(array, index) array[index]
#define cutilBankChecker(array, index) array[index]
#define cutilDeviceSynchronize() cudaDeviceSynchronize()
#define cutilDeviceReset() cudaDeviceReset()
#define cutilDeviceInit(n, args) (cutilSafeCall(cudaSetDevice(0)), 0)
#define cutGetMaxGflopsDeviceId() 0
#define ConvertSMVer2Cores(major, minor) 32
#define _ConvertSMVer2Cores(major, minor) 32

// Timers have numbers.
static StopWatchInterface *sdk_timers[64];
static inline bool cutCreateTimer(unsigned *t) {
  static unsigned n;
  return *t = n++, sdkCreateTimer(&sdk_timers[*t]);
}
static inline bool cutStartTimer(unsigned t) { return sdkStartTimer(&sdk_timers[t]); }
static inline bool cutStopTimer(unsigned t) { return sdkStopTimer(&sdk_timers[t]); }
static inline bool cutResetTimer(unsigned t) { return sdkResetTimer(&sdk_timers[t]); }
static inline bool cutDeleteTimer(unsigned t) { return sdkDeleteTimer(&sdk_timers[t]); }
static inline float cutGetTimerValue(unsigned t) { return sdkGetTimerValue(&sdk_timers[t]); }
static inline float cutGetAverageTimerValue(unsigned t) { return sdkGetTimerValue(&sdk_timers[t]); }

// Arguments are -name and -name=value, with one line or two.
static inline const char *sdk_argument(int n, const char **args, const char *name) {
  for (int i = 1; i < n; i++) {
    const char *a = args[i] + strspn(args[i], "-");
    size_t k = strlen(name);
    if (strncmp(a, name, k) == 0 && (a[k] == 0 || a[k] == '=')) return a + k;
  }
  return nullptr;
}
static inline bool checkCmdLineFlag(int n, const char **args, const char *name) { return sdk_argument(n, args, name); }
#define cutCheckCmdLineFlag checkCmdLineFlag
#define shrCheckCmdLineFlag checkCmdLineFlag
static inline int getCmdLineArgumentInt(int n, const char **args, const char *name) {
  const char *a = sdk_argument(n, args, name);
  return a && *a ? atoi(a + 1) : 0;
}
static inline bool cutGetCmdLineArgumentstr(int n, const char **args, const char *name, char **value) {
  const char *a = sdk_argument(n, args, name);
  return *value = a && *a ? strdup(a + 1) : nullptr, *value;
}
static inline char *cutFindFilePath(const char *file, const char *) { return strdup(file); }

static inline void shrLog(const char *format, ...) {
  va_list all;
  va_start(all, format), vprintf(format, all), va_end(all);
}
#define LOGBOTH 0
#define MASTER 0
#define shrLogEx(mode, code, ...) shrLog(__VA_ARGS__)
#define shrSetLogFileName(name) ((void)0)
enum { QA_FAILED, QA_PASSED, QA_WAIVED };
#define shrQAStart(n, args) ((void)0)
#define shrQAFinishExit(n, args, status) (puts((status) == QA_PASSED ? "PASSED" : "FAILED"), exit((status) == QA_FAILED))

// Whether two arrays differ by a bound at most: each number, or the norm of all.
static inline bool compareData(const float *a, const float *b, unsigned n, float bound, float) {
  for (unsigned i = 0; i < n; i++)
    if (!(fabsf(a[i] - b[i]) <= bound)) return false;
  return true;
}
static inline bool sdkCompareL2fe(const float *a, const float *b, unsigned n, float bound) {
  double difference = 0, all = 0;
  for (unsigned i = 0; i < n; i++) difference += (a[i] - b[i]) * (a[i] - b[i]), all += a[i] * a[i];
  return sqrt(difference / all) < bound;
}
