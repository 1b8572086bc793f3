package switching

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/components/stats"
	"kumiko/components/storage"
	"kumiko/components/wire"
	"kumiko/regfile"
)

func TestASwitcherSaysWhatItWaitsFor(t *testing.T) {
	for want, set := range map[string]func(x *Switcher){
		"": func(x *Switcher) { x.monitor.resident, x.monitor.active = 2, 2 },
		"2 of 3 resident CTAs without slots, 1 of these could issue; " +
			"1 of those with slots wait for memory": func(x *Switcher) {
			x.monitor.resident, x.monitor.active, x.monitor.stalled = 3, 1, 1
			x.monitor.able.Add(2)
		},
		"CTA slot 3 is to give up its slots: 1 of 2 schedulers have answered": func(x *Switcher) {
			f := x.take(3, none, false, 0)
			f.step, f.descheduled = descheduling, 1
		},
		"CTA slot 3 stalls: the register file is to say whether there is room for its registers": func(x *Switcher) {
			x.take(3, none, true, 0).step = asking
		},
		"registers on their way to the register file, or from there": func(x *Switcher) {
			f := x.take(3, 1, false, 0)
			f.step, f.wait = leaving, true
		},
		"2 contexts on their way from shared memory": func(x *Switcher) {
			f := x.take(3, 1, false, 0)
			f.step, f.wait, x.loads[1] = leaving, true, 2
		},
		"1 contexts on their way from shared memory": func(x *Switcher) {
			x.take(3, 1, false, 0).step, x.loads[1] = entering, 1
		},
		"a CTA waits for slots": func(x *Switcher) { x.take(none, 1, false, 0).step = allocating },
	} {
		x := newMoverBench(Spec{Switching: "moving"}, true).x
		set(x)
		if got := x.Waiting(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	x := newBench(Spec{Observe: true}).x
	x.monitor.resident = 1
	if got := x.Waiting(); got != "" {
		t.Errorf("%q of a switcher that only watches, want nothing", got)
	}
}

// Moves are counted where the register file moves registers, switches where CTAs are
// switched.
func TestTheStatisticsOfASwitcherFollowItsSettings(t *testing.T) {
	watches := []string{"switch.active_ctas", "switch.first_stall_cycles", "switch.first_stalls",
		"switch.resident_ctas"}
	switches := []string{"switch.active_ctas", "switch.blocked_slots", "switch.first_stall_cycles",
		"switch.first_stalls", "switch.in.new", "switch.in.parked", "switch.resident_ctas",
		"switch.stayed.nothing_ready", "switch.stayed.slots", "switch.stayed.under_way", "switch.swap_cycles",
		"switch.switches"}
	moves := []string{"switch.active_ctas", "switch.blocked_registers", "switch.blocked_slots",
		"switch.first_stall_cycles", "switch.first_stalls", "switch.in.moved", "switch.in.new",
		"switch.in.parked", "switch.moved_out", "switch.resident_ctas", "switch.revoked",
		"switch.stayed.no_room", "switch.stayed.nothing_ready", "switch.stayed.slots",
		"switch.stayed.under_way", "switch.swap_cycles", "switch.switches"}
	for _, k := range []struct {
		spec  Spec
		moves bool
		want  []string
	}{{Spec{Observe: true}, false, watches}, {Spec{Switching: VirtualThread}, false, switches},
		{Spec{Switching: "moving"}, true, moves}} {
		reg := &stats.Registry{}
		New("X", wire.NewDomain("core", 1e9), k.spec, SM{CTAs: 4, Schedulers: 2, Moves: k.moves}, reg)
		var got []string
		for _, s := range reg.Stats() {
			got = append(got, s.Name)
		}
		if d := cmp.Diff(k.want, got); d != "" {
			t.Errorf("%+v (-want +got):\n%s", k.spec, d)
		}
	}
}

// In a cycle every CTA can finish, one can start, and an order can be refused: of four CTAs
// six events, and they wait for a cycle at most.
func TestResidencyNeverWaitsToReportAnEvent(t *testing.T) {
	if n := newBench(Spec{Switching: VirtualThread}).x.Events.Capacity(); n != 2*6 {
		t.Errorf("room for %d events, want those of two cycles, 12", n)
	}
}

// Of four CTAs: a number has two bits, the number of a CTA or none has three; 1 to 32 warps have six. A switch has
// a step of four values and five flags.
func TestTheStorageOfASwitcherIsThatOfItsTables(t *testing.T) {
	sm := SM{CTAs: 4, Schedulers: 2, Slots: 16}
	row := func(what string, entries, width int) regfile.State {
		return regfile.State{Block: "Switcher", What: what, Count: 1, Bits: entries * width, Ports: "1rw",
			Kind: storage.FlipFlop, Width: width}
	}
	x := New("X", wire.NewDomain("core", 1e9), Spec{Switching: VirtualThread, ContextBytes: 128}, sm, nil)
	want := []regfile.State{
		row("status monitor", 4, 4),
		row("waiting warps", 4, 3*6+4),
		row("warps by scheduler", 4*2, 6),
		row("orders of launch and stall", 4, 2*2),
		row("owners of slots", 16, 3),
		row("switches under way", 4, 2*3+3+5),
		{Block: "Switcher", What: "contexts in shared memory", Count: 1, Bits: 4 * 32 * 128 * 8, Ports: "1rw",
			Apart: true},
	}
	if d := cmp.Diff(want, x.State()); d != "" {
		t.Errorf("storage (-want +got):\n%s", d)
	}
	if s := New("Y", wire.NewDomain("core", 1e9), Spec{Observe: true}, sm, nil).State(); s != nil {
		t.Errorf("a switcher that only watches stores %v, want nothing", s)
	}
}
