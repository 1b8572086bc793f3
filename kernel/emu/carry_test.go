package emu

import (
	"encoding/binary"
	"fmt"
	"math/big"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"kumiko/kernel/compiler"
	"kumiko/kernel/host"
	"kumiko/kernel/ir"
	"kumiko/kernel/mem"
)

// chained is an instruction of a chain: an operation on three constants.
type chained struct {
	op      string // add, sub or mad.lo, mad.hi
	in, out bool
	typ     string
	src     [3]uint64
	literal [3]bool // the source is in the instruction, and not loaded
}

func (c *chained) width() uint { return map[byte]uint{'3': 32, '6': 64}[c.typ[1]] }

// text writes the result to %r5 or %rd5, and stores it as element i.
func (c *chained) text(i int) string {
	name, cc, r := c.op, "", "%r"
	if c.in {
		name = strings.Replace(name+".", ".", "c.", 1)
		name = name[:len(name)-1]
	}
	if c.out {
		cc = ".cc"
	}
	if c.width() == 64 {
		r = "%rd"
	}
	var b strings.Builder
	sources := []string{}
	for j, v := range c.src[:2+strings.Count(c.op, "mad")] {
		if c.literal[j] {
			sources = append(sources, fmt.Sprintf("%#x", v<<(64-c.width())>>(64-c.width())))
			continue
		}
		fmt.Fprintf(&b, "ld.global.u%d %s%d, [%%rd0+%d]; ", c.width(), r, j+1, 32*i+8*j)
		sources = append(sources, fmt.Sprintf("%s%d", r, j+1))
	}
	fmt.Fprintf(&b, "%s%s.%s %s5, %s; st.global.u%d [%%rd0+%d], %s5;\n", name, cc, c.typ, r,
		strings.Join(sources, ", "), c.width(), 32*i+24, r)
	return b.String()
}

// want returns the result of an instruction and the flag behind it, given the flag before. It models an adder of
// one word; a subtraction adds the complement of the subtrahend.
func (c *chained) want(flag uint) (v uint64, after uint) {
	one := new(big.Int).Lsh(big.NewInt(1), c.width())
	word := func(v uint64) *big.Int { return new(big.Int).Mod(new(big.Int).SetUint64(v), one) }
	x, y := word(c.src[0]), word(c.src[1])
	carry := uint(0)
	switch c.op {
	case "sub":
		y = new(big.Int).Sub(new(big.Int).Sub(one, big.NewInt(1)), y)
		carry = 1
	case "mad.lo", "mad.hi":
		if c.typ[0] == 's' {
			for _, v := range []*big.Int{x, y} {
				if v.Bit(int(c.width())-1) != 0 {
					v.Sub(v, one)
				}
			}
		}
		x.Mul(x, y)
		if c.op == "mad.hi" {
			x.Rsh(x, c.width())
		}
		x.Mod(x, one)
		y = word(c.src[2])
	}
	if c.in {
		carry = flag
	}
	x.Add(x, y).Add(x, new(big.Int).SetUint64(uint64(carry)))
	if after = flag; c.out {
		after = x.Bit(int(c.width()))
	}
	return x.Mod(x, one).Uint64(), after
}

func drawChained(t *rapid.T, first bool) *chained {
	c := &chained{op: rapid.SampledFrom([]string{"add", "sub", "add", "sub", "mad.lo", "mad.hi"}).Draw(t, "op"),
		typ: rapid.SampledFrom([]string{"u32", "s32", "u64", "s64"}).Draw(t, "type")}
	c.out = first || rapid.Bool().Draw(t, "out")
	c.in = !first && (!c.out || rapid.Bool().Draw(t, "in"))
	for i := range c.src {
		c.src[i] = rapid.OneOf(rapid.Uint64(), rapid.SampledFrom([]uint64{0, 1, 1<<64 - 1, 1<<32 - 1, 1 << 63,
			1 << 31, 1<<64 - 1<<32})).Draw(t, "source")
		c.literal[i] = rapid.Bool().Draw(t, "literal")
	}
	return c
}

// The flag is the hardware's: subtractions set it if nothing is borrowed. Chains run as parsed and as compiled,
// with 64-bit operations as pairs.
func TestChainsOfCarriesHaveTheFlagOfHardware(t *testing.T) {
	test := t
	rapid.Check(t, func(t *rapid.T) {
		var chain []*chained
		body := ""
		for i := range rapid.IntRange(2, 8).Draw(t, "instructions") {
			c := drawChained(t, i == 0)
			chain = append(chain, c)
			body += c.text(i)
		}
		m := kernelText(test, 1, body+"ret;")
		compiled, err := compiler.Compile(m.Kernels[0], compiler.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, k := range []*ir.Kernel{m.Kernels[0], compiled} {
			var dev mem.Memory
			a := dev.Alloc("values", 32*len(chain))
			data, _ := dev.Bytes(a, 32*len(chain))
			for i, c := range chain {
				for j, v := range c.src {
					binary.LittleEndian.PutUint64(data[32*i+8*j:], v)
				}
			}
			mustRun(t, &Runner{Mem: &dev, Compile: func(*host.Launch) (*ir.Kernel, error) { return k, nil }},
				textLaunch(m, 1, 1, a))
			flag := uint(0)
			for i, c := range chain {
				var want uint64
				want, flag = c.want(flag)
				if got := binary.LittleEndian.Uint64(data[32*i+24:]); got != want {
					t.Fatalf("allocated %v, instruction %d of\n%s: %#x, want %#x", k.Allocated, i+1, body, got, want)
				}
			}
		}
	})
}

// The results are those of another project's tests on GPUs, with PTX compiled by ptxas, and of the reverse order.
func TestAnAdditionTakesTheFlagOfASubtractionAsItIs(t *testing.T) {
	got := results(t, `
mov.u32 %r1, 0x627ADF75; mov.u32 %r2, 0x864CCEF5;
sub.cc.u32 %r5, %r1, %r2; addc.u32 %r6, 0, 0; st.global.u32 [%rd0], %r6;
sub.cc.u32 %r5, %r2, %r1; addc.u32 %r6, 0, 0; st.global.u32 [%rd0+4], %r6;
add.cc.u32 %r1, -1, 1; subc.u32 %r6, 5, 0; st.global.u32 [%rd0+8], %r6;
add.cc.u32 %r1, 1, 1; subc.u32 %r6, 5, 0; st.global.u32 [%rd0+12], %r6;
ret;`, 1, 1, 4)
	for i, want := range []uint32{0, 1, 5, 4} {
		if got[i] != want {
			t.Errorf("line %d: %d, want %d", i+1, got[i], want)
		}
	}
}
