package opcode

// Kind is the file of a register.
type Kind uint8

// Kinds of registers.
const (
	General          Kind = iota // R0 to R254
	Zero                         // RZ, R255, URZ, UR63, PT, UPT: reads as a constant, writes vanish
	Predicate                    // P0 to P6
	Uniform                      // UR0 to UR62: one value per warp, in a file of its own
	UniformPredicate             // UP0 to UP6
	Constant                     // no register: bytes of the constant bank, as an operand
)

// Reg is a register named in a trace.
type Reg struct {
	Kind Kind
	N    uint8
	At   uint32 // of a Constant: its bank in the upper half, and its offset in bytes
}

// ParseReg reads the name of a register, and reports whether it is valid.
func ParseReg(b []byte) (Reg, bool) {
	uniform := len(b) > 1 && b[0] == 'U'
	if uniform {
		b = b[1:]
	}
	if len(b) < 2 || len(b) > 4 {
		return Reg{}, false
	}
	file := b[0]
	if b[1] == 'Z' && len(b) == 2 && file == 'R' || b[1] == 'T' && len(b) == 2 && file == 'P' {
		return Reg{Kind: Zero}, true
	}
	n := 0
	for _, c := range b[1:] {
		if c < '0' || c > '9' {
			return Reg{}, false
		}
		n = n*10 + int(c-'0')
	}
	switch {
	case file == 'R' && (n == 63 || n == 255) && uniform:
		return Reg{Kind: Zero}, true
	case file == 'R' && n < 63 && uniform:
		return Reg{Kind: Uniform, N: uint8(n)}, true
	case uniform && file == 'R':
		return Reg{}, false
	case file == 'R' && n == 255:
		return Reg{Kind: Zero}, true
	case file == 'R' && n < 255:
		return Reg{Kind: General, N: uint8(n)}, true
	case file == 'P' && n == 7:
		return Reg{Kind: Zero}, true
	case file == 'P' && n < 7 && uniform:
		return Reg{Kind: UniformPredicate, N: uint8(n)}, true
	case file == 'P' && n < 7:
		return Reg{Kind: Predicate, N: uint8(n)}, true
	}
	return Reg{}, false
}
