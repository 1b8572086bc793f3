/* Managed variables of programs of kumiko nvcc. clang makes two variables of one: the device's, and the host's in a
   section of its own. Each launch ends before the next call, so both are the same if their bytes are copied before and
   after launches. A program of nvcc has a pointer to the device's, which is in the shared memory. */
#include "kumiko.h"
#include <stdlib.h>
#include <string.h>

extern char __start_kumiko_managed[] __attribute__((weak)), __stop_kumiko_managed[] __attribute__((weak));

static struct variable { struct symbol *symbol; char *host; } *variables;
static size_t count;

int k_managed(const void *p) {
  return (const char *)p >= __start_kumiko_managed && (const char *)p < __stop_kumiko_managed;
}
void k_manage(struct symbol *s, char *host) {
  if (!(variables = realloc(variables, (count + 1) * sizeof *variables)))
    k_die(2, "out of host memory for %zu managed variables", count);
  variables[count++] = (struct variable){s, s->host = host};
}

static struct pointer { struct symbol *symbol; void **host; } *pointers;
static size_t pointer_count;

void k_manage_pointer(struct symbol *s, void **host) {
  if (!(pointers = realloc(pointers, (pointer_count + 1) * sizeof *pointers)))
    k_die(2, "out of host memory for %zu managed variables", pointer_count);
  pointers[pointer_count++] = (struct pointer){s, host};
}
/* A program of nvcc calls this function before it uses its pointers. */
EXPORT char __cudaInitModule(void **module) {
  if (k_enter()) return 0;
  for (size_t i = 0; i < pointer_count; i++) {
    struct symbol *s = pointers[i].symbol;
    if (s->module != (struct module *)module || *pointers[i].host) continue;
    if (k_find_symbol(s)) k_die(2, "the managed variable %s has no memory", s->name);
    k_variable(s, 1);
    *pointers[i].host = (void *)(uintptr_t)s->address;
  }
  k_leave(0);
  return 1;
}

/* Copies the bytes of each variable to the device's part or back, where they differ. */
static void carry(int to_device) {
  for (size_t i = 0; i < count; i++) {
    struct symbol *s = variables[i].symbol;
    if (k_find_symbol(s)) k_die(2, "the managed variable %s has no memory", s->name);
    char *host = variables[i].host, *device = (char *)(uintptr_t)s->address;
    if (!memcmp(host, device, s->size)) continue;
    memcpy(to_device ? device : host, to_device ? host : device, s->size);
    if (to_device) k_wrote(device, s->size);
  }
}
void k_before_launch(void) { carry(1); }
void k_after_launch(void) { carry(0); }

/* Parameters may be addresses of managed variables, or structures with some: they become those of the device's part. */
void k_place_managed(unsigned char *params, size_t bytes) {
  for (size_t i = 0; count && i + sizeof(char *) <= bytes; i += sizeof(char *)) {
    char *p;
    memcpy(&p, params + i, sizeof p);
    for (size_t j = 0; k_managed(p) && j < count; j++) {
      struct variable *v = &variables[j];
      if (p < v->host || p >= v->host + v->symbol->size) continue;
      p = (char *)(uintptr_t)v->symbol->address + (p - v->host);
      memcpy(params + i, &p, sizeof p);
      break;
    }
  }
}

/* The host's part has its initial value when main begins: this library is linked last, so objects register before. The
   compiler takes count to be 0 here, so it is not asked. */
__attribute__((constructor)) static void begin(void) {
  if (__start_kumiko_managed < __stop_kumiko_managed && !k_enter()) {
    carry(0);
    k_leave(0);
  }
}
