// Two kernels whose inner loops read shared memory word by word: what they cost depends on whether
// the compiler joins the reads of a row. Blocks are 16 by 16 threads. tiles.ptx is what clang 14.0.6 makes of this, comments
// taken out:
//
//	clang -x cuda -std=c++17 --cuda-device-only --cuda-gpu-arch=sm_86 -Xclang -target-feature -Xclang +ptx71 -nocudainc
//		-nocudalib -O3 -I benchmarks -S -o - lab/silicon/kernels/tiles.cu
#include "cuda.h"

enum { EDGE = 16, DEPTH = 64 };

// product is C = A B: A has rows by inner elements, B inner by columns. Tiles of 16 by 16
// elements pass through shared memory.
KERNEL product(const float *a, const float *b, float *c, int rows, int columns, int inner) {
	SHARED float left[EDGE][EDGE];
	SHARED float right[EDGE][EDGE];
	int x = tid_x(), y = tid_y();
	int r = cta_y() * EDGE + y, k = cta_x() * EDGE + x;
	float total = 0;
	int steps = (inner + EDGE - 1) / EDGE;
	for (int s = 0; s < steps; s++) {
		int across = s * EDGE + x, down = s * EDGE + y;
		float l = 0, m = 0;
		if (r < rows && across < inner)
			l = a[r * inner + across];
		left[y][x] = l;
		if (down < inner && k < columns)
			m = b[down * columns + k];
		right[y][x] = m;
		barrier();
		for (int i = 0; i < EDGE; i++)
			total += left[y][i] * right[i][x];
		barrier();
	}
	if (r < rows && k < columns)
		c[r * columns + k] = total;
}

// scores has, for each head, the products of all rows of q with all rows of k, divided by the root of their
// length. A row of the second tile is a word longer, so that a column of it is in as many banks.
KERNEL scores(const float *q, const float *k, float *out, int rows, int depth, int heads) {
	SHARED float left[EDGE][DEPTH];
	SHARED float right[EDGE][DEPTH + 1];
	int x = tid_x(), y = tid_y(), head = __nvvm_read_ptx_sreg_ctaid_z();
	int r = cta_y() * EDGE + y, c = cta_x() * EDGE + x, fetched = cta_x() * EDGE + y;
	if (r < rows && head < heads) {
		int from = head * rows * depth + r * depth;
		for (int d = x; d < depth; d += EDGE)
			left[y][d] = q[from + d];
	}
	if (fetched < rows && head < heads) {
		int from = head * rows * depth + fetched * depth;
		for (int d = x; d < depth; d += EDGE)
			right[y][d] = k[from + d];
	}
	barrier();
	if (r < rows && c < rows && head < heads) {
		float total = 0;
#pragma unroll
		for (int d = 0; d < DEPTH; d++)
			total += left[y][d] * right[x][d];
		out[head * rows * rows + r * rows + c] = total / sqrt((float)depth);
	}
}
