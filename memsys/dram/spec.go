package dram

import (
	"cmp"

	"kumiko/components/spec"
	"kumiko/memsys/req"
)

// Spec is the geometry and timing of the DRAM channels. It has more than thirty fields since a data sheet has: each is
// a setting, and the blocks only read them.
type Spec struct {
	Channels int    `toml:"channels" unit:"channels" range:"1 to 64" doc:"memory controllers on the chip"`
	Clock    int    `toml:"clock_mhz" unit:"MHz" range:"1 to 100000" doc:"command clock, at which the channels tick"`
	Bus      int    `toml:"bus_bytes" unit:"bytes" range:"1 to 1024" doc:"width of a channel's data bus"`
	Rate     int    `toml:"transfers_per_clock" unit:"transfers" range:"1 to 64" doc:"transfers per cycle of the command clock: 4 for GDDR5, 2 for GDDR3"`
	Burst    int    `toml:"burst" unit:"transfers" range:"1 to 64" doc:"transfers of one column command"`
	Banks    int    `toml:"banks" unit:"banks" range:"1 to 64" doc:"banks per channel, a power of two up to 64"`
	Groups   int    `toml:"bank_groups" unit:"groups" doc:"bank groups of a channel. Neighbouring banks are in different groups"`
	Row      int    `toml:"row_bytes" unit:"bytes" doc:"size of a bank's row over all chips of the channel, a power of two"`
	Stripe   int    `toml:"stripe_bytes" unit:"bytes" doc:"consecutive bytes in one bank, a power of two of at least a line. The next stripe lies in the next bank"`
	BankHash bool   `toml:"bank_hash" unit:"-" doc:"the bank number is combined with the row number by exclusive or"`
	BySector bool   `toml:"reads_by_sector" unit:"-" doc:"every sector that is read takes its own column command, even where one command would bring several"`
	Queue    int    `toml:"queue" unit:"requests" range:"2 to 64" doc:"requests that the scheduler chooses from, up to 64"`
	Return   int    `toml:"return_queue" unit:"requests" range:"1 to 65536" doc:"reads that may be between their last column command and the departure of their reply"`
	Policy   string `toml:"scheduler" unit:"-" doc:"order of requests. frfcfs: row hits first, then oldest. fcfs: oldest first"`
	Starve   int    `toml:"starvation_limit" unit:"command cycles" range:"1 to 1073741824" doc:"a request that has waited this long goes before younger row hits"`
	High     int    `toml:"write_high" unit:"requests" doc:"number of waiting writes that starts a drain"`
	Low      int    `toml:"write_low" unit:"requests" doc:"number of waiting writes that ends a drain"`
	Latency  int    `toml:"latency" unit:"core cycles" range:"1 to 65536" doc:"fixed delay from an L2 slice to the channel. The channel sees a request in the first command cycle from then on"`
	Back     int    `toml:"return_latency" unit:"command cycles" range:"1 to 65536" doc:"delay from the end of a read's data to the L2 slice. The slice sees the reply in the first core cycle from then on"`

	RCD  int `toml:"trcd" unit:"command cycles" range:"1 to 1000" doc:"activate to column command"`
	RAS  int `toml:"tras" unit:"command cycles" range:"1 to 1000" doc:"activate to precharge"`
	RP   int `toml:"trp" unit:"command cycles" range:"1 to 1000" doc:"precharge to activate"`
	RC   int `toml:"trc" unit:"command cycles" range:"1 to 1000" doc:"activate to activate, same bank"`
	CL   int `toml:"tcl" unit:"command cycles" range:"1 to 1000" doc:"read to data"`
	WL   int `toml:"twl" unit:"command cycles" range:"1 to 1000" doc:"write to data"`
	RRD  int `toml:"trrd" unit:"command cycles" range:"1 to 1000" doc:"activate to activate, different banks"`
	CCD  int `toml:"tccd" unit:"command cycles" range:"1 to 1000" doc:"column command to column command"`
	CCDL int `toml:"tccdl" unit:"command cycles" doc:"column command to column command, same bank group"`
	WR   int `toml:"twr" unit:"command cycles" range:"1 to 1000" doc:"end of write data to precharge"`
	CDLR int `toml:"tcdlr" unit:"command cycles" range:"1 to 1000" doc:"end of write data to read"`
	RTP  int `toml:"trtp" unit:"command cycles" range:"1 to 1000" doc:"read to precharge"`

	// Without Refresh, REFI and RFC are ignored.
	Refresh bool `toml:"refresh" unit:"-" doc:"every trefi the channel closes all rows and refreshes all banks at once, which takes trfc"`
	REFI    int  `toml:"trefi" unit:"command cycles" doc:"from one refresh to the next" when:"refresh=true"`
	RFC     int  `toml:"trfc" unit:"command cycles" doc:"refresh to activate" when:"refresh=true"`
}

// Atom returns the bytes moved by one column command.
func (s *Spec) Atom() int { return s.Bus * s.Burst }

// beat returns the bus cycles of one column command.
func (s *Spec) beat() int { return max(1, s.Burst/s.Rate) }

// Peak returns the bandwidth of one channel's pins, in bytes per second.
func (s *Spec) Peak() float64 { return float64(s.Bus*s.Rate) * float64(s.Clock) * 1e6 }

// Check returns an error for settings outside their ranges.
func (s *Spec) Check() error {
	if err := cmp.Or(
		spec.Ranges(s),
		spec.InRange("bank_groups", s.Groups, 1, s.Banks),
		spec.InRange("write_high", s.High, 1, s.Queue-1),
		spec.InRange("write_low", s.Low, 0, s.High-1),
		atLeast("tras", s.RAS, "trcd", s.RCD),
		atLeast("trc", s.RC, "tras", s.RAS),
		spec.InRange("tccdl", s.CCDL, s.CCD, 1000),
	); err != nil {
		return err
	}
	switch {
	case s.Banks&(s.Banks-1) != 0:
		return spec.Errorf("banks", s.Banks, "a power of two")
	case s.Stripe < req.LineBytes || s.Stripe > spec.MostBytes || s.Stripe&(s.Stripe-1) != 0:
		return spec.Errorf("stripe_bytes", s.Stripe, "a power of two from %d to %d", req.LineBytes, spec.MostBytes)
	case s.Row < s.Stripe || s.Row > spec.MostBytes || s.Row&(s.Row-1) != 0:
		return spec.Errorf("row_bytes", s.Row, "a power of two from stripe_bytes (%d) to %d", s.Stripe, spec.MostBytes)
	case s.Refresh && (s.RFC < 1 || s.RFC > 1<<20):
		return spec.Errorf("trfc", s.RFC, "1 to %d", 1<<20)
	case s.Refresh && (s.REFI > 1<<30 || !s.refreshable()):
		return spec.Errorf("trefi", s.REFI, "at least trfc (%d) and four times trc (%d), up to %d", s.RFC, s.RC, 1<<30)
	}
	return spec.OneOf("scheduler", s.Policy, "frfcfs", "fcfs")
}

// atLeast returns an error for a time shorter than a part of it: a column command comes
// between the activation and the precharge of its row, and these two lie within tRC.
func atLeast(key string, v int, part string, least int) error {
	if v < least {
		return spec.Errorf(key, v, "at least %s (%d)", part, least)
	}
	return nil
}
