package sass

import (
	"bytes"
	"encoding/binary"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"

	"kumiko/kernel/stream"
)

// packed returns a .tracez file of two CTAs, with the warps' lines in pieces of two.
func packed(t testing.TB, header string, dict []byte, opts []zstd.EOption, blocks [][]string) []byte {
	t.Helper()
	enc, err := zstd.NewWriter(nil, opts...)
	if err != nil {
		t.Fatal(err)
	}
	var out, index bytes.Buffer
	put := func(b *bytes.Buffer, v ...any) {
		for _, x := range v {
			if err := binary.Write(b, binary.LittleEndian, x); err != nil {
				t.Fatal(err)
			}
		}
	}
	out.WriteString(header + "\x00")
	put(&out, uint32(len(dict)), uint32(2), dict)
	put(&index, uint32(len(blocks)))
	for id, warps := range blocks {
		put(&index, [10]uint32{uint32(id)}, uint32(len(warps)))
		for _, text := range warps {
			lines := strings.Split(strings.Trim(text, "\n"), "\n")
			pieces := (len(lines) + 1) / 2
			put(&index, uint32(len(lines)), uint32(pieces), uint64(out.Len()))
			put(&out, uint32(len(lines)), uint32(pieces))
			for from := 0; from < len(lines); from += 2 {
				piece := lines[from:min(from+2, len(lines))]
				frame := enc.EncodeAll([]byte(strings.Join(piece, "\n")), nil)
				put(&out, uint32(len(frame)), frame)
				put(&index, uint32(len(piece)))
			}
		}
	}
	at := uint64(out.Len())
	put(&out, index.Bytes(), at)
	return out.Bytes()
}

// read loads a file and returns its streams.
func read(t *testing.T, name string, data []byte) (*Launch, []*stream.CTA) {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	put(t, file, data)
	l := mustLoad(t, file, Options{Strict: true})
	src := l.Source(1)
	defer src.Close()
	var all []*stream.CTA
	for c := src.Next(); c != nil; c = src.Next() {
		all = append(all, c)
	}
	if err := src.Err(); err != nil {
		t.Fatal(err)
	}
	return l, all
}

func TestAPackedTraceIsReadAsItsText(t *testing.T) {
	header := head("2,1,1", "64,1,1")
	_, want := read(t, "k.traceg", []byte(header+block("0,0,0", loop, loop)+block("1,0,0", loop, loop)))
	plain := []byte(strings.Repeat("0010 00000003 1 R1 LD.E.64 1 R2 8 0", 20))
	for name, c := range map[string]struct {
		dict []byte
		opts []zstd.EOption
	}{
		"without a dictionary": {},
		"with a plain one":     {plain, []zstd.EOption{zstd.WithEncoderDictRaw(0, plain)}},
	} {
		data := packed(t, header, c.dict, c.opts, [][]string{{loop, loop}, {loop, loop}})
		l, got := read(t, "k.tracez", data)
		if d := cmp.Diff(streams(want), streams(got), cmp.AllowUnexported(stream.Access{})); d != "" {
			t.Errorf("%s:\n%s", name, d)
		}
		if l.Name != "k" {
			t.Errorf("%s: the kernel %q", name, l.Name)
		}
	}
}

func streams(list []*stream.CTA) (out [][]stream.Warp) {
	for _, c := range list {
		out = append(out, c.Warps)
	}
	return out
}

func TestABrokenPackedTraceIsRefused(t *testing.T) {
	good := packed(t, head("1,1,1", "32,1,1"), nil, nil, [][]string{{loop}})
	replay := packed(t, head("1,1,1", "32,1,1"), nil, nil, [][]string{{"0010 ffffffff 0 REPLAY_START 0 0\n"}})
	for _, c := range []struct {
		data []byte
		want string
	}{
		{[]byte("text"), "found no byte 0 behind the header, expected a trace of the format .tracez"},
		{good[:len(good)-1], "expected it within the file"},
		{append(bytes.Clone(good[:len(good)-8]), 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff),
			"found the index at byte"},
		{replay, "REPLAY_START"},
		{bytes.Replace(good, []byte{0x28, 0xb5, 0x2f, 0xfd}, []byte("none"), 1), "the piece at byte"},
	} {
		file := filepath.Join(t.TempDir(), "k.tracez")
		put(t, file, c.data)
		if _, err := Load(file, Options{}); err == nil || !strings.Contains(err.Error(), c.want) ||
			!strings.HasPrefix(err.Error(), file) {
			t.Errorf("got %v, expected %q", err, c.want)
		}
	}
}

func FuzzTracez(f *testing.F) {
	f.Add(packed(f, head("1,1,1", "32,1,1"), nil, nil, [][]string{{loop}}))
	file := filepath.Join(f.TempDir(), "k.tracez")
	f.Fuzz(func(t *testing.T, data []byte) {
		put(t, file, data)
		_, _ = Load(file, Options{}) // no panic, and no memory without bounds
	})
}
