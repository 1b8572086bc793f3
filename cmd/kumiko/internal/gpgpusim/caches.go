package gpgpusim

import (
	"fmt"
	"strconv"
	"strings"
)

// A cache is the value of a cache's option:
// <sector>:<sets>:<line>:<ways>,<replacement>:<write>:<allocate>:<write allocate>:<index>,<mshr>:<entries>:<merges>,
// <miss queue>:<result queue>,<data port>. Older configurations have no sector and no index.
type cache struct {
	sectored         bool
	sets, line, ways int
	replacement      string
	write, allocate  string
	index            string
	entries, merges  int
	queue, port      int // port 0: not given
}

var (
	replacements = map[string]string{"L": "lru", "F": "fifo"}
	writes       = map[string]string{"B": "back", "T": "through", "E": "evict", "L": "evict", "R": "evict"}
	allocations  = map[string]string{"m": "on_miss", "f": "on_fill", "s": "on_fill"}
	indexes      = map[string]string{"L": "linear", "H": "xor", "X": "xor", "P": "ipoly"}
)

// cacheForm is the expected form of a cache's option.
const cacheForm = "a cache as N:32:128:4,L:L:m:N:H,S:64:8,8"

// cache reads the option of a cache. It returns false if there is none.
func (g *GPU) cache(name string) (c cache, ok bool) {
	o, ok := g.option(name)
	if !ok {
		return c, false
	}
	if o.Value == "none" {
		g.leave(name, "the GPU has no such cache; here it stays as in "+g.Base)
		return c, false
	}
	parts := strings.Split(o.Value, ",")
	if len(parts) < 4 {
		g.fail(o, cacheForm)
		return c, false
	}
	size, policy, mshr := strings.Split(parts[0], ":"), strings.Split(parts[1], ":"), strings.Split(parts[2], ":")
	if len(size) == 3 {
		size = append([]string{"N"}, size...)
	}
	if len(policy) == 4 {
		policy = append(policy, "L")
	}
	if len(size) != 4 || len(policy) != 5 || len(mshr) != 3 {
		g.fail(o, cacheForm)
		return c, false
	}
	c.sectored = size[0] == "S"
	ok = true
	number := func(s string) int {
		n, err := strconv.Atoi(strings.TrimSpace(s))
		ok = ok && err == nil && n >= 0
		return n
	}
	word := func(words map[string]string, s string) string {
		w, is := words[s]
		ok = ok && is
		return w
	}
	c.sets, c.line, c.ways = number(size[1]), number(size[2]), number(size[3])
	c.replacement, c.write = word(replacements, policy[0]), word(writes, policy[1])
	c.allocate = word(allocations, policy[2])
	c.index = word(indexes, policy[4])
	c.entries, c.merges = number(mshr[1]), number(mshr[2])
	queue, _, _ := strings.Cut(parts[3], ":")
	c.queue = number(queue)
	if len(parts) > 4 {
		c.port = number(parts[4])
	}
	if !ok {
		g.fail(o, cacheForm)
	}
	return c, ok
}

// tags puts the tag array of a cache.
func (g *GPU) tags(key, option string, c *cache) {
	source := g.source(option)
	sector := c.line
	if c.sectored {
		sector = 32
	}
	g.put(key+".sets", c.sets, source)
	g.put(key+".ways", c.ways, source)
	g.put(key+".line_bytes", c.line, source)
	g.put(key+".sector_bytes", sector, source)
	g.put(key+".replacement", c.replacement, source)
	g.put(key+".index", c.index, source)
}

