package cudart

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"

	"github.com/pierrec/lz4/v4"
)

// The device code of a program of nvcc is a fat binary: a header, and images for architectures, each with a header of
// its own. NVIDIA does not describe the format. What follows is as nvcc 11.8 writes it, with each of its options about
// compression; a test reads what it writes.
const (
	fatMagic     = 0xba55ed50
	fatHeader    = 16 // magic, version (16 bits), bytes of this header (16), bytes behind it (64)
	imageHeader  = 64 // the least; its second word has the size, and a name and options follow
	imagePTX     = 1
	imageLZ4     = 1 << 13 // flag: compressed as a block of LZ4
	largestImage = mostBytes
)

// image is a part of a fat binary.
type image struct {
	kind         uint16
	arch         int
	flags, whole uint64 // whole: bytes when uncompressed
	data         []byte
}

// isFat reports whether device code is a fat binary. Otherwise it is PTX.
func isFat(code []byte) bool {
	return len(code) >= fatHeader && binary.LittleEndian.Uint32(code) == fatMagic
}

// ptxOf returns the PTX in a fat binary. Of several it is the one for the latest architecture, because Kumiko's GPUs
// execute PTX for all.
func ptxOf(code []byte) ([]byte, error) {
	images, err := imagesOf(code)
	if err != nil {
		return nil, fmt.Errorf("the device code of the program is damaged: %w", err)
	}
	var best *image
	var archs []string
	for i := range images {
		m := &images[i]
		if m.kind == imagePTX && (best == nil || m.arch > best.arch) {
			best = m
		}
		archs = append(archs, fmt.Sprintf("sm_%d", m.arch))
	}
	if best == nil {
		return nil, fmt.Errorf("found machine code for %s, expected PTX: compile with nvcc -arch=sm_70, or with "+
			"-gencode arch=compute_70,code=compute_70 too", strings.Join(archs, ", "))
	}
	return best.text()
}

func imagesOf(code []byte) (list []image, err error) {
	short := errors.New("it is too short")
	head := int(binary.LittleEndian.Uint16(code[6:]))
	size := binary.LittleEndian.Uint64(code[8:])
	if head < fatHeader || head > len(code) || size > uint64(len(code)-head) {
		return nil, short
	}
	for rest := code[head : head+int(size)]; len(rest) > 0; {
		if len(rest) < imageHeader {
			return nil, short
		}
		word := func(at int) uint32 { return binary.LittleEndian.Uint32(rest[at:]) }
		long := func(at int) uint64 { return binary.LittleEndian.Uint64(rest[at:]) }
		head, size := uint64(word(4)), long(8)
		if head < imageHeader || head > uint64(len(rest)) || size > uint64(len(rest))-head {
			return nil, short
		}
		m := image{kind: uint16(word(0)), arch: int(word(28)), flags: long(40), whole: long(56)}
		m.data = rest[head : head+size]
		if n := uint64(word(16)); n > 0 && n < size { // the rest is padding
			m.data = m.data[:n]
		}
		list = append(list, m)
		rest = rest[head+size:]
	}
	return list, nil
}

// text returns the uncompressed contents of an image, without a zero byte at the end.
func (m *image) text() ([]byte, error) {
	out := m.data
	switch {
	case m.flags&imageLZ4 != 0:
		if m.whole > largestImage {
			return nil, fmt.Errorf("found PTX of %d bytes, expected at most %d", m.whole, largestImage)
		}
		out = make([]byte, m.whole)
		n, err := lz4.UncompressBlock(m.data, out)
		if err != nil {
			return nil, fmt.Errorf("the PTX of the program cannot be uncompressed: %w", err)
		}
		out = out[:n]
	case !bytes.Contains(out, []byte(".version")):
		return nil, fmt.Errorf("found PTX compressed otherwise than by nvcc 11 (flags %#x): compile with "+
			"nvcc -Xfatbin -compress=false, or with kumiko nvcc", m.flags)
	}
	return bytes.TrimRight(out, "\x00"), nil
}
