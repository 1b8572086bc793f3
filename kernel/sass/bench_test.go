package sass

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// benchText is a trace of a loop with a quarter of memory instructions: 64
// blocks of 8 warps of 512 instructions.
func benchText() (string, uint64) {
	var warp strings.Builder
	for i := range 512 / 8 {
		fmt.Fprintf(&warp, "0000 ffffffff 1 R4 LDG.E 1 R2 4 1 0x7fb0fc4%05x 4 0 \n", i*128)
		fmt.Fprintf(&warp, "0010 ffffffff 1 R3 LDG.E 1 R2 4 2 0x7fb0fc430e00 4 4 8 16 -32 4 4 4 8 16 -32 4 4 4 8 16 "+
			"-32 4 4 4 8 16 -32 4 4 4 8 16 -32 4 4 4 0 \n")
		for j := range 5 {
			fmt.Fprintf(&warp, "%04x ffffffff 1 R%d FFMA 3 R4 R3 R%d 0 0 \n", 0x20+16*j, 5+j, 5+j)
		}
		warp.WriteString("0070 ffffffff 0 BRA 0 0 0 \n")
	}
	var warps []string
	for range 8 {
		warps = append(warps, warp.String())
	}
	var b strings.Builder
	b.WriteString(head("64,1,1", "256,1,1"))
	for i := range 64 {
		b.WriteString(block(fmt.Sprintf("%d,0,0", i), warps...))
	}
	return b.String(), 64 * 8 * 512
}

// BenchmarkRead reads a trace from a file, both passes.
func BenchmarkRead(b *testing.B) {
	text, n := benchText()
	file := write(b, "k.traceg", text)
	b.SetBytes(int64(len(text)))
	start := time.Now()
	for b.Loop() {
		l, err := Load(file, Options{})
		if err != nil {
			b.Fatal(err)
		}
		s := l.Source(8)
		for s.Next() != nil {
		}
		if l.Report.WarpInstructions != n || s.Err() != nil {
			b.Fatal(l.Report.WarpInstructions, s.Err())
		}
	}
	b.ReportMetric(float64(n)*float64(b.N)/time.Since(start).Seconds()/1e6, "Minst/s")
}
