package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kumiko/regfile"
	"kumiko/regfile/sharing"
)

func thresholdOf(t *testing.T, r Request) (float64, *Config) {
	t.Helper()
	c, err := Load(r)
	if err != nil {
		t.Fatal(err)
	}
	return regfile.SpecOf[sharing.Spec](c.RegFile.Settings()).Threshold, c
}

func TestTheSharingThresholdHasAShortName(t *testing.T) {
	file := filepath.Join(t.TempDir(), "g.toml")
	if err := os.WriteFile(file, []byte("base = \"tesla-c2050\"\n[regfile]\nkind = \"sharing\"\nthreshold = 0.3 # "+
		"ours\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	kind := []string{"regfile.kind=sharing"}
	for _, c := range []struct {
		r    Request
		want float64
	}{
		{Request{GPU: "tesla-c2050", Set: append(kind, "regfile.threshold=0.25")}, 0.25},
		{Request{GPU: "tesla-c2050", Set: append(kind, "regfile.threshold=1")}, 1},
		{Request{GPU: "tesla-c2050", Set: append(kind, "regfile.threshold=0.2", "regfile.sharing.threshold=0.4")}, 0.4},
		{Request{GPU: file}, 0.3},
	} {
		got, cfg := thresholdOf(t, c.r)
		if got != c.want {
			t.Errorf("%+v: threshold %v, want %v", c.r, got, c.want)
		}
		for _, p := range cfg.Params() {
			if p.Key == "regfile.threshold" {
				t.Error("the short name is a parameter of its own")
			}
			if p.Key == "regfile.sharing.threshold" &&
				(p.Value != c.want || p.Where == "" || p.Source == "default of the kind") {
				t.Errorf("%+v: parameter %+v", c.r, p)
			}
		}
	}
}

func TestTheShortNameIsRefusedWhereTheLongOneWouldBe(t *testing.T) {
	for set, want := range map[string]string{
		"regfile.threshold=0.5": "regfile.sharing.threshold: no such setting of this GPU, whose regfile.kind is " +
			"conventional",
		"regfile.threshold=a": "regfile.sharing.threshold: found a, expected a number",
	} {
		_, err := Load(Request{GPU: "tesla-c2050", Set: []string{set}})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", set, err, want)
		}
	}
	_, err := Load(Request{GPU: "tesla-c2050", Set: []string{"regfile.kind=sharing", "regfile.threshold=1.5"}})
	if err == nil || !strings.Contains(err.Error(),
		"regfile.threshold=1.5: regfile.sharing.threshold: found 1.5, expected 0") {
		t.Errorf("error %v", err)
	}
}

func TestSettingsOfTheKindBelowReachAKindThatIsBuiltOnIt(t *testing.T) {
	c := load(t, "tesla-c2050", "regfile.kind=sharing", "regfile.conventional.banks=8")
	n := 0
	for _, p := range c.Params() {
		if p.Key == "regfile.conventional.banks" && p.Value == 8 || p.Key == "regfile.sharing.window" {
			n++
		}
	}
	if n != 2 {
		t.Errorf("%d of 2 parameters listed", n)
	}
	if _, err := Load(Request{GPU: "tesla-c2050",
		Set: []string{"regfile.kind=sharing", "regfile.conventional.banks=0"}}); err == nil {
		t.Error("a conventional file without banks was accepted below sharing")
	}
}

func TestTheFormerNameOfAKindStandsForThePresentOne(t *testing.T) {
	file := filepath.Join(t.TempDir(), "g.toml")
	text := "base = \"gtx980\"\n[regfile]\nkind = \"allocate\" # ours\n[regfile.allocate]\nread_ports = 2 # ours\n" +
		"[regfile.turing]\nreuse = false # ours\n"
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	ports := "regfile.allocate.read_ports=2"
	for _, r := range []Request{
		{GPU: "gtx980", Design: "allocate", Set: []string{ports, "regfile.allocate.reuse=false"}},
		{GPU: "gtx980", Design: "virtual-thread+allocate", Set: []string{ports, "regfile.turing.reuse=false"}},
		{GPU: "gtx980", Set: []string{"regfile.kind=allocate", ports, "regfile.allocate.reuse=false"}},
		{GPU: file},
	} {
		c, err := Load(r)
		if err != nil {
			t.Errorf("%+v: %v", r, err)
			continue
		}
		v := c.Values()
		if c.RegFile.Kind != "turing" || v["regfile.turing.read_ports"] != 2 || v["regfile.turing.reuse"] != false ||
			!strings.Contains(c.Design, "turing") || strings.Contains(c.Design, "allocate") {
			t.Errorf("%+v: kind %s, design %s, read ports %v, reuse %v", r, c.RegFile.Kind, c.Design,
				v["regfile.turing.read_ports"], v["regfile.turing.reuse"])
		}
	}
}

func TestASettingWithoutEffectIsNamedAsItIsNow(t *testing.T) {
	_, err := Load(Request{GPU: "gtx980", Set: []string{"regfile.allocate.reuse=false"}})
	if err == nil || !strings.Contains(err.Error(), "regfile.turing.reuse: no such setting of this GPU") {
		t.Errorf("error %v", err)
	}
}
