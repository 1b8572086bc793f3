// Declarations for the host's part of a file; malloc, free and abs are device code too.
#pragma once
#include "kumiko/library.h"
#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
#define RAND_MAX 2147483647
extern "C" {
void *calloc(size_t, size_t);
void *realloc(void *, size_t);
int rand();
void srand(unsigned);
double drand48();
void srand48(long);
int atoi(const char *);
long atol(const char *);
long long atoll(const char *);
double atof(const char *);
long strtol(const char *, char **, int);
unsigned long strtoul(const char *, char **, int);
double strtod(const char *, char **);
float strtof(const char *, char **);
char *getenv(const char *);
int system(const char *);
void qsort(void *, size_t, size_t, int (*)(const void *, const void *));
int posix_memalign(void **, size_t, size_t);
void *aligned_alloc(size_t, size_t);
}
