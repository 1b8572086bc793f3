package memqueue

import (
	"kumiko/components/spec"
	"kumiko/kernel/ir"
)

// Spec configures the memory queues of an SM.
type Spec struct {
	Entries  int `toml:"entries" unit:"operations" range:"0 to 64" doc:"memory operations of a sub-core between issue and the SM's load/store unit. 0: sub-cores have no queues of their own, and the load/store unit serves all. Otherwise there is a unit of the memory classes for each scheduler"`
	Interval int `toml:"interval" unit:"cycles" doc:"cycles between two operations that the load/store unit takes from the queues" when:"entries!=0"`
	Pass     int `toml:"pass" unit:"cycles per pass" range:"0 to 64" doc:"for which an access to shared memory, or a load from global memory, keeps the next operation in its sub-core's queue, for each of its passes: the words of the fullest of 32 banks of four bytes. 0: not at all" when:"entries!=0"`
	Behind   int `toml:"store_every" unit:"cycles per register" range:"0 to 64" doc:"by how much later the operation behind a store or an atomic operation leaves, for each register of data, than behind a load" when:"entries!=0"`
	Data     int `toml:"store_data" unit:"cycles per register" range:"0 to 64" doc:"from the reading of a register of a store's data to that of the next" when:"entries!=0"`

	Global   Path `toml:"global" when:"entries!=0"`
	Shared   Path `toml:"shared" when:"entries!=0"`
	Constant Path `toml:"constant" when:"entries!=0"`
	Copy     Path `toml:"copy" when:"entries!=0"`
}

// Path has the times of accesses to one memory. Each list has two numbers: for an access with one
// address for all lanes, and for an access with its addresses in a register.
type Path struct {
	Leave []int `toml:"leave" unit:"cycles" doc:"from issue to the grant, if nothing is in the way. For one address, and for addresses in a register"`
	Every []int `toml:"every" unit:"cycles" doc:"from one leaving to the next, while addresses are computed. For one address, and for addresses in a register"`
	Loads []int `toml:"loads" unit:"cycles" doc:"from issue until an instruction may issue that overwrites a source. For one address, and for addresses in a register"`
	// Stores is like Loads, plus the cycles for the registers of the data.
	Stores []int `toml:"stores" unit:"cycles" doc:"the same of stores, store_data per register of data apart. For one address, and for addresses in a register"`
	Return []int `toml:"return" unit:"cycles" doc:"cycles by which a result comes later than the memory has it, its transfer apart. For one address, and for addresses in a register"`
	// Register bounds the rate of loads by the number of their result registers.
	Register int `toml:"register" unit:"cycles per register" range:"0 to 64" doc:"for which the load/store unit takes no other operation, for each register that a load returns. 0: the memory's own rate binds"`
	Store    int `toml:"store" unit:"cycles" range:"0 to 64" doc:"for which the load/store unit takes no other operation behind a store or an atomic operation. 0: the interval"`
	Width    int `toml:"transfer" unit:"cycles per register" range:"0 to 64" doc:"transfer of a result's registers; of a copy to shared memory, of the whole. Nothing takes less than 2 cycles"`
}

// leastTransfer is the least number of cycles for the transfer of a result.
const leastTransfer = 2

// way returns 0 for one address for all lanes and 1 for addresses in a register.
func way(t *ir.Timing) int {
	if t.NAddr == 0 {
		return 0
	}
	return 1
}

// Copies reports whether an instruction loads and has no result: a copy to shared memory, or a
// prefetch. The queue reports its end to its scheduler.
func Copies(t *ir.Timing) bool { return t.Class == ir.ClassLoad && !t.Result() }

// path returns the times of an instruction. Texture fetches, and accesses to local and generic memory, have the
// times of global memory.
func (s *Spec) path(t *ir.Timing) *Path {
	if Copies(t) {
		return &s.Copy
	}
	switch t.Space {
	case ir.Shared, ir.Barriers:
		return &s.Shared
	case ir.Const, ir.Param:
		return &s.Constant
	}
	return &s.Global
}

// On reports whether sub-cores have queues.
func (s *Spec) On() bool { return s.Entries != 0 }

// Check returns an error for impossible settings.
func (s *Spec) Check() error {
	if err := spec.Ranges(s); err != nil {
		return err
	}
	if !s.On() {
		return nil
	}
	if s.Interval < 1 || s.Interval > 64 {
		return spec.Errorf("interval", s.Interval, "1 to 64")
	}
	for _, p := range []struct {
		name string
		*Path
	}{{"global", &s.Global}, {"shared", &s.Shared}, {"constant", &s.Constant}, {"copy", &s.Copy}} {
		if err := p.check(); err != nil {
			return spec.Within(p.name, err)
		}
	}
	return nil
}

func (p *Path) check() error {
	for _, l := range []struct {
		key   string
		v     []int
		least int
	}{
		{"leave", p.Leave, leastLeave}, {"every", p.Every, 1}, {"loads", p.Loads, 1}, {"stores", p.Stores, 1},
		{"return", p.Return, 0},
	} {
		if len(l.v) != 2 {
			return spec.Errorf(l.key, l.v, "two numbers: for one address, and for addresses in a register")
		}
		for _, n := range l.v {
			if n < l.least || n > 1000 {
				return spec.Errorf(l.key, l.v, "%d to 1000", l.least)
			}
		}
	}
	return spec.Ranges(p)
}

// leastLeave is the part of the links in the cycles from issue to grant: to the register file,
// to the queue, to the grants, and back to the scheduler.
const leastLeave = 4
