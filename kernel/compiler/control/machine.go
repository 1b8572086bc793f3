package control

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/pelletier/go-toml/v2"

	"kumiko/kernel/ir"
)

//go:embed latency.toml
var tables []byte

// kinds of readers, and the guard of any instruction.
const (
	byALU = iota
	byFMA
	byHalf
	byDouble
	byMatrix
	byMemory
	byVariable
	byBranch
	numReaders
	byGuard = numReaders
)

var readerNames = []string{"alu", "fma", "half", "double", "matrix", "memory", "variable", "branch", "guard"}

// distances has the latencies by the kind of the reader, and the greatest of them. The result is written at a fixed
// distance before the earliest reader.
type distances struct {
	to    [numReaders + 1]int
	worst int
}

// least returns the distance to the earliest reader, not counting guards.
func (d *distances) least() int { return slices.Min(d.to[:numReaders]) }

// group is a set of instructions with the same times.
type group struct {
	reads   int  // the kind of its readers
	fixed   bool // its results have a known latency
	reuse   bool // its operands may stay in the reuse cache
	stall   int  // the least distance to the next instruction, in cycles
	read    int  // the least cycles until a later instruction may write a source, if more than Machine.war
	result  distances
	predict distances // of predicates
	uniform distances // of uniform registers
}

// Machine has the latencies and rules of a GPU, from which control words are made.
type Machine struct {
	Name    string
	groups  []group
	byClass [ir.NumClasses]*group
	byName  map[string]*group

	pairs      bool   // two instructions may issue in a cycle, as ir.Pairs has it
	collectors bool   // the reuse cache is kept with collectors, else by bank
	war        [2]int // cycles from a read to a write of the register: by a writer of fixed latency, and by another
	uniform    distances
	reads      Reads
}

var machines = sync.OnceValue(func() []*Machine {
	list, err := read(tables)
	if err != nil {
		panic("latency.toml: " + err.Error()) // a test reads it
	}
	return list
})

// For returns the machine of a name.
func For(name string) (*Machine, error) {
	for _, m := range machines() {
		if m.Name == name {
			return m, nil
		}
	}
	return nil, fmt.Errorf("control words for %q, expected %s", name, strings.Join(Names(), ", "))
}

// Names returns the names of the machines.
func Names() []string {
	var out []string
	for _, m := range machines() {
		out = append(out, m.Name)
	}
	return out
}

// The format of the TOML document.
type (
	document struct {
		Machine []machineTable `toml:"machine"`
	}
	machineTable struct {
		Name        string       `toml:"name"`
		Reuse       string       `toml:"reuse"`
		Pairs       bool         `toml:"pairs"`
		WARFixed    int          `toml:"war_fixed"`
		WARVariable int          `toml:"war_variable"`
		Uniform     uniformTable `toml:"uniform"`
		Group       []groupTable `toml:"group"`
	}
	uniformTable struct {
		Vector   int `toml:"vector"`
		Variable int `toml:"variable"`
		Branch   int `toml:"branch"`
	}
	groupTable struct {
		Name         string         `toml:"name"`
		Reads        string         `toml:"reads"`
		Classes      []string       `toml:"classes"`
		Instructions []string       `toml:"instructions"`
		Reuse        bool           `toml:"reuse"`
		Stall        int            `toml:"stall"`
		Read         int            `toml:"read"`
		Result       map[string]int `toml:"result"`
		Predicate    map[string]int `toml:"predicate"`
	}
)

// read reads a file of latencies. An error names the line in the text, or else the machine and the group.
func read(text []byte) ([]*Machine, error) {
	var d document
	dec := toml.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&d); err != nil {
		var strict *toml.StrictMissingError
		var wrong *toml.DecodeError
		switch {
		case errors.As(err, &strict):
			e := strict.Errors[0]
			line, column := e.Position()
			return nil, fmt.Errorf("%d:%d: found key %s, expected one that a machine or a group has", line, column,
				strings.Join(e.Key(), "."))
		case errors.As(err, &wrong):
			line, column := wrong.Position()
			return nil, fmt.Errorf("%d:%d: %w", line, column, err)
		}
		return nil, err
	}
	var out []*Machine
	for i := range d.Machine {
		m, err := d.Machine[i].machine()
		if err != nil {
			return nil, fmt.Errorf("machine %s: %w", d.Machine[i].Name, err)
		}
		out = append(out, m)
	}
	return out, nil
}

