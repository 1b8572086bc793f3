/* Streams and events (CUDA C++ Programming Guide, "Streams", "Events"; CUDA Runtime API, "Stream synchronization
   behavior"). A launch has its effects when it is called; what is kept here is the order that its time has to follow.
   Copies take no time, so they have an order alone. */
#include "kumiko.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A point in the work: the launches that have ended there. Of each stream the last one is enough, because a stream runs
   its launches in order. */
struct mark { uint32_t stream, launch; };
struct point { struct mark *list; uint32_t n, room; };

struct CUstream_st {
  uint32_t number;    /* 0: the legacy default stream */
  int apart;          /* neither waits for the legacy default stream nor makes it wait: cudaStreamNonBlocking */
  struct point front; /* where the next work of this stream begins */
  struct CUstream_st *next;
};
struct CUevent_st {
  struct point at;
  uint32_t before; /* these launches too have ended, as ended was */
  uint64_t ns;     /* if timed */
  int recorded, timed, timeless;
};

static uint32_t launches; /* so far */
static uint32_t ended;    /* the launches up to this number have ended before anything that follows begins */
static struct point issued; /* the last launch of each stream */
static struct point waited; /* what the host has waited for */
static struct CUstream_st legacy, *streams;
static uint32_t last_number;             /* of a stream */
static uint32_t apart_count, last_apart; /* streams that are apart now, and the last launch in any */
static __thread struct CUstream_st *of_thread; /* cudaStreamPerThread */

static void add(struct point *p, struct mark m) {
  if (m.launch <= ended) return;
  uint32_t n = 0;
  int found = 0;
  for (uint32_t i = 0; i < p->n; i++) {
    struct mark *x = &p->list[i];
    if (x->launch <= ended) continue;
    if (x->stream == m.stream) {
      found = 1;
      if (x->launch < m.launch) x->launch = m.launch;
    }
    p->list[n++] = *x;
  }
  p->n = n;
  if (found) return;
  if (n == p->room && !(p->list = realloc(p->list, (p->room = 2 * n + 4) * sizeof *p->list)))
    k_die(2, "out of host memory for %u streams", n);
  p->list[p->n++] = m;
}
static void merge(struct point *p, const struct point *from) {
  for (uint32_t i = 0; i < from->n; i++) add(p, from->list[i]);
}
static void copy(struct point *p, const struct point *from) {
  p->n = 0;
  merge(p, from);
}
static int includes(const struct point *p, struct mark m) {
  for (uint32_t i = 0; i < p->n; i++)
    if (p->list[i].stream == m.stream && p->list[i].launch >= m.launch) return 1;
  return m.launch <= ended;
}

/* All launches so far have ended before anything that follows begins. */
static void all_ended(void) { ended = launches, issued.n = waited.n = 0; }
/* The host waits for a point. Once it has waited for the last launch of every stream, all have ended. */
static void wait_for(const struct point *p) {
  merge(&waited, p);
  for (uint32_t i = 0; i < issued.n; i++)
    if (!includes(&waited, issued.list[i])) return;
  all_ended();
}
int k_wait_for_all(int e) {
  if (!e) all_ended();
  return e;
}

static struct CUstream_st *enlist(struct CUstream_st *s, int nonblocking) {
  s->number = ++last_number, s->apart = nonblocking, s->next = streams;
  apart_count += nonblocking != 0;
  return streams = s;
}
static struct CUstream_st *stream_of(cudaStream_t s) {
  if (s == NULL || s == cudaStreamLegacy) return &legacy;
  if (s != cudaStreamPerThread) return s;
  if (!of_thread && !(of_thread = calloc(1, sizeof *of_thread))) k_die(2, "out of host memory for a stream");
  return of_thread->number ? of_thread : enlist(of_thread, 0);
}
/* Work in the legacy default stream waits for all streams that are not apart, and they wait for it. */
static struct CUstream_st *enter(cudaStream_t stream) {
  struct CUstream_st *s = stream_of(stream);
  for (struct CUstream_st *x = streams; s == &legacy && x; x = x->next)
    if (!x->apart) merge(&s->front, &x->front);
  return s;
}
static void leave(struct CUstream_st *s) {
  for (struct CUstream_st *x = streams; s == &legacy && x; x = x->next)
    if (!x->apart) copy(&x->front, &s->front);
}
int k_act(cudaStream_t stream, int wait) {
  struct CUstream_st *s = enter(stream);
  leave(s);
  if (wait) wait_for(&s->front);
  return 0;
}

