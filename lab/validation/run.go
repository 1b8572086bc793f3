package validation

import (
	"fmt"
	"slices"

	"kumiko/gpus"
	"kumiko/gpus/config"
	"kumiko/gpus/result"
	"kumiko/kernel/host"
	"kumiko/kernel/ptx"
	"kumiko/sm/occupancy"
)

// Plain are settings with which the compiler leaves PTX as written, since GPGPU-Sim executes PTX as written. No
// pass runs, and every value has a register of its own as long as there are enough registers.
var Plain = []string{
	`compiler.off=["thread", "fold", "dead", "fuse", "divide", "float-divide", "wide", "if-convert", "merge", "schedule", "coalesce"]`,
	`compiler.bank_policy="apart"`,
}

// virtual is the ratio of the registers available to a program to its footprint in GPGPU-Sim. GPGPU-Sim's registers
// are virtual, and only the footprint limits residency. The registers of SMs are multiplied by virtual too, so that
// the footprint gives the same residency.
const virtual = 4

// Measured is an entry with Kumiko's figures.
type Measured struct {
	Entry
	Ours result.Kernel
	Fit  int // CTAs of the launch on one SM
}

// IPC returns the reference's thread instructions divided by the reference's cycles.
func (m *Measured) IPC() float64 { return float64(m.ThreadInsn) / float64(m.Cycles) }

// OurIPC returns the reference's thread instructions divided by Kumiko's cycles.
func (m *Measured) OurIPC() float64 { return float64(m.ThreadInsn) / float64(m.Ours.Cycles) }

// Error returns the relative difference of OurIPC from IPC: 0.1 is 10 % faster. The thread instructions cancel.
func (m *Measured) Error() float64 { return float64(m.Cycles)/float64(m.Ours.Cycles) - 1 }

// Run simulates an entry's launch on its compatibility GPU with further settings. Buffers copied in by the host are
// first brought into the L2, as far as they fit: in GPGPU-Sim, host copies go through the L2.
func Run(e *Entry, set ...string) (*Measured, error) {
	return run(e, true, set)
}

func run(e *Entry, warm bool, set []string) (*Measured, error) {
	fail := func(err error) (*Measured, error) { return nil, fmt.Errorf("%s on %s: %w", e.Label(), e.Config, err) }
	w, err := workOf(e)
	if err != nil {
		return fail(err)
	}
	c, err := configure(e, set)
	if err != nil {
		return fail(err)
	}
	g, err := gpus.New(c, gpus.Options{})
	if err != nil {
		return fail(err)
	}
	m, err := module(w.file)
	if err != nil {
		return fail(err)
	}
	d := &host.Device{Mem: g.Memory(), Runner: g}
	args, copies := w.prepare(d)
	if warm {
		for _, b := range copies {
			if err := touch(d, b); err != nil {
				return fail(err)
			}
		}
	}
	if err := d.Launch(&host.Launch{Module: m, Kernel: w.kernel, Grid: e.Grid, Block: e.Block,
		Registers: virtual * w.registers, Args: args}); err != nil {
		return fail(err)
	}
	list := g.Results()
	ours := list[len(list)-1]
	fit, err := c.Occupancy.Of(c.Capacity(), occupancy.CTA{Threads: ours.Block[0] * ours.Block[1] * ours.Block[2],
		Registers: ours.RegistersPerThread, SharedBytes: ours.SharedBytes})
	if err != nil {
		return fail(err)
	}
	out := &Measured{Entry: *e, Ours: ours, Fit: fit.CTAs}
	if out.ThreadInsn == 0 { // sensitivity.json has none; the ratio of the IPCs does not depend on it
		out.ThreadInsn = ours.ThreadInstructions
	}
	return out, nil
}

// configure returns the compatibility GPU of an entry with further settings.
func configure(e *Entry, set []string) (*config.Config, error) {
	load := func(set ...string) (*config.Config, error) {
		return config.Load(config.Request{GPU: gpuOf(e.Config), Set: set})
	}
	c, err := load()
	if err != nil {
		return nil, err
	}
	plain := append(slices.Clone(Plain), fmt.Sprintf("sm.registers=%d", virtual*c.SM.Registers),
		"sm.max_registers_per_thread=255")
	return load(append(plain, set...)...)
}

// touchText reads a word of each 32-byte sector of a buffer, past the L1.
const touchText = `.version 6.3
.target sm_52
.address_size 64
.visible .entry touch(.param .u64 p, .param .u32 sectors)
{
	.reg .b32 %r<8>; .reg .b64 %rd<4>; .reg .pred %p<2>;
	mov.u32 %r1, %ctaid.x;
	mov.u32 %r2, %tid.x;
	shl.b32 %r1, %r1, 8;
	add.s32 %r1, %r1, %r2;
	ld.param.u32 %r3, [sectors];
	setp.ge.u32 %p1, %r1, %r3;
	@%p1 bra end;
	ld.param.u64 %rd1, [p];
	mul.wide.u32 %rd2, %r1, 32;
	add.s64 %rd1, %rd1, %rd2;
	ld.global.cg.u32 %r4, [%rd1];
end:
	ret;
}`

// touch brings a buffer into the L2.
func touch(d *host.Device, b buffer) error {
	m, err := ptx.Parse("touch.ptx", []byte(touchText))
	if err != nil {
		return err
	}
	sectors := (b.size + 31) / 32
	return d.Launch(&host.Launch{Module: m, Kernel: "touch", Grid: [3]int{(sectors + 255) / 256, 1, 1},
		Block: [3]int{256, 1, 1}, Registers: virtual * 16,
		Args: []host.Arg{host.U64(b.addr), host.U32(uint32(sectors))}})
}
