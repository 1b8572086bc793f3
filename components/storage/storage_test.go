package storage

import (
	"slices"
	"strings"
	"testing"

	"kumiko/components/stats"
	"kumiko/components/version"
	"kumiko/components/wire"
)

type message struct {
	Tag  uint32
	Flag bool
	Sent [2]uint16
	When uint64 `soft:"statistics"`
	_    [24]byte
	Text *message
}

type queue struct {
	ring []message `bits:"type"`
	next []uint16  `bits:"1+log(ring)"`
}

type lane struct {
	full []bool `bits:"1"`
	soon []int  `bits:"2" room:"cap"`
}

type ranker interface{ rank() int }

type byAge struct {
	order []uint8 `bits:"6"`
}

func (b *byAge) rank() int { return len(b.order) }

type spec struct{ Sets, Ways int }

// block has a field of every kind.
type block struct {
	wire.Comp
	In    []wire.InPort[message]
	spec  spec
	Name  []string
	Reads []stats.Registry
	Seen  []version.Content
	Calls []func()

	Sets    [2][3]uint64 `bits:"spec.Sets*spec.Ways/2" room:"1"`
	waits   map[int]int  `bits:"(2+1)*8" room:"spec.Sets"`
	own     queue
	also    *queue
	lanes   [2]lane `part:"Lane"`
	rankers []ranker
	policy  ranker
	tags    []uint32 `row:"Tags: tags"`
	counted []uint64 `soft:"statistics"`
}

func completeBlock() *block {
	b := &block{spec: spec{Sets: 4, Ways: 3}, own: queue{make([]message, 5), make([]uint16, 2)},
		tags: make([]uint32, 7), counted: make([]uint64, 1), rankers: []ranker{&byAge{make([]uint8, 3)}},
		waits: map[int]int{1: 1}}
	b.also, b.policy = &b.own, b.rankers[0]
	b.lanes[0].full, b.lanes[1].soon = make([]bool, 4), make([]int, 0, 8)
	return b
}

func TestTheFieldsOfABlockAreCountedByTheirTags(t *testing.T) {
	sum := Of(completeBlock())
	want := []Field{
		{Name: "Sets", Entries: 1, Bits: 6},
		{Name: "waits", Entries: 4, Bits: 4 * 24},
		{Name: "own.ring", Entries: 5, Bits: 5 * (32 + 1 + 2*16)},
		{Name: "own.next", Entries: 2, Bits: 2 * (1 + 3)}, // once, though also leads there as well
		{Name: "lanes.full", Part: "Lane[0]", Entries: 4, Bits: 4},
		{Name: "lanes.soon", Part: "Lane[1]", Entries: 8, Bits: 16},
		{Name: "rankers.order", Entries: 3, Bits: 18},
		{Name: "tags", Entries: 7, Row: "Tags: tags"},
	}
	if !slices.Equal(sum.Fields, want) {
		t.Errorf("fields %+v, want %+v", sum.Fields, want)
	}
	if n := sum.Bits(); n != 6+96+325+8+4+16+18 {
		t.Errorf("%d bits", n)
	}
	if parts := []string{"Lane[0]", "Lane[1]"}; !slices.Equal(sum.Parts, parts) {
		t.Errorf("parts %q, want %q", sum.Parts, parts)
	}
	if len(sum.Soft) != 1 || sum.Soft["storage.block.counted"] != "statistics" {
		t.Errorf("no hardware: %q", sum.Soft)
	}
	if len(sum.Faults) > 0 {
		t.Errorf("faults %q", sum.Faults)
	}
}

func TestAFieldOfWhichNothingIsKnownIsAFault(t *testing.T) {
	type inner struct{ list map[int]bool }
	for want, b := range map[string]any{
		"storage.inner.list has no tag": &struct{ in inner }{inner{map[int]bool{}}},
		"struct.a has no tag":           &struct{ a [3]uint8 }{},
		"struct.grown has no tag":       &struct{ grown []int }{},
		"struct.table has no tag":       &struct{ table *[4]int }{&[4]int{}},
		"list has 3 entries, its tag": &struct {
			list []int `bits:"1" room:"2"`
		}{make([]int, 3)},
		"there is no number or list far": &struct {
			a []int `bits:"far"`
		}{make([]int, 1)},
		"there is no number or list b": &struct {
			a []int `bits:"a.b"`
		}{make([]int, 1)},
		"found \"\", expected a number": &struct {
			a []int `bits:"1+"`
		}{make([]int, 1)},
		"found \"2\", expected an end": &struct {
			a []int `bits:"1 2"`
		}{make([]int, 1)},
		"found \"\", expected )": &struct {
			a []int `bits:"log(4"`
		}{make([]int, 1)},
		"value out of range": &struct {
			a []int `bits:"99999999999999999999"`
		}{make([]int, 1)},
		"literal not terminated": &struct {
			a []int `bits:"'"`
		}{make([]int, 1)},
	} {
		faults := Of(b).Faults
		if len(faults) != 1 || !strings.Contains(faults[0], want) {
			t.Errorf("faults %q, want one with %q", faults, want)
		}
	}
}

// shapes has lists of lists, a list filled up to its room, and a struct without a name.
type shapes struct {
	named  map[string][]int `bits:"1"`
	queues chan []int       `bits:"1"`
	full   []int            `bits:"log(full)" room:"4"`
	inner  struct {
		list []int `bits:"log(5)"`
	}
}

func TestListsOfListsFullListsAndStructsWithoutANameAreCounted(t *testing.T) {
	s := &shapes{named: map[string][]int{"a": {1, 2}, "b": {3}}, queues: make(chan []int, 3), full: make([]int, 4)}
	s.queues <- []int{1, 2}
	s.inner.list = make([]int, 2)
	sum := Of(s)
	want := []Field{{Name: "named", Entries: 2, Bits: 2}, {Name: "queues", Entries: 1, Bits: 1},
		{Name: "full", Entries: 4, Bits: 4 * 2}, {Name: "inner.list", Entries: 2, Bits: 2 * 3}}
	if !slices.Equal(sum.Fields, want) || len(sum.Faults) != 0 {
		t.Errorf("fields %+v, faults %v; want %+v and none", sum.Fields, sum.Faults, want)
	}
}
