package cubin

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"sync"

	"kumiko/kernel/cuasm"
	"kumiko/kernel/cubin/listing"
	"kumiko/kernel/cubin/tools"
	"kumiko/kernel/ir"
)

// Request names the machine code of a kernel.
type Request struct {
	Arch   int // 75 for sm_75
	Module *ir.Module
	Kernel string
	// Registers bounds those of a thread, as ptxas' -maxrregcount; 0: they are unbounded.
	Registers int
}

// Code is the machine code of a kernel, ready for execution and for the timing model.
type Code struct {
	*ir.Kernel
	Spilled int // bytes of a thread's registers spilled to local memory
	File    *File
}

// File is the machine code of a module, as its listing has it. It is not changed.
type File struct {
	Assembler string // with its version
	Hash      string // SHA-256 of the listing, in hexadecimal
	Notes     []string
	Text      string // the listing

	read    *listing.File
	timed   []cuasm.Section
	spilled map[string]int
}

// Compile returns the machine code of a kernel. The result depends on the request and on the version of the assembler
// alone.
func Compile(r Request) (*Code, error) {
	if r.Module == nil {
		return nil, fmt.Errorf("machine code of kernel %s: its PTX is not at hand", r.Kernel)
	}
	f, err := Listing(r)
	if err != nil {
		return nil, err
	}
	return f.Kernel(r.Module, r.Kernel)
}

// Kernel makes a kernel of the file. m is the module it was made from.
func (f *File) Kernel(m *ir.Module, name string) (*Code, error) {
	family, err := Family(f.read.Arch)
	if err != nil {
		return nil, err
	}
	k, err := family.Kernel(f.read, name, m)
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(f.timed, func(s cuasm.Section) bool { return s.Name == name })
	if i < 0 {
		return nil, fmt.Errorf("%s: kernel %s has no instruction", f.read.Name, name)
	}
	if err := timed(k, f.timed[i].Insts); err != nil {
		return nil, err
	}
	k.SpillBytes = f.spilled[name]
	return &Code{Kernel: k, Spilled: f.spilled[name], File: f}, nil
}

// made has the files made so far, by what they were made of: machines and points of a study share them.
var made = struct {
	sync.Mutex
	files map[fileKey]*File
}{files: map[fileKey]*File{}}

type fileKey struct {
	arch, registers int
	name            string // of the PTX, for messages
	ptx             [sha256.Size]byte
}

// Listing returns the machine code of a request's module.
func Listing(r Request) (*File, error) {
	if _, err := Family(r.Arch); err != nil {
		return nil, err
	}
	m := r.Module
	if m.Source == nil || m.Linked != nil {
		return nil, fmt.Errorf("%s: machine code is made of single PTX files only", m.File)
	}
	key := fileKey{r.Arch, r.Registers, m.File, sha256.Sum256(m.Source.Text)}
	made.Lock()
	defer made.Unlock()
	if f := made.files[key]; f != nil {
		return f, nil
	}
	t, err := tools.Find()
	if err != nil {
		return nil, fmt.Errorf("machine code of sm_%d for %s: %w", r.Arch, m.File, err)
	}
	out, err := t.Assemble(r.Arch, m.Source.Text, r.Registers)
	if err != nil {
		return nil, fmt.Errorf("%s for sm_%d: %w", m.File, r.Arch, err)
	}
	f, err := NewFile(fmt.Sprintf("%s (sm_%d)", m.File, r.Arch), out.Listing)
	if err != nil {
		return nil, err
	}
	f.Assembler, f.Notes, f.spilled = "ptxas "+t.Version, out.Notes, out.Spilled
	made.files[key] = f
	return f, nil
}

// NewFile reads a listing. name is for messages.
func NewFile(name, text string) (*File, error) {
	read, err := listing.Read(name, text)
	if err != nil {
		return nil, err
	}
	if _, err := Family(read.Arch); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	timed, err := cuasm.ReadListing(name, []byte(text))
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256([]byte(text))
	return &File{Hash: hex.EncodeToString(sum[:]), Text: text, read: read, timed: timed}, nil
}
