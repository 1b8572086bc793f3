package memsys

import (
	"kumiko/components/spec"
	"kumiko/memsys/access"
	"kumiko/memsys/addrmap"
	"kumiko/memsys/coalescer"
	"kumiko/memsys/constant"
	"kumiko/memsys/dram"
	"kumiko/memsys/l1"
	"kumiko/memsys/l2"
	"kumiko/memsys/noc"
	"kumiko/memsys/shared"
	"kumiko/memsys/simple"
)

// Spec is the memory system of a GPU.
type Spec struct {
	Access    access.Spec    `toml:"access"`
	Coalescer coalescer.Spec `toml:"coalescer"`
	Shared    shared.Spec    `toml:"shared"`
	Constant  constant.Spec  `toml:"constant"`
	L1        l1.Spec        `toml:"l1" when:"/onchip.memory!=cerf"`
	Texture   l1.Spec        `toml:"texture"`
	// DesignQueue is the capacity of the request queue for the register-file design's traffic.
	DesignQueue int `toml:"design_queue" unit:"packets" range:"1 to 65536" doc:"requests of the register-file design that may wait for an SM's port"`

	Backing string       `toml:"backing" unit:"-" doc:"the memory behind the L1. dram: interconnect, L2 and DRAM. fixed: fixed latency and limited bandwidth"`
	NoC     noc.Spec     `toml:"noc"`
	Map     addrmap.Spec `toml:"map" when:"backing=dram"`
	L2      l2.Spec      `toml:"l2" when:"backing=dram"`
	DRAM    dram.Spec    `toml:"dram" when:"backing=dram"`
	Fixed   simple.Spec  `toml:"fixed" when:"backing=fixed"`
}

// Check returns an error for settings outside their ranges. It ignores the sections of the backing not
// chosen.
func (s *Spec) Check() error {
	if err := spec.Ranges(s); err != nil {
		return err
	}
	for _, v := range []struct {
		section string
		check   func() error
	}{
		{"access", s.Access.Check}, {"coalescer", s.Coalescer.Check}, {"shared", s.Shared.Check},
		{"constant", s.Constant.Check}, {"l1", s.L1.Check}, {"texture", s.Texture.Check},
	} {
		if err := v.check(); err != nil {
			return spec.Within(v.section, err)
		}
	}
	switch s.Backing {
	case "fixed":
		return spec.Within("fixed", s.Fixed.Check())
	case "dram":
		return s.checkShared()
	}
	return spec.Errorf("backing", s.Backing, "dram or fixed")
}

func (s *Spec) checkShared() error {
	for _, v := range []struct {
		section string
		check   func() error
	}{
		{"noc", s.NoC.Check}, {"l2", s.L2.Check}, {"dram", s.DRAM.Check},
		{"map", func() error { return s.Map.Check(s.L2.Slices) }},
	} {
		if err := v.check(); err != nil {
			return spec.Within(v.section, err)
		}
	}
	if least := s.NoC.Lane + l2.LeastReply; s.NoC.Latency < least {
		return spec.Errorf("noc.latency", s.NoC.Latency, "at least %d: replies take a cycle from the tags of a slice "+
			"to its data, and one from there to the crossbar, before the lane of %d cycles", least, s.NoC.Lane)
	}
	if s.L2.Slices%s.DRAM.Channels != 0 {
		return spec.Errorf("l2.slices", s.L2.Slices, "a multiple of the DRAM channels (%d)", s.DRAM.Channels)
	}
	return nil
}

// Reconcile is Check, under the name required by GPU files.
func (s *Spec) Reconcile() error { return s.Check() }

// LaneLatency returns the latency of the links from SMs to the shared side, in
// cycles.
func (s *Spec) LaneLatency() int {
	if s.Backing == "fixed" {
		return s.Fixed.Lane
	}
	return s.NoC.Lane
}

// ReplyLatency returns the latency of the links back.
func (s *Spec) ReplyLatency() int {
	if s.Backing == "fixed" {
		return s.Fixed.Latency - s.Fixed.Lane
	}
	return s.NoC.Lane
}
