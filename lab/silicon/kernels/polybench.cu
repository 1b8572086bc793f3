// Kernels of PolyBench that add up in global memory, as its GPU version does. polybench.ptx is what clang 19 makes of
// this, comments taken out:
//
//	clang -x cuda -std=c++17 --cuda-device-only --cuda-gpu-arch=sm_86 --cuda-feature=+ptx71 -nocudainc -nocudalib -O3
//		-I benchmarks -S -o - lab/silicon/kernels/polybench.cu
#include "cuda.h"

// rows is sum = sum + A x, and columns sum = sum + A' x.
KERNEL rows(float *a, float *x, float *sum, int n) {
	int i = global_x();
	if (i < n)
		for (int j = 0; j < n; j++)
			sum[i] += a[i * n + j] * x[j];
}

KERNEL columns(float *a, float *x, float *sum, int n) {
	int j = global_x();
	if (j < n)
		for (int i = 0; i < n; i++)
			sum[j] += a[i * n + j] * x[i];
}

KERNEL gesummv(float *a, float *b, float *x, float *y, float *sum, int n) {
	int i = global_x();
	if (i < n) {
		for (int j = 0; j < n; j++) {
			sum[i] += a[i * n + j] * x[j];
			y[i] += b[i * n + j] * x[j];
		}
		y[i] = 43532.0f * sum[i] + 12313.0f * y[i];
	}
}

KERNEL gemm(float *a, float *b, float *c, int n) {
	int j = global_x(), i = global_y();
	if (i < n && j < n) {
		c[i * n + j] *= 2123.0f;
		for (int k = 0; k < n; k++)
			c[i * n + j] += 32412.0f * a[i * n + k] * b[k * n + j];
	}
}
