package emu

import (
	"encoding/binary"

	"kumiko/kernel/ir"
)

// A matrix of 8x8 elements of 16 bits, PTX ISA sections 9.7.14.5.15 to 9.7.14.5.17: in
// registers lane l has elements 2(l%4) and 2(l%4)+1 of row l/4, in shared memory each row
// is 16 consecutive bytes.
const matrixRow = 16

// decodeMatrix resolves ldmatrix and stmatrix.
func decodeMatrix(p *decoder) {
	in := p.in
	store := in.Op == ir.OpStmatrix
	p.out.mem = p.decodeMem(make([]ir.Operand, matrixRow/4), store)
	var regs []int32
	for i := range in.Dst {
		regs = append(regs, p.dest(i, 1))
	}
	for i := range in.Src {
		regs = append(regs, p.source(p.src(i), ir.B32, 1))
	}
	if n := len(regs); n != 1 && n != 2 && n != 4 {
		p.fail("%d matrices, expected 1, 2 or 4", n)
	}
	p.out.exec = func(w *warp, in *inst, exec uint32) {
		if w.allLanes(exec) {
			w.matrices(in, regs, store)
		}
	}
}

// matrices moves matrices between shared memory and registers. Lane 8j+i has the address of
// row i of matrix j.
func (w *warp) matrices(in *inst, regs []int32, store bool) {
	n := len(regs)
	rows := uint32(1<<(8*n) - 1)
	var a access
	w.addresses(in.mem, rows, &a)
	if a.space == ir.Generic {
		w.resolve(rows, &a)
	}
	if a.space != ir.Shared || a.mixed {
		w.fail("thread %s: a matrix in %s space, expected shared memory", w.thread(0), a.space)
		return
	}
	if !w.aligned(in, rows, &a) {
		return
	}
	data := w.locate(in, rows, &a)
	if data == nil {
		return
	}
	w.recordRows(in, &a, n)
	for j, r := range regs {
		for l := range 32 {
			for e := range 2 {
				row, column := l/4, 2*(l%4)+e
				if in.src.Mods.Trans {
					row, column = column, row
				}
				cell := data[w.index1(&a, 8*j+row)+uint64(2*column):]
				if store {
					binary.LittleEndian.PutUint16(cell, uint16(w.rows[r][l]>>(16*e)))
					continue
				}
				v := uint32(binary.LittleEndian.Uint16(cell)) << (16 * e)
				if e == 0 {
					w.rows[r][l] = v
				} else {
					w.rows[r][l] |= v
				}
			}
		}
	}
	if store {
		w.eng.version++
		w.eng.visible++
	}
}

// recordRows adds the access to the stream as an access of 4n bytes per lane, with lanes in the order of the
// matrices and their rows. So 32 lanes read the contents of the rows once, and lanes with a common row are
// neighbours.
func (w *warp) recordRows(in *inst, a *access, n int) {
	if !in.access || !w.rec.on {
		return
	}
	list := w.rec.list(ir.Shared, 32)
	perRow := 4 / n
	for l := range list {
		row := l / perRow
		list[l] = w.index1(a, row) + uint64(l%perRow*4*n)
	}
}

// decodeMovmatrix decodes movmatrix, the transposition of a matrix in registers.
func decodeMovmatrix(p *decoder) {
	p.out.a = p.source(p.src(0), ir.B32, 1)
	p.out.d = p.dest(0, 1)
	p.out.exec = func(w *warp, in *inst, exec uint32) {
		if !w.allLanes(exec) {
			return
		}
		v := w.rows[in.a]
		var r row
		for l := range 32 {
			for e := range 2 {
				row, column := 2*(l%4)+e, l/4
				r[l] |= v[4*row+column/2] >> (16 * (column % 2)) & 0xffff << (16 * e)
			}
		}
		w.rows[in.d] = r
	}
}
