/* What a program registers before main: modules, kernels, variables, textures. Nothing is sent until it is used. */
#include "kumiko.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A table from addresses of the host to what is registered for them. */
struct entry { const void *key; void *value; struct entry *next; };
#define BUCKETS 1024
static struct entry *kernels[BUCKETS], *symbols[BUCKETS];
static struct symbol **symbol_list;
static size_t symbol_count;

static struct entry **bucket(struct entry **table, const void *key) {
  return &table[((uintptr_t)key >> 3) * 0x9e3779b97f4a7c15u >> 54];
}
static void *find(struct entry **table, const void *key) {
  for (struct entry *e = *bucket(table, key); e; e = e->next)
    if (e->key == key) return e->value;
  return NULL;
}
static void *make(size_t n) {
  void *p = calloc(1, n);
  if (!p) k_die(2, "out of host memory for %zu bytes", n);
  return p;
}
static void add(struct entry **table, const void *key, void *value) {
  struct entry *e = make(sizeof *e), **b = bucket(table, key);
  *e = (struct entry){key, value, *b};
  *b = e;
}

static struct module *first_module;

/* Fat binaries: fatbin.go tells about their format. */
#define FAT 0xba55ed50u
static uint32_t word(const char *p) {
  uint32_t v;
  memcpy(&v, p, sizeof v);
  return v;
}
size_t k_image_bytes(const char *code) {
  return word(code) == FAT ? (word(code + 4) >> 16) + word(code + 8) : strlen(code);
}
static int fat_architecture(const char *code) { /* of its latest PTX; 0: it has none */
  const char *end = code + k_image_bytes(code);
  int latest = 0;
  for (const char *p = code + (word(code + 4) >> 16); p < end && word(p + 4); p += word(p + 4) + word(p + 8))
    if ((word(p) & 0xffff) == 1 && (int)word(p + 28) > latest) latest = (int)word(p + 28);
  return latest;
}

int k_architecture(void) {
  const char *code = first_module ? first_module->linked ? *first_module->linked : first_module->ptx : "";
  int fat = first_module && word(code) == FAT ? fat_architecture(code) : 0;
  const char *target = fat || !first_module ? NULL : strstr(code, ".target sm_");
  return target ? atoi(target + strlen(".target sm_")) : fat ? fat : 70; /* what kumiko nvcc takes without -arch */
}

struct module *k_module(const char *ptx) {
  struct module *m = make(sizeof *m);
  m->ptx = ptx, m->id = -1;
  if (!first_module) first_module = m;
  return m;
}

struct wrapper { int magic, version; const char *data; void **linked; };

/* With version 2, as of nvcc -rdc=true, the data are linked machine code, and what was linked is beside them. */
EXPORT void **__cudaRegisterFatBinary(void *p) {
  struct wrapper *w = p;
  struct module *m = k_module(w->data);
  if (w->version == 2) m->linked = w->linked;
  return (void **)m;
}
/* Objects of kumiko nvcc -dc: their modules make one program, linked when the first of them is used. */
static struct module *relocatable;
EXPORT void __kumiko_register_relocatable(void (*content)(void **), void *wrapper, void *id, void (*unused)(void **)) {
  (void)id, (void)unused;
  struct module *m = (struct module *)__cudaRegisterFatBinary(wrapper);
  m->relocatable = 1, m->next = relocatable;
  relocatable = m;
  content((void **)m);
}
EXPORT void __cudaRegisterFatBinaryEnd(void **module) { (void)module; }
EXPORT void __cudaUnregisterFatBinary(void **module) { (void)module; }

