package gpgpusim

import (
	"fmt"
	"strings"
)

// mostInQueue is the most of mem.dram.queue: the scheduler looks for a request in one word of bits.
const mostInQueue = 64

// memory converts the network, the partitions of the L2 and the DRAM.
func (g *GPU) memory() {
	if n, ok := g.int("gpgpu_n_mem"); ok {
		source := g.source("gpgpu_n_mem")
		g.put("mem.dram.channels", n, source)
		if each, ok := g.int("gpgpu_n_sub_partition_per_mchannel"); ok {
			n, source = n*each, source+" of "+g.source("gpgpu_n_sub_partition_per_mchannel")
		}
		g.put("mem.l2.slices", n, source)
	}
	g.copy("mem.noc.flit_bytes", "icnt_flit_size")
	g.copy("mem.l2.latency", "gpgpu_l2_rop_latency")
	g.copy("mem.l2.latency", "rop_latency")
	g.copy("mem.dram.latency", "dram_latency")
	if n, ok := g.ints("gpgpu_dram_partition_queues", ":", 1); ok {
		g.put("mem.l2.queue", n[0], g.source("gpgpu_dram_partition_queues", "from the network to the L2"))
	}
	g.interleave()
	g.addresses()
	g.bus()
	g.copyUpTo(mostInQueue, "mem.dram.queue", "gpgpu_frfcfs_dram_sched_queue_size",
		fmt.Sprintf("the scheduler chooses from %d requests at most; further ones wait before it, in order",
			mostInQueue))
	if n, ok := g.number("mem.dram.queue"); ok {
		g.put("mem.dram.write_high", max(n/2, 1), "rationale: half of the queue")
		g.put("mem.dram.write_low", n/8, "rationale: an eighth of the queue")
	}
	g.copy("mem.dram.return_queue", "gpgpu_dram_return_queue_size")
	g.choose("mem.dram.scheduler", "gpgpu_dram_scheduler", map[string]any{"0": "fcfs", "1": "frfcfs"})
	g.timings()
}

// interleave converts the function from an address to a slice. Hashes of bits need a power of two of slices.
func (g *GPU) interleave() {
	const name = "gpgpu_memory_partition_indexing"
	g.choose("mem.map.interleave", name, map[string]any{"0": "linear", "1": "xor", "2": "ipoly", "4": "random"})
	slices, _ := g.number("mem.l2.slices")
	if o, ok := g.options[name]; ok && slices&(slices-1) != 0 && (o.Value == "1" || o.Value == "2") {
		g.put(
			"mem.map.interleave",
			"random",
			g.source(name, fmt.Sprintf("for a power of two of slices alone, not for %d",
				slices)),
		)
	}
}

// bus converts a channel's data bus.
func (g *GPU) bus() {
	width, ok := g.int("gpgpu_dram_buswidth")
	if chips, both := g.int("gpgpu_n_mem_per_ctrlr"); ok && both {
		g.put(
			"mem.dram.bus_bytes",
			width*chips,
			g.source("gpgpu_dram_buswidth")+" of "+g.source("gpgpu_n_mem_per_ctrlr"),
		)
	}
	g.copy("mem.dram.burst", "gpgpu_dram_burst_length")
	g.copy("mem.dram.transfers_per_clock", "dram_data_command_freq_ratio")
}

// addresses converts the map of addresses: dramid@8 begins the number of the channel at bit 8, and the bits named C and
// S are those of a row.
func (g *GPU) addresses() {
	o, ok := g.option("gpgpu_mem_addr_mapping")
	if !ok {
		return
	}
	head, mask, ok := strings.Cut(o.Value, ";")
	var bit int
	if _, err := fmt.Sscanf(head, "dramid@%d", &bit); err != nil || !ok || bit < 5 || bit > 20 {
		g.leave(o.Name, "the file keeps the map of "+g.Base)
		return
	}
	g.put("mem.map.interleave_bytes", 1<<bit, g.source(o.Name, "the channel's bits begin there"))
	if n := strings.Count(mask, "C") + strings.Count(mask, "S"); n >= 8 && n <= 16 {
		g.put("mem.dram.row_bytes", 1<<n, g.source(o.Name, "bits C and S"))
	}
	g.left = append(g.left, leftOut{*o, "a row's bits lie together: stripes of stripe_bytes go from bank to bank"})
}

// times are the times of the DRAM in the order of GPGPU-Sim's option, with the parameters that have them here.
var times = []struct{ name, key string }{{"nbk", "banks"}, {"CCD", "tccd"}, {"RRD", "trrd"}, {"RCD", "trcd"},
	{"RAS", "tras"}, {"RP", "trp"}, {"RC", "trc"}, {"CL", "tcl"}, {"WL", "twl"}, {"CDLR", "tcdlr"}, {"WR", "twr"},
	{"nbkgrp", "bank_groups"}, {"CCDL", "tccdl"}, {"RTPL", "trtp"}}

