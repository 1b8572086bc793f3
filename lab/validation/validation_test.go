package validation

import (
	"math"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"kumiko/kernel/compiler"
)

// explained are the launches with an error above a quarter (lab/docs/validation/peers.md, named differences). A launch
// below this error must be removed from the list and from the document.
var explained = []string{"sync.w1.n10/gtx980", "sync.w1.n20/gtx980", "sync.w2.n10/gtx980", "sync.w2.n20/gtx980"}

// against are the effects with the opposite sign in Kumiko: see lab/docs/validation/peers.md, sensitivities.
var against = []string{"l1d_8k on transpose_tiled, gtx480", "l1d_off on reduce, gtx480", "l2_half on hotspot, gtx480",
	"dram_fifo on transpose_tiled, gtx980"}

func TestCyclesAreThoseOfGPGPUSimWithinAQuarterButForNamedDifferences(t *testing.T) {
	for _, m := range measured(t) {
		name := m.Label() + "/" + m.Config
		if far, known := math.Abs(m.Error()) > beyond, slices.Contains(explained, name); far != known {
			t.Errorf("%s: %d cycles, GPGPU-Sim %d: error %+.1f %%; named as a difference beyond a quarter: %v", name,
				m.Ours.Cycles, m.Cycles, 100*m.Error(), known)
		}
	}
}

func TestErrorAndCorrelationOverAllLaunchesAreWithinTheirBounds(t *testing.T) {
	list := measured(t)
	if want := 2 * len(fast); !allRequested() && len(list) != want {
		t.Errorf("%d launches found, want %d on two GPUs", len(list), want)
	}
	if s := Summarise(list); !(s.MeanError <= 0.20 && s.Pearson > 0.97) {
		t.Errorf("mean absolute error %.1f %%, correlation %.4f; want at most 20 %% and more than 0.97",
			100*s.MeanError, s.Pearson)
	}
}

func TestAsManyCTAsFitIntoAnSMAsInGPGPUSim(t *testing.T) {
	for _, m := range measured(t) {
		if m.Fit != m.CTAsPerSM {
			t.Errorf("%s on %s: %d CTAs fit into an SM, GPGPU-Sim %d", m.Label(), m.Config, m.Fit, m.CTAsPerSM)
		}
	}
}

func TestNineOfTenClearEffectsGoTheReferencesWay(t *testing.T) {
	var seen, agree int
	var other []string
	for _, f := range clearEffects(t) {
		seen++
		if f.Agrees() {
			agree++
			continue
		}
		other = append(other, f.Variant+" on "+f.Kernel+", "+f.Config)
	}
	if seen < 30 {
		t.Errorf("%d clear effects, want at least 30", seen)
	}
	if float64(agree) < 0.9*float64(seen) {
		t.Errorf("%d of %d effects agree, want nine of ten", agree, seen)
	}
	for _, name := range other {
		if !slices.Contains(against, name) {
			t.Errorf("%s goes the other way and is not named", name)
		}
	}
	if allRequested() && len(other) != len(against) {
		t.Errorf("the other way go %q; named are %q", other, against)
	}
}

func TestEveryLaunchExecutesAsManyWarpInstructionsAsInGPGPUSim(t *testing.T) {
	for _, m := range measured(t) {
		if m.Ours.WarpInstructions != m.WarpInsn {
			t.Errorf("%s on %s: %d warp instructions, GPGPU-Sim %d", m.Label(), m.Config, m.Ours.WarpInstructions,
				m.WarpInsn)
		}
	}
}

// part returns one of the document's parts.
func part(t *testing.T, name string) string {
	t.Helper()
	doc, err := os.ReadFile(document)
	if err != nil {
		t.Fatal(err)
	}
	text, err := partOf(doc, name)
	if err != nil {
		t.Fatalf("%s: %v", document, err)
	}
	return string(text)
}

func TestTheDocumentNamesTheDifferencesBeyondAQuarterAndNoOthers(t *testing.T) {
	_, line, _ := strings.Cut(part(t, "launches"), "\nBeyond 25 %:")
	var named []string
	for _, m := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(line, -1) {
		named = append(named, m[1])
	}
	slices.Sort(named)
	if !slices.Equal(named, explained) {
		t.Errorf("%s has %q beyond a quarter, want %q", document, named, explained)
	}
	doc, err := os.ReadFile(document)
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ := strings.Cut(string(doc), "### Named differences\n")
	text, _, _ = strings.Cut(text, "\n<!--")
	for _, name := range explained {
		if launch := regexp.MustCompile(`\.n\d+|/.*`).ReplaceAllString(name, ""); !strings.Contains(text, launch) {
			t.Errorf("%s: no named difference speaks of %s", document, launch)
		}
	}
}

