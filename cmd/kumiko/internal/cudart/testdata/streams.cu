// Orders of launches by streams and events. The argument names one.
#include <cstdio>
#include <cstring>
#include <cuda.h>
#include <thread>
#include <vector>

__global__ void work(int *p, int n, int rounds) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, v = i;
  for (int r = 0; r < rounds; r++) v = v * 1664525 + 1013904223;
  if (i < n) p[i] += v | 1;
}

static int *p, n = 256;
static float ms(cudaEvent_t a, cudaEvent_t b) {
  float t = -1;
  if (cudaEventElapsedTime(&t, a, b)) t = -2;
  return t;
}
static void launch(cudaStream_t s, int rounds = 200) { work<<<2, 128, 0, s>>>(p, n, rounds); }

int main(int, char **argv) {
  const char *what = argv[1];
  auto is = [what](const char *name) { return !strcmp(what, name); };
  cudaStream_t s[3], apart;
  cudaEvent_t e[4];
  for (auto &x : e) cudaEventCreate(&x);
  cudaMalloc(&p, n * sizeof *p);
  std::vector<int> pageable(n);
  if (is("one")) { // a stream
    cudaStreamCreate(&s[0]);
    cudaEventRecord(e[0], s[0]);
    for (int i = 0; i < 3; i++) launch(s[0]);
    cudaEventRecord(e[1], s[0]);
    cudaEventSynchronize(e[1]);
    float a = ms(e[0], e[1]);
    launch(s[0]);
    cudaEventRecord(e[2], s[0]);
    cudaStreamSynchronize(s[0]);
    float b = ms(e[1], e[2]), c = ms(e[0], e[2]);
    printf("%d\n", a > 2 * b && b > 0 && c > a && a + b - c < 1e-5f && c - a - b < 1e-5f);
    return 0;
  }
  if (is("timeless")) { // an event without a time has an order alone
    cudaStreamCreate(&s[0]), cudaStreamCreate(&s[1]);
    cudaEvent_t order;
    cudaEventCreateWithFlags(&order, cudaEventDisableTiming);
    launch(s[0]);
    cudaEventRecord(order, s[0]), cudaEventRecord(e[0], s[0]);
    cudaStreamWaitEvent(s[1], order, 0);
    launch(s[1]);
    float t;
    cudaError_t first = cudaEventElapsedTime(&t, e[0], order), second = cudaEventElapsedTime(&t, order, e[0]);
    printf("%d\n", first == cudaErrorInvalidResourceHandle && second == cudaErrorInvalidResourceHandle);
    return 0;
  }
  if (is("none")) { // the default stream alone
    for (int i = 0; i < 4; i++) launch(0);
    return 0;
  }
  if (is("grown")) { // each stream is made when it is wanted
    for (auto &x : s) {
      cudaStreamCreate(&x);
      launch(x);
    }
    return 0;
  }
  if (is("threads") || is("thread")) { // default streams of threads
    auto each = [] { launch(cudaStreamPerThread), launch(0); };
    std::thread(each).join();
    if (is("threads")) std::thread(each).join();
    return 0;
  }
  for (auto &x : s) cudaStreamCreate(&x);
  cudaStreamCreateWithFlags(&apart, cudaStreamNonBlocking);
  if (is("two")) {
    launch(s[0], 600);
    launch(s[1]);
  } else if (is("default") || is("apart")) { // the default stream between others, which wait for it, or do not
    cudaStream_t x = is("default") ? s[0] : apart;
    launch(x);
    launch(0, 2000);
    launch(x);
  } else if (is("events")) { // 0 -> 1 -> 2, while one is apart
    launch(s[0]);
    cudaEventRecord(e[0], s[0]);
    cudaStreamWaitEvent(s[1], e[0]);
    launch(s[1]);
    cudaEventRecord(e[0], s[1]);
    cudaStreamWaitEvent(s[2], e[0]);
    launch(apart, 4000);
    launch(s[2]);
  } else if (is("again")) { // an event counts as it was when a stream began to wait for it
    launch(s[0]);
    cudaEventRecord(e[0], s[0]);
    cudaStreamWaitEvent(s[1], e[0]);
    launch(s[0], 2000);
    cudaEventRecord(e[0], s[0]);
    launch(s[1]);
  } else if (is("later")) { // of two events of a stream the later one counts
    launch(s[0]);
    cudaEventRecord(e[0], s[0]);
    cudaStreamWaitEvent(s[1], e[0]);
    launch(s[0]);
    cudaEventRecord(e[0], s[0]);
    cudaStreamWaitEvent(s[1], e[0]);
    launch(apart, 4000);
    launch(s[1]);
  } else if (is("free")) { // the host waits for all
    int *q;
    cudaMalloc(&q, 4);
    launch(s[0]);
    cudaMallocAsync(&q, 4, s[1]);
    cudaFreeAsync(q, s[1]);
    launch(s[1]);
    cudaFree(p);
    cudaMalloc(&p, n * sizeof *p);
    launch(s[0]);
  } else if (is("gone")) { // the default stream does not wait for a stream that was apart
    launch(apart, 2000);
    cudaStreamDestroy(apart);
    launch(0);
  } else if (is("empty")) { // streams without launches, and events that nobody recorded
    cudaStreamWaitEvent(s[1], e[1]);
    cudaEventRecord(e[0], s[0]);
    cudaStreamWaitEvent(s[1], e[0]);
    launch(s[1]);
    launch(s[2]);
  } else if (is("host")) { // the host waits for a stream, an event, or by a question; one stream goes on
    launch(apart, 8000);
    launch(s[0]);
    cudaStreamSynchronize(s[0]);
    launch(s[1]);
    cudaEventRecord(e[0], s[1]);
    cudaEventSynchronize(e[0]);
    launch(s[2]);
    printf("%d\n", cudaStreamQuery(s[2]));
    launch(s[0]);
  } else if (is("device")) { // the host waits for all
    launch(s[0]), launch(s[1]);
    cudaDeviceSynchronize();
    launch(s[0]), launch(s[1]);
  } else if (is("copies")) { // to pageable memory the host waits, to pinned memory it does not
    int *pinned;
    cudaMallocHost(&pinned, n * sizeof *pinned);
    launch(s[0], 600);
    cudaMemcpyAsync(pinned, p, n * sizeof *p, cudaMemcpyDeviceToHost, s[0]);
    launch(s[1]);
    cudaMemcpyAsync(pageable.data(), p, n * sizeof *p, cudaMemcpyDeviceToHost, s[1]);
    launch(s[2]);
    cudaMemsetAsync(p, 0, 4, s[2]);
    cudaLaunchHostFunc(s[2], [](void *) { printf("called\n"); }, nullptr);
    launch(s[0]);
    cudaMemcpy(pageable.data(), p, n * sizeof *p, cudaMemcpyDeviceToHost);
    launch(s[0]);
  } else if (is("memset")) { // a fill in the default stream, for which the host does not wait
    launch(s[0]), launch(apart, 2000);
    cudaMemset(p, 0, 4);
    launch(s[1]);
  } else if (is("destroyed")) { // the work of a destroyed stream goes on
    launch(apart, 2000), launch(s[0]);
    cudaStreamDestroy(s[0]);
    launch(0);
  } else if (is("driver")) { // the default stream waits for one that is blocking, and the other goes on
    CUstream a, b;
    CUevent v, w;
    float t = 0;
    cuEventCreate(&v, CU_EVENT_DEFAULT), cuEventCreate(&w, CU_EVENT_DEFAULT);
    cuStreamCreateWithPriority(&a, CU_STREAM_DEFAULT, 0), cuStreamCreate(&b, CU_STREAM_NON_BLOCKING);
    cuEventRecord(v, a);
    launch(a), launch(b, 4000);
    cuMemsetD8Async((CUdeviceptr)p, 0, 4, a);
    launch(0);
    cuEventRecord(w, b);
    cuStreamWaitEvent(s[1], w, 0);
    cuEventElapsedTime(&t, v, w);
    printf("%d\n", t > 0);
    launch(s[0]), launch(b);
    cuCtxSynchronize();
  } else if (is("times")) { // the times of events of two streams end the group
    cudaEventRecord(e[0], s[0]);
    launch(s[0], 600);
    cudaEventRecord(e[1], s[0]);
    launch(s[1]);
    cudaEventRecord(e[2], s[1]);
    printf("%.0f %.0f %.0f\n", ms(e[0], e[1]) * 1e6, ms(e[0], e[2]) * 1e6, ms(e[1], e[2]) * 1e6);
    launch(s[0]), launch(s[1], 600);
    cudaEventRecord(e[1], s[2]); // behind the first group alone
    cudaStreamSynchronize(s[0]);
    cudaEventRecord(e[2], s[2]); // behind what the host has waited for
    cudaEventRecord(e[3], s[1]);
    printf("%.0f %.0f %.0f\n", ms(e[0], e[3]) * 1e6, ms(e[1], e[3]) * 1e6, ms(e[1], e[2]) * 1e6);
  }
  cudaDeviceSynchronize();
  printf("%s\n", cudaGetErrorString(cudaGetLastError()));
  return 0;
}
