package sass

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"

	"kumiko/kernel/stream"
)

// recorded writes a launch in one form and returns the file's name.
func recorded(t *testing.T, packed bool, l *Launch, ctas []*stream.CTA) string {
	t.Helper()
	dir := t.TempDir()
	r := newRecorder(t, dir)
	r.Packed = packed
	src, err := r.Record(l.Kernel, l.Grid, l.Block, l.SharedBytes, &fixedSource{ctas: ctas})
	if err != nil {
		t.Fatal(err)
	}
	for src.Next() != nil {
	}
	if err := src.Err(); err != nil {
		t.Fatal(err)
	}
	if len(r.list) != 1 {
		t.Fatalf("recorded %q, expected one launch", r.list)
	}
	return filepath.Join(dir, r.list[0])
}

// long returns a trace with one warp of lines instructions.
func long(lines int) string {
	return head("1,1,1", "32,1,1") + block("0,0,0", strings.Repeat("0010 ffffffff 1 R1 IADD3 1 R1 0 0\n", lines))
}

func TestBothFormsOfARecordingHaveTheSameLines(t *testing.T) {
	for name, text := range map[string]string{"several blocks": shuffledText(), "one piece": long(pieceLines),
		"two pieces": long(pieceLines + 1)} {
		l := mustScan(t, text)
		var got [2][]string
		for i, packed := range []bool{false, true} {
			file := recorded(t, packed, l, ctasOf(t, l, text))
			in, err := openInput(file, nil, Limits{}.orDefault())
			if err != nil {
				t.Fatal(err)
			}
			lines := newLines(in, maxLine)
			for {
				line, err := lines.next()
				if err != nil {
					break
				}
				if s := string(bytes.TrimSpace(line)); s != "" {
					got[i] = append(got[i], s)
				}
			}
			in.Close()
		}
		if d := cmp.Diff(got[0], got[1]); d != "" || len(got[0]) < 20 {
			t.Errorf("%s: %d lines (-text +packed):\n%s", name, len(got[0]), d)
		}
	}
}

// Accel-Sim's reader stops at a piece without its decompressed size, which zstd may leave out of small pieces.
func TestEveryPieceSaysHowLargeItIsUnpacked(t *testing.T) {
	text := long(pieceLines + 1)
	l := mustScan(t, text)
	data, err := os.ReadFile(recorded(t, true, l, ctasOf(t, l, text)))
	if err != nil {
		t.Fatal(err)
	}
	at := bytes.IndexByte(data, 0) + 1 + 8 // the header, and no dictionary
	if n := binary.LittleEndian.Uint32(data[at+4:]); n != 2 {
		t.Fatalf("found %d pieces, expected 2", n)
	}
	at += 8
	for piece := range 2 {
		size := int(binary.LittleEndian.Uint32(data[at:]))
		var h zstd.Header
		if err := h.Decode(data[at+4:]); err != nil {
			t.Fatal(err)
		}
		if !h.HasFCS || h.FrameContentSize == 0 {
			t.Errorf("piece %d: found no size in its header", piece)
		}
		at += 4 + size
	}
	if from := binary.LittleEndian.Uint64(data[len(data)-8:]); from != uint64(at) {
		t.Errorf("the index begins at %d, and the pieces end at %d", from, at)
	}
}
