/* The connection to Kumiko: inherited from kumiko exec, or to an emulator that is started at the first call. */
#define _GNU_SOURCE
#include "kumiko.h"
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>
#ifndef KUMIKO_PROGRAM
#define KUMIKO_PROGRAM "kumiko"
#endif

struct device k_device;
/* By this section, kumiko exec knows a program with this library in it. */
__attribute__((section(".kumiko"), used)) static const char marker[] = "Kumiko's CUDA runtime";
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int fd = -1, ending, timed_by_kumiko;
static pid_t owner;
static int sticky;
static __thread int last;
static struct { char *p; size_t n, room, at; } out, in;

static const char *program(void) {
  const char *p = getenv("KUMIKO");
  return p && *p ? p : KUMIKO_PROGRAM;
}

void k_die(int status, const char *format, ...) {
  va_list a;
  fflush(stdout);
  va_start(a, format);
  fputs("kumiko: ", stderr);
  vfprintf(stderr, format, a);
  fputc('\n', stderr);
  va_end(a);
  _exit(status);
}

static void lost(void) __attribute__((noreturn));
static void lost(void) {
  if (__atomic_exchange_n(&ending, 1, __ATOMIC_SEQ_CST))
    for (;;) pause(); /* the other thread ends the process */
  k_die(4, "the application ends, because %s has ended, and the GPU with it",
        timed_by_kumiko ? "kumiko exec" : "its emulator (kumiko emulate)");
}

/* Waits for the end of Kumiko, which may come while the application computes. */
static void *watch(void *unused) {
  struct pollfd p = {fd, POLLRDHUP, 0};
  (void)unused;
  while (poll(&p, 1, -1) < 0 && errno == EINTR) {}
  if (!__atomic_load_n(&ending, __ATOMIC_SEQ_CST)) lost();
  return NULL;
}
__attribute__((destructor)) static void over(void) { __atomic_store_n(&ending, 1, __ATOMIC_SEQ_CST); }

static void send_all(const void *p, size_t n) {
  for (const char *c = p; n > 0;) {
    ssize_t k = send(fd, c, n, MSG_NOSIGNAL);
    if (k < 0 && errno == EINTR) continue;
    if (k <= 0) lost();
    c += k, n -= (size_t)k;
  }
}

static void receive_all(void *p, size_t n, int *descriptor) {
  for (char *c = p; n > 0;) {
    union { char bytes[CMSG_SPACE(sizeof(int))]; struct cmsghdr align; } control;
    struct iovec v = {c, n};
    struct msghdr m = {.msg_iov = &v, .msg_iovlen = 1, .msg_control = control.bytes,
                       .msg_controllen = descriptor ? sizeof control.bytes : 0};
    ssize_t k = recvmsg(fd, &m, MSG_CMSG_CLOEXEC);
    if (k < 0 && errno == EINTR) continue;
    if (k <= 0) lost();
    struct cmsghdr *h = descriptor ? CMSG_FIRSTHDR(&m) : NULL;
    if (h && h->cmsg_type == SCM_RIGHTS) memcpy(descriptor, CMSG_DATA(h), sizeof(int));
    c += k, n -= (size_t)k;
  }
}

static void reserve(size_t n) {
  if (out.n + n <= out.room) return;
  out.room = 2 * (out.n + n) + 4096;
  if (!(out.p = realloc(out.p, out.room))) k_die(2, "out of host memory for a message of %zu bytes", out.n + n);
}
void k_put_bytes(const void *p, size_t n) {
  reserve(n);
  if (n) memcpy(out.p + out.n, p, n);
  out.n += n;
}
void k_put32(uint32_t v) { k_put_bytes(&v, sizeof v); }
void k_put64(uint64_t v) { k_put_bytes(&v, sizeof v); }
void k_put_string(const char *s) {
  size_t n = strlen(s);
  k_put32((uint32_t)n);
  k_put_bytes(s, n);
}
void k_begin(int op) {
  out.n = 0;
  k_put32((uint32_t)op);
  k_put32(0);
}

static int call(int *descriptor) {
  uint32_t head[2], n = (uint32_t)(out.n - 8);
  memcpy(out.p + 4, &n, sizeof n);
  send_all(out.p, out.n);
  receive_all(head, sizeof head, descriptor);
  if (head[1] + 1u > in.room && !(in.p = realloc(in.p, in.room = head[1] + 1u)))
    k_die(2, "out of host memory for an answer of %u bytes", head[1]);
  receive_all(in.p, in.n = head[1], NULL);
  in.p[in.n] = 0, in.at = 0;
  if (head[0] && in.n) fprintf(stderr, "kumiko: %s\n", in.p);
  return (int)head[0];
}
int k_call(void) { return call(NULL); }

