#include "cuda.h"

enum { side = 16 };

// The element of the weight matrix for a thread: the matrix has a row per input
// and a column per hidden unit, both counted from 1.
DEVICE int element(int units) { return (cta_y() * side + tid_y() + 1) * (units + 1) + tid_x() + 1; }

// Multiplies 16 inputs with their weights to 16 of the hidden units, and sums
// the products over the inputs by a tree: one partial sum per hidden unit and
// CTA. The products are left in the matrix.
KERNEL layerforward(const float *input, float *weights, float *partial, int units) {
  SHARED float node[side];
  SHARED float product[side][side];
  int by = cta_y(), tx = tid_x(), ty = tid_y();
  int at = element(units);
  if (tx == 0) node[ty] = input[by * side + ty + 1];
  product[ty][tx] = weights[at];
  barrier();
  product[ty][tx] *= node[ty];
  barrier();
#pragma unroll 1
  for (int stride = 1; stride < side; stride *= 2) {
    if (ty % (2 * stride) == 0) product[ty][tx] += product[ty + stride][tx];
    barrier();
  }
  weights[at] = product[ty][tx];
  barrier();
  if (tx == 0) partial[by * units + ty] = product[0][ty];
}

// The published program has both constants as doubles.
DEVICE double change(float gradient, float old) { return 0.3 * gradient + 0.3 * old; }
DEVICE double change(float gradient, float input, float old) { return 0.3 * gradient * input + 0.3 * old; }

// Moves the weights along the gradient, with momentum. The change is computed
// again for the second array, as in the published program: a write to the first
// may change the operands.
KERNEL adjust_weights(const float *delta, const float *input, float *weights, float *oldWeights, int units) {
  int by = cta_y(), tx = tid_x(), ty = tid_y();
  int at = element(units), row = by * side + ty + 1, col = tx + 1;
  weights[at] += change(delta[col], input[row], oldWeights[at]);
  oldWeights[at] = change(delta[col], input[row], oldWeights[at]);
  barrier();
  if (ty == 0 && by == 0) {
    weights[col] += change(delta[col], oldWeights[col]);
    oldWeights[col] = change(delta[col], oldWeights[col]);
  }
}
