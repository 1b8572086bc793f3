package suite

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"strings"

	"kumiko/gpus"
	"kumiko/gpus/config"
	"kumiko/kernel/host"
	"kumiko/kernel/ir"
	"kumiko/kernel/ptx"
)

// Chase is a walk of one thread along a ring of addresses in an unpredictable order.
type Chase struct {
	Name     string
	Elements int
	Apart    int // bytes from one element to the next
	Warm     int // steps before the timed ones
	Steps    int
}

// Chases are the measured walks. Cold walks begin with empty caches.
var Chases = []Chase{
	{"l1_32K", 256, 128, 256, 1024},
	{"l1_128K", 1024, 128, 1024, 1024},
	{"l2_1M", 8192, 128, 8192, 4096},
	{"cold_1M", 8192, 128, 0, 4096},
	{"cold_64M", 1 << 14, 4096, 0, 4096},
}

// chasePTX is the kernel of a walk in PTX.
var chasePTX = `.version 7.8
.target sm_90
.address_size 64
.visible .entry chase(.param .u64 out, .param .u64 ring, .param .u32 warm, .param .u32 steps)
{
	.reg .pred %p<3>;
	.reg .b32 %i, %n, %b, %e;
	.reg .b64 %o, %r, %d;
	ld.param.u64 %o, [out];
	ld.param.u64 %r, [ring];
	ld.param.u32 %n, [warm];
	mov.u32 %i, 0;
	setp.eq.u32 %p0, %n, 0;
	@%p0 bra TIMED;
WARM:
	.pragma "nounroll";
	ld.global.ca.u64 %r, [%r];
	add.u32 %i, %i, 1;
	setp.lt.u32 %p1, %i, %n;
	@%p1 bra WARM;
TIMED:
	st.global.u64 [%o+16], %r;
	ld.param.u32 %n, [steps];
	mov.u32 %i, 0;
	mov.u32 %b, %clock;
LOOP:
	.pragma "nounroll";
` + strings.Repeat("\tld.global.ca.u64 %r, [%r];\n", 16) + `	add.u32 %i, %i, 16;
	setp.lt.u32 %p1, %i, %n;
	@%p1 bra LOOP;
	cvt.u32.u64 %e, %r;
	st.global.u32 [%o+8], %e;
	mov.u32 %e, %clock;
	st.global.u32 [%o], %b;
	st.global.u32 [%o+4], %e;
	ret;
}
`

// simulate returns the cycles per step, from the difference between a walk of half the steps and a complete one.
func (c *Chase) simulate(gpu string) (float64, error) {
	var cycles [2]float64
	for i := range cycles {
		n, err := c.launch(gpu, (i+1)*c.Steps/2)
		if err != nil {
			return 0, err
		}
		cycles[i] = n
	}
	return (cycles[1] - cycles[0]) / float64(c.Steps-c.Steps/2), nil
}

func (c *Chase) launch(gpu string, steps int) (float64, error) {
	m, module, err := assemble(gpu, "chase.ptx", chasePTX)
	if err != nil {
		return 0, err
	}
	mem := m.Memory()
	out := mem.Alloc("out", 64)
	ring := mem.Alloc("ring", c.Elements*c.Apart)
	data, err := mem.Bytes(ring, c.Elements*c.Apart)
	if err != nil {
		return 0, err
	}
	order := rand.New(rand.NewPCG(1, 1)).Perm(c.Elements)
	for i, at := range order {
		next := order[(i+1)%len(order)]
		binary.LittleEndian.PutUint64(data[at*c.Apart:], ring+uint64(next*c.Apart))
	}
	err = m.Launch(&host.Launch{Module: module, Kernel: "chase", Grid: [3]int{1, 1, 1}, Block: [3]int{1, 1, 1},
		Args: []host.Arg{host.U64(out), host.U64(ring + uint64(order[0]*c.Apart)), host.U32(uint32(c.Warm)),
			host.U32(uint32(steps))}})
	if err != nil {
		return 0, err
	}
	return float64(m.Results()[0].Cycles), nil
}

// Stream is one pass or several over a part of memory by all threads of a grid, with 16 bytes per thread and
// instruction.
type Stream struct {
	Name  string
	Op    string // read or write
	CTAs  int    // of 1024 threads
	Bytes int
	Reps  int
	Warm  bool // a launch of one pass came before
}