static void get(void *p, size_t n) {
  if (in.at + n > in.n) k_die(4, "an answer is too short: the runtime of the program is not that of %s", program());
  memcpy(p, in.p + in.at, n);
  in.at += n;
}
uint32_t k_get32(void) { uint32_t v; get(&v, sizeof v); return v; }
uint64_t k_get64(void) { uint64_t v; get(&v, sizeof v); return v; }
const char *k_rest(size_t *n) {
  *n = in.n - in.at;
  return in.p + in.at;
}

/* Starts an emulator, with the other end of a socket as its descriptor 3. */
static void start(void) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends)) k_die(2, "no socket: %s", strerror(errno));
  fflush(NULL);
  pid_t child = fork();
  if (child < 0) k_die(2, "cannot start the emulator: %s", strerror(errno));
  if (child == 0) {
    setpgid(0, 0); /* an interrupt is the application's; the emulator ends with it */
    if (fork() > 0) _exit(0); /* so that the application need not wait for it */
    if (ends[1] == 3) ends[1] = dup(3);
    if (dup2(ends[1], 3) == 3) execlp(program(), program(), "emulate", (char *)NULL);
    dprintf(2, "kumiko: cannot start %s: %s; name the program in the environment variable KUMIKO\n", program(),
            strerror(errno));
    _exit(2);
  }
  close(ends[1]);
  fd = ends[0];
  waitpid(child, NULL, 0);
}

static void connect_to(const char *path) {
  struct sockaddr_un a = {.sun_family = AF_UNIX};
  if (strlen(path) >= sizeof a.sun_path) k_die(2, "KUMIKO_SOCKET=%s: the name is too long", path);
  strcpy(a.sun_path, path);
  fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd < 0 || connect(fd, (struct sockaddr *)&a, sizeof a))
    k_die(2, "KUMIKO_SOCKET=%s: %s: the kumiko exec that set it has ended", path, strerror(errno));
  timed_by_kumiko = 1;
}

static void greet(void) {
  int memory = -1;
  k_begin(KUMIKO_HELLO);
  k_put32(KUMIKO_VERSION);
  k_put32((uint32_t)getpid());
  if (call(&memory)) _exit(2); /* the text has been printed */
  struct device *d = &k_device;
  d->base = k_get64(), d->size = k_get64(), d->memory = k_get64();
  uint32_t *list[] = {&d->timed, &d->recorded, &d->sms, &d->clock_mhz, &d->threads_sm, &d->shared_cta, &d->shared_sm,
                      &d->registers, &d->l2, &d->bus_bits, &d->memory_mhz};
  for (size_t i = 0; i < sizeof list / sizeof *list; i++) *list[i] = k_get32();
  size_t n;
  const char *name = k_rest(&n);
  snprintf(d->name, sizeof d->name, "%.*s", (int)n, name);
  void *want = (void *)(uintptr_t)d->base;
  void *p = mmap(want, d->size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE | MAP_FIXED_NOREPLACE, memory, 0);
  if (p != want)
    k_die(2, "the device's memory cannot be mapped at %p (%s): the program, or a sanitizer in it, has its place", want,
          p == MAP_FAILED ? strerror(errno) : "the kernel is older than Linux 4.17");
  close(memory);
}

static void open_connection(void) {
  const char *path = getenv("KUMIKO_SOCKET");
  if (path && *path) connect_to(path);
  else start();
  owner = getpid();
  greet();
  pthread_t t;
  sigset_t all, old; /* signals are for the application's own threads */
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &old);
  if (pthread_create(&t, NULL, watch, NULL) == 0) pthread_detach(t);
  pthread_sigmask(SIG_SETMASK, &old, NULL);
}

int k_enter(void) {
  if (owner && owner != getpid()) return cudaErrorInitializationError; /* a child after fork */
  pthread_mutex_lock(&lock);
  if (fd < 0) open_connection();
  return 0;
}
cudaError_t k_leave(int error) {
  pthread_mutex_unlock(&lock);
  return k_fail(error);
}
cudaError_t k_fail(int error) {
  if (error && error != cudaErrorNotReady) last = error;
  return (cudaError_t)error;
}
int k_sticky(void) { return sticky; }
void k_stick(int error) { sticky = error; }
int k_take(int clear) {
  int e = sticky ? sticky : last;
  if (clear) last = 0;
  return e;
}
