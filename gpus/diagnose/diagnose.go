// Package diagnose finds every reason for refusing a configuration, and settings against each.
//
// A mistake may hide others: a section of the configuration reports its first one, and blocks are built only from
// sections without mistakes. So a setting against a mistake is tried on the machine before it is proposed, and the
// machine with the setting is examined for the next mistake.
package diagnose

import (
	"errors"
	"slices"
	"strings"

	"kumiko/components/spec"
	"kumiko/gpus"
	"kumiko/gpus/config"
	"kumiko/internal/tomldoc"
	"kumiko/kernel/ir"
	"kumiko/sm/occupancy"
)

// Violation is a mistake of a configuration.
type Violation struct {
	Err error // with the place that set the value
	// Set are settings, each "key=value", against the mistake; empty: none was found.
	Set []string
}

// Load reads a configuration and builds its machine once. The error has all violations.
func Load(r config.Request) (*config.Config, error) {
	cfg, err := config.Load(r)
	if err == nil {
		_, err = gpus.New(cfg, gpus.Options{})
	}
	if err == nil {
		err = Refused(cfg)
	}
	if err != nil {
		return nil, Explain(r, err, Flags)
	}
	return cfg, nil
}

// Holds returns an error with all violations if a machine holds no CTA, however small.
func Holds(r config.Request, cfg *config.Config) error {
	if err := Refused(cfg); err != nil {
		return Explain(r, err, Flags)
	}
	return nil
}

// Refused returns why a machine holds no CTA, however small, with the place of the setting.
func Refused(cfg *config.Config) error {
	_, err := cfg.CTAs(smallest)
	var value *spec.Error
	if errors.As(err, &value) {
		return cfg.Locate(value)
	}
	return err
}

// Flags writes settings as flags of a command: --set sm.warps=64.
func Flags(sets []string) string { return "--set " + strings.Join(sets, " --set ") }

// Key writes settings as a key of a study: set = ["sm.warps=64"].
func Key(sets []string) string { return `set = ["` + strings.Join(sets, `", "`) + `"]` }

// Explain returns the error of a refused configuration with all violations, each with the settings against it, as
// written by write. Errors of other causes are returned unchanged.
func Explain(r config.Request, err error, write func(sets []string) string) error {
	if !about(err) {
		return err
	}
	var out []error
	list, _ := Violations(r)
	for _, v := range list {
		out = append(out, v.remedied(write))
	}
	switch len(out) {
	case 0:
		return err
	case 1:
		return out[0]
	}
	return errors.Join(out...)
}

// about reports whether an error is about a value of the configuration.
func about(err error) bool {
	var at *tomldoc.Error
	var value *spec.Error
	return errors.As(err, &at) || errors.As(err, &value)
}

// remedied returns the error with the settings at its end. A value that the error itself proposes becomes a setting.
func (v *Violation) remedied(write func(sets []string) string) error {
	if len(v.Set) == 0 {
		return v.Err
	}
	remedy := func(text string) string {
		_, value, _ := strings.Cut(v.Set[0], "=")
		if own, ok := strings.CutSuffix(text, "; did you mean "+value+"?"); ok && len(v.Set) == 1 {
			return own + "; did you mean " + write(v.Set) + "?"
		}
		return text + "; remedy: " + write(v.Set)
	}
	var at *tomldoc.Error
	if errors.As(v.Err, &at) {
		return &tomldoc.Error{Pos: at.Pos, Msg: remedy(at.Msg), Err: at.Err}
	}
	return errors.New(remedy(v.Err.Error()))
}

// mostSteps bounds the settings found one after the other.
const mostSteps = 12

// Violations returns the mistakes of a request in the order of their discovery, and settings with which the machine is
// built and holds a CTA; nil: no settings help against some violation, or there is none.
func Violations(r config.Request) (list []Violation, sets []string) {
	list, sets = violations(r)
	return joined(list), last(sets)
}

// violations is Violations, but if a setting that was tried is itself wrong, it lists that as a further violation.
func violations(r config.Request) (list []Violation, sets []string) {
	errs := examine(r)
	if len(errs) == 0 {
		return nil, nil
	}
	inherited := inherited(r)
	for range mostSteps {
		errs = blamed(r, errs)
		for _, e := range errs {
			if !slices.ContainsFunc(list, func(v Violation) bool { return same(v.Err, e) }) {
				list = append(list, Violation{Err: e})
			}
		}
		if len(errs) == 0 {
			return list, sets
		}
		found, left := help(&r, errs, inherited)
		if found == nil {
			return list, nil
		}
		for i := range list {
			v := &list[i]
			if v.Set == nil && has(errs, v.Err) && !has(left, v.Err) {
				v.Set = found
			}
		}
		sets = append(sets, found...)
		r.Trial = append(slices.Clip(r.Trial), found...)
		errs = left
	}
	return list, nil
}

