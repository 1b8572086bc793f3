// An application with blocks in three dimensions, and copies of parts of them and of arrays.
#include <cstdio>

__global__ void add(cudaPitchedPtr p, int w, int h, int d) {
  int x = threadIdx.x;
  for (int z = 0; z < d; z++)
    for (int y = 0; y < h; y++)
      if (x < w) *(int *)((char *)p.ptr + (z * p.ysize + y) * p.pitch + 4 * x) += 1000 * z + 100 * y + x;
}

int main() {
  const int w = 5, h = 4, d = 3;
  int host[d][h][w] = {}, part[2][2] = {}, line[2] = {}, sum = 0;
  for (int i = 0; i < w * h * d; i++) (&host[0][0][0])[i] = 7;
  cudaPitchedPtr p;
  cudaMalloc3D(&p, make_cudaExtent(w * 4, h, d));
  cudaMemset3D(p, 0, make_cudaExtent(w * 4, h, d));
  cudaMemcpy3DParms in = {};
  in.srcPtr = make_cudaPitchedPtr(host, w * 4, w * 4, h), in.dstPtr = p, in.kind = cudaMemcpyHostToDevice;
  in.srcPos = in.dstPos = make_cudaPos(0, 1, 1);
  in.extent = make_cudaExtent(w * 4, h - 1, d - 1); // all but the first slice and rows
  int e = cudaMemcpy3D(&in);
  add<<<1, 32>>>(p, w, h, d);
  cudaMemcpy3DParms out = {};
  out.srcPtr = p, out.dstPtr = make_cudaPitchedPtr(host, w * 4, w * 4, h), out.kind = cudaMemcpyDeviceToHost;
  out.extent = make_cudaExtent(w * 4, h, d);
  e += cudaMemcpy3D(&out);
  for (int i = 0; i < w * h * d; i++) sum += (&host[0][0][0])[i];
  printf("%d: sum %d, first %d, last %d\n", e, sum, host[1][0][0], host[2][3][4]);

  cudaArray_t a;
  cudaChannelFormatDesc ints = cudaCreateChannelDesc<int>();
  cudaMallocArray(&a, &ints, w, h);
  cudaMemcpy3DParms slice = {};
  slice.srcPtr = p, slice.srcPos = make_cudaPos(0, 0, 2), slice.dstArray = a, slice.kind = cudaMemcpyDeviceToDevice;
  slice.extent = make_cudaExtent(w, h, 1); // in elements
  e = cudaMemcpy3D(&slice);
  cudaMemcpy2DFromArray(part, 8, a, 12, 1, 8, 2, cudaMemcpyDeviceToHost);
  cudaMemcpyArrayToArray(a, 0, 0, a, 8, 3, 8);
  cudaMemcpyFromArray(line, a, 0, 0, 8, cudaMemcpyDeviceToHost);
  slice.extent.width = w + 1;
  printf("%d: %d %d %d %d, %d %d, too wide: %d\n", e, part[0][0], part[0][1], part[1][0], part[1][1], line[0], line[1],
         cudaMemcpy3D(&slice));
  return 0;
}
