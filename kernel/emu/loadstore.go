package emu

import (
	"encoding/binary"

	"kumiko/kernel/emu/internal/vector"
	"kumiko/kernel/ir"
)

func decodeLd(p *decoder) {
	p.memRows(p.in.Dst, false)
	p.out.exec = load
	if p.in.Mods.Volatile || p.in.Mods.Ordered {
		p.out.exec = func(w *warp, in *inst, exec uint32) {
			w.spin.polled = true
			load(w, in, exec)
		}
	}
}

func decodeSt(p *decoder) {
	p.memRows(p.in.Src, true)
	p.out.exec = store
}

// memRows resolves the elements of a load or store. The destination of a load
// may have more words than the type: the value is then extended.
func (p *decoder) memRows(elems []ir.Operand, isStore bool) {
	m := p.decodeMem(elems, isStore)
	p.out.mem = m
	if p.err != "" {
		return
	}
	for i, o := range elems {
		if isStore {
			m.rows = append(m.rows, p.source(o, p.in.Type, m.words))
			continue
		}
		words := max(m.words, int(o.Words))
		m.words = max(m.words, words)
		m.rows = append(m.rows, p.dest(i, words))
	}
}

// load executes ld, PTX ISA section 9.7.9.8.
func load(w *warp, in *inst, exec uint32) {
	var a access
	w.addresses(in.mem, exec, &a)
	if a.space == ir.Generic {
		w.resolve(exec, &a)
	}
	w.record(in, exec, &a)
	if a.mixed {
		w.eachLane(exec, func(one uint32) { w.loadMixed(in, one) })
		return
	}
	if !w.aligned(in, exec, &a) {
		return
	}
	data := w.locate(in, exec, &a)
	if data == nil {
		if w.state != failed {
			w.eachLane(exec, func(one uint32) { w.loadMixed(in, one) })
		}
		return
	}
	w.loadFrom(in, exec, &a, data)
}

// loadMixed executes the load of one lane of an access to several memories.
func (w *warp) loadMixed(in *inst, one uint32) {
	var a access
	w.addresses(in.mem, one, &a)
	if a.space == ir.Generic {
		w.resolve(one, &a)
	}
	if !w.aligned(in, one, &a) {
		return
	}
	if data := w.locate(in, one, &a); data != nil {
		w.loadFrom(in, one, &a, data)
	}
}

// eachLane calls f for every lane of exec, in lane order, until one fails.
func (w *warp) eachLane(exec uint32, f func(one uint32)) {
	for m := exec; m != 0 && w.state != failed; m &= m - 1 {
		f(m & -m)
	}
}

func (w *warp) loadFrom(in *inst, exec uint32, a *access, data []byte) {
	m := in.mem
	for i, r := range m.rows {
		at := uint64(i * m.elem)
		d := w.quad(r)
		switch {
		case m.elem == 4 && a.regular && exec == ^uint32(0):
			loadRegular(&d[0], data, a.base+at, a.stride)
			if m.words == 2 {
				extend(&d[1], &d[0], m.signed)
			}
		case m.elem >= 4:
			for j := range m.elem / 4 {
				w.loadWords(&d[j&3], data, exec, a, at+uint64(4*j))
			}
			if m.elem == 4 && m.words == 2 {
				var high row
				extend(&high, &d[0], m.signed)
				blend(&d[1], &high, exec)
			}
		default:
			w.loadShort(d, data, exec, a, at, m)
		}
	}
}

// extend sets the high words of values with low words low.
func extend(high, low *row, signed bool) {
	for i := range high {
		high[i] = 0
		if signed {
			high[i] = uint32(int32(low[i]) >> 31)
		}
	}
}

// loadRegular loads a word per lane from equidistant addresses. The access has been checked.
func loadRegular(d *row, data []byte, base uint64, stride int64) {
	if vector.Available {
		vector.Load((*vector.Row)(d), &data[0], base, uint64(stride), ^uint32(0))
		return
	}
	switch stride {
	case 0:
		d.fill(binary.LittleEndian.Uint32(data[base:]))
	case 4:
		b := (*[128]byte)(data[base:])
		for i := range d {
			d[i] = binary.LittleEndian.Uint32(b[4*i:])
		}
	default:
		for i := range d {
			d[i] = binary.LittleEndian.Uint32(data[base:])
			base += uint64(stride)
		}
	}
}

