/* Memory. Blocks of the device, pinned and managed ones are in the memory shared with Kumiko, at the same addresses in
   both: a copy is a memcpy in the application, and nothing is sent. */
#include "kumiko.h"
#include <stdlib.h>
#include <string.h>

enum { DEVICE, PINNED, MANAGED };
struct block { uint64_t at, size; int kind; };
static struct block *blocks; /* by address */
static size_t count, room;

static size_t place(uint64_t at) { /* the first block behind at */
  size_t lo = 0, hi = count;
  while (lo < hi) {
    size_t mid = (lo + hi) / 2;
    if (blocks[mid].at > at) hi = mid;
    else lo = mid + 1;
  }
  return lo;
}
static struct block *block_of(const void *p) {
  size_t i = place((uintptr_t)p);
  return i && (uintptr_t)p - blocks[i - 1].at < blocks[i - 1].size ? &blocks[i - 1] : NULL;
}
static int remember(uint64_t at, uint64_t size, int kind) {
  if (count == room && !(blocks = realloc(blocks, (room = 2 * room + 64) * sizeof *blocks)))
    k_die(2, "out of host memory for %zu blocks", room);
  size_t i = place(at);
  memmove(blocks + i + 1, blocks + i, (count++ - i) * sizeof *blocks);
  blocks[i] = (struct block){at, size, kind};
  return 0;
}
uint64_t k_room(const void *p) {
  struct block *b = block_of(p);
  return b ? b->at + b->size - (uintptr_t)p : 0;
}

/* What the host has written, for a recording. Neighbours become one: with copies of rows, the gaps between them too. */
enum { NEAR = 4096, MOST = 4096 };
static struct { uint64_t at, end; } written[MOST];
static size_t written_count;

void k_wrote(const void *p, uint64_t n) {
  uint64_t at = (uintptr_t)p, end = at + n;
  if (!k_device.recorded || !n || !k_inside(p)) return;
  size_t i = written_count ? written_count - 1 : 0; /* the last one */
  if (!written_count || (written_count < MOST && (at > written[i].end + NEAR || end + NEAR < written[i].at))) {
    i = written_count++;
    written[i].at = at, written[i].end = end;
  }
  if (at < written[i].at) written[i].at = at;
  if (end > written[i].end) written[i].end = end;
}
void k_put_written(void) {
  /* The host writes pinned and managed blocks without a call. */
  for (size_t i = 0; k_device.recorded && i < count; i++)
    if (blocks[i].kind != DEVICE) k_wrote((void *)(uintptr_t)blocks[i].at, blocks[i].size);
  k_put32((uint32_t)written_count);
  for (size_t i = 0; i < written_count; i++) {
    k_put64(written[i].at);
    k_put64(written[i].end - written[i].at);
  }
  written_count = 0;
}

int k_inside(const void *p) { return (uintptr_t)p - k_device.base < k_device.size; }

static int alloc(void **p, size_t n, int kind) {
  if (!p) return cudaErrorInvalidValue;
  if (n == 0) return *p = NULL, 0;
  k_begin(KUMIKO_ALLOC);
  k_put64(n);
  int e = k_call();
  if (e) return e;
  uint64_t at = k_get64();
  *p = (void *)(uintptr_t)at;
  return remember(at, n, kind);
}
int k_alloc(void **p, size_t n) { return alloc(p, n, DEVICE); }

static int release(void *p, int pinned) {
  struct block *b = block_of(p);
  if (!p) return 0;
  if (!b || b->at != (uintptr_t)p || (b->kind == PINNED) != pinned) return cudaErrorInvalidValue;
  k_begin(KUMIKO_FREE);
  k_put64(b->at);
  int e = k_call();
  memmove(b, b + 1, (size_t)(blocks + --count - b) * sizeof *b);
  return e;
}

