package cli

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/klauspost/compress/zstd"

	"kumiko/gpus"
)

// checkpointFile is a checkpoint's name in its folder.
const checkpointFile = "checkpoint"

// checkpointFormat is that of the header. What follows it holds for one build.
const checkpointFormat = 1

// checkpoint is what the file says of the state that follows. It is a line of JSON.
type checkpoint struct {
	Format      int         `json:"kumiko_checkpoint"`
	Version     string      `json:"version"`     // of the simulator, the build included
	Directory   string      `json:"directory"`   // in which the run was begun
	Args        []string    `json:"args"`        // of the command
	Config      string      `json:"config_hash"` // of the GPU
	Settings    string      `json:"settings"`    // flags that have a part in the result
	Fingerprint string      `json:"fingerprint"` // of the launches so far
	At          *gpus.Point `json:"at"`          // null: the run has just begun, and no state follows
}

// write writes the file, whole or not at all.
func (c *checkpoint) write(dir string, state func(io.Writer) error) error {
	return writeFile(filepath.Join(dir, checkpointFile), func(w io.Writer) error {
		b := bufio.NewWriterSize(w, 1<<20)
		if err := json.NewEncoder(b).Encode(c); err != nil {
			return err
		}
		if state != nil {
			z, err := zstd.NewWriter(b, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1))
			if err != nil {
				return err
			}
			if err := errors.Join(state(z), z.Close()); err != nil {
				return err
			}
		}
		return b.Flush()
	})
}

// openCheckpoint reads the header of a folder's checkpoint. state is behind it, and closes the file.
func openCheckpoint(dir string) (c *checkpoint, state io.ReadCloser, err error) {
	f, err := os.Open(filepath.Join(dir, checkpointFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, fmt.Errorf("%s: found no file %q, expected one: runs that are over leave none", dir,
			checkpointFile)
	}
	if err != nil {
		return nil, nil, err
	}
	r := bufio.NewReaderSize(f, 1<<16)
	if c, err = readCheckpoint(r); err != nil {
		f.Close()
		return nil, nil, fmt.Errorf("%s: %w", f.Name(), err)
	}
	return c, &packedState{file: f, from: r}, nil
}

// readCheckpoint reads a header, and nothing behind it.
func readCheckpoint(r *bufio.Reader) (*checkpoint, error) {
	line, err := r.ReadSlice('\n')
	c := &checkpoint{}
	if err == nil {
		err = json.Unmarshal(line, c)
	}
	if err != nil || c.Format == 0 {
		return nil, errors.New("1:1: found no header, expected a checkpoint that kumiko run --checkpoint has written")
	}
	if c.Format != checkpointFormat {
		return nil, fmt.Errorf("1:1: found format %d, expected %d", c.Format, checkpointFormat)
	}
	return c, nil
}

// packedState unpacks a state when it is read first.
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
