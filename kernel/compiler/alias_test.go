package compiler

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"kumiko/kernel/compiler/internal/randptx"
	"kumiko/kernel/ptx"
)

// aliasForms are instructions with a register possibly both result and source. A hole is a role, S or D, a bank (r:
// 32 bits, d: 64, h: 16, p: predicates, a: addresses of 16 readable bytes, also 64-bit registers) and a digit to
// distinguish holes. Equal holes stand for one register.
var aliasForms = []string{
	"mov.v2.u32 {Dr0, Dr1}, {Sr0, Sr1}",
	"mov.v4.u32 {Dr0, Dr1, Dr2, Dr3}, {Sr0, Sr1, Sr2, Sr3}",
	"mov.v2.u16 {Dh0, Dh1}, {Sh0, Sh1}",
	"mov.v2.b64 {Dd0, Dd1}, {Sd0, Sd1}",
	"mov.b64 {Dr0, Dr1}, Sd0",
	"mov.b64 Dd0, {Sr0, Sr1}",
	"mov.b32 {Dh0, Dh1}, Sr0",
	"mov.b64 {Dh0, Dh1, Dh2, Dh3}, Sd0",
	"mov.b64 Dd0, {Sh0, Sh1, Sh2, Sh3}",
	"add.cc.u32 Dr0, Sr0, Sr1; addc.cc.u32 Dr1, Sr2, Sr3; addc.u32 Dr2, Sr4, Sr5",
	"sub.cc.u32 Dr0, Sr0, Sr1; subc.cc.u32 Dr1, Sr2, Sr3; subc.u32 Dr2, Sr4, Sr5",
	"mad.lo.cc.u32 Dr0, Sr0, Sr1, Sr2; madc.hi.u32 Dr1, Sr3, Sr4, Sr5",
	"add.cc.u64 Dd0, Sd0, Sd1; addc.u64 Dd1, Sd2, Sd3",
	"mul.wide.u32 Dd0, Sr0, Sr1",
	"mad.wide.s32 Dd0, Sr0, Sr1, Sd0",
	"mul.lo.u64 Dd0, Sd0, Sd1",
	"mul.hi.s64 Dd0, Sd0, Sd1",
	"mad.lo.u64 Dd0, Sd0, Sd1, Sd2",
	"shl.b64 Dd0, Sd0, Sr0",
	"shr.s64 Dd0, Sd0, Sr0",
	"div.u32 Dr0, Sr0, Sr1",
	"rem.s32 Dr0, Sr0, Sr1",
	"div.s64 Dd0, Sd0, Sd1",
	"rem.u64 Dd0, Sd0, Sd1",
	"min.s64 Dd0, Sd0, Sd1",
	"selp.b64 Dd0, Sd0, Sd1, Sp0",
	"slct.b64.s32 Dd0, Sd0, Sd1, Sr0",
	"bfi.b64 Dd0, Sd0, Sd1, Sr0, Sr1",
	"bfe.s64 Dd0, Sd0, Sr0, Sr1",
	"prmt.b32 Dr0, Sr0, Sr1, Sr2",
	"shf.l.wrap.b32 Dr0, Sr0, Sr1, Sr2",
	"lop3.b32 Dr0, Sr0, Sr1, Sr2, 0x1b",
	"dp4a.u32.s32 Dr0, Sr0, Sr1, Sr2",
	"cvt.u32.u16 Dr0, Sh0",
	"cvt.s8.s32 Dr0, Sr0",
	"setp.lt.xor.u32 Dp0|Dp1, Sr0, Sr1, Sp0",
	"setp.lt.and.u32 Dp0|Dp1, Sr0, Sr1, !Sp0",
	"xor.pred Dp0, Sp0, Sp1",
	"shfl.sync.bfly.b32 Dr0|Dp0, Sr0, 5, 31, -1",
	"shfl.sync.idx.b32 Dr0|Dp0, Sr0, Sr1, Sr2, -1",
	"vote.sync.any.pred Dp0, Sp0, -1",
	"vote.sync.ballot.b32 Dr0, Sp0, -1",
	"match.all.sync.b32 Dr0|Dp0, Sr0, -1",
	"match.all.sync.b64 Dr0|Dp0, Sd0, -1",
	"bar.red.and.pred Dp0, 0, Sp0",
	"bar.red.popc.u32 Dr0, 0, Sp0",
	"ld.global.v2.u64 {Dd0, Dd1}, [Sa0]",
	"ld.global.v4.u32 {Dr0, Dr1, Dr2, Dr3}, [Sa0]",
	"ld.v2.u64 {Dd0, Dd1}, [Sa0]",
	"ld.global.u64 Dd0, [Sa0+8]",
	"ld.global.s8 Dd0, [Sa0+8]",
	"@Sp0 ld.global.v2.u64 {Dd0, Dd1}, [Sa0]",
	"@!Sp0 mov.v2.u32 {Dr0, Dr1}, {Sr0, Sr1}",
	"atom.global.add.u64 Dd0, [Sa0], Sd0",
	"atom.global.cas.b64 Dd0, [Sa0], Sd0, Sd1",
	"atom.global.exch.b32 Dr0, [Sa0], Sr0",
	"call (Dr0, Dr1), pair, (Sr0, Sr1)",
	"call (Dr0), first, (Sr0, Sd0)",
	"{ .param .v2 .b32 q; st.param.v2.b32 [q], {Sr0, Sr1}; ld.param.v2.b32 {Dr0, Dr1}, [q]; }",
}

