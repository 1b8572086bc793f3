package emu

import (
	"math"

	"kumiko/kernel/ir"
	"kumiko/kernel/stream"
	"kumiko/kernel/texture"
)

// texOp is the texture part of an instruction.
type texOp struct {
	geom   ir.Tex
	base   int32 // first row of the handle; -1: the offset is the handle
	wide   bool
	offset uint64
	coord  ir.Type // F32 or S32
	result ir.Type
	layer  int32    // row of the layer; -1: none
	x      [3]int32 // rows of the coordinates; any beyond the last repeat it
	dst    [4]int32
	n      int // elements
	gather int // the channel of a gather; -1: a fetch
	query  ir.Query
	view   int // index into engine.texViews
}

// texView is the texture of an instruction's last fetch.
type texView struct {
	handle uint64
	tex    *texture.Texture
	data   []byte
}

// decodeTex decodes tex, PTX ISA section 9.7.11.3. A level of detail has no effect: textures have one level.
func decodeTex(p *decoder) {
	in := p.in
	t := p.handle()
	t.geom, t.coord, t.result, t.layer, t.gather = in.Mods.Tex, in.SrcType, in.Type, -1, int(in.Mods.Gather)-1
	if t.coord != ir.F32 && t.coord != ir.S32 {
		p.fail("coordinates of type %s", t.coord)
	}
	if t.result != ir.F32 && t.result != ir.U32 && t.result != ir.S32 || t.n < 1 || t.n > 4 {
		p.fail("%d results of type %s", t.n, t.result)
		return
	}
	src := 0
	switch t.geom {
	case ir.TexA1D, ir.TexA2D, ir.TexACube:
		t.layer = p.source(p.src(0), ir.U32, 1)
		src++
	}
	for i := range texture.Coordinates(t.geom) {
		t.x[i] = p.source(p.src(src+i), t.coord, 1)
	}
	for i := range in.Dst {
		t.dst[i] = p.dest(i, 1)
	}
	p.out.exec = fetch
}

// handle resolves the texture of an instruction.
func (p *decoder) handle() *texOp {
	t := &texOp{base: -1, offset: uint64(p.in.Addr.Offset), n: len(p.in.Dst), view: p.prog.texViews}
	p.prog.texViews++
	p.out.tex = t
	switch b := p.in.Addr.Base; b.Kind {
	case ir.KindNone:
	case ir.KindImm:
		t.offset += b.Imm
	default:
		t.wide = b.Words == 2
		t.base = p.source(b, ir.U64, max(int(b.Words), 1))
	}
	return t
}

// decodeTxq decodes a query of a texture or surface, PTX ISA sections 9.7.11.5 and 9.7.12.4.
func decodeTxq(p *decoder) {
	t := p.handle()
	t.query, t.result = p.in.Mods.Query, p.in.Type
	p.out.words = uint8(t.result.Words())
	p.out.d = p.dest(0, t.result.Words())
	p.out.exec = query
}

func query(w *warp, in *inst, exec uint32) {
	v := &w.eng.texViews[in.tex.view]
	var out [2]row
	for m := exec; m != 0; m &= m - 1 {
		l := lowest(m)
		if h := w.textureHandle(in.tex, l); v.tex == nil || h != v.handle {
			if !w.lookUp(h, l, v) {
				return
			}
		}
		q := v.tex.Query(in.tex.query)
		out[0][l], out[1][l] = uint32(q), uint32(q>>32)
	}
	for i := range in.words {
		blend(&w.rows[in.d+int32(i)], &out[i&1], exec)
	}
}

// fetch executes a texture fetch lane by lane.
func fetch(w *warp, in *inst, exec uint32) {
	t := in.tex
	v := &w.eng.texViews[t.view]
	var out [4]row
	for m := exec; m != 0; m &= m - 1 {
		l := lowest(m)
		if h := w.textureHandle(t, l); v.tex == nil || h != v.handle {
			if !w.findTexture(t, h, l, v) {
				return
			}
		}
		layer := uint32(0)
		if t.layer >= 0 {
			layer = w.rows[t.layer][l]
		}
		x := [3]uint32{w.rows[t.x[0]][l], w.rows[t.x[1]][l], w.rows[t.x[2]][l]}
		var r texture.Texel
		switch {
		case t.gather >= 0:
			r = v.tex.Gather(v.data, t.geom, texture.Coord{Layer: layer,
				X: [3]float32{math.Float32frombits(x[0]), math.Float32frombits(x[1])}}, t.gather)
		case t.coord == ir.S32:
			r = v.tex.FetchInt(v.data, t.geom, layer, [3]int32{int32(x[0]), int32(x[1]), int32(x[2])})
		default:
			r = v.tex.Fetch(v.data, t.geom, texture.Coord{Layer: layer,
				X: [3]float32{math.Float32frombits(x[0]), math.Float32frombits(x[1]), math.Float32frombits(x[2])}})
		}
		w.addr[l] = v.tex.Addr + uint64(r.Offset)
		for i := range out {
			out[i][l] = r.Bits[i]
		}
	}
	for i := range t.n {
		blend(&w.rows[t.dst[i]], &out[i], exec)
	}
	if in.access && w.rec.on {
		w.recordTexels(exec)
	}
}

func (w *warp) textureHandle(t *texOp, l int) uint64 {
	switch {
	case t.base < 0:
		return t.offset
	case t.wide:
		return lane64(w.pair(t.base), l) + t.offset
	}
	return uint64(w.rows[t.base][l]) + t.offset
}

// findTexture looks a handle up for an instruction.
func (w *warp) findTexture(t *texOp, handle uint64, lane int, v *texView) bool {
	if !w.lookUp(handle, lane, v) {
		return false
	}
	if err := v.tex.Fits(t.geom, t.coord, t.result); err != nil {
		w.fail("thread %s: the texture does not fit the instruction: %v", w.thread(lane), err)
		return false
	}
	return true
}

// lookUp finds the texture of a handle.
func (w *warp) lookUp(handle uint64, lane int, v *texView) bool {
	tex := w.eng.mem.Texture(w.eng.l.module, handle)
	if tex == nil {
		w.fail("thread %s: %#x is the handle of no texture", w.thread(lane), handle)
		return false
	}
	data, err := w.eng.mem.Bytes(tex.Addr, tex.Bytes())
	if err != nil {
		w.fail("thread %s: the texels: %v", w.thread(lane), err)
		return false
	}
	*v = texView{handle: handle, tex: tex, data: data}
	return true
}

// recordTexels adds the addresses of the base texels to the stream.
func (w *warp) recordTexels(exec uint32) {
	first := lowest(exec)
	base, stride := w.addr[first], int64(0)
	rest := exec & (exec - 1)
	if rest != 0 {
		second := lowest(rest)
		stride = int64(w.addr[second]-base) / int64(second-first)
	}
	base -= uint64(int64(first) * stride)
	regular := stream.Fits(stride)
	for m := exec; m != 0; m &= m - 1 {
		l := lowest(m)
		regular = regular && w.addr[l] == base+uint64(int64(l)*stride)
	}
	if !regular {
		w.recordList(ir.Texture, exec)
		return
	}
	w.rec.regular(ir.Texture, base, int32(stride))
}
