#include "cuda.h"

enum { threads = 256, maxOptions = 2048 };

struct Option {
  float price, strike, drift, volatility;  // over the option's time
};

struct Value {
  float sum, squares;
};

CONSTANT Option option[maxOptions];

// Sum and sum of squares of a European call's payoff over all samples, a CTA per
// option: threads stride over the samples, which all CTAs share, and a tree adds
// up what they have.
KERNEL MonteCarloOneBlockPerOption(const float *samples, Value *value, int n) {
  SHARED float sums[threads];
  SHARED float squares[threads];
  int tx = tid_x();
  Option o = option[cta_x()];
  float sum = 0, square = 0;
#pragma unroll 4
  for (int i = tx; i < n; i += threads) {
    float end = o.price * exp_approx(o.drift + o.volatility * samples[i]);
    float payoff = end - o.strike;
    payoff = payoff > 0 ? payoff : 0;
    sum += payoff;
    square += payoff * payoff;
  }
  sums[tx] = sum;
  squares[tx] = square;
#pragma unroll 1
  for (int half = threads / 2; half > 0; half /= 2) {
    barrier();
    if (tx < half) {
      sums[tx] += sums[tx + half];
      squares[tx] += squares[tx + half];
    }
  }
  if (tx == 0) value[cta_x()] = {sums[0], squares[0]};
}
