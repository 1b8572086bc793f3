package acceptance

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kumiko/cmd/kumiko/internal/cli"
	"kumiko/cmd/kumiko/internal/cli/app"
	"kumiko/gpus/result"
)

// keep names the folder for the inputs and expectations, for manual use:
// go test ./cmd/kumiko/internal/acceptance -keep DIR.
var keep = flag.String("keep", "", "write the files of each case to a folder of its name in this folder")

// kit is a program's folder while its files are made.
type kit struct {
	t   *testing.T
	dir string
}

// newKit copies a program's launch file and its code, as compiled for variant.
func newKit(t *testing.T, name, variant string) *kit {
	t.Helper()
	k := &kit{t, t.TempDir()}
	if *keep != "" {
		k.dir = filepath.Join(*keep, name)
		if err := os.MkdirAll(k.dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	k.copy(name+".toml", "launch.toml")
	k.copy(name+variant+".ptx", "kernel.ptx")
	return k
}

func (k *kit) copy(from, to string) {
	k.t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", from))
	if err != nil {
		k.t.Fatal(err)
	}
	k.bytes(to, data)
}

func (k *kit) bytes(name string, data []byte) {
	k.t.Helper()
	if err := os.WriteFile(filepath.Join(k.dir, name), data, 0o644); err != nil {
		k.t.Fatal(err)
	}
}

// file writes numbers, little-endian.
func (k *kit) file(name string, data any) {
	k.t.Helper()
	b, err := binary.Append(nil, binary.LittleEndian, data)
	if err != nil {
		k.t.Fatal(err)
	}
	k.bytes(name, b)
}

// registers limits every launch to n registers per thread.
func (k *kit) registers(n int) {
	k.t.Helper()
	name := filepath.Join(k.dir, "launch.toml")
	b, err := os.ReadFile(name)
	if err != nil {
		k.t.Fatal(err)
	}
	k.bytes("launch.toml", bytes.ReplaceAll(b, []byte("[[launch]]\n"), fmt.Appendf(nil, "[[launch]]\nregisters = %d\n",
		n)))
}

// run runs the command line in the kit's folder.
func (k *kit) run(args ...string) (status int, stdout, stderr string) {
	var out, errs bytes.Buffer
	p := cli.App{New: app.Assemble, Stdout: &out, Stderr: &errs}
	args = append([]string{"run", filepath.Join(k.dir, "kernel.ptx"), "--launch", filepath.Join(k.dir, "launch.toml")},
		args...)
	status = p.Main(args)
	return status, out.String(), errs.String()
}

// simulate runs the program with every operand checked, and requires all its comparisons to pass.
func (k *kit) simulate(args ...string) *result.Result {
	k.t.Helper()
	status, out, errs := k.run(append([]string{"--check", "--json", "-"}, args...)...)
	if status != app.Done {
		k.t.Fatalf("status %d: %s", status, errs)
	}
	var r result.Result
	if err := json.Unmarshal([]byte(out), &r); err != nil {
		k.t.Fatal(err)
	}
	launch, err := os.ReadFile(filepath.Join(k.dir, "launch.toml"))
	if err != nil {
		k.t.Fatal(err)
	}
	if want := strings.Count(string(launch), "[[expect]]"); len(r.Expect) != want || !r.Complete {
		k.t.Errorf("complete %v, %d comparisons, want %d", r.Complete, len(r.Expect), want)
	}
	for _, e := range r.Expect {
		if !e.OK {
			k.t.Errorf("%+v", e)
		}
	}
	return &r
}

// pcg is the generator of launch files, PCG-XSH-RR 64/32 (M. E. O'Neill,
// pcg-random.org, pcg32_srandom(seed, 54)), written from docs/launch-files.md.
type pcg uint64

func newPCG(seed uint64) *pcg {
	var g pcg
	g.next()
	g += pcg(seed)
	g.next()
	return &g
}

func (g *pcg) next() uint32 {
	old := uint64(*g)
	*g = pcg(old*6364136223846793005 + (54<<1 | 1))
	x, r := uint32((old>>18^old)>>27), uint32(old>>59)
	return x>>r | x<<(-r&31)
}

type integer interface {
	~int8 | ~int16 | ~int32 | ~int64 | ~uint8 | ~uint16 | ~uint32 | ~uint64
}

func ints[T integer](n int, low, high int64, seed uint64) []T {
	g, out := newPCG(seed), make([]T, n)
	for i := range out {
		out[i] = T(low + int64(g.next())%(high-low+1))
	}
	return out
}

func floats[T float32 | float64](n int, low, high float64, seed uint64) []T {
	g, out := newPCG(seed), make([]T, n)
	for i := range out {
		u := float64(g.next()>>8) / (1 << 24)
		out[i] = T(low + float64((high-low)*u))
	}
	return out
}
