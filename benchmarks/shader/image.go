package shader

import (
	"math"

	"kumiko/kernel/texture"
)

// image is a texture for lookups by the host, in double precision.
type image struct {
	t                       texture.Texture
	width, height, channels int
	texels                  []float64
}

// texel returns a texel. Beyond the edges either the image repeats or the edge does.
func (im *image) texel(x, y int, repeat bool) (c [4]float64) {
	if repeat {
		x, y = (x%im.width+im.width)%im.width, (y%im.height+im.height)%im.height
	} else {
		x, y = min(max(x, 0), im.width-1), min(max(y, 0), im.height-1)
	}
	copy(c[:], im.texels[(y*im.width+x)*im.channels:][:im.channels])
	return c
}

// linear returns the mean of the four texels around a place, weighted by nearness (CUDA C++ Programming Guide,
// linear filtering). u and v are fractions of the size.
func (im *image) linear(u, v float64, repeat bool) (c [4]float64) {
	x, y := u*float64(im.width)-0.5, v*float64(im.height)-0.5
	fx, fy := math.Floor(x), math.Floor(y)
	for dy := range 2 {
		for dx := range 2 {
			w := math.Abs(1-float64(dx)-(x-fx)) * math.Abs(1-float64(dy)-(y-fy))
			for i, t := range im.texel(int(fx)+dx, int(fy)+dy, repeat) {
				c[i] += w * t
			}
		}
	}
	return c
}
