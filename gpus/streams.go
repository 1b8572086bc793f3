package gpus

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"kumiko/components/spec"
	"kumiko/components/wire"
	"kumiko/gpus/capture"
	"kumiko/gpus/result"
	"kumiko/gpus/stop"
	"kumiko/kernel/emu"
	"kumiko/kernel/host"
	"kumiko/kernel/ir"
	"kumiko/kernel/stream"
	"kumiko/regfile"
	"kumiko/sm/occupancy"
	"kumiko/sm/residency"
)

// This file has launches of several streams, which run side by side. They are executed when they are launched, and
// simulated together when something needs their end: a launch in the default stream, or Sync.

// A queue is full beyond so many bytes, or with so many launches. Then they are simulated before the next one is added,
// so that a program that never waits for its launches does not fill the memory, nor a row of the result.
const (
	mostQueued   = 1 << 30
	mostLaunches = 1024
)

// queued is a launch in a stream of CUDA: it has been executed, and its time is still to be simulated.
type queued struct {
	launchSpec
	host.Queue
	ctas  []*stream.CTA
	admit regfile.Admission
}

// queue has the launches in streams that are not yet simulated.
type queue struct {
	list  []queued
	bytes int // in memory, of what their warps executed
	most  int // bytes beyond which the queue is full
}

// runsAlone reports whether a launch runs without others beside it.
func (m *machine) runsAlone(q *host.Queue) bool {
	return q == nil || m.cfg.Residency.Policy == residency.InOrder
}

// enqueue executes a launch at once, and keeps what its warps executed so that Sync can simulate it.
func (m *machine) enqueue(l *host.Launch) error {
	if err := m.joinQueue(l.Queue); err != nil {
		return err
	}
	e, s, err := m.prepared(l)
	if err != nil {
		return err
	}
	return m.keep(s, l.Queue, func(*regfile.Admission) ([]*stream.CTA, error) { return m.executed(e) })
}

// enqueuePlayed is enqueue for a launch that was executed before.
func (m *machine) enqueuePlayed(c *capture.Executed) error {
	if err := m.joinQueue(c.Launch.Queue); err != nil {
		return err
	}
	s, err := m.fitted(c)
	if err != nil {
		return err
	}
	return m.keep(s, c.Launch.Queue, func(*regfile.Admission) ([]*stream.CTA, error) { return c.CTAs, nil })
}

// joinQueue simulates the launches that have to end before a launch in a stream begins, or that fill the queue.
func (m *machine) joinQueue(q *host.Queue) error {
	if q.Joins || m.queue.bytes > m.queue.most || len(m.queue.list) >= mostLaunches {
		return m.Sync()
	}
	return nil
}

// keep admits a launch and keeps its CTAs for Sync.
func (m *machine) keep(s *launchSpec, q *host.Queue,
	ctas func(*regfile.Admission) ([]*stream.CTA, error)) error {
	out := queued{launchSpec: *s, Queue: *q}
	var err error
	if out.admit, err = m.admit(s.Kernel, s.needs()); err != nil {
		return err
	}
	if out.ctas, err = ctas(&out.admit); err != nil {
		return err
	}
	for _, c := range out.ctas {
		m.queue.bytes += capture.Bytes(c)
	}
	m.queue.list = append(m.queue.list, out)
	return nil
}

// executed returns the streams of all CTAs of a launch.
func (m *machine) executed(e *emu.Launch) (out []*stream.CTA, err error) {
	src := emu.NewSource(e, capture.Ahead)
	defer src.Close()
	if m.opt.Context != nil {
		defer context.AfterFunc(m.opt.Context, src.Interrupt)()
	}
	return m.drained(src)
}

// drained returns all CTAs of a source.
func (m *machine) drained(src stream.Source) (out []*stream.CTA, err error) {
	for c := src.Next(); c != nil; c = src.Next() {
		out = append(out, c)
	}
	var hang *emu.HangError
	switch err := src.Err(); {
	case errors.As(err, &hang):
		return nil, &stop.Error{Reason: hang.Error()}
	case err != nil:
		return nil, err
	case m.interrupted(): // the last CTAs may be missing
		return nil, stop.ErrInterrupted
	}
	return out, nil
}

// refuseBeside refuses launches that cannot run side by side, because of themselves, the machine or an option.
func (m *machine) refuseBeside(list []queued) error {
	of := m.sideBySide()
	for i := range list {
		q, err := &list[i], of
		if err == nil && (q.Cooperative || q.clusters) {
			err = errors.New("found a cooperative launch or clusters, expected the default stream for it: CTAs that " +
				"need each other are not handed out beside other launches")
		}
		if err != nil {
			return fmt.Errorf("kernel %s in stream %d: %w; residency.policy = %q runs one launch at a time",
				q.Kernel.Name, q.Stream, err, residency.InOrder)
		}
	}
	return nil
}

