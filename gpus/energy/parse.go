package energy

import (
	"fmt"
	"reflect"
	"regexp"
	"strings"

	"kumiko/internal/nearest"
	"kumiko/internal/tomldoc"
)

// pattern matches the name of a statistic, * standing for any part of one.
var pattern = regexp.MustCompile(`^[a-z0-9_.*-]+$`)

// Parse reads a table. Mistakes are *tomldoc.Error, several of them joined.
func Parse(file string, data []byte) (*Table, error) {
	doc, err := tomldoc.Parse(file, data)
	if err != nil {
		return nil, err
	}
	if errs := append(tomldoc.Check(doc, reflect.TypeFor[Table]()), doc.Finite()...); len(errs) > 0 {
		return nil, tomldoc.Join(file, errs)
	}
	t := &Table{name: file}
	if err := tomldoc.Decode(file, data, t); err != nil {
		return nil, err
	}
	p := parser{doc: doc}
	p.table(t)
	if len(p.errs) > 0 {
		return nil, tomldoc.Join(file, p.errs)
	}
	return t, nil
}

// parser checks the values of a table and sets the places of its rows.
type parser struct {
	doc  *tomldoc.Doc
	errs []error
}

func (p *parser) errorf(path, format string, args ...any) {
	p.errs = append(p.errs, tomldoc.Errorf(p.doc.At(path), format, args...))
}

func (p *parser) table(t *Table) {
	t.at = p.doc.At("clock")
	if t.Extends != "" {
		t.at = p.doc.At("extends")
		if _, err := named(t.Extends); err != nil || IsFile(t.Extends) {
			p.errorf("extends", "extends: found %q, expected one of %s%s", t.Extends, strings.Join(Names(), ", "),
				nearest.Hint(t.Extends, Names()))
		}
	}
	if len(t.Components)+len(t.Leaks) == 0 {
		p.errorf("", "found no row, expected a [[component]] with name, stats and pj, or a [[leak]] with name and mw")
	}
	for i := range t.Components {
		p.component(&t.Components[i], fmt.Sprintf("component.%d", i), t.Source != "")
	}
	for i := range t.Leaks {
		p.leak(&t.Leaks[i], fmt.Sprintf("leak.%d", i), t.Source != "")
	}
}

func (p *parser) component(c *Component, path string, sourced bool) {
	c.pos = p.doc.At(path + ".stats")
	p.row(path, c.Name, sourced || c.Source != "")
	if len(c.Stats) == 0 {
		p.errorf(path, "component %s: expected stats, the names of the statistics that it charges", c.Name)
	}
	for i, s := range c.Stats {
		if !pattern.MatchString(s) {
			p.errs = append(p.errs, tomldoc.Errorf(p.doc.Elem(path+".stats", i), "stats: found %q, expected the name "+
				"of a statistic (kumiko list stats), with * for any part of one", s))
		}
	}
	if !p.doc.Has(path + ".times") {
		c.Times = 1
	}
	if c.Times <= 0 {
		p.errorf(path+".times", "times: found %v, expected a number above 0", c.Times)
	}
	if !p.doc.Has(path + ".pj") {
		p.errorf(path, "component %s: expected pj, the energy of an access in pJ", c.Name)
	}
	if c.PJ < 0 {
		p.errorf(path+".pj", "pj: found %v, expected at least 0", c.PJ)
	}
}

func (p *parser) leak(l *Leak, path string, sourced bool) {
	l.pos = p.doc.At(path + ".per")
	p.row(path, l.Name, sourced || l.Source != "")
	if !p.doc.Has(path + ".banks") {
		l.Banks = 1
	}
	if l.Banks < 1 {
		p.errorf(path+".banks", "banks: found %d, expected at least 1", l.Banks)
	}
	if !p.doc.Has(path + ".mw") {
		p.errorf(path, "leak %s: expected mw, the power of a bank in mW", l.Name)
	}
	if l.MW < 0 {
		p.errorf(path+".mw", "mw: found %v, expected at least 0", l.MW)
	}
}

// row checks the name and the source of a row.
func (p *parser) row(path, name string, sourced bool) {
	if name == "" {
		p.errorf(path, "found a row without a name, expected the name of the block that it charges")
	}
	if !sourced {
		p.errorf(path, "%s: expected the source of the number, in the row or at the head of the file", name)
	}
}
