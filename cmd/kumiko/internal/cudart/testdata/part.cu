// A part of the application in whole.cu. Both have a static variable of the same name.
__constant__ float rate;
__device__ int hits;
static __device__ int own = 100;

__device__ float twice(float v) { return 2 * v + own; }