func (w *warp) loadWords(d *row, data []byte, exec uint32, a *access, at uint64) {
	switch {
	case vector.Available && a.regular:
		vector.Load((*vector.Row)(d), &data[0], a.base+at, uint64(a.stride), exec)
		return
	case vector.Available:
		vector.Gather((*vector.Row)(d), &data[0], at-a.origin, &w.addr, exec)
		return
	}
	if a.regular {
		if exec == ^uint32(0) {
			loadRegular(d, data, a.base+at, a.stride)
			return
		}
		for m := exec; m != 0; m &= m - 1 {
			l := lowest(m)
			d[l] = binary.LittleEndian.Uint32(data[a.base+at+uint64(a.stride*int64(l)):])
		}
		return
	}
	at -= a.origin
	if exec == ^uint32(0) {
		for l := range d {
			d[l] = binary.LittleEndian.Uint32(data[w.addr[l]+at:])
		}
		return
	}
	for m := exec; m != 0; m &= m - 1 {
		l := lowest(m)
		d[l] = binary.LittleEndian.Uint32(data[w.addr[l]+at:])
	}
}

// loadShort loads 8- and 16-bit elements, extended to the destination's words.
func (w *warp) loadShort(d *[4]row, data []byte, exec uint32, a *access, at uint64, m *memOp) {
	for s := exec; s != 0; s &= s - 1 {
		l := lowest(s)
		i := w.index1(a, l) + at
		var v uint32
		if m.elem == 1 {
			v = uint32(data[i])
			if m.signed {
				v = uint32(int32(int8(v)))
			}
		} else {
			v = uint32(binary.LittleEndian.Uint16(data[i:]))
			if m.signed {
				v = uint32(int32(int16(v)))
			}
		}
		d[0][l] = v
		if m.words == 2 {
			d[1][l] = 0
			if m.signed {
				d[1][l] = uint32(int32(v) >> 31)
			}
		}
	}
}

// index1 returns the index of one lane's bytes.
func (w *warp) index1(a *access, l int) uint64 {
	if a.regular {
		return a.base + uint64(a.stride*int64(l))
	}
	return w.addr[l] - a.origin
}

// store executes st, PTX ISA section 9.7.9.11. Lanes with the same address store in lane order: the value of the
// highest lane remains.
func store(w *warp, in *inst, exec uint32) {
	var a access
	w.eng.version++
	w.addresses(in.mem, exec, &a)
	if a.space == ir.Generic {
		w.resolve(exec, &a)
	}
	if a.mixed || a.space != ir.Local {
		w.eng.visible++
	}
	w.record(in, exec, &a)
	if a.mixed {
		w.eachLane(exec, func(one uint32) { w.storeMixed(in, one) })
		return
	}
	if !w.aligned(in, exec, &a) {
		return
	}
	data := w.locate(in, exec, &a)
	if data == nil {
		if w.state != failed {
			w.eachLane(exec, func(one uint32) { w.storeMixed(in, one) })
		}
		return
	}
	w.storeTo(in, exec, &a, data)
}

func (w *warp) storeMixed(in *inst, one uint32) {
	var a access
	w.addresses(in.mem, one, &a)
	if a.space == ir.Generic {
		w.resolve(one, &a)
	}
	if !w.aligned(in, one, &a) {
		return
	}
	if data := w.locate(in, one, &a); data != nil {
		w.storeTo(in, one, &a, data)
	}
}

func (w *warp) storeTo(in *inst, exec uint32, a *access, data []byte) {
	m := in.mem
	if vector.Available && m.n == 1 && m.elem == 4 && a.regular && a.stride == 4 {
		vector.Store(&data[0], a.base, (*vector.Row)(&w.rows[m.rows[0]]), exec)
		return
	}
	if m.n == 1 && m.elem == 4 && a.regular && a.stride == 4 && exec == ^uint32(0) {
		b := (*[128]byte)(data[a.base:])
		s := &w.rows[m.rows[0]]
		for i := range s {
			binary.LittleEndian.PutUint32(b[4*i:], s[i])
		}
		return
	}
	for i, r := range m.rows {
		at := uint64(i * m.elem)
		s := w.quad(r)
		for x := exec; x != 0; x &= x - 1 {
			l := lowest(x)
			j := w.index1(a, l) + at
			switch m.elem {
			case 1:
				data[j] = byte(s[0][l])
			case 2:
				binary.LittleEndian.PutUint16(data[j:], uint16(s[0][l]))
			default:
				for k := range m.elem / 4 {
					binary.LittleEndian.PutUint32(data[j+uint64(4*k):], s[k&3][l])
				}
			}
		}
	}
}

// prefetch only records the addresses. No address is an error, as in PTX ISA section 9.7.9 for prefetches of absent
// global memory.
func decodePrefetch(p *decoder) {
	if p.in.T.Space == ir.SpaceNone {
		p.out.exec = func(*warp, *inst, uint32) {}
		return
	}
	if p.in.Type.Size() == 0 {
		in := *p.in
		in.Type = ir.B32
		p.in = &in
	}
	p.out.mem = p.decodeMem([]ir.Operand{{}}, false)
	p.out.exec = func(w *warp, in *inst, exec uint32) {
		var a access
		w.addresses(in.mem, exec, &a)
		if a.space == ir.Generic {
			w.resolve(exec, &a)
		}
		w.record(in, exec, &a)
	}
}
