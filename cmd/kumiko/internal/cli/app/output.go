package app

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"
)

func WriteJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(v)
}

// WriteFile writes a file under its name completely or not at all. An existing pipe or device, such as /dev/null,
// is written to directly.
func WriteFile(name string, write func(io.Writer) error) (err error) {
	if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() {
		return writeInto(name, write)
	}
	if target, err := filepath.EvalSymlinks(name); err == nil {
		name = target
	}
	f, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+".*")
	if err != nil {
		return fmt.Errorf("cannot write %s: %w", name, err)
	}
	Temporaries.Add(f.Name())
	kept := false
	defer func() {
		if !kept { // an error, or a panic of write
			f.Close()
			os.Remove(f.Name())
		}
		Temporaries.Remove(f.Name())
	}()
	if err = write(f); err != nil {
		return fmt.Errorf("cannot write %s: %w", name, err)
	}
	if err = f.Chmod(0o644); err != nil {
		return err
	}
	if err = f.Close(); err != nil {
		return fmt.Errorf("cannot write %s: %w", name, err)
	}
	err = os.Rename(f.Name(), name)
	kept = err == nil
	return err
}

// WriteBytes writes a file as WriteFile does.
func WriteBytes(name string, data []byte) error {
	return WriteFile(name, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

func writeInto(name string, write func(io.Writer) error) error {
	f, err := os.OpenFile(name, os.O_WRONLY, 0)
	if err == nil {
		err = errors.Join(write(f), f.Close())
	}
	if err != nil {
		return fmt.Errorf("cannot write %s: %w", name, err)
	}
	return nil
}

// PlaceOf returns an error if the file of a flag cannot be written. A flag that is not set has no file.
func PlaceOf(flag, file string) error {
	if file == "" {
		return nil
	}
	if err := Place(file); err != nil {
		return fmt.Errorf("%s %s: %w", flag, file, err)
	}
	return nil
}

// Place returns an error if a file cannot be written under a name.
func Place(name string) error {
	if name == "-" {
		return errors.New("only --json writes to standard output, expected a file")
	}
	switch info, err := os.Stat(name); {
	case err == nil && info.IsDir():
		return errors.New("is a folder, expected a file")
	case err == nil && !info.Mode().IsRegular():
		return nil
	}
	return writable(filepath.Dir(name))
}

// writable returns an error if files cannot be created in a folder.
func writable(dir string) error {
	f, err := os.CreateTemp(dir, ".kumiko.*")
	if err != nil {
		if pe, ok := errors.AsType[*fs.PathError](err); ok {
			err = pe.Err
		}
		return fmt.Errorf("folder %s: %w", dir, err)
	}
	f.Close()
	return os.Remove(f.Name())
}

// Table aligns rows in columns.
type Table struct{ w *tabwriter.Writer }

func NewTable(w io.Writer) *Table { return &Table{tabwriter.NewWriter(NewPrinter(w), 0, 0, 2, ' ', 0)} }

func (t *Table) Row(cells ...any) {
	s := make([]string, len(cells))
	for i, c := range cells {
		s[i] = fmt.Sprint(c)
	}
	fmt.Fprintln(t.w, strings.Join(s, "\t"))
}

// Printf writes text that is no row.
func (t *Table) Printf(format string, args ...any) { fmt.Fprintf(t.w, format, args...) }

func (t *Table) Flush() error { return t.w.Flush() }

// Dims formats the size of a grid or CTA without trailing ones.
func Dims(d [3]int) string {
	switch {
	case d == [3]int{}: // of launches that differ
		return "several"
	case d[2] != 1:
		return fmt.Sprintf("%dx%dx%d", d[0], d[1], d[2])
	case d[1] != 1:
		return fmt.Sprintf("%dx%d", d[0], d[1])
	}
	return fmt.Sprint(d[0])
}

// IntoFolder has the files of a folder written into a hidden folder within it, and moves them once all are written.
// After an error nothing is left of them, nor of the folder if it was not there.
func IntoFolder(dir string, write func(dir string) error) (err error) {
	_, err = os.Stat(dir)
	made := errors.Is(err, fs.ErrNotExist)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	tmp, err := os.MkdirTemp(dir, ".writing-*")
	if err != nil {
		return err
	}
	Temporaries.Add(tmp)
	defer func() {
		_ = os.RemoveAll(tmp)
		Temporaries.Remove(tmp)
		if err != nil && made {
			_ = os.Remove(dir) // unless there is something in it
		}
	}()
	if err := write(tmp); err != nil {
		return err
	}
	files, err := os.ReadDir(tmp)
	if err != nil {
		return err
	}
	for _, f := range files {
		if err := os.Rename(filepath.Join(tmp, f.Name()), filepath.Join(dir, f.Name())); err != nil {
			return err
		}
	}
	return nil
}
