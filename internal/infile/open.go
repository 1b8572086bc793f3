package infile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// MaxText is the maximum size of a text file read as a whole, in bytes: many times the size of the largest
// compiler-generated PTX modules.
const MaxText = 64 << 20

// Open opens a regular file for reading. The error is an *fs.PathError.
func Open(name string) (*os.File, error) {
	info, err := os.Stat(name)
	if err != nil {
		if pe, ok := errors.AsType[*fs.PathError](err); ok {
			pe.Op = "open"
		}
		return nil, err
	}
	if what := kind(info.Mode()); what != "" {
		return nil, refusal(name, "found %s, expected a regular file", what)
	}
	return os.Open(name)
}

// Read returns the content of a regular file of at most MaxText bytes. The error is an *fs.PathError.
func Read(name string) ([]byte, error) { return ReadUpTo(name, MaxText) }

// ReadUpTo is like Read with the given limit, in bytes.
func ReadUpTo(name string, limit int64) ([]byte, error) {
	f, err := Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	size := info.Size()
	if size > limit {
		return nil, refusal(name, "found %d bytes, expected at most %d", size, limit)
	}
	// The size is only a hint: files of /proc have size 0.
	data := make([]byte, 0, size+512)
	for {
		n, err := f.Read(data[len(data):cap(data)])
		data = data[:len(data)+n]
		switch {
		case int64(len(data)) > limit:
			return nil, refusal(name, "found more than %d bytes, expected at most so many", limit)
		case errors.Is(err, io.EOF):
			return data, nil
		case err != nil:
			return nil, err
		case len(data) == cap(data):
			data = append(data, 0)[:len(data)]
		}
	}
}

func refusal(name, format string, args ...any) error {
	return &fs.PathError{Op: "open", Path: name, Err: fmt.Errorf(format, args...)}
}

// kind describes the kind of a file; "": a regular file.
func kind(m fs.FileMode) string {
	switch {
	case m.IsRegular():
		return ""
	case m.IsDir():
		return "a folder"
	case m&fs.ModeNamedPipe != 0:
		return "a pipe"
	case m&fs.ModeSocket != 0:
		return "a socket"
	case m&fs.ModeDevice != 0:
		return "a device"
	}
	return "a special file"
}
