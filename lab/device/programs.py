"""Runs the scripts of "go run ./lab/device -scripts DIR" on the first GPU (see doc.go).

    python3 programs.py DIR LAUNCHES OUTPUTS

LAUNCHES gets the launches that are to be measured, in order: a profiler sees them alone. OUTPUTS gets, for each
program, the 32-bit words of its memory at the end, how many differ from those that Kumiko has computed, and the
largest relative difference of these as floats.
"""
import array
import ctypes
import glob
import math
import os
import struct
import sys

from common import driver

EMPTY = ((1, 32), (132, 32), (132, 256), (132, 1024), (1024, 32), (1024, 256), (1024, 1024), (4096, 256),
         (16384, 32), (16384, 256), (16384, 1024))
EMPTY_PTX = ".version 6.3\n.target sm_52\n.address_size 64\n.visible .entry empty()\n{\n\tret;\n}\n"


class Program:
    """A program's memory on the device, and its kernels."""

    def __init__(self, call, folder):
        self.call, self.folder = call, folder
        self.data = open(os.path.join(folder, "data.bin"), "rb").read()
        self.lines = [line.split() for line in open(os.path.join(folder, "script.txt"))]
        self.module = ctypes.c_void_p()
        call("cuModuleLoad", ctypes.byref(self.module), os.path.join(folder, "module.cubin").encode())
        places = [(int(f[3]), int(f[5])) for f in self.lines if f[0] in ("write", "result") and f[1] == "memory"]
        self.low = min(a for a, _ in places)
        self.high = max(a + n for a, n in places)
        self.memory = ctypes.c_uint64()
        call("cuMemAlloc_v2", ctypes.byref(self.memory), ctypes.c_size_t(self.high - self.low + 4096))
        call("cuMemsetD8_v2", self.memory, ctypes.c_ubyte(0), ctypes.c_size_t(self.high - self.low + 4096))

    def close(self):
        self.call("cuMemFree_v2", self.memory)
        self.call("cuModuleUnload", self.module)

    def place(self, f):
        """The address on the device of what a command writes or reads."""
        if f[1] == "memory":
            return ctypes.c_uint64(self.memory.value + int(f[3]) - self.low)
        address, size = ctypes.c_uint64(), ctypes.c_size_t()
        self.call("cuModuleGetGlobal_v2", ctypes.byref(address), ctypes.byref(size), self.module, f[2].encode())
        return address

    def arguments(self, fields):
        """The arguments, with addresses of the device for those of Kumiko's memory."""
        out = []
        for h in fields:
            b = bytes.fromhex(h)
            if len(b) == 8:
                v = struct.unpack("<Q", b)[0]
                if self.low <= v < self.high:
                    b = struct.pack("<Q", v - self.low + self.memory.value)
            out.append(ctypes.create_string_buffer(b, len(b)))
        return out

    def launch(self, f, measured):
        function = ctypes.c_void_p()
        self.call("cuModuleGetFunction", ctypes.byref(function), self.module, f[1].encode())
        sizes = [int(x) for x in f[2:9]]
        shared = sizes[6]
        if shared > 48 << 10:
            self.call("cuFuncSetAttribute", function, 8, shared)
        args = self.arguments(f[10:])
        pointers = (ctypes.c_void_p * max(len(args), 1))(*[ctypes.cast(a, ctypes.c_void_p) for a in args])
        name = "cuLaunchCooperativeKernel" if f[9] == "true" else "cuLaunchKernel"
        more = [] if f[9] == "true" else [None]
        if measured:
            self.call("cuProfilerStart")
        self.call(name, function, *sizes[:6], shared, None, pointers, *more)
        self.call("cuCtxSynchronize")
        if measured:
            self.call("cuProfilerStop")

    def compare(self, f):
        """The words that differ, and the largest relative difference of them as floats."""
        at, size = int(f[4]), int(f[5])
        out = ctypes.create_string_buffer(size)
        self.call("cuMemcpyDtoH_v2", out, self.place(f), ctypes.c_size_t(size))
        want, got = self.data[at:at + size], out.raw
        if want == got:
            return 0, 0.0, size // 4
        whole = size // 4 * 4
        wi, gi = array.array("I", want[:whole]), array.array("I", got[:whole])
        wf, gf = array.array("f", want[:whole]), array.array("f", got[:whole])
        differ, worst = 0, 0.0
        for i, w in enumerate(wi):
            if w == gi[i]:
                continue
            differ += 1
            a, b = wf[i], gf[i]
            if math.isfinite(a) and math.isfinite(b):
                worst = max(worst, abs(a - b) / max(abs(a), abs(b), 1e-30))
            else:
                worst = math.inf
        if differ == 0:
            differ = 1
        return differ, worst, size // 4

    def run(self, launches, outputs):
        number, differ, words, worst = 0, 0, 0, 0.0
        for f in self.lines:
            if f[0] == "write":
                at, size = int(f[4]), int(f[5])
                self.call("cuMemcpyHtoD_v2", self.place(f), self.data[at:at + size], ctypes.c_size_t(size))
            elif f[0] == "result":
                d, w, n = self.compare(f)
                differ, worst, words = differ + d, max(worst, w), words + n
            else:
                measured = f[0] == "measure"
                self.launch(f, measured)
                if measured:
                    launches.write("%s,%d,%s\n" % (os.path.basename(self.folder), number, f[1]))
                    launches.flush()
                number += 1
        outputs.write("%s,%d,%d,%g\n" % (os.path.basename(self.folder), words, differ, worst))
        outputs.flush()


def empty(call, launches):
    """Measures empty kernels."""
    module, function = ctypes.c_void_p(), ctypes.c_void_p()
    call("cuModuleLoadData", ctypes.byref(module), EMPTY_PTX.encode())
    call("cuModuleGetFunction", ctypes.byref(function), module, b"empty")
    for grid, block in EMPTY:
        call("cuProfilerStart")
        call("cuLaunchKernel", function, grid, 1, 1, block, 1, 1, 0, None, None, None)
        call("cuCtxSynchronize")
        call("cuProfilerStop")
        launches.write("empty.%dx%d,0,empty\n" % (grid, block))
        launches.flush()


def main(folder, launched, compared):
    call = driver()
    with open(launched, "w") as launches, open(compared, "w") as outputs:
        outputs.write("program,words,differ,relative\n")
        empty(call, launches)
        for script in sorted(glob.glob(os.path.join(folder, "*", "script.txt"))):
            program = Program(call, os.path.dirname(script))
            program.run(launches, outputs)
            program.close()


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit("usage: programs.py DIR LAUNCHES OUTPUTS")
    main(*sys.argv[1:])
