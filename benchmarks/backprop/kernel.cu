#include "cuda.h"

enum { hidden = 16, inputs = 16 };

// Multiplies 16 inputs with their 16x16 weights and sums the products over the
// inputs by a tree: one partial sum per hidden unit and CTA. The matrix has a
// row per input and a column per hidden unit, both counted from 1; the products
// are left in it.
KERNEL layerforward(const float *input, float *weights, float *partial) {
  SHARED float node[inputs];
  SHARED float product[inputs][hidden];
  int by = cta_y(), tx = tid_x(), ty = tid_y();
  int row = by * inputs + ty + 1;
  int at = row * (hidden + 1) + tx + 1;
  if (tx == 0) node[ty] = input[row];
  product[ty][tx] = weights[at];
  barrier();
  product[ty][tx] *= node[ty];
  barrier();
#pragma unroll 1
  for (int stride = 1; stride < inputs; stride *= 2) {
    if (ty % (2 * stride) == 0) product[ty][tx] += product[ty + stride][tx];
    barrier();
  }
  weights[at] = product[ty][tx];
  barrier();
  if (tx == 0) partial[by * hidden + ty] = product[0][ty];
}

// Moves the weights along the gradient, with momentum.
KERNEL adjust_weights(const float *delta, const float *input, float *weights, float *oldWeights, float eta, float momentum) {
  int by = cta_y(), tx = tid_x(), ty = tid_y();
  int row = by * inputs + ty + 1, col = tx + 1;
  int at = row * (hidden + 1) + col;
  float change = eta * delta[col] * input[row] + momentum * oldWeights[at];
  weights[at] += change;
  oldWeights[at] = change;
  barrier();
  if (ty == 0 && by == 0) {
    float bias = eta * delta[col] + momentum * oldWeights[col];
    weights[col] += bias;
    oldWeights[col] = bias;
  }
}
