package texture

import (
	"encoding/binary"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"kumiko/kernel/ir"
)

func floats(v ...float32) []byte {
	var out []byte
	for _, x := range v {
		out = binary.LittleEndian.AppendUint32(out, math.Float32bits(x))
	}
	return out
}

func coord(x ...float32) Coord {
	var c Coord
	copy(c.X[:], x)
	return c
}

func first(x Texel) float32 { return math.Float32frombits(x.Bits[0]) }

func TestAPointSampleIsTheTexelThatHoldsTheCoordinate(t *testing.T) {
	tex := Texture{Type: ir.F32, Channels: 1, Width: 4}
	data := floats(10, 11, 12, 13)
	for x, want := range map[float32]float32{0: 10, 0.99: 10, 1: 11, 3.99: 13, 4: 13, 1e30: 13, -0.5: 10,
		float32(math.NaN()):  10,
		float32(math.Inf(1)): 13, float32(math.Inf(-1)): 10} {
		if got := first(tex.Fetch(data, ir.Tex1D, coord(x))); got != want {
			t.Errorf("at %g: %g, want %g", x, got, want)
		}
	}
}

func TestAddressModes(t *testing.T) {
	data := floats(10, 11, 12, 13)
	for _, c := range []struct {
		mode Mode
		x    float32
		want float32
	}{
		{Clamp, 1.1, 13}, {Clamp, -0.1, 10},
		{Border, 1.0, 0}, {Border, -0.01, 0}, {Border, 0.99, 13},
		{Wrap, 1.0, 10}, {Wrap, 1.3, 11}, {Wrap, -0.1, 13}, {Wrap, -1e-20, 10},
		{Mirror, 1.1, 13}, {Mirror, 1.9, 10}, {Mirror, 2.3, 11}, {Mirror, -0.3, 11},
	} {
		tex := Texture{Type: ir.F32, Channels: 1, Width: 4, Normalized: true, Address: [3]Mode{c.mode}}
		if err := tex.Check(); err != nil {
			t.Fatal(err)
		}
		if got := first(tex.Fetch(data, ir.Tex1D, coord(c.x))); got != c.want {
			t.Errorf("mode %d at %g: %g, want %g", c.mode, c.x, got, c.want)
		}
	}
}

func TestLinearFilteringHasEightBitsOfFraction(t *testing.T) {
	tex := Texture{Type: ir.F32, Channels: 1, Width: 2, Filter: Linear}
	data := floats(0, 256)
	for x, want := range map[float32]float32{
		0.5:           0,            // the centre of texel 0
		1:             128,          // halfway
		0.5 + 1./1024: 0,            // a quarter of a step
		0.5 + 3./1024: 1,            // three quarters, rounded up
		1.5 - 1./1024: 256,          // a fraction of 1.0 is represented
		0.25:          0, 1.75: 256, // clamped
	} {
		if got := first(tex.Fetch(data, ir.Tex1D, coord(x))); got != want {
			t.Errorf("at %g: %g, want %g", x, got, want)
		}
	}
}

func TestLinearFilteringWrapsAroundAndFadesToTheBorder(t *testing.T) {
	data := floats(8, 0, 0, 16)
	for mode, want := range map[Mode]float32{Wrap: 12, Border: 4, Clamp: 8, Mirror: 8} {
		tex := Texture{Type: ir.F32, Channels: 1, Width: 4, Filter: Linear, Normalized: true, Address: [3]Mode{mode}}
		if got := first(tex.Fetch(data, ir.Tex1D, coord(0))); got != want {
			t.Errorf("mode %d: %g, want %g", mode, got, want)
		}
	}
}

func TestIntegerCoordinatesOutsideReadZero(t *testing.T) {
	tex := Texture{Type: ir.S16, Channels: 2, Width: 2}
	data := []byte{1, 0, 0xff, 0xff, 3, 0, 4, 0}
	for x, want := range map[int32][2]uint32{0: {1, 0xffffffff}, 1: {3, 4}, 2: {}, -1: {}, math.MinInt32: {}} {
		r := tex.FetchInt(data, ir.Tex1D, 0, [3]int32{x})
		if [2]uint32(r.Bits[:2]) != want || r.Bits[2] != 0 || r.Bits[3] != 1 {
			t.Errorf("at %d: %v, want %v 0 1", x, r.Bits, want)
		}
	}
}