EXPORT cudaError_t cudaMalloc(void **p, size_t n) { IN(alloc(p, n, DEVICE)); }
EXPORT cudaError_t cudaMallocAsync(void **p, size_t n, cudaStream_t s) { (void)s; return cudaMalloc(p, n); }
EXPORT cudaError_t cudaMallocHost(void **p, size_t n) { IN(alloc(p, n, PINNED)); }
EXPORT cudaError_t cudaHostAlloc(void **p, size_t n, unsigned flags) { (void)flags; return cudaMallocHost(p, n); }
EXPORT cudaError_t cudaMallocManaged(void **p, size_t n, unsigned flags) {
  (void)flags;
  IN(n ? alloc(p, n, MANAGED) : cudaErrorInvalidValue);
}
/* Rows begin at multiples of 512 bytes, the alignment of textures. */
EXPORT cudaError_t cudaMallocPitch(void **p, size_t *pitch, size_t width, size_t height) {
  *pitch = (width + 511) / 512 * 512;
  return cudaMalloc(p, *pitch * height);
}
EXPORT cudaError_t cudaFree(void *p) { IN(k_freed(release(p, 0))); }
EXPORT cudaError_t cudaFreeAsync(void *p, cudaStream_t s) { return ON(s, 1, cudaFree(p)); }
EXPORT cudaError_t cudaFreeHost(void *p) { IN(k_freed(release(p, 1))); }

/* Registered memory is copied from and to as other memory; only mapping it is not possible. */
static struct { const char *at; size_t size; } *registered;
static size_t registered_count;
static int find_registered(const void *p, size_t *i) {
  for (*i = 0; *i < registered_count; (*i)++)
    if ((const char *)p - registered[*i].at < (ptrdiff_t)registered[*i].size && (const char *)p >= registered[*i].at)
      return 1;
  return 0;
}
static int do_register(void *p, size_t n) {
  if (!p || !n) return cudaErrorInvalidValue;
  if (!(registered = realloc(registered, (registered_count + 1) * sizeof *registered)))
    k_die(2, "out of host memory for %zu registered blocks", registered_count);
  registered[registered_count].at = p, registered[registered_count++].size = n;
  return 0;
}
EXPORT cudaError_t cudaHostRegister(void *p, size_t n, unsigned flags) {
  (void)flags;
  IN(do_register(p, n));
}
static int unregister(void *p) {
  size_t i;
  if (find_registered(p, &i)) registered[i] = registered[--registered_count];
  return 0;
}
EXPORT cudaError_t cudaHostUnregister(void *p) { IN(unregister(p)); }
static int mapped(void **device, void *host) {
  if (block_of(host)) return *device = host, 0;
  return k_refuse("cudaHostGetDevicePointer of memory from cudaHostRegister; use cudaHostAlloc");
}
EXPORT cudaError_t cudaHostGetDevicePointer(void **device, void *host, unsigned flags) {
  (void)flags;
  IN(mapped(device, host));
}

/* Whether n bytes at p are as a copy's kind says: of one block of the device, or not of the device. */
static int is(const void *p, size_t n, int device) {
  struct block *b = block_of(p);
  if (b) return n <= k_room(p); /* pinned memory has one address on both sides */
  if (k_managed(p)) return 1;
  return !k_inside(p) && !device;
}
static int allowed(const void *to, const void *from, size_t n, enum cudaMemcpyKind kind) {
  switch (kind) {
  case cudaMemcpyHostToHost: return is(to, n, 0) && is(from, n, 0) ? 0 : cudaErrorInvalidValue;
  case cudaMemcpyHostToDevice: return is(to, n, 1) && is(from, n, 0) ? 0 : cudaErrorInvalidValue;
  case cudaMemcpyDeviceToHost: return is(to, n, 0) && is(from, n, 1) ? 0 : cudaErrorInvalidValue;
  case cudaMemcpyDeviceToDevice: return is(to, n, 1) && is(from, n, 1) ? 0 : cudaErrorInvalidValue;
  case cudaMemcpyDefault: return is(to, n, 0) && is(from, n, 0) ? 0 : cudaErrorInvalidValue;
  }
  return cudaErrorInvalidMemcpyDirection;
}
static int copy(void *to, const void *from, size_t n, enum cudaMemcpyKind kind) {
  int e = n ? allowed(to, from, n, kind) : 0;
  if (!e && n) memmove(to, from, n), k_wrote(to, n);
  return e;
}
int k_copy_rows(char *to, size_t tp, const char *from, size_t fp, size_t w, size_t h, enum cudaMemcpyKind kind) {
  if (w > tp || w > fp) return cudaErrorInvalidPitchValue;
  int e = w && h ? allowed(to, from, 1, kind) : 0;
  for (size_t i = 0; !e && i < h; i++) e = copy(to + i * tp, from + i * fp, w, kind);
  return e;
}
int k_set_rows(char *p, size_t pitch, int value, size_t w, size_t h) {
  if (w > pitch) return cudaErrorInvalidValue;
  for (size_t i = 0; w && i < h; i++) {
    if (!is(p + i * pitch, w, 1)) return cudaErrorInvalidValue;
    memset(p + i * pitch, value, w);
    k_wrote(p + i * pitch, w);
  }
  return 0;
}
/* The host waits for a copy, unless both sides are of the device; for an asynchronous one, if it is to pageable memory
   (CUDA Runtime API, "API synchronization behavior"). */
