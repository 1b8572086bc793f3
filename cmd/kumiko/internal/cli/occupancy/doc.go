// Package occupancy is kumiko occupancy: how many CTAs fit on an SM.
package occupancy
