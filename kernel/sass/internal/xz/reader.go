package xz

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"hash/crc32"
	"hash/crc64"
	"io"
)

var (
	headMagic = []byte{0xfd, '7', 'z', 'X', 'Z', 0}
	footMagic = []byte("YZ")
)

// Reader decompresses one or several streams, one behind the other.
type Reader struct {
	r     *counter
	flags [2]byte
	open  bool // within a stream
	block *lzma2
	sum   hash.Hash
	head  blockHeader
	began uint64 // of the block, in the file
	size  uint64 // of the block, decompressed
	list  []record
	out   []byte
	err   error
}

type record struct{ unpadded, size uint64 }

type blockHeader struct {
	bytes                    int
	dict                     int
	packed, size             uint64
	packedKnown, sizeIsKnown bool
}

// NewReader begins to decompress r.
func NewReader(r io.Reader) *Reader { return &Reader{r: &counter{r: bufio.NewReaderSize(r, 1<<16)}} }

// Read implements io.Reader. At the premature end of a file it returns io.ErrUnexpectedEOF.
func (x *Reader) Read(p []byte) (int, error) {
	for len(x.out) == 0 {
		if x.err != nil {
			return 0, x.err
		}
		if x.err = x.step(); x.err == io.EOF && x.open {
			x.err = io.ErrUnexpectedEOF
		}
	}
	n := copy(p, x.out)
	x.out = x.out[n:]
	return n, nil
}

// step reads the next part of the file.
func (x *Reader) step() error {
	switch {
	case !x.open:
		return x.stream()
	case x.block == nil:
		return x.blockOrIndex()
	}
	out, err := x.block.next()
	if err == io.EOF {
		return x.endBlock()
	}
	if err != nil {
		return err
	}
	x.size += uint64(len(out))
	x.sum.Write(out)
	x.out = out
	return nil
}

