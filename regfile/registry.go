package regfile

import (
	"fmt"
	"io/fs"
	"slices"
	"sort"
	"strings"

	"kumiko/kernel/compiler/control"
)

// Design is a register file built into an SM.
//
// Contract: DataPorts returns the same ports each time. The design requests further services of the SM by the
// optional interfaces of this package.
type Design interface {
	DataPorts() *Ports
}

// Kind is a kind of register file, before any is built. Builder adds what depends on the type of its settings.
type Kind struct {
	Name string // as in the configuration keys regfile.kind and regfile.residency
	Doc  string // one line
	// Was is a former name of the kind, of its preset, and of its section of settings. Files and flags may have it
	// still. Empty: none.
	Was string
	// Base is the name of the kind underneath this one, whose settings apply too (Builder.Base); empty: none.
	Base string
	// Needs, if not nil, makes the kind one of residency (regfile.residency): its designs stand beside a register
	// file of another kind with these services.
	Needs []Service
	// Serves lists the services offered by the kind's register files.
	Serves []Service
	// Lacks explains in one line why the kind's register files do not offer a service.
	Lacks map[Service]string
	// Switching, if not empty, is a way of switching CTAs (cta.switching) that belongs to this kind: each requires
	// the other. The kind's designs are Movers.
	Switching string
	// OnChip, if not empty, is an organisation of on-chip memory (onchip.memory) that belongs to this kind: each
	// requires the other.
	OnChip string
	// Pools: where registers lie in a pool of on-chip memory, the kind itself decides which of them do, and how
	// much each launch uses (Launch.Pool, Admission.Pooled).
	Pools bool
	// Values: the register files store registers by value, and so need the classes of the values (Env.Values).
	// Recorded streams have none, and are refused.
	Values bool
	// Words lists the machines (compiler.control_words) whose control words fit the timing of the kind's register
	// files. Empty: dependences are tracked by scoreboards alone (sched.dependences).
	Words []string
	// Presets, if not nil, holds the kind's presets, values of --design: one per file NAME.toml in its root, as in
	// gpus/config/designs.
	Presets fs.FS
	// Aliases are other names of settings, directly in the section regfile: the key regfile.ALIAS stands for
	// regfile.NAME.SETTING.
	Aliases map[string]string

	settings func() *Settings // new ones, with their defaults
}

// Builder has the functions of a kind whose settings are an S, a struct whose fields have the tags of package spec:
// toml, unit and doc, and default, range and source where they apply.
type Builder[S any] struct {
	// Default returns the settings where no GPU file, preset or flag sets them; nil: as the default tags have them.
	Default func() S
	// Build builds one register file. The register files of a GPU share the settings, so none may change them.
	Build func(env *Env, s *S) (Design, error)
	// Base, if made by On, is the kind underneath this one.
	Base Base[S]
	// Chip, if not nil, joins the register files of all SMs after they are built: files[i] is SM i's. It builds a
	// block beside the SMs, and signals from SM to SM.
	Chip func(env *ChipEnv, s *S, files []Design) error
	// Admit, if not nil, decides how many CTAs of a launch may be resident; otherwise the GPU's rules of occupancy
	// do. It is a function of its arguments alone, and may be called without running anything. Its error explains
	// in one line why not even one CTA fits.
	Admit func(s *S, l *Launch) (Admission, error)
	// Merge, if not nil, makes one plan of those of several kernels whose CTAs are on an SM at once (Admission.Plan, in
	// the order of Role.Kernel). nil, for a kind with Admit: launches do not run side by side.
	Merge func(s *S, parts []Part) (Merged, error)
	// Reads, for a kind with Words, returns the read timing of its register files for the writer of control words.
	Reads func(s *S) control.Reads
}

var (
	kinds   = map[string]*Kind{}
	present = map[string]string{} // by former name
)

// Register makes a kind of register file known. It panics if the name is taken.
func Register[S any](k Kind, b Builder[S]) *Kind {
	out := Define(k, b)
	out.Register()
	return out
}

// Register makes a kind made by Define known. It panics if the name is taken.
func (k *Kind) Register() {
	if kinds[k.Name] != nil {
		panic("regfile: two kinds are named " + k.Name)
	}
	kinds[k.Name] = k
	if k.Was != "" {
		present[k.Was] = k.Name
	}
}

// Present returns the present name of a kind or preset; name may be a former one.
func Present(name string) string {
	if now, ok := present[name]; ok {
		return now
	}
	return name
}

// Why explains in one line why the kind's register files do not offer a service; empty: they offer it.
func (k *Kind) Why(s Service) string {
	switch why := k.Lacks[s]; {
	case slices.Contains(k.Serves, s):
		return ""
	case why != "":
		return why
	}
	return k.Name + " has no such service"
}

// Find returns the kind of the given name.
func Find(name string) (*Kind, error) {
	if k := kinds[name]; k != nil {
		return k, nil
	}
	return nil, fmt.Errorf("regfile.kind: found %q, expected one of %s", name, strings.Join(Names(), ", "))
}

// Names returns the names of the registered kinds, sorted.
func Names() []string {
	var out []string
	for n := range kinds {
		out = append(out, n)
	}
	sort.Strings(out)
	return out
}
