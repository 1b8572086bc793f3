// Package splitmix maps numbers to pseudorandom numbers, the same in every run.
package splitmix

// Of scrambles x by the finalizer of SplitMix64 (Steele, Lea, Flood, OOPSLA 2014). Different numbers give different
// results.
func Of(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
