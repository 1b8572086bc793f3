package occupancy

import (
	"cmp"
	"fmt"
)

// SM has the resources of one streaming multiprocessor.
type SM struct {
	Registers   int // 32-bit
	SharedBytes int
	Threads     int
	Warps       int
	CTAs        int
	// CTAShared is the most shared memory of one CTA, in bytes; 0: all.
	CTAShared int
	// MaxRegisters is the most registers of a thread; 0: any number.
	MaxRegisters int
	// Pool bounds registers and shared memory together, beside their own bounds.
	Pool Pool
}

// CTA has the needs of one thread block.
type CTA struct {
	Threads     int
	Registers   int // per thread
	SharedBytes int
}

// The limits, in the order of their precedence in a tie.
const (
	ByRegisters = "registers"
	ByShared    = "shared"
	ByThreads   = "threads"
	ByWarps     = "warps"
	ByCTAs      = "ctas"
)

// Result is the number of CTAs held by an SM and the limiting resource.
type Result struct {
	CTAs            int    `json:"ctas_per_sm"`
	Limit           string `json:"limit"`
	RegistersUnused int    `json:"registers_unused"` // 32-bit registers
}

// unlimited is the bound of a resource not needed by a CTA.
const unlimited = 1 << 30

// Of returns the number of CTAs that fit on an SM. It returns an error if not
// even one does.
func (s *Spec) Of(sm SM, c CTA) (Result, error) {
	if err := s.fits(sm, c); err != nil {
		return Result{}, err
	}
	n, limit := least(s.byRegisters(sm.Registers, c.Threads, c.Registers), s.otherBounds(sm, c))
	if n == 0 {
		return Result{}, fmt.Errorf("a CTA of %d threads does not fit on an SM: %s", c.Threads, limit)
	}
	return Result{
		CTAs: n, Limit: limit,
		RegistersUnused: sm.Registers - n*s.CTARegisters(c.Threads, c.Registers),
	}, nil
}

// Needs returns the resources of an SM that a CTA takes.
func (s *Spec) Needs(c CTA) SM {
	return SM{CTAs: 1, Warps: Warps(c.Threads), Threads: roundUp(c.Threads, warpSize),
		Registers: s.CTARegisters(c.Threads, c.Registers), SharedBytes: s.CTAShared(c.SharedBytes)}
}

// Others returns how many CTAs fit on an SM regardless of registers, and the limit.
// It returns an error if not even one does.
func (s *Spec) Others(sm SM, c CTA) (Result, error) {
	if sm.MaxRegisters == 0 || c.Registers <= sm.MaxRegisters {
		c.Registers = 0
	}
	if err := s.fits(sm, c); err != nil {
		return Result{}, err
	}
	n, limit := least(unlimited, s.otherBounds(sm, c))
	if n == 0 {
		return Result{}, fmt.Errorf("a CTA of %d threads does not fit on an SM: %s", c.Threads, limit)
	}
	return Result{CTAs: n, Limit: limit}, nil
}

// ByRegisters returns the number of CTAs that fit in a capacity of registers, regardless of
// other resources: a very large number for CTAs without registers.
func (s *Spec) ByRegisters(capacity int, c CTA) int {
	return s.byRegisters(capacity, c.Threads, c.Registers)
}

type bound struct {
	name string
	n    int
}

// otherBounds returns the bounds of the resources beside registers, in order.
func (s *Spec) otherBounds(sm SM, c CTA) []bound {
	shared := unlimited
	if b := s.CTAShared(c.SharedBytes); b > 0 {
		shared = sm.SharedBytes / b
	}
	return []bound{
		{ByShared, shared},
		{ByPool, s.byPool(&sm.Pool, c)},
		{ByThreads, sm.Threads / roundUp(c.Threads, warpSize)},
		{ByWarps, sm.Warps / Warps(c.Threads)},
		{ByCTAs, sm.CTAs},
	}
}

func least(registers int, others []bound) (int, string) {
	n, limit := registers, ByRegisters
	for _, b := range others {
		if b.n < n {
			n, limit = b.n, b.name
		}
	}
	return n, limit
}

// fits returns an error, naming the missing resource, for a CTA too large for any SM.
func (s *Spec) fits(sm SM, c CTA) error {
	if c.Threads < 1 {
		return fmt.Errorf("a CTA of %d threads: expected at least 1", c.Threads)
	}
	if c.Registers < 0 || c.SharedBytes < 0 {
		return fmt.Errorf("a CTA of %d registers per thread and %d bytes of shared memory: expected none below 0",
			c.Registers, c.SharedBytes)
	}
	over := func(what string, need, have int) error {
		if need <= have {
			return nil
		}
		return fmt.Errorf("a CTA of %d threads does not fit on an SM: it needs %d %s, the SM has %d", c.Threads, need,
			what, have)
	}
	perCTA := sm.CTAShared
	if perCTA == 0 {
		perCTA = sm.SharedBytes
	}
	if sm.MaxRegisters > 0 && c.Registers > sm.MaxRegisters {
		return fmt.Errorf("%d registers per thread: the GPU has at most %d", c.Registers, sm.MaxRegisters)
	}
	if c.SharedBytes > perCTA {
		return fmt.Errorf("a CTA of %d threads needs %d bytes of shared memory: a CTA may have at most %d", c.Threads,
			c.SharedBytes, perCTA)
	}
	for _, err := range []error{
		over("registers", s.CTARegisters(c.Threads, c.Registers), sm.Registers),
		over("bytes of shared memory", s.CTAShared(c.SharedBytes), sm.SharedBytes),
		over("bytes of the pool", s.ofPool(&sm.Pool, c), cmp.Or(sm.Pool.Bytes, unlimited)),
		over("thread slots", roundUp(c.Threads, warpSize), sm.Threads),
		over("warp contexts", Warps(c.Threads), sm.Warps),
		over("CTA slots", 1, sm.CTAs),
	} {
		if err != nil {
			return err
		}
	}
	return nil
}
