package gpus_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"kumiko/gpus"
	"kumiko/gpus/machinetest"
	"kumiko/gpus/stop"
)

func launchBody(t *testing.T, m *gpus.Machine, body string, threads int) error {
	t.Helper()
	return machinetest.Launch(t, m, machinetest.Text("", body), 1, threads, 0)
}

func TestAKernelThatWaitsForItselfStopsTheSimulation(t *testing.T) {
	m := machinetest.GPU(t, "gtx980", gpus.Options{}, "sm.count=1")
	err := launchBody(t, m, "WAIT: ld.volatile.global.u32 %r2, [%rd1]; setp.eq.u32 %p1, %r2, 0; @%p1 bra WAIT;", 32)
	var stop *stop.Error
	if !errors.As(err, &stop) || stop.Check || !strings.Contains(stop.Reason, "warp 0 spins (test.ptx:") {
		t.Errorf("error %v, want a StopError that names the line", err)
	}
	if r := m.Results(); len(r) != 1 || r[0].Complete {
		t.Errorf("results %+v, want one, incomplete", r)
	}
}

// Pairs of warps meet at barriers with number and count in registers, unknown to the compiler. Two barriers
// complete. A single barrier for all four warps would complete once.
func TestWarpsMeetAtTheBarrierThatARegisterNames(t *testing.T) {
	m := machinetest.GPU(t, "gtx980", gpus.Options{}, "sm.count=1")
	err := launchBody(t, m, `shr.u32 %r3, %r1, 6; add.u32 %r3, %r3, 1; mov.u32 %r4, %ntid.x; shr.u32 %r4, %r4, 1;
	bar.sync %r3, %r4;`, 128)
	if err != nil {
		t.Fatal(err)
	}
	if n := m.Results()[0].Stats["sm.barrier.releases"]; n != 2 {
		t.Errorf("%d barriers completed, want 2", n)
	}
}

// The functional execution of a CTA comes before its first cycle.
func TestAKernelIsInterruptedBeforeItsFirstCycle(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	m := machinetest.GPU(t, "gtx980", gpus.Options{Context: ctx}, "sm.count=1")
	time.AfterFunc(10*time.Millisecond, cancel)
	if err := launchBody(t, m, "LOOP: add.u32 %r2, %r2, 1; setp.ne.u32 %p1, %r2, 0; @%p1 bra LOOP;",
		1024); !errors.Is(err, stop.ErrInterrupted) {
		t.Errorf("error %v, want %v", err, stop.ErrInterrupted)
	}
	if r := m.Results(); len(r) != 1 || r[0].Complete {
		t.Errorf("results %+v, want one, incomplete", r)
	}
}
