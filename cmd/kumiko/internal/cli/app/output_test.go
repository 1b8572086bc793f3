package app

import (
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

func TestAPanicOfAWriterLeavesNoFile(t *testing.T) {
	dir := t.TempDir()
	func() {
		defer func() { _ = recover() }()
		_ = WriteFile(filepath.Join(dir, "file"), func(io.Writer) error { panic("boom") })
	}()
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// For root, a rename over /dev/null would replace the device for all programs.
func TestWhatIsNoFileIsWrittenTo(t *testing.T) {
	write := func(w io.Writer) error { _, err := io.WriteString(w, "text"); return err }
	if err := WriteFile(os.DevNull, write); err != nil {
		t.Error(err)
	}
	if info, err := os.Stat(os.DevNull); err != nil || info.Mode().IsRegular() {
		t.Fatalf("%s is no device any more: %v, %v", os.DevNull, info.Mode(), err)
	}
}

func TestALinkToAFileStaysALink(t *testing.T) {
	dir := t.TempDir()
	file, link := filepath.Join(dir, "file"), filepath.Join(dir, "link")
	if err := os.WriteFile(file, []byte("old"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(file, link); err != nil {
		t.Skip(err)
	}
	if err := WriteFile(link, func(w io.Writer) error { _, err := io.WriteString(w, "new"); return err }); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(file)
	if err != nil || string(got) != "new" {
		t.Errorf("the file has %q, %v", got, err)
	}
}

// The timeline and the Akita trace are written while the program runs.
func TestAPendingFileReplacesNeitherAPipeNorALink(t *testing.T) {
	dir := t.TempDir()
	pipe, file, link := filepath.Join(dir, "pipe"), filepath.Join(dir, "file"), filepath.Join(dir, "link")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skip(err)
	}
	reader, err := os.OpenFile(pipe, os.O_RDWR, 0) // both ends, so that nobody waits
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	if err := os.WriteFile(file, []byte("old"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(file, link); err != nil {
		t.Skip(err)
	}
	for _, name := range []string{pipe, link} {
		before, err := os.Lstat(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, end := range []func(*Pending) error{(*Pending).Keep, func(p *Pending) error { p.Drop(); return nil }} {
			p, err := CreatePending(name)
			if err != nil {
				t.Fatal(err)
			}
			io.WriteString(p, "new")
			if err := end(p); err != nil {
				t.Error(err)
			}
			if info, err := os.Lstat(name); err != nil || info.Mode() != before.Mode() {
				t.Errorf("%s was %v and is %v, %v", name, before.Mode(), info, err)
			}
		}
	}
	if got, err := os.ReadFile(file); err != nil || string(got) != "new" {
		t.Errorf("the file has %q, %v", got, err)
	}
}
