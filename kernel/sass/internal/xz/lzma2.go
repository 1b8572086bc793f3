package xz

import (
	"errors"
	"io"
)

// maxDict bounds the dictionary, in bytes; xz -9 uses 64 MiB.
const maxDict = 1 << 27

// maxChunk is the largest decompressed size of a chunk, in bytes.
const maxChunk = 1 << 21

// lzma2 decodes the chunks of a block.
type lzma2 struct {
	r    *counter
	dict int
	z    lzma
	buf  []byte // the dictionary, and behind it the new chunk
	low  int    // beginning of the dictionary in buf
	in   []byte
	// True until the first dictionary, state or properties. A chunk needing one of them is invalid before.
	needDict, needState, needProps bool
}

func dictSize(b byte) (int, error) {
	if b > 40 {
		return 0, errors.New("a dictionary of unknown size")
	}
	size := uint64(1)<<32 - 1
	if b < 40 {
		size = uint64(2|b&1) << (b/2 + 11)
	}
	if size > maxDict {
		return 0, errors.New("a dictionary of more than 128 MiB")
	}
	return int(size), nil
}

func newLZMA2(r *counter, dict int) *lzma2 {
	return &lzma2{r: r, dict: dict, needDict: true, needState: true, needProps: true}
}

// next returns the next chunk, or io.EOF behind the last. The chunk is valid until the next call.
func (l *lzma2) next() ([]byte, error) {
	control, err := l.r.byte()
	if err != nil {
		return nil, unexpected(err)
	}
	if control == 0 {
		return nil, io.EOF
	}
	if control == 1 || control >= 0xe0 {
		l.needDict, l.low, l.z.pos = false, len(l.buf), 0
	}
	if l.needDict || control > 2 && control < 0x80 {
		return nil, errData
	}
	l.slide()
	from := len(l.buf)
	if control < 0x80 {
		err = l.stored()
	} else {
		err = l.compressed(control)
	}
	return l.buf[from:], unexpected(err)
}

// slide drops the bytes too far back for a match.
func (l *lzma2) slide() {
	l.low = max(l.low, len(l.buf)-l.dict)
	if cap(l.buf)-len(l.buf) >= maxChunk {
		return
	}
	keep := l.buf[l.low:]
	if cap(l.buf) >= len(keep)+2*maxChunk {
		l.buf = l.buf[:copy(l.buf, keep)]
	} else {
		l.buf = append(make([]byte, 0, min(2*len(keep)+2*maxChunk, l.dict+4*maxChunk)), keep...)
	}
	l.low = 0
}

func (l *lzma2) stored() error {
	n, err := l.r.be16()
	if err != nil {
		return err
	}
	from := len(l.buf)
	l.buf = l.buf[:from+n+1]
	l.z.pos += uint32(n + 1)
	return l.r.full(l.buf[from:])
}

func (l *lzma2) compressed(control byte) error {
	low, err := l.r.be16()
	if err != nil {
		return err
	}
	packed, err := l.r.be16()
	if err != nil {
		return err
	}
	size := int(control&0x1f)<<16 + low + 1
	if control >= 0xc0 {
		b, err := l.r.byte()
		if err != nil {
			return err
		}
		if !l.z.properties(b) {
			return errData
		}
		l.needProps = false
	}
	if l.needProps {
		return errData
	}
	if control >= 0xa0 {
		l.z.resetState()
		l.needState = false
	}
	if l.needState {
		return errData
	}
	if cap(l.in) < packed+1 {
		l.in = make([]byte, 1<<16)
	}
	in := l.in[:packed+1]
	if err := l.r.full(in); err != nil {
		return err
	}
	if !l.z.rc.init(in) {
		return errData
	}
	l.buf, err = l.z.decode(l.buf, l.low, size)
	return err
}
