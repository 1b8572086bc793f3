#include "cuda.h"

enum { order = 508 };

// Keys are in rising order, the unused ones at the end larger than any query;
// key i of an inner node is the least key below child i, or less. A leaf's
// children are record numbers.
struct Node {
  int keys[order + 1];
  int children[order + 1];
};

// A CTA answers one range query: which records lie between two keys, both of
// which are in the tree. A thread compares one key slot of the node at hand;
// the walks towards both ends of the range go on together.
KERNEL findRangeK(int height, const Node *nodes, int *lower, int *lowerNext, int *upper, int *upperNext,
                  const int *from, const int *to, int *first, int *count) {
  int q = cta_x(), t = tid_x();
#pragma unroll 1
  for (int level = 0; level < height; level++) {
    const Node *node = &nodes[lower[q]];
    if (node->keys[t] <= from[q] && node->keys[t + 1] > from[q]) lowerNext[q] = node->children[t];
    node = &nodes[upper[q]];
    if (node->keys[t] <= to[q] && node->keys[t + 1] > to[q]) upperNext[q] = node->children[t];
    barrier();
    if (t == 0) {
      lower[q] = lowerNext[q];
      upper[q] = upperNext[q];
    }
    barrier();
  }
  const Node *leaf = &nodes[lower[q]];
  if (leaf->keys[t] == from[q]) first[q] = leaf->children[t];
  barrier();
  leaf = &nodes[upper[q]];
  if (leaf->keys[t] == to[q]) count[q] = leaf->children[t] - first[q] + 1;
}
