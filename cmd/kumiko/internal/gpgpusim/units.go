package gpgpusim

import (
	"fmt"
	"strings"
)

// leastLatency is the least latency of a unit here: the way through writeback, and the announcement of results.
const leastLatency = 4

// pair is the latency and the initiation interval of a timing class.
type pair struct {
	latency, initiation int
	source              string
}

// units converts the execution units and their latencies.
func (g *GPU) units() {
	integer, double := g.unit("int", "gpgpu_num_int_units"), g.unit("dp", "gpgpu_num_dp_units")
	sp := []string{
		"move",
		"convert",
		"fadd",
		"fmul",
		"fma",
		"half",
		"vote",
		"shuffle",
		"branch",
		"special",
		"convert_wide",
	}
	ints, doubles := []string{"int", "int_mul", "shift", "compare", "bits"}, []string{"dadd", "dmul", "dfma"}
	sfu := []string{"sfu", "fdiv", "int_div", "ddiv"}
	intUnit, dpUnit := "int", "dp"
	spSource, sfuSource := "GPGPU-Sim: integers have units of their own", "GPGPU-Sim: divisions run here"
	if !integer {
		sp, intUnit, spSource = append(sp, ints...), "sp", "GPGPU-Sim: no integer units, so integers run here"
	}
	if !double {
		sfu, dpUnit, sfuSource = append(
			sfu,
			doubles...), "sfu", "GPGPU-Sim: divisions, and without units of their own doubles"
	}
	g.unit("sp", "gpgpu_num_sp_units")
	g.unit("sfu", "gpgpu_num_sfu_units")
	g.put("sm.units.sp.classes", sp, spSource)
	g.put("sm.units.sfu.classes", sfu, sfuSource)
	g.timing(
		"int",
		5,
		[]class{{intUnit, "int", 0}, {intUnit, "int_mul", 3}, {"sfu", "int_div", 4}, {"sp", "shuffle", 5}},
	)
	g.timing("fp", 5, []class{{"sp", "fadd", 0}, {"sp", "fmul", 2}, {"sp", "fma", 3}, {"sfu", "fdiv", 4}})
	g.timing("dp", 5, []class{{dpUnit, "dadd", 0}, {dpUnit, "dmul", 2}, {dpUnit, "dfma", 3}, {"sfu", "ddiv", 4}})
	g.timing("sfu", 1, []class{{"sfu", "sfu", 0}})
	g.defaults(integer, double, ints, doubles)
	if widths, ok := g.ints("gpgpu_pipeline_widths", ",", 7); ok {
		writeback := 6 // older configurations have SP, SFU and MEM alone
		if len(widths) > 10 {
			writeback = 10
		}
		ports, source := widths[writeback], g.source("gpgpu_pipeline_widths", "EX_WB")
		if schedulers, _ := g.number("sm.schedulers"); g.subCore && schedulers > 0 {
			ports, source = max(1, ports/schedulers), source+", for each scheduler"
		}
		g.put("sm.writeback_ports", ports, source)
	}
	for _, name := range []string{"gpgpu_tensor_core_avail", "gpgpu_num_tensor_core_units", "ptx_opcode_latency_tesnor",
		"ptx_opcode_latency_tensor", "ptx_opcode_initiation_tensor", "trace_opcode_latency_initiation_tensor"} {
		g.leave(name, "the machine has no tensor cores, and refuses mma and wmma")
	}
}

// unit converts the number of units of a kind, and reports whether there are any.
func (g *GPU) unit(kind, option string) bool {
	n, ok := g.int(option)
	if !ok || n == 0 {
		return false
	}
	key := "sm.units." + kind
	g.put(key+".count", n, g.source(option))
	g.put(key+".shared", !g.subCore, "GPGPU-Sim: units belong to a scheduler in the sub-core model alone")
	return true
}

// class is a timing class on a unit, by its place in a list of latencies: add, max, mul, mad, div and shuffle.
type class struct {
	unit, name string
	place      int
}

// timing converts the latencies and initiation intervals of classes. A trace configuration has one pair for all of a
// unit, except for divisions, whose instructions a trace spells out.
func (g *GPU) timing(kind string, least int, classes []class) {
	latencies, ok := g.ints("ptx_opcode_latency_"+kind, ",", least)
	initiations, both := g.ints("ptx_opcode_initiation_"+kind, ",", least)
	traced, isTraced := g.traced(kind)
	for _, c := range classes {
		p := traced
		if !isTraced || c.place >= 4 {
			if !ok || !both || c.place >= len(latencies) || c.place >= len(initiations) {
				continue
			}
			p = pair{
				latencies[c.place],
				initiations[c.place],
				fmt.Sprintf("-ptx_opcode_latency_%s, -ptx_opcode_initiation_%s",
					kind, kind),
			}
		}
		if p.latency < leastLatency {
			p.source += fmt.Sprintf(": %d, here %d at least", p.latency, leastLatency)
		}
		g.put(
			"sm.units."+c.unit+".class."+c.name,
			[]int{max(p.latency, leastLatency), max(p.initiation, 1)},
			p.source,
		)
	}
}

