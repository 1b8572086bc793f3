package energy

import (
	"maps"
	"slices"
	"strings"

	"kumiko/gpus/result"
)

// Parts of the energy of a register file.
const (
	MainFile  = "main"  // banks of the main file and their wires
	FileCache = "cache" // arrays between the banks and the collectors, and their wires
	Pending   = "pcrf"
	Scalars   = "scalars" // the file of words and strides, and its wires
	Adders    = "adders"  // that compare the lanes of results, and make operands of words and differences
)

// Names in the result. Rows of storage: the main banks' block, and the contents of a row that has registers.
// Statistics: those of the main banks, and those of arrays of registers before the banks, whose names begin with
// fileStats and end with groupReads.
const (
	mainBlock  = "Bank"
	registers  = "registers"
	mainStats  = "regfile.bank"
	fileStats  = "regfile."
	groupReads = ".group_reads"
)

// RegisterFile returns the energy of a run's register accesses by part, in pJ. Banks, the PCRF, a scalar file and
// adders are charged as by the table of the whole GPU. Arrays near the operand inputs are charged by the caches of
// Gebhart's table 2, at the caches' distance: a straight line through the smallest and the largest of them by their
// number of entries. The number of entries is from the array's row of storage, for one set of ports. An array is
// charged if the statistics count its groups of lanes.
func RegisterFile(r *result.Result) map[string]float64 {
	all := OfGPU().Dynamic(r.Total.Stats)
	out := map[string]float64{MainFile: all["rf"], FileCache: 0, Pending: all["pcrf"], Scalars: all["scalars"],
		Adders: all["adders"]}
	g := OfGebhart()
	wire := g.CacheMM * g.Wire.Per128()
	for _, name := range slices.Sorted(maps.Keys(r.Total.Stats)) {
		of, is := strings.CutSuffix(name, groupReads)
		if !is || of == mainStats || !strings.HasPrefix(of, fileStats) {
			continue
		}
		reads, writes := r.Total.Stats[name], r.Total.Stats[of+".group_writes"]
		if reads+writes == 0 {
			continue
		}
		read, write := g.line(entries(r))
		out[FileCache] += float64(reads)*(read+wire) + float64(writes)*(write+wire)
	}
	return out
}

// entries returns the number of entries of one of the arrays of registers in front of the banks. Their row comes first
// after the banks' own.
func entries(r *result.Result) float64 {
	for _, s := range r.Storage {
		if s.Block != mainBlock && s.What == registers && s.Count > 0 && s.Width > 0 {
			return float64(s.Bits) / float64(s.Count) / float64(s.Width)
		}
	}
	return 0
}

// line returns the energies of an access of a cache with this many entries, in pJ: the straight line through the
// smallest and the largest cache.
func (g *Gebhart) line(entries float64) (read, write float64) {
	least, most := &g.Caches[0], &g.Caches[0]
	for i := range g.Caches {
		c := &g.Caches[i]
		if c.words() < least.words() {
			least = c
		}
		if c.words() > most.words() {
			most = c
		}
	}
	at := (entries - least.words()) / (most.words() - least.words())
	return least.Read + at*(most.Read-least.Read), least.Write + at*(most.Write-least.Write)
}

func (c *Cache) words() float64 { return float64(c.Entries * c.Active) }
