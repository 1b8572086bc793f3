package xz

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"strings"

	"github.com/ulikunitz/xz"
	"github.com/ulikunitz/xz/lzma"
)

// Reader decompresses one or several streams, one behind the other.
type Reader struct {
	file end
	xz   *xz.Reader // nil before the first Read
}

// NewReader begins to decompress r.
func NewReader(r io.Reader) *Reader { return &Reader{file: end{r: r}} }

// Read implements io.Reader. At the premature end of a file it returns io.ErrUnexpectedEOF.
func (x *Reader) Read(p []byte) (n int, err error) {
	if x.xz == nil {
		x.xz, err = xz.ReaderConfig{DictCap: lzma.MinDictCap}.NewReader(&x.file) // a file may ask for more
	}
	if err == nil {
		n, err = x.xz.Read(p)
	}
	switch {
	case err == io.EOF && !x.file.complete():
		err = io.ErrUnexpectedEOF
	case err != nil && strings.Contains(err.Error(), "filter"):
		err = fmt.Errorf("found another filter, expected LZMA2 alone, which xz uses by itself: %w", err)
	}
	return n, err
}

const (
	footer = 12 // bytes: a CRC32 of six bytes, these bytes, and a magic number
	kept   = 64 << 10
)

// end keeps the last bytes of what is read.
type end struct {
	r    io.Reader
	last []byte
}

// Read implements io.Reader.
func (e *end) Read(p []byte) (int, error) {
	n, err := e.r.Read(p)
	e.last = append(e.last, p[:n]...)
	if extra := len(e.last) - kept; extra > kept {
		e.last = append(e.last[:0], e.last[extra:]...)
	}
	return n, err
}

// complete reports whether a footer is the last that was read, but for padding by zeros of less than kept bytes.
func (e *end) complete() bool {
	b := bytes.TrimRight(e.last, "\x00")
	if len(b) < footer {
		return false
	}
	b = b[len(b)-footer:]
	return binary.LittleEndian.Uint32(b) == crc32.ChecksumIEEE(b[4:10]) && string(b[10:]) == "YZ"
}
