package contracttest

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/regfile"
)

// Contract checks a kind of register file with its default settings, changed by tune if that is not nil, on every
// configuration. In short mode it uses a third of the operations and one tick order in addition to construction
// order.
func Contract(t *testing.T, kind *regfile.Kind, tune func(s *regfile.Settings, c *Config)) {
	for name, c := range Configs() {
		t.Run(name, func(t *testing.T) {
			settings := kind.Settings()
			if tune != nil {
				tune(settings, &c)
			}
			orders := uint64(3)
			if testing.Short() {
				c.Ops, orders = c.Ops/3, 1
			}
			first := run(t, settings, c, 0)
			if want := c.Warps * c.Programs * c.Ops; first.Ops != want {
				t.Fatalf("%d operations issued, want %d", first.Ops, want)
			}
			for order := uint64(1); order <= orders; order++ {
				again := run(t, settings, c, order)
				if d := cmp.Diff(first, again); d != "" {
					t.Fatalf("tick order %d changes the result (-construction order +shuffled):\n%.2000s", order, d)
				}
			}
		})
	}
}

// Tuned makes a change of the settings of one kind, an S, into one of any settings, for Contract.
func Tuned[S any](tune func(s *S, c *Config)) func(s *regfile.Settings, c *Config) {
	return func(s *regfile.Settings, c *Config) { tune(regfile.SpecOf[S](s), c) }
}

func run(t *testing.T, settings *regfile.Settings, c Config, order uint64) *Outcome {
	t.Helper()
	o, err := Run(settings, c, order)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range o.Problems {
		t.Error(p)
	}
	if t.Failed() {
		t.Fatalf("tick order %d", order)
	}
	return o
}

// Failer is a test, of package testing or of package rapid.
type Failer interface {
	Helper()
	Fatal(args ...any)
	Fatalf(format string, args ...any)
}

// TwoOrders checks a kind of register file with some settings on one configuration, in construction order and in a
// shuffled tick order, and compares the results. It is meant for many random configurations.
func TwoOrders(t Failer, settings *regfile.Settings, c Config) *Outcome {
	t.Helper()
	var first *Outcome
	for order := range uint64(2) {
		o, err := Run(settings, c, order)
		if err != nil {
			t.Fatal(err)
		}
		if len(o.Problems) > 0 {
			t.Fatal(o.Problems)
		}
		if first == nil {
			first = o
		} else if d := cmp.Diff(first, o); d != "" {
			t.Fatalf("tick order changes the result (-construction order +shuffled):\n%.2000s", d)
		}
	}
	return first
}
