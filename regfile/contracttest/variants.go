package contracttest

import (
	"testing"

	"pgregory.net/rapid"

	"kumiko/regfile"
)

// Kind returns the kind of register file registered under the name.
func Kind(t testing.TB, name string) *regfile.Kind {
	t.Helper()
	k, err := regfile.Find(name)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// Variants runs Contract on variants of a kind's default settings S, with half of its operations.
// Each function of after changes every variant, and does so last.
func Variants[S any](t *testing.T, kind *regfile.Kind, variants map[string]func(*S, *Config),
	after ...func(*S, *Config)) {
	for name, tune := range variants {
		t.Run(name, func(t *testing.T) {
			Contract(t, kind, Tuned(func(spec *S, c *Config) {
				c.Ops /= 2
				tune(spec, c)
				for _, f := range after {
					f(spec, c)
				}
			}))
		})
	}
}

// Draw draws a configuration with few operations on few registers. In some draws only part of the warps are active
// at a time.
func Draw(t *rapid.T) Config {
	c := Configs()[rapid.SampledFrom([]string{"four schedulers, dense",
		"two schedulers, dual issue, slow units, little room", "no notices, every register a hazard"}).Draw(t,
		"machine")]
	c.Ops, c.Programs, c.Seed = 25, 2, uint64(rapid.IntRange(1, 1000).Draw(t, "seed"))
	c.Pool = rapid.SampledFrom([]int{3, 5, 8, c.Pool}).Draw(t, "registers")
	c.Active = rapid.SampledFrom([]int{0, 2, 4}).Draw(t, "active")
	c.Suspend = rapid.SampledFrom([]float64{0, 0.1, 0.5}).Draw(t, "suspend")
	return c
}

// Random runs random settings S of a kind on random configurations, in two orders of ticks. draw may change the
// configuration. It is a long test.
func Random[S any](t *testing.T, kind *regfile.Kind, draw func(*rapid.T, *Config) S) {
	t.Helper()
	if testing.Short() {
		t.Skip("many organisations")
	}
	rapid.Check(t, func(t *rapid.T) {
		c := Draw(t)
		s := draw(t, &c)
		TwoOrders(t, With(kind, s), c)
	})
}

// Timed checks the timing of instructions issued by control words. draw returns the settings of the kind.
func Timed[S any](t *testing.T, kind *regfile.Kind, draw func(*rapid.T) S) {
	t.Helper()
	rapid.Check(t, func(t *rapid.T) {
		settings := With(kind, draw(t))
		ports, seed := rapid.IntRange(2, 3).Draw(t, "ports"), rapid.Uint64().Draw(t, "seed")
		problems, err := runTimed(settings, ports, seed, 200)
		if err != nil {
			t.Fatal(err)
		}
		if len(problems) > 0 {
			t.Fatal(problems)
		}
	})
}

// With returns the settings s of a kind, which takes no others.
func With[S any](k *regfile.Kind, s S) *regfile.Settings {
	out := k.Settings()
	*regfile.SpecOf[S](out) = s
	return out
}

// Faults tests that the checks of the contract find each fault of a design, and nothing in the design with sound in the
// place of a fault. build builds the design with a fault.
func Faults[S, F any](t *testing.T, kind regfile.Kind, build func(*regfile.Env, *S, F) (regfile.Design, error), s S,
	sound F, faults map[string]F) {
	t.Helper()
	problems := func(name string, fault F) (n int) {
		k := regfile.Define(kind, regfile.Builder[S]{Default: func() S { return s },
			Build: func(env *regfile.Env, s *S) (regfile.Design, error) { return build(env, s, fault) }})
		for _, c := range Configs() {
			o, err := Run(k.Settings(), c, 0)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			n += len(o.Problems)
		}
		return n
	}
	if n := problems("no fault", sound); n > 0 {
		t.Errorf("%d problems without a fault", n)
	}
	for name, fault := range faults {
		if problems(name, fault) == 0 {
			t.Errorf("%s: not found", name)
		}
	}
}