// blamed replaces mistakes of the GPU and the preset. The replacement is the same mistake, found without the user's
// settings. So its place is in a file, and not in a setting of the user.
func blamed(r config.Request, errs []error) (out []error) {
	if len(r.Set) == 0 {
		return errs
	}
	r.Set = nil
	plain := examine(r)
	for _, e := range errs {
		if i := slices.IndexFunc(plain, func(p error) bool { return same(e, p) }); i >= 0 {
			e = plain[i]
		}
		out = append(out, e)
	}
	return out
}

// joined leaves out violations of tried settings, and gives the violation before them the later settings.
func joined(list []Violation) (out []Violation) {
	for _, v := range list {
		i := slices.IndexFunc(out, func(first Violation) bool { return concerns(v.Err, first.Set) })
		if i < 0 {
			out = append(out, v)
			continue
		}
		out[i].Set = last(append(slices.Clip(out[i].Set), v.Set...))
	}
	return out
}

// last leaves out settings of keys set again later.
func last(sets []string) (out []string) {
	for i, s := range sets {
		key, _, _ := strings.Cut(s, "=")
		if !slices.ContainsFunc(sets[i+1:], func(later string) bool { return strings.HasPrefix(later, key+"=") }) {
			out = append(out, s)
		}
	}
	return out
}

// help returns settings against one of the mistakes, and the mistakes then left; nil: none was found. Settings without
// another mistake of their own key are preferred.
func help(r *config.Request, errs []error, inherited map[string]any) (set []string, left []error) {
	for _, e := range errs {
		for _, c := range candidates(e, inherited) {
			switch rest, ok := try(r, e, c); {
			case !ok:
			case !slices.ContainsFunc(rest, func(x error) bool { return concerns(x, c) }):
				return c, rest
			case set == nil:
				set, left = c, rest
			}
		}
	}
	return set, left
}

// inherited returns the values of the GPU with the preset for the keys of the user's settings, or of the GPU alone if
// it refuses the preset.
func inherited(r config.Request) map[string]any {
	if len(r.Set) == 0 {
		return nil
	}
	set := r.Set
	r.Set = nil
	c, err := config.Load(r)
	if err != nil {
		c, err = config.Load(config.Request{GPU: r.GPU})
	}
	if err != nil {
		return nil
	}
	values, out := c.Values(), map[string]any{}
	for _, s := range set {
		key, _, _ := strings.Cut(s, "=")
		if key = strings.TrimSpace(key); values[key] != nil {
			out[key] = values[key]
		}
	}
	return out
}

// try reports whether a request with further settings is without the mistake, and whether the settings have possible
// values. It returns the mistakes left.
func try(r *config.Request, mistake error, set []string) (left []error, ok bool) {
	with := *r
	with.Trial = append(slices.Clip(r.Trial), set...)
	left = examine(with)
	for _, e := range left {
		if !about(e) || same(e, mistake) || tried(e, set) {
			return nil, false
		}
	}
	return left, !wordless(with, set)
}

// wordless reports whether the settings turn off the control words of compiled programs, although the machine issues by
// them.
func wordless(r config.Request, set []string) bool {
	if !slices.Contains(set, "compiler.control_words=none") {
		return false
	}
	cfg, err := config.Load(r)
	return err == nil && cfg.SM.Scheduler.Controlled()
}

// examine returns the mistakes of a configuration as far as they show at once.
func examine(r config.Request) []error {
	cfg, err := config.Load(r)
	if err == nil && r.Untimed {
		return nil
	}
	if err == nil && cfg.SM.Count > sms {
		r.Trial = append(slices.Clip(r.Trial), sliced)
		if part, err := config.Load(r); err == nil {
			cfg = part
		}
	}
	if err == nil {
		err = build(cfg)
	}
	if err == nil {
		err = Refused(cfg)
	}
	if all, ok := err.(interface{ Unwrap() []error }); ok {
		return all.Unwrap()
	}
	if err != nil {
		return []error{err}
	}
	return nil
}

// A machine of two SMs has the mistakes of a larger one, and is built sooner. Some designs need two.
const (
	sms    = 2
	sliced = "slice.sms=2"
)

// smallest is a CTA that every machine should hold.
var smallest = occupancy.CTA{Threads: 32, Registers: 8}

// build returns why a machine cannot be built. A fault of the simulator is no mistake of the configuration.
func build(cfg *config.Config) (err error) {
	defer func() {
		if recover() != nil {
			err = nil
		}
	}()
	_, err = gpus.New(cfg, gpus.Options{})
	var fault *ir.InternalError
	if errors.As(err, &fault) {
		return nil
	}
	return err
}

func has(errs []error, e error) bool {
	return slices.ContainsFunc(errs, func(x error) bool { return same(x, e) })
}

// same reports whether two errors are about the same mistake.
func same(a, b error) bool {
	var x, y *spec.Error
	if errors.As(a, &x) && errors.As(b, &y) {
		return x.Key == y.Key && x.Want == y.Want
	}
	return a.Error() == b.Error()
}
