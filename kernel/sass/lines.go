package sass

import (
	"bytes"
	"io"
)

// maxLine is the default of Limits.LineBytes.
const maxLine = 1 << 20

// lines returns the lines of a file one by one, from one buffer.
type lines struct {
	r      io.Reader
	buf    []byte
	lo, hi int   // the unread part of the buffer
	offset int64 // of buf[lo] in the file
	start  int64 // offset of the line last given
	n      int   // its number
	taken  int   // its bytes, end included
	most   int   // bytes of a line
	err    error
}

func newLines(r io.Reader, most int) *lines {
	return &lines{r: r, buf: make([]byte, min(1<<18, most)), most: most}
}

// continueAt continues at another line of the file.
func (l *lines) continueAt(r io.Reader, offset int64, line int) {
	l.r, l.lo, l.hi, l.offset, l.n, l.err = r, 0, 0, offset, line-1, nil
}

// next returns the next line without its end, valid until the next call, or io.EOF.
func (l *lines) next() ([]byte, error) {
	from := l.lo
	for {
		if i := bytes.IndexByte(l.buf[from:l.hi], '\n'); i >= 0 {
			return l.take(from+i, 1), nil
		}
		if l.err != nil {
			if l.err == io.EOF && l.lo < l.hi {
				return l.take(l.hi, 0), nil
			}
			return nil, l.err
		}
		from = l.fill()
	}
}

// take returns the line up to end and steps over skip bytes behind it.
func (l *lines) take(end, skip int) []byte {
	line := l.buf[l.lo:end]
	l.start = l.offset
	l.taken = end + skip - l.lo
	l.offset += int64(l.taken)
	l.lo = end + skip
	l.n++
	if n := len(line); n > 0 && line[n-1] == '\r' {
		line = line[:n-1]
	}
	return line
}

// unread makes the last returned line the next one again.
func (l *lines) unread() {
	l.lo -= l.taken
	l.offset -= int64(l.taken)
	l.n--
}

// fill reads more bytes and returns the index of the new ones.
func (l *lines) fill() int {
	if l.lo > 0 {
		copy(l.buf, l.buf[l.lo:l.hi])
		l.hi -= l.lo
		l.lo = 0
	}
	if l.hi == len(l.buf) {
		if l.hi >= l.most {
			l.n++
			l.err = badField(0, "found a line of more than %d bytes, expected a shorter one (--max-line-bytes %d)",
				l.most,
				l.most)
			return l.hi
		}
		l.buf = append(l.buf, make([]byte, min(len(l.buf), l.most-len(l.buf)))...)
	}
	from := l.hi
	n, err := l.r.Read(l.buf[l.hi:])
	l.hi += n
	if err != nil {
		l.err = err
	}
	return from
}
