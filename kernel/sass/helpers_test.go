package sass

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"kumiko/kernel/ir"
	"kumiko/kernel/stream"
)

// head is the header of a trace of tracer version 5 with the given grid and block.
func head(grid, block string) string {
	return headOf(5, grid, block, 0)
}

func headOf(version int, grid, block string, lineinfo int) string {
	return fmt.Sprintf(`-kernel name = k
-kernel id = 1
-grid dim = (%s)
-block dim = (%s)
-shmem = 256
-nregs = 10
-binary version = 80
-cuda stream id = 0
-shmem base_addr = 0x00007f5e00000000
-local mem base_addr = 0x00007f5ddd000000
-nvbit version = 1.7
-accelsim tracer version = %d
-enable lineinfo = %d

#traces format = PC mask dest_num [reg_dests] opcode src_num [reg_srcs] mem_width [adrrescompress?] [mem_addresses]

`, grid, block, version, lineinfo)
}

// block is a thread block with the lines of its warps.
func block(id string, warps ...string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "#BEGIN_TB\n\nthread block = %s\n", id)
	for i, w := range warps {
		w = strings.TrimLeft(w, "\n")
		fmt.Fprintf(&b, "\nwarp = %d\ninsts = %d\n%s", i, strings.Count(w, "\n"), w)
	}
	b.WriteString("\n#END_TB\n\n")
	return b.String()
}

// scanText is the first pass over a text.
func scanText(text string, opt Options) (*Launch, error) {
	return scan("t.traceg", strings.NewReader(text), opt)
}

func mustScan(t testing.TB, text string) *Launch {
	t.Helper()
	l, err := scanText(text, Options{Strict: true})
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// ctasOf is the second pass over a text.
func ctasOf(t testing.TB, l *Launch, text string) []*stream.CTA {
	t.Helper()
	var out []*stream.CTA
	r := bytes.NewReader([]byte(text))
	err := l.blocksInOrder(r, r, func(c *stream.CTA) bool {
		out = append(out, c)
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// dyn is a dynamic instruction with the addresses of its lanes.
type dyn struct {
	pc     uint32
	exec   uint32
	access bool
	space  ir.Space
	lanes  [32]uint64
}

func walk(k *ir.Kernel, w *stream.Warp) []dyn {
	var out []dyn
	var c stream.Cursor
	c.Start(k, w)
	var d stream.Dyn
	for c.Next(&d) {
		x := dyn{pc: d.PC, exec: d.Exec}
		if d.Access != nil {
			x.access, x.space = true, d.Access.Space
			d.Access.Lanes(d.Exec, &x.lanes)
		}
		out = append(out, x)
	}
	return out
}

// accesses are the memory accesses of a text with one thread block of one warp.
func accesses(t *testing.T, lines string) []dyn {
	t.Helper()
	text := head("1,1,1", "32,1,1") + block("0,0,0", lines)
	l := mustScan(t, text)
	var out []dyn
	for _, d := range walk(l.Kernel, &ctasOf(t, l, text)[0].Warps[0]) {
		if d.access {
			out = append(out, d)
		}
	}
	return out
}

func write(t testing.TB, name, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	put(t, file, text)
	return file
}

// mustLoad reads a trace.
func mustLoad(t rapid.TB, file string, opt Options) *Launch {
	t.Helper()
	l, err := Load(file, opt)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// newRecorder returns a recorder that writes to a folder.
func newRecorder(t rapid.TB, dir string) *Recorder {
	t.Helper()
	r, err := NewRecorder(dir)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// put writes a file.
func put[T string | []byte](t testing.TB, file string, data T) {
	t.Helper()
	if err := os.WriteFile(file, []byte(data), 0o600); err != nil {
		t.Fatal(err)
	}
}
