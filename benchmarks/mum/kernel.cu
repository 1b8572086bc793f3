#include "cuda.h"

// A node of the suffix tree. Children go by the letter of their edge; an edge's
// label is reference[start, end). 0 is no node: the root is no one's child.
struct Node {
  u32 child[4];
  u32 start, end, parent, link;
};

struct Match {
  u32 node;  // the one at or below which the match ends
  int length;
};

// Nodes have two coordinates of 16 bits, as in a texture of this width.
DEVICE const Node *node_at(const Node *tree, u32 address, int width) {
  return tree + (address >> 16) * width + (address & 0xffff);
}

// A, C, T, G to 0 to 3.
DEVICE u32 code(u8 letter) { return letter >> 1 & 3; }

// Longest match in the reference of every suffix of a query that is at least
// `least` long, a thread per query. The walk goes down from a node by whole
// edges, comparing them letter by letter, and on to the next suffix by the
// node's suffix link. Node 0 is the root; the reference ends with a letter that
// no query has.
KERNEL mummergpuKernel(const Node *tree, const u8 *reference, const u8 *queries, const int *offsets, Match *matches, int n,
                       int width, int least, int perQuery) {
  int q = global_x();
  if (q >= n) return;
  const u8 *query = queries + offsets[q];
  int length = offsets[q + 1] - offsets[q];
  Match *out = matches + q * perQuery;

  u32 at = 0;     // the deepest node that is matched in full
  int depth = 0;  // letters from the root to it
  for (int i = 0; i + least <= length; i++) {
    u32 locus = at;
    int matched = depth;
    while (i + matched < length) {
      u32 next = node_at(tree, at, width)->child[code(query[i + matched])];
      if (next == 0) break;
      locus = next;
      const Node *child = node_at(tree, next, width);
      u32 from = child->start, end = child->end;
      while (from < end && i + matched < length && reference[from] == query[i + matched]) {
        from++;
        matched++;
      }
      if (from < end) break;
      at = next;
      depth = matched;
    }
    out[i].node = locus;
    out[i].length = matched;
    at = node_at(tree, at, width)->link;
    depth = max(depth - 1, 0);
  }
}
