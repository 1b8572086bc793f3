package config

import (
	"slices"

	"kumiko/components/spec"
	"kumiko/internal/tomldoc"
	"kumiko/regfile"
	"kumiko/sm/switching"
)

// Keys of the two axes, and of CTA switching, set by the residency.
const (
	kindKey      = "regfile.kind"
	residencyKey = "regfile.residency"
	ctaSwitching = "cta.switching"
)

// Residencies lists the values of regfile.residency.
func Residencies() []string {
	out := []string{regfile.NoResidency, switching.VirtualThread}
	for _, name := range regfile.Names() {
		if residency(name) != nil {
			out = append(out, name)
		}
	}
	return out
}

// Paths lists the values of regfile.kind without the residencies.
func Paths() []string {
	return slices.DeleteFunc(regfile.Names(), func(n string) bool { return residency(n) != nil })
}

// residency returns the residency of the given name, or nil if the name is of no kind or of a register file.
func residency(name string) *regfile.Kind {
	if k, err := regfile.Find(name); err == nil && k.Needs != nil {
		return k
	}
	return nil
}

// settle makes the axes and cta.switching agree after a layer has set one of them.
func (c *Config) settle(l *layer) error {
	r := &c.RegFile
	byKind, byResidency, byWay := l.last(kindKey), l.last(residencyKey), l.last(ctaSwitching)
	if k := residency(r.Kind); byKind != nil && k != nil {
		if byResidency != nil && r.Residency != k.Name {
			return tomldoc.Errorf(byResidency.Pos, "%s: found %s, expected %s beside %s = %s", residencyKey,
				r.Residency, k.Name, kindKey, k.Name)
		}
		r.Residency, r.Kind, byResidency = k.Name, k.Base, byKind
	}
	switch {
	case byResidency != nil:
		c.reside(byResidency, byWay != nil)
	case byWay != nil && c.SM.Switch.Switching == switching.VirtualThread && r.Residency == regfile.NoResidency:
		r.Residency = switching.VirtualThread
		c.reside(byWay, true)
	case byWay != nil && !c.SM.Switch.On() && r.Residency == switching.VirtualThread:
		r.Residency = regfile.NoResidency
		c.reside(byWay, true)
	}
	return nil
}

// reside records the entry that set the residency. It then sets cta.switching to the residency's value, unless
// the layer has set cta.switching itself.
func (c *Config) reside(e *tomldoc.Entry, ways bool) {
	c.RegFile.by = e.Path()
	at := origin{e.Pos, e.Comment}
	c.origins[residencyKey] = at
	if ways {
		return
	}
	way := switching.None
	k := residency(c.RegFile.Residency)
	switch {
	case c.RegFile.Residency == switching.VirtualThread:
		way = switching.VirtualThread
	case k != nil && k.Switching != "":
		way = k.Switching
	case k != nil && c.SM.Switch.Switching == switching.VirtualThread:
		return // virtual-thread works beside this residency
	}
	if way != c.SM.Switch.Switching {
		c.SM.Switch.Switching, c.origins[ctaSwitching] = way, at
	}
}

// last returns the last entry of a key, or nil.
func (l *layer) last(key string) (out *tomldoc.Entry) {
	for i := range l.doc.Entries {
		if e := &l.doc.Entries[i]; e.Path() == key {
			out = e
		}
	}
	return out
}

// Axes is a point of the configuration space: a kind of register file and a residency.
type Axes struct{ Path, Residency string }

// Axes returns the values of the two axes.
func (r *RegFile) Axes() Axes { return Axes{r.Kind, r.Residency} }

// String returns the name of the point, for points without a preset of another name.
func (a Axes) String() string {
	switch {
	case a.Residency == regfile.NoResidency:
		return a.Path
	case a.Path == base:
		return a.Residency
	}
	return a.Path + "+" + a.Residency
}

// base is the conventional register file. Other kinds are built on it, and a residency named alone stands beside
// it.
const base = "conventional"

// replaced refuses a change of the kind set by the design, since the design's settings would be dropped. A kind
// built on the design's kind is allowed and keeps them. e is the entry that has set the kind, or nil.
func (a Axes) replaced(design, now string, e *tomldoc.Entry) error {
	if e == nil || a.Path == "" || now == a.Path {
		return nil
	}
	if k, err := regfile.Find(now); err != nil || k.Base == a.Path {
		return nil
	}
	return tomldoc.Errorf(e.Pos, "%s: found %s, expected %s, as --design %s sets it: its other settings would be "+
		"dropped; leave out --design %s, or leave the kind to it (a residency: %s)", kindKey, now, a.Path, design,
		design, residencyKey)
}

// Why returns, in one line, why the kind of register file excludes the residency; empty: they fit.
func (a Axes) Why() string {
	k := kind(a.Path)
	for _, s := range needs(a.Residency) {
		if why := k.Why(s); why != "" {
			return why
		}
	}
	return ""
}

// needs returns the services of a register file that a residency needs.
func needs(name string) []regfile.Service {
	if k := residency(name); k != nil {
		return k.Needs
	}
	if name == switching.VirtualThread {
		return []regfile.Service{regfile.Switching}
	}
	return nil
}

// resides refuses a residency beside a register file without the needed services.
func (c *Config) resides() error {
	r := &c.RegFile
	if r.settings[r.Kind] == nil || !slices.Contains(Residencies(), r.Residency) {
		return nil // the section says so itself
	}
	if why := r.Axes().Why(); why != "" {
		return spec.Errorf(r.by, r.Residency, "another residency with %s = %s: %s", kindKey, r.Kind, why)
	}
	return c.switches()
}
