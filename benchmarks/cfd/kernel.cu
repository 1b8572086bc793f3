#include "cuda.h"

enum { neighbours = 4, stages = 3 };
#define GAMMA 1.4f

struct Vec {
  float x, y, z;
};

// What a cell's state says of the flux through a face: a vector per conserved
// variable but density, whose vector is the momentum.
struct Flux {
  Vec momentumX, momentumY, momentumZ, energy;
};

// The undisturbed flow.
struct FarField {
  float density;
  Vec momentum;
  float energy;
  Flux flux;
};

CONSTANT FarField far;

DEVICE Vec velocity(float density, Vec momentum) {
  return {momentum.x / density, momentum.y / density, momentum.z / density};
}

DEVICE float square(Vec v) { return v.x * v.x + v.y * v.y + v.z * v.z; }

DEVICE float pressure(float density, float energy, float speed2) { return (GAMMA - 1.0f) * (energy - 0.5f * density * speed2); }

DEVICE Flux contribution(Vec momentum, float energy, float p, Vec v) {
  Flux f;
  f.momentumX = {v.x * momentum.x + p, v.x * momentum.y, v.x * momentum.z};
  f.momentumY = {f.momentumX.y, v.y * momentum.y + p, v.y * momentum.z};
  f.momentumZ = {f.momentumX.z, f.momentumY.z, v.z * momentum.z + p};
  float e = energy + p;
  f.energy = {v.x * e, v.y * e, v.z * e};
  return f;
}

// Variables lie one after the other, n cells each: density, momentum in x, y and
// z, energy. n is a multiple of the CTA's 192 threads.

KERNEL initialize_variables(float *variables, int n) {
  int i = global_x();
  variables[i] = far.density;
  variables[i + n] = far.momentum.x;
  variables[i + 2 * n] = far.momentum.y;
  variables[i + 3 * n] = far.momentum.z;
  variables[i + 4 * n] = far.energy;
}

KERNEL compute_step_factor(const float *variables, const float *areas, float *factors, int n) {
  int i = global_x();
  float density = variables[i];
  Vec momentum = {variables[i + n], variables[i + 2 * n], variables[i + 3 * n]};
  float energy = variables[i + 4 * n];
  float speed2 = square(velocity(density, momentum));
  float p = pressure(density, energy, speed2);
  float sound = sqrt(GAMMA * p / density);
  factors[i] = 0.5f / (sqrt(areas[i]) * (sqrt(speed2) + sound));
}

// Net flux into each cell through its four faces. A face leads to another cell,
// to a wing (-1), which only presses, or to the far field (-2). Face k's
// neighbour and normal of all cells lie together.
KERNEL compute_flux(const int *cells, const float *normals, const float *variables, float *fluxes, int n) {
  const float smoothing = 0.2f;
  int i = global_x();
  float density = variables[i];
  Vec momentum = {variables[i + n], variables[i + 2 * n], variables[i + 3 * n]};
  float energy = variables[i + 4 * n];
  Vec v = velocity(density, momentum);
  float speed2 = square(v);
  float speed = sqrt(speed2);
  float p = pressure(density, energy, speed2);
  float sound = sqrt(GAMMA * p / density);
  Flux mine = contribution(momentum, energy, p, v);

  float fluxDensity = 0, fluxEnergy = 0;
  Vec fluxMomentum = {0, 0, 0};
#pragma unroll
  for (int k = 0; k < neighbours; k++) {
    int other = cells[i + k * n];
    Vec normal = {normals[i + (3 * k) * n], normals[i + (3 * k + 1) * n], normals[i + (3 * k + 2) * n]};
    if (other >= 0) {
      float d = variables[other];
      Vec m = {variables[other + n], variables[other + 2 * n], variables[other + 3 * n]};
      float e = variables[other + 4 * n];
      Vec w = velocity(d, m);
      float w2 = square(w);
      float q = pressure(d, e, w2);
      float c = sqrt(GAMMA * q / d);
      Flux theirs = contribution(m, e, q, w);
      float viscosity = -sqrt(square(normal)) * smoothing * 0.5f * (speed + sqrt(w2) + sound + c);
      fluxDensity += viscosity * (density - d);
      fluxEnergy += viscosity * (energy - e);
      fluxMomentum.x += viscosity * (momentum.x - m.x);
      fluxMomentum.y += viscosity * (momentum.y - m.y);
      fluxMomentum.z += viscosity * (momentum.z - m.z);
#define THROUGH(axis, theirMomentum, flux) { \
        float half = 0.5f * normal.axis; \
        fluxDensity += half * (theirMomentum.axis + momentum.axis); \
        fluxEnergy += half * (flux.energy.axis + mine.energy.axis); \
        fluxMomentum.x += half * (flux.momentumX.axis + mine.momentumX.axis); \
        fluxMomentum.y += half * (flux.momentumY.axis + mine.momentumY.axis); \
        fluxMomentum.z += half * (flux.momentumZ.axis + mine.momentumZ.axis); \
      }
      THROUGH(x, m, theirs)
      THROUGH(y, m, theirs)
      THROUGH(z, m, theirs)
    } else if (other == -1) {
      fluxMomentum.x += normal.x * p;
      fluxMomentum.y += normal.y * p;
      fluxMomentum.z += normal.z * p;
    } else if (other == -2) {
      THROUGH(x, far.momentum, far.flux)
      THROUGH(y, far.momentum, far.flux)
      THROUGH(z, far.momentum, far.flux)
    }
  }
  fluxes[i] = fluxDensity;
  fluxes[i + n] = fluxMomentum.x;
  fluxes[i + 2 * n] = fluxMomentum.y;
  fluxes[i + 3 * n] = fluxMomentum.z;
  fluxes[i + 4 * n] = fluxEnergy;
}

// One stage of the Runge-Kutta scheme.
KERNEL time_step(int stage, const float *old, float *variables, const float *factors, const float *fluxes, int n) {
  int i = global_x();
  float f = factors[i] / (float)(stages + 1 - stage);
  variables[i] = old[i] + f * fluxes[i];
  variables[i + n] = old[i + n] + f * fluxes[i + n];
  variables[i + 2 * n] = old[i + 2 * n] + f * fluxes[i + 2 * n];
  variables[i + 3 * n] = old[i + 3 * n] + f * fluxes[i + 3 * n];
  variables[i + 4 * n] = old[i + 4 * n] + f * fluxes[i + 4 * n];
}
