package record

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"kumiko/gpus/result"
)

const someKey = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

func someRecord() *Record {
	waves := 3.5
	r := &Record{Format: Format, Point: Point{Study: "t", Variant: "v", Benchmark: "b+tree", Size: "test",
		Set: []string{"a=1"}, Registers: "own"},
		Key: someKey, Version: "1", Waves: &waves, Seconds: 1.5, Result: &result.Result{Kernels: []result.Kernel{},
			Expect: []result.Expect{}, Program: "<b>"}}
	return r
}

func openStore(t *testing.T) *Store {
	t.Helper()
	s, err := OpenStore(filepath.Join(t.TempDir(), "deep", "er"))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestARecordComesBackAsItWasPut(t *testing.T) {
	s, want := openStore(t), someRecord()
	keep(t, s, want)
	got, err := s.Get(&want.Point, want.Key)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	other := want.Point
	other.Variant = "w"
	if r, err := s.Get(&other, want.Key); r != nil || err != nil {
		t.Errorf("another variant has %v, %v", r, err)
	}
	files, _ := os.ReadDir(s.Dir())
	if len(files) != 1 || files[0].Name() != "b+tree--v--test--0123456789abcdef0123.json" {
		t.Errorf("files %v", files)
	}
	data, _ := os.ReadFile(filepath.Join(s.Dir(), files[0].Name()))
	var doc map[string]any
	if err := json.Unmarshal(data, &doc); err != nil || doc["sum"] == "" || doc["key"] != someKey {
		t.Errorf("the file is not the JSON of a record: %v", err)
	}
}

// Every prefix of a record and every change of a byte is found.
func TestADamagedRecordIsNeverTakenForAWholeOne(t *testing.T) {
	whole, err := seal(someRecord())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := unseal(whole, false); err != nil {
		t.Fatal(err)
	}
	for n := range whole {
		if _, err := unseal(whole[:n], false); err == nil {
			t.Fatalf("the first %d of %d bytes are taken for a record", n, len(whole))
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		bad := bytes.Clone(whole)
		at := rapid.IntRange(0, len(bad)-1).Draw(t, "byte")
		flip := rapid.ByteRange(1, 255).Draw(t, "change")
		bad[at] ^= flip
		framing := at < len(sumHead) || at >= sumEnd-len(sumTail) && at < sumEnd
		if r, err := unseal(bad, false); err == nil && !framing {
			t.Fatalf("byte %d changed by %#x is not found: %v", at, flip, r)
		}
	})
}

func TestADamagedFileIsQuarantinedAndCountsAsNone(t *testing.T) {
	s, r := openStore(t), someRecord()
	keep(t, s, r)
	name := filepath.Join(s.Dir(), r.Point.file(r.Key))
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	put(t, name, data[:len(data)/2])
	var note string
	s.Note = func(text string) { note = text }
	if got, err := s.Get(&r.Point, r.Key); got != nil || err != nil {
		t.Errorf("%v, %v", got, err)
	}
	if want := "a damaged record was set aside as " + name + ".damaged: its checksum does not agree"; note != want {
		t.Errorf("note %q, want %q", note, want)
	}
	if _, err := os.Stat(name + ".damaged"); err != nil {
		t.Error(err)
	}
	keep(t, s, r)
	if got, _ := s.Get(&r.Point, r.Key); got == nil {
		t.Error("a new record in its place is not found")
	}
}

func TestARecordOfAnotherFormatOrUnderAnotherNameIsQuarantined(t *testing.T) {
	s := openStore(t)
	old := someRecord()
	old.Format = Format + 1
	keep(t, s, old)
	var why []string
	s.Note = func(text string) { why = append(why, text) }
	if r, err := s.Get(&old.Point, old.Key); r != nil || err != nil {
		t.Errorf("%v, %v", r, err)
	}
	r := someRecord()
	keep(t, s, r)
	elsewhere := r.Point
	elsewhere.Variant = "w"
	if err := os.Rename(filepath.Join(s.Dir(), r.Point.file(r.Key)),
		filepath.Join(s.Dir(), elsewhere.file(r.Key))); err != nil {
		t.Fatal(err)
	}
	if r, err := s.Get(&elsewhere, r.Key); r != nil || err != nil {
		t.Errorf("%v, %v", r, err)
	}
	if len(why) != 2 || !strings.Contains(why[0], "format is 3, expected 2") ||
		!strings.Contains(why[1], "it is of v b+tree") {
		t.Errorf("%q", why)
	}
}

func TestWhatAKilledWriterLeftIsRemovedWhenItIsOld(t *testing.T) {
	s := openStore(t)
	for name, age := range map[string]time.Duration{".writing-old": 2 * leftAfter, ".writing-new": 0} {
		file := filepath.Join(s.Dir(), name)
		put(t, file, "{")
		then := time.Now().Add(-age)
		if err := os.Chtimes(file, then, then); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := OpenStore(s.Dir()); err != nil {
		t.Fatal(err)
	}
	files, _ := os.ReadDir(s.Dir())
	if len(files) != 1 || files[0].Name() != ".writing-new" {
		t.Errorf("left are %v, want .writing-new alone", files)
	}
}

func TestNamesOfFilesHaveNothingThatFileSystemsDoNot(t *testing.T) {
	p := Point{Benchmark: "synthetic:dep=1,mem=2", Variant: "a/b", Size: "test", Perturb: 2}
	if got, want := p.file(someKey), "synthetic-dep=1-mem=2--a-b.p2--test--0123456789abcdef0123.json"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// put writes a file.
func put[T string | []byte](t testing.TB, file string, data T) {
	t.Helper()
	if err := os.WriteFile(file, []byte(data), 0o600); err != nil {
		t.Fatal(err)
	}
}

// keep puts a record into a store.
func keep(t *testing.T, s *Store, r *Record) {
	t.Helper()
	if err := s.Put(r); err != nil {
		t.Fatal(err)
	}
}
