// One Jacobi step of the seven-point stencil, out = c1 (six neighbours) - c0
// centre, on the inside of a block. A CTA covers twice as many columns as it has
// threads, and marches along z with the planes below, at and above it in registers; the
// plane at hand is shared for the neighbours in x and y, and those beyond the
// tile come from memory.
KERNEL ENTRY(float c0, float c1, const float *in, float *out, int nx, int ny, int nz) {
  // Volatile, so that the compiler does not merge a load from the tile and one
  // from beyond it into a generic load of either.
  SHARED volatile float plane[HEIGHT][2 * width];
  int tx = tid_x(), ty = tid_y();
  int x1 = cta_x() * 2 * width + tx, x2 = x1 + width;
  int y = cta_y() * HEIGHT + ty;
  bool row = y > 0 && y < ny - 1;
  bool first = row && x1 > 0 && x1 < nx - 1;
  bool second = row && x2 < nx - 1;
  bool load1 = y < ny && x1 < nx, load2 = y < ny && x2 < nx;
  int layer = nx * ny;
  const float *p = in + y * nx + x1;
  float *o = out + y * nx + x1;

  float below1 = 0, below2 = 0, at1 = 0, at2 = 0;
  if (load1) {
    below1 = p[0];
    at1 = p[layer];
  }
  if (load2) {
    below2 = p[width];
    at2 = p[layer + width];
  }
#pragma unroll 1
  for (int z = 1; z < nz - 1; z++) {
    p += layer;
    o += layer;
    one_pointer(p, o);
    plane[ty][tx] = at1;
    plane[ty][tx + width] = at2;
    barrier();
    float above1 = load1 ? p[layer] : 0;
    float above2 = load2 ? p[layer + width] : 0;
    if (first) {
      float west = tx > 0 ? plane[ty][tx - 1] : p[-1];
      float north = ty > 0 ? plane[ty - 1][tx] : p[-nx];
      float south = ty < HEIGHT - 1 ? plane[ty + 1][tx] : p[nx];
      o[0] = c1 * (above1 + below1 + north + south + plane[ty][tx + 1] + west) - c0 * at1;
    }
    if (second) {
      float east = tx < width - 1 ? plane[ty][tx + width + 1] : p[width + 1];
      float north = ty > 0 ? plane[ty - 1][tx + width] : p[width - nx];
      float south = ty < HEIGHT - 1 ? plane[ty + 1][tx + width] : p[width + nx];
      o[width] = c1 * (above2 + below2 + north + south + east + plane[ty][tx + width - 1]) - c0 * at2;
    }
    barrier();
    below1 = at1;
    at1 = above1;
    below2 = at2;
    at2 = above2;
  }
}
