package bank

import (
	"math/bits"

	"kumiko/components/spec"
	"kumiko/kernel/ir"
)

// Policy is the mapping of a warp's registers to N banks.
type Policy uint8

// Bank index policies.
const (
	// ByRegisterAndWarp: (register + warp context) mod N; GPGPU-Sim's.
	ByRegisterAndWarp Policy = iota
	// ByRegister: register mod N; registers of one number of all warps share a bank.
	ByRegister
	// ByRegisterAndSlot: (register + warp context div schedulers) mod N. With N a
	// multiple of the schedulers, warps of one scheduler have the same warp
	// context mod N; this policy spreads them.
	ByRegisterAndSlot
	// ByXor: (register xor warp context) mod N, N a power of two.
	ByXor
	// Linear: (warp context x registers + register) mod N, the registers of a warp
	// being those of Registers: the registers follow one another through all banks.
	Linear
	// Turned has the places of Linear, with each warp's registers turned. Register 0 of a warp
	// lies in bank warp context mod N. Register r takes the place of
	// (r + warp context - warp context x registers) mod registers.
	Turned
	numPolicies
)

var policyNames = [numPolicies]string{"register+warp", "register", "register+slot", "register^warp", "linear",
	"linear+warp"}

// String is the name by which configurations know the policy.
func (p Policy) String() string { return policyNames[p] }

// ParsePolicy is the policy of a name.
func ParsePolicy(key, name string) (Policy, error) {
	for p, n := range policyNames {
		if n == name {
			return Policy(p), nil
		}
	}
	return 0, spec.Errorf(key, name, "register+warp, register, register+slot, register^warp, linear or linear+warp")
}

// MostBanks bounds the banks that share an arbiter: accesses name them in 8 bits.
const MostBanks = 256

// Index finds the bank and the entry of a warp's register.
type Index struct {
	policy     Policy
	schedulers int
	banks      int
	rows       uint32 // entries per warp and bank
	// Bank = place[shift + register], where shift depends on the warp alone, or
	// place[register] ^ shift.
	place [512]uint8 `soft:"an adder in hardware"`
	row   [256]uint8 `soft:"an adder in hardware"`
	xor   bool
	// seats, by context, are where its registers lie; those from split on at upper, which
	// is nil, and split beyond any register, where there are no added places.
	seats  []seat `soft:"an adder in hardware"`
	upper  []seat `soft:"an adder in hardware"`
	split  int
	places int

	each uint32 // Linear and Turned: registers of a warp; otherwise 0
	most int    // registers of a warp, whatever the kernel
}

// seat is a place in the banks, as Find wants it.
type seat struct {
	row    uint32 // the place's first entry in each bank
	number uint16 // of the place
	shift  uint16
}

// NewIndex returns the index of a register file of the given number of banks
// for warps contexts of up to registers registers. schedulers is used by
// ByRegisterAndSlot.
func NewIndex(p Policy, banks, warps, registers, schedulers int) (*Index, error) {
	switch {
	case banks < 1 || banks > MostBanks:
		return nil, spec.Errorf("banks", banks, "1 to %d banks that share an arbiter", MostBanks)
	case p == ByXor && bits.OnesCount(uint(banks)) != 1:
		return nil, spec.Errorf("banks", banks, "a power of two with bank_index register^warp")
	case registers < 1 || registers > 256:
		return nil, spec.Errorf("registers", registers, "1 to 256 registers per warp")
	case warps < 1:
		return nil, spec.Errorf("warps", warps, "at least 1 warp context")
	}
	x := &Index{policy: p, schedulers: schedulers, banks: banks, rows: uint32((registers + banks - 1) / banks),
		seats: make([]seat, warps), places: warps, xor: p == ByXor, split: NoSplit, most: registers}
	if p == Linear || p == Turned {
		x.each = uint32(registers)
	}
	for i := range x.place {
		x.place[i] = uint8(i % banks)
	}
	for i := range x.row {
		x.row[i] = uint8(i / banks)
	}
	for w := range x.seats {
		x.seats[w] = x.seat(w)
	}
	return x, nil
}

// seat is a place of a number.
func (x *Index) seat(place int) seat {
	s := seat{row: uint32(place) * x.rows, number: uint16(place)}
	switch x.policy {
	case ByRegisterAndWarp, ByXor:
		s.shift = uint16(place % x.banks)
	case ByRegisterAndSlot:
		s.shift = uint16(place / x.schedulers % x.banks)
	case Turned:
		each := int(x.each)
		s.shift = uint16((place%x.banks + x.banks - place*each%x.banks) % x.banks % each)
	}
	return s
}

// Entries is the number of entries that each bank needs.
func (x *Index) Entries() int {
	if x.each != 0 {
		return (x.places*x.most + x.banks - 1) / x.banks
	}
	return x.places * int(x.rows)
}

// Registers sets the number of registers that each warp has from now on, at least 1 and
// at most the number of NewIndex, for Linear and Turned. Other policies ignore it. The
// contents of all contexts are lost.
func (x *Index) Registers(each int) {
	if x.each == 0 {
		return
	}
	x.each = uint32(max(1, min(each, x.most)))
	for _, seats := range [][]seat{x.seats, x.upper} {
		for i := range seats {
			seats[i] = x.seat(int(seats[i].number))
		}
	}
}

// Banks is the number of banks through which registers are numbered.
func (x *Index) Banks() int { return x.banks }

// Find is the bank and the entry in it of a register of a warp context. No two
// registers share an entry, unless two contexts have one place.
func (x *Index) Find(warp uint16, r ir.RegID) (bank uint8, entry uint32) {
	s := &x.seats[warp]
	if int(r) >= x.split {
		s = &x.upper[warp]
	}
	if x.each != 0 {
		n := uint32(r)
		if s.shift != 0 {
			if n += uint32(s.shift); n >= x.each {
				n -= x.each
			}
		}
		n += uint32(s.number) * x.each
		return uint8(n % uint32(x.banks)), n / uint32(x.banks)
	}
	if x.xor {
		bank = x.place[r] ^ uint8(s.shift)
	} else {
		bank = x.place[uint16(r)+s.shift]
	}
	return bank, s.row + uint32(x.row[r])
}
