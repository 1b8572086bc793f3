package sass

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/klauspost/compress/zstd"
)

// A .tracez file, written by Accel-Sim 2.0, has the lines of a trace in separately compressed pieces. All numbers
// are little-endian:
//
//	the header's lines, and a byte 0
//	u32 bytes of the dictionary, u32 lines of a piece (a hint), the dictionary
//	of each warp: u32 lines, u32 pieces, and each piece: u32 bytes, a zstd frame
//	the index, and u64 where the index begins
//
// The index is u32 thread blocks, and of each: u32 x, y, z, seven u32 about its cluster, u32 warps, and of each:
// u32 lines, u32 pieces, u64 where it begins, u32 lines of each piece. (Accel-Sim,
// util/tracer_nvbit/tracer_tool/tracez_format.h.)
const tracezExt = ".tracez"

// magicDict begins a trained dictionary; other dictionaries are plain content.
var magicDict = []byte{0x37, 0xa4, 0x30, 0xec}

// maxBlock is the default of Limits.BlockBytes. It also bounds a piece of a CTA.
const maxBlock = 1 << 31

// tracez reads such a file as text.
type tracez struct {
	file  *os.File
	size  int64
	index *bufio.Reader
	zstd  *zstd.Decoder
	text  bytes.Buffer // not read yet
	left  uint32       // thread blocks
	lim   Limits
	err   error
}

// openTracez reads the header and the dictionary.
func openTracez(f *os.File, lim Limits) (*tracez, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	t := &tracez{file: f, size: info.Size(), lim: lim}
	head := bufio.NewReader(io.NewSectionReader(f, 0, t.size))
	text, err := head.ReadBytes(0)
	if err == nil && len(text) > lim.BlockBytes {
		return nil, fmt.Errorf("found a header of %d bytes, expected fewer (--max-block-bytes %d)", len(text),
			lim.BlockBytes)
	}
	if err != nil {
		return nil, fmt.Errorf("found no byte 0 behind the header, expected a trace of the format .tracez")
	}
	t.text.Write(text[:len(text)-1])
	t.text.WriteString("\n")
	var sizes [2]uint32
	if err := binary.Read(head, binary.LittleEndian, &sizes); err != nil || int64(sizes[0]) > t.size {
		return nil, fmt.Errorf("found the end of the file in the dictionary, expected its %d bytes", sizes[0])
	}
	dict := make([]byte, sizes[0])
	if _, err := io.ReadFull(head, dict); err != nil {
		return nil, fmt.Errorf("found the end of the file in the dictionary, expected its %d bytes", sizes[0])
	}
	opts := []zstd.DOption{zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(uint64(lim.BlockBytes))}
	switch {
	case bytes.HasPrefix(dict, magicDict):
		opts = append(opts, zstd.WithDecoderDicts(dict))
	case len(dict) > 0:
		opts = append(opts, zstd.WithDecoderDictRaw(0, dict))
	}
	if t.zstd, err = zstd.NewReader(nil, opts...); err != nil {
		return nil, fmt.Errorf("the dictionary: %w", err)
	}
	var at [8]byte
	if _, err := f.ReadAt(at[:], t.size-8); err != nil {
		return nil, err
	}
	from := binary.LittleEndian.Uint64(at[:])
	if from > uint64(t.size-8) {
		return nil, fmt.Errorf("found the index at byte %d of %d, expected it within the file", from, t.size)
	}
	t.index = bufio.NewReader(io.NewSectionReader(f, int64(from), t.size-8-int64(from)))
	return t, t.number("the number of thread blocks", &t.left)
}

func (t *tracez) number(what string, v any) error {
	if err := binary.Read(t.index, binary.LittleEndian, v); err != nil {
		return fmt.Errorf("found the end of the index, expected %s", what)
	}
	return nil
}

// Read implements io.Reader.
func (t *tracez) Read(p []byte) (int, error) {
	for t.text.Len() == 0 {
		if t.err == nil && t.left == 0 {
			t.err = io.EOF
		}
		if t.err != nil {
			return 0, t.err
		}
		t.left--
		t.err = t.block()
	}
	return t.text.Read(p)
}

// block decompresses the text of the next CTA.
func (t *tracez) block() error {
	var b struct {
		ID      [3]uint32
		Cluster [7]uint32
		Warps   uint32
	}
	if err := t.number("a thread block", &b); err != nil {
		return err
	}
	fmt.Fprintf(&t.text, "#BEGIN_TB\nthread block = %d,%d,%d\n", b.ID[0], b.ID[1], b.ID[2])
	if rank := b.Cluster[6]; rank > 0 {
		fmt.Fprintf(&t.text, "cluster rank = %d\n", rank)
	}
	for n := range b.Warps {
		if err := t.warp(n); err != nil {
			return err
		}
	}
	t.text.WriteString("#END_TB\n")
	return nil
}

// warp decompresses the text of the next warp.
func (t *tracez) warp(n uint32) error {
	var w struct {
		Lines, Pieces uint32
		At            uint64
	}
	if err := t.number("a warp", &w); err != nil {
		return err
	}
	if _, err := t.index.Discard(4 * int(w.Pieces)); err != nil {
		return fmt.Errorf("found the end of the index, expected the lines of %d pieces", w.Pieces)
	}
	fmt.Fprintf(&t.text, "warp = %d\ninsts = %d\n", n, w.Lines)
	at := int64(w.At) + 8
	for range w.Pieces {
		size, err := t.piece(at)
		if err != nil {
			return fmt.Errorf("warp %d: %w", n, err)
		}
		at += 4 + size
	}
	return nil
}

// piece appends the lines of the piece at a place, and returns its compressed size.
func (t *tracez) piece(at int64) (int64, error) {
	var head [4]byte
	if at < 0 || at > t.size-4 {
		return 0, fmt.Errorf("found a piece at byte %d of %d, expected it within the file", at, t.size)
	}
	if _, err := t.file.ReadAt(head[:], at); err != nil {
		return 0, err
	}
	size := int64(binary.LittleEndian.Uint32(head[:]))
	if size > t.size-4-at {
		return 0, fmt.Errorf("found a piece of %d bytes at byte %d of %d, expected it within the file", size, at,
			t.size)
	}
	packed := make([]byte, size)
	if _, err := t.file.ReadAt(packed, at+4); err != nil {
		return 0, err
	}
	lines, err := t.zstd.DecodeAll(packed, nil)
	if err != nil {
		return 0, fmt.Errorf("the piece at byte %d: %w", at, err)
	}
	if bytes.Contains(lines, []byte(" REPLAY_")) {
		return 0, fmt.Errorf("found a region that is replayed (REPLAY_START) in the piece at byte %d, which is not "+
			"supported", at)
	}
	if t.text.Len()+len(lines) > t.lim.BlockBytes {
		return 0, fmt.Errorf("found more than %d bytes of text in a thread block, expected fewer (--max-block-bytes "+
			"%d)",
			t.lim.BlockBytes, t.lim.BlockBytes)
	}
	t.text.Write(bytes.TrimRight(lines, "\n"))
	t.text.WriteString("\n")
	return size, nil
}

func isTracez(name string) bool { return strings.HasSuffix(name, tracezExt) }
