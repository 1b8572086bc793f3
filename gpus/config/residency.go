package config

import (
	"slices"

	"kumiko/components/spec"
	"kumiko/internal/tomldoc"
	"kumiko/regfile"
	"kumiko/sm/switching"
)

// Keys of the two axes, and of the way of switching, which the residency sets.
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

// Paths lists the values of regfile.kind that are register files.
func Paths() []string {
	return slices.DeleteFunc(regfile.Names(), func(n string) bool { return residency(n) != nil })
}

// residency returns the kind of residency of a name, or nil.
func residency(name string) *regfile.Kind {
	if k, err := regfile.Find(name); err == nil && k.Needs != nil {
		return k
	}
	return nil
}

// settle brings the axes and the way of switching into agreement when a layer has set one of them.
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
	case byWay != nil && c.CTA.Switching == switching.VirtualThread && r.Residency == regfile.NoResidency:
		r.Residency = switching.VirtualThread
		c.reside(byWay, true)
	case byWay != nil && !c.CTA.On() && r.Residency == switching.VirtualThread:
		r.Residency = regfile.NoResidency
		c.reside(byWay, true)
	}
	return nil
}

// reside notes that an entry has set the residency, and sets the way of switching as that wants it, unless
// the layer has set it.
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
	case k != nil && c.CTA.Switching == switching.VirtualThread:
		return // beside it
	}
	if way != c.CTA.Switching {
		c.CTA.Switching, c.origins[ctaSwitching] = way, at
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

// Axes are a kind of register file and a residency.
type Axes struct{ Path, Residency string }

// Axes returns the values of the two axes.
func (r *RegFile) Axes() Axes { return Axes{r.Kind, r.Residency} }

// String is the name of the point where no preset has another one.
func (a Axes) String() string {
	switch {
	case a.Residency == regfile.NoResidency:
		return a.Path
	case a.Path == base:
		return a.Residency
	}
	return a.Path + "+" + a.Residency
}

// base is the kind of register file on which others are built, and beside which residencies stand by themselves.
const base = "conventional"

// replaced refuses another kind of register file than that of the design, whose settings would be dropped. A kind
// that is built on it leaves them as they are. e is the entry that has set the kind, or nil.
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

// Why returns why a kind of register file does not go with a residency, in one line; empty: it does.
func (a Axes) Why() string {
	k := kind(a.Path)
	for _, s := range needs(a.Residency) {
		if why := k.Why(s); why != "" {
			return why
		}
	}
	return ""
}

// needs returns the services that a residency needs of a register file.
func needs(name string) []regfile.Service {
	if k := residency(name); k != nil {
		return k.Needs
	}
	if name == switching.VirtualThread {
		return []regfile.Service{regfile.Parking}
	}
	return nil
}

// resides refuses a residency beside a register file that has not the services for it.
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
