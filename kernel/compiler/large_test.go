package compiler

import (
	"fmt"
	"math"
	"strings"
	"syscall"
	"testing"
	"time"

	"kumiko/kernel/emu"
	"kumiko/kernel/ir"
)

// large returns a kernel with the body written by write.
func large(t *testing.T, regs int, write func(b *strings.Builder)) *ir.Kernel {
	t.Helper()
	var b strings.Builder
	fmt.Fprintf(&b, ".version 6.3\n.target sm_52\n.address_size 64\n.entry k(.param .u64 p) { .reg .b32 %%r<%d>; "+
		".reg .b64 %%d<3>; .reg .pred %%p<%d>;\n"+
		"ld.param.u64 %%d1, [p];\n", regs, regs)
	write(&b)
	b.WriteString("ret; }\n")
	m := mustParse(t, "large.ptx", []byte(b.String()))
	return m.Kernels[0]
}

// processorTime returns the processor time of the process so far.
func processorTime(t *testing.T) time.Duration {
	t.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// compileTime returns the least processor time of two runs that a kernel takes until it can be run.
func compileTime(t *testing.T, k *ir.Kernel) time.Duration {
	t.Helper()
	least := time.Duration(math.MaxInt64)
	for range 2 {
		begin := processorTime(t)
		out, err := Compile(k, Options{})
		if err == nil {
			_, err = emu.Prepare(out)
		}
		if err != nil {
			t.Fatal(err)
		}
		least = min(least, processorTime(t)-begin)
	}
	return least
}

// Each of these took minutes when some part of the compiler or of the emulator's preparation grew with the square of
// the kernel. Four times the kernel takes four times the time if nothing does, and sixteen times if something does; a
// ratio does not depend on what else the machine does meanwhile.
func TestTheTimeToCompileGrowsWithTheKernel(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds")
	}
	for _, c := range []struct {
		name  string
		n     int
		write func(b *strings.Builder, n int)
	}{
		{"values that are live at once", 60_000, func(b *strings.Builder, n int) {
			for i := range n {
				fmt.Fprintf(b, "ld.global.u32 %%r%d, [%%d1+%d];\n", i, 4*i)
			}
			for i := range n {
				fmt.Fprintf(b, "st.global.u32 [%%d1+%d], %%r%d;\n", 4*i, i)
			}
		}},
		{"vectors of them", 10_000, func(b *strings.Builder, n int) {
			for i := range n / 2 {
				fmt.Fprintf(b, "ld.global.v4.u32 {%%r%d, %%r%d, %%r%d, %%r%d}, [%%d1+%d];\n", 2*i, 2*i+1, 2*i+2, 2*i+3,
					16*i)
			}
			for i := range n / 2 {
				fmt.Fprintf(b, "st.global.v4.u32 [%%d1+%d], {%%r%d, %%r%d, %%r%d, %%r%d};\n", 16*i, 2*i, 2*i+1, 2*i+3,
					2*i+2)
			}
		}},
		{"predicates that are live at once", 20_000, func(b *strings.Builder, n int) {
			for i := range n {
				fmt.Fprintf(b, "ld.global.u32 %%r1, [%%d1+%d]; setp.eq.u32 %%p%d, %%r1, %d;\n", 4*i, i, i)
			}
			for i := range n {
				fmt.Fprintf(b, "selp.u32 %%r1, 1, 0, %%p%d; st.global.u32 [%%d1+%d], %%r1;\n", i, 4*i)
			}
		}},
		{"branches one in the other", 25_000, func(b *strings.Builder, n int) {
			for i := range n {
				fmt.Fprintf(b, "setp.eq.u32 %%p1, %%r1, %d; @%%p1 bra L%d; st.global.u32 [%%d1+%d], %%r2;\n", i, i, 4*i)
			}
			for i := n - 1; i >= 0; i-- {
				fmt.Fprintf(b, "L%d: st.global.u32 [%%d1], %%r%d;\n", i, i%5)
			}
		}},
		{"tables of targets", 20_000, func(b *strings.Builder, n int) {
			b.WriteString("T: .branchtargets L0")
			for i := range n - 1 {
				fmt.Fprintf(b, ", L%d", i+1)
			}
			b.WriteString(";\n")
			for i := range n {
				fmt.Fprintf(b, "L%d: add.u32 %%r1, %%r1, 1; st.global.u32 [%%d1], %%r1;", i)
				if i%(n/8) == 0 {
					b.WriteString("brx.idx %r1, T;\n")
				}
			}
		}},
		{"immediates", 80_000, func(b *strings.Builder, n int) {
			for i := range n {
				fmt.Fprintf(b, "add.u32 %%r%d, %%r%d, %d;\n", i%8, (i+1)%8, 1000003*(i+7)%2147483647)
			}
			b.WriteString("st.global.u32 [%d1], %r1;\n")
		}},
		{"copies of copies", 40_000, func(b *strings.Builder, n int) {
			for i := range n {
				fmt.Fprintf(b, "@%%p1 mov.u32 %%r%d, %%r%d; st.global.u32 [%%d1+%d], %%r%d;\n", i+1, i, 4*i, i+1)
			}
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			kernel := func(n int) *ir.Kernel {
				return large(t, 2*n+2, func(b *strings.Builder) { c.write(b, n) })
			}
			part, whole := compileTime(t, kernel(c.n/4)), compileTime(t, kernel(c.n))
			if ratio := whole.Seconds() / part.Seconds(); ratio > 12 {
				t.Errorf("four times the kernel took %.1f times as long (%v, %v), more than 12", ratio, part, whole)
			} else {
				t.Logf("%.1f: %v, %v", ratio, part, whole)
			}
		})
	}
}

func TestAKernelOfTooManyRegistersAndBlocksIsRefusedAtOnce(t *testing.T) {
	k := large(t, 40_000, func(b *strings.Builder) {
		for i := range 40_000 {
			fmt.Fprintf(b, "ld.global.u32 %%r%d, [%%d1+%d];\n", i, 4*i)
		}
		for i := range 16_000 {
			fmt.Fprintf(b, "setp.eq.u32 %%p1, %%r%d, 0; @%%p1 bra L%d; bar.sync 0; L%d:\n", i, i, i)
		}
	})
	_, err := Compile(k, Options{})
	const want = "large.ptx:5:1: found kernel k of 40003 registers and predicates and 32001 basic blocks, expected a " +
		"product of at most 536870912"
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}
