package sass

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"kumiko/internal/infile"
	"kumiko/kernel/sass/internal/xz"
)

// Compression formats, identified by the first bytes of a file rather than by its name.
var (
	magicXZ   = []byte{0xfd, '7', 'z', 'X', 'Z', 0}
	magicGzip = []byte{0x1f, 0x8b}
	magicZstd = []byte{0x28, 0xb5, 0x2f, 0xfd}
)

// input is a trace file, decompressed as it is read.
type input struct {
	io.Reader
	file  *os.File
	plain bool // not compressed: the file can be read from any offset
	close func()
}

func (in *input) Close() {
	if in.close != nil {
		in.close()
	}
	in.file.Close()
}

// openInput opens a file. tee, unless nil, receives the bytes of the file as they are on disk.
func openInput(name string, tee io.Writer, lim Limits) (*input, error) {
	f, err := openFile(name)
	if err != nil {
		return nil, err
	}
	in := &input{file: f}
	var raw io.Reader = f
	if tee != nil {
		raw = io.TeeReader(f, tee)
	}
	if isTracez(name) {
		err = in.unpack(tee, lim)
	} else {
		err = in.decompress(bufio.NewReaderSize(raw, 1<<18))
	}
	if err != nil {
		in.Close()
		return nil, &Error{File: name, Msg: err.Error()}
	}
	return in, nil
}

// unpack makes the reader decompress a .tracez file. tee receives the bytes of the file itself.
func (in *input) unpack(tee io.Writer, lim Limits) error {
	if tee != nil {
		if _, err := io.Copy(tee, in.file); err != nil {
			return err
		}
	}
	t, err := openTracez(in.file, lim)
	if err != nil {
		return err
	}
	in.Reader, in.close = t, t.zstd.Close
	return nil
}

// openFile opens a regular file.
func openFile(name string) (*os.File, error) {
	f, err := infile.Open(name)
	if pe, ok := errors.AsType[*fs.PathError](err); ok && !errors.Is(err, fs.ErrNotExist) {
		return nil, &Error{File: name, Msg: pe.Err.Error()}
	}
	return f, err
}

func (in *input) decompress(raw *bufio.Reader) error {
	head, err := raw.Peek(6)
	if err != nil && err != io.EOF {
		return err
	}
	in.Reader = raw
	switch {
	case bytes.HasPrefix(head, magicXZ):
		in.Reader = xz.NewReader(raw)
	case bytes.HasPrefix(head, magicGzip):
		in.Reader, err = gzip.NewReader(raw)
		return err
	case bytes.HasPrefix(head, magicZstd):
		z, err := zstd.NewReader(raw, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(1<<27))
		if err != nil {
			return err
		}
		in.Reader, in.close = z, z.Close
	default:
		in.plain = true
	}
	return nil
}

// spool decompresses a file into a temporary file, already without a name.
func spool(name string, lim Limits) (*os.File, error) {
	in, err := openInput(name, nil, lim)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	f, err := os.CreateTemp("", filepath.Base(name)+".*")
	if err != nil {
		return nil, err
	}
	if err = os.Remove(f.Name()); err == nil {
		_, err = io.Copy(f, in)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}