func TestTheDocumentNamesTheEffectsThatGoTheOtherWay(t *testing.T) {
	_, line, _ := strings.Cut(part(t, "sensitivities"), "\nThe other way: ")
	named := strings.Split(strings.TrimSuffix(strings.TrimSpace(line), "."), "; ")
	if !slices.Equal(named, against) {
		t.Errorf("%s has %q, want %q", document, named, against)
	}
}

// crosscheck -update makes the tables. After a change of the model that moves a launch by more than 3 %, it must be
// run again.
func TestTheDocumentsCyclesAreThoseOfTheModelWithinThreePerCent(t *testing.T) {
	rows := map[string]float64{}
	for _, line := range strings.Split(part(t, "launches"), "\n") {
		if f := strings.Split(line, "|"); len(f) == 12 {
			if n, err := strconv.Atoi(strings.TrimSpace(f[7])); err == nil {
				rows[strings.TrimSpace(f[1])+"/"+strings.TrimSpace(f[2])] = float64(n)
			}
		}
	}
	for _, m := range measured(t) {
		name := m.Label() + "/" + m.Config
		if is, said := float64(m.Ours.Cycles), rows[name]; math.Abs(is/said-1) > 0.03 {
			t.Errorf("%s: %v cycles, %s says %v", name, is, document, said)
		}
	}
}

// GPGPU-Sim's registers are virtual: a program with spills would be a different one. (hotspot would spill two words
// with its footprint of 20.)
func TestNoProgramSpills(t *testing.T) {
	needsReference(t)
	list, err := References(reference)
	if err != nil {
		t.Fatal(err)
	}
	for i := range list {
		e := &list[i]
		w, err := workOf(e)
		if err != nil {
			t.Fatal(err)
		}
		m, err := module(w.file)
		if err != nil {
			t.Fatal(err)
		}
		c, err := configure(e, nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, r, err := compiler.CompileReport(m.Kernel(w.kernel),
			c.CompilerOptions(virtual*w.registers, 0)); err != nil || r.Spilled > 0 {
			t.Errorf("%s: %v, %+v; want nothing spilled", e.Label(), err, r)
		}
	}
}

func TestEverySettingOfTheSensitivitiesIsReadAndLoads(t *testing.T) {
	needsReference(t)
	list, err := Sensitivities(reference)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for i := range list {
		e := &list[i]
		if set, ok := Settings(e); ok && !seen[e.Config+e.Variant] {
			seen[e.Config+e.Variant] = true
			if _, err := configure(e, set); err != nil {
				t.Errorf("%s on %s: %v", e.Variant, e.Config, err)
			}
		}
	}
	for config, c := range changes {
		for variant := range c {
			if !seen[config+variant] {
				t.Errorf("%s on %s is no variant of the reference", variant, config)
			}
		}
	}
}

// The reference has 10, 100 and 1000, and Kumiko half of each: all errors are -50 %, and the correlation of the
// logarithms is 1.
func TestTheCorrelationLooksAtTheShapeAndTheErrorAtTheSize(t *testing.T) {
	var list []*Measured
	for _, n := range []uint64{10, 100, 1000} {
		m := &Measured{Entry: Entry{Cycles: 1000, ThreadInsn: n}}
		m.Ours.Cycles = 2000
		list = append(list, m)
	}
	s := Summarise(list)
	if s.MeanError != 0.5 || math.Abs(s.Pearson-1) > 1e-12 || len(s.Beyond) != 3 {
		t.Errorf("mean error %v, correlation %v, %d beyond a quarter; want 0.5, 1 and 3", s.MeanError, s.Pearson,
			len(s.Beyond))
	}
}

func TestAnEffectCountsWhenTheReferenceMovesByMoreThanTheNoise(t *testing.T) {
	for _, c := range []struct {
		theirs, ours  float64
		clear, agrees bool
	}{{1.5, 1.2, true, true}, {0.8, 0.9, true, true}, {1.5, 0.99, true, false}, {1.05, 1.2, false, true},
		{1.5, 1, true, false}} {
		f := Effect{Entry: Entry{Ratio: c.theirs}, Ours: c.ours}
		if f.Clear() != c.clear || f.Agrees() != c.agrees {
			t.Errorf("reference %v, ours %v: clear %v, agrees %v", c.theirs, c.ours, f.Clear(), f.Agrees())
		}
	}
}