// traced returns the timing of a unit by a trace configuration.
func (g *GPU) traced(kind string) (pair, bool) {
	if kind == "fp" {
		kind = "sp"
	}
	name := "trace_opcode_latency_initiation_" + kind
	n, ok := g.ints(name, ",", 2)
	if !ok {
		return pair{}, false
	}
	return pair{n[0], n[1], g.source(name)}, true
}

// defaults sets the timing of classes without a latency of their own, as that of the unit's main class.
func (g *GPU) defaults(integer, double bool, ints, doubles []string) {
	for _, u := range []struct {
		unit, like string
		there      bool
		classes    []string
	}{{"int", "int", integer, ints}, {"dp", "dfma", double, doubles}} {
		if !u.there {
			continue
		}
		g.put("sm.units."+u.unit+".classes", u.classes, "GPGPU-Sim")
		latency, initiation, source := leastLatency, 1, "rationale: the least"
		for _, s := range g.settings {
			if s.key == "sm.units."+u.unit+".class."+u.like {
				fmt.Sscanf(s.value, "[%d, %d]", &latency, &initiation)
				source = "as its class " + u.like
			}
		}
		g.put("sm.units."+u.unit+".latency", latency, source)
		g.put("sm.units."+u.unit+".initiation", initiation, source)
	}
}

// registers converts the register file and its operand collectors. GPGPU-Sim's collectors hold an instruction for a
// half (of units shared by all schedulers) or a quarter (of sub-cores) of the cycles for which collectors here hold it,
// because a stage takes a cycle here (measured in gpus/config/gpgpusim-gtx480.toml and gpgpusim-gtx980.toml). For the
// same throughput their number is therefore doubled or quadrupled.
func (g *GPU) registers() {
	const file = "regfile.conventional."
	g.copy(file+"banks", "gpgpu_num_reg_banks")
	ports := map[string]any{"1": "1rw", "2": "2rw"}
	g.choose(file+"bank_ports", "gpgpu_reg_file_port_throughput", ports)
	if n, ok := g.int("gpgpu_reg_file_port_throughput"); ok {
		g.put(
			file+"crossbar_output",
			n,
			g.source("gpgpu_reg_file_port_throughput", "collectors take an operand in each step"),
		)
	}
	if general, ok := g.int("gpgpu_operand_collector_num_units_gen"); ok && general > 0 {
		schedulers, _ := g.number("sm.schedulers")
		each := general
		if g.subCore {
			each = max(1, general/max(schedulers, 1))
		}
		g.put(file+"collectors", 4*each, g.source("gpgpu_operand_collector_num_units_gen", "four for one of theirs"))
		g.put(file+"collector_sets", []int{}, "none beside the general ones")
		return
	}
	g.collectorSets(file + "collector_sets")
}

// collectorSets converts collectors that are reserved for kinds of units. Units without collectors of their own have
// those of the SP units.
func (g *GPU) collectorSets(key string) {
	sp, sets := []string{"sp"}, ""
	for _, s := range []struct {
		unit, option string
		usual, times int
	}{{"int", "int", 0, 2}, {"dp", "dp", 0, 2}, {"sfu", "sfu", 4, 1}, {"lsu", "mem", 2, 2}, {"sp", "sp", 4, 2}} {
		n, ok := g.int("gpgpu_operand_collector_num_units_" + s.option)
		if !ok {
			n = s.usual
		}
		_, there := g.number("sm.units." + s.unit + ".count")
		switch {
		case s.unit == "sp":
			sets = fmt.Sprintf("{units = [%s], count = %d}", strings.Join(quoted(sp), ", "), s.times*max(n, 1)) + sets
		case s.usual == 0 && !there: // no such units
		case n == 0:
			sp = append(sp, s.unit)
		default:
			sets += fmt.Sprintf(", {units = [%q], count = %d}", s.unit, s.times*n)
		}
	}
	g.settings = append(g.settings, setting{key, "[" + sets + "]",
		"-gpgpu_operand_collector_num_units_sp and the like, two for one of theirs, but one of sfu"})
}
