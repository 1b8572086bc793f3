// An application of the tests. Its first argument chooses what it does.
#include <cstdio>
#include <cstring>
#include <map>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

__constant__ float scale;
__device__ int counter;

__global__ void add(const float *a, const float *b, float *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + scale * b[i];
  if (i == 0) printf("device: %d elements\n", n);
  if (threadIdx.x == 0) atomicAdd(&counter, 1);
}

__global__ void forever(int *p) {
  unsigned x = *p;
  for (unsigned i = 0; i < 4000000000u; i++) x = x * x + i;
  *p = x;
}

__global__ void outside(int *p) { p[1 << 28] = 1; }

__global__ void roots(double *p) { p[threadIdx.x] = exp(p[threadIdx.x]) + std::sqrt(p[threadIdx.x]); }

static int vecadd() {
  const int n = 1000;
  std::vector<float> a(n), b(n), c(n);
  for (int i = 0; i < n; i++) a[i] = i, b[i] = 2 * i;
  float *da, *db, *dc, two = 2, ms = 0;
  cudaMalloc(&da, n * 4), cudaMalloc(&db, n * 4), cudaMalloc(&dc, n * 4);
  cudaMemcpy(da, a.data(), n * 4, cudaMemcpyHostToDevice);
  cudaMemcpy(db, b.data(), n * 4, cudaMemcpyHostToDevice);
  cudaMemcpyToSymbol(scale, &two, sizeof two);
  cudaEvent_t begin, end;
  cudaEventCreate(&begin), cudaEventCreate(&end);
  cudaEventRecord(begin);
  printf("host: before\n");
  add<<<(n + 255) / 256, 256>>>(da, db, dc, n);
  printf("host: after\n");
  cudaEventRecord(end);
  cudaEventElapsedTime(&ms, begin, end);
  cudaMemcpy(c.data(), dc, n * 4, cudaMemcpyDeviceToHost);
  int bad = 0, blocks = 0;
  for (int i = 0; i < n; i++) bad += c[i] != 5.0f * i;
  cudaMemcpyFromSymbol(&blocks, counter, sizeof blocks);
  printf("%d wrong, %d blocks, %s, time %s\n", bad, blocks, cudaGetErrorString(cudaGetLastError()),
         ms > 0 ? "passes" : "stands");
  return bad != 0;
}

static int errors() {
  int *p, host = 0;
  cudaMalloc(&p, 4);
  printf("copy of 8 bytes: %s\n", cudaGetErrorName(cudaMemcpy(p, &host, 8, cudaMemcpyHostToDevice)));
  printf("copy the wrong way: %s\n", cudaGetErrorName(cudaMemcpy(p, &host, 4, cudaMemcpyDeviceToHost)));
  forever<<<1, 2048>>>(p);
  printf("2048 threads: %s\n", cudaGetErrorName(cudaGetLastError()));
  printf("again: %s\n", cudaGetErrorName(cudaGetLastError()));
  printf("graph: %s\n", cudaGetErrorName(cudaGraphLaunch(0, 0)));
  cudaGetLastError();
  outside<<<1, 1>>>(p);
  printf("outside: %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  printf("after it: %s\n", cudaGetErrorName(cudaMalloc(&p, 4)));
  return 7;
}

static int memory() {
  int *managed, *pinned, *mapped, out = 0;
  cudaMallocManaged(&managed, 400), cudaMallocHost(&pinned, 400);
  cudaHostGetDevicePointer(&mapped, pinned, 0);
  cudaMemset(managed, 1, 400);
  pinned[0] = 5;
  cudaMemcpy(&out, mapped, 4, cudaMemcpyDeviceToHost);
  size_t pitch;
  char *rows, got[6] = "";
  cudaMallocPitch(&rows, &pitch, 5, 3);
  cudaMemcpy2D(rows, pitch, "abcdefghijklmno", 5, 5, 3, cudaMemcpyHostToDevice);
  cudaMemcpy(got, rows + 2 * pitch, 5, cudaMemcpyDeviceToHost);
  int filled = managed[0];
  cudaFree(managed), cudaFreeHost(pinned);
  cudaDeviceProp prop;
  cudaGetDeviceProperties(&prop, 0);
  double v = 4, *dv;
  cudaMalloc(&dv, 8);
  cudaMemcpy(dv, &v, 8, cudaMemcpyHostToDevice);
  roots<<<1, 1>>>(dv);
  cudaMemcpy(&v, dv, 8, cudaMemcpyDeviceToHost);
  int blocks = 0;
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, add, 256, 0);
  printf("%d %d %s pitch %zu, %d SMs of %s, %.10g, %d blocks\n", filled, out, got, pitch, prop.multiProcessorCount,
         prop.name, v, blocks);
  return 0;
}

