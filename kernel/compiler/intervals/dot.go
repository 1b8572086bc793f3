package intervals

import (
	"bufio"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// ReadDot reads control-flow graphs as printed by nvdisasm -cfg, one per function. Registers are taken from the
// text; RZ is none. An error names the file and line.
func ReadDot(file string, r io.Reader) ([]*Graph, error) {
	d := &dotReader{file: file}
	in := bufio.NewScanner(r)
	in.Buffer(nil, 16<<20)
	for in.Scan() {
		d.line++
		if err := d.read(in.Text()); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", file, d.line, err)
		}
	}
	if err := in.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	d.finish()
	if len(d.graphs) == 0 {
		return nil, fmt.Errorf("%s:1: found no function, expected subgraph \"cluster_NAME\"", file)
	}
	return d.graphs, nil
}

type dotReader struct {
	file   string
	line   int
	graphs []*Graph
	g      *Graph
	name   string         // of the node of the next label
	first  map[string]int // node to its first block
	count  map[string]int // and how many blocks it has
	edges  []dotEdge
	insts  int
}

type dotEdge struct{ from, port, to string }

var (
	dotCluster = regexp.MustCompile(`^subgraph "cluster_(.*)" \{`)
	dotNode    = regexp.MustCompile(`^"([^"]*)"$`)
	dotLabel   = regexp.MustCompile(`^\[label="\{(.*)\}"\]$`)
	dotLink    = regexp.MustCompile(`^"([^"]*)":(\w+)(?::\w+)? -> "([^"]*)":`)
	dotField   = regexp.MustCompile(`^<(entry|exit|exitpost)(\d*)>`)
	dotReg     = regexp.MustCompile(`\bR(\d{1,3})\b`)
)

func (d *dotReader) read(line string) error {
	line = strings.TrimSpace(line)
	switch {
	case dotCluster.MatchString(line):
		d.finish()
		d.g = &Graph{Name: dotCluster.FindStringSubmatch(line)[1]}
		d.first, d.count, d.edges, d.insts = map[string]int{}, map[string]int{}, nil, 0
	case d.g == nil:
	case dotNode.MatchString(line):
		d.name = dotNode.FindStringSubmatch(line)[1]
	case dotLabel.MatchString(line):
		return d.node(dotLabel.FindStringSubmatch(line)[1])
	case dotLink.MatchString(line):
		m := dotLink.FindStringSubmatch(line)
		d.edges = append(d.edges, dotEdge{m[1], m[2], m[3]})
	}
	return nil
}

// node splits the label of a node. Its fields are the text up to the first branch, the branch, the text behind it,
// and so on; a branch ends a block.
func (d *dotReader) node(label string) error {
	if d.name == "" {
		return fmt.Errorf("found a label, expected the name of its node before it")
	}
	start := len(d.g.Blocks)
	d.first[d.name] = start
	d.g.Blocks = append(d.g.Blocks, Block{Label: d.name, First: d.insts})
	for i, f := range strings.Split(unescapeBars(label), "\x00") {
		m := dotField.FindStringSubmatch(f)
		if m == nil || i == 0 != (m[1] == "entry") {
			return fmt.Errorf("found %.20q, expected <entry>, <exitN> or <exitpostN>", f)
		}
		if m[1] == "exitpost" {
			n := len(d.g.Blocks)
			d.g.Blocks[n-1].Succs = append(d.g.Blocks[n-1].Succs, n)
			d.g.Blocks = append(d.g.Blocks, Block{Label: d.name, First: d.insts})
		}
		b := &d.g.Blocks[len(d.g.Blocks)-1]
		for _, l := range strings.Split(f[len(m[0]):], `\l`) {
			if text := strings.ReplaceAll(l, `\ `, " "); strings.Contains(text, ";") {
				s, err := dotRegisters(text)
				if err != nil {
					return err
				}
				b.Insts = append(b.Insts, s)
				d.insts++
			}
		}
	}
	d.count[d.name] = len(d.g.Blocks) - start
	d.name = ""
	return nil
}

// unescapeBars turns the field separators into NUL and leaves escaped bars.
func unescapeBars(s string) string {
	s = strings.ReplaceAll(s, `\|`, "\x01")
	s = strings.ReplaceAll(s, "|", "\x00")
	return strings.ReplaceAll(s, "\x01", "|")
}

func dotRegisters(text string) (Set, error) {
	var s Set
	for _, m := range dotReg.FindAllStringSubmatch(text, -1) {
		n, err := strconv.Atoi(m[1])
		if err != nil || n > 254 {
			return s, fmt.Errorf("found register R%s, expected R0 to R254", m[1])
		}
		s.Add(n)
	}
	return s, nil
}

// finish resolves the edges of the function read last.
func (d *dotReader) finish() {
	if d.g == nil {
		return
	}
	for _, e := range d.edges {
		from, ok := d.first[e.from]
		to, good := d.first[e.to]
		if !ok || !good {
			continue // into another function
		}
		if n, err := strconv.Atoi(strings.TrimPrefix(e.port, "exit")); err == nil {
			from += min(n, d.count[e.from]-1)
		} else if e.port != "entry" {
			from += d.count[e.from] - 1
		}
		b := &d.g.Blocks[from]
		b.Succs = appendOnce(b.Succs, to)
	}
	if len(d.g.Blocks) > 0 {
		d.graphs = append(d.graphs, d.g)
	}
	d.g = nil
}

func appendOnce(list []int, x int) []int {
	if slices.Contains(list, x) {
		return list
	}
	return append(list, x)
}