func TestIntegersAreReadAsFractions(t *testing.T) {
	for _, c := range []struct {
		typ  ir.Type
		bits []byte
		want float32
	}{{ir.U8, []byte{255}, 1}, {ir.U8, []byte{51}, 0.2}, {ir.S8, []byte{0x80}, -1}, {ir.S8, []byte{0x81}, -1},
		{ir.S8, []byte{127}, 1},
		{ir.U16, []byte{0xff, 0xff}, 1}, {ir.S16, []byte{0, 0x80}, -1}} {
		tex := Texture{Type: c.typ, Channels: 1, Width: 1, ReadNormalized: true}
		r := tex.Fetch(c.bits, ir.Tex1D, coord(0))
		if first(r) != c.want || r.Bits[3] != math.Float32bits(1) {
			t.Errorf("%s % x: %g, want %g", c.typ, c.bits, first(r), c.want)
		}
	}
}

func TestLayersAndSlicesFollowOneAnother(t *testing.T) {
	layered := Texture{Type: ir.U8, Channels: 1, Width: 2, Height: 2, Layers: 3}
	data := []byte{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}
	for layer, want := range map[uint32]uint32{0: 3, 1: 7, 2: 11, 9: 11} {
		if got := layered.Fetch(data, ir.TexA2D, Coord{Layer: layer, X: [3]float32{1, 1}}); got.Bits[0] != want ||
			got.Offset != int(want) {
			t.Errorf("layer %d: %+v, want %d", layer, got, want)
		}
	}
	deep := Texture{Type: ir.U8, Channels: 1, Width: 2, Height: 2, Depth: 3}
	if got := deep.FetchInt(data, ir.Tex3D, 0, [3]int32{1, 0, 2}).Bits[0]; got != 9 {
		t.Errorf("slice 2: %d, want 9", got)
	}
}

func TestDirectionsChooseTheFacesOfTheGuidesTable(t *testing.T) {
	// On every face texel 0 is s = t = -1, texel 1 s = 1, texel 2 t = 1.
	tex := Texture{Type: ir.U8, Channels: 1, Width: 2, Height: 2, Layers: 6}
	data := make([]byte, 24)
	for i := range data {
		data[i] = byte(i)
	}
	for _, c := range []struct {
		d    [3]float32
		want uint32
	}{
		{[3]float32{2, 1, 1}, 0}, {[3]float32{2, 1, -1}, 1}, {[3]float32{2, -1, 1}, 2}, // s = -z, t = -y
		{[3]float32{-2, 1, -1}, 4}, {[3]float32{-2, 1, 1}, 5}, // s = z, t = -y
		{[3]float32{-1, 2, -1}, 8}, {[3]float32{1, 2, -1}, 9}, {[3]float32{-1, 2, 1}, 10}, // s = x, t = z
		{[3]float32{-1, -2, 1}, 12}, {[3]float32{-1, -2, -1}, 14}, // t = -z
		{[3]float32{-1, 1, 2}, 16}, {[3]float32{1, 1, 2}, 17}, // s = x, t = -y
		{[3]float32{1, 1, -2}, 20}, {[3]float32{-1, 1, -2}, 21}, // s = -x
	} {
		if got := tex.Fetch(data, ir.TexCube, Coord{X: c.d}).Bits[0]; got != c.want {
			t.Errorf("%v: texel %d, want %d", c.d, got, c.want)
		}
	}
}

