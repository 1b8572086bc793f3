"""Measures the register file of the first GPU: sequences of arithmetic whose registers, reuse flags, stall counts and
yield flags are written into the machine code of a loop.

    python3 registers.py list              prints the sequences, a row each
    python3 registers.py check             compares the encodings with nvdisasm; needs no GPU
    python3 registers.py measure FILE.csv  times them on the first GPU

Encodings are those of compute capability 9.0. ptxas and nvdisasm of the CUDA toolkit are looked for on the path.
"""
import csv
import ctypes
import os
import random
import re
import struct
import subprocess
import sys
import tempfile
from collections import namedtuple

from common import allocate, driver, launch, read

LENGTH = 512  # instructions of the loop
LIVE = 96  # registers that ptxas must keep apart
OTHERS = 4  # instructions of the loop's end that ptxas may put among them
WARPS = (1, 8, 16)
PASSES = (4, 24)  # of two launches, whose difference is measured
RUNS = 3

# An instruction of a sequence. flags are the reuse flags of the sources.
Inst = namedtuple("Inst", "op d a b c flags stall yields")

# Of each operation: the low and the high word without registers, the number of sources, and the text behind them.
OPS = {
    "FFMA": (0x7223, 0x0, 3, ""), "FADD": (0x7221, 0x0, 2, ""), "FMUL": (0x7220, 0x400000, 2, ""),
    "IMAD": (0x7224, 0x78E0200, 3, ""), "IADD3": (0x7210, 0x7FFE000, 3, ""),
    "LOP3.LUT": (0x7212, 0x78E9600, 3, ", 0x96, !PT"), "HFMA2": (0x7231, 0x0, 3, ""), "DFMA": (0x722B, 0x0, 3, ""),
    "SHF.L.U32": (0x7219, 0x600, 3, ""),
}
CONTROL = 41  # place of the control word in the high word


def encode(x):
    """Returns the two words of an instruction. It waits for no counter and sets none."""
    low, high, sources, _ = OPS[x.op]
    low |= x.d << 16 | x.a << 24 | x.b << 32
    if sources == 3:
        high |= x.c
    control = x.stall | (0 if x.yields else 1) << 4 | 7 << 5 | 7 << 8
    control |= sum(flag << k for k, flag in enumerate(x.flags[:sources])) << 17
    return low, high & ((1 << CONTROL) - 1) | control << CONTROL


def text(x):
    """Returns an instruction as Kumiko reads it, with its control word."""
    _, _, sources, behind = OPS[x.op]
    operands = ["R%d" % x.d]
    for k, r in enumerate((x.a, x.b, x.c)[:sources]):
        operands.append("R%d%s" % (r, ".reuse" if x.flags[k] else ""))
    return "[B------:R-:W-:%s:S%02d] %s %s%s;" % ("Y" if x.yields else "-", x.stall, x.op, ", ".join(operands), behind)


