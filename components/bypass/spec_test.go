package bypass

import (
	"testing"

	"kumiko/components/wire"
	"kumiko/components/wire/wiretest"
)

func TestTheBoundsOfABus(t *testing.T) {
	for _, c := range []struct {
		spec Spec
		ok   bool
	}{
		{Spec{Width: 1, Room: 1}, true}, {Spec{Width: 64, Room: 9}, true},
		{Spec{Width: 0, Room: 1}, false}, {Spec{Width: 65, Room: 1}, false}, {Spec{Width: 1, Room: 0}, false},
	} {
		if err := c.spec.Check(); (err == nil) != c.ok {
			t.Errorf("%+v: %v", c.spec, err)
		}
	}
}

func TestABusSaysHowManyResultsWait(t *testing.T) {
	d := wire.NewDomain("Core", 1e9)
	b, err := NewBus("Bus", d, Spec{Width: 2, Room: 4}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := b.Waiting(); got != "" {
		t.Errorf("idle, it says %q", got)
	}
	in := wiretest.NewSource("Writeback", d, &b.In)
	wiretest.NewSink("Collectors", d, &b.Out, 1).Refuse = func(wire.Cycle) bool { return true }
	for range 3 { // one at the collectors
		in.Send(1, Result{})
	}
	d.RunUntil(20)
	if got, want := b.Waiting(), "2 results wait for the result bus"; got != want {
		t.Errorf("it says %q, want %q", got, want)
	}
}
