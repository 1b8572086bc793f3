package views

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"kumiko/cmd/kumiko/internal/cli/app"
	"kumiko/gpus"
	"kumiko/gpus/stop"
	"kumiko/kernel/ir"
	"kumiko/kernel/sass"
	"kumiko/kernel/stream"
)

// Record records the launches of a run as traces in a folder. The traces are written into a hidden folder
// within it, and moved at the end of the run. An existing recording is thus replaced by a complete one or not at
// all.
type Record struct {
	Dir     string
	packed  bool
	rec     *sass.Recorder
	writing string   // the hidden folder
	held    *os.File // lock of the hidden folder; nil: locks are not supported
	made    bool     // dir was created by this run
}

// recording begins the name of the hidden folder within that of a recording.
const recording = ".recording-"

func (r *Record) Add(c *cobra.Command) {
	c.Flags().StringVar(&r.Dir, "record", "", "record the launches in this folder as Accel-Sim traces")
	c.Flags().BoolVar(&r.packed, "tracez", false, "with --record: as .tracez files, which Accel-Sim 2.0 reads")
}

// Start creates the folder and begins recording the machine's streams.
func (r *Record) Start(program string, o *gpus.Options) error {
	if r.Dir == "" {
		if r.packed {
			return errors.New("--tracez: found no --record, expected --record DIR beside it")
		}
		return nil
	}
	if sameFolder(r.Dir, program) {
		return fmt.Errorf("--record %s: found the folder that the traces are read from, expected another", r.Dir)
	}
	_, err := os.Stat(r.Dir)
	r.made = errors.Is(err, fs.ErrNotExist)
	if err := os.MkdirAll(r.Dir, 0o755); err != nil {
		return fmt.Errorf("--record: %w", err)
	}
	sweepRecordings(r.Dir)
	if r.writing, err = os.MkdirTemp(r.Dir, recording+"*"); err != nil {
		return fmt.Errorf("--record: %w", err)
	}
	app.Temporaries.Add(r.writing)
	if r.held, err = holdFolder(r.writing); err != nil {
		return fmt.Errorf("--record: %w", err)
	}
	if r.rec, err = sass.NewRecorder(r.writing); err != nil {
		return fmt.Errorf("--record: %w", err)
	}
	r.rec.Packed = r.packed
	o.Record = func(k *ir.Kernel, grid, block [3]int, shared int, src stream.OpenSource) (stream.OpenSource, error) {
		return r.rec.Record(k, grid, block, shared, unlessInterrupted{src, o.Context})
	}
	return nil
}

// unlessInterrupted is a source with an error after an interrupt. Without the error, an interrupted source would look
// like a finished one.
type unlessInterrupted struct {
	stream.OpenSource
	ctx context.Context // nil: never
}

func (s unlessInterrupted) Err() error {
	if err := s.OpenSource.Err(); err != nil || s.ctx == nil || s.ctx.Err() == nil {
		return err
	}
	return stop.ErrInterrupted
}

func sameFolder(dir, program string) bool {
	d, err := os.Stat(dir)
	if err != nil {
		return false
	}
	for _, p := range []string{program, filepath.Dir(program)} {
		if s, err := os.Stat(p); err == nil && os.SameFile(d, s) {
			return sass.IsTraces(program)
		}
	}
	return false
}

// Finish moves the recording of a complete run to its folder. From an incomplete run the complete launches are
// moved to a separate folder, and the old recording stays.
func (r *Record) Finish(whole bool, notes io.Writer) error {
	if r.rec == nil {
		return nil
	}
	defer r.Drop()
	err := r.rec.Close()
	if err == nil && whole {
		err = r.replace()
	} else if err == nil {
		err = r.keepPart(notes)
	}
	if err != nil {
		return fmt.Errorf("--record: %w", err)
	}
	return nil
}

// launches returns the traces written so far.
func (r *Record) launches() ([]string, error) {
	data, err := os.ReadFile(filepath.Join(r.writing, sass.ListName))
	return strings.Fields(string(data)), err
}

// replace moves the recording to its folder. The list makes a folder a recording: the old list is removed first,
// and the new list is moved last.
func (r *Record) replace() error {
	names, err := r.launches()
	if err != nil {
		return err
	}
	if err := os.Remove(filepath.Join(r.Dir, sass.ListName)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, name := range append(names, sass.ListName) {
		if err := os.Rename(filepath.Join(r.writing, name), filepath.Join(r.Dir, name)); err != nil {
			return err
		}
	}
	return nil
}

// keepPart moves an unfinished recording into the folder of incomplete recordings.
func (r *Record) keepPart(notes io.Writer) error {
	names, err := r.launches()
	if err != nil || len(names) == 0 {
		return err
	}
	part := filepath.Join(r.Dir, app.Incomplete)
	if err := os.RemoveAll(part); err != nil {
		return err
	}
	if err := os.Remove(filepath.Join(r.writing, recordingLock)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.Rename(r.writing, part); err != nil {
		return err
	}
	fmt.Fprintf(notes, "note: the run was cut short; the %d launches that were recorded whole are in %s\n", len(names),
		part)
	return os.Chmod(part, 0o755)
}

// Drop removes the remains of a recording, and the folder if it was created and is empty.
func (r *Record) Drop() {
	if r.writing == "" {
		return
	}
	_ = os.RemoveAll(r.writing) // a later recording sweeps it
	if r.held != nil {
		_ = r.held.Close()
	}
	app.Temporaries.Remove(r.writing)
	if r.made {
		_ = os.Remove(r.Dir) // unless there is something in it
	}
}