// sideBySide refuses a machine or an option with which launches cannot run side by side.
func (m *machine) sideBySide() error {
	switch kind := m.cfg.RegFile.Unmerged(); {
	case m.single() != "":
		return fmt.Errorf("found together with %s, expected none: it follows one launch at a time", m.single())
	case kind != "":
		return fmt.Errorf("found the register file %s, expected one whose CTAs need no agreement: its room and its "+
			"tables are made for one kernel at a time", kind)
	case m.cfg.RegFile.Settings().Kind.OnChip != "":
		return fmt.Errorf("found the register file %s, expected one apart from the cache: each launch divides their "+
			"memory for itself", m.cfg.RegFile.Outer())
	case m.spec.Switch.On() && occupancy.Warps(m.spec.Threads) < m.spec.Warps:
		return fmt.Errorf("found sm.threads = %d with switched CTAs, expected threads for %d warps or more: scheduler "+
			"slots are counted in warps", m.spec.Threads, m.spec.Warps)
	case m.cfg.Room().Pool.Registers, m.cfg.RegisterPool() > 0:
		return errors.New("found registers in the pool of on-chip memory (onchip.unified), expected a file of their " +
			"own: each launch divides the pool for itself")
	case m.cfg.Account.LiveRegisters, m.cfg.Account.Windows:
		return errors.New("found account.live_registers or account.windows, expected neither: they count for one " +
			"kernel at a time")
	}
	return nil
}

// single returns the name of a chosen option that can follow only one launch at a time, or "" if there is none.
func (m *machine) single() string {
	switch {
	case m.opt.Sample != nil:
		return "sampling"
	case m.opt.Part != nil:
		return "a part of the launches"
	case m.opt.Checkpoints != nil:
		return "checkpoints"
	case m.opt.Record != nil:
		return "a record of traces"
	}
	return ""
}

// Sync simulates the launches in streams that are not yet simulated.
func (m *machine) Sync() error {
	list := m.queue.list
	m.queue.list, m.queue.bytes = nil, 0
	if len(list) == 0 {
		return nil
	}
	grids, streams := m.grids(list)
	if inOrder(grids) {
		return m.oneByOne(list)
	}
	if err := m.refuseBeside(list); err != nil {
		return err
	}
	return m.simulateTogether(list, grids, streams)
}

// inOrder reports whether each launch waits for the one before it, so that none has another one beside it.
func inOrder(grids []*residency.Grid) bool {
	for i := 1; i < len(grids); i++ {
		if !slices.Contains(grids[i].After, grids[i-1]) {
			return false
		}
	}
	return true
}

// oneByOne simulates launches as those of the default stream.
func (m *machine) oneByOne(list []queued) error {
	for i := range list {
		s, ctas := &list[i].launchSpec, list[i].ctas
		list[i].ctas = nil // so that they are freed with their launch
		s.open = func(*regfile.Admission) (stream.OpenSource, error) {
			return capture.NewPlayback(s.Kernel, ctas), nil
		}
		if err := m.simulate(s); err != nil {
			return err
		}
	}
	return nil
}

// simulateTogether simulates launches side by side.
func (m *machine) simulateTogether(list []queued, grids []*residency.Grid, streams int) error {
	sharing, err := m.sharing(list)
	if err != nil {
		return err
	}
	linked, err := m.code.Link(kernelsOf(list), streamsOf(grids), insertsOf(list))
	if err != nil {
		return err
	}
	for i, g := range grids {
		g.Kernel = linked.Number(list[i].Kernel, g.Stream)
		for _, c := range list[i].ctas {
			g.CTAs = append(g.CTAs, linked.CTA(c, list[i].Kernel, g.Stream))
		}
	}
	run, err := m.beginBeside(list, &residency.Together{Grids: grids, Streams: streams, Sharing: sharing,
		SM: roomOf(m.cfg.Room()), Shared: m.spec.WarpContexts() / 2, Gap: launchGap,
		Latency: wire.Cycle(m.cfg.GPU.LaunchCycles)}, linked)
	if err != nil {
		return err
	}
	if m.opt.Timeline != nil {
		m.opt.Timeline.Together(codesOf(list, grids, linked.Parts()))
	}
	err = m.finish(run, ended{})
	r := rowOf(list)
	if fault := m.end(run, &r, err == nil); err == nil {
		err = fault
	}
	m.draw(run, list, grids)
	r.Beside = m.besideOf(run, list, grids)
	m.rows.Add(r)
	m.launches += len(list)
	if m.opt.Launched != nil {
		m.opt.Launched(&r)
	}
	return err
}

