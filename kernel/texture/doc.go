// Package texture reads textures as the texture units do: addressing modes, point and linear filtering, layers and
// cube maps, with the texels in global memory (CUDA C++ Programming Guide, appendix "Texture Fetching"; PTX ISA
// section 9.7.11).
//
// It is functional alone: it returns the result of a fetch, and the place of its base texel. Texels are stored row
// by row, slices and layers one after another; the order of texels in a CUDA array is not published. There are no
// mipmaps, so any level of detail is level 0, and no seamless filtering over the edges of a cube map.
package texture
