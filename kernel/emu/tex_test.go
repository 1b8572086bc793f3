package emu

import (
	"math"
	"testing"

	"kumiko/kernel/ir"
	"kumiko/kernel/mem"
	"kumiko/kernel/ptx"
	"kumiko/kernel/texture"
)

const texKernel = `.version 6.3
.target sm_52
.address_size 64
.global .texref img;
.visible .entry k(.param .u64 p0, .param .u64 p1)
{
.reg .pred %p<4>; .reg .f32 %f<8>; .reg .b32 %r<8>; .reg .b64 %rd<8>;
ld.param.u64 %rd0, [p0]; ld.param.u64 %rd1, [p1]; mov.u32 %r0, %tid.x; mul.wide.u32 %rd2, %r0, 4; add.s64 %rd3, %rd0, %rd2;
`

// runTex runs a kernel on a buffer of 32 words with img bound to four floats,
// and a texture object of its own per parity of lanes.
func runTex(t *testing.T, body string, bind bool, handles ...uint64) ([]uint32, error) {
	t.Helper()
	u, err := ptx.Parse("tex.ptx", []byte(texKernel+body+"\nst.global.f32 [%rd3], %f1; ret; }"))
	if err != nil {
		t.Fatal(err)
	}
	var m mem.Memory
	out := m.Alloc("out", 128)
	texels := m.Alloc("texels", 16)
	data, _ := m.Bytes(texels, 16)
	for i, v := range []float32{10, 11, 12, 13} {
		b := math.Float32bits(v)
		data[4*i], data[4*i+1], data[4*i+2], data[4*i+3] = byte(b), byte(b>>8), byte(b>>16), byte(b>>24)
	}
	tex := texture.Texture{Addr: texels, Type: ir.F32, Channels: 1, Width: 4}
	if bind {
		if err := m.BindTexture(u, "img", tex); err != nil {
			t.Fatal(err)
		}
	}
	tex.Width, tex.Addr = 2, texels+8
	object, err := m.NewTexture(tex)
	if err != nil {
		t.Fatal(err)
	}
	if len(handles) > 0 {
		object = handles[0]
	}
	r := Runner{Mem: &m}
	err = r.Launch(textLaunch(u, 1, 32, out, object))
	return words(t, &m, out, 32), err
}

func TestLanesMayFetchFromTexturesOfTheirOwn(t *testing.T) {
	got, err := runTex(t, `mov.u64 %rd4, img; and.b32 %r1, %r0, 1; setp.eq.u32 %p1, %r1, 1; selp.b64 %rd4, %rd1, %rd4, %p1;
		setp.lt.u32 %p2, %r0, 30; mov.f32 %f1, 0f00000000; @%p2 tex.1d.v4.f32.s32 {%f1, _, _, _}, [%rd4, {%r1}];`, true)
	if err != nil {
		t.Fatal(err)
	}
	for l, v := range got {
		want := []float32{10, 13}[l&1] // texel 0 of img, texel 1 of the object
		if l >= 30 {
			want = 0 // the guard is false
		}
		if math.Float32frombits(v) != want {
			t.Errorf("lane %d: %g, want %g", l, math.Float32frombits(v), want)
		}
	}
}

func TestFetchesThatCannotBeAreNamed(t *testing.T) {
	fetch := "tex.1d.v4.f32.s32 {%f1, _, _, _}, [img, {%r0}];"
	_, err := runTex(t, fetch, false)
	wantError(t, err, `kernel k: the texture "img" is not bound`)
	_, err = runTex(t, "tex.1d.v4.f32.s32 {%f1, _, _, _}, [%rd1, {%r0}];", true, 77)
	wantError(t, err, "tex.ptx:9:1: kernel k, CTA (0,0,0), warp 0: tex.tex.f32.s32: thread (0,0,0): 0x4d is the "+
		"handle of no texture")
	_, err = runTex(t, "tex.1d.v4.u32.s32 {%r1, _, _, _}, [img, {%r0}]; mov.b32 %f1, %r1;", true)
	wantError(t, err, "the texture does not fit the instruction: results of type u32 of a texture that is read as f32")
	_, err = runTex(t, "tex.cube.v4.f32.f32 {%f1, _, _, _}, [img, {%f1, %f1, %f1, %f1}];", true)
	wantError(t, err, "a cube of 1 layers of 4 x 1 texels, expected six square ones")
}