var aliasHole = regexp.MustCompile(`[SD]([rdhpa])\d`)

// aliasPool is how many registers a bank has for a form to draw from.
const aliasPool = 6

// The offsets of a thread's results behind a form, and of 48 bytes for its addresses.
const (
	aliasD     = 4 * aliasPool
	aliasH     = aliasD + 8*aliasPool
	aliasP     = aliasH + 2*aliasPool
	aliasWords = aliasP + 4*aliasPool + 4
	aliasRow   = aliasWords + 48
	// aliasAtOnce is the number of forms whose results fit in the output of a thread of execute.
	aliasAtOnce = randptx.OutBytes / aliasRow
)

// aliasBank returns the letter of the registers of a hole: addresses are in 64-bit registers.
func aliasBank(kind string) string {
	if kind == "a" {
		return "d"
	}
	return kind
}

// aliasMove copies a register of a bank.
func aliasMove(kind, to, from string) string {
	t := map[string]string{"r": "b32", "d": "b64", "h": "b16", "p": "pred"}[aliasBank(kind)]
	return fmt.Sprintf("mov.%s %s, %s;\n", t, to, from)
}

// drawAliases assigns registers of the pool to the holes of a form: different ones to the results, any to the
// sources.
func drawAliases(t *rapid.T, form string) map[string]string {
	out, taken := map[string]string{}, map[string]bool{}
	for _, m := range aliasHole.FindAllStringSubmatch(form, -1) {
		if out[m[0]] != "" {
			continue
		}
		n := rapid.IntRange(0, aliasPool-1).Draw(t, m[0])
		for r := 0; ; r++ {
			reg := fmt.Sprintf("%%%s%d", aliasBank(m[1]), (n+r)%aliasPool)
			if m[1] == "a" { // the upper half of the 64-bit ones are addresses
				reg = fmt.Sprintf("%%d%d", aliasPool/2+(n+r)%(aliasPool/2))
			}
			if m[0][0] == 'S' || !taken[reg] {
				taken[reg] = taken[reg] || m[0][0] == 'D'
				out[m[0]] = reg
				break
			}
		}
	}
	return out
}

// apartForm returns a form with the results and sources of each instruction in registers of their own, copied from
// and to the registers of the pool.
func apartForm(form string, regs map[string]string) string {
	var b strings.Builder
	for _, one := range strings.Split(form, ";") {
		var after string
		seen := map[string]bool{}
		text := aliasHole.ReplaceAllStringFunc(one, func(h string) string {
			kind, own := h[1:2], fmt.Sprintf("%%%s%s%s", strings.ToLower(h[:1]), aliasBank(h[1:2]), h[2:])
			if kind == "a" {
				own = "%sx" + h[2:]
			}
			if !seen[h] {
				seen[h] = true
				b.WriteString(aliasMove(kind, own, regs[h]))
				if h[0] == 'D' {
					after += aliasMove(kind, regs[h], own)
				}
			}
			return own
		})
		b.WriteString(text + ";\n" + after)
	}
	return b.String()
}

