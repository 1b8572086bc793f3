package shader

import (
	"math"

	"kumiko/kernel/host"
)

// handles makes texture objects and their arguments.
func handles(s *scene, images ...*image) ([]host.Arg, error) {
	var args []host.Arg
	for _, im := range images {
		h, err := s.NewTexture(im.t)
		if err != nil {
			return nil, err
		}
		args = append(args, host.U64(h))
	}
	return args, nil
}

// A filter's weights are kept to 1/256, so a lookup of texels from 0 to 1 may be off by twice half of this, 0.004.
// Colours multiply lookups by at most one. In bump, the light changes by up to five times the change of the normal,
// with parts from 0 to 1 and a length of at least 0.5.
var shaders = []*shader{
	{"diffuse", "Pixel shader: one filtered lookup and Lambert's law.",
		func(s *scene) ([]host.Arg, error) { return handles(s, &s.albedo) }, diffuse, 0.005},
	{"bump", "Pixel shader: colour and normal from filtered lookups, a highlight by special functions.",
		func(s *scene) ([]host.Arg, error) { return handles(s, &s.albedo, &s.normals) }, bump, 0.05},
	{"shadow", "Pixel shader: a filtered lookup, and four comparisons with texels of a depth map.",
		func(s *scene) ([]host.Arg, error) { return handles(s, &s.albedo, &s.depth) }, shadow, 0.005},
	{"bloom", "Pixel shader: nine filtered lookups of a frame, weighted, and a tone curve.",
		func(s *scene) ([]host.Arg, error) {
			s.du, s.dv = 1/float32(s.width), 1/float32(s.height)
			return handles(s, &s.frame)
		}, bloom, 0.02},
	{"foliage", "Pixel shader: an alpha test that pixels fail in patches, then two filtered lookups blended.",
		func(s *scene) ([]host.Arg, error) { return handles(s, &s.albedo, &s.leaves) }, foliage, 0.01},
}

func scaled(c [4]float64, by, plus, alpha float64) [4]float64 {
	return [4]float64{c[0]*by + plus, c[1]*by + plus, c[2]*by + plus, alpha}
}

func diffuse(s *scene, _, _ int, u, v float64) [4]float64 {
	c := s.albedo.linear(u, v, true)
	nx, ny := 0.5*u-0.25, 0.25-0.5*v
	light := 0.1 + 0.9*max(0, (0.48*nx+0.6*ny+0.64)/math.Sqrt(nx*nx+ny*ny+1))
	return scaled(c, light, 0, c[3])
}

func bump(s *scene, _, _ int, u, v float64) [4]float64 {
	c, n := s.albedo.linear(u, v, true), s.normals.linear(2*u, 2*v, true)
	nx, ny, nz := n[0]-0.5, n[1]-0.5, 0.5+0.5*n[2]
	length := math.Sqrt(nx*nx + ny*ny + nz*nz)
	half := max(0.01, (0.24*nx+0.3*ny+0.92*nz)/length)
	return scaled(c, max(0, (0.48*nx+0.6*ny+0.64*nz)/length), 0.3*math.Pow(half, 8), c[3])
}

func shadow(s *scene, x, y int, u, v float64) [4]float64 {
	c := s.albedo.linear(u, v, true)
	z := 0.3 + 0.2*(u+v)
	lit := 0.2
	for k := range 4 {
		if s.depth.texel(x*3+k%2, y*5+k/2, true)[0] > z {
			lit += 0.2
		}
	}
	return scaled(c, lit, 0, c[3])
}

func bloom(s *scene, _, _ int, u, v float64) [4]float64 {
	var sum [4]float64
	for dy := -1; dy <= 1; dy++ {
		for dx := -1; dx <= 1; dx++ {
			w := float64((2-dx*dx)*(2-dy*dy)) / 16
			for i, t := range s.frame.linear(u+float64(dx)*float64(s.du), v+float64(dy)*float64(s.dv), false) {
				sum[i] += w * t
			}
		}
	}
	y := 0.2126*sum[0] + 0.7152*sum[1] + 0.0722*sum[2]
	return scaled(sum, (1-math.Exp(-2*y))/(y+0.01), 0, y)
}

func foliage(s *scene, x, y int, u, v float64) [4]float64 {
	cover := s.leaves.texel(x, y, true)[0]
	if float32(cover) < threshold {
		return [4]float64{}
	}
	c, d := s.albedo.linear(u, v, true), s.albedo.linear(4*u, 4*v, true)
	t := (cover - threshold) / math.Sqrt(cover)
	return [4]float64{c[0] + t*(d[0]-c[0]), c[1] + t*(d[1]-c[1]), c[2] + t*(d[2]-c[2]), cover}
}
