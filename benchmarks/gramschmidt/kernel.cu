#include "cuda.h"

// Modified Gram-Schmidt, one column k at a time; a is rows x cols, r cols x cols
// of which only the first rows are made.

// r[k][k] = the length of column k, by one thread.
KERNEL gramschmidt_kernel1(const float *a, float *r, int rows, int cols, int k) {
  if (global_x() != 0) return;
  float sum = 0;
  for (int i = 0; i < rows; i++) sum += a[i * cols + k] * a[i * cols + k];
  r[k * cols + k] = sqrt(sum);
}

// Column k of q, scaled to length one: lanes a row apart.
KERNEL gramschmidt_kernel2(const float *a, const float *r, float *q, int rows, int cols, int k) {
  int i = global_x();
  if (i < rows) q[i * cols + k] = a[i * cols + k] / r[k * cols + k];
}

// Takes column k's share out of the columns after it, a thread per column.
KERNEL gramschmidt_kernel3(float *a, float *r, const float *q, int rows, int cols, int k) {
  int j = global_x();
  if (j <= k || j >= cols) return;
  r[k * cols + j] = 0;
  for (int i = 0; i < rows; i++) r[k * cols + j] += q[i * cols + k] * a[i * cols + j];
  for (int i = 0; i < rows; i++) a[i * cols + j] -= q[i * cols + k] * r[k * cols + j];
}
