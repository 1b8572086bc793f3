#include "device.h"

struct Node { int value; const Node *next; };

CONSTANT short weights[7] = {3, -1, 4, -1, 5, -9, 2};
CONSTANT float scale = 0.25f;
CONSTANT int patched[4] = {1, 2, 3, 4}; // overwritten by the launch file
DEVICE int counter = 1000;
DEVICE s64 big = -1234567890123456789LL;
DEVICE extern const Node third = {300, nullptr};
DEVICE extern const Node second = {20, &third};
DEVICE Node first = {1, &second};
DEVICE u8 text[] = "kumiko";
DEVICE int table[3][4] = {{1, 2, 3, 4}, {5, 6}, {7}};

// Constant tables and global variables with initialisers, among them addresses.
KERNEL globals(int *out, float *scaled, s64 *sum) {
  int i = gidx;
  int s = 0;
  for (int k = 0; k < 7; k++) s += weights[(k + i) % 7] * k;
  for (const Node *p = &first; p; p = p->next) s += p->value * (i & 1 ? 1 : 2);
  s += text[i % 6] + table[i % 3][i % 4] + patched[i & 3];
  out[i] = s;
  scaled[i] = (float)s * scale;
  __nvvm_atom_add_gen_i(&counter, i);
  if (i == 0) *sum = big;
}

// What the launch before left behind.
KERNEL after(int *out) { out[0] = counter; first.value = 0; counter = 5; }
