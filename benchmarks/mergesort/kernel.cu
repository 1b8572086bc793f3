#include "cuda.h"

// Stable merge sort of pairs of a key and a value.
enum { pairs = 1024, step = 128 };  // pairs per CTA, elements per sample

// How many elements of a sorted run are below the key, or not above it.
template <bool orEqual>
DEVICE int rank(u32 key, const u32 *run, int n) {
  int at = 0;
#pragma unroll 1
  for (int left = n; left > 0;) {
    int half = left / 2;
    bool before = orEqual ? run[at + half] <= key : run[at + half] < key;
    if (before) {
      at += half + 1;
      left -= half + 1;
    } else {
      left = half;
    }
  }
  return at;
}

// Sorts runs of `run` pairs in shared memory, 1024 pairs per CTA of 512 threads:
// neighbouring runs merge by every element looking up its rank in the other run.
KERNEL mergeSortShared(u32 *keysOut, u32 *valuesOut, const u32 *keysIn, const u32 *valuesIn, int run) {
  SHARED u32 keys[pairs];
  SHARED u32 values[pairs];
  int tx = tid_x(), at = cta_x() * pairs + tx;
  keys[tx] = keysIn[at];
  values[tx] = valuesIn[at];
  keys[tx + pairs / 2] = keysIn[at + pairs / 2];
  values[tx + pairs / 2] = valuesIn[at + pairs / 2];
#pragma unroll 1
  for (int stride = 1; stride < run; stride *= 2) {
    int i = tx & (stride - 1);
    u32 *k = keys + 2 * (tx - i), *v = values + 2 * (tx - i);
    barrier();
    u32 keyA = k[i], valueA = v[i];
    u32 keyB = k[i + stride], valueB = v[i + stride];
    int toA = rank<false>(keyA, k + stride, stride) + i;
    int toB = rank<true>(keyB, k, stride) + i;
    barrier();
    k[toA] = keyA;
    v[toA] = valueA;
    k[toB] = keyB;
    v[toB] = valueB;
  }
  barrier();
  keysOut[at] = keys[tx];
  valuesOut[at] = values[tx];
  keysOut[at + pairs / 2] = keys[tx + pairs / 2];
  valuesOut[at + pairs / 2] = values[tx + pairs / 2];
}

// Every 128th element of the two runs of a pair looks up its rank in the other
// run. ranksA[i] is where sample i of the second run would go in the first,
// ranksB[i] where sample i of the first would go in the second.
KERNEL generateSampleRanks(int *ranksA, int *ranksB, const u32 *keys, int stride, int threads) {
  int t = global_x();
  if (t >= threads) return;
  int samples = stride / step;
  int i = t & (samples - 1);
  const u32 *a = keys + (t - i) * step * 2, *b = a + stride;
  ranksB[t] = rank<false>(a[i * step], b, stride);
  ranksA[t] = rank<true>(b[i * step], a, stride);
}

// Merges where a run's own samples lie, i * 128, with the ranks of the other
// run's samples in it: the limits that cut the run into pieces of at most 128.
KERNEL mergeRanksAndIndices(int *limits, const int *ranks, int stride, int threads) {
  int t = global_x();
  if (t >= threads) return;
  int samples = stride / step;
  int i = t & (samples - 1);
  ranks += t - i;
  limits += 2 * (t - i);
  int own = i * step;
  int before = rank<true>((u32)own, (const u32 *)ranks, samples);
  limits[i + before] = own;
  int other = ranks[i];
  limits[i + (other + step - 1) / step] = other;
}

// A CTA merges one piece of the first run and one of the second.
KERNEL mergeElementaryIntervals(u32 *keysOut, u32 *valuesOut, const u32 *keysIn, const u32 *valuesIn, const int *limitsA,
                                const int *limitsB, int stride) {
  SHARED u32 keys[2 * step];
  SHARED u32 values[2 * step];
  SHARED int startA, startB, lengthA, lengthB;
  int tx = tid_x();
  int perPair = 2 * stride / step;
  int i = cta_x() & (perPair - 1);
  int base = (cta_x() - i) * step;
  keysIn += base;
  valuesIn += base;
  if (tx == 0) {
    startA = limitsA[cta_x()];
    startB = limitsB[cta_x()];
    lengthA = (i == perPair - 1 ? stride : limitsA[cta_x() + 1]) - startA;
    lengthB = (i == perPair - 1 ? stride : limitsB[cta_x() + 1]) - startB;
  }
  barrier();
  int nA = lengthA, nB = lengthB;
  if (tx < nA) {
    keys[tx] = keysIn[startA + tx];
    values[tx] = valuesIn[startA + tx];
  }
  if (tx < nB) {
    keys[step + tx] = keysIn[stride + startB + tx];
    values[step + tx] = valuesIn[stride + startB + tx];
  }
  barrier();
  u32 keyA = 0, valueA = 0, keyB = 0, valueB = 0;
  int toA = 0, toB = 0;
  if (tx < nA) {
    keyA = keys[tx];
    valueA = values[tx];
    toA = rank<false>(keyA, keys + step, nB) + tx;
  }
  if (tx < nB) {
    keyB = keys[step + tx];
    valueB = values[step + tx];
    toB = rank<true>(keyB, keys, nA) + tx;
  }
  barrier();
  if (tx < nA) {
    keys[toA] = keyA;
    values[toA] = valueA;
  }
  if (tx < nB) {
    keys[toB] = keyB;
    values[toB] = valueB;
  }
  barrier();
  int out = base + startA + startB;
  for (int k = tx; k < nA + nB; k += step) {
    keysOut[out + k] = keys[k];
    valuesOut[out + k] = values[k];
  }
}
