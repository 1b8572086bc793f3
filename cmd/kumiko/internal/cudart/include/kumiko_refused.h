/* Functions of the CUDA runtime that Kumiko's runtime refuses by name, at the call: __K_REFUSED(name). The runtime
   includes this list to define them. */
#ifndef __K_REFUSED
#ifdef __cplusplus
#define __K_REFUSED(name) extern "C" cudaError_t name(...);
#else
#define __K_REFUSED(name) cudaError_t name();
#endif
#define __K_REFUSED_TYPES
typedef struct CUgraph_st *cudaGraph_t;
typedef struct CUgraphExec_st *cudaGraphExec_t;
typedef struct CUgraphNode_st *cudaGraphNode_t;
typedef struct CUmemPoolHandle_st *cudaMemPool_t;
typedef struct cudaMipmappedArray *cudaMipmappedArray_t;
typedef struct { char reserved[64]; } cudaIpcMemHandle_t, cudaIpcEventHandle_t;
#endif
__K_REFUSED(cudaGraphCreate)
__K_REFUSED(cudaGraphInstantiate)
__K_REFUSED(cudaGraphLaunch)
__K_REFUSED(cudaGraphExecDestroy)
__K_REFUSED(cudaGraphDestroy)
__K_REFUSED(cudaGraphAddKernelNode)
__K_REFUSED(cudaGraphAddMemcpyNode)
__K_REFUSED(cudaStreamBeginCapture)
__K_REFUSED(cudaStreamEndCapture)
__K_REFUSED(cudaStreamIsCapturing)
__K_REFUSED(cudaStreamAttachMemAsync)
__K_REFUSED(cudaIpcGetMemHandle)
__K_REFUSED(cudaIpcOpenMemHandle)
__K_REFUSED(cudaIpcCloseMemHandle)
__K_REFUSED(cudaIpcGetEventHandle)
__K_REFUSED(cudaIpcOpenEventHandle)
__K_REFUSED(cudaDeviceEnablePeerAccess)
__K_REFUSED(cudaDeviceDisablePeerAccess)
__K_REFUSED(cudaMemcpyPeer)
__K_REFUSED(cudaMemcpyPeerAsync)
__K_REFUSED(cudaMemcpy3DPeer)
__K_REFUSED(cudaMallocMipmappedArray)
__K_REFUSED(cudaFreeMipmappedArray)
__K_REFUSED(cudaBindSurfaceToArray)
__K_REFUSED(cudaBindTextureToMipmappedArray)
__K_REFUSED(cudaMemPoolCreate)
__K_REFUSED(cudaDeviceGetDefaultMemPool)
__K_REFUSED(cudaMallocFromPoolAsync)
__K_REFUSED(cudaLaunchKernelExC)
__K_REFUSED(cudaLaunchCooperativeKernelMultiDevice)
__K_REFUSED(cudaGraphicsGLRegisterBuffer)
__K_REFUSED(cudaGraphicsMapResources)
__K_REFUSED(cudaGraphicsUnmapResources)
__K_REFUSED(cudaGetDriverEntryPoint)
#undef __K_REFUSED
