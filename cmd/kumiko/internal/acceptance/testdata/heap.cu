#include "device.h"

// The k smallest of a row of keys, by a heap in a local array with dynamic
// indices, one row per thread.
KERNEL smallest(const int *keys, int *out, int rows, int columns, int k) {
  int row = gidx;
  if (row >= rows) return;
  int heap[24];
  int size = 0;
  for (int c = 0; c < columns; c++) {
    int v = keys[c * rows + row];
    int i;
    if (size < k) {
      i = size++;
      while (i > 0 && heap[(i - 1) / 2] < v) {
        heap[i] = heap[(i - 1) / 2];
        i = (i - 1) / 2;
      }
      heap[i] = v;
    } else if (v < heap[0]) {
      i = 0;
      for (;;) {
        int child = 2 * i + 1;
        if (child >= size) break;
        if (child + 1 < size && heap[child + 1] > heap[child]) child++;
        if (heap[child] <= v) break;
        heap[i] = heap[child];
        i = child;
      }
      heap[i] = v;
    }
  }
  for (; size > 0; size--) {
    out[(size - 1) * rows + row] = heap[0];
    int v = heap[size - 1], i = 0;
    for (;;) {
      int child = 2 * i + 1;
      if (child >= size - 1) break;
      if (child + 1 < size - 1 && heap[child + 1] > heap[child]) child++;
      if (heap[child] <= v) break;
      heap[i] = heap[child];
      i = child;
    }
    heap[i] = v;
  }
}
