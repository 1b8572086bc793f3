package cubin

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"sync"

	"kumiko/kernel/cuasm"
	"kumiko/kernel/cubin/listing"
	"kumiko/kernel/cubin/packed"
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
	Hash      string // SHA-256 of the listing in its compact form, in hexadecimal
	Notes     []string

	read  *listing.File
	timed []cuasm.Section
}

// MostRegisters returns the registers of a thread of the kernel with the most.
func (f *File) MostRegisters() (most int) {
	for _, fn := range f.read.Functions {
		most = max(most, fn.Registers)
	}
	return most
}

// Listing returns the listing in its compact form.
func (f *File) Listing() string { return listing.Write(f.read) }

// Compile returns the machine code of a kernel. The result depends on the request and on the version of the assembler
// alone.
func Compile(r Request) (*Code, error) {
	if r.Module == nil {
		return nil, fmt.Errorf("machine code of kernel %s: its PTX is not at hand", r.Kernel)
	}
	f, err := Assembled(r)
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
	timed(k, f.timed[i].Insts)
	k.SpillBytes = f.read.Function(name).Spilled
	return &Code{Kernel: k, Spilled: k.SpillBytes, File: f}, nil
}

// made has the files made so far, by what they were made of: machines and points of a study share them.
var made = struct {
	sync.Mutex
	files map[fileKey]*File
}{files: map[fileKey]*File{}}

type fileKey struct {
	arch, registers int
	named           bool   // an assembler is
	name            string // of the PTX, for messages
	ptx             [sha256.Size]byte
}

// Assembled returns the machine code of a request's module: the packed one of a built-in program, or else what the
// assembler that is installed makes of the PTX. An assembler that PTXAS names comes first.
func Assembled(r Request) (*File, error) {
	if _, err := Family(r.Arch); err != nil {
		return nil, err
	}
	m := r.Module
	if m.Source == nil || m.Linked != nil {
		return nil, fmt.Errorf("%s: machine code is made of single PTX files only", m.File)
	}
	if m.Source.Arch != 0 {
		if err := r.checkOwnCode(); err != nil {
			return nil, err
		}
	}
	key := fileKey{r.Arch, r.Registers, tools.Named(), m.File, sha256.Sum256(m.Source.Text)}
	made.Lock()
	defer made.Unlock()
	if f := made.files[key]; f != nil {
		return f, nil
	}
	f, err := assembled(&r)
	if err != nil {
		return nil, err
	}
	made.files[key] = f
	return f, nil
}

func assembled(r *Request) (*File, error) {
	m := r.Module
	if m.Source.Arch != 0 {
		f, err := NewFile(m.File, string(m.Source.Text), nil)
		if err == nil {
			f.Assembler = "the file " + m.File
		}
		return f, err
	}
	if !tools.Named() {
		text, err := packed.Find(packed.Key{PTX: sha256.Sum256(m.Source.Text), Arch: r.Arch, Registers: r.Registers})
		if err != nil {
			return nil, err
		}
		if text != "" {
			f, err := NewFile(r.name(), text, nil)
			if err == nil {
				f.Assembler = packed.Assembler() + ", packed"
			}
			return f, err
		}
	}
	t, err := tools.Find()
	if err != nil {
		return nil, fmt.Errorf("machine code of sm_%d for %s%s%w", r.Arch, m.File, r.unpacked(), err)
	}
	return Assemble(t, *r)
}

// Assemble returns what an assembler makes of a request's module.
func Assemble(t *tools.Tools, r Request) (*File, error) {
	m := r.Module
	out, err := t.Assemble(r.Arch, m.Source.Text, r.Registers)
	if err != nil {
		return nil, fmt.Errorf("%s for sm_%d: %w", m.File, r.Arch, err)
	}
	f, err := NewFile(r.name(), out.Listing, out.Spilled)
	if err != nil {
		return nil, err
	}
	f.Assembler, f.Notes = "ptxas "+t.Version, out.Notes
	return f, nil
}

// name is that of the file for messages.
func (r *Request) name() string { return fmt.Sprintf("%s (sm_%d)", r.Module.File, r.Arch) }

// unpacked returns why the packed code does not serve a request. The text is followed by the reason why there is no
// assembler either.
func (r *Request) unpacked() string {
	of := packed.Key{PTX: sha256.Sum256(r.Module.Source.Text), Arch: r.Arch}
	switch {
	case tools.Named():
		return ": "
	case r.Registers > 0 && packed.Has(of):
		return fmt.Sprintf(" within %d registers is not packed, and ", r.Registers)
	case packed.Has(packed.Key{PTX: of.PTX}):
		return fmt.Sprintf(" is packed for %s only, and ", packed.Architectures())
	}
	return " is not packed (its PTX is no built-in program's), and "
}

// NewFile reads a listing: what nvdisasm -hex prints, or the compact form. name is for messages. spilled has the bytes
// of spilled registers by function; nil: the listing has them, if they are known.
func NewFile(name, text string, spilled map[string]int) (*File, error) {
	read, err := listing.Read(name, text)
	if err != nil {
		return nil, err
	}
	if _, err := Family(read.Arch); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if err := read.Controls(); err != nil {
		return nil, err
	}
	timed, err := cuasm.ReadListing(name, []byte(text))
	if err != nil {
		return nil, err
	}
	for _, fn := range read.Functions {
		if n, ok := spilled[fn.Name]; ok {
			fn.Spilled = n
		}
	}
	sum := sha256.Sum256([]byte(listing.Write(read)))
	return &File{Hash: hex.EncodeToString(sum[:]), read: read, timed: timed}, nil
}
