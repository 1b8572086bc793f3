package study

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/gpus/result"
	"kumiko/study/record"
)

// storedPoints makes a study of more points than are read at once, and keeps a record of every point but each seventh.
// Records are measured, failed, short of waves, of another version, or damaged.
func storedPoints(t *testing.T) (*Spec, []record.Point, string) {
	t.Helper()
	s := parse(t, "name = \"many\"\nsize = \"test\"\nwaves = 2\nperturb = 60\n[groups]\na = [\"vecadd\"]\n"+
		"[[variant]]\nname = \"v-{}\"\ngpu = \"gtx980\"\nset = [\"sm.count={}\"]\nsweep = [\"1\", \"2\", \"3\"]\n")
	store, err := record.OpenStore(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	keys := s.Keys()
	points := s.Points(s.Perturb)
	for i := range points {
		if i%7 == 0 {
			continue
		}
		key, err := keys.Key(&points[i])
		if err != nil {
			t.Fatal(err)
		}
		r, few := &record.Record{Format: record.Format, Result: &result.Result{}}, 0.5
		r.Point, r.Key, r.Version = points[i], key, fmt.Sprint(i%2)
		switch i % 10 {
		case 1:
			r.Result, r.Failed = nil, "its check failed"
		case 2:
			r.Waves = &few
		case 3:
			r.Attempt = &record.Attempt{Version: "1", Failed: "internal error: x"}
		}
		if err := store.Put(r); err != nil {
			t.Fatal(err)
		}
		if i%10 == 4 {
			damage(t, store.Path(&points[i], key))
		}
	}
	return s, points, store.Dir()
}

// lookAt returns a read-only store, and its notes.
func lookAt(t *testing.T, dir string) (*record.Store, *[]string) {
	t.Helper()
	store, err := record.OpenReadOnly(dir)
	if err != nil {
		t.Fatal(err)
	}
	notes := &[]string{}
	store.Note = func(text string) { *notes = append(*notes, text) }
	return store, notes
}

func TestACensusCountsWhatCollectFinds(t *testing.T) {
	s, points, dir := storedPoints(t)
	store, want := lookAt(t, dir)
	records, of, err := s.Collect(store, points, "1")
	if err != nil {
		t.Fatal(err)
	}
	if of.Done == 0 || len(of.Missing) == 0 || len(of.Failed) == 0 || len(*want) == 0 || len(of.Other) == 0 {
		t.Fatalf("something is not there: %+v, %d notes", of, len(*want))
	}
	if !slices.ContainsFunc(records, func(r *record.Record) bool { return r.Result != nil }) {
		t.Error("the records have no results")
	}
	store, notes := lookAt(t, dir)
	c, err := s.Census(store, points, "1")
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(of, c, cmp.AllowUnexported(Census{})); d != "" {
		t.Errorf("the census differs (-collect +census):\n%s", d)
	}
	if d := cmp.Diff(*want, *notes); d != "" {
		t.Errorf("the notes differ (-collect +census):\n%s", d)
	}
}

func TestRecordsAreCollectedInTheOrderOfTheirPoints(t *testing.T) {
	s, points, dir := storedPoints(t)
	store, _ := lookAt(t, dir)
	records, _, err := s.Collect(store, points, "1")
	if err != nil || len(records) < len(points)/2 {
		t.Fatalf("%d records, %v", len(records), err)
	}
	next := 0
	for _, r := range records {
		for next < len(points) && !points[next].Same(&r.Point) {
			next++
		}
	}
	if next == len(points) {
		t.Error("the records have another order than the points")
	}
}

func TestProgressOfReadingGrowsUpToTheEnd(t *testing.T) {
	s, points, dir := storedPoints(t)
	store, _ := lookAt(t, dir)
	var told []int
	store.Progress = func(done, total int) {
		if total != len(points) || len(told) > 0 && done <= told[len(told)-1] {
			t.Errorf("%d of %d after %v", done, total, told)
		}
		told = append(told, done)
	}
	if _, err := s.Census(store, points, "1"); err != nil {
		t.Fatal(err)
	}
	if len(told) < 3 || told[0] != 0 || told[len(told)-1] != len(points) {
		t.Errorf("told %v, want 0 to %d with numbers between", told, len(points))
	}
}

func TestProgressOfReadingEndsWithAnErrorToo(t *testing.T) {
	s, points, dir := storedPoints(t)
	key := mustKey(t, s, &points[1])
	store, _ := lookAt(t, dir)
	name := store.Path(&points[1], key)
	if err := os.Remove(name); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(name, 0o755); err != nil { // no record can be read there
		t.Fatal(err)
	}
	last := 0
	store.Progress = func(done, _ int) { last = done }
	if _, err := s.Census(store, points, "1"); err == nil || last != len(points) {
		t.Errorf("told %d of %d, then %v, want all and an error", last, len(points), err)
	}
}

func TestAPerturbedPointLoadsNoConfigurationOfItsOwn(t *testing.T) {
	s := parse(t, head+plainVariant)
	p := s.Points(1)[1]
	cfg, err := s.ConfigOf(&p)
	if err != nil || p.Perturb != 1 || cfg.Perturb.Seed != 1 {
		t.Fatalf("%v: %v, seed %d", &p, err, cfg.Perturb.Seed)
	}
	if cfg.RegFile.Settings() != s.Config(p.Variant).RegFile.Settings() {
		t.Error("the settings of the register file were read again")
	}
}

func TestAPackOfAnotherStudyIsRefused(t *testing.T) {
	file := filepath.Join(t.TempDir(), "p"+record.PackSuffix)
	var b bytes.Buffer
	err := record.WritePack(&b, "t", nil, nil, nil)
	if err == nil {
		err = os.WriteFile(file, b.Bytes(), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	s, err := record.OpenReadOnly(file)
	if err != nil {
		t.Fatal(err)
	}
	spec := &Spec{Name: "u"}
	_, _, err = spec.Collect(s, nil, "1")
	if err == nil || !strings.Contains(err.Error(), "is a pack of the study t, expected one of u") {
		t.Errorf("error %v", err)
	}
}

// damage changes a byte in the middle of a file.
func damage(t *testing.T, file string) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	data[len(data)/2]++
	put(t, file, data)
}
