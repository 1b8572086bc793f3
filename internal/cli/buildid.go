package cli

import (
	"bytes"
	"debug/elf"
	"os"
	"sync"
)

// noteSection is where the Go linker puts a program's build ID in ELF files; the
// ID's last part is a hash of the program's contents.
const noteSection = ".note.go.buildid"

// buildDigits of the build's own name are shown.
const buildDigits = 8

// build tells builds of one revision apart: a few letters of the program's own
// hash, or nothing where the format of programs is another one.
var build = sync.OnceValue(func() string {
	name, err := os.Executable()
	if err != nil {
		return ""
	}
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
	last := id[bytes.LastIndexByte(id, '/')+1:]
	if len(last) < buildDigits {
		return ""
	}
	return string(last[:buildDigits])
})