class Rows:
    """Makes the sequences: always the same ones."""

    def __init__(self, registers):
        self.random = random.Random(20261127)
        self.registers = registers
        self.pairs = [r for r in registers if r % 2 == 0 and r + 1 in registers]
        self.list = []

    def one_of(self, keep=lambda r: True, pool=None):
        return self.random.choice([r for r in pool or self.registers if keep(r)])

    def three_of(self, residues, modulus):
        while True:
            out = [self.one_of(lambda r, k=k: r % modulus == k) for k in residues]
            if len(set(out)) == 3:
                return out

    def sample(self, *sizes):
        return self.random.sample(self.registers, self.random.choice(sizes))

    def sequence(self, periods, ops, pool, stalls=(1,), yields=(0,)):
        share = self.random.choice((0, 0.3, 0.6))
        out = []
        for _ in range(self.random.choice(periods)):
            op = self.random.choice(ops)
            of = ([r for r in pool if r in self.pairs] or self.pairs) if op == "DFMA" else pool
            flags = tuple(int(self.random.random() < share) for _ in range(3))
            out.append(Inst(op, *(self.random.choice(of) for _ in range(4)), flags, self.random.choice(stalls),
                            self.random.choice(yields)))
        return out

    def add(self, kind, sequence):
        self.list.append((kind, sequence))

    def all(self):
        """Single instructions by the residues of their registers, then sequences drawn at random."""
        for d in range(4):
            for n in range(64):
                a, b, c = self.three_of((n & 3, n >> 2 & 3, n >> 4), 4)
                self.add("residues", [Inst("FFMA", self.one_of(lambda r: r % 4 == d), a, b, c, (0, 0, 0), 1, 0)])
        for n in range(40):
            r, s = self.one_of(), self.one_of()
            a, b, c = ((r, r, s), (r, s, r), (s, r, r), (r, r, r))[n % 4]
            self.add("same", [Inst("FFMA", self.one_of(), a, b, c, (0, 0, 0), 1, 0)])
        for op in OPS:
            of, scale = (self.pairs, 2) if op == "DFMA" else (self.registers, 1)
            for n in range(64):
                flags = (n & 1, n >> 1 & 1, n >> 2 & 1)
                a, b, c = (self.one_of(lambda r, k=k: r // scale % 2 == n >> k & 1, of) for k in (3, 4, 5))
                self.add("flags " + op, [Inst(op, self.one_of(pool=of), a, b, c, flags, 1, 0)])
        arithmetic = [op for op in OPS if op not in ("DFMA", "SHF.L.U32")]
        for _ in range(400):
            self.add("two", self.sequence((2,), ["FFMA"], self.sample(4, 8, 16)))
        for _ in range(500):
            self.add("many", self.sequence((3, 4, 5, 6, 8), ["FFMA"], self.sample(4, 8, 16, 32)))
        for _ in range(250):
            self.add("stalls", self.sequence((1, 2, 3, 4), ["FFMA"], self.sample(4, 8, 16), range(1, 7)))
        for _ in range(500):
            self.add("mixed", self.sequence((2, 3, 4, 6), arithmetic, self.sample(8, 16, 32)))
        for _ in range(120):
            self.add("doubles", self.sequence((2, 3, 4), ["FFMA", "DFMA", "IADD3"], self.pairs))
        for _ in range(100):
            self.add("yields", self.sequence((2, 3, 4), ["FFMA"], self.sample(16), range(1, 5), (0, 1)))
        return self.list


def ptx():
    """Returns the loop: LENGTH multiply-adds on LIVE registers, and a clock before and behind it for each warp."""
    lines = [".version 7.8", ".target sm_90", ".address_size 64",
             ".visible .entry k(.param .u64 out, .param .u64 clocks, .param .u32 passes)", "{",
             ".reg .f32 %%f<%d>; .reg .b64 %%d<9>; .reg .b32 %%r<6>; .reg .pred %%p<3>;" % LIVE,
             "ld.param.u64 %d1, [out]; ld.param.u64 %d2, [clocks]; ld.param.u32 %r1, [passes];",
             "mov.u32 %r2, %tid.x; mul.wide.u32 %d3, %r2, 4; add.s64 %d4, %d1, %d3;"]
    lines += ["ld.global.f32 %%f%d, [%%d4+%d];" % (i, 4096 * i) for i in range(LIVE)]
    lines += ["bar.sync 0;", "mov.u64 %d5, %clock64;", "LOOP:", '.pragma "nounroll";']
    for i in range(LENGTH):
        a = i % LIVE
        lines.append("fma.rn.f32 %%f%d, %%f%d, %%f%d, %%f%d;" % (a, a, (a + 37) % LIVE, (a + 11) % LIVE))
    lines += ["sub.s32 %r1, %r1, 1; setp.ne.s32 %p1, %r1, 0; @%p1 bra LOOP;", "mov.u64 %d6, %clock64;"]
    lines += ["st.global.f32 [%%d4+%d], %%f%d;" % (4096 * i, i) for i in range(LIVE)]
    lines += ["and.b32 %r3, %r2, 31; setp.ne.s32 %p2, %r3, 0; @%p2 bra END;",
              "shr.u32 %r4, %r2, 5; mul.wide.u32 %d7, %r4, 16; add.s64 %d8, %d2, %d7;",
              "st.global.u64 [%d8], %d5; st.global.u64 [%d8+8], %d6;", "END: ret;", "}"]
    return "\n".join(lines) + "\n"


class Loop:
    """The loop as ptxas makes it, with the places of its multiply-adds and the registers that they write."""

    def __init__(self):
        with tempfile.TemporaryDirectory() as folder:
            source, cubin = os.path.join(folder, "k.ptx"), os.path.join(folder, "k.cubin")
            with open(source, "w") as out:
                out.write(ptx())
            subprocess.run(["ptxas", "-arch=sm_90", "-O3", "-o", cubin, source], check=True)
            with open(cubin, "rb") as data:
                self.image = data.read()
        base, size = self.section(".text.k")
        low = [struct.unpack_from("<Q", self.image, base + i)[0] for i in range(0, size, 16)]
        at = [i for i, word in enumerate(low) if word & 0xFFF == 0x223]
        if len(at) != LENGTH or at[-1] - at[0] >= LENGTH + OTHERS:
            sys.exit("registers.py: ptxas made %d multiply-adds in %d instructions, expected %d and at most %d others"
                     % (len(at), at[-1] - at[0] + 1, LENGTH, OTHERS))
        self.places = [base + 16 * i for i in at]
        self.registers = sorted({low[i] >> 16 & 0xFF for i in at})

    def section(self, name):
        """Returns the place and the size of a section of the ELF file."""
        table, = struct.unpack_from("<Q", self.image, 40)
        size, count, names = struct.unpack_from("<HHH", self.image, 58)
        headers = [struct.unpack_from("<IIQQQQ", self.image, table + size * i) for i in range(count)]
        for h in headers:
            at = headers[names][4] + h[0]
            if self.image[at:self.image.index(0, at)].decode() == name:
                return h[4], h[5]
        sys.exit("registers.py: ptxas made no section " + name)

    def filled(self, sequence):
        """Returns the machine code with a sequence again and again in the place of the multiply-adds."""
        image = bytearray(self.image)
        for k, place in enumerate(self.places):
            struct.pack_into("<QQ", image, place, *encode(sequence[k % len(sequence)]))
        return bytes(image)


def check():
    """Compares what nvdisasm reads in the loop with the texts of a sequence of each kind and operation."""
    loop, seen = Loop(), set()
    for kind, sequence in Rows(loop.registers).all():
        if {(kind, x.op) for x in sequence} <= seen:
            continue
        seen |= {(kind, x.op) for x in sequence}
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "k.cubin")
            with open(file, "wb") as out:
                out.write(loop.filled(sequence))
            listing = subprocess.run(["nvdisasm", "-hex", file], check=True, capture_output=True, text=True).stdout
        lines = re.findall(r"/\*[0-9a-f]{4,}\*/\s+([^;]+;)", listing)
        code = [" ".join(line.split()).replace(" ;", ";") for line in lines]
        want = [text(x).split("] ", 1)[1] for x in sequence]
        found = any(code[i:i + len(want)] == want for i in range(len(code)))
        if not found:
            sys.exit("registers.py: %s: nvdisasm reads no %s" % (kind, " ".join(want)))
    print("%d kinds and operations are encoded as nvdisasm reads them" % len(seen))


def measure(file):
    loop, call = Loop(), driver()
    memory, clocks = allocate(call, 4096 * (LIVE + 1) + (1 << 20)), allocate(call, 4096)
    call("cuMemsetD8_v2", memory, ctypes.c_ubyte(0), ctypes.c_size_t(4096 * LIVE))

    def cycles(function, warps, passes):
        best = None
        for _ in range(RUNS):
            launch(call, function, 1, 32 * warps, memory, clocks, ctypes.c_uint32(passes))
            times = struct.unpack("<%dQ" % (2 * warps), read(call, clocks, 16 * warps))
            took = max(times[1::2]) - min(times[0::2])
            best = took if best is None else min(best, took)
        return best

    with open(file, "w", newline="") as out:
        rows = csv.writer(out, lineterminator="\n")
        rows.writerow(["kind"] + ["cycles_%d" % w for w in WARPS] + ["sequence"])
        for kind, sequence in Rows(loop.registers).all():
            module, function = ctypes.c_void_p(), ctypes.c_void_p()
            image = loop.filled(sequence)
            call("cuModuleLoadData", ctypes.byref(module), ctypes.create_string_buffer(image, len(image)))
            call("cuModuleGetFunction", ctypes.byref(function), module, b"k")
            few, many = PASSES
            took = [(cycles(function, w, many) - cycles(function, w, few)) / (many - few) for w in WARPS]
            call("cuModuleUnload", module)
            rows.writerow([kind] + took + [" ".join(text(x) for x in sequence)])


def main(args):
    if args == ["list"]:
        for kind, sequence in Rows(list(range(8, 8 + LIVE))).all():
            print(kind, " ".join(text(x) for x in sequence), sep=",")
    elif args == ["check"]:
        check()
    elif len(args) == 2 and args[0] == "measure":
        measure(args[1])
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