__device__ int table[3000];

// Adds up what the host has written, and stores near and far, by lanes and by atomic operations.
__global__ void gather(const int *a, const int *b, const int *c, int *out, int far) {
  int i = threadIdx.x;
  out[i * far] += a[i] + b[i] + c[i] + table[i + 2900];
  atomicAdd(&out[64 * far + (i & 3)], a[i]);
  if (i & 1) ((double *)&out[65 * far])[(i * 7919) % 97] = b[i];
}

// The host writes between launches, by each way that there is.
static int writes() {
  const int far = 1112;
  int *a, *b, *c, *out, host[100], sum = 0;
  cudaMalloc(&a, 6 * 4096), cudaMallocHost(&b, 400), cudaMallocManaged(&c, 400), cudaMalloc(&out, 4 * 66 * far);
  cudaMemset(out, 0, 4 * 66 * far);
  for (int step = 0; step < 4; step++) {
    for (int i = 0; i < 100; i++) host[i] = i * i + step, b[i] = i - step, c[i] = 3 * i * step;
    cudaMemset2D(a, 4096, step, 100, 6);
    cudaMemcpy2D((char *)a + 100, 4096, host, 20, 20, 5, cudaMemcpyHostToDevice);
    cudaMemcpy(a + 1024, host, 4 * step, cudaMemcpyHostToDevice);
    cudaMemcpyToSymbol(table, host, 400, 2900 * 4 - 4 * step);
    gather<<<1, 64>>>(a + 1000 * (step & 1), b, c, out, far);
    cudaMemcpy(a + 2048, out + far, 4000, cudaMemcpyDeviceToDevice);
    if (step == 1) cudaFree(a), cudaMalloc(&a, 6 * 4096);
  }
  std::vector<int> got(66 * far);
  cudaMemcpy(got.data(), out, 4 * 66 * far, cudaMemcpyDeviceToHost);
  for (int v : got) sum += v;
  printf("%d\n", sum);
  return 0;
}

static int spin() {
  int *p;
  cudaMalloc(&p, 4);
  printf("ready\n");
  fflush(stdout);
  forever<<<1, 32>>>(p);
  printf("over: %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}

__global__ void increment(int *p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i]++;
}

static int many() {
  int *p, v = 0;
  cudaMalloc(&p, 256), cudaMemset(p, 0, 256);
  for (int i = 0; i < 10000; i++) {
    int *other;
    cudaMalloc(&other, 1 << 20), cudaMemset(other, 1, 1 << 20);
    increment<<<1, 64>>>(p, 64);
    cudaFree(other);
  }
  cudaMemcpy(&v, p + 63, 4, cudaMemcpyDeviceToHost);
  printf("%d\n", v);
  return 0;
}

// Returns an element incremented 50 times.
static int fifty() {
  int *p, v = -1;
  cudaMalloc(&p, 256), cudaMemset(p, 0, 256);
  for (int i = 0; i < 50; i++) increment<<<1, 64>>>(p, 64);
  cudaMemcpy(&v, p + 63, 4, cudaMemcpyDeviceToHost);
  return v;
}

static int threads() {
  int results[4];
  std::vector<std::thread> all;
  for (int &r : results) all.emplace_back([&r] { r = fifty(); });
  for (std::thread &t : all) t.join();
  printf("%d %d %d %d\n", results[0], results[1], results[2], results[3]);
  return 0;
}

static int children() {
  pid_t child = fork(); // before the first call each process has a GPU of its own
  if (child == 0) return fifty();
  int status = 0, *p;
  waitpid(child, &status, 0);
  printf("child %d, parent %d, ", WEXITSTATUS(status), fifty());
  fflush(stdout);
  child = fork(); // behind it the child has none, as in CUDA
  if (child == 0) return cudaMalloc(&p, 4) == cudaErrorInitializationError ? 7 : 8;
  waitpid(child, &status, 0);
  printf("later child %d, parent %d\n", WEXITSTATUS(status), fifty());
  return 0;
}

static int leave() {
  int *p;
  cudaMalloc(&p, 256);
  increment<<<1, 64>>>(p, 64);
  printf("gone\n");
  return 3;
}

static int wait() {
  cudaFree(0);
  printf("ready\n");
  fflush(stdout);
  for (;;) pause();
}

int main(int n, char **args) {
  std::map<std::string, int (*)()> what{
      {"vecadd", vecadd}, {"errors", errors}, {"memory", memory}, {"spin", spin}, {"wait", wait},
      {"many", many}, {"threads", threads}, {"children", children}, {"leave", leave}, {"writes", writes}};
  return what.at(n > 1 ? args[1] : "vecadd")();
}
