package snapshot_test

import (
	"bytes"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"kumiko/internal/snapshot"
)

type shape interface{ area() int }

type square struct{ side int }

func (s *square) area() int { return s.side * s.side }

type bar struct{ w, h int }

func (b bar) area() int { return b.w * b.h }

type node struct {
	next  *node
	value int
	name  string
}

// world has values of every kind.
type world struct {
	nodes   []node
	head    *node // within nodes
	extra   *node // elsewhere
	field   *int  // of a node
	shapes  []shape
	ring    [4]*square
	byName  map[string]*node
	same    map[string]*node // byName
	counts  map[int][]int
	tail    []int // a part of all
	all     []int
	wait    chan int
	act     func(*world)
	outside *square
	void    *struct{}
	any     any
	empty   []int
}

func build() *world {
	w := &world{nodes: make([]node, 5), byName: map[string]*node{}, counts: map[int][]int{}, all: make([]int, 8),
		wait: make(chan int, 1)}
	w.head = &w.nodes[0]
	w.tail = w.all[3:]
	for i := range w.nodes {
		w.nodes[i].next = &w.nodes[(i+1)%5]
	}
	w.shapes = []shape{&square{2}, bar{2, 3}}
	first := &w.nodes[0]
	w.act = func(*world) { first.value++ }
	return w
}

// copied returns another world with the state of the first.
func copied(t interface{ Fatal(...any) }, w *world, others ...any) *world {
	var b bytes.Buffer
	if err := snapshot.Write(&b, w, others...); err != nil {
		t.Fatal(err)
	}
	out := build()
	if err := snapshot.Read(&b, out, others...); err != nil {
		t.Fatal(err)
	}
	return out
}

func TestValuesAreWhatTheyWere(t *testing.T) {
	w := build()
	w.nodes[2] = node{&w.nodes[0], 7, "seven"}
	w.all[4] = 9
	w.counts[3] = []int{1, 2}
	w.shapes = append(w.shapes, bar{4, 5})
	w.any = 5.5
	w.void = &struct{}{}
	w.empty = []int{}
	x := copied(t, w)
	if x.nodes[2].value != 7 || x.nodes[2].name != "seven" || x.tail[1] != 9 {
		t.Errorf("nodes %v, all %v", x.nodes, x.all)
	}
	if d := cmp.Diff(w.counts, x.counts); d != "" {
		t.Error(d)
	}
	if len(x.shapes) != 3 || x.shapes[2].area() != 20 || x.shapes[0].area() != 4 || x.any != 5.5 {
		t.Errorf("%v, %v", x.shapes, x.any)
	}
	if x.void == nil || x.empty == nil || x.extra != nil || x.wait == nil {
		t.Errorf("%v %v %v %v: what is nil has changed", x.void, x.empty, x.extra, x.wait)
	}
}

func TestPointersShareWhatTheyShared(t *testing.T) {
	w := build()
	w.head = &w.nodes[3]
	w.field = &w.nodes[3].value
	w.extra = &node{value: 1}
	w.byName["a"], w.byName["b"] = w.extra, &w.nodes[3]
	w.same = w.byName
	s := &square{3}
	w.ring = [4]*square{s, nil, s, w.shapes[0].(*square)}
	x := copied(t, w)
	*x.field = 11
	if x.head != &x.nodes[3] || x.head.value != 11 || x.byName["b"] != x.head || x.byName["a"] != x.extra {
		t.Errorf("head %p, node %p of value %d", x.head, &x.nodes[3], x.head.value)
	}
	if x.byName["c"] = x.head; x.same["c"] != x.head {
		t.Error("two fields do not have the same map any more")
	}
	if x.ring[0] != x.ring[2] || x.ring[0] == nil || x.ring[3] != x.shapes[0] {
		t.Errorf("ring %v", x.ring)
	}
	if x.tail[0] = 5; x.all[3] != 5 {
		t.Error("the tail is no part of the whole any more")
	}
	if x.extra == w.extra || x.head == &w.nodes[3] {
		t.Error("the copy refers to the first graph")
	}
}

func TestAFunctionGoesOnWithTheBlocksThatItReferredTo(t *testing.T) {
	w := build()
	w.nodes[0].value = 4
	w.head = &w.nodes[2]
	x := copied(t, w)
	if x.act(x); x.nodes[0].value != 5 {
		t.Errorf("value %d, want 5: the function changed another node", x.nodes[0].value)
	}
}

func TestWhatIsOutsideStaysOutside(t *testing.T) {
	outside := &square{1}
	w := build()
	w.outside = outside
	outside.side = 2
	var b bytes.Buffer
	if err := snapshot.Write(&b, w, outside); err != nil {
		t.Fatal(err)
	}
	other, x := &square{8}, build()
	if err := snapshot.Read(&b, x, other); err != nil {
		t.Fatal(err)
	}
	if x.outside != other || other.side != 8 {
		t.Errorf("%v, want what was given, unchanged", x.outside)
	}
}

func TestAFunctionThatIsMissingIsAnError(t *testing.T) {
	var b bytes.Buffer
	if err := snapshot.Write(&b, build()); err != nil {
		t.Fatal(err)
	}
	x := build()
	x.act = nil
	if err := snapshot.Read(&b, x); err == nil {
		t.Error("no error")
	}
}

func TestASnapshotThatIsCutIsAnError(t *testing.T) {
	var b bytes.Buffer
	if err := snapshot.Write(&b, build()); err != nil {
		t.Fatal(err)
	}
	for n := range b.Len() {
		if err := snapshot.Read(bytes.NewReader(b.Bytes()[:n]), build()); err == nil {
			t.Fatalf("the first %d of %d bytes are read without an error", n, b.Len())
		}
	}
}

// Lists in random order within arenas of random sizes come back in the same order.
func TestListsOfAnyShapeComeBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := build()
		n := rapid.IntRange(1, 30).Draw(t, "nodes")
		w.nodes = make([]node, n)
		order := rapid.Permutation(slices.Collect(func(yield func(int) bool) {
			for i := range n {
				if !yield(i) {
					return
				}
			}
		})).Draw(t, "order")
		w.head = nil
		for _, i := range order {
			w.nodes[i].value = rapid.Int().Draw(t, "value")
			w.nodes[i].next, w.head = w.head, &w.nodes[i]
		}
		x := copied(t, w)
		a, b := w.head, x.head
		for range n {
			if a.value != b.value || (a.next == nil) != (b.next == nil) {
				t.Fatalf("%v and %v", a, b)
			}
			a, b = a.next, b.next
		}
		if a != nil || b != nil {
			t.Fatal("lists of other lengths")
		}
	})
}

func FuzzRead(f *testing.F) {
	var b bytes.Buffer
	if err := snapshot.Write(&b, build()); err != nil {
		f.Fatal(err)
	}
	f.Add(b.Bytes())
	f.Fuzz(func(_ *testing.T, data []byte) {
		_ = snapshot.Read(bytes.NewReader(data), build())
	})
}
