// Package regmutex divides the registers of an allocated kernel into a base set owned by every warp, and a shared
// set held by a warp only where needed. It finds the points where a warp must acquire the shared set and may
// release it (RegMutex: Khorasani et al., ISCA 2018; FineReg, MICRO 2018, section VI, compares itself with it).
//
// No instruction changes: the points are given by PC. RegMutex moves values from the shared to the base set to end
// regions earlier. Here a region lasts as long as a register of the shared set is live.
package regmutex
