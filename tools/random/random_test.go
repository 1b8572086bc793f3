package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kumiko/gpus"
	"kumiko/gpus/config"
	"kumiko/gpus/machinetest"
	"kumiko/kernel/host"
	"kumiko/kernel/launch"
	"kumiko/kernel/ptx"
)

// make random runs 2,000. Under testing.Short each GPU has one.
func TestNoDesignReadsAnOldOperandInRandomDivergedCode(t *testing.T) {
	s := settings{kernels: 50, seed: 1, gpus: chips, workers: 2, gcc: compiler()}
	if testing.Short() {
		s.kernels, s.gpus = 2, chips[:2]
	}
	var out bytes.Buffer
	sum, err := run(&out, &s)
	if err != nil || sum.failed > 0 {
		t.Fatalf("%v\n%s", err, &out)
	}
	if sum.kernels != s.kernels || sum.runs < s.kernels*60 {
		t.Errorf("%d kernels and %d runs, want %d kernels on at least 60 designs each", sum.kernels, sum.runs,
			s.kernels)
	}
	t.Logf("%s", out.String())
}

// FineReg by the printed rule moves the registers of one path alone (docs/designs.md), and lanes waiting elsewhere lose
// theirs.
func TestADesignThatForgetsLanesElsewhereIsFound(t *testing.T) {
	const set = "regfile.finereg.live=paper"
	d := &design{gpu: "gtx980", name: "finereg", set: []string{"regfile.finereg.pcrf=64", set}}
	if err := d.fit(); err != nil {
		t.Fatal(err)
	}
	for seed := range uint64(60) {
		found, _ := generate(seed).runOn([]*design{d}, "")
		if len(found) == 0 {
			continue
		}
		if text := found[0].String(); !strings.Contains(text, "operand check") || !strings.Contains(text, set) {
			t.Errorf("found %s, want an operand check", text)
		}
		return
	}
	t.Error("60 kernels found no wrong operand")
}

// Kernels with old operands in earlier versions: two ways meet before the exit, with a value from one of them, and
// a function calls itself where lanes of an outer call wait.
func TestKernelsThatReadOldOperandsNoLongerDo(t *testing.T) {
	for _, name := range []string{"join", "call", "switch"} {
		src, err := os.ReadFile(filepath.Join("testdata", name+".ptx"))
		if err != nil {
			t.Fatal(err)
		}
		for _, design := range []string{"ltrf-plus", "shrf", "ltrf", "ltrf,vector", "ltrf,vector,live", "rfc",
			"regmutex", "cerf-prioritized", "finereg"} {
			parts := strings.Split(design, ",")
			r := config.Request{GPU: "gtx980", Design: parts[0], Set: []string{"sm.count=1"}}
			if parts[0] == "cerf-prioritized" {
				r.Set = append(r.Set, "regfile.conventional.sub_cores=1", "regfile.cerf.bytes=262144")
			}
			for i, key := range []string{"liveness", "interval_write_back"}[:len(parts)-1] {
				r.Set = append(r.Set, "regfile.ltrf."+key+"="+parts[i+1])
			}
			cfg := machinetest.Config(t, r)
			m := machinetest.Of(t, cfg, gpus.Options{Check: true})
			module, err := ptx.Parse(name+".ptx", src)
			if err != nil {
				t.Fatal(err)
			}
			p, err := launch.Load(filepath.Join("testdata", name+".toml"), module)
			if err != nil {
				t.Fatal(err)
			}
			if err := p.Run(&host.Device{Mem: m.Memory(), Runner: m}); err != nil {
				t.Errorf("%s with %s: %v", name, design, err)
			}
		}
	}
}

// Each construct is in at least one kernel in twenty, and every kernel ends as it was read.
func TestKernelsHaveEachConstructAndEnd(t *testing.T) {
	const n = 200
	counts := map[string]int{}
	for seed := range uint64(n) {
		p := generate(seed)
		if again := generate(seed); again.text != p.text || again.launchFile() != p.launchFile() {
			t.Fatalf("seed %d writes two kernels", seed)
		}
		if _, err := newCaptures(p, ""); err != nil {
			t.Errorf("seed %d: %v", seed, err)
		}
		for _, what := range []string{"brx.idx", "call (result)", "exit;", "bar.warp.sync", "bar.sync", "ld.local",
			"st.local", "ld.global", "setmaxnreg", "%loop0, %loop0, 1", "%loop1, %loop1, 1", "sub.u32 %fuel",
			"@!%p bra"} {
			if strings.Contains(p.text, what) {
				counts[what]++
			}
		}
	}
	for what, got := range counts {
		if got < n/20 {
			t.Errorf("%d of %d kernels have %s", got, n, what)
		}
	}
	if len(counts) != 13 {
		t.Errorf("%d constructs were met, want 13: %v", len(counts), counts)
	}
}

func TestAFindingIsWrittenWithItsLaunchFileAndTheCommandThatShowsIt(t *testing.T) {
	dir := t.TempDir()
	d := &design{gpu: "gtx980", name: "finereg", set: []string{"regfile.finereg.pcrf=64"}}
	if err := d.fit(); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	r := &runner{settings: &settings{out: dir}, Writer: &out}
	p := generate(3)
	if err := r.report(&finding{p: p, design: d, err: io.ErrUnexpectedEOF}); err != nil {
		t.Fatal(err)
	}
	base := filepath.Join(dir, "3")
	want := "  kumiko run " + base + ".ptx --launch " + base + ".toml --check --gpu gtx980 --design finereg --set "
	if !strings.Contains(out.String(), want) || !strings.Contains(out.String(), "--set regfile.finereg.pcrf=64") {
		t.Errorf("found %s, want %s", &out, want)
	}
	src, err := os.ReadFile(base + ".ptx")
	if err != nil {
		t.Fatal(err)
	}
	m, err := ptx.Parse("3.ptx", src)
	if err != nil {
		t.Fatal(err)
	}
	l, err := launch.Load(base+".toml", m)
	if err != nil {
		t.Fatal(err)
	}
	machine, err := d.ready()
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Run(&host.Device{Mem: machine.Memory(), Runner: machine}); err != nil {
		t.Error(err)
	}
}
