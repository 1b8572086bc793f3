package area

import (
	"math"
	"slices"
	"strings"
	"testing"

	"kumiko/components/storage"
	"kumiko/gpus/energy"
	"kumiko/regfile"
)

func near(t *testing.T, what string, got, want, within float64) {
	t.Helper()
	if math.IsNaN(got) || math.Abs(got-want) > within*math.Abs(want) {
		t.Errorf("%s: %v, want %v within %v of it", what, got, want, within)
	}
}

func array(t *testing.T, kind storage.Kind, entries, width float64, ports string) float64 {
	t.Helper()
	p, ok := ParsePorts(ports)
	if !ok {
		t.Fatalf("ports %q", ports)
	}
	a, err := Builtin().Array(kind, entries, width, p)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func TestEveryNumberHasAUnitAndASource(t *testing.T) {
	m := Builtin()
	units := []string{"um", "F", "1", "bits", "um^2"}
	for _, v := range m.Values {
		if v.Value <= 0 || !slices.Contains(units, v.Unit) || len(v.Source) < 20 {
			t.Errorf("%+v: want a number above 0, one of the units %q, and a source", v, units)
		}
	}
	if len(m.Values) != 10 {
		t.Errorf("%d numbers, want the ten of the formulas", len(m.Values))
	}
	if m.Samples.Unit != "um^2" || !strings.Contains(m.Samples.Source, "CACTI") {
		t.Errorf("samples have unit %q and source %q", m.Samples.Unit, m.Samples.Source)
	}
}

// eachSample calls f with every sample of CACTI.
func eachSample(t *testing.T, f func(entries, width float64, ports string, um2 float64)) {
	t.Helper()
	n := 0
	for _, s := range Builtin().Samples.Rows {
		if len(s.Areas) != len(s.Entries) {
			t.Fatalf("%s, %d bits: %d areas for %d numbers of entries", s.Ports, s.Width, len(s.Areas), len(s.Entries))
		}
		for i, e := range s.Entries {
			n++
			f(float64(e), float64(s.Width), s.Ports, s.Areas[i])
		}
	}
	if n != 90 {
		t.Errorf("%d samples", n)
	}
}

// The normal equations of the relative error, of two unknowns.
func TestTheFactorsOfTheFormulaAreTheLeastSquaresOfTheSamples(t *testing.T) {
	m := Builtin()
	var aa, ab, bb, a1, b1 float64
	eachSample(t, func(entries, width float64, ports string, um2 float64) {
		p, _ := ParsePorts(ports)
		c := m.Cell(p.Both + p.Reads + p.Writes)
		a, b := c*entries*width/um2, c*width*width/um2
		aa, ab, bb, a1, b1 = aa+a*a, ab+a*b, bb+b*b, a1+a, b1+b
	})
	det := aa*bb - ab*ab
	near(t, "sram.bits", m.bits, (a1*bb-b1*ab)/det, 1e-3)
	near(t, "sram.edge", m.edge, (b1*aa-a1*ab)/det, 2e-3)
}

func TestTheFormulaIsWithin17PercentOfEverySample(t *testing.T) {
	squares := 0.0
	eachSample(t, func(entries, width float64, ports string, um2 float64) {
		got := array(t, storage.SRAM, entries, width, ports)
		near(t, ports, got, um2, 0.17)
		squares += (got/um2 - 1) * (got/um2 - 1)
	})
	if rms := math.Sqrt(squares / 90); rms > 0.071 {
		t.Errorf("in the mean %v off, want at most 0.071", rms)
	}
}

// A cell of one port has 146 F^2, of two 19.6 x 15 F^2. The file is of 128 KB.
func TestTheAreaOfAConventionalFileIsThatOfItsBanks(t *testing.T) {
	near(t, "cell of one port", Builtin().Cell(1), 146*0.045*0.045, 1e-9)
	a, err := Builtin().Of([]regfile.State{{Block: "Bank", What: "registers", Count: 32, Bits: 32 * 256 * 128,
		Ports: "1r1w", Kind: storage.SRAM, Width: 128}})
	if err != nil {
		t.Fatal(err)
	}
	near(t, "file", a.MM2, 32*19.6*15*0.045*0.045*128*(1.372*256+0.572*128)/1e6, 1e-9)
	if r := a.Rows[0]; r.Entries != 256 || r.Width != 128 || r.Arrays != 32 || r.Share != 1 || a.ApartMM2 != 0 {
		t.Errorf("%+v", a)
	}
}

// 48 entries of 1024 bits in flip-flops, three read ports and a write port; tags of seven bits, compared by each.
func TestTheAreaOfARegisterFileCacheIsThatOfItsFlipFlops(t *testing.T) {
	a, err := Builtin().Of([]regfile.State{
		{Block: "Cache", What: "registers", Count: 1, Bits: 48 * 1024, Ports: "3r1w", Kind: storage.FlipFlop,
			Width: 1024},
		{Block: "Cache", What: "tags", Count: 1, Bits: 48 * 7, Ports: "3r1w", Kind: storage.CAM, Width: 7, Apart: true},
		{Block: "Switcher", What: "contexts", Count: 1, Bits: 100},
		{Block: "Bank", What: "registers", Count: 1, Bits: 100, Ports: "as wanted", Kind: storage.SRAM, Width: 10},
	})
	if err != nil {
		t.Fatal(err)
	}
	near(t, "registers", a.Rows[0].UM2, 1024*(48*(4.522+1.862)+3*47*1.862), 1e-9)
	near(t, "tags", 1e6*a.ApartMM2, 48*7*(4.522+1.862+3*1.596), 1e-9)
	if want := []string{"Switcher: contexts", "Bank: registers"}; !slices.Equal(a.Uncounted, want) {
		t.Errorf("uncounted %q, want %q", a.Uncounted, want)
	}
}

func TestWideEntriesAreDividedAmongArraysOf128Bits(t *testing.T) {
	near(t, "1024 bits", array(t, storage.SRAM, 128, 1024, "1r1w"), 8*array(t, storage.SRAM, 128, 128, "1r1w"), 1e-9)
	near(t, "129 bits", array(t, storage.SRAM, 128, 129, "1r1w"), 2*array(t, storage.SRAM, 128, 64.5, "1r1w"), 1e-9)
}

// Table 2 of Gebhart et al. has caches of flip-flops in 40 nm. Taken as those of a lane, of 32-bit entries, their
// areas are the formula's. Table 3's bank is half as large again as CACTI's.
func TestTheAreasOfGebhartsCachesAreThoseOfFlipFlopsOfALane(t *testing.T) {
	g, to40 := energy.OfGebhart(), math.Pow(40.0/45, 2)
	for _, c := range g.Caches {
		got := to40 * array(t, storage.FlipFlop, float64(c.Entries*c.Active), 32, "3r1w")
		near(t, "cache", got, c.Area, 0.08)
	}
	near(t, "bank", to40*array(t, storage.SRAM, 256, 128, "1r1w"), g.Main.Area/1.5, 0.02)
}

func TestStorageThatIsNoArrayIsRefused(t *testing.T) {
	for want, r := range map[string]regfile.State{
		`kind of array: found "rom"`: {Block: "B", Count: 1, Bits: 8, Kind: "rom", Width: 8},
		"entries of 0 bits":          {Block: "B", Count: 1, Bits: 8, Kind: storage.SRAM},
	} {
		if _, err := Builtin().Of([]regfile.State{r}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

func TestPortsAreReadFromTheirNames(t *testing.T) {
	for name, want := range map[string]string{"1rw": "1rw", "2rw": "2rw", "3r1w": "3r1w", "16r16w": "16r16w",
		"": "1r1w"} {
		if p, ok := ParsePorts(name); !ok || p.String() != want {
			t.Errorf("%q: %v, %v", name, p, ok)
		}
	}
	for _, name := range []string{"as wanted", "1r", "1w", "0rw", "r1w", "99999999999999999999rw", "1rw2"} {
		if p, ok := ParsePorts(name); ok {
			t.Errorf("%q: found ports %v, want none", name, p)
		}
	}
}

func TestAModelWithoutANumberIsRefused(t *testing.T) {
	for want, data := range map[string]string{"no value": "", "toml": "[[value]]\nname = 1"} {
		if _, err := parse([]byte(data)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q", data, err, want)
		}
	}
}
