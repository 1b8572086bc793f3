// Timers as in CUDA's samples, written anew. They measure this machine.
#pragma once
#include <time.h>

struct StopWatchInterface {
  double begun, total; // seconds
  bool running;
};
inline double __k_now() {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
inline bool sdkCreateTimer(StopWatchInterface **t) { return *t = new StopWatchInterface{0, 0, false}, true; }
inline bool sdkDeleteTimer(StopWatchInterface **t) { return delete *t, *t = nullptr, true; }
inline bool sdkStartTimer(StopWatchInterface **t) { return (*t)->begun = __k_now(), (*t)->running = true, true; }
inline bool sdkStopTimer(StopWatchInterface **t) {
  if ((*t)->running) (*t)->total += __k_now() - (*t)->begun;
  return (*t)->running = false, true;
}
inline bool sdkResetTimer(StopWatchInterface **t) { return (*t)->total = 0, (*t)->begun = __k_now(), true; }
// In milliseconds.
inline float sdkGetTimerValue(StopWatchInterface **t) {
  return (float)(1e3 * ((*t)->total + ((*t)->running ? __k_now() - (*t)->begun : 0)));
}
inline float sdkGetAverageTimerValue(StopWatchInterface **t) { return sdkGetTimerValue(t); }
