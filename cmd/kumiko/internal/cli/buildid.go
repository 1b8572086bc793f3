package cli

import (
	"bytes"
	"crypto/sha256"
	"debug/elf"
	"encoding/hex"
	"io"
	"os"
	"runtime"
)

// noteSection is where the Go linker puts a program's build ID in ELF files; the
// ID's last part is a hash of the program's contents.
const noteSection = ".note.go.buildid"

// buildDigits of the build's own name are shown.
const buildDigits = 8

// build tells builds of one revision apart: a few letters of a hash of the
// program. It is empty where the program cannot be read.
func build() string {
	name, err := executable()
	if err != nil {
		return ""
	}
	if id := noted(name); len(id) >= buildDigits {
		return id[:buildDigits]
	}
	return hashed(name)
}

// executable is a name of the running program: of itself where the system has
// one, since another may have been built in its place.
func executable() (string, error) {
	const self = "/proc/self/exe"
	if _, err := os.Stat(self); err == nil && runtime.GOOS == "linux" {
		return self, nil
	}
	return os.Executable()
}

// noted is the hash that the linker has left in an ELF file, or nothing.
func noted(name string) string {
	f, err := elf.Open(name)
	if err != nil {
		return ""
	}
	defer f.Close()
	s := f.Section(noteSection)
	if s == nil {
		return ""
	}
	note, err := s.Data()
	if err != nil {
		return ""
	}
	id := bytes.TrimRight(note, "\x00")
	return string(id[bytes.LastIndexByte(id, '/')+1:])
}

// hashed is a hash of a whole file.
func hashed(name string) string {
	f, err := os.Open(name)
	if err != nil {
		return ""
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return ""
	}
	return hex.EncodeToString(h.Sum(nil))[:buildDigits]
}
