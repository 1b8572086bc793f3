package intervals

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func regs(list ...int) Set {
	var s Set
	for _, r := range list {
		s.Add(r)
	}
	return s
}

// nested is figure 6 of the paper: A is the outer loop's header, B the inner
// one's, C the inner body.
func nested() *Graph {
	return &Graph{Name: "nested", Blocks: []Block{
		{Insts: []Set{regs(0, 1)}, Succs: []int{1}},
		{Insts: []Set{regs(1, 2)}, Succs: []int{2, 0}},
		{Insts: []Set{regs(2, 3)}, Succs: []int{1}},
	}}
}

func pieces(list []Interval) [][]Piece {
	var out [][]Piece
	for i := range list {
		out = append(out, list[i].Pieces)
	}
	return out
}

func TestTheFirstPassMakesAnIntervalPerLoopHeader(t *testing.T) {
	list, err := Form(nested(), 16)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([][]Piece{{{0, 0, 1}}, {{1, 0, 1}, {2, 0, 1}}}, pieces(list)); d != "" {
		t.Error(d)
	}
}

func TestTheSecondPassMergesNestedLoopsThatFit(t *testing.T) {
	list, _ := Build(nested(), 16)
	if len(list) != 1 || list[0].Registers.Len() != 4 || len(list[0].Preds)+len(list[0].Succs) != 0 {
		t.Errorf("%+v", list)
	}
	list, _ = Build(nested(), 3) // {0,1} and {1,2,3} together have four
	if len(list) != 2 {
		t.Errorf("%+v", list)
	}
}

func TestABlockIsCutBeforeTheInstructionThatOverflows(t *testing.T) {
	g := &Graph{Blocks: []Block{{Insts: []Set{regs(0, 1), regs(1, 2), regs(3), regs(0)}}}}
	list, _ := Form(g, 3)
	if d := cmp.Diff([][]Piece{{{0, 0, 2}}, {{0, 2, 4}}}, pieces(list)); d != "" {
		t.Error(d)
	}
	if list[1].Registers != regs(0, 3) {
		t.Errorf("working set %v", list[1].Registers.Registers())
	}
}

func TestAnInstructionThatNamesTooManyRegistersIsRefused(t *testing.T) {
	g := &Graph{Name: "k", Blocks: []Block{{Insts: []Set{regs(0, 1, 2, 3, 4)}}}}
	if _, err := Form(g, 4); err == nil || !strings.Contains(err.Error(), "names 5 registers") {
		t.Errorf("%v", err)
	}
}

func TestIntervalsPartitionTheProgramAndHaveOneEntry(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 12).Draw(t, "blocks")
		g := &Graph{Blocks: make([]Block, n)}
		for b := range g.Blocks {
			for range rapid.IntRange(0, 6).Draw(t, "insts") {
				g.Blocks[b].Insts = append(g.Blocks[b].Insts,
					regs(rapid.SliceOfN(rapid.IntRange(0, 20), 0, 4).Draw(t, "regs")...))
			}
			for range rapid.IntRange(0, 2).Draw(t, "succs") {
				g.Blocks[b].Succs = appendOnce(g.Blocks[b].Succs, rapid.IntRange(0, n-1).Draw(t, "to"))
			}
		}
		limit := rapid.IntRange(4, 12).Draw(t, "limit")
		list, err := Build(g, limit)
		if err != nil {
			t.Fatal(err)
		}
		owner := map[Piece]int{}
		covered := map[[2]int]bool{}
		for i := range list {
			if list[i].Registers.Len() > limit {
				t.Fatalf("interval %d has %d registers", i, list[i].Registers.Len())
			}
			for _, p := range list[i].Pieces {
				owner[p] = i
				for at := p.From; at < p.To; at++ {
					if covered[[2]int{p.Block, at}] {
						t.Fatalf("instruction %d of block %d is in two intervals", at, p.Block)
					}
					covered[[2]int{p.Block, at}] = true
					if list[i].Registers.Or(g.Blocks[p.Block].Insts[at]) != list[i].Registers {
						t.Fatalf("interval %d lacks registers of block %d", i, p.Block)
					}
				}
			}
		}
		oneEntry(t, g, list, owner)
	})
}

// oneEntry checks that edges from outside lead only to an interval's first piece.
func oneEntry(t *rapid.T, g *Graph, list []Interval, owner map[Piece]int) {
	type end struct{ block, at int }
	starts, ends := map[end]Piece{}, map[end]Piece{}
	for p := range owner {
		if _, ok := starts[end{p.Block, p.From}]; !ok || p.To > p.From {
			starts[end{p.Block, p.From}] = p
		}
		ends[end{p.Block, p.To}] = p
	}
	check := func(from, to Piece) {
		v, w := owner[from], owner[to]
		if v != w && list[w].Pieces[0] != to {
			t.Fatalf("interval %d is entered from %d at %v, expected at %v", w, v, to, list[w].Pieces[0])
		}
	}
	for p := range owner {
		if p.To < len(g.Blocks[p.Block].Insts) {
			check(p, starts[end{p.Block, p.To}])
			continue
		}
		for _, s := range g.Blocks[p.Block].Succs {
			check(p, starts[end{s, 0}])
		}
	}
}

const dot = `digraph f {
subgraph "cluster_k" {
node [fontname="Courier"];
"k"
[label="{<entry>k:\l\ \ MOV\ R1,\ c\[0x0\]\[0x44\];\l\ \ LD.E\ R4,\ \[R10\];\l|<exit0>\ \ @P0\ BRA\ ` + "`(.L_1)" + `;\l|<exitpost0>\ \ IADD\ R2,\ R1,\ RZ;\l}"]
"k":exit0:e -> ".L_1":entry:n [style=solid];
"k":exitpost0:s -> ".L_1":entry:n [style=solid];
".L_1"
[label="{<entry>.L_1:\l\ \ EXIT;\l}"]
}
}
`

func TestADisassemblyIsReadBlockByBlock(t *testing.T) {
	list, err := ReadDot("k.dot", strings.NewReader(dot))
	if err != nil {
		t.Fatal(err)
	}
	want := []*Graph{{Name: "k", Blocks: []Block{
		{Label: "k", Insts: []Set{regs(1), regs(4, 10), {}}, Succs: []int{1, 2}},
		{Label: "k", Insts: []Set{regs(1, 2)}, Succs: []int{2}, First: 3},
		{Label: ".L_1", Insts: []Set{{}}, First: 4},
	}}}
	if d := cmp.Diff(want, list); d != "" {
		t.Error(d)
	}
}

func TestABadDisassemblyIsRefusedWithItsLine(t *testing.T) {
	for src, want := range map[string]string{
		"hello\n": "x.dot:1: found no function",
		"subgraph \"cluster_k\" {\n[label=\"{<entry>}\"]\n":           "x.dot:2: found a label",
		"subgraph \"cluster_k\" {\n\"k\"\n[label=\"{<foo>}\"]\n":      "x.dot:3: found \"<foo>\"",
		"subgraph \"cluster_k\" {\n\"k\"\n[label=\"{<entry>R300;}\"]": "x.dot:3: found register R300",
	} {
		if _, err := ReadDot("x.dot", strings.NewReader(src)); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, want %s", src, err, want)
		}
	}
}

func FuzzReadDot(f *testing.F) {
	f.Add(dot)
	f.Fuzz(func(t *testing.T, src string) {
		list, err := ReadDot("x.dot", strings.NewReader(src))
		if err != nil {
			return
		}
		for _, g := range list {
			if v, err := Build(g, 16); err == nil {
				NewReport(g, 16, v)
			}
		}
	})
}