// timings converts the timing of the DRAM, which is a list of numbers, or of names with numbers.
func (g *GPU) timings() {
	const name = "gpgpu_dram_timing_opt"
	o, ok := g.option(name)
	if !ok {
		return
	}
	for i, part := range strings.Split(o.Value, ":") {
		word, text, named := strings.Cut(part, "=")
		if !named {
			if word, text = "", part; i < len(times) {
				word = times[i].name
			}
		}
		var n int
		if _, err := fmt.Sscan(text, &n); err != nil {
			g.fail(o, "times as nbk=16:CCD=2:RRD=6")
			return
		}
		for _, x := range times {
			if x.name == word && n > 0 {
				g.put("mem.dram."+x.key, n, "-"+name+" "+word)
			}
		}
	}
	if groups, ok := g.number("mem.dram.bank_groups"); ok && groups == 1 {
		if n, ok := g.number("mem.dram.tccd"); ok {
			g.put("mem.dram.tccdl", n, "as tccd: there are no bank groups")
		}
	}
	g.put("mem.dram.refresh", false, "GPGPU-Sim has none")
}

// silent are options without influence on the cycles of one kernel after the other.
var silent = []string{
	"gpgpu_ptx_",
	"gpgpu_stack_size_limit",
	"gpgpu_heap_size_limit",
	"gpgpu_runtime_",
	"visualizer_",
	"power_",
	"gpuwattch",
	"accelwattch",
	"steady_",
	"trace_enabled",
	"trace_components",
	"trace_sampling",
	"enable_ptx",
	"gpgpu_memlatency_stat",
	"gpgpu_occupancy_sm_number",
	"gpgpu_deadlock",
	"liveness",
	"gpgpu_cflog",
	"save_embedded",
	"keep",
	"gpgpu_experimental",
	"dvfs",
	"aggregate_power",
	"hw_perf",
	"gpgpu_clock_gated",
	"n_regfile_gating",
	"gpgpu_simd_model",
	"gpgpu_shmem_sizeDefault",
	"gpgpu_registers_per_block",
	"gpgpu_dram_sched",
	"tracer",
	"gpgpu_perf_sim_memcpy",
	"gpgpu_max_concurrent_kernel",
	"gpgpu_concurrent_kernel_sm",
	"gpgpu_stat",
}

// without says what changes where an option is left out, by the beginning of its name.
var without = []struct{ prefix, changes string }{
	{"gpgpu_kernel_launch_latency", "launches follow each other at once: cycles between kernels are not counted"},
	{"gpgpu_TB_launch_latency", "an SM gets a CTA in the cycle in which it has room, and its warps a cycle later"},
	{"network_mode", "the network is a crossbar with one link for each SM and slice"},
	{"inter_config_file", "the network is a crossbar with one link for each SM and slice"},
	{"icnt_", "the network is a crossbar with queues of mem.noc.buffer"},
	{
		"gpgpu_flush_l1_cache",
		"the L1 keeps its lines between launches; cache.flush_between_launches empties all caches",
	},
	{
		"gpgpu_flush_l2_cache",
		"the L2 keeps its lines between launches; cache.flush_between_launches empties all caches",
	},
	{"gpgpu_n_cluster_ejection_buffer_size", "an SM takes replies as they come"},
	{"gpgpu_operand_collector_num_in_ports", "collectors take an instruction for each scheduler and cycle"},
	{"gpgpu_operand_collector_num_out_ports", "collectors give an operation to each unit and cycle"},
	{"gpgpu_operand_collector_num_units", "there are no such units"},
	{"gpgpu_enable_specialized_operand_collector", "the file has the collectors that the numbers say"},
	{"gpgpu_const_cache:l1", "constants always hit"},
	{"gpgpu_cache:dl2_texture_only", "the L2 holds all data"},
	{"gpgpu_cache:dl1Pref", "the L1 has the size of gpgpu_cache:dl1"},
	{"gpgpu_shmem_size_Pref", "shared memory has the size of gpgpu_shmem_size"},
	{"gpgpu_shmem_limited_broadcast", "every word of shared memory is broadcast to all lanes that read it"},
	{"gpgpu_shmem_warp_parts", "the lanes of a whole warp are served together"},
	{"gpgpu_l1_cache_write_ratio", "stores go through the L1"},
	{"gpgpu_mem_address_mask", "the file keeps its own map of addresses"},
	{"dram_bnk_indexing_policy", "the bank is combined with the row by exclusive or (mem.dram.bank_hash)"},
	{"dram_bnkgrp_indexing_policy", "neighbouring banks are in different groups"},
	{"dram_dual_bus_interface", "a channel issues one command in a cycle"},
	{"dram_seperate_write_queue", "reads and writes share the queue, from which writes are drained together"},
	{"dram_write_queue_size", "reads and writes share the queue, from which writes are drained together"},
	{"gpgpu_ignore_resources_limitation", "registers, threads and shared memory bound the CTAs of an SM"},
	{"specialized_unit", "their instructions run on the units of their class"},
	{"gpgpu_num_mem_units", "an SM has one load/store unit"},
	{"gpgpu_local_mem_map", "local memory of the lanes of a warp is interleaved"},
}

// rest sorts the options without a place.
func (g *GPU) rest() {
	for i := range g.order {
		o := &g.order[i]
		if g.used[o.Name] || g.options[o.Name] != o || begins(o.Name, silent) {
			continue
		}
		known := false
		for _, w := range without {
			if strings.HasPrefix(o.Name, w.prefix) {
				g.leave(o.Name, w.changes)
				known = true
				break
			}
		}
		if !known {
			g.unknown = append(g.unknown, *o)
		}
	}
}

func begins(name string, prefixes []string) bool {
	for _, p := range prefixes {
		if strings.HasPrefix(name, p) {
			return true
		}
	}
	return false
}
