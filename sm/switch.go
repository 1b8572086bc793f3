package sm

import (
	"kumiko/components/wire"
	"kumiko/memsys/req"
	"kumiko/regfile"
	"kumiko/sm/switching"
)

// joinSwitcher builds the CTA switcher, and joins it to
// schedulers, fetch and residency.
func (m *SM) joinSwitcher(env Env) {
	s := m.spec
	if !s.Switch.Present() {
		return
	}
	mover, _ := regfile.As[regfile.Mover](m.Regfile)
	x := switching.New(env.Name+".Switcher", env.Domain, s.Switch,
		switching.SM{CTAs: s.CTAContexts(), Schedulers: s.Schedulers, Slots: s.Warps, Moves: mover != nil}, env.Stats)
	var status []*wire.Signal[switching.Status]
	for _, k := range m.schedulers {
		status = append(status, &k.Parking.Status)
	}
	t := m.Residency.Seating
	x.Watch(status, &t.Rooms)
	wire.Connect(&t.Seats, &x.Seats, 1)
	if s.Switch.On() {
		wire.Connect(&x.Orders, &t.Orders, 1)
		wire.Connect(&x.Rewind, &m.fetch.Rewind, 1)
		for i, k := range m.schedulers {
			wire.Connect(&x.Park[i], &k.Parking.Park, 1)
			wire.Connect(&k.Parking.Parked, &x.Parked[i], 1)
			wire.Connect(&k.Parking.Woke, &x.Woke[i], 1)
			wire.Connect(&x.Back[i], &k.Parking.Back, 1)
		}
	}
	if x.Move != nil {
		m.fetch.SayWhere()
		orders, answers := mover.Mover()
		wire.Connect(x.Move, orders, 1)
		wire.Connect(answers, &x.Moved, 1)
		wire.Connect(&m.fetch.Standing, &x.Standing, 1)
	}
	m.switcher = x
}

// ConnectContexts joins the switcher to the SM's shared memory, for
// contexts. The answer to a context arrives latency cycles after its last pass.
func (m *SM) ConnectContexts(in *wire.InPort[req.WarpContext], out *wire.OutPort[req.WarpContext], latency int) {
	wire.Connect(&m.switcher.Save, in, 1)
	wire.Connect(out, &m.switcher.Saved, latency)
}

// SwitchState returns the storage of the CTA switcher; nil: there is none.
func (m *SM) SwitchState() []regfile.State {
	if m.switcher == nil {
		return nil
	}
	return m.switcher.State()
}

// Switches reports whether CTAs are switched.
func (m *SM) Switches() bool { return m.spec.Switch.On() }
