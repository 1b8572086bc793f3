/* Textures: references and objects, of memory and of arrays. An array is a block of memory with its format. */
#include "kumiko.h"
#include <stdlib.h>
#include <string.h>

struct texture { /* as the messages have it */
  uint64_t at, width, height, pitch, depth, layers; /* depth, layers: 0 stands for 1 */
  struct cudaChannelFormatDesc desc;
  uint32_t linear, address[3], normalized, fractions;
};

static size_t texel(const struct cudaChannelFormatDesc *d) { return (size_t)(d->x + d->y + d->z + d->w) / 8; }

static void put(const struct texture *t) {
  k_put64(t->at), k_put64(t->width), k_put64(t->height), k_put64(t->pitch), k_put64(t->depth), k_put64(t->layers);
  const struct cudaChannelFormatDesc *d = &t->desc;
  uint32_t list[] = {(uint32_t)d->x, (uint32_t)d->y, (uint32_t)d->z, (uint32_t)d->w, (uint32_t)d->f, t->linear,
                     t->address[0], t->address[1], t->address[2], t->normalized, t->fractions};
  k_put_bytes(list, sizeof list);
}

static int bind(const struct textureReference *r, struct texture *t) {
  struct symbol *s = k_texture(r);
  if (!s) return cudaErrorInvalidTexture;
  if (!texel(&t->desc)) return cudaErrorInvalidChannelDescriptor;
  int e = k_load(s->module);
  if (e) return e;
  t->linear = r->filterMode, t->normalized = (uint32_t)r->normalized;
  memcpy(t->address, r->addressMode, sizeof t->address);
  k_begin(KUMIKO_BIND);
  k_put32((uint32_t)s->module->id);
  k_put_string(s->name);
  put(t);
  return k_call();
}

static int bind_linear(size_t *offset, const struct textureReference *r, const void *p,
                       const struct cudaChannelFormatDesc *d, size_t n) {
  uint64_t room = k_room(p);
  if (!room) return cudaErrorInvalidValue;
  if (!texel(d)) return cudaErrorInvalidChannelDescriptor;
  if (n > room) n = room;
  struct texture t = {.at = (uintptr_t)p, .width = n / texel(d), .height = 1, .pitch = n, .desc = *d};
  if (offset) *offset = 0;
  return bind(r, &t);
}
EXPORT cudaError_t cudaBindTexture(size_t *offset, const struct textureReference *r, const void *p,
                                   const struct cudaChannelFormatDesc *d, size_t n) {
  IN(bind_linear(offset, r, p, d, n));
}
static int bind_plane(size_t *offset, const struct textureReference *r, const void *p,
                      const struct cudaChannelFormatDesc *d, size_t w, size_t h, size_t pitch) {
  if (!k_room(p)) return cudaErrorInvalidValue;
  struct texture t = {.at = (uintptr_t)p, .width = w, .height = h, .pitch = pitch, .desc = *d};
  if (offset) *offset = 0;
  return bind(r, &t);
}
EXPORT cudaError_t cudaBindTexture2D(size_t *offset, const struct textureReference *r, const void *p,
                                     const struct cudaChannelFormatDesc *d, size_t w, size_t h, size_t pitch) {
  IN(bind_plane(offset, r, p, d, w, h, pitch));
}
static void use_array(struct texture *t, cudaArray_const_t a) {
  t->at = (uintptr_t)a->data, t->desc = a->desc, t->width = a->width, t->height = a->height;
  t->pitch = a->width * a->texel;
  *(a->layered ? &t->layers : &t->depth) = a->depth;
}
static int bind_array(const struct textureReference *r, cudaArray_const_t a) {
  struct texture t = {0};
  if (!a) return cudaErrorInvalidValue;
  use_array(&t, a);
  return bind(r, &t);
}
EXPORT cudaError_t cudaBindTextureToArray(const struct textureReference *r, cudaArray_const_t a,
                                          const struct cudaChannelFormatDesc *d) {
  (void)d; /* the array has its own */
  IN(bind_array(r, a));
}
EXPORT cudaError_t cudaUnbindTexture(const struct textureReference *r) { (void)r; return cudaSuccess; }
EXPORT cudaError_t cudaGetTextureAlignmentOffset(size_t *offset, const struct textureReference *r) {
  (void)r;
  return *offset = 0, cudaSuccess;
}

