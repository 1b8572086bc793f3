package sched

import (
	"slices"

	"kumiko/components/stats"
	"kumiko/sm/reason"
)

// feature is an optional part of a scheduler. Most features keep warps from issuing, for
// reasons of their own.
type feature struct {
	present func(c *Config, p *Planes) bool
	reasons func(p *Planes) []reason.Info // the nearest to issuing first; nil: none
	// build makes the part of a scheduler (see parts); nil: there is none in this scheduler.
	build func(s *Scheduler, at *site) any
	// restless: after an issue another warp may become ready in the next cycle without any new message.
	restless bool
}

// features lists the optional parts of schedulers in the order of their reasons in the account, the
// nearest to issuing first. Their reasons stand between Issued and the reasons common to all SMs.
var features = []feature{
	gating,
	activeSets,
	fetchGroups,
	asking,
	classes,
	insertions,
	ctaWatching,
	ctaParking,
	constantCaches,
	memoryQueues,
	issueRegisters,
	startNotices,
	controlWords,
}

// site has the inputs for building a feature.
type site struct {
	config *Config
	links  *Links
	name   string // of the scheduler
	reg    *stats.Registry
	rows   []reason.Reason // of the feature's reasons, in their order
}

// ownReasons numbers the reasons of an SM's features. The early ones begin at reason.First, the farthest from
// issuing first. The late ones begin at late, the nearest first. A warp in several rows is accounted to
// the first of them.
func ownReasons(c *Config, p *Planes) (own []reason.Info, late, end reason.Reason) {
	for i := range features {
		if f := &features[i]; f.reasons != nil && f.present(c, p) {
			own = append(own, f.reasons(p)...)
		}
	}
	end = reason.First
	for i := range slices.Backward(own) {
		if !own[i].Late {
			own[i].Reason, end = end, end+1
		}
	}
	late = end
	for i := range own {
		if own[i].Late {
			own[i].Reason, end = end, end+1
		}
	}
	return own, late, end
}

// Reasons lists the reasons for lost issue slots of the schedulers of an SM in the order of the
// account.
func Reasons(c *Config, p *Planes) []reason.Info {
	var more []reason.Reason
	if c.Width > 1 {
		more = append(more, reason.Unpaired)
	}
	if c.Switch.On() {
		more = append(more, reason.Parked)
	}
	if p.Inserts != "" {
		more = append(more, reason.Inserted)
	}
	own, _, _ := ownReasons(c, p)
	return reason.List(own, more...)
}

// named reports whether a reason other than a gate has a name.
func named(name string) bool {
	for i := range features {
		f := &features[i]
		if f.reasons != nil &&
			slices.ContainsFunc(f.reasons(&Planes{}), func(r reason.Info) bool { return r.Name == name }) {
			return true
		}
	}
	return reason.Named(name)
}

// equip builds the features of a scheduler.
func (s *Scheduler) equip(at *site) {
	own, late, end := ownReasons(at.config, at.links.Planes)
	s.own, s.Late, s.End = own, late, end
	for _, x := range own {
		if x.Name == "" {
			s.merged = append(s.merged, merge{x.Reason, x.As})
		}
	}
	for i := range features {
		f := &features[i]
		if !f.present(at.config, at.links.Planes) {
			continue
		}
		at.rows = at.rows[:0]
		if f.reasons != nil {
			for _, x := range own[:len(f.reasons(at.links.Planes))] {
				at.rows = append(at.rows, x.Reason)
			}
			own = own[len(at.rows):]
		}
		s.restless = s.restless || f.restless
		s.add(f.build(s, at))
	}
}
