// An application that multiplies matrices by the matrix functions of a warp.
#include <cstdio>
#include <mma.h>

using namespace nvcuda;

template <class T, class A, class B, int m, int n>
__global__ void product(const half *a, const half *b, T *c, wmma::layout_t layout) {
  wmma::fragment<wmma::matrix_a, m, n, 16, half, A> fa;
  wmma::fragment<wmma::matrix_b, m, n, 16, half, B> fb;
  wmma::fragment<wmma::accumulator, m, n, 16, T> fc, one;
  bool rowsA = std::is_same<A, wmma::row_major>::value, rowsB = std::is_same<B, wmma::row_major>::value;
  wmma::fill_fragment(one, T(1.0f));
  wmma::load_matrix_sync(fc, c, layout == wmma::mem_row_major ? n : m, layout);
  for (int k = 0; k < 32; k += 16) {
    wmma::load_matrix_sync(fa, a + (rowsA ? k : k * m), rowsA ? 32 : m);
    wmma::load_matrix_sync(fb, b + (rowsB ? k * n : k), rowsB ? n : 32);
    wmma::mma_sync(fc, fa, fb, fc);
  }
  for (int i = 0; i < fc.num_elements; i++) fc.x[i] = fc.x[i] * T(2.0f) + one.x[i];
  wmma::store_matrix_sync(c, fc, layout == wmma::mem_row_major ? n : m, layout);
}

// Whether the result is 2 (A B + C) + 1: small integers, which half has exactly.
template <class T, class A, class B, int m = 16, int n = 16> static bool right(wmma::layout_t layout) {
  half *a, *b;
  T *c;
  cudaMallocManaged(&a, m * 32 * sizeof *a), cudaMallocManaged(&b, 32 * n * sizeof *b);
  cudaMallocManaged(&c, m * n * sizeof *c);
  bool rowsA = std::is_same<A, wmma::row_major>::value, rowsB = std::is_same<B, wmma::row_major>::value;
  auto va = [](int i, int k) { return float((3 * i + k) % 5 - 2); };
  auto vb = [](int k, int j) { return float((2 * j + 3 * k) % 4 - 1); };
  auto vc = [](int i, int j) { return float((i + 2 * j) % 7); };
  auto at = [&](int i, int j) -> T & { return c[layout == wmma::mem_row_major ? i * n + j : j * m + i]; };
  for (int k = 0; k < 32; k++) {
    for (int i = 0; i < m; i++) a[rowsA ? i * 32 + k : k * m + i] = half(va(i, k));
    for (int j = 0; j < n; j++) b[rowsB ? k * n + j : j * 32 + k] = half(vb(k, j));
  }
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) at(i, j) = T(vc(i, j));
  product<T, A, B, m, n><<<1, 32>>>(a, b, c, layout);
  bool ok = cudaDeviceSynchronize() == cudaSuccess;
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      float sum = vc(i, j);
      for (int k = 0; k < 32; k++) sum += va(i, k) * vb(k, j);
      ok = ok && float(at(i, j)) == 2 * sum + 1;
    }
  return ok;
}

int main() {
  using R = wmma::row_major;
  using C = wmma::col_major;
  auto rows = wmma::mem_row_major, cols = wmma::mem_col_major;
  printf("float %d%d%d%d, half %d%d, ", right<float, R, R>(rows), right<float, R, C>(cols), right<float, C, R>(rows),
         right<float, C, C>(cols), right<half, R, C>(rows), right<half, C, R>(cols));
  printf("32x8 %d%d, 8x32 %d%d\n", right<float, R, C, 32, 8>(rows), right<half, C, R, 32, 8>(cols),
         right<float, C, R, 8, 32>(rows), right<half, R, C, 8, 32>(cols));
  return 0;
}
