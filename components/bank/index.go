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
	// Linear: (warp context x registers + register) mod N, with the number of registers per warp set by Registers.
	// The registers follow one another through all banks.
	Linear
	// Turned uses the places of Linear, but rotates each warp's registers within them, so that register 0 of a warp
	// lies in bank warp context mod N. Register r takes the place of (r + warp context - warp context x registers)
	// mod registers.
	Turned
	numPolicies
)

var policyNames = [numPolicies]string{"register+warp", "register", "register+slot", "register^warp", "linear",
	"linear+warp"}

// String returns the policy's name in configurations.
func (p Policy) String() string { return policyNames[p] }

// ParsePolicy returns the policy of the given name.
func ParsePolicy(key, name string) (Policy, error) {
	for p, n := range policyNames {
		if n == name {
			return Policy(p), nil
		}
	}
	return 0, spec.Errorf(key, name, "register+warp, register, register+slot, register^warp, linear or linear+warp")
}

// MostBanks is the largest number of banks sharing an arbiter: accesses number banks in 8 bits.
const MostBanks = 256

// Index maps a warp's register to its bank and entry.
type Index struct {
	policy     Policy
	schedulers int
	banks      int
	rows       uint32 // entries per warp and bank
	// Bank = place[shift + register], where shift depends on the warp alone, or place[register] ^ shift with ByXor.
	place [512]uint8 `soft:"an adder in hardware"`
	row   [256]uint8 `soft:"an adder in hardware"`
	xor   bool
	// locations holds, by context, the place of its registers. Registers numbered split and above lie at the context's
	// place in upper. Without added places upper is nil and split is NoSplit, above any register.
	locations []location `soft:"an adder in hardware"`
	upper     []location `soft:"an adder in hardware"`
	split     int
	splits    []uint16 `soft:"an adder in hardware"` // by context, split or above; nil: split for all
	places    int

	each uint32 // Linear and Turned: registers of a warp; otherwise 0
	most int    // registers of a warp, whatever the kernel
}

// location is a place in the banks, in the form needed by Find.
type location struct {
	row    uint32 // the place's first entry in each bank
	number uint16 // of the place
	shift  uint16
}

// NewIndex returns the index of a register file of the given number of banks, for warps contexts of at most
// registers registers each. schedulers is used by ByRegisterAndSlot.
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
		locations: make([]location, warps), places: warps, xor: p == ByXor, split: NoSplit, most: registers}
	if p == Linear || p == Turned {
		x.each = uint32(registers)
	}
	for i := range x.place {
		x.place[i] = uint8(i % banks)
	}
	for i := range x.row {
		x.row[i] = uint8(i / banks)
	}
	for w := range x.locations {
		x.locations[w] = x.locate(w)
	}
	return x, nil
}

// locate returns the location of the given place number.
func (x *Index) locate(place int) location {
	s := location{row: uint32(place) * x.rows, number: uint16(place)}
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

// Entries returns the number of entries needed in each bank.
func (x *Index) Entries() int {
	if x.each != 0 {
		return (x.places*x.most + x.banks - 1) / x.banks
	}
	return x.places * int(x.rows)
}

// Registers sets the number of registers per warp for Linear and Turned, clamped to 1 and the number given to
// NewIndex. Other policies ignore it. The contents of all contexts are lost.
func (x *Index) Registers(each int) {
	if x.each == 0 {
		return
	}
	x.each = uint32(max(1, min(each, x.most)))
	for _, list := range [][]location{x.locations, x.upper} {
		for i := range list {
			list[i] = x.locate(int(list[i].number))
		}
	}
}

// Banks returns the number of banks covered by the index.
func (x *Index) Banks() int { return x.banks }

// Find returns the bank of a warp context's register, and its entry in the bank. No two registers share an entry,
// unless two contexts share a place.
func (x *Index) Find(warp uint16, r ir.RegID) (bank uint8, entry uint32) {
	s := &x.locations[warp]
	if int(r) >= x.split && (x.splits == nil || uint16(r) >= x.splits[warp]) {
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
