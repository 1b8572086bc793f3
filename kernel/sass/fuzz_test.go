package sass

import (
	"bytes"
	"io"
	"log"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"kumiko/kernel/ir"
	"kumiko/kernel/stream"
)

// FuzzRead reads any bytes. Input accepted by the first pass must be accepted by the second too, with streams that
// a cursor can walk.
func FuzzRead(f *testing.F) {
	log.SetOutput(io.Discard)
	f.Add([]byte(shuffledText()))
	f.Add([]byte(head("1,1,1", "32,1,1") + block("0,0,0", loop)))
	f.Add([]byte(headOf(6, "1,1,1", "32,1,1", 1) +
		block("0,0,0", "7 0010 00000003 1 R1 LD.E.64 1 R2 8 0 0x7f5e00000000 0x10 0 0 NoVal\n")))
	f.Add([]byte("-kumiko program = 1\n-kumiko kernel = {\"NumRegs\":4}\n-kumiko inst = {\"Op\":1}\n" +
		head("1,1,1", "32,1,1")))
	f.Add([]byte(headOf(2, "1,1,1", "32,1,1", 0) +
		"#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\ninsts = 1\n0 0 0 0 0010 ffffffff 1 R1 FADD 2 R2 R255 0\n"))
	f.Add([]byte("-kumiko program = 1\n-kumiko kernel = {\"NumRegs\":4}\n-kumiko inst = {\"Op\":1,\"Type\":24}\n" +
		head("1,1,1", "32,1,1")))
	f.Add([]byte(head("1,1,1", "33,1,1") + block("0,0,0", "0010 ffffffff 1 R1 LDG.E 1 R2 4 1 0xfffffffffffffff0 -4\n",
		"0010 00000003 1 R1 LDG.E 1 R2 4 2 0x10 -16\n")))
	f.Fuzz(func(t *testing.T, data []byte) {
		l, err := scan("f", bytes.NewReader(data), Options{})
		if err != nil {
			return
		}
		r := bytes.NewReader(data)
		insts := uint64(0)
		err = l.blocksInOrder(r, r, func(c *stream.CTA) bool {
			for i := range c.Warps {
				for _, d := range walk(l.Kernel, &c.Warps[i]) {
					if in := &l.Kernel.Insts[d.pc]; d.exec != 0 && d.access != (in.T.Space != ir.SpaceNone) {
						t.Fatalf("an access at %s", in)
					}
				}
				insts += c.Warps[i].Insts
			}
			return true
		})
		if err != nil || insts != l.Report.WarpInstructions {
			t.Fatalf("%d instructions, %d in the first pass; %v", insts, l.Report.WarpInstructions, err)
		}
	})
}

func FuzzList(f *testing.F) {
	f.Add([]byte("MemcpyHtoD,0x10,4\nkernel-1.traceg\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if l, err := readList("l.g", bytes.NewReader(data)); err == nil && len(l.Commands) == 0 {
			t.Fatal("a list without commands was taken")
		}
	})
}

// FuzzCheck checks any bytes as a trace of either form. Each finding has the file's name and a text; the same bytes
// have the same findings.
func FuzzCheck(f *testing.F) {
	f.Add([]byte(volta(fine)), false)
	f.Add([]byte(volta("0000 0000000d 2 R1 UR2 ATOMS.S8 1 R2 4 1 0x100 4 0\n")), false)
	text := long(2)
	l, err := scanText(text, Options{})
	if err != nil {
		f.Fatal(err)
	}
	r, err := NewRecorder(f.TempDir())
	if err != nil {
		f.Fatal(err)
	}
	r.Packed = true
	w, err := r.Launch(l.Kernel, l.Grid, l.Block, 0)
	if err != nil {
		f.Fatal(err)
	}
	if err := w.CTA(ctasOf(f, l, text)[0]); err != nil {
		f.Fatal(err)
	}
	if err := w.Close(); err != nil {
		f.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(r.dir, r.list[0]))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data, true)
	f.Fuzz(func(t *testing.T, data []byte, packed bool) {
		name := "k.traceg"
		if packed {
			name = "k.tracez"
		}
		file := write(t, name, string(data))
		list, err := Check(file)
		if err != nil {
			t.Fatal(err)
		}
		again, _ := Check(file)
		if !slices.Equal(list, again) {
			t.Errorf("found %v, then %v", list, again)
		}
		for _, x := range list {
			if x.File != file || x.Text == "" || x.Severity == "" {
				t.Errorf("found %+v", x)
			}
		}
	})
}
