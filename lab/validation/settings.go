package validation

import "fmt"

// change holds Kumiko's counterparts of GPGPU-Sim's settings.
type change map[string][]string // by variant: --set key=value

// changes holds Kumiko's settings by configuration. Variants without a counterpart in Kumiko are absent.
var changes = map[string]change{
	"gtx480": {
		"sched_lrr":      {`sched.policy="lrr"`},
		"banks_4":        {"regfile.conventional.banks=4"},
		"banks_8":        {"regfile.conventional.banks=8"},
		"banks_32":       {"regfile.conventional.banks=32"},
		"cu_mem_1":       {collectors480(12, 2)},
		"cu_mem_4":       {collectors480(12, 8)},
		"cu_sp_3":        {collectors480(6, 4)},
		"cu_sp_12":       {collectors480(24, 4)},
		"dram_fifo":      {`mem.dram.scheduler="fcfs"`},
		"dram_half":      {"mem.dram.clock_mhz=462"},
		"icache_perfect": {"sm.fetch.icache.perfect=true"},
		"l1d_8k":         {"mem.l1.tags.ways=2"},
		"l1d_32k":        {"mem.l1.tags.ways=8"},
		"l1d_48k":        {"mem.l1.tags.ways=12"},
		"l1d_off":        {"mem.l1.cache_global=false"},
		"l2_half":        {"mem.l2.tags.ways=4"},
		"mshr_8":         {"mem.l1.mshr.entries=8"},
		"noise_rop119":   {"mem.l2.latency=119"},
		"noise_rop121":   {"mem.l2.latency=121"},
		"smem_52":        {"mem.shared.latency=48"}, // less 4, as in the GPU's file
		"sms_8":          {"sm.count=8"},
		"sms_30":         {"sm.count=30"},
		"threads_768":    {"sm.threads=768"},
	},
	"gtx980": {
		"sched_lrr": {`sched.policy="lrr"`},
		"banks_4":   {"regfile.conventional.banks=4"},
		"banks_8":   {"regfile.conventional.banks=8"},
		"banks_32":  {"regfile.conventional.banks=32"},
		"cu_gen_4":  {"regfile.conventional.collectors=4"}, // a half, as 1 per sub-core is of 2
		"cu_gen_16": {"regfile.conventional.collectors=16"},
		"dram_fifo": {`mem.dram.scheduler="fcfs"`},
		"dram_half": {"mem.dram.clock_mhz=876"},
		// 4 KB
		"icache_real": {"sm.fetch.icache.perfect=false", "sm.fetch.icache.tags.sets=8", "sm.fetch.icache.tags.ways=4",
			"sm.fetch.icache.tags.line_bytes=128"},
		"l1d_8k":       {"mem.l1.tags.ways=16"},
		"l1d_32k":      {"mem.l1.tags.ways=64"},
		"l1d_off":      {"mem.l1.cache_global=false"},
		"l2_half":      {"mem.l2.tags.ways=8"},
		"mshr_8":       {"mem.l1.mshr.entries=8"},
		"smem_48":      {"mem.shared.latency=42"}, // less 6, as in the GPU's file
		"threads_1024": {"sm.threads=1024"},
	},
}

func collectors480(sp, mem int) string {
	return fmt.Sprintf(`regfile.conventional.collector_sets=[{units=["sp"], count=%d}, {units=["sfu"], count=8}, {units=["lsu"], count=%d}]`, sp, mem)
}

// Settings returns Kumiko's settings for an entry's variant, and false if there are none.
func Settings(e *Entry) ([]string, bool) {
	if e.Variant == baseVariant {
		return nil, true
	}
	s, ok := changes[e.Config][e.Variant]
	return s, ok
}
