package compressed

import (
	"testing"

	"kumiko/components/bank"
	"kumiko/components/wire"
	"kumiko/components/wire/wiretest"
	"kumiko/kernel/ir"
	"kumiko/kernel/stream"
	"kumiko/regfile"
)

func TestAResultOfAllLanesComesToTheBanksTheTimeOfCompressionLater(t *testing.T) {
	for _, c := range []int{1, 2, 9} {
		r := newRig(t, func(s *Spec) { s.Compression = c })
		r.ArriveOfClass(20, 0, 3, all, stream.Byte)
		r.Run()
		wiretest.Same(t, "writes", []written{{20 + wire.Cycle(c), 3, 3, bank.Result}}, r.writes())
	}
}

func TestACompressorBeginsOneResultInACycle(t *testing.T) {
	for n, want := range map[int][]wire.Cycle{1: {22, 23, 24}, 2: {22, 22, 23}, 3: {22, 22, 22}} {
		r := newRig(t, func(s *Spec) { s.Compressors = n })
		for reg := range ir.RegID(3) {
			r.ArriveOfClass(20, 0, reg, all, stream.Equal)
		}
		r.Run()
		var got []wire.Cycle
		for _, w := range r.writes() {
			got = append(got, w.At)
		}
		wiretest.Same(t, "writes", want, got)
	}
}

func TestAResultTakesTheBanksOfItsForm(t *testing.T) {
	r := newRig(t, func(s *Spec) { s.Compressors = 4 })
	for v := range stream.Value(4) {
		r.ArriveOfClass(20, 0, ir.RegID(v), all, v)
	}
	r.Run()
	wiretest.Same(t, "writes", []written{{22, 0, 1, bank.Result}, {22, 1, 3, bank.Result}, {22, 2, 5, bank.Result},
		{22, 3, 8, bank.Result}}, r.writes())
	r.WantStats(map[string]uint64{"writes.equal": 1, "writes.byte": 1, "writes.half": 1, "writes.full": 1,
		"plain_group_writes": 32})
}

func TestAResultOfSomeLanesPassesToAFullRegister(t *testing.T) {
	r := newRig(t, nil)
	r.ArriveOfClass(20, 0, 3, 0xff, stream.Equal)
	r.Run()
	wiretest.Same(t, "writes", []written{{21, 3, 2, bank.Result}}, r.writes())
	r.WantStats(map[string]uint64{"writes.partial": 1, "moves": 0, "plain_group_writes": 2})
}

// The register, of three banks, is asked for at 31. Its value is there at 40, decompressed at 41, and written in full
// at 42 before the result.
func TestACompressedRegisterIsWrittenInFullBeforeAResultOfSomeLanes(t *testing.T) {
	r := newRig(t, nil)
	r.ArriveOfClass(20, 0, 3, all, stream.Byte)
	r.ArriveOfClass(30, 0, 3, 0xff, stream.Equal)
	r.bring(40, 1, toCompressors|uint8(byByte)<<formShift)
	r.Run()
	wiretest.Same(t, "reads", []asked{{31, []ir.RegID{3}, 3, byByte}}, r.asks())
	wiretest.Same(
		t,
		"writes",
		[]written{{22, 3, 3, bank.Result}, {42, 3, 8, bank.Expansion}, {42, 3, 2, bank.Result}},
		r.writes(),
	)
	if g := r.Read.Got[0].Msg; g.Slot[0]&toCompressors == 0 || g.Cause != bank.Expansion {
		t.Errorf("the read %+v does not come back to the compressors", g)
	}
	r.WantStats(map[string]uint64{"moves": 1, "writes.partial": 1})
	if f := r.c.forms[r.c.entryIndex(0, 3)]; f != full {
		t.Errorf("the register has form %s, want full", f)
	}
}

func TestResultsOfOneRegisterStayInOrderAndOthersPass(t *testing.T) {
	r := newRig(t, func(s *Spec) { s.Compression = 9 })
	r.ArriveOfClass(20, 0, 3, all, stream.Byte)
	r.ArriveOfClass(21, 0, 3, 1, stream.Byte)
	r.ArriveOfClass(21, 0, 4, 1, stream.Byte)
	r.bring(40, 1, toCompressors|uint8(byByte)<<formShift)
	r.Run()
	wiretest.Same(t, "writes", []written{{22, 4, 1, bank.Result}, {29, 3, 3, bank.Result}, {42, 3, 8, bank.Expansion},
		{42, 3, 1, bank.Result}}, r.writes())
}