func unexpected(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// stream begins a stream, or ends with io.EOF behind the last.
func (x *Reader) stream() error {
	var h [12]byte
	for first := x.r.n == 0; ; first = false {
		if _, err := io.ReadFull(x.r, h[:4]); err != nil {
			if err == io.EOF && first {
				return io.ErrUnexpectedEOF
			}
			return err
		}
		if first || h[0]|h[1]|h[2]|h[3] != 0 {
			break // otherwise padding
		}
	}
	if err := x.r.full(h[4:]); err != nil {
		return unexpected(err)
	}
	if !bytes.Equal(h[:6], headMagic) || h[6] != 0 || h[7] > 15 ||
		binary.LittleEndian.Uint32(h[8:]) != crc32.ChecksumIEEE(h[6:8]) {
		return errors.New("corrupt xz header")
	}
	copy(x.flags[:], h[6:8])
	switch h[7] {
	case 0:
		x.sum = none{}
	case 1:
		x.sum = crc32.NewIEEE()
	case 4:
		x.sum = crc64.New(crc64.MakeTable(crc64.ECMA))
	case 10:
		x.sum = sha256.New()
	default:
		return fmt.Errorf("xz check of unknown kind %d", h[7])
	}
	x.open, x.list = true, nil
	return nil
}

// none is the check of streams without one.
type none struct{ hash.Hash }

func (none) Write(p []byte) (int, error) { return len(p), nil }
func (none) Sum(p []byte) []byte         { return p }
func (none) Reset()                      {}

func (x *Reader) blockOrIndex() error {
	x.began = x.r.n
	b, err := x.r.byte()
	if err != nil {
		return unexpected(err)
	}
	if b == 0 {
		return x.index()
	}
	h := make([]byte, (int(b)+1)*4)
	h[0] = b
	if err := x.r.full(h[1:]); err != nil {
		return unexpected(err)
	}
	if x.head, err = parseBlock(h); err != nil {
		return err
	}
	x.block, x.size = newLZMA2(x.r, x.head.dict), 0
	x.sum.Reset()
	return nil
}

func parseBlock(h []byte) (b blockHeader, err error) {
	b.bytes = len(h)
	body := h[:len(h)-4]
	if binary.LittleEndian.Uint32(h[len(body):]) != crc32.ChecksumIEEE(body) {
		return b, errors.New("corrupt xz block header")
	}
	flags := body[1]
	if flags&0x3f != 0 {
		return b, errors.New("xz filters other than LZMA2, which are not read")
	}
	r := bytes.NewReader(body[2:])
	if flags&0x40 != 0 {
		b.packedKnown = true
		if b.packed, err = binary.ReadUvarint(r); err != nil {
			return b, errors.New("corrupt xz block header")
		}
	}
	if flags&0x80 != 0 {
		b.sizeIsKnown = true
		if b.size, err = binary.ReadUvarint(r); err != nil {
			return b, errors.New("corrupt xz block header")
		}
	}
	var f [3]byte // filter 0x21 with one byte of properties
	if _, err := io.ReadFull(r, f[:]); err != nil || f[0] != 0x21 || f[1] != 1 {
		return b, errors.New("xz filters other than LZMA2, which are not read")
	}
	b.dict, err = dictSize(f[2])
	return b, err
}

// endBlock checks the sizes and the contents of a block.
func (x *Reader) endBlock() error {
	x.block = nil
	packed := x.r.n - x.began - uint64(x.head.bytes)
	if x.head.packedKnown && packed != x.head.packed || x.head.sizeIsKnown && x.size != x.head.size {
		return errors.New("an xz block of another size than its header says")
	}
	if err := x.padding(packed); err != nil {
		return err
	}
	// Checks are stored low byte first, SHA-256 as it is.
	want := x.sum.Sum(nil)
	if len(want) <= 8 {
		for i, j := 0, len(want)-1; i < j; i, j = i+1, j-1 {
			want[i], want[j] = want[j], want[i]
		}
	}
	have := make([]byte, len(want))
	if err := x.r.full(have); err != nil {
		return unexpected(err)
	}
	if !bytes.Equal(want, have) {
		return errors.New("xz contents that do not agree with their check")
	}
	x.list = append(x.list, record{uint64(x.head.bytes) + packed + uint64(len(want)), x.size})
	return nil
}

// padding skips zeros up to a multiple of four bytes.
func (x *Reader) padding(n uint64) error {
	for ; n%4 != 0; n++ {
		b, err := x.r.byte()
		if err != nil {
			return unexpected(err)
		}
		if b != 0 {
			return errors.New("corrupt xz padding")
		}
	}
	return nil
}

// index checks the list of blocks and the end of the stream.
func (x *Reader) index() error {
	bad := errors.New("corrupt xz index")
	x.r.crc = crc32.Update(0, crc32.IEEETable, []byte{0})
	x.r.summing = true
	count, err := x.r.uvarint()
	if err != nil {
		return unexpected(err)
	}
	if count != uint64(len(x.list)) {
		return bad
	}
	for _, want := range x.list {
		unpadded, err := x.r.uvarint()
		if err != nil {
			return unexpected(err)
		}
		size, err := x.r.uvarint()
		if err != nil {
			return unexpected(err)
		}
		if (record{unpadded, size}) != want {
			return bad
		}
	}
	if err := x.padding(x.r.n - x.began); err != nil {
		return err
	}
	length := x.r.n - x.began + 4
	x.r.summing = false
	sum := x.r.crc
	var f [16]byte // the index's check and the footer
	if err := x.r.full(f[:]); err != nil {
		return unexpected(err)
	}
	le := binary.LittleEndian
	if le.Uint32(f[:]) != sum || le.Uint32(f[4:]) != crc32.ChecksumIEEE(f[8:14]) ||
		(uint64(le.Uint32(f[8:]))+1)*4 != length ||
		!bytes.Equal(f[12:14], x.flags[:]) || !bytes.Equal(f[14:], footMagic) {
		return bad
	}
	x.open = false
	return nil
}

// counter counts the bytes read, and computes their checksum on demand.
type counter struct {
	r       *bufio.Reader
	n       uint64
	summing bool
	crc     uint32
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += uint64(n)
	return n, err
}

func (c *counter) full(p []byte) error {
	n, err := io.ReadFull(c.r, p)
	c.n += uint64(n)
	return err
}

func (c *counter) byte() (byte, error) {
	b, err := c.r.ReadByte()
	if err != nil {
		return 0, err
	}
	c.n++
	if c.summing {
		c.crc = crc32.Update(c.crc, crc32.IEEETable, []byte{b})
	}
	return b, nil
}

func (c *counter) ReadByte() (byte, error) { return c.byte() }

func (c *counter) uvarint() (uint64, error) { return binary.ReadUvarint(c) }

func (c *counter) be16() (int, error) {
	var b [2]byte
	err := c.full(b[:])
	return int(b[0])<<8 | int(b[1]), err
}
