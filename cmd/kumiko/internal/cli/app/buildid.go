package app

import (
	"bytes"
	"crypto/sha256"
	"debug/elf"
	"encoding/hex"
	"io"
	"os"
	"runtime"
)

// noteSection is the section of an ELF file with the Go linker's build ID. The last part of the ID is a hash of the
// program's contents.
const noteSection = ".note.go.buildid"

// buildDigits is the number of digits shown of the build's hash.
const buildDigits = 8

// build returns the first digits of a hash of the program, to distinguish builds of one revision. It returns "" if
// the program cannot be read.
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

// executable returns a file name of the running program. On Linux the name refers to the running program itself,
// since the file may have been replaced by another build.
func executable() (string, error) {
	const self = "/proc/self/exe"
	if _, err := os.Stat(self); err == nil && runtime.GOOS == "linux" {
		return self, nil
	}
	return os.Executable()
}

// noted returns the hash left by the linker in an ELF file, or "".
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

// hashed returns a hash of a whole file.
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
