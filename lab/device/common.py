"""What the measuring scripts share: calls of the driver's library."""
import ctypes


def driver():
    """Returns a function that calls the driver, after it has been made ready for the first GPU."""
    cuda = ctypes.CDLL("libcuda.so.1")

    def call(name, *args):
        code = getattr(cuda, name)(*args)
        if code != 0:
            raise RuntimeError("%s: error %d of the driver" % (name, code))

    device, context = ctypes.c_int(), ctypes.c_void_p()
    call("cuInit", 0)
    call("cuDeviceGet", ctypes.byref(device), 0)
    call("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
    call("cuCtxSetCurrent", context)
    call.device = device
    return call


def allocate(call, size):
    memory = ctypes.c_uint64()
    call("cuMemAlloc_v2", ctypes.byref(memory), ctypes.c_size_t(size))
    return memory


def load(call, cubin, kernel):
    module, function = ctypes.c_void_p(), ctypes.c_void_p()
    call("cuModuleLoad", ctypes.byref(module), cubin.encode())
    call("cuModuleGetFunction", ctypes.byref(function), module, kernel.encode())
    return function


def launch(call, function, grid, block, *args):
    """Launches a kernel with arguments of ctypes, and waits for its end."""
    pointers = (ctypes.c_void_p * len(args))(*[ctypes.cast(ctypes.pointer(a), ctypes.c_void_p) for a in args])
    call("cuLaunchKernel", function, grid, 1, 1, block, 1, 1, 0, None, pointers, None)
    call("cuCtxSynchronize")


def read(call, memory, size):
    data = ctypes.create_string_buffer(size)
    call("cuMemcpyDtoH_v2", data, memory, ctypes.c_size_t(size))
    return data.raw