/* The stream of a copy, a fill or a release, as k_on has set it: without k_on, the legacy default one. The synchronous
   form of a function does the work, and so need not know of streams. */
static __thread struct { cudaStream_t stream; int async; } called;
void k_on(cudaStream_t stream, int async) { called.stream = stream, called.async = async; }
cudaError_t k_off(cudaError_t e) { return called.stream = NULL, called.async = 0, e; }
int k_moved(int e, int wait, int wait_async) {
  if (!e) k_act(called.stream, called.async ? wait_async : wait);
  return e;
}
int k_freed(int e) { return e || !called.async ? k_wait_for_all(e) : k_act(called.stream, 0); }

/* The place of a launch in the message of it. Without streams that are apart, nothing may run beside work of the legacy
   default stream, so it has no place among others, as a cooperative launch has none. */
void k_put_place(cudaStream_t stream, int alone) {
  struct CUstream_st *s = enter(stream);
  struct point after = {0};
  uint32_t joins = ended == launches;
  if (s == &legacy && !apart_count && last_apart <= ended) alone = 1;
  struct mark m = {s->number, ++launches};
  if (alone) all_ended();
  else {
    copy(&after, &s->front);
    merge(&after, &waited);
    s->front.n = 0;
    add(&s->front, m);
    add(&issued, m);
    if (s->apart) last_apart = m.launch;
    leave(s);
  }
  uint32_t head[] = {(uint32_t)!alone, m.stream, m.launch, joins, after.n};
  k_put_bytes(head, sizeof head);
  for (uint32_t i = 0; i < after.n; i++) k_put32(after.list[i].launch);
  free(after.list);
}

EXPORT cudaError_t cudaDeviceSynchronize(void) { IN(k_wait_for_all(0)); }
EXPORT cudaError_t cudaThreadSynchronize(void) { IN(k_wait_for_all(0)); }
EXPORT cudaError_t cudaDeviceReset(void) { IN(k_wait_for_all(0)); } /* the memory goes with the process */

static int create(cudaStream_t *out, int nonblocking) {
  struct CUstream_st *s = calloc(1, sizeof *s);
  if (!s) return cudaErrorMemoryAllocation;
  *out = enlist(s, nonblocking);
  return 0;
}
EXPORT cudaError_t cudaStreamCreate(cudaStream_t *s) { IN(create(s, 0)); }
EXPORT cudaError_t cudaStreamCreateWithFlags(cudaStream_t *s, unsigned flags) {
  IN(create(s, (flags & cudaStreamNonBlocking) != 0));
}
EXPORT cudaError_t cudaStreamCreateWithPriority(cudaStream_t *s, unsigned flags, int priority) {
  (void)priority; /* all streams are alike */
  return cudaStreamCreateWithFlags(s, flags);
}
static int destroy(cudaStream_t s) {
  struct CUstream_st **at = &streams;
  while (*at && *at != s) at = &(*at)->next;
  if (!*at) return cudaErrorInvalidResourceHandle; /* such as a default stream */
  *at = s->next;
  apart_count -= s->apart != 0;
  if (!s->apart) merge(&legacy.front, &s->front); /* its work goes on */
  free(s->front.list);
  free(s);
  return 0;
}
EXPORT cudaError_t cudaStreamDestroy(cudaStream_t s) { IN(destroy(s)); }
EXPORT cudaError_t cudaStreamSynchronize(cudaStream_t s) { IN(k_act(s, 1)); }
/* All work has been executed, so a question finds its end, of which the host then knows. */
EXPORT cudaError_t cudaStreamQuery(cudaStream_t s) { IN(k_act(s, 1)); }
static int wait_event(cudaStream_t stream, cudaEvent_t v) {
  if (!v) return cudaErrorInvalidResourceHandle;
  struct CUstream_st *s = enter(stream);
  merge(&s->front, &v->at);
  leave(s);
  return 0;
}
EXPORT cudaError_t cudaStreamWaitEvent(cudaStream_t s, cudaEvent_t v, unsigned flags) {
  (void)flags;
  IN(wait_event(s, v));
}
/* A function of the host, which is called at once, takes its place in a stream. */
static cudaError_t place_callback(cudaStream_t s) {
  int e = k_enter();
  if (e) return k_fail(e);
  k_act(s, 0);
  return k_leave(0);
}
EXPORT cudaError_t cudaStreamAddCallback(cudaStream_t s, cudaStreamCallback_t f, void *data, unsigned flags) {
  (void)flags;
  cudaError_t e = place_callback(s);
  if (e) return e;
  f(s, (cudaError_t)k_sticky(), data);
  return cudaSuccess;
}
EXPORT cudaError_t cudaLaunchHostFunc(cudaStream_t s, cudaHostFn_t f, void *data) {
  cudaError_t e = place_callback(s);
  if (e) return e;
  f(data);
  return cudaSuccess;
}

