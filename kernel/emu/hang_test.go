package emu

import (
	"errors"
	"testing"
	"time"

	"kumiko/kernel/mem"
)

const countForever = `
LOOP:
	add.u64 %rd3, %rd3, 1;
	bra LOOP;`

// countingSource begins a launch whose warps count without end.
func countingSource(t *testing.T, grid, block int, lim Limits) *Source {
	t.Helper()
	var m mem.Memory
	e := begin(t, Runner{Mem: &m, Limits: lim}, textLaunch(kernelText(t, 0, countForever), grid, block))
	s := NewSource(e, 1)
	t.Cleanup(s.Close)
	return s
}

func TestTheRecordOfALoopWithoutEndIsBounded(t *testing.T) {
	// Each iteration is a run of 12 bytes: 32 warps reach 4 MiB long before any
	// has executed 2^25 instructions, and no second CTA may begin past 1 MiB.
	s := countingSource(t, 50, 1024, Limits{TurnInsts: 1000, RecordBytes: 4 << 20})
	if s.Next() != nil {
		t.Fatal("a CTA that never ends was handed over")
	}
	var hang *HangError
	if err := s.Err(); !errors.As(err, &hang) {
		t.Fatalf("error %v, want a HangError", err)
	}
	wantError(t, s.Err(), "test.ptx:", "kernel k", "with 4 MiB of instructions recorded", "without end",
		"--max-record-bytes 4194304")
	// The turn that passes the first quarter admits the last CTA. A turn of 32 warps is 32 * 500 * 12 bytes, so
	// there are at most seven CTAs.
	if n := len(s.e.resident); n > 7 {
		t.Errorf("%d CTAs have begun, at most 7 expected", n)
	}
}

func TestALoopThatIsLongerThanTheLimitNamesTheLimit(t *testing.T) {
	s := countingSource(t, 1, 32, Limits{TurnInsts: 1000, WarpInsts: 5000})
	if s.Next() != nil {
		t.Fatal("a CTA that never ends was handed over")
	}
	var hang *HangError
	if err := s.Err(); !errors.As(err, &hang) {
		t.Fatalf("error %v, want a HangError", err)
	}
	wantError(t, s.Err(), "kernel k", "executed 5001 instructions of warp 0", "--max-warp-instructions 5000")
}

func TestASourceSaysInTimeThatNoCTAHasEnded(t *testing.T) {
	s := countingSource(t, 1, 32, Limits{TurnInsts: 1000})
	if c, ok := s.NextWithin(time.Millisecond); ok {
		t.Errorf("CTA %v of a kernel that never ends", c)
	}
	s.Interrupt()
	if c, ok := s.NextWithin(time.Minute); !ok || c != nil {
		t.Errorf("CTA %v, %v after an interrupt, want the end", c, ok)
	}
}

func TestWarpsThatWaitForNothingAreAHang(t *testing.T) {
	var m mem.Memory
	var hang *HangError
	for name, body := range map[string]string{
		"a barrier":     "setp.lt.u32 %p1, %r0, 32; @%p1 bra OUT; bar.sync 1, 128; OUT: ret;",
		"a flag":        "WAIT: ld.volatile.global.u32 %r1, [%rd0]; setp.eq.u32 %p1, %r1, 0; @%p1 bra WAIT; ret;",
		"the last turn": countForever,
	} {
		if err := runText(t, body, 1, 64, &m, m.Alloc("a", 8)); !errors.As(err, &hang) {
			t.Errorf("%s: error %v, want a HangError", name, err)
		}
	}
}

func TestAnInterruptedSourceEndsWithoutAnError(t *testing.T) {
	s := countingSource(t, 1, 1024, Limits{TurnInsts: 1000})
	time.AfterFunc(time.Millisecond, s.Interrupt)
	if s.Next() != nil || s.Err() != nil {
		t.Errorf("error %v, want no CTA and no error", s.Err())
	}
}

// Instructions not used by the consumer are not executed: neither the rest of a loop, nor the other warps'
// instructions behind the barrier where they wait for it.
func TestACTAIsExecutedAsFarAsTheConsumerLooks(t *testing.T) {
	var m mem.Memory
	e := begin(t, Runner{Mem: &m, Limits: Limits{CutInsts: 3000}}, textLaunch(kernelText(t, 0, `
	setp.lt.u32 %p1, %r0, 32; @%p1 bra LOOP; bar.sync 0; mov.u64 %rd3, 1; ld.global.u32 %r1, [%rd3]; ret;
LOOP:
	add.u64 %rd3, %rd3, 1; bra LOOP;`), 3, 64))
	for i, c := range collect(t, e) {
		if n := c.Warps[0].Insts; n < 3000 || n > 3010 {
			t.Errorf("CTA %d: %d instructions of the loop, expected about 3000", i, n)
		}
		if n := c.Warps[1].Insts; n != 4 {
			t.Errorf("CTA %d: %d instructions up to the barrier, expected 4", i, n)
		}
	}
}
