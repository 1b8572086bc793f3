#include "cuda.h"

enum { threads = 256, bins = 20, warps = threads / 32, perWarp = 16, histograms = warps * perWarp };

CONSTANT float boundary[bins + 1];  // of the cosine, falling

struct Points {
  float x[threads], y[threads], z[threads];
};

// Histograms of the angle between points on the sky, a CTA per job: job 0 pairs
// the data with itself, jobs 1..sets the data with a random set, the others a
// random set with itself. A tile of 256 points is staged in shared memory; each
// thread pairs its point with all of them, finds the bin of the cosine by binary
// search, and counts in one of sixteen histograms of its warp.
KERNEL gen_hists(u64 *out, const float *x, const float *y, const float *z, int sets, int n) {
  SHARED Points tile;
  SHARED u32 count[bins][histograms];
  int job = cta_x(), tx = tid_x();
  int mine = tx / 32 * perWarp + tx % perWarp;
  for (int i = tx; i < bins * histograms; i += threads) count[0][i] = 0;
  barrier();

  // Set 0 is the data.
  bool self = job == 0 || job > sets;
  int one = job > sets ? job - sets : 0;
  int two = job > sets ? job - sets : job;
#pragma unroll 1
  for (int first = 0; first < n; first += threads) {
    barrier();
    if (first + tx < n) {
      tile.x[tx] = x[two * n + first + tx];
      tile.y[tx] = y[two * n + first + tx];
      tile.z[tx] = z[two * n + first + tx];
    }
    barrier();
    int staged = min(threads, n - first);
#pragma unroll 1
    for (int i = tx; i < n; i += threads) {
      float px = x[one * n + i], py = y[one * n + i], pz = z[one * n + i];
#pragma unroll 1
      for (int j = self ? max(i + 1 - first, 0) : 0; j < staged; j++) {
        float dot = px * tile.x[j] + py * tile.y[j] + pz * tile.z[j];
        int low = 0, high = bins;
        while (high > low + 1) {
          int middle = (low + high) / 2;
          if (dot >= boundary[middle])
            high = middle;
          else
            low = middle;
        }
        if (dot < boundary[0] && dot >= boundary[bins]) __nvvm_atom_add_gen_i((int *)&count[low][mine], 1);
      }
    }
  }
  barrier();

#pragma unroll 1
  for (int half = histograms / 2; half > 0; half /= 2) {
    for (int i = tx; i < bins * half; i += threads) count[i / half][i % half] += count[i / half][i % half + half];
    barrier();
  }
  if (tx < bins) out[job * bins + tx] = count[tx][0];
}
