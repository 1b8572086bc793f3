package record

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"

	"kumiko/components/stats"
	"kumiko/gpus/result"
)

func everything(string) bool { return true }

func none(_, _ string) bool { return false }

func packOf(t *testing.T, study string, records ...*Record) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "p"+PackSuffix)
	var b bytes.Buffer
	if err := WritePack(&b, study, records, none, everything); err != nil {
		t.Fatal(err)
	}
	put(t, file, b.Bytes())
	return file
}

func TestARecordOfAPackIsFoundByItsPointWhateverItsKey(t *testing.T) {
	want := someRecord()
	other := someRecord()
	other.Point.Variant = "w"
	s, err := OpenReadOnly(packOf(t, "t", other, want))
	if err != nil {
		t.Fatal(err)
	}
	got, err := s.Get(&want.Point, "another key")
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	absent := want.Point
	absent.Perturb = 1
	if got, err := s.Get(&absent, someKey); got != nil || err != nil {
		t.Errorf("found %v, %v for a point without a record", got, err)
	}
}

func TestAPackHasTotalsAndLaunchesWithoutTheirCountersAndSMs(t *testing.T) {
	r := someRecord()
	r.Result.Total.Cycles, r.Result.Total.WarpInstructions = 5, 4
	r.Result.Total.IssueSlots = map[string]uint64{"issued": 4, "memory": 6}
	r.Result.Total.SetCPI()
	r.Result.Blocks.Banks = []result.Bank{{Name: "b"}}
	r.Result.Kernels = []result.Kernel{{Name: "k", SMs: []result.SM{{SM: 1}}},
		{Name: "k", Counts: result.Counts{Cycles: 3}}}
	r.Result.Kernels[0].Counts = result.Counts{Cycles: 2, Stats: map[string]uint64{"a": 1}}
	s, err := OpenReadOnly(packOf(t, "t", r))
	if err != nil {
		t.Fatal(err)
	}
	got, err := s.Get(&r.Point, "")
	if err != nil || got == nil {
		t.Fatal(got, err)
	}
	res := got.Result
	if res.Total.Cycles != 5 || len(res.Kernels) != 2 || res.Kernels[0].Cycles != 2 || res.Kernels[0].SMs != nil ||
		res.Kernels[0].Stats != nil || res.Blocks.Banks != nil {
		t.Errorf("found %+v", res)
	}
	if d := cmp.Diff(r.Result.Total.CPIStack, res.Total.CPIStack); d != "" || res.Total.CPIStack["memory"] != 1.5 {
		t.Errorf("CPI stack (-record +pack):\n%s", d)
	}
	if r.Result.Kernels[0].SMs == nil || r.Result.Kernels[0].Stats == nil || r.Result.Blocks.Banks == nil {
		t.Error("the record itself was changed")
	}
}

func TestAPackHasOnlyTheCyclesAndInstructionsOfAPerturbedRun(t *testing.T) {
	r := someRecord()
	r.Point.Perturb = 1
	r.Result.Total.Counts = result.Counts{Cycles: 5, WarpInstructions: 4, IPC: 3, Stats: map[string]uint64{"a": 1},
		IssueSlots: map[string]uint64{"issued": 4}}
	s, err := OpenReadOnly(packOf(t, "t", r))
	if err != nil {
		t.Fatal(err)
	}
	got, err := s.Get(&r.Point, "")
	if err != nil || got == nil {
		t.Fatal(got, err)
	}
	want := result.Total{Counts: result.Counts{Cycles: 5, WarpInstructions: 4, IPC: 3}}
	if d := cmp.Diff(want, got.Result.Total); d != "" {
		t.Errorf("(-want +pack):\n%s", d)
	}
	if r.Result.Total.Stats == nil {
		t.Error("the record itself was changed")
	}
}

func TestAPackHasTheStatisticsThatAreRead(t *testing.T) {
	r := someRecord()
	r.Result.Total.Stats = map[string]uint64{"a": 1, "b": 2}
	r.Result.Total.Distributions = map[string][]stats.Bucket{"c": {{Count: 1}}, "d": {{Count: 2}}}
	read := func(name string) bool { return name == "a" || name == "d" }
	c := packed(r, none, read).Result.Total.Counts
	if len(c.Stats) != 1 || c.Stats["a"] != 1 || len(c.Distributions) != 1 || len(c.Distributions["d"]) != 1 {
		t.Errorf("found %v and %v, want a and d", c.Stats, c.Distributions)
	}
	whole := &r.Result.Total.Counts
	if len(whole.Stats) != 2 || len(whole.Distributions) != 2 {
		t.Error("the record itself was changed")
	}
}

func TestAPackHasTheCountersOfKernelsThatTheStudyNames(t *testing.T) {
	r := someRecord()
	r.Result.Kernels = []result.Kernel{{Name: "k", Counts: result.Counts{Stats: map[string]uint64{"a": 1}}}}
	ofTheRecord := func(benchmark, kernel string) bool { return benchmark == r.Point.Benchmark && kernel == "k" }
	for _, c := range []struct {
		named func(benchmark, kernel string) bool
		want  uint64
	}{{ofTheRecord, 1}, {none, 0}} {
		got := packed(r, c.named, everything)
		if n := got.Result.Kernels[0].Stats["a"]; n != c.want {
			t.Errorf("the statistic of the kernel is %d, want %d", n, c.want)
		}
	}
}

func TestADamagedPackIsRefusedWithItsLine(t *testing.T) {
	for text, want := range map[string]string{
		"":                                   "line 1: unexpected EOF",
		"x":                                  "line 1: invalid character",
		`{"pack":1}`:                         "line 1: found format 1, expected 2",
		`{"pack":2,"study":"t","records":1}`: "line 2: unexpected EOF",
		`{"pack":2,"study":"t","records":1}` + "\n{": "line 2: unexpected end of JSON input",
	} {
		file := filepath.Join(t.TempDir(), "p"+PackSuffix)
		put(t, file, compressed(t, text))
		if _, err := OpenReadOnly(file); err == nil || !strings.Contains(err.Error(), want) ||
			!strings.Contains(err.Error(), file) {
			t.Errorf("%q: error %v, want %s", text, err, want)
		}
	}
}

func compressed(t testing.TB, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	z, err := zstd.NewWriter(&b)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := z.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func FuzzReadPack(f *testing.F) {
	var b bytes.Buffer
	if err := WritePack(&b, "t", []*Record{someRecord()}, none, everything); err != nil {
		f.Fatal(err)
	}
	f.Add(b.Bytes())
	f.Add(compressed(f, `{"pack":2,"study":"t","records":1}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		study, records, err := readPack(bytes.NewReader(data))
		if err != nil {
			return
		}
		var again bytes.Buffer
		if err := WritePack(&again, study, records, none, everything); err != nil {
			t.Error(err)
		}
	})
}
