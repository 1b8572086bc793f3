// Package regmutex divides the registers of an allocated kernel into a base set
// that every warp owns and a shared set that a warp holds only where it needs
// it, and finds where it must acquire and may release it (RegMutex: Khorasani
// et al., ISCA 2018; as FineReg, MICRO 2018, section VI, compares itself with
// it).
//
// It changes no instruction: the points are given by PC. RegMutex moves values
// from the shared to the base set so that regions end earlier; here a region
// lasts as long as a register of the shared set is live.
package regmutex
