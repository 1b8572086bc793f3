package stats

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestCountersOfOneNameAreOneStatistic(t *testing.T) {
	var r Registry
	one, two, other := uint64(3), uint64(4), uint64(9)
	r.Count("bank.reads", Accesses, "reads", "Bank[0]", &one)
	r.Count("alu.ops", Instructions, "operations", "ALU", &other)
	r.Count("bank.reads", Accesses, "reads", "Bank[1]", &two)
	one++ // a counter is read when it is asked for
	if d := cmp.Diff(map[string]uint64{"bank.reads": 8, "alu.ops": 9}, r.Snapshot()); d != "" {
		t.Errorf("values (-want +got):\n%s", d)
	}
	var names []string
	for _, s := range r.Stats() {
		names = append(names, s.Name)
	}
	if d := cmp.Diff([]string{"alu.ops", "bank.reads"}, names); d != "" {
		t.Errorf("names (-want +got), sorted:\n%s", d)
	}
	parts := map[string]uint64{}
	list := r.Stats()
	list[1].Instances(func(instance string, v uint64) { parts[instance] = v })
	if d := cmp.Diff(map[string]uint64{"Bank[0]": 4, "Bank[1]": 4}, parts); d != "" {
		t.Errorf("instances (-want +got):\n%s", d)
	}
}

func TestABlockWithoutARegistryCountsForItself(t *testing.T) {
	var r *Registry
	var n uint64
	r.Count("n", Events, "", "", &n) // and does not fail
}

func TestOneNameHasOneUnitAndDescription(t *testing.T) {
	for _, c := range []struct{ unit, description string }{{Cycles, "reads"}, {Accesses, "writes"}} {
		var r Registry
		var n uint64
		r.Count("bank.reads", Accesses, "reads", "", &n)
		func() {
			defer func() {
				text, _ := recover().(string)
				if !strings.HasPrefix(text, "stats: bank.reads registered as \"reads\"") {
					t.Errorf("unit %s, %q: %q, want a panic that names both", c.unit, c.description, text)
				}
			}()
			r.Count("bank.reads", c.unit, c.description, "", &n)
		}()
	}
}

func TestABucketSaysItsRange(t *testing.T) {
	for want, b := range map[string]Bucket{
		"0": {From: 0, To: 0}, "15": {From: 15, To: 15}, "16 to 31": {From: 16, To: 31}, "2048 and more": {From: 2048},
	} {
		if got := b.String(); got != want {
			t.Errorf("%+v: %q, want %q", b, got, want)
		}
	}
}
