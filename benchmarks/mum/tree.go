package mum

// node is a node of a suffix tree. The edge from its parent is text[start:end].
type node struct {
	child      map[byte]int
	start, end int
	parent     int
	link       int
}

// tree is the suffix tree of a text ending in a unique letter. Node 0 is the root.
type tree struct {
	text  []byte
	nodes []node
}

// newTree inserts the suffixes one by one, and then finds the suffix links by walking. Random texts have short
// common prefixes, so both are fast.
func newTree(text []byte) *tree {
	t := &tree{text: text, nodes: []node{{child: map[byte]int{}}}}
	for i := range text {
		t.insert(i)
	}
	for v := range t.nodes {
		if len(t.nodes[v].child) > 0 && v != 0 {
			t.nodes[v].link = t.locus(t.path(v)[1:])
		}
	}
	return t
}

func (t *tree) insert(suffix int) {
	at, i := 0, suffix
	for {
		next, ok := t.nodes[at].child[t.text[i]]
		if !ok {
			t.add(at, i, len(t.text))
			return
		}
		from, end := t.nodes[next].start, t.nodes[next].end
		k := from
		for k < end && t.text[k] == t.text[i] {
			k++
			i++
		}
		if k == end {
			at = next
			continue
		}
		middle := t.add(at, from, k)
		t.nodes[next].start, t.nodes[next].parent = k, middle
		t.nodes[middle].child[t.text[k]] = next
		t.add(middle, i, len(t.text))
		return
	}
}

func (t *tree) add(parent, start, end int) int {
	t.nodes = append(t.nodes, node{child: map[byte]int{}, start: start, end: end, parent: parent})
	v := len(t.nodes) - 1
	t.nodes[parent].child[t.text[start]] = v
	return v
}

// path returns the word from the root to a node.
func (t *tree) path(v int) []byte {
	if v == 0 {
		return nil
	}
	n := &t.nodes[v]
	return append(t.path(n.parent), t.text[n.start:n.end]...)
}

// locus returns the node at the end of a word.
func (t *tree) locus(word []byte) int {
	v, _ := t.find(word)
	return v
}

// find walks from the root along a word. It returns how many letters of the word are in the text, and the node at
// or below the place reached.
func (t *tree) find(word []byte) (v, length int) {
	for length < len(word) {
		next, ok := t.nodes[v].child[word[length]]
		if !ok {
			break
		}
		v = next
		n := &t.nodes[v]
		for k := n.start; k < n.end && length < len(word); k++ {
			if t.text[k] != word[length] {
				return v, length
			}
			length++
		}
	}
	return v, length
}

// address returns a node's number as two coordinates of 16 bits.
func address(v int) uint32 { return uint32(v/width)<<16 | uint32(v%width) }

// packed returns the nodes in the kernel's layout: children by letter code, start, end, parent, link.
func (t *tree) packed() []uint32 {
	out := make([]uint32, 8*len(t.nodes))
	for v, n := range t.nodes {
		w := out[8*v : 8*v+8]
		for letter, to := range n.child {
			if letter != '$' {
				w[letter>>1&3] = address(to)
			}
		}
		w[4], w[5], w[6], w[7] = uint32(n.start), uint32(n.end), address(n.parent), address(n.link)
	}
	return out
}
