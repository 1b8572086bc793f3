package machine_test

import (
	"strings"
	"testing"

	"kumiko/gpus"
	"kumiko/gpus/config"
	"kumiko/gpus/machinetest"
	"kumiko/kernel/host"
	"kumiko/kernel/ptx"
)

// kernelText has a load of four registers by an address of two.
const kernelText = `.version 6.3
.target sm_52
.address_size 64
.visible .entry k(.param .u64 p)
{
	.reg .b32 %r<8>; .reg .b64 %rd<8>;
	ld.param.u64 %rd1, [p];
	mov.u32 %r1, %tid.x;
	mul.wide.u32 %rd2, %r1, 16;
	add.u64 %rd3, %rd1, %rd2;
	ld.global.v4.u32 {%r2, %r3, %r4, %r5}, [%rd3];
	add.u32 %r2, %r2, %r3;
	add.u32 %r4, %r4, %r5;
	st.global.v4.u32 [%rd3], {%r4, %r3, %r2, %r5};
	ret;
}`

func TestWhatCannotBeIsRefusedByName(t *testing.T) {
	for _, c := range []struct {
		set  []string
		want string
	}{
		{[]string{"regfile.ltrf.banks=8"}, "regfile.ltrf.banks: found 8, expected the 16 registers of an interval"},
		{[]string{"sched.policy=lrr"}, "sched.policy: found one level of scheduling, expected two-level"},
		{[]string{"sched.active=6"}, "active"},
		{[]string{"regfile.ltrf.interval_write_back=live"}, "regfile.ltrf.interval_write_back"},
		{[]string{"regfile.ltrf.regions=loops"}, "intervals or strands"},
		{[]string{"regfile.ltrf.encoding=none"}, "bit or instruction"},
		{[]string{"regfile.ltrf.liveness=some"}, "none, dynamic or vector"},
		{[]string{"regfile.ltrf.pending=drop"}, "slot or wait"},
		{[]string{"regfile.ltrf.fill_grants=0"}, "regfile.ltrf.fill_grants"},
		{[]string{"regfile.ltrf.lookups=9"}, "regfile.ltrf.lookups"},
		{[]string{"regfile.ltrf.back_cycles=0"}, "regfile.ltrf.back_cycles"},
		{[]string{"regfile.ltrf.back_buffers=17"}, "regfile.ltrf.back_buffers"},
		{[]string{"regfile.ltrf.interval=0", "regfile.ltrf.banks=0"}, "regfile.ltrf.interval"},
	} {
		cfg, err := config.Load(config.Request{GPU: "maxwell", Design: "ltrf", Set: c.set})
		if err == nil {
			_, err = gpus.New(cfg, gpus.Options{})
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v, want an error with %q", c.set, err, c.want)
		}
	}
}

func TestAnInstructionWithMoreRegistersThanAnIntervalIsNamedWithItsKernelAndLine(t *testing.T) {
	m := machinetest.New(t, config.Request{GPU: "maxwell", Design: "ltrf", Set: []string{"sm.count=1",
		"regfile.ltrf.interval=4", "regfile.ltrf.banks=4"}}, gpus.Options{})
	mod, err := ptx.Parse("wide.ptx", []byte(kernelText))
	if err != nil {
		t.Fatal(err)
	}
	err = m.Launch(&host.Launch{Module: mod, Kernel: "k", Grid: [3]int{1, 1, 1}, Block: [3]int{32, 1, 1},
		Args: []host.Arg{host.U64(m.Memory().Alloc("p", 4096))}})
	if err == nil || !strings.Contains(err.Error(), "kernel k") || !strings.Contains(err.Error(), "wide.ptx:11:") ||
		!strings.Contains(err.Error(), "expected at most the 4 of a region") {
		t.Errorf("error %v", err)
	}
}