int k_copied(int e, const void *to, const void *from) {
  struct block *a = block_of(to), *b = block_of(from);
  size_t i;
  return k_moved(e, !(a && b && a->kind == DEVICE && b->kind == DEVICE), !k_inside(to) && !find_registered(to, &i));
}
EXPORT cudaError_t cudaMemcpy(void *to, const void *from, size_t n, enum cudaMemcpyKind kind) {
  IN(k_copied(copy(to, from, n, kind), to, from));
}
EXPORT cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t n, enum cudaMemcpyKind kind, cudaStream_t s) {
  return ON(s, 1, cudaMemcpy(to, from, n, kind));
}
EXPORT cudaError_t cudaMemcpy2D(void *to, size_t tp, const void *from, size_t fp, size_t w, size_t h,
                                enum cudaMemcpyKind kind) {
  IN(k_copied(k_copy_rows(to, tp, from, fp, w, h, kind), to, from));
}
EXPORT cudaError_t cudaMemcpy2DAsync(void *to, size_t tp, const void *from, size_t fp, size_t w, size_t h,
                                     enum cudaMemcpyKind kind, cudaStream_t s) {
  return ON(s, 1, cudaMemcpy2D(to, tp, from, fp, w, h, kind));
}
EXPORT cudaError_t cudaMemset(void *p, int value, size_t n) {
  IN(k_moved(k_set_rows(p, n, value, n, 1), 0, 0));
}
EXPORT cudaError_t cudaMemsetAsync(void *p, int value, size_t n, cudaStream_t s) {
  return ON(s, 1, cudaMemset(p, value, n));
}
EXPORT cudaError_t cudaMemset2D(void *p, size_t pitch, int value, size_t w, size_t h) {
  IN(k_moved(k_set_rows(p, pitch, value, w, h), 0, 0));
}

int k_fill(char *p, const void *value, size_t width, size_t n) {
  if ((uintptr_t)p % width || n > SIZE_MAX / width || (n && !is(p, n * width, 1))) return cudaErrorInvalidValue;
  for (size_t i = 0; i < n; i++) memcpy(p + i * width, value, width);
  k_wrote(p, n * width);
  return 0;
}

