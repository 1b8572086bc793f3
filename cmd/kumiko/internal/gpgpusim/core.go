package gpgpusim

import (
	"fmt"
	"strings"

	"kumiko/gpus/config"
)

// core converts the sizes of the SM, its schedulers and its fetch stage.
func (g *GPU) core() {
	g.capability()
	if n, ok := g.int("gpgpu_n_clusters"); ok {
		source := g.source("gpgpu_n_clusters")
		if each, ok := g.int("gpgpu_n_cores_per_cluster"); ok {
			n, source = n*each, source+" of "+g.source("gpgpu_n_cores_per_cluster")
		}
		g.put("sm.count", n, source)
	}
	if clocks, ok := g.ints("gpgpu_clock_domains", ":", 4); ok {
		g.put("sm.clock_mhz", clocks[0], g.source("gpgpu_clock_domains", "the core's"))
		g.put("mem.dram.clock_mhz", clocks[3], g.source("gpgpu_clock_domains", "the DRAM's"))
		if clocks[1] != clocks[0] || clocks[2] != clocks[0] {
			g.leave("gpgpu_clock_domains", "network and L2 run at the core's clock")
		}
	}
	if n, ok := g.ints("gpgpu_shader_core_pipeline", ":", 2); ok && n[1] > 0 {
		source := g.source("gpgpu_shader_core_pipeline")
		g.put("sm.threads", n[0], source)
		g.put("sm.warps", n[0]/n[1], source)
		g.put("compiler.resident_warps", n[0]/n[1], "sm.warps")
	}
	g.copy("sm.ctas", "gpgpu_shader_cta")
	g.copy("compiler.resident_ctas", "gpgpu_shader_cta")
	g.copy("sm.registers", "gpgpu_shader_registers")
	g.copy("compiler.resident_registers", "gpgpu_shader_registers")
	g.copy("sm.schedulers", "gpgpu_num_sched_per_core")
	g.copy("sm.issue_width", "gpgpu_max_insn_issue_per_warp")
	if n, _ := g.number("sm.issue_width"); n > 1 {
		g.choose("sm.issue_different_units", "gpgpu_dual_issue_diff_exec_units", map[string]any{"0": false, "1": true})
	} else {
		g.option("gpgpu_dual_issue_diff_exec_units") // one instruction per cycle goes to one unit
		g.put("sm.issue_different_units", false, "one instruction per cycle")
	}
	g.scheduler()
	g.copy("sm.fetch.width", "gpgpu_inst_fetch_throughput")
	g.choose("sm.fetch.icache.perfect", "gpgpu_perfect_inst_const_cache", map[string]any{"0": false, "1": true})
}

// capability converts the compute capability, with the limits that follow from it.
func (g *GPU) capability() {
	major, ok := g.int("gpgpu_compute_capability_major")
	minor, _ := g.int("gpgpu_compute_capability_minor")
	source := "-gpgpu_compute_capability_major and _minor"
	if n, forced := g.int("gpgpu_ptx_force_max_capability"); !ok && forced {
		major, minor, ok, source = n/10, n%10, true, g.source("gpgpu_ptx_force_max_capability")
	}
	if !ok {
		return
	}
	if name := fmt.Sprintf("%d.%d", major, minor); config.KnownCapability(name) {
		g.put("capability", name, source)
	}
	most := 255
	if major < 3 {
		most = 63
	}
	g.put("sm.max_registers_per_thread", most, "CUDA programming guide, of that compute capability")
}

// scheduler converts the policy of the warp schedulers.
func (g *GPU) scheduler() {
	o, ok := g.option("gpgpu_scheduler")
	if !ok {
		return
	}
	name, rest, _ := strings.Cut(o.Value, ":")
	switch name {
	case "gto", "lrr":
		g.put("sched.policy", name, g.source("gpgpu_scheduler"))
	case "old":
		g.put("sched.policy", "oldest", g.source("gpgpu_scheduler"))
	case "two_level_active":
		g.put("sched.policy", "two-level", g.source("gpgpu_scheduler"))
		var active, inner, outer int
		if _, err := fmt.Sscanf(rest, "%d:%d:%d", &active, &inner, &outer); err != nil {
			g.fail(o, "two_level_active:ACTIVE:INNER:OUTER")
			return
		}
		schedulers, _ := g.number("sm.schedulers")
		g.put("sched.active", active*max(schedulers, 1), g.source("gpgpu_scheduler", "for each scheduler"))
		g.put("sched.inner", map[bool]string{true: "lrr", false: "gto"}[inner == 0], g.source("gpgpu_scheduler"))
	default:
		g.leave("gpgpu_scheduler", "there is no such policy; the file keeps the one of "+g.Base)
	}
}
