package ptx

import _ "embed"

// heapText has malloc and free of device code (CUDA C++ Programming Guide, "Dynamic Global Memory Allocation and
// Operations"), with a heap of 8 MiB, CUDA's default. A block has a power of two of bytes, from 32 on, of which the
// first 16 are its size and its place in the list of free blocks of that size. It comes from this list, else from
// the rest of the heap; without room malloc returns 0. The lists are stacks whose heads count their changes, so that
// a block that was taken and given back meanwhile is no mistake.
//
//go:embed heap.ptx
var heapText string

// heap defines malloc and free, if the module declares one of them and does not define it. Linked modules share them.
func (p *parser) heap() {
	if p.m.addrSize != 8 || !p.m.undefined("malloc") && !p.m.undefined("free") {
		return
	}
	p.scan, p.system = scanner{src: heapText, line: 1, errs: p.errs}, true
	for p.next(); p.tok.kind != tokEOF; {
		p.guarded(p.directive)
	}
}
