/* The parts of Kumiko's CUDA runtime. Every function of the API begins with k_enter and ends with k_leave. */
#ifndef KUMIKO_H
#define KUMIKO_H
#include "cuda_runtime_api.h"
#include "protocol.h"
#define EXPORT __attribute__((visibility("default")))

struct device { /* as the answer to KUMIKO_HELLO has it */
  uint64_t base, size; /* of the shared memory */
  uint64_t memory;     /* bytes of the simulated GPU's */
  uint32_t timed, recorded, sms, clock_mhz, threads_sm, shared_cta, shared_sm, registers, l2, bus_bits, memory_mhz;
  char name[256];
};
extern struct device k_device;

/* wire.c */
int k_enter(void);             /* locks and connects; otherwise an error, unlocked */
cudaError_t k_leave(int error); /* keeps the error, and unlocks */
cudaError_t k_fail(int error);  /* keeps the error */
int k_sticky(void);             /* the error after which nothing runs any more, or 0 */
void k_stick(int error);
/* The body of a function of the runtime API. After an error that sticks it does nothing. */
#define IN(call)                                                                                                       \
  int e = k_enter();                                                                                                   \
  return e ? k_fail(e) : k_leave(k_sticky() ? k_sticky() : (call))
int k_take(int clear);
void k_die(int status, const char *format, ...) __attribute__((noreturn, format(printf, 2, 3)));
void k_begin(int op);
void k_put32(uint32_t v);
void k_put64(uint64_t v);
void k_put_bytes(const void *p, size_t n);
void k_put_string(const char *s);
int k_call(void); /* sends, waits for the answer, and returns its error; the text of an error is printed */
uint32_t k_get32(void);
uint64_t k_get64(void);
const char *k_rest(size_t *n); /* the bytes of the answer that are left */

/* registry.c */
struct module {
  const char *ptx; /* or a fat binary of nvcc */
  void **linked; /* fat binaries that make one program, and then NULL; or NULL */
  int id; /* Kumiko's number, -1 before it is loaded */
  int relocatable;
  struct module *next; /* of the relocatable ones, the one registered before */
};
struct param { uint32_t offset, size; };
struct kernel {
  struct module *module;
  const char *name;
  int id;
  uint32_t bytes, count, shared, constant, local, registers, threads, dynamic; /* bytes: of the parameters */
  struct param *params;
};
struct symbol {
  struct module *module;
  const char *name;
  size_t size;
  uint64_t address; /* 0 before it is asked for, and of a constant */
  int constant, known, texture;
  char *host; /* of a managed variable, its part of the host */
};
struct module *k_module(const char *ptx);
size_t k_image_bytes(const char *code); /* of PTX, without its zero byte, or of a fat binary */
int k_load(struct module *m);
struct kernel *k_function(struct module *m, const char *name);
int k_ready(struct kernel *k); /* asks for what there is to know about a kernel */
int k_kernel(const void *f, struct kernel **out);
int k_find_symbol(struct symbol *s); /* asks for the address */
int k_symbol(const void *p, struct symbol **out);
int k_architecture(void); /* such as 70, that the program is compiled for */
struct symbol *k_texture(const void *p);

/* launch.c */
int k_launch(struct kernel *k, dim3 g, dim3 b, void **args, size_t shared, int cooperative, cudaStream_t stream);

/* streams.c */
void k_put_place(cudaStream_t stream, int alone); /* of a launch in its message */
int k_act(cudaStream_t stream, int wait); /* work without a launch; wait: the host waits for it */
int k_wait_for_all(int error); /* unless there is an error */
void k_on(cudaStream_t stream, int async); /* until k_off, the copy, fill or release of this thread is in it */
cudaError_t k_off(cudaError_t error);
int k_moved(int error, int wait, int wait_async); /* a copy or fill, for which the host waits or not, by its form */
int k_freed(int error); /* a release: without a stream it waits for all */
/* A function in a stream, asynchronous or not, by its synchronous form; with CU_ON, of the driver API. */
#define ON(stream, async, call) (k_on(stream, async), k_off(call))
#define CU_ON(stream, async, call) ((CUresult)ON(stream, async, (cudaError_t)(call)))

/* managed.c */
void k_manage_pointer(struct symbol *s, void **host); /* of a program of nvcc */
int k_managed(const void *p); /* of a managed variable's part of the host */
void k_manage(struct symbol *s, char *host);
void k_before_launch(void);
void k_after_launch(void);
void k_place_managed(unsigned char *params, size_t bytes);

/* device.c */
int k_refuse(const char *name);

/* texture.c */
struct cudaArray {
  void *data;
  struct cudaChannelFormatDesc desc;
  size_t width, height, depth, texel; /* depth: slices, or layers */
  int layered;
};

/* memory.c */
int k_copy_rows(char *to, size_t tp, const char *from, size_t fp, size_t w, size_t h, enum cudaMemcpyKind kind);
int k_set_rows(char *p, size_t pitch, int value, size_t w, size_t h);
void k_variable(const struct symbol *s, int managed); /* makes a variable a block */
int k_fill(char *p, const void *value, size_t width, size_t n);
int k_alloc(void **p, size_t n);
void k_wrote(const void *p, uint64_t n); /* the host has written n bytes at p; before k_put_written */
void k_put_written(void); /* what the host may have written since the last time: a count, and ranges */
int k_inside(const void *p); /* of the shared memory */
int k_copied(int error, const void *to, const void *from); /* k_moved of a copy */
uint64_t k_room(const void *p); /* bytes from p to the end of its block; 0: in none */
#endif
