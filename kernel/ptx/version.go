package ptx

import (
	"fmt"
	"strconv"
	"strings"
)

// isa is a version of the PTX ISA.
type isa struct{ major, minor int }

func (v isa) String() string { return fmt.Sprintf("%d.%d", v.major, v.minor) }

func (v isa) before(w isa) bool {
	return v.major < w.major || v.major == w.major && v.minor < w.minor
}

// newestMinor is the last released minor version of each major one, from 1 on: PTX ISA 9.4 (CUDA 13.4), section
// "Release Notes".
var newestMinor = []int{1: 5, 2: 3, 3: 2, 4: 3, 5: 0, 6: 5, 7: 8, 8: 8, 9: 4}

// newest returns the newest known version.
func newest() isa {
	major := len(newestMinor) - 1
	return isa{major, newestMinor[major]}
}

// version reads the directive .version. A version above the newest known one is refused: in it the same text may
// have another meaning.
func (p *parser) version() {
	p.next()
	t := p.next()
	major, minor, ok := strings.Cut(t.text, ".")
	a, errA := strconv.Atoi(major)
	b, errB := strconv.Atoi(minor)
	if t.kind != tokFloat || !ok || errA != nil || errB != nil {
		p.errs.add(t.pos, "found %s, expected a version such as 6.3", t.describe())
		return
	}
	if a < 1 || a >= len(newestMinor) || b > newestMinor[a] {
		p.errs.add(t.pos, "found version %s of PTX, expected one from 1.0 to %s", t.text, newest())
		return
	}
	p.m.version, p.m.isa = t.text, isa{a, b}
}

// targetOptions are the options of .target besides architectures (PTX ISA section 11.1.2).
var targetOptions = map[string]bool{"texmode_unified": true, "texmode_independent": true, "debug": true,
	"map_f64_to_f32": true}

// target reads the directive .target: an architecture, and options behind it.
func (p *parser) target() {
	p.next()
	t := p.ident("a target such as sm_52")
	if p.m.sm = architecture(t.text); p.m.sm == 0 {
		p.errs.add(t.pos, "found %s, expected a target such as sm_52 or sm_90a", t.describe())
	}
	p.m.target = t.text
	for p.accept(",") {
		t := p.ident("a target option")
		if !targetOptions[t.text] && architecture(t.text) == 0 {
			p.errs.add(t.pos, "found %s, expected a target option (texmode_unified, texmode_independent, debug or "+
				"map_f64_to_f32)", t.describe())
		}
	}
}

// architecture returns the number in sm_52, sm_90a (for one architecture alone) or sm_100f (for a family); 0 if
// name is none. The number is not checked for existence: there are new ones every year.
func architecture(name string) int {
	digits, ok := strings.CutPrefix(name, "sm_")
	digits = strings.TrimSuffix(strings.TrimSuffix(digits, "a"), "f")
	n, err := strconv.Atoi(digits)
	if !ok || err != nil || len(name)-len("sm_")-len(digits) > 1 || n < 10 || n > 999 || digits[0] == '+' {
		return 0
	}
	return n
}

// before14 reports whether a module may omit modifiers required by later versions (PTX ISA, at each instruction
// under "PTX ISA Notes").
func before14(m *module) bool { return m.isa.before(isa{1, 4}) }

// before20 is before14 for the single-precision mad, which has no mode on architectures before sm_20.
func before20(m *module) bool { return m.isa.before(isa{2, 0}) || m.sm < 20 }
