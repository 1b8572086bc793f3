// Point queries on a B+ tree, as a program of Rodinia makes them: every thread copies the nodes on its way into local
// memory and looks for its key there. search.ptx is what clang 19 makes of this, comments taken out:
//
//	clang -x cuda -std=c++17 --cuda-device-only --cuda-gpu-arch=sm_86 --cuda-feature=+ptx71 -nocudainc -nocudalib -O3
//		-I benchmarks -S -o - lab/silicon/kernels/search.cu
#include "cuda.h"

enum { SLOTS = 32, TOP = 3, MIDDLE = 6, LOW = 8, KEYS = 7 };
enum { FIRST = 1, SECOND = FIRST + TOP, LEAVES = SECOND + TOP * MIDDLE, NODES = LEAVES + TOP * MIDDLE * LOW };

// A node has 66 words: whether the node is a leaf, the number of its keys, its keys, and its children, or the places of the
// keys in a leaf.
enum { LEAF, COUNT, KEY, NEXT = KEY + SLOTS, WORDS = NEXT + SLOTS };

// plant writes a tree of four levels, a node per thread, whose leaves have the keys 0 to 1,007 in order; and queries of
// which neighbours lead to leaves five apart.
KERNEL plant(int *tree, int *query, int queries) {
	int i = global_x();
	if (i < queries)
		query[i] = i * 37 % queries;
	if (i >= NODES)
		return;
	int *n = tree + i * WORDS;
	int leaf = i >= LEAVES, width = KEYS, first = i - LEAVES, next = KEYS, step = 1;
	if (i < FIRST)
		width = TOP, first = 0, next = FIRST, step = KEYS * LOW * MIDDLE;
	else if (i < SECOND)
		width = MIDDLE, first = i - FIRST, next = SECOND + first * MIDDLE, step = KEYS * LOW;
	else if (!leaf)
		width = LOW, first = i - SECOND, next = LEAVES + first * LOW, step = KEYS;
	if (leaf)
		next = first * KEYS;
	n[LEAF] = leaf;
	n[COUNT] = leaf ? width : width - 1;
	for (int k = 0; k < width; k++) {
		n[KEY + k] = (first * width + k + !leaf) * step;
		n[NEXT + k] = next + k;
	}
}

DEVICE void copy(int *to, const int *from) {
#pragma unroll
	for (int w = 0; w < WORDS; w++)
		to[w] = from[w];
}

// search writes the place of each query's key, or -1.
KERNEL search(const int *tree, const int *query, int *found, int queries) {
	int i = global_x(), n[WORDS];
	if (i >= queries)
		return;
	copy(n, tree);
	int q = query[i];
	while (!n[LEAF]) {
		int k = 0;
		while (k < n[COUNT] && q >= n[KEY + k])
			k++;
		copy(n, tree + n[NEXT + k] * WORDS);
	}
	int at = -1;
	for (int k = 0; k < n[COUNT]; k++)
		if (n[KEY + k] == q)
			at = n[NEXT + k];
	found[i] = at;
}
