package launch

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/kernel/host"
	"kumiko/kernel/mem"
)

func asFloat(b []byte) float32 { return math.Float32frombits(binary.LittleEndian.Uint32(b)) }

const whole = `
[[launch]]
kernel = "add"
grid = [2]
block = [32, 2]
dynamic_shared = 64
registers = 20
args = [ {buffer = "x"}, {f32 = 1.5}, {u32 = 4} ]
repeat = 2

[buffers.x]
type = "f32"
count = 4
init = {kind = "range", start = 1, step = 0.5}

[[expect]]
buffer = "x"
data = [4, 4.5, 5, 5.5]
[[expect]]
buffer = "x"
sum = 19.0
[[save]]
buffer = "x"
path = "sub/x.bin"
`

func TestALaunchFileRunsItsKernelsAndComparesAndSaves(t *testing.T) {
	p := parse(t, whole)
	f := runOn(t, p)
	if len(f.launches) != 2 {
		t.Fatalf("%d launches, want 2 (repeat)", len(f.launches))
	}
	l := f.launches[0]
	if l.Grid != [3]int{2, 1, 1} || l.Block != [3]int{32, 2, 1} || l.DynShared != 64 || l.Registers != 20 {
		t.Errorf("launch %+v", l)
	}
	want := []Expect{{Buffer: "x", OK: true}, {Buffer: "x", OK: true}}
	if diff := cmp.Diff(want, p.Expects()); diff != "" {
		t.Error(diff)
	}
	dir := t.TempDir()
	if err := p.WriteSaves(dir); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join(dir, "sub", "x.bin"))
	if err != nil {
		t.Fatal(err)
	}
	ref, _ := binary.Append(nil, binary.LittleEndian, []float32{4, 4.5, 5, 5.5})
	if !bytes.Equal(got, ref) {
		t.Errorf("saved % x, want % x", got, ref)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "sub", "*.tmp")); left != nil {
		t.Errorf("left behind: %v", left)
	}
}

func TestAWrongResultIsACheckErrorWithTheFirstMismatch(t *testing.T) {
	p := parse(t, `
[[launch]]
kernel = "add"
grid = [1]
block = [1]
args = [ {buffer = "x"}, {f32 = 1.0}, {u32 = 2} ]
[buffers.x]
type = "f32"
count = 3
[[expect]]
buffer = "x"
value = 1.0
`)
	d, _ := device()
	err := p.Run(d)
	var ce *host.CheckError
	if !errors.As(err, &ce) || ce.Mismatches != 1 || ce.First != "element 2 is 0, expected 1" {
		t.Fatalf("error %v", err)
	}
	want := []Expect{{Buffer: "x", Mismatches: 1, MaxAbsError: 1, First: "element 2 is 0, expected 1"}}
	if diff := cmp.Diff(want, p.Expects()); diff != "" {
		t.Error(diff)
	}
}

func TestStructuresAreLaidOutByNaturalAlignment(t *testing.T) {
	p := parse(t, `
[[launch]]
kernel = "pair"
grid = [1]
block = [64]
args = [ {struct = [ {s16 = -2}, {buffer = "x", offset = 8} ]} ]
[buffers.x]
type = "u8"
count = 16
`)
	f := runOn(t, p)
	a := f.launches[0].Args[0]
	addr := f.mem.Regions()[0].Addr
	want := append([]byte{0xfe, 0xff, 0, 0, 0, 0, 0, 0}, binary.LittleEndian.AppendUint64(nil, addr+8)...)
	if !bytes.Equal(a.Bytes, want) || a.Align != 8 {
		t.Errorf("argument % x aligned to %d, want % x", a.Bytes, a.Align, want)
	}
}

