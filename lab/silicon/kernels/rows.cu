// Four kernels of a transformer's layer that read and write rows of memory. rows.ptx is what clang 19 makes of this, comments
// taken out:
//
//	clang -x cuda -std=c++17 --cuda-device-only --cuda-gpu-arch=sm_86 --cuda-feature=+ptx71 -nocudainc -nocudalib -O3
//		-I benchmarks -S -o - lab/silicon/kernels/rows.cu
#include "cuda.h"

DYNSHARED float part[];

// sum and largest leave in part[0] what the threads of a CTA have in part, a power of two of them.
DEVICE void sum(int n) {
	for (int half = n / 2; half > 0; half /= 2) {
		if (tid_x() < half)
			part[tid_x()] += part[tid_x() + half];
		barrier();
	}
}

DEVICE void largest(int n) {
	for (int half = n / 2; half > 0; half /= 2) {
		if (tid_x() < half)
			part[tid_x()] = fmax(part[tid_x()], part[tid_x() + half]);
		barrier();
	}
}

// add adds an array to another.
KERNEL add(float *to, const float *from, int n) {
	int i = global_x();
	if (i < n)
		to[i] += from[i];
}

// normalize gives each row mean 0 and variance 1, a CTA per row.
KERNEL normalize(float *x, int rows, int columns) {
	int x0 = tid_x(), threads = threads_x();
	if (cta_x() >= rows)
		return;
	float *row = x + cta_x() * columns;
	float total = 0;
	for (int i = x0; i < columns; i += threads)
		total += row[i];
	part[x0] = total;
	barrier();
	sum(threads);
	float mean = part[0] / columns;
	total = 0;
	for (int i = x0; i < columns; i += threads) {
		float off = row[i] - mean;
		total += off * off;
	}
	part[x0] = total;
	barrier();
	sum(threads);
	float scale = rsqrt_approx(part[0] / columns + 1e-5f);
	for (int i = x0; i < columns; i += threads)
		row[i] = (row[i] - mean) * scale;
}

// softmax makes each row exponentials that add up to 1, a CTA per row.
KERNEL softmax(float *x, int rows, int columns) {
	int x0 = tid_x(), threads = threads_x();
	if (cta_x() >= rows)
		return;
	float *row = x + cta_x() * columns;
	float most = -1e38f;
	for (int i = x0; i < columns; i += threads)
		most = fmax(most, row[i]);
	part[x0] = most;
	barrier();
	largest(threads);
	most = part[0];
	float total = 0;
	for (int i = x0; i < columns; i += threads) {
		row[i] = exp_approx(row[i] - most);
		total += row[i];
	}
	part[x0] = total;
	barrier();
	sum(threads);
	total = part[0];
	for (int i = x0; i < columns; i += threads)
		row[i] /= total;
}

// context is, for each head, the product of the scores of all rows with the values.
KERNEL context(const float *scores, const float *values, float *out, int rows, int depth, int heads) {
	int head = __nvvm_read_ptx_sreg_ctaid_z();
	int r = global_y(), c = global_x();
	if (r >= rows || c >= depth || head >= heads)
		return;
	const float *score = scores + (head * rows + r) * rows;
	const float *value = values + head * rows * depth + c;
	float total = 0;
	for (int j = 0; j < rows; j++, value += depth)
		total += score[j] * *value;
	out[(head * rows + r) * depth + c] = total;
}
