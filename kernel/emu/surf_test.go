package emu

import (
	"encoding/binary"
	"fmt"
	"testing"

	"kumiko/kernel/ir"
	"kumiko/kernel/mem"
	"kumiko/kernel/texture"
)

// runSurf runs a kernel with the surface s of words, each word holding its own number. It returns %r5 of each of 32
// threads, and the surface.
func runSurf(t *testing.T, tex texture.Texture, body string) (out, surface []uint32, err error) {
	t.Helper()
	u := parseNamed(t, "surf.ptx", `.version 6.3
.target sm_52
.address_size 64
.global .surfref s; .global .texref img; .global .samplerref smp;
.visible .entry k(.param .u64 p0)
{
.reg .pred %p<8>; .reg .b16 %h<8>; .reg .f32 %f<8>; .reg .b32 %r<16>; .reg .b64 %rd<16>;
ld.param.u64 %rd0, [p0]; mov.u32 %r0, %tid.x;
`+body+storeR5+"}")
	var m mem.Memory
	buf := m.Alloc("out", 128)
	n := tex.Bytes() / 4
	tex.Addr = m.Alloc("texels", 4*n)
	data, _ := m.Bytes(tex.Addr, 4*n)
	for i := range n {
		binary.LittleEndian.PutUint32(data[4*i:], uint32(i))
	}
	for _, name := range []string{"s", "img"} {
		if err := m.BindTexture(u, name, tex); err != nil {
			t.Fatal(err)
		}
	}
	r := Runner{Mem: &m}
	err = r.Launch(textLaunch(u, 1, 32, buf))
	return words(t, &m, buf, 32), words(t, &m, tex.Addr, n), err
}

// surf is runSurf of a kernel that does not fail.
func surf(t *testing.T, tex texture.Texture, body string) (out, surface []uint32) {
	t.Helper()
	out, surface, err := runSurf(t, tex, body)
	if err != nil {
		t.Fatal(err)
	}
	return out, surface
}

var plane = texture.Texture{Type: ir.U32, Channels: 1, Width: 8, Height: 4}

// Thread i takes the element of column i/4-1 and row i%4, columns in bytes.
const place = `shr.u32 %r1, %r0, 2; sub.u32 %r1, %r1, 1; shl.b32 %r1, %r1, 2; and.b32 %r2, %r0, 3; mov.u32 %r5, 99;
	setp.ge.u32 %p2, %r0, 4;
`

func TestALoadOfASurfaceOutsideIsZeroOrTheNearestElement(t *testing.T) {
	for mode, left := range map[string]func(row int) uint32{"zero": func(int) uint32 { return 0 },
		"clamp": func(row int) uint32 { return uint32(8 * row) }} {
		got, _ := surf(t, plane, place+"suld.b.2d.b32."+mode+" %r5, [s, {%r1, %r2}];")
		wantEach(t, got, func(i int) uint32 {
			if i < 4 { // column -1
				return left(i)
			}
			return uint32(8*(i%4) + i/4 - 1)
		})
	}
}

func TestALoadOfASurfaceOutsideStopsTheLaunchWithTrap(t *testing.T) {
	load := "suld.b.2d.b32.trap %r5, [s, {%r1, %r2}];"
	_, _, err := runSurf(t, plane, place+load)
	wantError(t, err, "surf.ptx:11:1: kernel k, CTA (0,0,0), warp 0: trap")
	got, _ := surf(t, plane, place+"@%p2 "+load)
	wantEach(t, got, func(i int) uint32 {
		if i < 4 {
			return 99
		}
		return uint32(8*(i%4) + i/4 - 1)
	})
}

func TestAStoreToASurfaceOutsideIsDropped(t *testing.T) {
	_, got := surf(t, plane, place+"add.u32 %r3, %r0, 100; sust.b.2d.b32.zero [s, {%r1, %r2}], %r3;")
	wantEach(t, got, func(i int) uint32 {
		if col, row := i%8, i/8; col < 7 {
			return uint32(100 + 4*(col+1) + row)
		}
		return uint32(i)
	})
}

