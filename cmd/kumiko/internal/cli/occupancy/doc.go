// Package occupancy is the command kumiko occupancy, which computes how many CTAs fit on an SM.
package occupancy