// aliasProgram runs every form, the registers of the pool filled before it and stored
// after it.
func aliasProgram(lines []string) string {
	var b strings.Builder
	b.WriteString(`.version 6.3
.target sm_70
.address_size 64
.func (.reg .b32 u, .reg .b32 v) pair (.reg .b32 x, .reg .b32 y) { mov.b32 u, y; add.u32 v, x, y; ret; }
.func (.reg .b32 u) first (.reg .b32 x, .reg .b64 y) { .reg .b32 t; cvt.u32.u64 t, y; sub.u32 u, x, t; ret; }
.visible .entry fuzz(.param .u64 in, .param .u64 out, .param .u32 i0, .param .u32 i1, .param .f32 f0, .param .u64 d0)
{
.reg .u32 %t<4>; .reg .u64 %base, %to, %v;
`)
	for _, k := range []string{"r:b32", "d:b64", "h:b16", "p:pred"} {
		name, typ, _ := strings.Cut(k, ":")
		fmt.Fprintf(&b, ".reg .%s %%%s<%d>, %%s%s<8>, %%d%s<8>;\n", typ, name, aliasPool, name, name)
	}
	fmt.Fprintf(&b, `.reg .b64 %%sx<8>;
mov.u32 %%t0, %%tid.x; mov.u32 %%t1, %%ctaid.x; mad.lo.u32 %%t0, %%t1, 64, %%t0;
ld.param.u64 %%base, [in]; and.b32 %%t1, %%t0, 15; mul.wide.u32 %%v, %%t1, 64; add.u64 %%base, %%base, %%v;
ld.param.u64 %%to, [out]; mul.wide.u32 %%v, %%t0, %d; add.u64 %%to, %%to, %%v;
`, randptx.OutBytes)
	for at, line := range lines {
		at *= aliasRow
		for i := range aliasPool {
			fmt.Fprintf(&b, "ld.global.b32 %%r%d, [%%base+%d];\n", i, 4*i)
			fmt.Fprintf(&b, "setp.lt.s32 %%p%d, %%r%d, %d; cvt.u16.u32 %%h%d, %%r%d;\n", i, i, i*1000, i, i)
			fmt.Fprintf(&b, "ld.global.b64 %%d%d, [%%base+%d];\n", i, 8*i)
			fmt.Fprintf(&b, "st.global.b64 [%%to+%d], %%d%d;\n", at+aliasWords+8*i, i)
		}
		for i := aliasPool / 2; i < aliasPool; i++ {
			fmt.Fprintf(&b, "add.u64 %%d%d, %%to, %d;\n", i, at+aliasWords+16*(i%2))
		}
		b.WriteString(line)
		for i := range aliasPool {
			fmt.Fprintf(&b, "st.global.b32 [%%to+%d], %%r%d;\n", at+4*i, i)
			fmt.Fprintf(&b, "st.global.b64 [%%to+%d], %%d%d;\n", at+aliasD+8*i, i)
			fmt.Fprintf(&b, "st.global.b16 [%%to+%d], %%h%d;\n", at+aliasH+2*i, i)
			fmt.Fprintf(&b, "selp.b32 %%t2, 1, 0, %%p%d; st.global.b32 [%%to+%d], %%t2;\n", i, at+aliasP+4*i)
		}
	}
	b.WriteString("ret;\n}\n")
	return b.String()
}

func TestResultsMayBeSources(t *testing.T) {
	run := func(t *rapid.T, src string, compiled bool, seed uint64) []byte {
		m, err := ptx.Parse("alias.ptx", []byte(src))
		if err != nil {
			t.Fatalf("%v\n%s", err, src)
		}
		k := source(m)
		if compiled {
			if k, err = Compile(m.Kernels[0], Options{}); err != nil {
				t.Fatal(err)
			}
		}
		out, err := execute(m, k, seed)
		if err != nil {
			t.Fatalf("compiled %v: %v", compiled, err)
		}
		return bytes.Clone(out)
	}
	rapid.Check(t, func(t *rapid.T) {
		seed := rapid.Uint64Range(0, 1<<20).Draw(t, "seed")
		var plain, apart []string
		first := rapid.IntRange(0, len(aliasForms)-aliasAtOnce).Draw(t, "first")
		forms := aliasForms[first : first+aliasAtOnce]
		for _, form := range forms {
			regs := drawAliases(t, form)
			text := aliasHole.ReplaceAllStringFunc(form, func(h string) string { return regs[h] })
			plain = append(plain, text+";\n")
			apart = append(apart, apartForm(form, regs))
		}
		want := run(t, aliasProgram(apart), false, seed)
		for _, compiled := range []bool{false, true} {
			got := run(t, aliasProgram(plain), compiled, seed)
			for i := range got {
				if got[i] != want[i] {
					at := i % randptx.OutBytes
					t.Fatalf("compiled %v: byte %d after %s is %#x, want %#x", compiled, at%aliasRow,
						plain[at/aliasRow], got[i], want[i])
				}
			}
		}
	})
}
