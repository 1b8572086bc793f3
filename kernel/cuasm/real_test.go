package cuasm

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/kernel/ir"
)

// shared has machine code of others (CuAssembler's test data, maxas), not a part of the project.
const shared = "../../../shared/data/modern"

func readShared(t *testing.T, name string) []Section {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(shared, name))
	if err != nil {
		t.Skip("the listings are not part of the project: ", err)
	}
	list := mustRead(t, name, text)
	return list
}

// controlsOf are the control words of a section of code, of Maxwell's bundles or of Volta's instructions.
func controlsOf(code []byte, bundles bool) (out []ir.Control) {
	for i := 0; bundles && i+32 <= len(code); i += 32 {
		word := binary.LittleEndian.Uint64(code[i:])
		for k := range 3 {
			out = append(out, ir.ControlOf(uint32(word>>(21*k)&(1<<21-1))))
		}
	}
	for i := 0; !bundles && i+16 <= len(code); i += 16 {
		out = append(out, ir.ControlOf(uint32(binary.LittleEndian.Uint64(code[i+8:])>>41&(1<<21-1))))
	}
	return out
}

func TestControlWordsOfListingsAreThoseOfTheBinary(t *testing.T) {
	for name, want := range map[string]int{"cudatest.7.sm_75": 440, "cudatest.6.sm_61": 492} {
		list := readShared(t, "sm75-static/"+name+".cuasm")
		binary, err := os.ReadFile(filepath.Join(shared, "sm75-static", name+".cubin"))
		if err != nil {
			t.Fatal(err)
		}
		binary[20], binary[21] = 1, 0 // the version is that of the toolkit, which debug/elf does not know
		f, err := elf.NewFile(bytes.NewReader(binary))
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for _, s := range list {
			code, err := f.Section(".text." + s.Name).Data()
			if err != nil {
				t.Fatal(err)
			}
			words := controlsOf(code, name == "cudatest.6.sm_61")
			if len(words) != len(s.Insts) {
				t.Fatalf("%s, %s: %d instructions, the binary has %d", name, s.Name, len(s.Insts), len(words))
			}
			for i := range s.Insts {
				got := s.Insts[i].Control
				// Textures and branches use these bits otherwise.
				if strings.HasPrefix(s.Insts[i].Sym, "TEX") || s.Insts[i].T.Class == ir.ClassBranch {
					words[i].Reuse = 0
				}
				got.Hold = ir.Hold{} // an operand of the instruction, not of the control word
				if d := cmp.Diff(words[i], got); d != "" {
					t.Errorf("%s:%d: %s (-binary +listing):\n%s", name, s.Insts[i].Line, s.Insts[i].Sym, d)
				}
				n++
			}
		}
		if n != want {
			t.Errorf("%s: %d instructions, want %d", name, n, want)
		}
	}
}

// The loop of maxas' sgemm has eight steps of 64 multiply-adds.
func TestTheLoopOfMaxasSgemmIsRead(t *testing.T) {
	list := readShared(t, "maxas/sgemm_final_64.sass")
	if len(list) != 1 || len(list[0].Insts) < 600 {
		t.Fatalf("%d sections", len(list))
	}
	fma, reused := 0, 0
	for i := range list[0].Insts {
		in := &list[0].Insts[i]
		if in.Sym != "FFMA" {
			continue
		}
		fma++
		if in.T.NSrc != 3 || in.T.NDst != 1 || !in.Control.Set {
			t.Fatalf("line %d: %+v", in.Line, in.T)
		}
		if in.Control.Reuse != 0 {
			reused++
		}
	}
	if fma != 512 || reused == 0 {
		t.Errorf("%d multiply-adds, %d of them with reuse, want 512 and some", fma, reused)
	}
}

// worded matches the lines of machine code. In some files of maxas, mappings of names stand before the
// instructions.
var worded = regexp.MustCompile(`(?m)^[-0-9a-f]{2}:[-1-6]:[-1-6]:[-Y]:[0-9a-f] .*$`)

func TestListingsOfRealCodeAreInTheGrammar(t *testing.T) {
	n := 0
	err := filepath.WalkDir(shared, func(name string, d fs.DirEntry, err error) error {
		if ext := filepath.Ext(name); err != nil || d.IsDir() || ext != ".sass" && ext != ".cuasm" {
			return err
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		if bytes.Contains(text, []byte("_MAPPING>")) {
			text = bytes.Join(worded.FindAll(text, -1), []byte("\n"))
		}
		list, err := Read(name, text)
		for _, s := range list {
			n += len(s.Insts)
		}
		return err
	})
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("the listings are not part of the project: ", err)
	}
	if err != nil || n < 2000 {
		t.Errorf("%d instructions, want at least 2000; %v", n, err)
	}
}
