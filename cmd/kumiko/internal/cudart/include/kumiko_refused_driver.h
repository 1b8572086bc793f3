/* Functions of the CUDA driver API that Kumiko's runtime refuses by name, at the call (kumiko_refused.h). */
#ifndef __K_REFUSED
#ifdef __cplusplus
#define __K_REFUSED(name) extern "C" CUresult name(...);
#else
#define __K_REFUSED(name) CUresult name();
#endif
#endif
__K_REFUSED(cuModuleLoadFatBinary)
__K_REFUSED(cuModuleGetTexRef)
__K_REFUSED(cuModuleGetSurfRef)
__K_REFUSED(cuLinkCreate)
__K_REFUSED(cuLinkAddData)
__K_REFUSED(cuLinkAddFile)
__K_REFUSED(cuLinkComplete)
__K_REFUSED(cuLinkDestroy)
__K_REFUSED(cuLaunchCooperativeKernel)
__K_REFUSED(cuMemAllocPitch)
__K_REFUSED(cuMemcpy2D)
__K_REFUSED(cuMemcpy3D)
__K_REFUSED(cuMemCreate)
__K_REFUSED(cuMemMap)
__K_REFUSED(cuMemAddressReserve)
__K_REFUSED(cuArrayCreate)
__K_REFUSED(cuTexObjectCreate)
__K_REFUSED(cuTexRefSetAddress)
__K_REFUSED(cuSurfObjectCreate)
__K_REFUSED(cuGraphCreate)
__K_REFUSED(cuStreamBeginCapture)
__K_REFUSED(cuFuncSetAttribute)
__K_REFUSED(cuOccupancyMaxActiveBlocksPerMultiprocessor)
__K_REFUSED(cuIpcGetMemHandle)
__K_REFUSED(cuIpcOpenMemHandle)
__K_REFUSED(cuGetProcAddress)
#undef __K_REFUSED
