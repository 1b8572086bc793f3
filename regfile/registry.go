package regfile

import (
	"fmt"
	"io/fs"
	"slices"
	"sort"
	"strings"

	"kumiko/kernel/compiler/control"
)

// Design is a register file that has been built into an SM.
//
// Contract: DataPorts returns the same ports each time. The design
// requests further services of the SM by the optional interfaces of this package.
type Design interface {
	DataPorts() *Ports
}

// Kind is a kind of register file, before any is built.
type Kind struct {
	Name string // as in the configuration keys regfile.kind and regfile.residency
	Doc  string // one line
	// NewSpec returns a pointer to a struct of settings with their defaults, into
	// which a GPU file is decoded. Its fields have toml, unit and doc tags.
	NewSpec func() any
	// Build builds one register file from what NewSpec returned.
	Build func(env *Env, spec any) (Design, error)
	// Base, if not empty, is the kind that this one is built on: its settings are
	// those of the same GPU too, and what NewSpec returns is a Based.
	Base string
	// Chip, if not nil, joins the register files of all SMs when they are built:
	// files[i] is SM i's. What is written here is a block beside the SMs, and
	// signals from SM to SM.
	Chip func(env *ChipEnv, spec any, files []Design) error
	// Admit, if not nil, decides how many CTAs of a launch may be resident; otherwise
	// the GPU's rules of occupancy do. It is a function of its arguments alone, asked
	// by whoever wants to know, whether anything is to run or not. Its error says in
	// one line why not one CTA fits.
	Admit func(spec any, l *Launch) (Admission, error)
	// Needs, if not nil, makes the kind one of residency (regfile.residency): its designs stand beside a register
	// file of another kind that has these services.
	Needs []Service
	// Serves are the services that the kind's register files have.
	Serves []Service
	// Lacks says in one line why the kind's register files do not have a service.
	Lacks map[Service]string
	// Switching, if not empty, is the way of switching CTAs (cta.switching) that the kind
	// is one part of: it goes with that one alone, and no other kind does. The kind's
	// designs are Movers.
	Switching string
	// OnChip, if not empty, is the organisation of on-chip memory (onchip.memory) that
	// the kind is one part of: it goes with that one alone, and no other kind does.
	OnChip string
	// Pools: where registers lie in a pool of on-chip memory, the kind says itself which of
	// them do, and how much each launch takes (Launch.Pool, Admission.Pooled).
	Pools bool
	// Words are the machines (compiler.control_words) for whose control words the kind's register
	// files have the times. Empty: instructions wait by scoreboards alone (sched.dependences).
	Words []string
	// Reads, of a kind with Words, returns the times of its register files for which control words
	// allow.
	Reads func(spec any) control.Reads
	// Presets, if not nil, has the kind's presets, values of --design: each file NAME.toml in
	// its root is one, as those in gpus/config/designs are.
	Presets fs.FS
	// Aliases are other names of settings, directly in the section regfile: the key
	// regfile.ALIAS stands for regfile.NAME.SETTING.
	Aliases map[string]string
}

// Based is the Spec of a kind that is built on another one, such as a control
// plane around a conventional file.
//
// Contract: SetBase is given the settings of the other kind, as its NewSpec returned
// them and the GPU's files changed them, before Check and before Build. Until then
// the settings of the base are its defaults.
type Based interface{ SetBase(spec any) }

var kinds = map[string]*Kind{}

// Register makes a kind of register file known. It panics if the name is taken.
func Register(k *Kind) {
	if k.Name == "" || k.NewSpec == nil || k.Build == nil {
		panic("regfile: a kind needs a name, NewSpec and Build")
	}
	if _, ok := k.NewSpec().(Based); ok != (k.Base != "") {
		panic("regfile: the Spec of " + k.Name + " is to be a Based if and only if the kind has a Base")
	}
	if kinds[k.Name] != nil {
		panic("regfile: two kinds are named " + k.Name)
	}
	kinds[k.Name] = k
}

// Why returns why the kind's register files do not have a service, in one line; empty: they have it.
func (k *Kind) Why(s Service) string {
	switch why := k.Lacks[s]; {
	case slices.Contains(k.Serves, s):
		return ""
	case why != "":
		return why
	}
	return k.Name + " has no such service"
}

// Find is the kind of a name.
func Find(name string) (*Kind, error) {
	if k := kinds[name]; k != nil {
		return k, nil
	}
	return nil, fmt.Errorf("regfile.kind: found %q, expected one of %s", name, strings.Join(Names(), ", "))
}

// Names lists the kinds that are known, sorted.
func Names() []string {
	var out []string
	for n := range kinds {
		out = append(out, n)
	}
	sort.Strings(out)
	return out
}
