// Package packed has the machine code of the built-in programs, so that they run as such with none of NVIDIA's programs
// installed. It is our object code: NVIDIA's assembler makes it of our PTX, and make packed makes it again.
//
// code/NAME.gz has the listings of one program in their compact form (kernel/cubin/listing), one for each architecture.
// A few kernels need more registers than a thread has on some GPUs; these have a listing within this bound, too.
// index.txt names the programs by the hash of their PTX, and the versions of all compilers. Code is found by the PTX it
// was made of alone: that of a program whose PTX has changed is not found.
package packed

import (
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync"
)

//go:embed index.txt code/*.gz
var files embed.FS

// Key names the code of a module.
type Key struct {
	PTX  [sha256.Size]byte // the hash of its text
	Arch int               // 75 for sm_75
	// Registers bounds those of a thread; 0: they are unbounded.
	Registers int
}

// Index says what is packed.
type Index struct {
	// Assembler, Disassembler and Compiler are the programs that made it, with their versions. The compiler made the
	// PTX of CUDA C++.
	Assembler, Disassembler, Compiler string
	Programs                          []Program
}

// Program is one program of the index.
type Program struct {
	Name string
	PTX  [sha256.Size]byte
	Code []Variant
}

// Variant is what one listing of a program was made for.
type Variant struct{ Arch, Registers int }

// String returns the variant as the index has it: sm_52, or sm_52/63 within 63 registers.
func (v Variant) String() string {
	if v.Registers > 0 {
		return fmt.Sprintf("sm_%d/%d", v.Arch, v.Registers)
	}
	return fmt.Sprintf("sm_%d", v.Arch)
}

// index is read once, when machine code is wanted for the first time.
var index = sync.OnceValue(func() *Index {
	text, err := files.ReadFile("index.txt")
	if err != nil {
		panic(err) // it is part of the program
	}
	x, err := ReadIndex(string(text))
	if err != nil {
		panic(err)
	}
	return x
})

// Contents returns the index.
func Contents() *Index { return index() }

// Assembler returns the assembler that made the code, with its version.
func Assembler() string { return index().Assembler }

// Architectures lists the architectures.
func Architectures() string {
	var names []string
	for _, p := range index().Programs {
		for _, v := range p.Code {
			if name := v.String(); v.Registers == 0 && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return strings.Join(names, ", ")
}

// Has reports whether the code of a key is packed; with no architecture, that of any.
func Has(k Key) bool {
	p := index().program(k.PTX)
	return p != nil && (k.Arch == 0 || slices.Contains(p.Code, Variant{k.Arch, k.Registers}))
}

func (x *Index) program(ptx [sha256.Size]byte) *Program {
	for i := range x.Programs {
		if x.Programs[i].PTX == ptx {
			return &x.Programs[i]
		}
	}
	return nil
}

// Find returns the listing of a key; none: it is not packed. Its error is about the data of this package.
func Find(k Key) (string, error) {
	p := index().program(k.PTX)
	if p == nil {
		return "", nil
	}
	i := slices.Index(p.Code, Variant{k.Arch, k.Registers})
	if i < 0 {
		return "", nil
	}
	f, err := files.Open("code/" + p.Name + ".gz")
	if err != nil {
		return "", err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return "", fmt.Errorf("code/%s.gz: %w", p.Name, err)
	}
	all, err := io.ReadAll(z)
	if err != nil {
		return "", fmt.Errorf("code/%s.gz: %w", p.Name, err)
	}
	listings := strings.SplitAfter(string(all), End)
	if len(listings) != len(p.Code)+1 {
		return "", fmt.Errorf("code/%s.gz: %d listings, expected %d", p.Name, len(listings)-1, len(p.Code))
	}
	return strings.TrimSuffix(listings[i], End), nil
}

// End is behind each listing. It is a comment to the reader of listings.
const End = "// end\n"

// Header is the first lines of the index; the names of the programs that made the code follow.
const Header = "# Machine code of the built-in programs, made by make packed. Each line has the hash of a program's\n" +
	"# PTX, its name, and the architectures, with /N within N registers.\n"

// The lines of the index that name programs.
const (
	compilerLine     = "compiler: "
	assemblerLine    = "assembler: "
	disassemblerLine = "disassembler: "
)

// String returns the text of the index.
func (x *Index) String() string {
	var w strings.Builder
	w.WriteString(Header + compilerLine + x.Compiler + "\n" + assemblerLine + x.Assembler + "\n" + disassemblerLine +
		x.Disassembler + "\n")
	for _, p := range x.Programs {
		fmt.Fprintf(&w, "%x %s", p.PTX, p.Name)
		for _, v := range p.Code {
			w.WriteString(" " + v.String())
		}
		w.WriteString("\n")
	}
	return w.String()
}

// ReadIndex reads an index.
func ReadIndex(text string) (*Index, error) {
	x, number := &Index{}, 0
	for line := range strings.Lines(text) {
		number++
		if line = strings.TrimSpace(line); strings.HasPrefix(line, "#") {
			continue
		}
		if err := x.read(line); err != nil {
			return nil, fmt.Errorf("index.txt:%d: %w", number, err)
		}
	}
	return x, nil
}

func (x *Index) read(line string) error {
	for name, to := range map[string]*string{compilerLine: &x.Compiler, assemblerLine: &x.Assembler,
		disassemblerLine: &x.Disassembler} {
		if version, ok := strings.CutPrefix(line, name); ok {
			*to = version
			return nil
		}
	}
	f := strings.Fields(line)
	if len(f) < 3 {
		return fmt.Errorf("%q: expected a hash, a name and architectures", line)
	}
	p := Program{Name: f[1]}
	hash, err := hex.DecodeString(f[0])
	if err != nil || len(hash) != len(p.PTX) {
		return fmt.Errorf("%q: expected a SHA-256 in hexadecimal", f[0])
	}
	copy(p.PTX[:], hash)
	for _, s := range f[2:] {
		name, bound, bounded := strings.Cut(s, "/")
		n, _ := strings.CutPrefix(name, "sm_")
		v, err := Variant{}, error(nil)
		if v.Arch, err = strconv.Atoi(n); err == nil && bounded {
			v.Registers, err = strconv.Atoi(bound)
		}
		if err != nil || v.String() != s {
			return fmt.Errorf("%q: expected an architecture, as sm_52 or sm_52/63", s)
		}
		p.Code = append(p.Code, v)
	}
	x.Programs = append(x.Programs, p)
	return nil
}
