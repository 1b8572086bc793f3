package gpus

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// builtinPlace is a place in a file of the program; its lines are not the test's.
var builtinPlace = regexp.MustCompile(`((?:gtx980|designs/[a-z-]+)\.toml):\d+:\d+`)

// loaded is the error of a request for a file of this text, without its folder.
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
		file, design string
		set          []string
		want         string
	}{
		{set: []string{"sched.active=8"}, want: "--set sched.active=8: sched.active has no effect: expected sched.policy = two-level, found gto (gtx980.toml)"},
		{set: []string{"sched.group=4", "sched.policy=lrr"}, want: "--set sched.group=4: sched.group has no effect: expected sched.policy = fetch-group, found lrr (--set sched.policy=lrr)"},
		{set: []string{"sched.policy=lrr", "sched.inner=lrr", "sched.suspend_after=9"}, want: "--set sched.inner=lrr: sched.inner has no effect: expected sched.policy = two-level, found lrr (--set sched.policy=lrr)\n" +
			"--set sched.suspend_after=9: sched.suspend_after has no effect: expected sched.policy = two-level, found lrr (--set sched.policy=lrr)"},
		{set: []string{`sched={policy="lrr", active=4}`}, want: `--set sched={policy="lrr", active=4}: sched.active has no effect: expected sched.policy = two-level, found lrr (--set sched={policy="lrr", active=4})`},
		{design: "two-level", set: []string{"sched.group=4"}, want: "--set sched.group=4: sched.group has no effect: expected sched.policy = fetch-group, found two-level (designs/two-level.toml)"},
		{design: "rfc", set: []string{"regfile.rfc.ways=4"}, want: "--set regfile.rfc.ways=4: regfile.rfc.ways has no effect: expected regfile.rfc.organisation = shared, found partitioned (designs/rfc.toml)"},
		{design: "rfc-shared", set: []string{"regfile.rfc.flush_stall=true"}, want: "--set regfile.rfc.flush_stall=true: regfile.rfc.flush_stall has no effect: expected regfile.rfc.organisation = partitioned, found shared (designs/rfc-shared.toml)"},
		{design: "sharing", set: []string{"regfile.sharing.window=100"}, want: "--set regfile.sharing.window=100: regfile.sharing.window has no effect: expected regfile.sharing.dynamic = true, found false (designs/sharing.toml)"},
		{set: []string{"mem.l1.tags.replacement=fifo", "mem.l1.tags.seed=3"}, want: "--set mem.l1.tags.seed=3: mem.l1.tags.seed has no effect: expected mem.l1.tags.replacement = random, found fifo (--set mem.l1.tags.replacement=fifo)"},
		{set: []string{"mem.map.interleave=xor", "mem.map.interleave_seed=3"}, want: "--set mem.map.interleave_seed=3: mem.map.interleave_seed has no effect: expected mem.map.interleave = random, found xor (--set mem.map.interleave=xor)"},
		{file: gtx + "sched.active = 8\n", want: "f.toml:2:1: sched.active has no effect: expected sched.policy = two-level, found gto (gtx980.toml)"},
		{file: gtx + "[sched]\npolicy = \"lrr\"\nactive = 8\n", want: "f.toml:4:1: sched.active has no effect: expected sched.policy = two-level, found lrr (f.toml:3:1)"},

		{set: []string{"sched.active=8", "sched.policy=two-level", "sched.inner=lrr"}},
		{set: []string{"mem.l1.tags.seed=3", "mem.l1.tags.replacement=random", "mem.map.interleave_seed=3"}},
		{design: "two-level", set: []string{"sched.active=16"}},
		{design: "two-level", set: []string{"sched.policy=gto"}},
		{design: "rfc-two-level", set: []string{"regfile.rfc.flush_stall=true", "sched.policy=greedy"}},
		{design: "sharing", set: []string{"regfile.sharing.window=100", "regfile.sharing.dynamic=true"}},
		{file: gtx + "sched.active = 8\n", design: "two-level"},
		{file: gtx + "sched.active = 8\n", set: []string{"sched.policy=two-level"}},
		{file: gtx + "[sched]\npolicy = \"two-level\"\nactive = 8\n", set: []string{"sched.policy=lrr"}},
		{file: gtx + "[sched]\npolicy = \"two-level\"\nactive = 8\n", design: "owf"},
	} {
		if got := loaded(t, c.file, Request{GPU: "gtx980", Design: c.design, Set: c.set}); got != c.want {
			t.Errorf("file %q, design %q, set %q:\n got %q\nwant %q", c.file, c.design, c.set, got, c.want)
		}
	}
}

func TestAnAccessStreamIsAskedForWithoutAScheduler(t *testing.T) {
	if got := loaded(t, "", Request{GPU: "fermi", Set: []string{"sched.suspend_ready=true"}, Untimed: true}); got != "" {
		t.Errorf("refused: %s", got)
	}
}

// A condition that names no key, or a value that the key cannot have, would
// refuse everything or nothing.
func TestConditionsNameKeysOfTheirTable(t *testing.T) {
	n := 0
	var visit func(path string, table *node)
	visit = func(path string, table *node) {
		for _, k := range table.Keys {
			c := table.Table[k]
			for _, w := range conditionsOf(c.Tag.Get("when")) {
				n++
				g := table.Table[w.neighbour]
				if g == nil || !g.Leaf() || g.Type.Kind().String() == "bool" && w.value != "true" && w.value != "false" {
					t.Errorf("%s.%s: when %+v", path, k, w)
				}
			}
			visit(path+"."+k, c)
		}
	}
	visit("", schema())
	if n < 10 {
		t.Errorf("%d conditions found", n)
	}
}
