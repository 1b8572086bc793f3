package compiler

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"kumiko/kernel/emu"
	"kumiko/kernel/host"
	"kumiko/kernel/ir"
	"kumiko/kernel/mem"
)

// binaryKernel returns a kernel for one operation on each pair of elements.
func binaryKernel(op string, typ string, bytes int, operands int) string {
	letter := map[int]string{4: "b32", 8: "b64"}[bytes]
	src := "%x, %y"
	if operands == 1 {
		src = "%x"
	}
	return fmt.Sprintf(`.version 6.3
.target sm_52
.address_size 64
.visible .entry each(.param .u64 a, .param .u64 b, .param .u64 c)
{
	.reg .%[2]s %%x, %%y, %%z;
	.reg .b64 %%p<8>;
	.reg .b32 %%r<4>;
	mov.u32 %%r0, %%ctaid.x;
	mov.u32 %%r1, %%ntid.x;
	mov.u32 %%r2, %%tid.x;
	mad.lo.s32 %%r3, %%r0, %%r1, %%r2;
	mul.wide.u32 %%p0, %%r3, %[3]d;
	ld.param.u64 %%p1, [a];
	ld.param.u64 %%p2, [b];
	ld.param.u64 %%p3, [c];
	add.s64 %%p1, %%p1, %%p0;
	add.s64 %%p2, %%p2, %%p0;
	add.s64 %%p3, %%p3, %%p0;
	ld.global.%[2]s %%x, [%%p1];
	ld.global.%[2]s %%y, [%%p2];
	%[1]s %%z, %[4]s;
	st.global.%[2]s [%%p3], %%z;
	ret;
}`, op, letter, bytes, src)
}

const pairs = 1 << 15

// apply runs the kernel, as f makes it, over all pairs.
func apply(t *testing.T, src string, size int, a, b []byte, f func(*ir.Module) *ir.Kernel) []byte {
	t.Helper()
	m := mustParse(t, "each.ptx", []byte(src))
	k := f(m)
	var dev mem.Memory
	var addr [3]uint64
	for i, init := range [][]byte{a, b, nil} {
		addr[i] = dev.Alloc(fmt.Sprint(i), pairs*size)
		data, _ := dev.Bytes(addr[i], pairs*size)
		copy(data, init)
	}
	r := &emu.Runner{Mem: &dev, Out: io.Discard, Compile: func(*host.Launch) (*ir.Kernel, error) { return k, nil }}
	if err := r.Launch(&host.Launch{Module: m, Kernel: "each", Grid: [3]int{pairs / 256, 1, 1},
		Block: [3]int{256, 1, 1},
		Args:  []host.Arg{host.U64(addr[0]), host.U64(addr[1]), host.U64(addr[2])}}); err != nil {
		t.Fatal(err)
	}
	out, _ := dev.Bytes(addr[2], pairs*size)
	return out
}

// operand is a number of any magnitude, near a power of two, special, or of
// ordinary size.
func operand(r *rand.Rand, typ string) uint64 {
	switch typ {
	case "f32":
		switch r.IntN(5) {
		case 0:
			return uint64(r.Uint32())
		case 1:
			return uint64([]uint32{0, 1, 0x80000000, 0x7f800000, 0xff800000, 0x7fc00000, 0x007fffff, 0x00800000,
				0x7f7fffff, 0x3f800000, 0x3fffffff}[r.IntN(11)])
		case 2:
			return uint64(0x3fffffff - r.Uint32()>>(9+r.IntN(23)))
		}
		return uint64(uint32(96+r.IntN(64))<<23 | r.Uint32()>>9 | r.Uint32()<<31)
	case "f64":
		switch r.IntN(5) {
		case 0:
			return r.Uint64()
		case 1:
			return []uint64{0, 1, 1 << 63, 0x7ff << 52, 0xfff << 52, 0x7ff8 << 48, 1 << 52, 1<<52 - 1,
				math.Float64bits(1), math.Float64bits(math.MaxFloat64)}[r.IntN(10)]
		case 2:
			return 1024<<52 - 1 - r.Uint64()>>(12+r.IntN(52))
		}
		return uint64(960+r.IntN(128))<<52 | r.Uint64()>>12 | r.Uint64()<<63
	}
	v := r.Uint64() >> r.IntN(64)
	switch r.IntN(5) {
	case 0:
		v = -v
	case 1:
		v = 1<<r.IntN(64) + uint64(r.IntN(5)) - 2
	case 2:
		v = uint64(int64(r.IntN(7) - 3))
	}
	if strings.HasSuffix(typ, "32") && r.IntN(4) == 0 {
		v = uint64(uint32(1)<<31) - uint64(r.IntN(3)) + 1
	}
	return v
}

// The sequences are compared with the operations they replace, over ordinary numbers and all the special ones.
func TestDivisionsAndRootsAreExact(t *testing.T) {
	for _, c := range []struct {
		op, typ  string
		operands int
	}{
		{"div.u32", "u32", 2}, {"rem.u32", "u32", 2}, {"div.s32", "s32", 2}, {"rem.s32", "s32", 2},
		{"div.u64", "u64", 2}, {"rem.u64", "u64", 2}, {"div.s64", "s64", 2}, {"rem.s64", "s64", 2},
		{"div.rn.f32", "f32", 2}, {"div.rn.ftz.f32", "f32", 2}, {"rcp.rn.f32", "f32", 1}, {"sqrt.rn.f32", "f32", 1},
		{"div.rn.f64", "f64", 2},
	} {
		t.Run(c.op, func(t *testing.T) {
			size := 4
			if strings.HasSuffix(c.typ, "64") {
				size = 8
			}
			r := rand.New(rand.NewPCG(7, 7))
			var a, b []byte
			for range pairs {
				a = binary.LittleEndian.AppendUint64(a, operand(r, c.typ))[:len(a)+size]
				b = binary.LittleEndian.AppendUint64(b, operand(r, c.typ))[:len(b)+size]
			}
			src := binaryKernel(c.op, c.typ, size, c.operands)
			want := apply(t, src, size, a, b, source)
			whole := 0
			got := apply(t, src, size, a, b, func(m *ir.Module) *ir.Kernel {
				k := mustCompile(t, m.Kernels[0], Options{})
				for pc := range k.Insts {
					if op := k.Insts[pc].Op; op == ir.OpDiv || op == ir.OpRem || !k.Insts[pc].Mods.Approx &&
						(op == ir.OpRcp || op == ir.OpSqrt) {
						whole++
					}
				}
				return k
			})
			if inFloat := c.typ[0] == 'f'; whole > 1 || whole == 1 && !inFloat {
				t.Errorf("%d operations were left whole", whole)
			}
			for i := 0; i < len(want); i += size {
				if !bytes.Equal(want[i:i+size], got[i:i+size]) {
					t.Fatalf("%s of %x and %x: %x, want %x (little-endian)", c.op, a[i:i+size], b[i:i+size],
						got[i:i+size], want[i:i+size])
				}
			}
		})
	}
}