// contents runs a file with one buffer x and returns its bytes.
func contents(t *testing.T, buffer string) []byte {
	t.Helper()
	p := parse(t, "[[launch]]\nkernel = \"pair\"\ngrid = [1]\nblock = [64]\nargs = [{struct = [{u64 = 0}, {u64 = "+
		"1}]}]\n[buffers.x]\n"+buffer)
	f := runOn(t, p)
	if f.mem.Regions() == nil {
		b, err := f.mem.Symbol(p.modules[0].Module, "coef")
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	return f.mem.Regions()[0].Data
}

func TestBuffersAreFilledAsTheirInitSays(t *testing.T) {
	path := write(t, "in.bin", []byte{9, 8, 7})
	for _, c := range []struct {
		name, text string
		want       []byte
	}{
		{"zeros by default", `type = "u16"` + "\ncount = 2", []byte{0, 0, 0, 0}},
		{"zeros", `type = "u8"` + "\ncount = 2\n" + `init = {kind = "zeros"}`, []byte{0, 0}},
		{"constant", `type = "s16"` + "\ncount = 2\n" + `init = {kind = "constant", value = -3}`,
			[]byte{0xfd, 0xff, 0xfd, 0xff}},
		{"range of integers", `type = "u8"` + "\ncount = 3\n" + `init = {kind = "range", start = 10, step = -5}`,
			[]byte{10, 5, 0}},
		{"values", `type = "b8"` + "\ncount = 3\n" + `init = {kind = "values", data = [1, -1, 255]}`,
			[]byte{1, 255, 255}},
		{"file", `type = "u8"` + "\ncount = 3\n" + `init = {kind = "file", path = '` + path + `'}`, []byte{9, 8, 7}},
		// The first draws of the reference implementation for seed 42, sequence 54 (pcg32-demo), are 0xa15c02b7,
		// 0x7b47f409 and 0xba1d3330: 3, 7 and 4 modulo 10.
		{"uniform integers", `type = "s8"` + "\ncount = 3\n" +
			`init = {kind = "uniform", low = -5, high = 4, seed = 42}`, []byte{0xfe, 2, 0xff}},
		{"a symbol's bytes", `type = "u8"` + "\ncount = 2\nsymbol = \"coef\"\n" +
			`init = {kind = "constant", value = 7}`, append([]byte{7, 7}, make([]byte, 14)...)},
		{"a symbol left alone", `type = "u8"` + "\ncount = 2\nsymbol = \"coef\"\n",
			append([]byte{1}, make([]byte, 15)...)},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := contents(t, c.text)
			if !bytes.Equal(got, c.want) {
				t.Errorf("% x, want % x", got, c.want)
			}
		})
	}
}

func TestUniformFloatsAreRoundedFromDouble(t *testing.T) {
	// 0xa15c02b7 >> 8 = 10574850
	b := contents(t, "type = \"f32\"\ncount = 1\ninit = {kind = \"uniform\", low = 0.1, high = 0.9, seed = 42}")
	lo, hi := 0.1, 0.9
	if got, want := asFloat(b), float32(lo+(hi-lo)*(10574850.0/16777216)); got != want {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestASaveReplacesNoFolder(t *testing.T) {
	p := parse(t, whole)
	runOn(t, p)
	dir := t.TempDir()
	path := filepath.Join(dir, "sub", "x.bin")
	if err := os.MkdirAll(path, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := p.WriteSaves(dir); err == nil || err.Error() != "l.toml:24:8: save.path: cannot write "+path+
		": is a folder" {
		t.Errorf("error %v", err)
	}
	if entries, _ := os.ReadDir(filepath.Dir(path)); len(entries) != 1 {
		t.Errorf("left behind: %v", entries)
	}
}

func TestACTATooManyReachesNoOtherBuffer(t *testing.T) {
	p := parse(t, `
[[launch]]
kernel = "few"
grid = [1]
block = [32]
[buffers.x]
type = "f32"
count = 100
[buffers.y]
type = "f64"
count = 1
`)
	f := runOn(t, p)
	x, y := p.buffers["x"].addr, p.buffers["y"].addr
	if y%mem.Align != 0 {
		t.Errorf("y is at %#x, want a multiple of %d", y, mem.Align)
	}
	// The last access of 1024 threads of 16 bytes each behind the end of x.
	_, err := f.mem.Bytes(x+400+1023*16, 16)
	if err == nil || !strings.Contains(err.Error(), `"x"`) || !strings.Contains(err.Error(), `"y"`) {
		t.Errorf("error %v, want one that names both buffers", err)
	}
}
