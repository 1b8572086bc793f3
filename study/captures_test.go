package study

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"kumiko/benchmarks"
	"kumiko/kernel/emu"
	"kumiko/kernel/host"
	"kumiko/kernel/mem"
	"kumiko/kernel/recording"
)

// captured writes a recording of launches of scalePTX into a folder.
func captured(t *testing.T, file string, launches int) {
	t.Helper()
	m := &mem.Memory{}
	if err := m.Back(recording.Base, make([]byte, 1<<20)); err != nil {
		t.Fatal(err)
	}
	m.Note()
	var out bytes.Buffer
	w, err := recording.NewWriter(&out)
	if err != nil {
		t.Fatal(err)
	}
	texts := [][]byte{[]byte(scalePTX)}
	list, err := recording.Parse(m, 0, texts)
	if err != nil {
		t.Fatal(err)
	}
	at, _ := recording.Allocate(m, 256)
	for _, e := range []*recording.Event{{Kind: recording.Loaded, Texts: texts},
		{Kind: recording.Allocated, Addr: at, Size: 256}} {
		if err := w.Add(e); err != nil {
			t.Fatal(err)
		}
	}
	l := &host.Launch{Module: list[0], Kernel: "scale", Grid: [3]int{1, 1, 1}, Block: [3]int{64, 1, 1},
		Args: []host.Arg{host.U64(at + recording.Slack)}}
	for range launches {
		if err := (&emu.Runner{Mem: m}).Launch(l); err != nil {
			t.Fatal(err)
		}
		if err := w.Launched(0, l, m); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	put(t, file, out.Bytes())
}

// captureStudy parses a study with recordings.
func captureStudy(t *testing.T, dir, text string) (*Spec, error) {
	t.Helper()
	return Parse(filepath.Join(dir, "t.toml"), []byte("name = \"t\"\nsize = \"test\"\n"+text+plainVariant))
}

func TestAGroupNamesRecordedApplications(t *testing.T) {
	dir := t.TempDir()
	captured(t, filepath.Join(dir, "one.kumiko"), 1)
	captured(t, filepath.Join(dir, "two.kumiko"), 2)
	s := mustCapture(t, dir, "[[program]]\nname = \"named\"\ncapture = \"two.kumiko\"\n"+
		"[groups]\nall = [\"one.kumiko\", \"named\", \"vecadd\"]\n")
	for name, want := range map[string]int{"one.kumiko": 1, "named": 2} {
		app, err := s.Benchmark(name)
		if err != nil || app == nil || fmt.Sprint(app.Kernels) != "[{scale [64 1 1] 0 0}]" {
			t.Fatalf("%s: found %+v, %v, want the kernel scale", name, app, err)
		}
		p, err := app.New(benchmarks.Test)
		if err != nil {
			t.Fatal(err)
		}
		m, c := &mem.Memory{}, &launchCount{}
		c.Mem = m
		if err := p.Run(&host.Device{Mem: m, Runner: c}); err != nil || c.launches != want {
			t.Errorf("%s: %d launches, %v, want %d", name, c.launches, err, want)
		}
	}
}

type launchCount struct {
	emu.Runner
	launches int
}

func (c *launchCount) Launch(l *host.Launch) error {
	c.launches++
	return c.Runner.Launch(l)
}

// mustCapture parses a study with recordings, which has no mistake.
func mustCapture(t *testing.T, dir, text string) *Spec {
	t.Helper()
	s, err := captureStudy(t, dir, text)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestTheFileOfARecordingDecidesItsRecords(t *testing.T) {
	dir := t.TempDir()
	key := func(launches int) string {
		captured(t, filepath.Join(dir, "one.kumiko"), launches)
		s := mustCapture(t, dir, "[groups]\nall = [\"one.kumiko\"]\n")
		points := s.Points(0)
		return mustKey(t, s, &points[0])
	}
	a, b, again := key(1), key(2), key(1)
	if a == b || a != again {
		t.Errorf("the keys are %s and, with one launch more, %s; again %s", a, b, again)
	}
}

func TestARecordingThatIsNotThereIsRefusedAtItsPlace(t *testing.T) {
	dir := t.TempDir()
	captured(t, filepath.Join(dir, "one.kumiko"), 1)
	const named = "[[program]]\nname = \"a\"\ncapture = \"one.kumiko\"\n"
	for text, want := range map[string]string{
		"[groups]\nall = [\"none.kumiko\"]\n":                    "t.toml:4:8:",
		named + "launch = \"l.toml\"\n[groups]\nall = [\"a\"]\n": "launches of their own",
		named + "ptx = \"a.ptx\"\n[groups]\nall = [\"a\"]\n": "expected one of ptx, cuda, capture, traces " +
			"and together",
	} {
		if _, err := captureStudy(t, dir, text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: found %v, want %q", text, err, want)
		}
	}
}

func TestAStudyIsReadWithoutARecordingWhoseSumIsGiven(t *testing.T) {
	dir := t.TempDir()
	captured(t, filepath.Join(dir, "one.kumiko"), 1)
	study := func(sum string) string {
		return "[[program]]\nname = \"a\"\ncapture = \"one.kumiko\"\n" + sum +
			"[groups]\nall = [\"a\", \"vecadd\"]\n"
	}
	key := func(s *Spec) string {
		return mustKey(t, s, &s.Points(0)[0])
	}
	there := mustCapture(t, dir, study(""))
	sum := fmt.Sprintf("sum = %q\n", there.captures["a"].Sum())
	with := mustCapture(t, dir, study(sum))
	without := mustCapture(t, t.TempDir(), study(sum))
	if a, b, c := key(there), key(with), key(without); a != b || b != c {
		t.Errorf("the keys are %s, %s with the sum and %s without the file, want equal ones", a, b, c)
	}
	if here, absent := with.Present(with.Points(0)); len(here) != 2 || absent != nil {
		t.Errorf("with the file %d points can be run, and %q are absent", len(here), absent)
	}
	here, absent := without.Present(without.Points(0))
	if len(here) != 1 || here[0].Benchmark != "vecadd" || fmt.Sprint(absent) != "[a]" {
		t.Errorf("without the file %v can be run, and %q are absent, want vecadd and a", here, absent)
	}
	for text, want := range map[string]string{
		"sum = \"12\"\n": "t.toml:6:7: program a: found the sum",
		"":               "no such file",
	} {
		if _, err := captureStudy(t, t.TempDir(), study(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q without the file: found %v, want %q", text, err, want)
		}
	}
}

func TestRecordingsAreFoundInTheFolderNamed(t *testing.T) {
	dir, file := t.TempDir(), filepath.Join(t.TempDir(), "t.toml")
	captured(t, filepath.Join(dir, "one.kumiko"), 1)
	text := "name = \"t\"\nsize = \"test\"\n[groups]\nall = [\"one.kumiko\"]\n" + plainVariant
	put(t, file, text)
	if s, err := LoadWith(file, dir); err != nil || s.captures["one.kumiko"] == nil {
		t.Errorf("found %v, want the recording of the folder", err)
	}
	if _, err := Load(file); err == nil {
		t.Error("found no error without the folder")
	}
}

func TestKernelsOfAnAbsentRecordingAreThoseThatTheStudyNames(t *testing.T) {
	for text, want := range map[string]string{
		"": "[]", // one without a name
		"[[table]]\nid = \"b\"\ntitle = \"b\"\nvalues = [\"a/k\", \"a/m\"]\n" +
			"column = [{ name = \"c\", value = 'cycles(\"fine\", x) + cycles(\"fine\", \"a/k\")' }]\n": "[k m]",
	} {
		s := mustCapture(t, t.TempDir(), "[[program]]\nname = \"a\"\ncapture = \"a.kumiko\"\nsum = \""+
			strings.Repeat("0", 64)+"\"\n[groups]\nall = [\"a\"]\n"+text)
		app, err := s.Benchmark("a")
		if err != nil {
			t.Fatal(err)
		}
		var found []string
		for _, k := range app.Kernels {
			found = append(found, k.Name)
		}
		if got := fmt.Sprint(found); got != want || len(app.Kernels) == 0 {
			t.Errorf("found the kernels %s, want %s, and one at least", got, want)
		}
	}
}
