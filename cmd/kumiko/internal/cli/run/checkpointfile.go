package run

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/klauspost/compress/zstd"

	"kumiko/cmd/kumiko/internal/cli/app"
	"kumiko/gpus"
)

// checkpointFile is the name of a checkpoint in its folder.
const checkpointFile = "checkpoint"

// checkpointFormat is the version of the file's layout: a line of JSON (the header), the packed state, and the
// SHA-256 of both. A state is valid for one build only.
const checkpointFormat = 2

// checkpoint is the header: the command and the position of the saved run.
type checkpoint struct {
	Format      int         `json:"kumiko_checkpoint"`
	Version     string      `json:"version"`     // of the simulator, the build included
	Directory   string      `json:"directory"`   // working directory of the run
	Args        []string    `json:"args"`        // of the command
	Config      string      `json:"config_hash"` // of the GPU
	Settings    string      `json:"settings"`    // flags with an influence on the result
	Fingerprint string      `json:"fingerprint"` // of the launches so far
	At          *gpus.Point `json:"at"`          // null: the run has just begun, and no state follows
}

// write writes the file, whole or not at all.
func (c *checkpoint) write(dir string, state func(io.Writer) error) error {
	return app.WriteFile(filepath.Join(dir, checkpointFile), func(w io.Writer) error {
		b, sum := bufio.NewWriterSize(w, 1<<20), sha256.New()
		summed := io.MultiWriter(b, sum)
		if err := json.NewEncoder(summed).Encode(c); err != nil {
			return err
		}
		if state != nil {
			z, err := zstd.NewWriter(summed, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1))
			if err != nil {
				return err
			}
			if err := errors.Join(state(z), z.Close()); err != nil {
				return err
			}
		}
		if _, err := b.Write(sum.Sum(nil)); err != nil {
			return err
		}
		return b.Flush()
	})
}

// openCheckpoint reads the header of a folder's checkpoint. It refuses a file of another format and a file with
// altered contents. state reads the state, and closes the file.
func openCheckpoint(dir string) (c *checkpoint, state io.ReadCloser, err error) {
	f, err := os.Open(filepath.Join(dir, checkpointFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, fmt.Errorf("%s: found no file %q, expected one: runs that are over leave none", dir,
			checkpointFile)
	}
	if err != nil {
		return nil, nil, err
	}
	r, err := intact(f)
	if err == nil {
		c, err = readCheckpoint(r)
	}
	if err != nil {
		f.Close()
		return nil, nil, fmt.Errorf("%s: %w", f.Name(), err)
	}
	return c, &packedState{file: f, from: r}, nil
}

// errNoHeader is the error about a file that does not begin with a checkpoint header.
var errNoHeader = errors.New("1:1: found no header, expected a checkpoint that kumiko run --checkpoint has written")

// intact verifies a checkpoint's format and checksum. It returns a reader of the contents before the checksum.
func intact(f io.ReadSeeker) (*bufio.Reader, error) {
	if err := checkFormat(bufio.NewReaderSize(f, 1<<16)); err != nil {
		return nil, err
	}
	end, err := f.Seek(-sha256.Size, io.SeekEnd)
	if err != nil {
		return nil, errNoHeader // shorter than a checksum
	}
	rewind := func() (*bufio.Reader, error) {
		_, err := f.Seek(0, io.SeekStart)
		return bufio.NewReaderSize(io.LimitReader(f, end), 1<<16), err
	}
	r, err := rewind()
	if err != nil {
		return nil, err
	}
	sum, want := sha256.New(), make([]byte, sha256.Size)
	if _, err := io.Copy(sum, r); err != nil {
		return nil, err
	}
	if _, err := io.ReadFull(f, want); err != nil {
		return nil, err
	}
	if !bytes.Equal(sum.Sum(nil), want) {
		return nil, errors.New("found a file whose checksum is wrong, expected it as kumiko has written it: it is " +
			"damaged or was changed; begin the run again")
	}
	return rewind()
}

// checkFormat refuses a header of another format.
func checkFormat(r *bufio.Reader) error {
	line, err := r.ReadSlice('\n')
	var h struct {
		Format int `json:"kumiko_checkpoint"`
	}
	if err == nil {
		err = json.Unmarshal(line, &h)
	}
	if err != nil || h.Format == 0 {
		return errNoHeader
	}
	if h.Format != checkpointFormat {
		return fmt.Errorf("1:1: found format %d, expected %d: another version of kumiko has written it; begin the run "+
			"again", h.Format, checkpointFormat)
	}
	return nil
}

// readCheckpoint reads only the header.
func readCheckpoint(r *bufio.Reader) (*checkpoint, error) {
	line, err := r.ReadSlice('\n')
	c := &checkpoint{}
	if err == nil {
		err = json.Unmarshal(line, c)
	}
	if err != nil {
		return nil, errNoHeader
	}
	return c, nil
}

// packedState decompresses a state, beginning at the first read.
type packedState struct {
	file *os.File
	from *bufio.Reader
	z    *zstd.Decoder
}

// Read implements io.Reader.
func (s *packedState) Read(b []byte) (int, error) {
	if s.z == nil {
		z, err := zstd.NewReader(s.from)
		if err != nil {
			return 0, err
		}
		s.z = z
	}
	return s.z.Read(b)
}

// Close implements io.Closer.
func (s *packedState) Close() error {
	if s.z != nil {
		s.z.Close()
	}
	return s.file.Close()
}

// copyCheckpoint copies the checkpoint in a folder to another folder. A run that goes on in the other folder can
// then be
// resumed there from its first cycle on.
func copyCheckpoint(from, to string) error {
	if app.Canonical(from) == app.Canonical(to) {
		return nil
	}
	f, err := os.Open(filepath.Join(from, checkpointFile))
	if err != nil {
		return err
	}
	defer f.Close()
	return app.WriteFile(filepath.Join(to, checkpointFile), func(w io.Writer) error {
		_, err := io.Copy(w, f)
		return err
	})
}
