package sass

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"

	"kumiko/kernel/stream"
)

// pieceLines is the number of lines of a piece of a written .tracez file, as in Accel-Sim's own tool: to read one
// line, a reader decompresses one piece.
const pieceLines = 2048

// packer writes the CTAs of a launch as a .tracez file, without a dictionary. The format is described at tracezExt.
type packer struct {
	w     *Writer
	zstd  *zstd.Encoder
	out   *counting
	index bytes.Buffer // but for the number of thread blocks
	count uint32       // thread blocks
	frame []byte
}

// counting is a file and the number of bytes written to it.
type counting struct {
	*bufio.Writer
	n uint64
}

func (c *counting) Write(b []byte) (int, error) {
	n, err := c.Writer.Write(b)
	c.n += uint64(n)
	return n, err
}

func newPacker(w *Writer) (*packer, error) {
	// Accel-Sim's reader needs the size of every piece, however small.
	z, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithSingleSegment(true))
	return &packer{w: w, zstd: z, out: &counting{Writer: w.out}}, err
}

// begin ends the header, already written to out.
func (p *packer) begin() error { return p.put(p.out, byte(0), uint32(0), uint32(pieceLines)) }

// put writes numbers in the file's format.
func (p *packer) put(to io.Writer, list ...any) error {
	for _, v := range list {
		if err := binary.Write(to, binary.LittleEndian, v); err != nil {
			return err
		}
	}
	return nil
}

// cta writes a CTA, as one outside any cluster.
func (p *packer) cta(c *stream.CTA) error {
	x, y := c.Index%p.w.grid[0], c.Index/p.w.grid[0]
	p.count++
	id := [10]uint32{uint32(x), uint32(y % p.w.grid[1]), uint32(y / p.w.grid[1])}
	if err := p.put(&p.index, id, uint32(len(c.Warps))); err != nil {
		return err
	}
	for i := range c.Warps {
		if err := p.warp(&c.Warps[i]); err != nil {
			return err
		}
	}
	return nil
}

func (p *packer) warp(s *stream.Warp) error {
	if s.Insts > 1<<32-1 {
		return fmt.Errorf("found %d instructions of a warp, which a .tracez file cannot count", s.Insts)
	}
	lines, pieces := uint32(s.Insts), uint32((s.Insts+pieceLines-1)/pieceLines)
	if err := p.put(&p.index, lines, pieces, p.out.n); err != nil {
		return err
	}
	if err := p.put(p.out, lines, pieces); err != nil {
		return err
	}
	var cur stream.Cursor
	cur.Start(p.w.k, s)
	var d stream.Dyn
	for left := s.Insts; left > 0; {
		n := min(left, pieceLines)
		left -= n
		p.w.buf = p.w.buf[:0]
		for range n {
			if !cur.Next(&d) {
				return fmt.Errorf("found the end of a warp's stream, expected %d more of its %d instructions", left+1,
					s.Insts)
			}
			p.w.inst(&d)
		}
		p.frame = p.zstd.EncodeAll(p.w.buf, p.frame[:0])
		if err := p.put(&p.index, uint32(n)); err != nil {
			return err
		}
		if err := p.put(p.out, uint32(len(p.frame)), p.frame); err != nil {
			return err
		}
	}
	return nil
}

// end writes the index and its offset.
func (p *packer) end() error {
	at := p.out.n
	return p.put(p.out, p.count, p.index.Bytes(), at)
}
