// An application with surfaces, and with arrays of three dimensions and of layers.
#include <cstdio>

__global__ void swap(cudaSurfaceObject_t s, int w, int h) { // mirrors a plane of float2
  int x = threadIdx.x, y = threadIdx.y;
  float2 v = surf2Dread<float2>(s, (w - 1 - x) * sizeof(float2), y), out;
  surf2Dread(&out, s, -8, y, cudaBoundaryModeZero);
  __syncthreads();
  v.x += out.x + 1;
  surf2Dwrite(v, s, x * sizeof(float2), y);
  surf2Dwrite(v, s, 1000, y, cudaBoundaryModeZero); // outside: nothing
}

__global__ void volume(cudaSurfaceObject_t to, cudaTextureObject_t from) { // adds 0.5 of the next slice
  int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;
  float v = tex3D<float>(from, x + 0.5f, y + 0.5f, z + 0.5f) + 0.5f * tex3D<float>(from, x + 0.5f, y + 0.5f, z + 1.5f);
  surf3Dwrite(v, to, x * sizeof v, y, z);
}

__global__ void layers(cudaSurfaceObject_t s, cudaTextureObject_t t, unsigned char *out) {
  int x = threadIdx.x, l = threadIdx.y;
  unsigned char byte;
  surf2DLayeredread(&byte, s, x, 1, l);
  out[l * blockDim.x + x] = byte + tex2DLayered<unsigned char>(t, x, 0, l);
}

static cudaResourceDesc of(cudaArray_t a) {
  cudaResourceDesc r = {};
  r.resType = cudaResourceTypeArray, r.res.array.array = a;
  return r;
}

int main(int argc, char **) {
  const int w = 4, h = 2, d = 3;
  float2 plane[h][w];
  for (int i = 0; i < w * h; i++) (&plane[0][0])[i] = {10.0f * i, float(i)};
  cudaArray_t a;
  cudaChannelFormatDesc pairs = cudaCreateChannelDesc<float2>(), floats = cudaCreateChannelDesc<float>();
  cudaMallocArray(&a, &pairs, w, h, cudaArraySurfaceLoadStore);
  cudaMemcpy2DToArray(a, 0, 0, plane, sizeof plane[0], sizeof plane[0], h, cudaMemcpyHostToDevice);
  cudaResourceDesc r = of(a);
  cudaSurfaceObject_t s;
  cudaCreateSurfaceObject(&s, &r);
  swap<<<1, dim3(w, h)>>>(s, w, h);
  cudaMemcpy2DFromArray(plane, sizeof plane[0], a, 0, 0, sizeof plane[0], h, cudaMemcpyDeviceToHost);
  printf("%g %g, %g %g\n", plane[0][0].x, plane[0][0].y, plane[1][3].x, plane[1][3].y);

  float box[d][h][w], back[d][h][w];
  for (int i = 0; i < w * h * d; i++) (&box[0][0][0])[i] = i;
  cudaArray_t from, to;
  cudaMalloc3DArray(&from, &floats, make_cudaExtent(w, h, d));
  cudaMalloc3DArray(&to, &floats, make_cudaExtent(w, h, d), cudaArraySurfaceLoadStore);
  cudaMemcpy3DParms in = {}, out = {};
  in.srcPtr = make_cudaPitchedPtr(box, w * sizeof(float), w, h), in.dstArray = from;
  in.extent = out.extent = make_cudaExtent(w, h, d), in.kind = cudaMemcpyHostToDevice;
  int e = cudaMemcpy3D(&in);
  cudaTextureDesc clamp = {};
  for (auto &m : clamp.addressMode) m = cudaAddressModeClamp;
  cudaTextureObject_t t;
  r = of(from), cudaCreateTextureObject(&t, &r, &clamp, nullptr);
  r = of(to), cudaCreateSurfaceObject(&s, &r);
  volume<<<1, dim3(w, h, d)>>>(s, t);
  out.srcArray = to, out.dstPtr = make_cudaPitchedPtr(back, w * sizeof(float), w, h);
  out.kind = cudaMemcpyDeviceToHost;
  e += cudaMemcpy3D(&out);
  printf("%d: %g %g %g\n", e, back[0][0][1], back[1][1][3], back[2][1][3]);

  unsigned char bytes[2][2][w] = {{{1, 2, 3, 4}, {5, 6, 7, 8}}, {{11, 12, 13, 14}, {15, 16, 17, 18}}}, *sum;
  cudaChannelFormatDesc chars = cudaCreateChannelDesc<unsigned char>();
  cudaMalloc3DArray(&a, &chars, make_cudaExtent(w, 2, 2), cudaArrayLayered | cudaArraySurfaceLoadStore);
  cudaMemcpy3DParms both = {};
  both.srcPtr = make_cudaPitchedPtr(bytes, w, w, 2), both.dstArray = a, both.kind = cudaMemcpyHostToDevice;
  both.extent = make_cudaExtent(w, 2, 2);
  e = cudaMemcpy3D(&both);
  r = of(a), cudaCreateSurfaceObject(&s, &r), cudaCreateTextureObject(&t, &r, &clamp, nullptr);
  cudaMallocManaged(&sum, 2 * w);
  layers<<<1, dim3(w, 2)>>>(s, t, sum);
  cudaDeviceSynchronize();
  cudaExtent n;
  unsigned flags;
  cudaArrayGetInfo(nullptr, &n, &flags, a);
  printf("%d: %d %d, %zu x %zu x %zu, %u\n", e, sum[0], sum[7], n.width, n.height, n.depth, flags);
  if (argc > 1) printf("cubemap: %d\n", cudaMalloc3DArray(&a, &chars, make_cudaExtent(4, 4, 6), cudaArrayCubemap));
  return 0;
}
