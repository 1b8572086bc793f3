package main

import (
	"fmt"
	"strings"
)

// A kernel is one random kernel: its source as a tree, from which statements can be dropped, and its launch.
type kernel struct {
	seed        uint64
	name        string
	grid, block [3]int
	dynShared   int
	before      []string // declarations and functions before it
	params      []param
	vars        []*node // declarations; they stay when statements are dropped
	body        []*node
	ends        []*node // stores of all variables
	outs        []int   // elements per thread of out_i, out_f and out_d
	arch        int     // compute capability of the GPU: 10 x major + minor
}

// A param is a parameter of a kernel.
type param struct {
	decl   string // in C++
	buffer string // the buffer passed as a pointer, or
	bytes  []byte // the value, with its alignment in bytes
	align  int
}

// A node is a statement, or a block with head and tail, or the statements of a block without head and tail.
type node struct {
	text    string
	kids    []*node
	tail    string
	dropped bool
}

func line(format string, args ...any) *node { return &node{text: fmt.Sprintf(format, args...)} }

func block(head string, kids []*node) *node { return &node{text: head + " {", kids: kids, tail: "}"} }

func (n *node) write(b *strings.Builder, indent int) {
	if n.dropped {
		return
	}
	put := func(s string) {
		for l := range strings.Lines(s) {
			fmt.Fprintf(b, "%*s%s\n", 2*indent, "", strings.TrimSuffix(l, "\n"))
		}
	}
	put(n.text)
	for _, k := range n.kids {
		k.write(b, indent+1)
	}
	put(n.tail)
}

// source returns the kernel in C++, without the beginning of a unit.
func (k *kernel) source() string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n// seed %d, grid %v, block %v\n", k.seed, k.grid, k.block)
	for _, s := range k.before {
		b.WriteString(s + "\n")
	}
	decls := make([]string, len(k.params))
	for i, p := range k.params {
		decls[i] = p.decl
	}
	fmt.Fprintf(&b, "KERNEL %s(%s) {\n", k.name, strings.Join(decls, ", "))
	for _, list := range [][]*node{k.vars, k.body, k.ends} {
		for _, n := range list {
			n.write(&b, 1)
		}
	}
	fmt.Fprintf(&b, "}\nLAUNCHED(%s)\n", k.name)
	return b.String()
}

// threads returns the number of threads in a block. all returns their number in the grid.
func (k *kernel) threads() int { return k.block[0] * k.block[1] * k.block[2] }
func (k *kernel) all() int     { return k.threads() * k.grid[0] * k.grid[1] * k.grid[2] }

// unit returns the source of several kernels.
func unit(list []*kernel) string {
	var b strings.Builder
	b.WriteString("#include \"common.h\"\n")
	for _, k := range list {
		b.WriteString(k.source())
	}
	return b.String()
}
