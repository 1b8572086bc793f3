package infile

import (
	"bytes"
	"errors"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"unicode/utf16"
)

func TestARegularFileIsReadWhole(t *testing.T) {
	name := filepath.Join(t.TempDir(), "f")
	want := bytes.Repeat([]byte("0123456789"), 1000)
	if err := os.WriteFile(name, want, 0o644); err != nil {
		t.Fatal(err)
	}
	got, err := Read(name)
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("%d bytes, error %v; want %d", len(got), err, len(want))
	}
	link := name + ".link"
	if err := os.Symlink(name, link); err != nil {
		t.Fatal(err)
	}
	if got, err := Read(link); err != nil || !bytes.Equal(got, want) {
		t.Errorf("through a link: %d bytes, error %v", len(got), err)
	}
}

func TestWhatIsNoRegularFileIsRefusedWithoutOpeningIt(t *testing.T) {
	dir := t.TempDir()
	pipe := filepath.Join(dir, "pipe")
	if err := syscall.Mkfifo(pipe, 0o644); err != nil {
		t.Fatal(err)
	}
	sock := filepath.Join(dir, "socket")
	l, err := net.Listen("unix", sock)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	for name, what := range map[string]string{pipe: "a pipe", sock: "a socket", dir: "a folder",
		"/dev/zero": "a device"} {
		for how, err := range map[string]error{"Read": read(name), "Open": open(name)} {
			want := "open " + name + ": found " + what + ", expected a regular file"
			if _, ok := errors.AsType[*fs.PathError](err); err == nil || err.Error() != want || !ok {
				t.Errorf("%s: %v, want %s", how, err, want)
			}
		}
	}
	if _, err := Read(filepath.Join(dir, "none")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("missing file: %v", err)
	}
}

func read(name string) error { _, err := Read(name); return err }
func open(name string) error { _, err := Open(name); return err }

func TestAFileIsReadUpToTheLimit(t *testing.T) {
	name := filepath.Join(t.TempDir(), "f")
	if err := os.WriteFile(name, make([]byte, 1000), 0o644); err != nil {
		t.Fatal(err)
	}
	if got, err := ReadUpTo(name, 1000); err != nil || len(got) != 1000 {
		t.Errorf("%d bytes, error %v", len(got), err)
	}
	if _, err := ReadUpTo(name, 999); err == nil ||
		!strings.HasSuffix(err.Error(), ": found 1000 bytes, expected at most 999") {
		t.Errorf("error %v", err)
	}
	// A file of unknown size.
	if _, err := ReadUpTo("/proc/self/status", 16); err == nil || !strings.Contains(err.Error(),
		"found more than 16 bytes") {
		t.Errorf("/proc: %v", err)
	}
	if got, err := ReadUpTo("/proc/self/status", MaxText); err != nil || !bytes.HasPrefix(got, []byte("Name:")) {
		t.Errorf("/proc: %q, %v", got, err)
	}
}

func TestWhatIsNoTextIsNamed(t *testing.T) {
	var wide []byte
	for _, u := range utf16.Encode([]rune(".version")) {
		wide = append(wide, byte(u), byte(u>>8))
	}
	for _, c := range []struct {
		data, what string
		at         int
	}{
		{"", "", 0},
		{".version 6.3\r\n\t\f// naïve \xe9", "", 0},
		{"\xef\xbb\xbf.version", "a byte-order mark (UTF-8)", 0},
		{"\xff\xfe.\x00v\x00", "a byte-order mark (UTF-16)", 0},
		{"\xfe\xff\x00.\x00v", "a byte-order mark (UTF-16)", 0},
		{string(wide), "UTF-16", 0},
		{"\x7fELF\x02", "an ELF file, as cubins are", 0},
		{"\x1f\x8b\x08", "a file compressed by gzip", 0},
		{"\x00\x01\x02\x03", "binary data (the byte 0x00)", 0},
		{"abc\x00", "binary data (the byte 0x00)", 3},
		{"ab\x1bc", "binary data (the byte 0x1b)", 2},
		{"\x00", "binary data (the byte 0x00)", 0},
	} {
		if what, at := Odd([]byte(c.data)); what != c.what || at != c.at {
			t.Errorf("%q: %s at %d, want %s at %d", c.data, what, at, c.what, c.at)
		}
	}
}
