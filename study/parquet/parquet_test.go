package parquet

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/parquet-go/parquet-go"

	"kumiko/gpus/result"
	"kumiko/study/record"
)

// What is written is read back by the library's own reader: names, types, values, and nulls
// where a record has no such statistic.
func TestAParquetFileHasTheColumnsOfAllRecordsWithTheirTypes(t *testing.T) {
	half := 0.5
	one := &record.Record{Point: record.Point{Study: "s", Benchmark: "bfs", Set: []string{"a=1"}}, Waves: &half,
		Result: &result.Result{}}
	one.Result.Total.Cycles, one.Result.Total.Stats = 7, map[string]uint64{"sm.reads": 1<<63 + 1}
	other := &record.Record{Point: record.Point{Study: "s", Benchmark: "sgemm"}, Failed: "refused"}
	var file bytes.Buffer
	if err := Write(&file, []*record.Record{one, other}); err != nil {
		t.Fatal(err)
	}
	f, err := parquet.OpenFile(bytes.NewReader(file.Bytes()), int64(file.Len()))
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[string]string{}
	for _, c := range f.Root().Columns() {
		kinds[c.Name()] = c.Type().String()
	}
	for name, want := range map[string]string{"benchmark": "STRING", "cycles": "INT(64,false)", "waves": "DOUBLE",
		"sm.reads": "INT(64,false)", "set": "STRING"} {
		if kinds[name] != want {
			t.Errorf("column %s has the type %s, want %s", name, kinds[name], want)
		}
	}
	type row struct {
		Benchmark string   `parquet:"benchmark,optional"`
		Cycles    *uint64  `parquet:"cycles,optional"`
		Waves     *float64 `parquet:"waves,optional"`
		Reads     *uint64  `parquet:"sm.reads,optional"`
		Set       string   `parquet:"set,optional"`
		Failed    string   `parquet:"failed,optional"`
	}
	got, err := parquet.Read[row](bytes.NewReader(file.Bytes()), int64(file.Len()))
	if err != nil {
		t.Fatal(err)
	}
	cycles, reads := uint64(7), uint64(1<<63+1)
	want := []row{{Benchmark: "bfs", Cycles: &cycles, Waves: &half, Reads: &reads, Set: `["a=1"]`},
		{Benchmark: "sgemm", Set: "null", Failed: "refused"}}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}
