"""Runs the loops DIR/*.cubin on the first GPU and prints loops.csv (see doc.go).

    python3 loops.py DIR
"""
import ctypes
import glob
import os
import struct
import sys

from common import allocate, driver, launch, load, read

PASSES = 256  # of a loop, as in suite/rows.go
WARPS = (1, 4, 16)
RUNS = 5
BYTES = 1 << 20


def main(folder):
    call = driver()
    memory = allocate(call, BYTES)
    print("row,warps,passes,cycles")
    for file in sorted(glob.glob(os.path.join(folder, "*.cubin"))):
        row = os.path.splitext(os.path.basename(file))[0]
        function = load(call, file, row)
        call("cuMemsetD8_v2", memory, ctypes.c_ubyte(0), ctypes.c_size_t(BYTES))
        for warps in WARPS:
            best = None
            for _ in range(RUNS):
                launch(call, function, 1, 32 * warps, memory)
                clocks = struct.unpack("<%dI" % (2 * warps), read(call, memory, 8 * warps))
                first = clocks[0]
                begin = [(c - first + (1 << 31)) % (1 << 32) for c in clocks[0::2]]
                end = [(c - first + (1 << 31)) % (1 << 32) for c in clocks[1::2]]
                cycles = max(end) - min(begin)
                best = cycles if best is None else min(best, cycles)
            print("%s,%d,%d,%d" % (row, warps, PASSES, best))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: loops.py DIR")
    main(sys.argv[1])
