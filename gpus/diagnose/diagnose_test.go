package diagnose

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"kumiko/gpus/config"
	"kumiko/internal/tomldoc"
)

// messages returns the lines of the error of a request.
func messages(t *testing.T, r config.Request) []string {
	t.Helper()
	_, err := Load(r)
	if err == nil {
		t.Fatalf("%+v is not refused", r)
	}
	return strings.Split(err.Error(), "\n")
}

func TestAllViolationsAreReportedAtOnceWithTheSettingsThatHelp(t *testing.T) {
	got := messages(t, config.Request{GPU: "gtx980", Set: []string{"regfile.kind=cerf", "sm.count=0",
		"sched.policy=foo", "sched.active=3"}})
	// The settings of the kind are looked at when the organisation of the memory is right. The policy is the one with
	// which sched.active has an effect.
	want := []string{
		"--set regfile.kind=cerf: onchip.memory: found separate, expected cerf, with regfile.kind = cerf; " +
			"common.toml:", "; remedy: --set onchip.memory=cerf",
		"--set sm.count=0: sm.count: found 0, expected 1 to 1024", "; remedy: --set sm.count=16",
		"--set sched.policy=foo: sched.policy: found foo, expected lrr,", "; remedy: --set sched.policy=two-level",
		"--set regfile.kind=cerf: regfile.cerf.policy: found lru-fair, expected regfile.conventional.sub_cores = 1, ",
		"; remedy: --set regfile.conventional.sub_cores=1",
		"--set sched.active=3: sched.active: found 3, expected a multiple of the 4 schedulers",
		"; remedy: --set sched.active=8",
	}
	for i := 0; i < len(want); i += 2 {
		if !slices.ContainsFunc(got, func(line string) bool {
			return strings.HasPrefix(line, want[i]) && strings.HasSuffix(line, want[i+1])
		}) {
			t.Errorf("no line %q ... %q in\n%s", want[i], want[i+1], strings.Join(got, "\n"))
		}
	}
}

func TestAViolationOfGPUAndPresetDoesNotBlameTheUser(t *testing.T) {
	got := messages(t, config.Request{GPU: "titan-v", Design: "ltrf", Set: []string{"sm.count=0"}})
	for _, want := range []string{"rtx-a6000.toml:", "--set sm.count=0: sm.count: found 0"} {
		if !slices.ContainsFunc(got, func(line string) bool { return strings.HasPrefix(line, want) }) {
			t.Errorf("no line blames %q:\n%s", want, strings.Join(got, "\n"))
		}
	}
	if len(got) != 2 {
		t.Errorf("%d lines, want 2:\n%s", len(got), strings.Join(got, "\n"))
	}
}

func TestWithTheSettingsThatHelpTheMachineIsBuilt(t *testing.T) {
	for _, r := range []config.Request{
		{GPU: "fermi", Design: "bow"}, {GPU: "fermi", Design: "finereg"}, {GPU: "titan-v", Design: "ltrf"},
		{GPU: "gtx980", Design: "cerf-fair"}, {GPU: "fermi-gto", Design: "ltrf-plus"},
		{GPU: "gtx980", Set: []string{"sm.schedulers=3"}},
	} {
		r.Base = []string{"slice.sms=2"}
		list, sets := Violations(r)
		if len(list) == 0 || len(sets) == 0 {
			t.Errorf("%s, %s, %v: %d violations, settings %v", r.GPU, r.Design, r.Set, len(list), sets)
			continue
		}
		for _, v := range list {
			if len(v.Set) == 0 {
				t.Errorf("%s, %s: nothing helps against %v", r.GPU, r.Design, v.Err)
			}
		}
		r.Set = append(r.Set, sets...)
		if _, err := Load(r); err != nil {
			t.Errorf("%s, %s with %v: %v", r.GPU, r.Design, sets, err)
		}
	}
}

// The register file of Maxwell takes no words of Volta's. Without words the machine is built, and runs no compiled
// program.
func TestARemedyLeavesCompiledProgramsTheirControlWords(t *testing.T) {
	_, sets := Violations(config.Request{GPU: "titan-v", Design: "maxwell"})
	if !slices.Equal(sets, []string{"compiler.control_words=sm_52"}) {
		t.Errorf("settings %v, want the words of sm_52", sets)
	}
}

// Against banks = 0 the first remedy is the GPU's own number, which cannot be divided among three sub-cores, so another
// one is needed.
func TestTwoViolationsOfOneSettingAreOne(t *testing.T) {
	list, sets := Violations(config.Request{GPU: "gtx980", Set: []string{"sm.schedulers=3",
		"regfile.conventional.banks=0"}})
	n := 0
	for _, v := range list {
		if strings.Contains(v.Err.Error(), "regfile.conventional.banks: found") {
			n++
			if !slices.Equal(v.Set, []string{"regfile.conventional.banks=3"}) {
				t.Errorf("settings %v, want banks=3", v.Set)
			}
		}
	}
	if n != 1 || !slices.Contains(sets, "regfile.conventional.banks=3") ||
		slices.Contains(sets, "regfile.conventional.banks=16") {
		t.Errorf("%d violations of the banks, settings %v", n, sets)
	}
}

func TestAMistakeWithoutARemedyKeepsItsMessage(t *testing.T) {
	for _, k := range []struct {
		r    config.Request
		want string
	}{
		{config.Request{GPU: "gtx980", Set: []string{"sm.cout=3"}},
			"--set sm.cout=3: unknown key sm.cout; did you mean sm.count?"},
		{config.Request{GPU: "gtx980", Design: "rfc", Set: []string{"regfile.ltrf.rate=3"}},
			"--set regfile.ltrf.rate=3: regfile.ltrf.rate: no such setting of this GPU, whose regfile.kind is rfc"},
		{config.Request{GPU: "gtx981"}, `no GPU named "gtx981"; expected one of `},
	} {
		if got := messages(t, k.r); len(got) != 1 || !strings.HasPrefix(got[0], k.want) {
			t.Errorf("%q, want %q", got, k.want)
		}
	}
}

func TestTheErrorKeepsItsPlaceAndItsKind(t *testing.T) {
	_, err := Load(config.Request{GPU: "gtx980", Set: []string{"sm.count=0"}})
	var at *tomldoc.Error
	if !errors.As(err, &at) || at.Pos.File != "--set sm.count=0" {
		t.Errorf("%v has no place", err)
	}
	other := errors.New("no disk")
	if got := Explain(config.Request{GPU: "gtx980", Set: []string{"sm.count=0"}}, other, Flags); got != other {
		t.Errorf("%v, want the error itself", got)
	}
}

func TestASoundConfigurationHasNoViolations(t *testing.T) {
	if list, sets := Violations(config.Request{GPU: "gtx980", Design: "ltrf"}); len(list)+len(sets) > 0 {
		t.Errorf("%v, %v", list, sets)
	}
	c, err := Load(config.Request{GPU: "gtx980", Design: "ltrf", Set: []string{"sm.count=2"}})
	if err != nil || c.SM.Count != 2 || c.Design != "ltrf" {
		t.Errorf("%v", err)
	}
}
