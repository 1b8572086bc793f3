package suite

import (
	"fmt"
	"strings"

	"kumiko/kernel/host"
)

// Wait is a number of loads that miss the L1 and hit the L2, by warps of one SM, all under way at once. Every lane
// reads words side by side, so that all but the first load of a sector wait for the sector.
type Wait struct {
	Loads int // of a lane
	Lines int // of a load: so many lanes have words of their own, a power of two up to 32
	Warps int
	Own   bool // every warp has words of its own
	Hit   bool // the loads hit
}

// Name returns the row's name.
func (w *Wait) Name() string {
	return fmt.Sprintf("wait_%dx%d_%dw", w.Loads, w.Lines, w.Warps) + suffix(w.Own, "_own") + suffix(w.Hit, "_hit")
}

func suffix(on bool, text string) string {
	if on {
		return text
	}
	return ""
}

// waitLoads are the numbers of loads for which there is a kernel.
var waitLoads = []int{1, 8, 16}

// Waits are the measured rows.
var Waits = waits()

func waits() []Wait {
	var out []Wait
	for _, loads := range waitLoads {
		for _, lines := range []int{1, 8, 32} {
			out = append(out, Wait{Loads: loads, Lines: lines, Warps: 1}, Wait{Loads: loads, Lines: lines, Warps: 4},
				Wait{Loads: loads, Lines: lines, Warps: 4, Own: true},
				Wait{Loads: loads, Lines: lines, Warps: 4, Own: true, Hit: true})
		}
	}
	return out
}

const (
	// waitApart is the distance of two lanes' words, in bytes: a line and a word, so that no two lie in one data bank.
	waitApart = 132
	// waitOwn is the distance of two warps' words, in bytes.
	waitOwn = 32 * waitApart
	// waitBytes is the size of the memory of a pass.
	waitBytes = 32 << 10
)

// waitKernel is the format of the kernel for a number of registers, the words and the distance of the lines, and the
// loads.
const waitKernel = `.version 7.8
.target sm_90
.address_size 64
.visible .entry wait(.param .u64 out, .param .u64 words, .param .u32 lines, .param .u32 own, .param .u32 passes,
	.param .u32 step)
{
	.reg .pred %%p<3>;
	.reg .b32 %%r<%d>, %%t, %%l, %%w, %%n, %%i, %%k, %%s, %%begin, %%end;
	.reg .b64 %%o, %%a, %%d;
	.shared .align 4 .b32 sum;
	ld.param.u64 %%o, [out];
	ld.param.u64 %%a, [words];
	ld.param.u32 %%k, [step];
	mov.u32 %%t, %%tid.x;
	mov.u32 %%s, 0;
	mov.u32 %%i, 0;
	ld.param.u32 %%n, [lines];
	setp.ne.u32 %%p0, %%n, 0;
	@%%p0 bra WAIT;
	mul.wide.u32 %%d, %%t, 4;
	add.u64 %%a, %%a, %%d;
	mov.u32 %%n, %%ntid.x;
	mul.wide.u32 %%d, %%n, 4;
TOUCH:
	.pragma "nounroll";
	ld.global.cg.u32 %%r0, [%%a];
	xor.b32 %%s, %%s, %%r0;
	add.u64 %%a, %%a, %%d;
	add.u32 %%i, %%i, %%n;
	setp.lt.u32 %%p1, %%i, %d;
	@%%p1 bra TOUCH;
	mov.u32 %%begin, %%s;
	mov.u32 %%end, %%s;
	bra DONE;
WAIT:
	and.b32 %%l, %%t, 31;
	shr.u32 %%w, %%t, 5;
	sub.u32 %%n, %%n, 1;
	and.b32 %%l, %%l, %%n;
	mul.wide.u32 %%d, %%l, %d;
	add.u64 %%a, %%a, %%d;
	ld.param.u32 %%n, [own];
	mul.wide.u32 %%d, %%w, %%n;
	add.u64 %%a, %%a, %%d;
	ld.param.u32 %%n, [passes];
	mov.u32 %%end, 0;
LOOP:
	.pragma "nounroll";
	mov.u32 %%begin, %%end;
%s	cvt.u64.u32 %%d, %%s;
	add.u64 %%a, %%a, %%d;
	mul.wide.u32 %%d, %%k, 1;
	add.u64 %%a, %%a, %%d;
	st.shared.u32 [sum], %%s;
	bar.sync 0;
	mov.u32 %%end, %%clock;
	add.u32 %%i, %%i, 1;
	setp.lt.u32 %%p1, %%i, %%n;
	@%%p1 bra LOOP;
DONE:
	setp.ne.u32 %%p2, %%t, 0;
	@%%p2 bra LEAVE;
	st.global.u32 [%%o], %%begin;
	st.global.u32 [%%o+4], %%end;
	st.global.u32 [%%o+8], %%s;
LEAVE:
	ret;
}
`

// waitPTX returns the kernel of a number of loads. Its parameters are the addresses of the clocks and of the words, the
// number of lines, the distance of the warps' words, the number of passes, and the distance of two passes' words. The
// two clocks are read at the ends of the last two passes. With no lines the kernel reads the memory past the L1, and so
// brings the words into the L2.
func waitPTX(loads int) string {
	var body strings.Builder
	for i := range loads {
		fmt.Fprintf(&body, "\tld.global.ca.u32 %%r%d, [%%a+%d];\n", i, 4*i)
	}
	// No compiler moves a load or a store past a barrier. So all loads are under way before the first is needed, and
	// there before the clock is read.
	body.WriteString("\tbar.sync 0;\n")
	for i := range loads {
		fmt.Fprintf(&body, "\txor.b32 %%s, %%s, %%r%d;\n", i)
	}
	return fmt.Sprintf(waitKernel, loads, 2*waitBytes/4, waitApart, body.String())
}

// own returns the distance of the warps' words, in bytes.
func (w *Wait) own() int {
	if w.Own {
		return waitOwn
	}
	return 0
}

// step returns the distance of the words of the two passes, in bytes.
func (w *Wait) step() int {
	if w.Hit {
		return 0
	}
	return waitBytes
}

// simulate returns the cycles of the second pass.
func (w *Wait) simulate(gpu string) (float64, error) {
	var cycles [2]float64
	for i := range cycles {
		n, err := w.launch(gpu, i+1)
		if err != nil {
			return 0, err
		}
		cycles[i] = n
	}
	return cycles[1] - cycles[0], nil
}

func (w *Wait) launch(gpu string, passes int) (float64, error) {
	m, module, err := assemble(gpu, "wait.ptx", waitPTX(w.Loads))
	if err != nil {
		return 0, err
	}
	out := m.Memory().Alloc("out", 64)
	words := m.Memory().Alloc("words", 2*waitBytes)
	for _, lines := range []int{0, w.Lines} {
		err = m.Launch(&host.Launch{Module: module, Kernel: "wait", Grid: [3]int{1, 1, 1},
			Block: [3]int{32 * w.Warps, 1, 1}, Registers: waitRegisters,
			Args: []host.Arg{host.U64(out), host.U64(words), host.U32(uint32(lines)), host.U32(uint32(w.own())),
				host.U32(uint32(passes)), host.U32(uint32(w.step()))}})
		if err != nil {
			return 0, err
		}
	}
	list := m.Results()
	return float64(list[len(list)-1].Cycles), nil
}

// waitRegisters are enough for all loads of a lane at once, as ptxas has them.
const waitRegisters = 64
