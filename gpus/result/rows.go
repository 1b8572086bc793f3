package result

import (
	"maps"
	"math"
	"slices"

	"kumiko/components/stats"
)

// MostLaunches is the number of launches, from the first, with a row of their own in a result. Later launches share
// rows, so that a program's result does not grow with its launches. The bound is well above the launches of a program
// whose launches one looks at one by one, and the rows of a GPU with 144 SMs are then still some 50 MB of JSON.
const MostLaunches = 256

// Rows are the results of launches: a row for each of the first MostLaunches, and a row for each shape of later ones.
// Where there are very many shapes too, the rest shares a row for each kernel.
type Rows struct {
	list     []Kernel
	launches int
	shared   map[shape]int // rows of several launches, by what they have in common
}

// shape is what the launches of one row have in common. Where a row is for a kernel as a whole, its grid and block are
// zero.
type shape struct {
	name             string
	grid, block      [3]int
	registers, bytes int
	complete         bool
	words            string
	sampled          bool
	whole            string
}

// Launches returns the number of launches added.
func (r *Rows) Launches() int { return r.launches }

// List returns the rows. They may change with the next launch.
func (r *Rows) List() []Kernel {
	for _, i := range r.shared {
		k := &r.list[i]
		k.SetIPC()
		for s := range k.SMs {
			k.SMs[s].SetCPI()
		}
	}
	return r.list
}

// Add adds a launch.
func (r *Rows) Add(k Kernel) {
	r.launches++
	if r.launches <= MostLaunches {
		r.list = Append(r.list, k)
		return
	}
	at := shape{k.Name, k.Grid, k.Block, k.RegistersPerThread, k.SharedBytes, k.Complete, k.ControlWords,
		k.Sampled, k.Whole}
	i, ok := r.shared[at]
	if !ok && len(r.shared) >= MostLaunches {
		at = shape{name: k.Name, sampled: k.Sampled}
		k.Grid, k.Block = [3]int{}, [3]int{}
		i, ok = r.shared[at]
	}
	if ok {
		r.list[i].add(&k)
		return
	}
	if r.shared == nil {
		r.shared = map[shape]int{}
	}
	r.shared[at] = len(r.list)
	r.list = append(r.list, k.clone())
}

// clone returns a copy of a launch with maps of its own.
func (k *Kernel) clone() Kernel {
	out := *k
	out.Launches, out.IPCSteady, out.Beside = 1, nil, nil
	out.IssueSlots, out.WarpStates, out.Stats = maps.Clone(k.IssueSlots), maps.Clone(k.WarpStates), maps.Clone(k.Stats)
	out.Distributions = map[string][]stats.Bucket{}
	for name, b := range k.Distributions {
		out.Distributions[name] = slices.Clone(b)
	}
	if k.Sample != nil {
		sample := *k.Sample
		sample.Intervals = maps.Clone(sample.Intervals)
		out.Sample = &sample
	}
	out.SMs = slices.Clone(k.SMs)
	for i := range out.SMs {
		out.SMs[i].IssueSlots = maps.Clone(k.SMs[i].IssueSlots)
	}
	return out
}

// add adds a launch to a row with maps of its own.
func (k *Kernel) add(l *Kernel) {
	k.Launches++
	k.RegistersPerThread = max(k.RegistersPerThread, l.RegistersPerThread)
	k.SharedBytes = max(k.SharedBytes, l.SharedBytes)
	k.Complete = k.Complete && l.Complete
	k.Counts.Add(&l.Counts)
	if k.Sample != nil && l.Sample != nil {
		k.Sample.add(l.Sample)
	}
	for i := range min(len(k.SMs), len(l.SMs)) {
		a, b := &k.SMs[i], &l.SMs[i]
		a.WarpInstructions += b.WarpInstructions
		a.ThreadInstructions += b.ThreadInstructions
		addAll(a.IssueSlots, b.IssueSlots)
	}
}

// add adds the sampling of another launch. Their errors are independent, except for the systematic parts.
func (s *Sample) add(o *Sample) {
	s.Units += o.Units
	s.CTAs += o.CTAs
	s.CTAsSkipped += o.CTAsSkipped
	s.WarpInstructions += o.WarpInstructions
	s.WarpInstructionsSkipped += o.WarpInstructionsSkipped
	own := math.Hypot(s.CyclesHalf-s.CyclesSystematic, o.CyclesHalf-o.CyclesSystematic)
	s.CyclesSystematic += o.CyclesSystematic
	s.CyclesHalf = own + s.CyclesSystematic
	for name, half := range o.Intervals {
		s.Intervals[name] = math.Hypot(s.Intervals[name], half)
	}
	s.Windows = s.Windows || o.Windows
}

// Add adds counts, without the ratios.
func (c *Counts) Add(o *Counts) {
	c.Cycles += o.Cycles
	c.WarpInstructions += o.WarpInstructions
	c.ThreadInstructions += o.ThreadInstructions
	c.CTAsResidentMax = max(c.CTAsResidentMax, o.CTAsResidentMax)
	addAll(c.IssueSlots, o.IssueSlots)
	addAll(c.WarpStates, o.WarpStates)
	addAll(c.Stats, o.Stats)
	for name, b := range o.Distributions {
		c.Distributions[name] = merge(c.Distributions[name], b)
	}
}

func addAll(sum, m map[string]uint64) {
	for name, n := range m {
		sum[name] += n
	}
}

// Launched returns the number of launches that a row stands for.
func (k *Kernel) Launched() int { return max(k.Launches, 1) }

// Launched returns the number of launches that the rows stand for.
func Launched(rows []Kernel) (n int) {
	for i := range rows {
		n += rows[i].Launched()
	}
	return n
}
