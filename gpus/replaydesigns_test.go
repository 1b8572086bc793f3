package gpus_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/gpus"
	"kumiko/gpus/config"
	"kumiko/gpus/machinetest"
	"kumiko/gpus/result"
	"kumiko/kernel/host"
	"kumiko/kernel/ir"
	"kumiko/kernel/sass"
	"kumiko/kernel/stream"
)

// turns is a kernel whose lanes leave a loop one after another, with values that are read at once, late and never.
var turns = machinetest.Text(".shared .b32 s[256];", `
	mov.u32 %r2, 1; mov.u32 %r3, 3; mov.u32 %r4, 0; mov.u32 %r9, s;
	and.b32 %r5, %r1, 7; shl.b32 %r8, %r1, 2; add.u32 %r9, %r9, %r8;
	cvt.rn.f32.u32 %f1, %r1; mov.f32 %f2, %f1;
	cvt.u64.u32 %rd2, %r8; add.u64 %rd3, %rd1, %rd2;
AGAIN:
	ld.global.u32 %r6, [%rd3]; mad.lo.u32 %r2, %r6, %r3, %r2; xor.b32 %r10, %r2, %r8;
	fma.rn.f32 %f2, %f2, %f1, %f1; add.u32 %r3, %r3, %r10;
	and.b32 %r7, %r4, 1; setp.eq.u32 %p2, %r7, 0;
	@%p2 bra EVEN;
	add.u32 %r2, %r2, %r1; sub.u32 %r3, %r3, %r5;
EVEN:
	add.u32 %r4, %r4, 1; setp.lt.u32 %p1, %r4, %r5;
	@%p1 bra AGAIN;
	st.shared.u32 [%r9], %r2; bar.sync 0; ld.shared.u32 %r11, [%r9];
	cvt.rzi.u32.f32 %r12, %f2; add.u32 %r11, %r11, %r12; add.u32 %r11, %r11, %r3;
	st.global.u32 [%rd3], %r11;
`)

func TestARecordingReplaysInEveryDesignWithTheStatisticsOfItsRun(t *testing.T) {
	replayed, designs := 0, machinetest.Part(4, config.DesignNames())
	for _, design := range designs {
		cfg, want, dir := onAGPU(t, design)
		if cfg == nil {
			continue
		}
		if cfg.RegFile.Values() {
			continue // a replay has no values, and is refused by name
		}
		m := machinetest.Of(t, cfg, gpus.Options{Check: true})
		if d := cmp.Diff(want, replay(t, m, dir)); d != "" {
			t.Errorf("%s on %s (-executed +read back):\n%s", design, cfg.Name, d)
		}
		replayed++
	}
	if n := len(designs); replayed < n-2 { // scalar and compressed have values
		t.Errorf("%d of %d designs were replayed", replayed, n)
	}
}

// onAGPU records the kernel in a design on two SMs of the first GPU that fits, and returns the results and the folder
// of the traces.
func onAGPU(t *testing.T, design string) (*config.Config, []result.Kernel, string) {
	t.Helper()
	var faults []error
	for _, gpu := range append([]string{"gtx980"}, config.Names()...) {
		c, err := config.Load(config.Request{GPU: gpu, Design: design, Set: []string{"sm.count=2"}})
		if err == nil {
			dir := t.TempDir()
			var results []result.Kernel
			if results, err = recordTurns(t, c, dir); err == nil {
				return c, results, dir
			}
		}
		faults = append(faults, err)
	}
	t.Errorf("%s fits no GPU: %v", design, errors.Join(faults...))
	return nil, nil, ""
}

// recordTurns records the kernel in a folder, with few registers and with so many that they bound residency.
func recordTurns(t *testing.T, cfg *config.Config, dir string) ([]result.Kernel, error) {
	t.Helper()
	rec, err := sass.NewRecorder(dir)
	if err != nil {
		t.Fatal(err)
	}
	m, err := gpus.New(cfg, gpus.Options{Check: true, Record: func(k *ir.Kernel, grid, block [3]int, shared int,
		src stream.OpenSource) (stream.OpenSource, error) {
		return rec.Record(k, grid, block, shared, src)
	}})
	if err != nil {
		return nil, err
	}
	buf, module := m.Memory().Alloc("p", 4096), machinetest.Module(t, turns)
	for _, registers := range []int{0, 60} {
		if err := m.Launch(&host.Launch{Module: module, Kernel: "k", Grid: [3]int{10, 1, 1}, Block: [3]int{256, 1, 1},
			Registers: registers, Args: []host.Arg{host.U64(buf)}}); err != nil {
			return nil, err
		}
	}
	return m.Results(), rec.Close()
}
