// Advances a temperature field by `steps` explicit steps of
//   T += step/cap (P + (T_south + T_north - 2T)/Ry + (T_east + T_west - 2T)/Rx + (ambient - T)/Rz)
// with the edge replicated. A CTA loads a 16x16 tile that overlaps its
// neighbours by `steps` cells on each side; the part that it knows exactly
// shrinks by one cell a side in each step, and the CTAs' remains meet without
// overlap after the last. The factor 2 is a REAL, and so is all that it meets.
KERNEL ENTRY(const float *power, const float *from, float *to, int rows, int cols, int steps,
             float step, float cap, float Rx, float Ry, float Rz, float ambient) {
  SHARED float temp[tile][tile];
  SHARED float heat[tile][tile];
  SHARED float next[tile][tile];

  float k = step / cap;
  float invRx = 1.0f / Rx, invRy = 1.0f / Ry, invRz = 1.0f / Rz;
  int tx = tid_x(), ty = tid_y();
  int inner = tile - 2 * steps;
  int top = inner * cta_y() - steps;
  int left = inner * cta_x() - steps;
  int y = top + ty, x = left + tx;
  bool inside = y >= 0 && y < rows && x >= 0 && x < cols;
  if (inside) {
    temp[ty][tx] = from[y * cols + x];
    heat[ty][tx] = power[y * cols + x];
  }

  // The tile's first and last cells that lie in the field.
  int firstY = max(0, -top), lastY = min(tile - 1, rows - 1 - top);
  int firstX = max(0, -left), lastX = min(tile - 1, cols - 1 - left);
  int north = max(ty - 1, firstY), south = min(ty + 1, lastY);
  int west = max(tx - 1, firstX), east = min(tx + 1, lastX);
  barrier();

  bool mine = false;
#pragma unroll 1
  for (int i = 1; i <= steps; i++) {
    mine = inside && tx >= i && tx < tile - i && ty >= i && ty < tile - i;
    if (mine) {
      const REAL two = 2;
      float t = temp[ty][tx];
      next[ty][tx] = t + k * (heat[ty][tx] + (temp[south][tx] + temp[north][tx] - two * t) * invRy +
                              (temp[ty][east] + temp[ty][west] - two * t) * invRx + (ambient - t) * invRz);
    }
    barrier();
    if (i == steps) break;
    if (mine) temp[ty][tx] = next[ty][tx];
    barrier();
  }
  if (mine) to[y * cols + x] = next[ty][tx];
}