EXPORT void __cudaRegisterFunction(void **module, const void *f, char *device, const char *name, int limit, void *tid,
                                   void *bid, void *block, void *grid, int *size) {
  (void)device, (void)limit, (void)tid, (void)bid, (void)block, (void)grid, (void)size;
  add(kernels, f, k_function((struct module *)module, name));
}
struct kernel *k_function(struct module *m, const char *name) {
  struct kernel *k = make(sizeof *k);
  k->module = m, k->name = name, k->id = -1;
  return k;
}
static struct symbol *registered(void **module, const void *host, const char *name) {
  struct symbol *s = make(sizeof *s);
  s->module = (struct module *)module, s->name = strncmp(name, "::", 2) ? name : name + 2;
  add(symbols, host, s);
  symbol_list = realloc(symbol_list, (symbol_count + 1) * sizeof *symbol_list);
  if (!symbol_list) k_die(2, "out of host memory for %zu symbols", symbol_count);
  symbol_list[symbol_count++] = s;
  return s;
}
EXPORT void __cudaRegisterVar(void **module, char *host, char *device, const char *name, int external, size_t size,
                              int constant, int global) {
  (void)device, (void)external, (void)global;
  struct symbol *s = registered(module, host, name);
  s->size = size, s->constant = constant;
  if (k_managed(host)) k_manage(s, host);
}
EXPORT void __cudaRegisterManagedVar(void **module, void **host, char *device, const char *name, int external,
                                     size_t size, int constant, int global) {
  (void)device, (void)external, (void)constant, (void)global;
  struct symbol *s = registered(module, host, name);
  s->size = size;
  k_manage_pointer(s, host);
}
EXPORT void __cudaRegisterTexture(void **module, const struct textureReference *host, const void **device,
                                  const char *name, int dims, int normalized, int external) {
  (void)device, (void)dims, (void)normalized, (void)external;
  registered(module, host, name)->texture = 1;
}
EXPORT void __cudaRegisterSurface(void **module, const void *host, const void **device, const char *name, int dims,
                                  int external) {
  (void)module, (void)host, (void)device, (void)dims, (void)external;
  k_die(2, "surface references are not supported: %s", name);
}
/* Loads the relocatable modules that are not loaded yet. */
static int load_program(void) {
  uint32_t n = 0;
  for (struct module *m = relocatable; m && m->id < 0; m = m->next) n++;
  k_begin(KUMIKO_MODULE);
  k_put32(n);
  for (struct module *m = relocatable; m && m->id < 0; m = m->next) k_put_string(m->ptx);
  int e = k_call(), id = e ? -1 : (int)k_get32();
  for (struct module *m = relocatable; !e && m && m->id < 0; m = m->next) m->id = id++;
  return e;
}

static void put_image(const char *code) {
  size_t n = k_image_bytes(code);
  k_put32((uint32_t)n);
  k_put_bytes(code, n);
}
int k_load(struct module *m) {
  if (m->id >= 0) return 0;
  if (m->relocatable) return load_program();
  uint32_t n = 0;
  while (m->linked && m->linked[n]) n++;
  k_begin(KUMIKO_MODULE);
  k_put32(m->linked ? n : 1);
  if (!m->linked) put_image(m->ptx);
  for (uint32_t i = 0; i < n; i++) put_image(m->linked[i]);
  int e = k_call();
  if (!e) m->id = (int)k_get32();
  return e;
}

int k_kernel(const void *f, struct kernel **out) {
  struct kernel *k = *out = find(kernels, f);
  return k ? k_ready(k) : cudaErrorInvalidDeviceFunction;
}
int k_ready(struct kernel *k) {
  if (k->id >= 0) return 0;
  int e = k_load(k->module);
  if (e) return e;
  k_begin(KUMIKO_KERNEL);
  k_put32((uint32_t)k->module->id);
  k_put_string(k->name);
  if ((e = k_call())) return e;
  k->id = (int)k_get32();
  k->bytes = k_get32(), k->shared = k_get32(), k->constant = k_get32(), k->local = k_get32();
  k->registers = k_get32(), k->threads = k_get32(), k->count = k_get32();
  k->params = make((k->count + 1) * sizeof *k->params);
  for (uint32_t i = 0; i < k->count; i++) k->params[i].offset = k_get32(), k->params[i].size = k_get32();
  return 0;
}

int k_symbol(const void *p, struct symbol **out) {
  struct symbol *s = find(symbols, p);
  for (size_t i = 0; !s && i < symbol_count; i++) /* a managed one of nvcc's is its address */
    if (k_inside(p) && symbol_list[i]->address == (uintptr_t)p) s = symbol_list[i];
  for (size_t i = 0; !s && i < symbol_count; i++) /* CUDA 4 and before: by name */
    if (!strncmp(symbol_list[i]->name, p, strlen(symbol_list[i]->name) + 1)) s = symbol_list[i];
  *out = s;
  return !s || s->texture ? cudaErrorInvalidSymbol : k_find_symbol(s);
}
int k_find_symbol(struct symbol *s) {
  if (s->known) return 0;
  int e = k_load(s->module);
  if (e) return e;
  k_begin(KUMIKO_SYMBOL);
  k_put32((uint32_t)s->module->id);
  k_put_string(s->name);
  if ((e = k_call())) return e;
  s->address = k_get64(), s->size = k_get64(), s->constant = (int)k_get32(), s->known = 1;
  return 0;
}

struct symbol *k_texture(const void *p) {
  struct symbol *s = find(symbols, p);
  return s && s->texture ? s : NULL;
}
