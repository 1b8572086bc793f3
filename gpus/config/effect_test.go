package config

import (
	"cmp"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// builtinPlace matches a place in a built-in file. Its line number is not compared.
var builtinPlace = regexp.MustCompile(`((?:gtx980|fermi|common|designs/[a-z-]+)\.toml):\d+:\d+`)

// loaded returns the error of a request for a file with this text, without its folder.
func loaded(t *testing.T, file string, r Request) string {
	t.Helper()
	dir := t.TempDir()
	if file != "" {
		r.GPU = filepath.Join(dir, "f.toml")
		if err := os.WriteFile(r.GPU, []byte(file), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	_, err := Load(r)
	if err == nil {
		return ""
	}
	return builtinPlace.ReplaceAllString(strings.ReplaceAll(err.Error(), dir+string(filepath.Separator), ""), "$1")
}

func TestASettingWithoutEffectIsRefusedWhereTheUserMakesIt(t *testing.T) {
	const gtx = "base = \"gtx980\"\n"
	for _, c := range []struct {
		gpu, file, design string
		set               []string
		want              string
	}{
		{set: []string{"sched.active=8"},
			want: "--set sched.active=8: sched.active has no effect: expected sched.policy = two-level, found gto " +
				"(gtx980.toml)"},
		{set: []string{"sched.group=4", "sched.policy=lrr"},
			want: "--set sched.group=4: sched.group has no effect: expected sched.policy = fetch-group, found lrr " +
				"(--set sched.policy=lrr)"},
		{set: []string{"sched.policy=lrr", "sched.inner=lrr", "sched.suspend_after=9"},
			want: "--set sched.inner=lrr: sched.inner has no effect: expected sched.policy = two-level, found lrr " +
				"(--set sched.policy=lrr)\n" +
				"--set sched.suspend_after=9: sched.suspend_after has no effect: expected sched.policy = two-level, " +
				"found lrr (--set sched.policy=lrr)"},
		{set: []string{`sched={policy="lrr", active=4}`},
			want: `--set sched={policy="lrr", active=4}: sched.active has no effect: expected sched.policy = two-level, found lrr (--set sched={policy="lrr", active=4})`},
		{design: "two-level", set: []string{"sched.group=4"},
			want: "--set sched.group=4: sched.group has no effect: expected sched.policy = fetch-group, found " +
				"two-level (designs/two-level.toml)"},
		{design: "rfc", set: []string{"regfile.rfc.ways=4"},
			want: "--set regfile.rfc.ways=4: regfile.rfc.ways has no effect: expected regfile.rfc.organisation = " +
				"shared, found partitioned (designs/rfc.toml)"},
		{set: []string{"mem.dram.trfc=300"},
			want: "--set mem.dram.trfc=300: mem.dram.trfc has no effect: expected mem.dram.refresh = true, found " +
				"false (gtx980.toml)"},
		{set: []string{"mem.l1.tags.replacement=fifo", "mem.l1.tags.seed=3"},
			want: "--set mem.l1.tags.seed=3: mem.l1.tags.seed has no effect: expected mem.l1.tags.replacement = " +
				"random, found fifo (--set mem.l1.tags.replacement=fifo)"},
		{set: []string{"mem.fixed.latency=300"},
			want: "--set mem.fixed.latency=300: mem.fixed.latency has no effect: expected mem.backing = fixed, found " +
				"dram (gtx980.toml)"},
		{gpu: "fermi", set: []string{"mem.l2.tags.ways=4"},
			want: "--set mem.l2.tags.ways=4: mem.l2.tags.ways has no effect: expected mem.backing = dram, found " +
				"fixed (fermi.toml)"},
		{gpu: "fermi", set: []string{"mem.noc.latency=50"},
			want: "--set mem.noc.latency=50: mem.noc.latency has no effect: expected mem.backing = dram, found fixed " +
				"(fermi.toml)"},
		{set: []string{"mem.l2.queue=4", "mem.backing=fixed",
			"mem.fixed={latency=300, bandwidth=32, lane_latency=8, buffer=8}"},
			want: "--set mem.l2.queue=4: mem.l2.queue has no effect: expected mem.backing = dram, found fixed (--set " +
				"mem.backing=fixed)"},
		{set: []string{"regfile.conventional.network_rows=4"},
			want: "--set regfile.conventional.network_rows=4: regfile.conventional.network_rows has no effect: " +
				"expected regfile.conventional.network = butterfly, found crossbar (common.toml)"},
		{gpu: "fermi", set: []string{"regfile.conventional.bypass=false", "regfile.conventional.forward=2",
			"regfile.conventional.bypass_width=1"},
			want: "--set regfile.conventional.bypass_width=1: regfile.conventional.bypass_width has no effect: " +
				"expected regfile.conventional.bypass = true, found false (--set regfile.conventional.bypass=false)"},
		{set: []string{"sm.fetch.icache.misses=4", "sm.fetch.icache.tags.ways=2"},
			want: "--set sm.fetch.icache.misses=4: sm.fetch.icache.misses has no effect: expected " +
				"sm.fetch.icache.perfect = false, found true (common.toml)\n" +
				"--set sm.fetch.icache.tags.ways=2: sm.fetch.icache.tags.ways has no effect: expected " +
				"sm.fetch.icache.perfect = false, found true (common.toml)"},
		{file: "base = \"fermi\"\n[mem.l2]\nqueue = 4\n",
			want: "f.toml:3:1: mem.l2.queue has no effect: expected mem.backing = dram, found fixed (fermi.toml)"},
		{file: gtx + "sched.active = 8\n",
			want: "f.toml:2:1: sched.active has no effect: expected sched.policy = two-level, found gto (gtx980.toml)"},

		{set: []string{"perturb.start_cycles=9"},
			want: "--set perturb.start_cycles=9: perturb.start_cycles has no effect: expected perturb.seed other " +
				"than 0, found 0 (common.toml)"},

		{set: []string{"perturb.start_cycles=9", "perturb.seed=1"}},
		{set: []string{"compiler.banks=8", "compiler.bank_policy=least-conflict"}},
		{set: []string{"sched.active=8", "sched.policy=two-level", "sched.inner=lrr"}},
		{set: []string{"mem.l1.tags.seed=3", "mem.l1.tags.replacement=random", "mem.map.interleave_seed=3"}},
		{set: []string{"mem.fixed={latency=300, bandwidth=32, lane_latency=8, buffer=8}", "mem.backing=fixed"}},
		{set: []string{"mem.backing=fixed", "mem.fixed={latency=300, bandwidth=32, lane_latency=8, buffer=8}"}},
		{gpu: "fermi", set: []string{"mem.noc.flit_bytes=32", "mem.fixed.latency=300"}},
		{set: []string{"mem.noc.latency=50", "mem.l2.queue=4", "mem.map.interleave=xor", "mem.dram.trcd=9"}},
		{set: []string{"regfile.conventional.hop_width=2", "regfile.conventional.network=butterfly",
			"regfile.conventional.network_rows=4"}},
		{gpu: "fermi", set: []string{"regfile.conventional.bypass_width=1", "regfile.conventional.bypass_entries=8"}},
		{set: []string{"sm.fetch.icache.misses=4", "sm.fetch.icache.perfect=false"}},
		{set: []string{"sm.fetch.icache.perfect=false", "sm.fetch.icache.tags.ways=2"}},
		{file: gtx + "[mem.l2]\nqueue = 4\n", set: []string{"mem.backing=fixed",
			"mem.fixed={latency=300, bandwidth=32, lane_latency=8, buffer=8}"}},
		// both in one file, which may describe more settings than used
		{file: gtx + "[sched]\npolicy = \"lrr\"\nactive = 8\n"},
		{design: "two-level", set: []string{"sched.active=16"}},
		{design: "two-level", set: []string{"sched.policy=gto"}},
		{design: "rfc-two-level", set: []string{"regfile.rfc.flush_stall=true", "sched.policy=greedy"}},
		{design: "sharing", set: []string{"regfile.sharing.window=100", "regfile.sharing.dynamic=true"}},
		{file: gtx + "sched.active = 8\n", design: "two-level"},
		{file: gtx + "sched.active = 8\n", set: []string{"sched.policy=two-level"}},
		{file: gtx + "[sched]\npolicy = \"two-level\"\nactive = 8\n", set: []string{"sched.policy=lrr"}},
		{file: gtx + "[sched]\npolicy = \"two-level\"\nactive = 8\n", design: "owf"},
	} {
		if got := loaded(t, c.file, Request{GPU: cmp.Or(c.gpu, "gtx980"), Design: c.design,
			Set: c.set}); got != c.want {
			t.Errorf("file %q, design %q, set %q:\n got %q\nwant %q", c.file, c.design, c.set, got, c.want)
		}
	}
}

func TestACopyOfABuiltInGPUIsAccepted(t *testing.T) {
	for _, name := range Names() {
		text, err := builtin.ReadFile(name + ".toml")
		if err != nil {
			t.Fatal(err)
		}
		if got := loaded(t, string(text), Request{}); got != "" {
			t.Errorf("%s: %s", name, got)
		}
	}
}

func TestAnAccessStreamIsAskedForWithoutAScheduler(t *testing.T) {
	if got := loaded(t, "", Request{GPU: "fermi", Set: []string{"sched.suspend_ready=true"},
		Untimed: true}); got != "" {
		t.Errorf("refused: %s", got)
	}
}

// A condition with an unknown key, or with a value impossible for the key, would refuse everything or nothing.
func TestConditionsNameKeysOfTheirTable(t *testing.T) {
	n := 0
	var visit func(path string, table *node)
	visit = func(path string, table *node) {
		for _, k := range table.Keys {
			c := table.Table[k]
			for _, w := range conditionsOf(c.Tag.Get("when")) {
				n++
				g := schema()
				for _, part := range w.path(strings.Split(path, ".")[1:]) {
					if g != nil {
						g = g.Child(part)
					}
				}
				if g == nil || !g.Leaf() || g.Type.Kind().String() == "bool" && w.value != "true" &&
					w.value != "false" {
					t.Errorf("%s.%s: when %+v", path, k, w)
				}
			}
			visit(path+"."+k, c)
		}
	}
	visit("", schema())
	if n < 20 {
		t.Errorf("%d conditions found", n)
	}
}

func TestSettingsOfAnUnusedKindInAFileAreChecked(t *testing.T) {
	const want = "f.toml:3:1: regfile.rfc.entries: found -3, expected 0 to 256"
	if got := loaded(t, "base = \"fermi\"\n[regfile.rfc]\nentries = -3\n", Request{}); got != want {
		t.Errorf("error %q, want %q", got, want)
	}
}

func TestWhatAFileSaysOfItselfIsNoSetting(t *testing.T) {
	for _, set := range []string{"base=fermi", "doc=mine"} {
		if got := loaded(t, "", Request{GPU: "gtx980", Set: []string{set}}); !strings.Contains(got, "--set "+set) ||
			!strings.Contains(got, "expected a GPU with --gpu") {
			t.Errorf("%s: error %q", set, got)
		}
	}
}

func TestAPassWithoutANameIsNotLeftOut(t *testing.T) {
	for _, off := range []string{`["", ""]`, `["fold,dead"]`, `["wide", " "]`} {
		if got := loaded(t, "", Request{GPU: "gtx980", Set: []string{"compiler.off=" + off}}); !strings.Contains(got,
			"compiler.off: found [") {
			t.Errorf("%s: error %q", off, got)
		}
	}
}

// A setting that changes a preset's kind also changes the name of the design.
func TestAMachineGoesByTheNameOfWhatItIs(t *testing.T) {
	for _, c := range []struct{ design, set, want string }{
		{"rfc", "regfile.rfc.entries=8", "rfc"}, {"rfc", "regfile.residency=sharing", "rfc+sharing"},
		{"rfc+sharing", "sched.policy=lrr", "rfc+sharing"}, {"", "regfile.residency=regmutex", "regmutex"},
		{"sharing", "regfile.residency=none", "conventional"},
		{"two-level", "regfile.kind=conventional", "two-level"}, {"", "regfile.kind=rfc", "rfc"},
		{"two-level", "regfile.kind=rfc", "rfc"},
	} {
		cfg, err := Load(Request{GPU: "fermi", Design: c.design, Set: []string{c.set}})
		if err != nil {
			t.Fatal(err)
		}
		if cfg.Design != c.want {
			t.Errorf("%q with %s: %s, want %s", c.design, c.set, cfg.Design, c.want)
		}
	}
}

// The caller's settings are applied before the user's. Errors name only the user's settings.
func TestSettingsOfTheCallerAreNotBlamed(t *testing.T) {
	base := []string{"sm.fetch.refill=room", "mem.l1.perfect=true"}
	if c, err := Load(Request{GPU: "fermi-gto", Design: "cerf-fair", Base: base}); err != nil {
		t.Errorf("a setting without effect is refused: %v", err)
	} else if c.SM.Fetch.Refill != "room" {
		t.Errorf("sm.fetch.refill is %s, want room", c.SM.Fetch.Refill)
	}
	if c, err := Load(Request{GPU: "gtx980", Base: []string{"sm.count=3"}, Set: []string{"sm.count=2"}}); err != nil ||
		c.SM.Count != 2 {
		t.Errorf("%v, want two SMs, as the user has set", err)
	}
	_, err := Load(Request{GPU: "gtx980", Base: base, Set: []string{"sm.count=0"}})
	if err == nil || !strings.HasPrefix(err.Error(), "--set sm.count=0: ") {
		t.Errorf("%v, want an error of --set sm.count=0", err)
	}
}