/* Variables of global space are in the shared memory, constants in Kumiko's own. */
void k_variable(const struct symbol *s, int managed) {
  if (!block_of((void *)(uintptr_t)s->address)) remember(s->address, s->size, managed ? MANAGED : DEVICE);
}
static int symbol(const void *p, size_t n, size_t offset, struct symbol **s) {
  int e = k_symbol(p, s);
  if (!e && (offset > (*s)->size || n > (*s)->size - offset)) e = cudaErrorInvalidValue;
  if (!e && !(*s)->constant) k_variable(*s, 0);
  return e;
}
static char *at(const struct symbol *s) { return s->host ? s->host : (char *)(uintptr_t)s->address; }
static int to_symbol(const void *p, const void *from, size_t n, size_t offset) {
  struct symbol *s;
  int e = symbol(p, n, offset, &s);
  if (e) return e;
  if (!s->constant) {
    char *to = at(s) + offset;
    memmove(to, from, n);
    k_wrote(to, n);
    return 0;
  }
  k_begin(KUMIKO_WRITE);
  k_put32((uint32_t)s->module->id);
  k_put_string(s->name);
  k_put64(offset);
  k_put_bytes(from, n);
  return k_call();
}
static int from_symbol(void *to, const void *p, size_t n, size_t offset) {
  struct symbol *s;
  int e = symbol(p, n, offset, &s);
  if (e) return e;
  if (!s->constant) return memmove(to, at(s) + offset, n), 0;
  k_begin(KUMIKO_READ);
  k_put32((uint32_t)s->module->id);
  k_put_string(s->name);
  k_put64(offset);
  k_put64(n);
  if ((e = k_call())) return e;
  size_t have;
  const char *bytes = k_rest(&have);
  memcpy(to, bytes, have < n ? have : n);
  return 0;
}
EXPORT cudaError_t cudaMemcpyToSymbol(const void *p, const void *from, size_t n, size_t offset,
                                      enum cudaMemcpyKind kind) {
  (void)kind;
  IN(k_moved(to_symbol(p, from, n, offset), 1, 0));
}
EXPORT cudaError_t cudaMemcpyFromSymbol(void *to, const void *p, size_t n, size_t offset, enum cudaMemcpyKind kind) {
  (void)kind;
  IN(k_copied(from_symbol(to, p, n, offset), to, NULL));
}
EXPORT cudaError_t cudaMemcpyToSymbolAsync(const void *p, const void *from, size_t n, size_t offset,
                                           enum cudaMemcpyKind kind, cudaStream_t s) {
  return ON(s, 1, cudaMemcpyToSymbol(p, from, n, offset, kind));
}
EXPORT cudaError_t cudaMemcpyFromSymbolAsync(void *to, const void *p, size_t n, size_t offset,
                                             enum cudaMemcpyKind kind, cudaStream_t s) {
  return ON(s, 1, cudaMemcpyFromSymbol(to, p, n, offset, kind));
}
static int address(void **to, const void *p) {
  struct symbol *s;
  int e = symbol(p, 0, 0, &s);
  if (e) return e;
  if (!s->constant) return *to = at(s), 0;
  return k_refuse("cudaGetSymbolAddress of a __constant__ variable; use cudaMemcpyToSymbol");
}
static int size_of(size_t *n, const void *p) {
  struct symbol *s;
  int e = symbol(p, 0, 0, &s);
  if (!e) *n = s->size;
  return e;
}
EXPORT cudaError_t cudaGetSymbolAddress(void **to, const void *p) { IN(address(to, p)); }
EXPORT cudaError_t cudaGetSymbolSize(size_t *n, const void *p) { IN(size_of(n, p)); }

/* Pages do not move: the memory is one. */
EXPORT cudaError_t cudaMemPrefetchAsync(const void *p, size_t n, int device, cudaStream_t s) {
  (void)n, (void)device, (void)s;
  IN(block_of(p) || k_managed(p) ? 0 : cudaErrorInvalidValue);
}
EXPORT cudaError_t cudaMemAdvise(const void *p, size_t n, enum cudaMemoryAdvise advice, int device) {
  (void)advice;
  return cudaMemPrefetchAsync(p, n, device, NULL);
}
static int attributes(struct cudaPointerAttributes *a, const void *p) {
  static const enum cudaMemoryType types[] = {cudaMemoryTypeDevice, cudaMemoryTypeHost, cudaMemoryTypeManaged};
  struct block *b = block_of(p);
  memset(a, 0, sizeof *a);
  a->type = b ? types[b->kind] : cudaMemoryTypeUnregistered, a->device = b ? 0 : cudaInvalidDeviceId;
  a->devicePointer = b ? (void *)p : NULL, a->hostPointer = b && b->kind != DEVICE ? (void *)p : NULL;
  return 0;
}
EXPORT cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *a, const void *p) { IN(attributes(a, p)); }

EXPORT cudaError_t cudaMemGetInfo(size_t *left, size_t *total) {
  int e = k_enter();
  if (e) return k_fail(e);
  uint64_t used = 0;
  for (size_t i = 0; i < count; i++) used += blocks[i].kind == PINNED ? 0 : blocks[i].size;
  *total = k_device.memory, *left = used < k_device.memory ? k_device.memory - used : 0;
  return k_leave(0);
}
