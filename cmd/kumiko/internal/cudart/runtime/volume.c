/* Blocks in three dimensions, and copies between them and arrays (CUDA Runtime API, "Memory Management"). A slice of an
   array in three dimensions is a layer of a layered one. */
#include "kumiko.h"

EXPORT cudaError_t cudaMalloc3D(struct cudaPitchedPtr *p, struct cudaExtent extent) {
  p->xsize = extent.width, p->ysize = extent.height;
  return cudaMallocPitch(&p->ptr, &p->pitch, extent.width, extent.height * extent.depth);
}

static int set(struct cudaPitchedPtr p, int value, struct cudaExtent n) {
  int e = n.height > p.ysize && n.depth > 1 ? cudaErrorInvalidValue : 0;
  for (size_t z = 0; !e && z < n.depth; z++)
    e = k_set_rows((char *)p.ptr + z * p.ysize * p.pitch, p.pitch, value, n.width, n.height);
  return e;
}
EXPORT cudaError_t cudaMemset3D(struct cudaPitchedPtr p, int value, struct cudaExtent n) {
  IN(k_moved(set(p, value, n), 0, 0));
}

/* One side of a copy: its first byte, and the bytes from row to row and from slice to slice. */
struct side { char *at; size_t pitch, slice; };

static int side(struct side *s, cudaArray_t a, struct cudaPitchedPtr p, struct cudaPos pos,
                const struct cudaExtent *n) {
  if (!a == !p.ptr) return cudaErrorInvalidValue; /* expected one of both */
  if (a && (pos.x + n->width > a->width || pos.y + n->height > a->height || pos.z + n->depth > a->depth))
    return cudaErrorInvalidValue;
  s->pitch = a ? a->width * a->texel : p.pitch;
  s->slice = s->pitch * (a ? a->height : p.ysize);
  s->at = (a ? (char *)a->data : p.ptr) + pos.z * s->slice + pos.y * s->pitch + pos.x * (a ? a->texel : 1);
  return 0;
}

/* The width of a copy is in elements of an array, if one takes part, and in bytes otherwise. So is a position in x. */
static int copy(const struct cudaMemcpy3DParms *p) {
  struct side to, from;
  cudaArray_t a = p->srcArray ? p->srcArray : p->dstArray;
  if (p->srcArray && p->dstArray && p->srcArray->texel != p->dstArray->texel) return cudaErrorInvalidValue;
  int e = side(&to, p->dstArray, p->dstPtr, p->dstPos, &p->extent);
  if (!e) e = side(&from, p->srcArray, p->srcPtr, p->srcPos, &p->extent);
  size_t width = p->extent.width * (a ? a->texel : 1);
  for (size_t z = 0; !e && z < p->extent.depth; z++)
    e = k_copy_rows(to.at + z * to.slice, to.pitch, from.at + z * from.slice, from.pitch, width, p->extent.height,
                    p->kind);
  return e;
}
static const void *end_of(cudaArray_t a, struct cudaPitchedPtr p) { return a ? a->data : p.ptr; }
EXPORT cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms *p) {
  IN(k_copied(copy(p), end_of(p->dstArray, p->dstPtr), end_of(p->srcArray, p->srcPtr)));
}
EXPORT cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *p, cudaStream_t s) {
  return ON(s, 1, cudaMemcpy3D(p));
}

/* x is in bytes, y in rows. */
EXPORT cudaError_t cudaMemcpy2DFromArray(void *to, size_t pitch, cudaArray_const_t a, size_t x, size_t y, size_t w,
                                         size_t h, enum cudaMemcpyKind kind) {
  size_t row = a->width * a->texel;
  IN(k_copied(k_copy_rows(to, pitch, (char *)a->data + y * row + x, row, w, h, kind), to, a->data));
}
EXPORT cudaError_t cudaMemcpyArrayToArray(cudaArray_t to, size_t tx, size_t ty, cudaArray_const_t from, size_t fx,
                                          size_t fy, size_t n, enum cudaMemcpyKind kind) {
  return cudaMemcpyFromArray((char *)to->data + ty * to->width * to->texel + tx, from, fx, fy, n, kind);
}
