package occupancy

import (
	"testing"

	"kumiko/components/spec/spectest"
)

func TestUnitsOfAllocationHaveBounds(t *testing.T) {
	x := spectest.Of(t, func() Spec { return maxwell }, (*Spec).Reconcile)
	x.Taken(func(s *Spec) { s.Rule = RuleGPGPUSim })
	x.Refused("rule", func(s *Spec) { s.Rule = "amd" })
}

// A CTA of 256 threads has 8 warps of 37 x 32 = 1184 registers, rounded up to 1280.
func TestTheVendorsRuleChargesEachWarpInWholeUnits(t *testing.T) {
	if n := maxwell.CTARegisters(256, 37); n != 8*1280 {
		t.Errorf("%d registers of a CTA, want %d", n, 8*1280)
	}
	if n := maxwell.WarpRegisters(37); n != 1280/32 {
		t.Errorf("%d warp registers, want %d", n, 1280/32)
	}
	// 37 registers are charged as 40 by GPGPU-Sim's rule.
	if n := gpgpusim.WarpRegisters(37); n != 40 {
		t.Errorf("%d warp registers by GPGPU-Sim's rule, want 40", n)
	}
}

// 8 contexts hold two CTAs of three warps, though there are threads for more.
func TestWarpContextsBoundTheCTAs(t *testing.T) {
	sm := maxwellSM
	sm.Warps = 8
	r, err := gpgpusim.Of(sm, CTA{Threads: 96, Registers: 8})
	if err != nil || r.CTAs != 2 || r.Limit != ByWarps {
		t.Errorf("%+v, %v, want 2 by warps", r, err)
	}
}

func TestACTAMayHaveOneThreadAndAllTheSharedMemoryThatACTAMayHave(t *testing.T) {
	r, err := gpgpusim.Of(maxwellSM, CTA{Threads: 1, Registers: 8, SharedBytes: maxwellSM.CTAShared})
	if err != nil || r.CTAs != 2 || r.Limit != ByShared {
		t.Errorf("%+v, %v, want 2 by shared memory: 98304 bytes are 2 x 49152", r, err)
	}
}

func TestAPoolOfNoBytesBoundsNothing(t *testing.T) {
	sm := maxwellSM
	want, err := gpgpusim.Of(sm, CTA{Threads: 256, Registers: 32})
	if err != nil {
		t.Fatal(err)
	}
	sm.Pool = Pool{Registers: true, Shared: true}
	if r, err := gpgpusim.Of(sm, CTA{Threads: 256, Registers: 32}); err != nil || r != want {
		t.Errorf("%+v, %v; want %+v as without the pool", r, err, want)
	}
}

// 255 registers of 1024 threads do not fit, but the other resources do not depend on this;
// 256 are impossible for a thread.
func TestOtherResourcesDisregardRegistersThatAThreadMayHave(t *testing.T) {
	r, err := gpgpusim.Others(maxwellSM, CTA{Threads: 1024, Registers: 255})
	if err != nil || r.CTAs != 2 || r.Limit != ByThreads {
		t.Errorf("%+v, %v, want 2 by threads", r, err)
	}
	if r, err := gpgpusim.Others(maxwellSM, CTA{Threads: 1024, Registers: 256}); err == nil {
		t.Errorf("256 registers per thread: %+v, want an error", r)
	}
}