// caches converts the caches of an SM, and the slices of the L2.
func (g *GPU) caches() {
	c, ok := g.cache("gpgpu_cache:dl1")
	if ok {
		g.firstLevel("mem.l1", "gpgpu_cache:dl1", &c)
		if banks, ok := g.int("gpgpu_l1_banks"); ok && c.sectored {
			g.put("mem.l1.banks", max(banks, 1), g.source("gpgpu_l1_banks"))
			g.put("mem.l1.port_bytes", 32*max(banks, 1), "a sector of each bank")
		} else {
			g.put("mem.l1.banks", 1, "one bank, a line wide")
			g.put("mem.l1.port_bytes", c.line, "one bank, a line wide")
		}
	}
	g.choose("mem.l1.cache_global", "gpgpu_gmem_skip_L1D", map[string]any{"0": true, "1": false})
	g.choose("mem.l1.cache_global", "gmem_skip_L1D", map[string]any{"0": true, "1": false})
	g.latencies()
	if c, ok := g.cache("gpgpu_tex_cache:l1"); ok {
		g.firstLevel("mem.texture", "gpgpu_tex_cache:l1", &c)
	}
	if c, ok := g.cache("gpgpu_cache:il1"); ok {
		g.tags("sm.fetch.icache.tags", "gpgpu_cache:il1", &c)
	}
	if c, ok := g.cache("gpgpu_cache:dl2"); ok {
		if c.line != 128 || !c.sectored {
			g.leave("gpgpu_cache:dl2", "lines of the L2 have 128 bytes in four sectors; its size and ways are kept")
			c.sets, c.line, c.sectored = max(c.sets*c.line/128, 1), 128, true
		}
		g.tags("mem.l2.tags", "gpgpu_cache:dl2", &c)
		source := g.source("gpgpu_cache:dl2")
		g.put("mem.l2.mshr.entries", c.entries, source)
		g.put("mem.l2.mshr.merges", c.merges, source)
		g.put("mem.l2.miss_queue", c.queue, source)
		if c.port > 0 {
			g.put("mem.l2.port_bytes", c.port, source)
		}
	}
}

// firstLevel puts what the L1 and the texture cache have in common.
func (g *GPU) firstLevel(key, option string, c *cache) {
	g.tags(key+".tags", option, c)
	source := g.source(option)
	g.put(key+".write", c.write, source)
	g.put(key+".allocate", c.allocate, source)
	g.put(key+".mshr.entries", c.entries, source)
	g.put(key+".mshr.merges", max(c.merges, 1), source)
	g.put(key+".miss_queue", c.queue, source)
}

// latencies converts the latencies of shared memory and of the L1. GPGPU-Sim counts them from the load/store unit to
// the register file; here they count from the access unit to the load/store unit. A hit in its L1 frees the register a
// cycle earlier than data from shared memory (gpus/config/gpgpusim-gtx480.toml, gpgpusim-gtx980.toml).
func (g *GPU) latencies() {
	outside := 4
	if g.subCore {
		outside = 6
	}
	for _, name := range []string{"gpgpu_smem_latency", "smem_latency"} {
		if n, ok := g.int(name); ok {
			source := g.source(name, fmt.Sprintf("less %d outside of the memory", outside))
			g.put("mem.shared.latency", max(n-outside, 1), source)
			g.put("mem.constant.latency", max(n-outside, 1), "as shared memory")
		}
	}
	if n, ok := g.int("gpgpu_l1_latency"); ok {
		source := g.source("gpgpu_l1_latency", fmt.Sprintf("less %d outside of the memory", outside+1))
		g.put("mem.l1.latency", max(n-outside-1, 1), source)
		g.put("mem.texture.latency", max(n-outside-1, 1), "as the L1")
		g.put(
			"mem.noc.latency",
			3+(n+1)/2,
			"a stage of 3 cycles, and half of the L1's latency, for which a miss waits too",
		)
	}
}

// onChip converts shared memory, and what it has in common with the L1.
func (g *GPU) onChip() {
	g.copy("sm.shared_bytes", "gpgpu_shmem_size")
	g.copy("sm.cta_shared_bytes", "gpgpu_shmem_per_block")
	g.copy("mem.shared.banks", "gpgpu_shmem_num_banks")
	if n, ok := g.int("gpgpu_coalesce_arch"); ok {
		segment := 32
		if n < 40 {
			segment = 128
		}
		g.put(
			"mem.coalescer.segment_bytes",
			segment,
			g.source("gpgpu_coalesce_arch", "sectors from 40 on, lines before"),
		)
	}
	adaptive, _ := g.int("gpgpu_adaptive_cache_config")
	sizes, ok := g.ints("gpgpu_shmem_option", ",", 1)
	pool, both := g.int("gpgpu_unified_l1d_size")
	if adaptive == 0 || !ok || !both {
		return
	}
	for i := range sizes {
		sizes[i] <<= 10
	}
	g.put("onchip.memory", "unified", g.source("gpgpu_adaptive_cache_config"))
	g.put("onchip.unified.holds", []string{"l1", "shared"}, "what GPGPU-Sim divides")
	g.put("onchip.unified.bytes", pool<<10, g.source("gpgpu_unified_l1d_size", "KB"))
	g.put("onchip.unified.shared_sizes", sizes, g.source("gpgpu_shmem_option", "KB"))
	g.put("onchip.unified.least_l1", max(pool<<10-sizes[len(sizes)-1], 4096), "what the largest shared memory leaves")
}
