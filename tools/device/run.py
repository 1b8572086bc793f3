"""Runs the kernels DIR/*.cubin on the first GPU and prints measured.csv (see doc.go).

    python3 run.py DIR SM

It uses the driver's library alone.
"""
import ctypes
import glob
import os
import struct
import sys

PASSES = 256  # of a loop, as in rows.go
WARPS = (1, 4, 16)
RUNS = 5
BYTES = 1 << 20


def driver():
    cuda = ctypes.CDLL("libcuda.so.1")

    def call(name, *args):
        code = getattr(cuda, name)(*args)
        if code != 0:
            sys.exit("%s: error %d of the driver" % (name, code))

    return call


def main(folder, sm):
    call = driver()
    device, context = ctypes.c_int(), ctypes.c_void_p()
    call("cuInit", 0)
    call("cuDeviceGet", ctypes.byref(device), 0)
    name = ctypes.create_string_buffer(128)
    call("cuDeviceGetName", name, len(name), device)
    call("cuCtxCreate_v2", ctypes.byref(context), 0, device)
    memory = ctypes.c_uint64()
    call("cuMemAlloc_v2", ctypes.byref(memory), ctypes.c_size_t(BYTES))
    print("device,sm,row,warps,passes,cycles")
    for file in sorted(glob.glob(os.path.join(folder, "*.cubin"))):
        row = os.path.splitext(os.path.basename(file))[0]
        module, function = ctypes.c_void_p(), ctypes.c_void_p()
        call("cuModuleLoad", ctypes.byref(module), file.encode())
        call("cuModuleGetFunction", ctypes.byref(function), module, row.encode())
        parameters = (ctypes.c_void_p * 1)(ctypes.cast(ctypes.pointer(memory), ctypes.c_void_p))
        call("cuMemsetD8_v2", memory, ctypes.c_ubyte(0), ctypes.c_size_t(BYTES))
        for warps in WARPS:
            for _ in range(RUNS):
                call("cuLaunchKernel", function, 1, 1, 1, 32 * warps, 1, 1, 0, None, parameters, None)
                call("cuCtxSynchronize")
                out = ctypes.create_string_buffer(8 * warps)
                call("cuMemcpyDtoH_v2", out, memory, ctypes.c_size_t(len(out)))
                clocks = struct.unpack("<%dI" % (2 * warps), out.raw)
                first = clocks[0]
                begin = [(c - first + (1 << 31)) % (1 << 32) for c in clocks[0::2]]
                end = [(c - first + (1 << 31)) % (1 << 32) for c in clocks[1::2]]
                print("%s,%s,%s,%d,%d,%d" % (name.value.decode().replace(",", " "), sm, row, warps, PASSES,
                                             max(end) - min(begin)))


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: run.py DIR SM")
    main(sys.argv[1], sys.argv[2])
