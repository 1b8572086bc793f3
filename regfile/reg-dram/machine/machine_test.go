package machine_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/gpus"
	"kumiko/gpus/machinetest"
	"kumiko/gpus/result"
)

// regDRAM are settings with registers moved to memory at test size.
var regDRAM = []string{"cta.switching=reg-dram", "regfile.kind=reg-dram", "regfile.reg-dram.offchip_ctas=6",
	"sm.count=1", "sm.registers=8192"}

// Every application ends with the right operands and with the instructions of the conventional machine. Everything
// read from memory was written there before.
func TestMovingRegistersToMemoryLosesNothing(t *testing.T) {
	moved := uint64(0)
	for _, name := range machinetest.SwitchedSuite {
		s := machinetest.SameWork(t, name, []string{"sm.registers=8192"}, regDRAM).Stats
		out, in := s["regfile.reg-dram.registers_out"], s["regfile.reg-dram.registers_in"]
		moved += in
		if out < in || s["regfile.bank.reads.switch"] != out || s["regfile.bank.writes.switch"] != in {
			t.Errorf("%s: %d registers went and %d came; %d reads and %d writes of the banks", name, out, in,
				s["regfile.bank.reads.switch"], s["regfile.bank.writes.switch"])
		}
	}
	if moved < 2000 {
		t.Errorf("%d registers came from memory over the suite: too few to show anything", moved)
	}
}

func TestWithoutCTAsOffTheChipRegDRAMIsVirtualThread(t *testing.T) {
	switches := uint64(0)
	for _, name := range machinetest.SwitchedSuite {
		want := machinetest.OneSM(t, "gtx980", name, gpus.Options{}, machinetest.Switched...)
		got := machinetest.OneSM(t, "gtx980", name, gpus.Options{}, "sm.warps=16", "cta.switching=reg-dram",
			"regfile.kind=reg-dram",
			"regfile.reg-dram.offchip_ctas=0")
		switches += result.Sum(want).Stats["switch.switches"]
		machinetest.WithoutMoves(t, got, "reg-dram")
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s (-virtual thread +reg-dram):\n%.3000s", name, d)
		}
	}
	if switches < 100 {
		t.Errorf("%d switches over the suite: too few to show anything", switches)
	}
}

// transpose has nine CTAs of eight warps with 16 registers each. Two of the CTAs have their registers in the file.
// On the interconnect a register is a line and a header of 8 bytes, and a read request a header. Late results have
// the bytes of their lanes.
func TestRegDRAMMovesEveryRegisterOfACTAOnceEachWay(t *testing.T) {
	for _, l2 := range []string{"around", "through"} {
		s := result.Sum(machinetest.OneSM(t, "gtx980", "transpose", gpus.Options{Check: true},
			append(regDRAM, "regfile.reg-dram.l2="+l2, "compiler.schedule=pressure")...)).Stats
		out, in := s["switch.moved_out"]*8*16, s["switch.in.moved"]*8*16
		if out == 0 || in == 0 || s["regfile.reg-dram.registers_out"] != out ||
			s["regfile.reg-dram.registers_in"] != in {
			t.Fatalf("%s: %d registers went and %d came, want %d and %d, and some", l2,
				s["regfile.reg-dram.registers_out"], s["regfile.reg-dram.registers_in"], out, in)
		}
		late := s["regfile.reg-dram.late_results"]
		if got, want := s["mem.noc.request.bytes.context"], 136*out+8*in+8*late+
			s["regfile.reg-dram.late_bytes"]; got != want {
			t.Errorf("%s: %d bytes sent, want %d", l2, got, want)
		}
		if got := s["mem.noc.reply.bytes.context"]; got != 136*in {
			t.Errorf("%s: %d bytes came, want %d", l2, got, 136*in)
		}
		if hits := s["mem.l2.hits.context"]; (hits != 0) != (l2 == "through") {
			t.Errorf("%s: %d registers found in the L2", l2, hits)
		}
	}
}

func TestMovingRegistersGivesTheSameResultInAnyOrderOfTicksAndWithAnyNumberOfWorkers(t *testing.T) {
	if s := machinetest.SwitchedInAnyOrder(t, []string{"hotspot", "gemm", "transpose"},
		regDRAM...); s["switch.in.moved"] == 0 {
		t.Error("no registers were moved: nothing is shown")
	}
}