// grids returns the launches as the dispatcher takes them, and the number of their streams.
func (m *machine) grids(list []queued) (out []*residency.Grid, streams int) {
	numbers, last, byID := numbersOf(list), map[int]*residency.Grid{}, map[int]*residency.Grid{}
	for i := range list {
		q := &list[i]
		g := &residency.Grid{Number: i, Stream: slices.Index(numbers, q.Stream),
			Needs: roomOf(m.cfg.Occupancy.Needs(q.needs())), Pairs: q.admit.Pairs, Second: q.admit.Second}
		if before := last[q.Stream]; before != nil {
			g.After = append(g.After, before)
		}
		for _, id := range q.After {
			if before := byID[id]; before != nil && !slices.Contains(g.After, before) {
				g.After = append(g.After, before)
			}
		}
		last[q.Stream] = g
		if q.ID != 0 {
			byID[q.ID] = g
		}
		out = append(out, g)
	}
	return out, len(numbers)
}

// sharing returns how launches share the SMs, with the shares of only those streams that have launches.
func (m *machine) sharing(list []queued) (*residency.Sharing, error) {
	out := m.cfg.Residency
	all := out.Share
	if len(all) == 0 {
		return &out, nil
	}
	out.Share = nil
	for _, n := range numbersOf(list) {
		if n > len(all) {
			return nil, m.cfg.Locate(spec.Within("residency", spec.Errorf("share", all,
				"a share for stream %d too: there is one for each of streams 1 to %d", n, len(all))))
		}
		out.Share = append(out.Share, all[n-1])
	}
	return &out, nil
}

// numbersOf returns the numbers of the streams that have launches, in ascending order. A stream's share and its SMs
// follow from its number, and not from which stream launches first.
func numbersOf(list []queued) (out []int) {
	for i := range list {
		out = append(out, list[i].Stream)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func roomOf(s occupancy.SM) residency.Needs {
	return residency.Needs{CTAs: s.CTAs, Warps: s.Warps, Threads: s.Threads, Registers: s.Registers,
		Shared: s.SharedBytes}
}

func kernelsOf(list []queued) (out []*ir.Kernel) {
	for i := range list {
		out = append(out, list[i].Kernel)
	}
	return out
}

func insertsOf(list []queued) (out []*regfile.Insertions) {
	for i := range list {
		out = append(out, list[i].admit.Insert)
	}
	return out
}

func streamsOf(grids []*residency.Grid) (out []int) {
	for _, g := range grids {
		out = append(out, g.Stream)
	}
	return out
}

// rowOf returns the result row of launches side by side, still without counts.
func rowOf(list []queued) result.Kernel {
	out := result.Kernel{Name: nameOf(list)}
	if len(list) > 1 {
		out.Launches = len(list)
	}
	for i := range list {
		out.RegistersPerThread = max(out.RegistersPerThread, list[i].Kernel.Footprint)
		out.SharedBytes = max(out.SharedBytes, list[i].SharedBytes)
		out.ControlWords = cmp.Or(out.ControlWords, list[i].Words)
	}
	return out
}

// nameOf names the kernels of launches side by side, each once.
func nameOf(list []queued) string {
	var names []string
	for i := range list {
		if n := list[i].Kernel.Name; !slices.Contains(names, n) {
			names = append(names, n)
		}
	}
	if len(names) > 3 {
		return fmt.Sprintf("%s and %d other kernels", names[0], len(names)-1)
	}
	out := names[0]
	for _, n := range names[1:] {
		out += " + " + n
	}
	return out
}

// besideOf returns what each launch did, in cycles from the beginning of all.
func (m *machine) besideOf(run *launched, list []queued, grids []*residency.Grid) []result.Beside {
	out := make([]result.Beside, len(list))
	for i := range list {
		q, g := &list[i], grids[i]
		out[i] = result.Beside{Name: q.Kernel.Name, Stream: q.Stream, Grid: q.Grid, Block: q.Block,
			RegistersPerThread: q.Kernel.Footprint, SharedBytes: q.SharedBytes, IssueSlots: map[string]float64{},
			Ready: since(g.Ready, run), Begin: since(g.Begin, run), End: since(g.End, run)}
	}
	m.beside.Finish(run.end, out)
	result.SetOverlaps(out)
	return out
}

// since returns a cycle counted from the beginning of a run; 0 if it never came.
func since(at uint64, run *launched) uint64 { return max(at, run.start) - run.start }

// ended is a source that has handed out everything without an error.
type ended struct{}

func (ended) Next() *stream.CTA { return nil }
func (ended) Err() error        { return nil }