EXPORT cudaError_t cudaEventCreateWithFlags(cudaEvent_t *v, unsigned flags) {
  if (!(*v = calloc(1, sizeof **v))) return k_fail(cudaErrorMemoryAllocation);
  (*v)->timeless = (flags & cudaEventDisableTiming) != 0;
  return cudaSuccess;
}
EXPORT cudaError_t cudaEventCreate(cudaEvent_t *v) { return cudaEventCreateWithFlags(v, 0); }
EXPORT cudaError_t cudaEventDestroy(cudaEvent_t v) {
  if (v) free(v->at.list);
  free(v);
  return cudaSuccess;
}
/* Asks for the time of an event, unless it is known. */
static int ask_time(cudaEvent_t v) {
  if (v->timed) return 0;
  k_begin(KUMIKO_TIME);
  k_put32(v->before);
  k_put32(v->at.n);
  for (uint32_t i = 0; i < v->at.n; i++) k_put32(v->at.list[i].launch);
  int e = k_call();
  if (!e) v->ns = k_get64(), v->timed = 1;
  return e;
}
static int record(cudaEvent_t v, cudaStream_t stream) {
  if (!v) return cudaErrorInvalidResourceHandle;
  struct CUstream_st *s = enter(stream);
  copy(&v->at, &s->front);
  merge(&v->at, &waited);
  leave(s);
  v->before = ended, v->recorded = 1, v->timed = 0;
  if (v->timeless) return 0;
  return k_device.timed && ended < launches ? 0 : ask_time(v); /* by itself, the time is now */
}
EXPORT cudaError_t cudaEventRecord(cudaEvent_t v, cudaStream_t s) { IN(record(v, s)); }
static int wait_host(cudaEvent_t v) {
  if (!v) return cudaErrorInvalidResourceHandle;
  wait_for(&v->at);
  return 0;
}
EXPORT cudaError_t cudaEventSynchronize(cudaEvent_t v) { IN(wait_host(v)); }
EXPORT cudaError_t cudaEventQuery(cudaEvent_t v) { IN(wait_host(v)); }
/* The time of launches side by side is known once all of them have been simulated, without any that follow. */
static int elapsed(float *ms, cudaEvent_t from, cudaEvent_t to) {
  struct point both = {0};
  merge(&both, &from->at);
  merge(&both, &to->at);
  if (both.n) all_ended();
  free(both.list);
  int e = ask_time(from);
  if (!e) e = ask_time(to);
  if (!e) *ms = (float)((double)(int64_t)(to->ns - from->ns) * 1e-6);
  return e;
}
EXPORT cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t from, cudaEvent_t to) {
  if (!from || !to || !from->recorded || !to->recorded || from->timeless || to->timeless)
    return k_fail(cudaErrorInvalidResourceHandle);
  static int noted;
  if (!k_device.timed && !noted++)
    fprintf(stderr, "kumiko: note: without kumiko exec, events have the time of this machine, not of a GPU\n");
  IN(elapsed(ms, from, to));
}
