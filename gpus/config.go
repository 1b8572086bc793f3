package gpus

import (
	"errors"
	"fmt"
	"reflect"
	"strings"

	"kumiko/components/spec"
	"kumiko/internal/tomldoc"
	"kumiko/sm"
	"kumiko/sm/occupancy"
)

// Config is a GPU. Each exported field with a toml tag is a section of the
// file; one that has a Reconcile method is asked whether it makes sense.
type Config struct {
	Name   string `toml:"-"` // of the GPU: a built-in name or a file
	Design string `toml:"-"` // of the preset on top of it

	Header
	SM        sm.Spec          `toml:"sm"`
	Sched     sm.SchedulerSpec `toml:"sched"`
	Occupancy occupancy.Spec   `toml:"occupancy"`

	origins map[string]origin
}

// Header is what a file says of itself.
type Header struct {
	Base string `toml:"base"` // the GPU that it changes: a built-in name, or a file relative to this one
	Doc  string `toml:"doc"`  // one line
}

// origin is where a value was set, and what the comment there says.
type origin struct {
	pos     tomldoc.Pos
	comment string
}

var schema = schemaOf(reflect.TypeFor[Config]())

// reconciler is a section that can tell whether its values make sense.
type reconciler interface{ Reconcile() error }

// reconcile lets every section fill in what follows from its values and check
// them. The errors are *spec.Error with whole keys, or others.
func (c *Config) reconcile() error {
	c.SM.Scheduler = c.Sched
	var errs []error
	v := reflect.ValueOf(c).Elem()
	for i := range v.NumField() {
		name := v.Type().Field(i).Tag.Get("toml")
		if name == "" || name == "-" {
			continue
		}
		r, ok := v.Field(i).Addr().Interface().(reconciler)
		if !ok {
			continue
		}
		if err := r.Reconcile(); err != nil {
			errs = append(errs, whole(name, err))
		}
	}
	return errors.Join(errs...)
}

// whole puts the section's name before the key of an error.
func whole(section string, err error) error {
	var se *spec.Error
	if !errors.As(err, &se) {
		return fmt.Errorf("%s: %w", section, err)
	}
	key := section + "." + se.Key
	if policy, ok := strings.CutPrefix(key, "sm.scheduler."); ok {
		key = "sched." + policy
	}
	return &spec.Error{Key: key, Found: se.Found, Want: se.Want}
}

// Capacity is what an SM of this GPU has for CTAs.
func (c *Config) Capacity() occupancy.SM {
	return occupancy.SM{
		Registers: c.SM.Registers, SharedBytes: c.SM.SharedBytes, Threads: c.SM.Threads, Warps: c.SM.Warps,
		CTAs: c.SM.CTAs, CTAShared: c.SM.CTAShared, MaxRegisters: c.SM.MaxRegs,
	}
}
