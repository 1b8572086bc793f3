package record

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/klauspost/compress/zstd"

	"kumiko/components/stats"
	"kumiko/gpus/result"
	"kumiko/internal/infile"
)

// A pack is one file with the records of a study: a head and a record per line, in JSON, compressed by zstd. Figures,
// tables and verdicts can be made from a pack without simulating anything. What no expression reads is left out:
// other statistics (query.Reads), counters of single SMs, and, of a benchmark without a kernel named by the study
// (benchmark/kernel), those of launches beside instructions and cycles. Perturbed runs show how far cycles are
// noise, so they have no counters at all.

// PackSuffix ends the names of packs.
const PackSuffix = ".jsonl.zst"

// packHead is the first line of a pack.
type packHead struct {
	Format int    `json:"pack"` // of the records
	Study  string `json:"study"`
	// Records is the number of following lines.
	Records int `json:"records"`
}

const (
	// packWindow is the distance in bytes over which the compressor finds equal parts of records. The records of a
	// program stand together, so most of them lie within this distance.
	packWindow = 8 << 20
	// maxPackLine and maxPack bound the bytes of a record and of a whole pack when read.
	maxPackLine = 64 << 20
	maxPack     = 4 << 30
)

// WritePack writes a pack of records, in the order of their programs and variants, with the statistics and
// distributions that are read.
func WritePack(w io.Writer, study string, records []*Record, named func(benchmark, kernel string) bool,
	read func(name string) bool) error {
	records = slices.Clone(records)
	slices.SortStableFunc(records, func(a, b *Record) int {
		return cmp.Or(strings.Compare(a.Point.Benchmark, b.Point.Benchmark),
			strings.Compare(a.Point.Variant, b.Point.Variant), cmp.Compare(a.Point.Perturb, b.Point.Perturb))
	})
	z, err := zstd.NewWriter(w, zstd.WithEncoderLevel(zstd.SpeedBestCompression), zstd.WithEncoderConcurrency(1),
		zstd.WithWindowSize(packWindow))
	if err != nil {
		return err
	}
	e := json.NewEncoder(z)
	e.SetEscapeHTML(false)
	err = e.Encode(packHead{Format, study, len(records)})
	for _, r := range records {
		if err == nil {
			err = e.Encode(packed(r, named, read))
		}
	}
	return errors.Join(err, z.Close())
}

// packed returns a record without the counters of single SMs. The launches of a kernel that is named have one entry for
// each shape of CTA. Other launches have short entries: most of a record are otherwise their counters, and a pack takes
// three times as much.
func packed(r *Record, named func(benchmark, kernel string) bool, read func(name string) bool) *Record {
	if r.Result == nil {
		return r
	}
	own, res := *r, *r.Result
	res.Blocks = result.Blocks{}
	res.Total.CPIStack = nil // worked out again on reading
	if r.Point.Perturb > 0 {
		res.Total, res.Storage, res.Config = result.Total{Counts: shortCounts(&res.Total.Counts)}, nil, nil
	} else {
		only(&res.Total.Counts, read)
	}
	if slices.ContainsFunc(res.Kernels, func(k result.Kernel) bool { return named(r.Point.Benchmark, k.Name) }) {
		res.Kernels = Merge(res.Kernels)
	} else {
		res.Kernels = slices.Clone(res.Kernels)
	}
	for i := range res.Kernels {
		k := &res.Kernels[i]
		k.SMs, k.CPIStack = nil, nil
		if r.Point.Perturb == 0 && named(r.Point.Benchmark, k.Name) {
			only(&k.Counts, read)
			continue
		}
		k.Counts = shortCounts(&k.Counts)
	}
	own.Result = &res
	return &own
}

// only leaves the statistics and distributions that are read. The maps are new ones.
func only(c *result.Counts, read func(name string) bool) {
	c.Stats, c.Distributions = maps.Clone(c.Stats), maps.Clone(c.Distributions)
	maps.DeleteFunc(c.Stats, func(name string, _ uint64) bool { return !read(name) })
	maps.DeleteFunc(c.Distributions, func(name string, _ []stats.Bucket) bool { return !read(name) })
}

// shortCounts returns counts without statistics.
func shortCounts(c *result.Counts) result.Counts {
	return result.Counts{Cycles: c.Cycles, WarpInstructions: c.WarpInstructions,
		ThreadInstructions: c.ThreadInstructions, IPC: c.IPC, CTAsResidentMax: c.CTAsResidentMax}
}

// openPack returns a read-only store with the records of a pack. Its records are found by their points alone: one made
// by another version of the simulator, whose configuration or program may have differed, counts too.
func openPack(file string) (*Store, error) {
	f, err := infile.Open(file)
	if err != nil {
		return nil, fmt.Errorf("pack of records: %w", err)
	}
	defer f.Close()
	study, records, err := readPack(f)
	if err != nil {
		return nil, fmt.Errorf("pack of records %s: %w", file, err)
	}
	s := &Store{dir: file, readOnly: true, study: study, pack: map[pointID]*Record{}}
	for _, r := range records {
		s.pack[r.Point.id()] = r
	}
	return s, nil
}

// readPack reads a pack, and returns the name of its study.
func readPack(r io.Reader) (study string, out []*Record, err error) {
	z, err := zstd.NewReader(r, zstd.WithDecoderMaxMemory(maxPack), zstd.WithDecoderConcurrency(1))
	if err != nil {
		return "", nil, err
	}
	defer z.Close()
	in := bufio.NewScanner(io.LimitReader(z, maxPack))
	in.Buffer(nil, maxPackLine)
	line := 0
	next := func(into any) error {
		line++
		if !in.Scan() {
			return fmt.Errorf("line %d: %w", line, cmp.Or(in.Err(), io.ErrUnexpectedEOF))
		}
		if err := json.Unmarshal(in.Bytes(), into); err != nil {
			return fmt.Errorf("line %d: %w", line, err)
		}
		return nil
	}
	var h packHead
	if err := next(&h); err != nil {
		return "", nil, err
	}
	if h.Format != Format {
		return "", nil, fmt.Errorf("line 1: found format %d, expected %d; make the pack again by kumiko study pack",
			h.Format, Format)
	}
	for range h.Records {
		rec := &Record{}
		if err := next(rec); err != nil {
			return "", nil, err
		}
		if rec.Result != nil && rec.Result.Total.IssueSlots != nil {
			rec.Result.Total.SetCPI()
		}
		out = append(out, rec)
	}
	return h.Study, out, nil
}