// TestLinearFilteringIsTheWeightedSumOfItsNeighbours compares with a direct
// reading of the guide's formula for two dimensions.
func TestLinearFilteringIsTheWeightedSumOfItsNeighbours(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w, h := rapid.IntRange(1, 5).Draw(t, "w"), rapid.IntRange(1, 5).Draw(t, "h")
		v := make([]float32, w*h)
		for i := range v {
			v[i] = float32(rapid.IntRange(-1000, 1000).Draw(t, "texel"))
		}
		x := float32(rapid.Float32Range(-2, 7).Draw(t, "x"))
		y := float32(rapid.Float32Range(-2, 7).Draw(t, "y"))
		texel := func(i, j int) float64 {
			return float64(v[min(max(j, 0), h-1)*w+min(max(i, 0), w-1)])
		}
		split := func(x float32) (int, float64) {
			i := math.Floor(float64(x) - 0.5)
			return int(i), math.Round((float64(x)-0.5-i)*256) / 256
		}
		i, a := split(x)
		j, b := split(y)
		want := float32((1-a)*(1-b)*texel(i, j) + a*(1-b)*texel(i+1, j) + (1-a)*b*texel(i, j+1) + a*b*texel(i+1, j+1))
		tex := Texture{Type: ir.F32, Channels: 1, Width: w, Height: h, Filter: Linear}
		got := tex.Fetch(floats(v...), ir.Tex2D, coord(x, y))
		if first(got) != want {
			t.Fatalf("%g, want %g", first(got), want)
		}
		if base := 4 * (min(max(j, 0), h-1)*w + min(max(i, 0), w-1)); got.Offset != base {
			t.Fatalf("base texel at %d, want %d", got.Offset, base)
		}
	})
}

func TestTrilinearFilteringOfALinearFunctionIsExact(t *testing.T) {
	var v []float32
	for k := range 4 {
		for j := range 4 {
			for i := range 4 {
				v = append(v, float32(i+10*j+100*k))
			}
		}
	}
	tex := Texture{Type: ir.F32, Channels: 1, Width: 4, Height: 4, Depth: 4, Filter: Linear}
	// i = 1.25, j = 0.5, k = 2.75 from texel centres
	if got := first(tex.Fetch(floats(v...), ir.Tex3D, coord(1.75, 1, 3.25))); got != 1.25+5+275 {
		t.Errorf("%g, want 281.25", got)
	}
}

func TestTexturesThatCannotBeAreRefused(t *testing.T) {
	good := Texture{Type: ir.U8, Channels: 4, Width: 8, Height: 8}
	for _, c := range []struct {
		change func(*Texture)
		want   string
	}{
		{func(x *Texture) { x.Type = ir.F64 }, "type \"f64\""},
		{func(x *Texture) { x.Channels = 3 }, "3 channels"},
		{func(x *Texture) { x.Width = 0 }, "width 0"},
		{func(x *Texture) { x.Width, x.Height = 1<<20, 1<<20 }, "height 1048576"},
		{func(x *Texture) { x.Depth, x.Layers = 2, 2 }, "2 slices and 2 layers"},
		{func(x *Texture) { x.Filter = Linear }, "linear filtering of u8"},
		{func(x *Texture) { x.Address[1] = Wrap }, "wrap or mirror of y"},
		{func(x *Texture) { x.Type, x.ReadNormalized = ir.U32, true }, "read as normalised"},
		{func(x *Texture) { x.Addr = 2 }, "multiple of their 4 bytes"},
	} {
		x := good
		c.change(&x)
		if err := x.Check(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
	if err := good.Check(); err != nil {
		t.Error(err)
	}
}

func TestInstructionsThatDoNotFitAreRefused(t *testing.T) {
	image := Texture{Type: ir.U8, Channels: 4, Width: 8, Height: 8}
	layered := image
	layered.Layers = 6
	for _, c := range []struct {
		tex           *Texture
		g             ir.Tex
		coord, result ir.Type
		want          string
	}{
		{&image, ir.Tex2D, ir.F32, ir.U32, ""}, {&image, ir.Tex2D, ir.S32, ir.S32, ""},
		{&image, ir.TexA2D, ir.F32, ir.U32, ""},
		{&layered, ir.TexCube, ir.F32, ir.U32, ""}, {&layered, ir.TexACube, ir.F32, ir.U32, ""},
		{&image, ir.Tex1D, ir.F32, ir.U32, "1 coordinates for a texture of 8 x 8 x 1"},
		{&image, ir.Tex2D, ir.F32, ir.F32, "results of type f32"},
		{&layered, ir.Tex2D, ir.F32, ir.U32, "no layer coordinate"},
		{&layered, ir.TexCube, ir.S32, ir.U32, "coordinates of type s32"},
		{&image, ir.TexCube, ir.F32, ir.U32, "a cube of 1 layers"},
	} {
		err := c.tex.Fits(c.g, c.coord, c.result)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("geometry %d: %v, want %q", c.g, err, c.want)
		}
	}
}
