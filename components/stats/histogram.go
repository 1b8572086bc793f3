package stats

import (
	"fmt"
	"math/bits"
)

// exact is the number of values with a bucket each. Above, a bucket spans a power of two.
const exact = 16

// NumBuckets is the number of buckets of a Histogram.
const NumBuckets = exact + 8

// Histogram is the distribution of a quantity. The values 0 to 15 have a bucket each, followed by buckets for 16 to
// 31, 32 to 63 and so on; the last bucket has all larger values. A block owns the histogram and calls Add.
type Histogram struct{ n [NumBuckets]uint64 }

// Add counts one value.
func (h *Histogram) Add(v uint64) { h.n[bucketOf(v)]++ }

// Buckets returns the buckets with values.
func (h *Histogram) Buckets() []Bucket { return Buckets(&h.n) }

func bucketOf(v uint64) int {
	if v < exact {
		return int(v)
	}
	return min(exact+bits.Len64(v)-bits.Len64(exact), NumBuckets-1)
}

// Bucket is one bar of a distribution: the number of values from From to To, both included. To is 0 in the last
// bucket, without an upper end.
type Bucket struct {
	From  uint64 `json:"from"`
	To    uint64 `json:"to"`
	Count uint64 `json:"count"`
}

// String returns the bucket's range in words.
func (b Bucket) String() string {
	switch {
	case b.To == 0 && b.From > 0:
		return fmt.Sprintf("%d and more", b.From)
	case b.From == b.To:
		return fmt.Sprint(b.From)
	}
	return fmt.Sprintf("%d to %d", b.From, b.To)
}

func bucket(i int, n uint64) Bucket {
	switch {
	case i < exact:
		return Bucket{uint64(i), uint64(i), n}
	case i == NumBuckets-1:
		return Bucket{exact << (i - exact), 0, n}
	}
	return Bucket{exact << (i - exact), exact<<(i-exact+1) - 1, n}
}

// Distribution is a named quantity with its histograms.
type Distribution struct {
	Name        string
	Unit        string // of the quantity
	Description string
	parts       []*Histogram
}

// Histogram registers a histogram owned by a block. Histograms of the same name add up. It panics if the name is
// already registered with another unit or description.
func (r *Registry) Histogram(name, unit, description string, h *Histogram) {
	if r == nil {
		return
	}
	for _, d := range r.distributions {
		if d.Name != name {
			continue
		}
		if d.Unit != unit || d.Description != description {
			panic(fmt.Sprintf("stats: %s registered as %q in %s and as %q in %s", name, d.Description, d.Unit,
				description, unit))
		}
		d.parts = append(d.parts, h)
		return
	}
	r.distributions = append(r.distributions, &Distribution{Name: name, Unit: unit, Description: description,
		parts: []*Histogram{h}})
}

// Distributions returns the registered distributions, in the order of registration.
func (r *Registry) Distributions() []*Distribution { return r.distributions }

// Counts returns the sum of the histograms, by bucket.
func (d *Distribution) Counts() (n [NumBuckets]uint64) {
	for _, h := range d.parts {
		for i, v := range h.n {
			n[i] += v
		}
	}
	return n
}

// Buckets attaches the bounds to the counts, without the empty buckets.
func Buckets(n *[NumBuckets]uint64) []Bucket {
	out := []Bucket{}
	for i, v := range n {
		if v > 0 {
			out = append(out, bucket(i, v))
		}
	}
	return out
}

// Every returns all buckets, each with the given count.
func Every(count uint64) []Bucket {
	var n [NumBuckets]uint64
	for i := range n {
		n[i] = count
	}
	return Buckets(&n)
}
