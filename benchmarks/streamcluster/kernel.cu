#include "cuda.h"

// What opening a centre at point x would change for every point: a point that
// is nearer to x than to its own centre would switch, and the saving goes into
// the last column of its row of `work`; otherwise what x would cost more goes
// into the column of its centre. Coordinates lie dimension-major.
KERNEL compute_cost(int n, int dims, int x, int columns, const float *coord, const float *weight, const float *cost,
                    const int *assign, const int *column, float *work, int *switches) {
  DYNSHARED float candidate[];
  for (int i = tid_x(); i < dims; i += threads_x()) candidate[i] = coord[i * n + x];
  barrier();
  int p = global_x();
  if (p >= n) return;
  float sum = 0;
  for (int i = 0; i < dims; i++) {
    float d = coord[i * n + p] - candidate[i];
    sum += d * d;
  }
  float theirs = sum * weight[p], mine = cost[p];
  float *row = work + p * columns;
  if (theirs < mine) {
    switches[p] = 1;
    row[columns - 1] += theirs - mine;
  } else {
    row[column[assign[p]]] += mine - theirs;
  }
}
