// Declarations for the host's part of a file; clock is device code too.
#pragma once
#include "kumiko/library.h"
#define CLOCKS_PER_SEC 1000000
#define CLOCK_MONOTONIC 1
typedef long time_t;
struct timespec { time_t tv_sec; long tv_nsec; };
struct timeval { time_t tv_sec; long tv_usec; };
extern "C" {
time_t time(time_t *);
int clock_gettime(int, timespec *);
int gettimeofday(timeval *, void *);
}
