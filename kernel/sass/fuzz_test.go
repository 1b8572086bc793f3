package sass

import (
	"bytes"
	"io"
	"log"
	"testing"

	"kumiko/kernel/ir"
	"kumiko/kernel/stream"
)

// FuzzRead reads any bytes. Whatever the first pass takes, the second must take
// too and give streams that can be walked.
func FuzzRead(f *testing.F) {
	log.SetOutput(io.Discard)
	f.Add([]byte(shuffledText()))
	f.Add([]byte(head("1,1,1", "32,1,1") + block("0,0,0", loop)))
	f.Add([]byte(headOf(6, "1,1,1", "32,1,1", 1) +
		block("0,0,0", "7 0010 00000003 1 R1 LD.E.64 1 R2 8 0 0x7f5e00000000 0x10 0 0 NoVal\n")))
	f.Add([]byte("-kumiko program = 1\n-kumiko kernel = {\"NumRegs\":4}\n-kumiko inst = {\"Op\":1}\n" +
		head("1,1,1", "32,1,1")))
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