// Streams are the measured streams.
var Streams = []Stream{
	{"read_l1_1sm", "read", 1, 64 << 10, 64, true},
	{"read_l2_1sm", "read", 1, 4 << 20, 4, true},
	{"read_dram_1sm", "read", 1, 16 << 20, 1, false},
	{"read_dram_gpu", "read", 264, 64 << 20, 1, false},
	{"write_l2_1sm", "write", 1, 4 << 20, 4, true},
	{"write_gpu", "write", 264, 64 << 20, 1, false},
}

// streamKernel is the kernel of a stream but for its name, the first values of its registers, and its accesses.
const streamKernel = `.version 7.8
.target sm_90
.address_size 64
.visible .entry KERNEL(.param .u64 out, .param .u64 buf, .param .u32 n, .param .u32 reps)
{
	.reg .pred %p<4>;
	.reg .b32 %r<17>, %t, %i, %n, %k, %reps, %s, %c, %b;
	.reg .b64 %o, %base, %a, %d, %step;
	ld.param.u64 %o, [out];
	ld.param.u64 %base, [buf];
	ld.param.u32 %n, [n];
	ld.param.u32 %reps, [reps];
	mov.u32 %t, %tid.x;
	mov.u32 %c, %ctaid.x;
	mov.u32 %b, %ntid.x;
	mov.u32 %s, %nctaid.x;
	mul.lo.u32 %s, %s, %b;
	mad.lo.u32 %t, %c, %b, %t;
	mul.wide.u32 %step, %s, 16;
	shl.b32 %s, %s, 2;
INIT	mov.u32 %k, 0;
REP:
	.pragma "nounroll";
	mov.u32 %i, %t;
	mul.wide.u32 %d, %i, 16;
	add.u64 %a, %base, %d;
LOOP:
	.pragma "nounroll";
BODY	add.u32 %i, %i, %s;
	setp.lt.u32 %p0, %i, %n;
	@%p0 bra LOOP;
	add.u32 %k, %k, 1;
	setp.lt.u32 %p1, %k, %reps;
	@%p1 bra REP;
	setp.eq.u32 %p2, %r0, 123456789;
	@!%p2 bra DONE;
	st.global.u32 [%o], %r0;
DONE:
	ret;
}
`

func streamPTX(op string) string {
	var init, body strings.Builder
	for i := range 17 {
		fmt.Fprintf(&init, "\tmov.u32 %%r%d, %%t;\n", i)
	}
	for j := range 4 {
		four := fmt.Sprintf("{%%r%d, %%r%d, %%r%d, %%r%d}", 1+4*j, 2+4*j, 3+4*j, 4+4*j)
		if op == "read" {
			fmt.Fprintf(&body, "\tld.global.v4.u32 %s, [%%a];\n", four)
		} else {
			fmt.Fprintf(&body, "\tst.global.v4.u32 [%%a], %s;\n", four)
		}
		body.WriteString("\tadd.u64 %a, %a, %step;\n")
	}
	if op == "read" {
		for i := range 16 {
			fmt.Fprintf(&body, "\txor.b32 %%r0, %%r0, %%r%d;\n", i+1)
		}
	}
	return strings.NewReplacer("KERNEL", op, "INIT", init.String(), "BODY", body.String()).Replace(streamKernel)
}

// simulate returns the cycles of the launch.
func (s *Stream) simulate(gpu string) (float64, error) {
	m, module, err := assemble(gpu, s.Op+".ptx", streamPTX(s.Op))
	if err != nil {
		return 0, err
	}
	out := m.Memory().Alloc("out", 64)
	buf := m.Memory().Alloc("buf", s.Bytes+(8<<20))
	launch := func(reps int) error {
		return m.Launch(&host.Launch{Module: module, Kernel: s.Op, Grid: [3]int{s.CTAs, 1, 1},
			Block: [3]int{1024, 1, 1},
			Args:  []host.Arg{host.U64(out), host.U64(buf), host.U32(uint32(s.Bytes / 16)), host.U32(uint32(reps))}})
	}
	if s.Warm {
		if err := launch(1); err != nil {
			return 0, err
		}
	}
	if err := launch(s.Reps); err != nil {
		return 0, err
	}
	list := m.Results()
	return float64(list[len(list)-1].Cycles), nil
}

// assemble builds a GPU, and reads the PTX of a kernel.
func assemble(gpu, file, text string) (*gpus.Machine, *ir.Module, error) {
	module, err := ptx.Parse(file, []byte(text))
	if err != nil {
		return nil, nil, err
	}
	cfg, err := config.Load(config.Request{GPU: gpu})
	if err != nil {
		return nil, nil, err
	}
	m, err := gpus.New(cfg, gpus.Options{})
	return m, module, err
}
