// Advances a temperature field by `steps` explicit steps of
//   T += step/cap (P + (T_south + T_north - 2T)/Ry + (T_east + T_west - 2T)/Rx + (ambient - T)/Rz)
// with the edge replicated. A CTA loads a 16x16 tile that overlaps its
// neighbours by `border` cells on each side; the part that it knows exactly
// shrinks by one cell a side in each step, and the CTAs' remains meet without
// overlap after the last. The factor 2 is a REAL, and so is all that it meets.
// Each step tests the cell against the tile's remains and the field, as in the
// published program.
KERNEL ENTRY(const float *power, const float *from, float *to, int rows, int cols, int border, int steps,
             float step, float cap, float Rx, float Ry, float Rz) {
  SHARED float temp[tile][tile];
  SHARED float heat[tile][tile];
  SHARED float next[tile][tile];

  const float ambient = 80;
  float k = step / cap;
  float invRx = 1 / Rx, invRy = 1 / Ry, invRz = 1 / Rz;
  int tx = tid_x(), ty = tid_y();
  int inner = tile - 2 * steps;
  int top = inner * cta_y() - border;
  int left = inner * cta_x() - border;
  int y = top + ty, x = left + tx;
  int at = cols * y + x;
  if (y >= 0 && y <= rows - 1 && x >= 0 && x <= cols - 1) {
    temp[ty][tx] = from[at];
    heat[ty][tx] = power[at];
  }
  barrier();

  // The tile's first and last cells that lie in the field.
  int firstY = max(0, -top), lastY = min(tile - 1, rows - 1 - top);
  int firstX = max(0, -left), lastX = min(tile - 1, cols - 1 - left);
  int north = max(ty - 1, firstY), south = min(ty + 1, lastY);
  int west = max(tx - 1, firstX), east = min(tx + 1, lastX);

  bool mine = false;
  for (int i = 0; i < steps; i++) {
    mine = false;
    if (tx >= i + 1 && tx <= tile - i - 2 && ty >= i + 1 && ty <= tile - i - 2 && tx >= firstX && tx <= lastX &&
        ty >= firstY && ty <= lastY) {
      mine = true;
      const REAL two = 2;
      next[ty][tx] = temp[ty][tx] + k * (heat[ty][tx] + (temp[south][tx] + temp[north][tx] - two * temp[ty][tx]) * invRy +
                                         (temp[ty][east] + temp[ty][west] - two * temp[ty][tx]) * invRx +
                                         (ambient - temp[ty][tx]) * invRz);
    }
    barrier();
    if (i == steps - 1) break;
    if (mine) temp[ty][tx] = next[ty][tx];
    barrier();
  }
  if (mine) to[at] = next[ty][tx];
}