// A layer of an array, a slice of a volume: the offset is ((z*H)+y)*row+x, and layers are clamped.
func TestSurfacesOfThreeCoordinates(t *testing.T) {
	for _, k := range []struct {
		tex  texture.Texture
		form string
		last uint32 // the layer or slice that 9 stands for
	}{
		{texture.Texture{Type: ir.U32, Channels: 1, Width: 4, Height: 2, Depth: 3},
			"3d.b32.clamp %%r5, [s, {%%r1, 1, %s, 0}]", 2},
		{texture.Texture{Type: ir.U32, Channels: 1, Width: 4, Height: 2, Layers: 3},
			"a2d.b32.trap %%r5, [s, {%s, %%r1, 1, 0}]", 2},
	} {
		for z, want := range map[string]uint32{"0": 0, "1": 1, "9": k.last} {
			got, _ := surf(t, k.tex, "and.b32 %r1, %r0, 12; suld.b."+fmt.Sprintf(k.form, z)+";")
			wantEach(t, got, func(i int) uint32 { return want*8 + 4 + uint32(i&12)/4 })
		}
	}
}

func TestReductionsOnASurfaceAddUp(t *testing.T) {
	_, got, err := runSurf(t, plane, `and.b32 %r1, %r0, 4; mov.u32 %r5, 0;
	sured.b.add.2d.u32.trap [s, {%r1, 3}], %r0;`)
	if err != nil {
		t.Fatal(err)
	}
	wantEach(t, got, func(i int) uint32 {
		switch i { // threads without and with bit 2
		case 24:
			return 24 + 216
		case 25:
			return 25 + 280
		}
		return uint32(i)
	})
}

func TestVectorsOfASurfaceAreConsecutiveBytes(t *testing.T) {
	got, _, err := runSurf(t, plane, `suld.b.2d.v2.b16.trap {%h1, %h2}, [s, {4, 2}]; suld.b.2d.b8.trap %h3, [s, {8, 2}];
	cvt.u32.u16 %r1, %h1; cvt.u32.u16 %r2, %h2; cvt.u32.u16 %r3, %h3;
	mad.lo.u32 %r5, %r1, 1000, %r2; mad.lo.u32 %r5, %r5, 1000, %r3;`)
	if err != nil {
		t.Fatal(err)
	}
	wantEach(t, got, func(int) uint32 { return 17*1000*1000 + 18 })
}

func TestQueriesGiveThePropertiesOfATexture(t *testing.T) {
	tex := texture.Texture{Type: ir.U32, Channels: 1, Width: 8, Height: 4, Layers: 3, Normalized: true,
		Address: [3]texture.Mode{texture.Wrap, texture.Border, texture.Mirror}}
	for q, want := range map[string]uint32{"suq.width.b32 %r5, [s]": 8, "suq.height.b32 %r5, [s]": 4,
		"txq.array_size.b32 %r5, [img]": 3, "txq.depth.b32 %r5, [img]": 1, "txq.normalized_coords.b32 %r5, [img]": 1,
		"txq.filter_mode.b32 %r5, [img]": 0, "txq.addr_mode_0.b32 %r5, [img]": 0, "txq.addr_mode_1.b32 %r5, [img]": 4,
		"txq.addr_mode_2.b32 %r5, [img]": 1, "mov.u64 %rd1, img; txq.width.b32 %r5, [%rd1]": 8} {
		got, _ := surf(t, tex, q+";")
		if got[7] != want {
			t.Errorf("%s: %d, want %d", q, got[7], want)
		}
	}
}

func TestIstypepTellsTexturesFromSurfaces(t *testing.T) {
	for form, want := range map[string]uint32{"texref %p1, img": 1, "texref %p1, s": 0, "surfref %p1, s": 1,
		"texref %p1, %rd1": 1, "surfref %p1, %rd1": 0, "surfref %p1, %rd2": 1, "samplerref %p1, smp": 1,
		"texref %p1, %rd0": 0} {
		got, _ := surf(t, plane, "mov.u64 %rd1, img; mov.u64 %rd2, s; istypep."+form+
			"; selp.u32 %r5, 1, 0, %p1;")
		if got[0] != want {
			t.Errorf("%s: %d, want %d", form, got[0], want)
		}
	}
}

// At (2,3) the four texels are in columns 1 and 2 and rows 2 and 3, lower left first.
func TestAGatherGoesCounterClockwiseFromTheLowerLeft(t *testing.T) {
	got, _, err := runSurf(t, plane, `mov.f32 %f1, 0f40000000; mov.f32 %f2, 0f40400000;
	tld4.r.2d.v4.u32.f32 {%r1, %r2, %r3, %r4}, [img, {%f1, %f2}];
	mad.lo.u32 %r5, %r1, 100, %r2; mad.lo.u32 %r5, %r5, 100, %r3; mad.lo.u32 %r5, %r5, 100, %r4;`)
	if err != nil {
		t.Fatal(err)
	}
	wantEach(t, got, func(int) uint32 { return 25_26_18_17 })
}
