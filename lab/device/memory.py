"""Runs the walks, the streams, the passes over code and the waiting loads of DIR/rows.txt on the first GPU (see doc.go).

    python3 memory.py DIR OUT

It writes OUT, memory.csv, but for the cycles of streams: a profiler sees those launches, and those of the walks, for
which it holds the clock.
"""
import ctypes
import os
import random
import struct
import sys

from common import allocate, driver, launch, load, read

FLUSH = 512 << 20  # more than any L2
BUFFER = 128 << 20


class Bench:
    def __init__(self, folder, out):
        self.call, self.folder, self.out = driver(), folder, out
        self.result = allocate(self.call, 1 << 20)
        self.flushed = allocate(self.call, FLUSH)
        self.buffer = allocate(self.call, BUFFER)

    def kernel(self, file, name):
        return load(self.call, os.path.join(self.folder, file + ".cubin"), name)

    def flush(self):
        self.call("cuMemsetD8_v2", self.flushed, ctypes.c_ubyte(0), ctypes.c_size_t(FLUSH))
        self.call("cuCtxSynchronize")

    def profiled(self, *args):
        self.call("cuProfilerStart")
        launch(self.call, *args)
        self.call("cuProfilerStop")

    def write(self, kind, name, value):
        self.out.write("%s,%s,%s\n" % (kind, name, value))
        self.out.flush()

    def chase(self, name, elements, apart, warm, steps):
        order = list(range(elements))
        random.Random(1).shuffle(order)
        ring = bytearray(elements * apart)
        for x, y in zip(order, order[1:] + order[:1]):
            struct.pack_into("<Q", ring, x * apart, self.buffer.value + y * apart)
        self.call("cuMemcpyHtoD_v2", self.buffer, bytes(ring), ctypes.c_size_t(len(ring)))
        self.flush()
        self.profiled(self.kernel("chase", "chase"), 1, 1, self.result,
                      ctypes.c_uint64(self.buffer.value + order[0] * apart), ctypes.c_uint32(warm),
                      ctypes.c_uint32(steps))
        begin, end = struct.unpack("<2I", read(self.call, self.result, 8))
        self.write("chase", name, "%.2f" % (((end - begin) % (1 << 32)) / steps))

    def stream(self, name, op, ctas, size, reps, warm):
        function = self.kernel(op, op)
        args = [self.result, self.buffer, ctypes.c_uint32(size // 16)]
        self.flush()
        if warm:
            launch(self.call, function, ctas, 1024, *args, ctypes.c_uint32(1))
        self.profiled(function, ctas, 1024, *args, ctypes.c_uint32(reps))
        self.write("stream", name, "")

    def code(self, name, instructions, number):
        function = self.kernel("code_%d" % instructions, "code")
        self.flush()
        launch(self.call, function, 1, 32, self.result, ctypes.c_uint32(4))
        clocks = struct.unpack("<5I", read(self.call, self.result, 20))
        self.write("code", name, "%.3f" % (((clocks[number] - clocks[number - 1]) % (1 << 32)) / instructions))

    def wait(self, name, loads, lines, warps, own, step):
        function = self.kernel("wait_%d" % loads, "wait")
        self.call("cuMemsetD8_v2", self.buffer, ctypes.c_ubyte(0), ctypes.c_size_t(1 << 20))

        def arguments(lines):
            return [self.result, self.buffer] + [ctypes.c_uint32(n) for n in (lines, own, 2, step)]

        launch(self.call, function, 1, 32 * warps, *arguments(0))
        self.profiled(function, 1, 32 * warps, *arguments(lines))
        begin, end = struct.unpack("<2I", read(self.call, self.result, 8))
        self.write("wait", name, "%d" % ((end - begin) % (1 << 32)))


def main(folder, file):
    with open(file, "w") as out:
        bench = Bench(folder, out)
        with open(os.path.join(folder, "rows.txt")) as rows:
            for line in rows:
                kind, name, *args = line.split()
                getattr(bench, kind)(name, *[int(a) if a.isdigit() else a for a in args])


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: memory.py DIR OUT")
    main(*sys.argv[1:])