func (t *machineTable) machine() (*Machine, error) {
	if t.Reuse != "collectors" && t.Reuse != "banks" {
		return nil, fmt.Errorf("found reuse %q, expected collectors or banks", t.Reuse)
	}
	m := &Machine{Name: t.Name, pairs: t.Pairs, collectors: t.Reuse == "collectors",
		war: [2]int{t.WARFixed, t.WARVariable}, byName: map[string]*group{}, groups: make([]group, len(t.Group))}
	for _, n := range []int{t.WARFixed, t.WARVariable, t.Uniform.Vector, t.Uniform.Variable, t.Uniform.Branch} {
		if n < 1 || n > longest {
			return nil, fmt.Errorf("found %d cycles, expected 1 to %d", n, longest)
		}
	}
	for i := range m.uniform.to {
		m.uniform.to[i] = t.Uniform.Vector
	}
	m.uniform.to[byMemory], m.uniform.to[byVariable] = t.Uniform.Variable, t.Uniform.Variable
	m.uniform.to[byBranch] = t.Uniform.Branch
	m.uniform.worst = slices.Max(m.uniform.to[:])
	for i := range t.Group {
		if err := t.Group[i].into(m, &m.groups[i]); err != nil {
			return nil, fmt.Errorf("group %s: %w", t.Group[i].Name, err)
		}
		m.groups[i].uniform = m.uniform
	}
	for c := range m.byClass {
		if m.byClass[c] == nil {
			return nil, fmt.Errorf("found no group of class %s, expected one", ir.Class(c))
		}
	}
	return m, nil
}

// longest bounds a latency, in cycles, so a mistake in the table does not produce endless NOPs.
const longest = 255

func (t *groupTable) into(m *Machine, g *group) error {
	g.reads = slices.Index(readerNames[:numReaders], t.Reads)
	if g.reads < 0 {
		return fmt.Errorf("found reads %q, expected one of %s", t.Reads, strings.Join(readerNames[:numReaders], ", "))
	}
	g.fixed, g.reuse, g.stall, g.read = t.Result != nil, t.Reuse, max(t.Stall, 1), t.Read
	if t.Stall < 0 || t.Stall > mostStall || t.Read < 0 || t.Read > longest {
		return fmt.Errorf("found a stall of %d and reads of %d cycles, expected at most %d and %d", t.Stall, t.Read,
			mostStall, longest)
	}
	if err := g.result.from(t.Result, numReaders); err != nil {
		return fmt.Errorf("result: %w", err)
	}
	if err := g.predict.from(t.Predicate, numReaders+1); err != nil {
		return fmt.Errorf("predicate: %w", err)
	}
	if g.fixed && t.Predicate == nil {
		g.predict = g.result
		g.predict.to[byGuard] = g.result.worst
	}
	for _, name := range t.Classes {
		c, ok := classNamed(name)
		if !ok || m.byClass[c] != nil {
			return fmt.Errorf("found class %s, expected a timing class that no other group has", name)
		}
		m.byClass[c] = g
	}
	for _, name := range t.Instructions {
		if m.byName[name] != nil {
			return fmt.Errorf("found instruction %s, expected one that no other group has", name)
		}
		m.byName[name] = g
	}
	return nil
}

// from sets the latencies to the first n kinds of readers from a table; a nil table sets none.
func (d *distances) from(t map[string]int, n int) error {
	if t == nil {
		return nil
	}
	for name := range t {
		if !slices.Contains(readerNames[:n], name) {
			return fmt.Errorf("found reader %s, expected %s", name, strings.Join(readerNames[:n], ", "))
		}
	}
	for i, name := range readerNames[:n] {
		d.to[i] = t[name]
		if d.to[i] < 1 || d.to[i] > longest {
			return fmt.Errorf("found %d cycles to reader %s, expected 1 to %d", d.to[i], name, longest)
		}
		d.worst = max(d.worst, d.to[i])
	}
	return nil
}

func classNamed(name string) (ir.Class, bool) {
	for c := range ir.NumClasses {
		if c.String() == name {
			return c, true
		}
	}
	return 0, false
}

// groupOf returns the group of an instruction.
func (m *Machine) groupOf(in *ir.Inst) *group {
	name := in.Op.String()
	switch {
	case in.Sym != "" && in.Op != ir.OpTex && in.Op != ir.OpTxq: // an opcode: its operation is only similar
		name, _, _ = strings.Cut(in.Sym, ".")
	case in.Op == ir.OpMma && !in.Type.Float():
		name = "mma.integer"
	}
	if g := m.byName[name]; g != nil {
		return g
	}
	return m.byClass[in.T.Class]
}
