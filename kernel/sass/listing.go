package sass

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"kumiko/internal/infile"
	"kumiko/kernel/cuasm"
	"kumiko/kernel/ir"
)

// ListingName is the name of a listing of machine code in the folder of traces, as written by nvdisasm -hex,
// cuobjdump -sass and CuAssembler.
const ListingName = "listing.sass"

// list sets the control words of a trace without a program of its own, from the listing beside it, if there is one
// with a kernel of this name.
func (l *Launch) list() error {
	if l.own != nil {
		return nil
	}
	name := filepath.Join(filepath.Dir(l.File), ListingName)
	text, err := infile.Read(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	} else if err != nil {
		return err
	}
	sections, err := cuasm.ReadListing(name, text)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(sections, func(s cuasm.Section) bool { return s.Name == l.Name })
	if i < 0 {
		return nil
	}
	sum := sha256.Sum256(text)
	l.Sum = sha256.Sum256(append(l.Sum[:], sum[:]...))
	return l.controlled(name, sections[i].Insts)
}

// controlled sets the control words from a listing's instructions.
func (l *Launch) controlled(name string, listed []ir.Inst) error {
	if l.Kernel.Places == nil {
		return &Error{File: l.File, Msg: fmt.Sprintf("found addresses that are not those of one function, expected "+
			"so of %s, whose control words %s has", l.Name, name)}
	}
	for i, s := range l.prog.order {
		n := l.listedAt(s.pc)
		if n < 0 || n >= len(listed) {
			return &Error{File: l.File, Line: int(s.line), Msg: fmt.Sprintf("found %s at %#x, expected an address of "+
				"the %d instructions of %s in %s", s.code.Name, s.pc, len(listed), l.Name, name)}
		}
		from, in := &listed[n], &l.Kernel.Insts[i]
		if !sameOpcode(s.code.Name, from.Sym) {
			return &Error{File: l.File, Line: int(s.line), Msg: fmt.Sprintf("found %s at %#x of %s, expected %s as in "+
				"%s:%d", s.code.Name, s.pc, l.Name, from.Sym, name, from.Line)}
		}
		if !from.Control.Set {
			return &Error{File: name, Line: int(from.Line), Col: int(from.Col), Msg: fmt.Sprintf("found %s without a "+
				"control word, expected a listing with encodings or control words (nvdisasm -hex, cuobjdump -sass)",
				from.Sym)}
		}
		in.Control = from.Control
		if in.T.NSrc == from.T.NSrc && in.T.Src == from.T.Src {
			in.T.Slots = from.T.Slots
		} else {
			in.Control.Reuse = 0 // flags name slots, and the trace does not have all operands
		}
	}
	return nil
}

// listedAt returns the number of the instruction at an address, -1 if there is none. From Volta on instructions
// have 16 bytes. Before, three instructions of 8 bytes follow 8 bytes of their control words.
func (l *Launch) listedAt(pc uint64) int {
	if l.BinaryVersion >= 70 {
		if pc%16 != 0 {
			return -1
		}
		return int(pc / 16)
	}
	if pc%8 != 0 || pc%32 == 0 {
		return -1
	}
	return int(pc/32*3 + pc%32/8 - 1)
}

// sameOpcode reports whether a trace and a listing name one operation: tracers omit suffixes.
func sameOpcode(traced, listed string) bool {
	return traced == listed || strings.HasPrefix(listed, traced+".") || strings.HasPrefix(traced, listed+".")
}
