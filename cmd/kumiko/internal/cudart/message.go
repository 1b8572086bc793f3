package cudart

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
)

// Operations, as in runtime/protocol.h; a test compares them.
const (
	opHello = iota + 1
	opModule
	opKernel
	opSymbol
	opAlloc
	opFree
	opWrite
	opRead
	opLaunch
	opBind
	opObject
	opTime
	opOccupancy
	opRefused
)

// protocolVersion is KUMIKO_VERSION of runtime/protocol.h.
const protocolVersion = 5

// Errors of the CUDA runtime (CUDA Runtime API, cudaError_t) in answers.
const (
	errValue        = 1
	errMemory       = 2
	errInit         = 3
	errSymbol       = 13
	errTexture      = 18
	errImage        = 200
	errResources    = 701
	errLaunch       = 719
	errNotSupported = 801
)

// mostBytes bounds a message. The largest are modules.
const mostBytes = 1 << 30

// request is a message of the application.
type request struct {
	op   uint32
	body []byte
	at   int // the next byte
	bad  bool
}

// readRequest reads a message. The error is io.EOF where the application has ended.
func readRequest(r io.Reader) (*request, error) {
	var head [8]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return nil, io.EOF
	}
	n := binary.LittleEndian.Uint32(head[4:])
	if n > mostBytes {
		return nil, fmt.Errorf("found a message of %d bytes from the application, expected at most %d", n, mostBytes)
	}
	q := &request{op: binary.LittleEndian.Uint32(head[:]), body: make([]byte, n)}
	if _, err := io.ReadFull(r, q.body); err != nil {
		return nil, io.EOF
	}
	return q, nil
}

// take returns the next n bytes; zeros if there are fewer.
func (q *request) take(n int) []byte {
	if n < 0 || n > len(q.body)-q.at {
		q.bad = true
		return make([]byte, min(max(n, 0), 8))
	}
	q.at += n
	return q.body[q.at-n : q.at]
}

func (q *request) u32() uint32    { return binary.LittleEndian.Uint32(q.take(4)) }
func (q *request) u64() uint64    { return binary.LittleEndian.Uint64(q.take(8)) }
func (q *request) rest() []byte   { return q.take(len(q.body) - q.at) }
func (q *request) string() string { return string(q.take(q.size())) }

// size reads a number of bytes or elements. A number above 2^31-1 becomes 2^31-1, so that it stays positive as an int;
// no buffer is that large.
func (q *request) size() int { return int(min(q.u32(), math.MaxInt32)) }

// answer is a reply under construction.
type answer struct {
	body []byte
	fd   int // a descriptor to pass along; 0: none
}

func (a *answer) u32(list ...int) {
	for _, v := range list {
		a.body = binary.LittleEndian.AppendUint32(a.body, uint32(v))
	}
}

func (a *answer) u64(v uint64) { a.body = binary.LittleEndian.AppendUint64(a.body, v) }

// fault is an error in an answer: a cudaError_t, with an explanation that the application prints. Without text, the
// application's own handling of the error is enough.
type fault struct {
	code int
	text string
}

func (f *fault) Error() string {
	if f.text == "" {
		return fmt.Sprintf("CUDA error %d", f.code)
	}
	return f.text
}

// encode returns the message of an answer.
func encode(a *answer, err error) []byte {
	code, body := 0, a.body
	var f *fault
	switch {
	case errors.As(err, &f):
		code, body = f.code, []byte(f.text)
	case err != nil:
		code, body = errLaunch, []byte(err.Error())
	}
	out := binary.LittleEndian.AppendUint32(nil, uint32(code))
	out = binary.LittleEndian.AppendUint32(out, uint32(len(body)))
	return append(out, body...)
}
