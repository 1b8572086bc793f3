package config

import (
	"slices"
	"strings"
	"testing"
)

// refused returns the error of a request.
func refused(t *testing.T, r Request) string {
	t.Helper()
	_, err := Load(r)
	if err == nil {
		t.Fatalf("%+v: no error", r)
	}
	return err.Error()
}

func TestAnotherKindThanThatOfTheDesignIsRefused(t *testing.T) {
	for design, set := range map[string]string{"bow": "regfile.kind=rfc", "rfc": "regfile.kind=conventional",
		"ltrf": "regfile.kind=sharing", "rfc+sharing": "regfile.kind=bow"} {
		got := refused(t, Request{GPU: "gtx980", Design: design, Set: []string{set}})
		if !strings.HasPrefix(got, "--set "+set+": regfile.kind: found ") ||
			!strings.Contains(got, "as --design "+design+" sets it: its other settings would be dropped; leave out") {
			t.Errorf("%s with %s: error %q", design, set, got)
		}
	}
}

func TestAResidencyIsAKindBesideARegisterFile(t *testing.T) {
	for _, x := range []struct {
		design                string
		set                   []string
		path, residency, ways string
	}{
		{"", nil, "conventional", "none", "none"},
		{"", []string{"regfile.kind=finereg"}, "conventional", "finereg", "finereg"},
		{"", []string{"regfile.residency=virtual-thread"}, "conventional", "virtual-thread", "virtual-thread"},
		{"", []string{"cta.switching=virtual-thread"}, "conventional", "virtual-thread", "virtual-thread"},
		{"virtual-thread", []string{"cta.switching=none"}, "conventional", "none", "none"},
		{"virtual-thread", []string{"regfile.residency=regmutex"}, "conventional", "regmutex", "virtual-thread"},
		{"finereg", []string{"regfile.residency=regmutex"}, "conventional", "regmutex", "none"},
		{"rfc", []string{"regfile.residency=sharing"}, "rfc", "sharing", "none"},
		{"sharing", []string{"regfile.kind=rfc"}, "rfc", "sharing", "none"},
		{"finereg+ltrf", nil, "ltrf", "finereg", "finereg"},
		{"ltrf+finereg", []string{"regfile.residency=none"}, "ltrf", "none", "none"},
		{"rfc+virtual-thread+two-level", nil, "rfc", "virtual-thread", "virtual-thread"},
	} {
		c, err := Load(Request{GPU: "gtx980", Design: x.design, Set: x.set})
		if err != nil {
			t.Errorf("%q with %v: %v", x.design, x.set, err)
			continue
		}
		if c.RegFile.Kind != x.path || c.RegFile.Residency != x.residency || c.SM.Switch.Switching != x.ways {
			t.Errorf("%q with %v: %s, %s, switching %s; want %s, %s, %s", x.design, x.set, c.RegFile.Kind,
				c.RegFile.Residency, c.SM.Switch.Switching, x.path, x.residency, x.ways)
		}
	}
}

func TestAPairThatDoesNotGoIsRefusedWithTheReason(t *testing.T) {
	for _, x := range []struct {
		design, want string
		set          []string
	}{
		{"ltrf+sharing", "--design ltrf+sharing", nil},
		{"ltrf", "--set regfile.residency=sharing: regfile.residency: found sharing, expected another residency with " +
			"regfile.kind = ltrf: the active set", []string{"regfile.residency=sharing"}},
		{"rfc", "--set regfile.residency=finereg: regfile.residency: found finereg, expected another",
			[]string{"regfile.residency=finereg"}},
		{"", "--set regfile.residency=magic: regfile.residency: found magic, expected none, virtual-thread, finereg",
			[]string{"regfile.residency=magic"}},
		{"sharing", "a warp without scheduler slots would keep the lock", []string{"cta.switching=virtual-thread"}},
		{"rfc-two-level+sharing", "sched.policy: rfc-two-level sets two-level and sharing sets lrr", nil},
		{"rfc+bow", "regfile.kind: rfc sets rfc and bow sets bow", nil},
		{"rfc+", `no design named ""`, nil},
	} {
		if got := refused(t, Request{GPU: "gtx980", Design: x.design, Set: x.set}); !strings.Contains(got, x.want) ||
			strings.Contains(got, "\n") {
			t.Errorf("%q with %v: error %q, want one with %q", x.design, x.set, got, x.want)
		}
	}
}

func TestAFileThatSetsAResidencyTwiceIsRefused(t *testing.T) {
	c := newConfig()
	doc, _, err := parseLayer("f.toml", []byte("[regfile]\nkind = \"sharing\"\nresidency = \"finereg\"\n"))
	if err != nil {
		t.Fatal(err)
	}
	if err = c.apply(&layer{doc: doc}); err ==
		nil || !strings.Contains(err.Error(), "f.toml:3:1: regfile.residency: found finereg, expected sharing") {
		t.Errorf("error %v", err)
	}
}

func TestPresetsMakeAPoint(t *testing.T) {
	l, err := Presets()
	if err != nil {
		t.Fatal(err)
	}
	for a, want := range map[Axes]string{{"conventional", "none"}: "conventional", {"rfc", "none"}: "rfc",
		{"conventional", "sharing"}: "sharing", {"ltrf", "finereg"}: "ltrf+finereg", {"cerf", "none"}: "cerf-fair"} {
		if got := l.Of(a); got != want {
			t.Errorf("%v: %s, want %s", a, got, want)
		}
	}
	if !slices.Contains(Paths(), "maxwell") || slices.Contains(Paths(), "finereg") {
		t.Errorf("register files %v", Paths())
	}
}
