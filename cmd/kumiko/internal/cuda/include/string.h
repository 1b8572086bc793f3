// Declarations for the host's part of a file; memcpy, memmove and memset are device code too.
#pragma once
#include "kumiko/library.h"
extern "C" {
int memcmp(const void *, const void *, size_t);
size_t strlen(const char *);
int strcmp(const char *, const char *);
int strncmp(const char *, const char *, size_t);
char *strcpy(char *, const char *);
char *strncpy(char *, const char *, size_t);
char *strcat(char *, const char *);
char *strchr(const char *, int);
char *strrchr(const char *, int);
char *strstr(const char *, const char *);
char *strtok(char *, const char *);
char *strdup(const char *);
char *strerror(int);
}