static int object(cudaTextureObject_t *out, const struct cudaResourceDesc *r, const struct cudaTextureDesc *d,
                  const void *view) {
  struct texture t = {.linear = d->filterMode, .normalized = (uint32_t)d->normalizedCoords, .fractions = d->readMode,
                      .address = {d->addressMode[0], d->addressMode[1], d->addressMode[2]}};
  if (view) return cudaErrorNotSupported;
  switch (r->resType) {
  case cudaResourceTypeLinear:
    t.at = (uintptr_t)r->res.linear.devPtr, t.desc = r->res.linear.desc, t.height = 1;
    t.pitch = r->res.linear.sizeInBytes;
    if (!texel(&t.desc)) return cudaErrorInvalidChannelDescriptor;
    t.width = r->res.linear.sizeInBytes / texel(&t.desc);
    break;
  case cudaResourceTypePitch2D:
    t.at = (uintptr_t)r->res.pitch2D.devPtr, t.desc = r->res.pitch2D.desc;
    t.width = r->res.pitch2D.width, t.height = r->res.pitch2D.height, t.pitch = r->res.pitch2D.pitchInBytes;
    break;
  case cudaResourceTypeArray:
    if (!r->res.array.array) return cudaErrorInvalidValue;
    use_array(&t, r->res.array.array);
    break;
  default: return cudaErrorNotSupported;
  }
  if (!texel(&t.desc)) return cudaErrorInvalidChannelDescriptor;
  k_begin(KUMIKO_OBJECT);
  put(&t);
  int e = k_call();
  if (!e) *out = k_get64();
  return e;
}
EXPORT cudaError_t cudaCreateTextureObject(cudaTextureObject_t *out, const struct cudaResourceDesc *r,
                                           const struct cudaTextureDesc *d, const void *view) {
  IN(object(out, r, d, view));
}
EXPORT cudaError_t cudaDestroyTextureObject(cudaTextureObject_t t) { (void)t; return cudaSuccess; }

/* A surface is an array as it is, without a sampler. */
static int surface(cudaSurfaceObject_t *out, const struct cudaResourceDesc *r) {
  static const struct cudaTextureDesc plain = {.addressMode = {cudaAddressModeClamp, cudaAddressModeClamp,
                                                               cudaAddressModeClamp}};
  if (r->resType != cudaResourceTypeArray) return cudaErrorInvalidValue;
  return object(out, r, &plain, NULL);
}
EXPORT cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *out, const struct cudaResourceDesc *r) {
  IN(surface(out, r));
}
EXPORT cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t s) { (void)s; return cudaSuccess; }

EXPORT struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, enum cudaChannelFormatKind f) {
  return (struct cudaChannelFormatDesc){x, y, z, w, f};
}
static int make_array(cudaArray_t *out, const struct cudaChannelFormatDesc *d, struct cudaExtent n, unsigned flags) {
  if (flags & (cudaArrayCubemap | cudaArraySparse)) return k_refuse("cudaMalloc3DArray of a cubemap or a sparse array");
  if (!n.width || (flags & cudaArrayLayered && !n.depth)) return cudaErrorInvalidValue;
  cudaArray_t a = calloc(1, sizeof *a);
  if (!a) return cudaErrorMemoryAllocation;
  a->desc = *d, a->width = n.width, a->height = n.height ? n.height : 1, a->depth = n.depth ? n.depth : 1;
  a->texel = texel(d), a->layered = (flags & cudaArrayLayered) != 0;
  int e = a->texel ? k_alloc(&a->data, a->width * a->height * a->depth * a->texel) : cudaErrorInvalidChannelDescriptor;
  if (e) free(a);
  else *out = a;
  return e;
}
EXPORT cudaError_t cudaMallocArray(cudaArray_t *out, const struct cudaChannelFormatDesc *d, size_t w, size_t h,
                                   unsigned flags) {
  struct cudaExtent n = {w, h, 0};
  IN(make_array(out, d, n, flags & ~(unsigned)cudaArrayLayered));
}
EXPORT cudaError_t cudaMalloc3DArray(cudaArray_t *out, const struct cudaChannelFormatDesc *d, struct cudaExtent n,
                                     unsigned flags) {
  IN(make_array(out, d, n, flags));
}
static int array_info(struct cudaChannelFormatDesc *d, struct cudaExtent *n, unsigned *flags, cudaArray_t a) {
  if (!a) return cudaErrorInvalidValue;
  if (d) *d = a->desc;
  if (n) *n = (struct cudaExtent){a->width, a->height > 1 ? a->height : 0, a->depth > 1 || a->layered ? a->depth : 0};
  if (flags) *flags = a->layered ? cudaArrayLayered : cudaArrayDefault;
  return 0;
}
EXPORT cudaError_t cudaArrayGetInfo(struct cudaChannelFormatDesc *d, struct cudaExtent *n, unsigned *flags,
                                    cudaArray_t a) {
  IN(array_info(d, n, flags, a));
}
EXPORT cudaError_t cudaFreeArray(cudaArray_t a) {
  cudaError_t e = a ? cudaFree(a->data) : cudaSuccess;
  free(a);
  return e;
}
/* x is in bytes, y in rows. */
EXPORT cudaError_t cudaMemcpyToArray(cudaArray_t a, size_t x, size_t y, const void *from, size_t n,
                                     enum cudaMemcpyKind kind) {
  return cudaMemcpy((char *)a->data + y * a->width * a->texel + x, from, n, kind);
}
EXPORT cudaError_t cudaMemcpyFromArray(void *to, cudaArray_const_t a, size_t x, size_t y, size_t n,
                                       enum cudaMemcpyKind kind) {
  return cudaMemcpy(to, (char *)a->data + y * a->width * a->texel + x, n, kind);
}
EXPORT cudaError_t cudaMemcpy2DToArray(cudaArray_t a, size_t x, size_t y, const void *from, size_t pitch, size_t w,
                                       size_t h, enum cudaMemcpyKind kind) {
  return cudaMemcpy2D((char *)a->data + y * a->width * a->texel + x, a->width * a->texel, from, pitch, w, h, kind);
}
