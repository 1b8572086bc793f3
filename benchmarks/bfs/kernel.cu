#include "cuda.h"

struct Node {
  int first;
  int degree;
};

// One level of a breadth-first search, a thread per node: the nodes of the
// frontier leave it, and give their unvisited neighbours a cost. Several nodes
// may reach one neighbour; they write the same values. The extent of a node's
// edges is read again for each neighbour, as in the published program: a write
// to cost may change it.
KERNEL visit(const Node *nodes, const int *edges, u8 *frontier, u8 *updating, const u8 *visited, int *cost, int n) {
  int i = global_x();
  if (i >= n || !frontier[i]) return;
  frontier[i] = 0;
  for (int e = nodes[i].first; e < nodes[i].first + nodes[i].degree; e++) {
    int to = edges[e];
    if (!visited[to]) {
      cost[to] = cost[i] + 1;
      updating[to] = 1;
    }
  }
}

// Makes the nodes that were reached the next frontier, and says that there is one.
KERNEL update(u8 *frontier, u8 *updating, u8 *visited, u8 *again, int n) {
  int i = global_x();
  if (i >= n || !updating[i]) return;
  frontier[i] = 1;
  visited[i] = 1;
  *again = 1;
  updating[i] = 0;
}