func TestAReadWaitsForTheResultOfItsRegisterAndOthersPass(t *testing.T) {
	r := newRig(t, func(s *Spec) { s.Compression = 9 })
	r.ArriveOfClass(20, 0, 3, all, stream.Byte)
	r.Ask(20, 0, all, 4, 3)
	r.Ask(21, 0, all, 4)
	r.Ask(21, 1, all, 3)
	r.Run()
	wiretest.Same(
		t,
		"reads",
		[]asked{{22, []ir.RegID{4}, 8, full}, {22, []ir.RegID{3}, 8, full}, {29, []ir.RegID{4}, 8, full},
			{29, []ir.RegID{3}, 3, byByte}},
		r.asks(),
	)
	r.WantStats(map[string]uint64{"read_waits": 8})
}

func TestARequestIsDividedByTheFormsOfItsRegisters(t *testing.T) {
	r := newRig(t, func(s *Spec) { s.Compressors = 4 })
	for _, reg := range []ir.RegID{2, 5} {
		r.ArriveOfClass(20, 1, reg, all, stream.Half)
	}
	r.Ask(30, 1, 0xff, 5, 1, 2)
	r.Run()
	wiretest.Same(t, "reads", []asked{{31, []ir.RegID{1}, 2, full}, {31, []ir.RegID{5, 2}, 5, byHalf}}, r.asks())
	slots := []uint8{r.Read.Got[0].Msg.Slot[0], r.Read.Got[1].Msg.Slot[0], r.Read.Got[1].Msg.Slot[1]}
	wiretest.Same(t, "sources", []uint8{1, 0 | uint8(byHalf)<<formShift, 2 | uint8(byHalf)<<formShift}, slots)
	r.WantStats(map[string]uint64{"reads.half": 2, "reads.full": 1, "plain_group_reads": 6})
}

func TestAWarpThatBeginsHasNoCompressedRegister(t *testing.T) {
	r := newRig(t, nil)
	r.ArriveOfClass(20, 2, 3, all, stream.Equal)
	r.Notice.Send(29, regfile.WarpNotice{Event: regfile.WarpStarted, Warp: 2})
	r.ArriveOfClass(40, 2, 3, 1, stream.Equal)
	r.Run()
	wiretest.Same(t, "writes", []written{{22, 3, 1, bank.Result}, {41, 3, 1, bank.Result}}, r.writes())
	if len(r.asks()) > 0 {
		t.Errorf("a register of the warp before is read: %+v", r.asks())
	}
}

// Registers 0 and 4 are in bank 0, register 1 in bank 1. Sent in 21, 31 and 41, they take 1, 3 and 8 parts, and so 1, 3
// and 11 16-byte banks, until the warp ends in 61.
func TestBanksAreCountedWhileTheyHoldARegister(t *testing.T) {
	r := newRig(t, nil)
	r.ArriveOfClass(20, 0, 0, all, stream.Equal)
	r.ArriveOfClass(30, 0, 4, all, stream.Byte)
	r.ArriveOfClass(40, 0, 1, all, stream.Unlike)
	r.Notice.Send(60, regfile.WarpNotice{Event: regfile.WarpFinished, Warp: 0})
	r.Run()
	r.WantStats(map[string]uint64{"bank_cycles": 10*1 + 10*3 + 20*11, "part_cycles": 10*1 + 10*4 + 20*12})
}

func TestAResultOfAFinishedWarpHoldsNoBank(t *testing.T) {
	r := newRig(t, nil)
	r.Notice.Send(19, regfile.WarpNotice{Event: regfile.WarpFinished, Warp: 0})
	r.ArriveOfClass(20, 0, 0, all, stream.Equal)
	r.Notice.Send(39, regfile.WarpNotice{Event: regfile.WarpStarted, Warp: 0})
	r.ArriveOfClass(40, 0, 1, all, stream.Equal)
	r.Notice.Send(60, regfile.WarpNotice{Event: regfile.WarpFinished, Warp: 0})
	r.Run()
	wiretest.Same(t, "writes", []written{{22, 0, 1, bank.Result}, {42, 1, 1, bank.Result}}, r.writes())
	r.WantStats(map[string]uint64{"bank_cycles": 20, "part_cycles": 20})
}

func TestAFormThatDoesNotFitTheValueIsReported(t *testing.T) {
	r := newRig(t, nil)
	r.ArriveOfClass(20, 0, 3, all, stream.Half)
	r.Ask(30, 0, all, 3)
	r.Domain.RunUntil(25)
	if n := r.Checker.Total(); n != 0 {
		t.Fatalf("%d violations before the fault", n)
	}
	r.c.forms[r.c.entryIndex(0, 3)] = byByte
	r.Run()
	v := r.Checker.Violations()
	if len(v) != 1 {
		t.Fatalf("violations %v, want one", v)
	}
	want := "SM[0].RegFile.SubCore[0].Compressors: cycle 30: warp 0: R3: stored as byte, want half"
	if got := v[0].String(); got != want {
		t.Errorf("found %q, want %q", got, want)
	}
}
