package cli

// glossaryHead and glossaryDerived are the parts of docs/statistics.md that do
// not follow from the registry.
const glossaryHead = `# Statistics

What the keys of a result (` + "`kumiko run --json`" + `) mean. This file is generated: ` + "`go generate ./internal/cli`" + `.

## Time and instructions

| key | formula |
|---|---|
| ` + "`cycles`" + ` | core cycles from the launch to the cycle in which the dispatcher learns that the last CTA has retired |
| ` + "`warp_instructions`" + ` | warp instructions issued = ` + "`sm.warp_instructions`" + ` |
| ` + "`thread_instructions`" + ` | lanes whose guard is true, summed over the warp instructions issued = ` + "`sm.thread_instructions`" + ` |
| ` + "`ipc`" + ` | thread_instructions / cycles, over the whole GPU |
| ` + "`ipc_steady`" + ` | sum over the SMs of (thread instructions from a to b) / (b - a). a: the cycle in which the SM first holds as many CTAs as it ever does in the launch; b: the last cycle in which it does. Before a the SM fills, after b it drains. An SM with b = a is left out; null when all are |
| ` + "`ctas_resident_max`" + ` | most CTAs that one SM held at once, active and pending together |

## Issue slots

Every cycle, each scheduler has issue_width slots. A slot that is not used has one reason: that of the warp which is nearest to
issuing. The reasons, in the fixed order in which they are looked for, the nearest first:

`

const glossaryDerived = `
| derived | formula |
|---|---|
| sum of ` + "`issue_slots`" + ` | cycles x SMs x schedulers x issue_width, checked for each SM at the end of every launch; a run in which it does not hold fails |
| ` + "`cpi_stack`" + ` | issue slots by reason / warp_instructions, of an SM or of the launch; its sum is cycles x SMs x schedulers x issue_width / warp_instructions |
| ` + "`warp_states`" + ` | warp-cycles by state: each resident warp is in one state as of the end of each cycle. ` + "`ready`" + `: its next instruction could issue, whether it was chosen or not; the others as the reasons above, of the warp itself |
| idle and stall cycles of an SM | ` + "`sm.idle_cycles` and `sm.stall_cycles`" + `: cycles in which no scheduler of the SM issued. Stall: some scheduler had a warp whose next instruction passed the scoreboard, and collectors, room for a notice, or a gate kept it; idle: none had, or such warps were not among those of which the scheduler chooses. These are GPGPU-Sim's counters as Register Sharing (section 7) reports them, for the SM as a whole; issue slots are by scheduler. With one scheduler of width 1, stall cycles = slots lost to ` + "`regfile_full`" + ` and the gates, and idle cycles = all other lost slots |
| mean resident warps per SM | ` + "`sm.residency.warp_cycles`" + ` / (cycles x SMs) |

## Register file

| term | formula |
|---|---|
| conflict cycle of a bank | a cycle that one request spends waiting at the arbiter because its bank is taken: by another request, by an access that occupies a blocking bank, or by a bank that cannot get rid of its values. Two requests that wait for a bank for one cycle are two conflict cycles |
| conflict cycle of a crossbar | a cycle that the value at the head of an input waits because its output, its input or the whole width is taken |
| mean queue of a bank (` + "`blocks.banks[].queued`" + `) | (read + write conflict cycles of the bank) / cycles: the time that requests spend in a queue, summed, is the sum over time of their number (Little's law) |
| mean queue of a crossbar (` + "`blocks.crossbars[].queued`" + `) | conflict cycles of the crossbar / cycles: the mean number of values at the heads of its inputs that wait for a path |
| ` + "`blocks.crossbars[]`" + ` in a butterfly | its routers: ` + "`transfers`" + ` are the values that a router hands to collectors, ` + "`hops`" + ` those that it sends on to another router |
| operand latency of an instruction | from the cycle in which a collector is allocated to it to the cycle in which its last operand is there; instructions without register sources have none |
| mean operand latency | ` + "`regfile.collector.operand_latency`" + ` / the count of the distribution of the same name |
| ` + "`distributions`" + ` | how many values lie within from and to, both included; 0 to 15 have a bucket each, then come 16 to 31, 32 to 63 and so on; to is 0 in the last bucket, which has no upper end |
| allocated registers over time | warp registers of the resident CTAs: registers_per_thread x the CTA's warps, from the CTA's admission until it retires, also of warps that have ended. Mean per SM: ` + "`sm.residency.registers_allocated`" + ` / (cycles x SMs). Rounding by the occupancy rule is not included, nor is what a design shares between CTAs |
| live registers over time | a register is live before an instruction when some path from there reads the value that it has (static liveness of the allocated kernel; ` + "`kumiko inspect PROGRAM --liveness`" + `). A warp's live registers are those before its next instruction, from the issue of the one before it (or the CTA's admission) to its issue; behind the last one there are none. Mean per SM: ` + "`sm.residency.registers_live`" + ` / (cycles x SMs), with ` + "`account.live_registers=true`" + `. What the lanes of a diverged warp that wait on another path will need is not included, nor are destinations of operations under way. Lane by lane, each before the next instruction that it executes: ` + "`sm.residency.lane_registers_live`" + ` / 32, of warp registers |
| live part of the allocated registers | ` + "`sm.residency.registers_live`" + ` / ` + "`sm.residency.registers_allocated`" + ` |

## Memory

| term | formula |
|---|---|
| hit rate of a cache, by cause | hits / accesses |
| miss rate | misses / accesses; a miss asks the next level. The rest, ` + "`hits_on_miss`" + `, joined a miss that was under way |
| mean latency of a load | ` + "`sm.lsu.load_latency`" + ` / ` + "`sm.lsu.loads`" + `, from the load/store unit to the data |
| lines outstanding, mean | ` + "`mem.l1.mshr_occupancy`" + ` / (cycles x SMs) |
| traffic by cause | ` + "`bytes_in`, `bytes_out`" + ` of each level; causes are named in the statistics |

## Counters

Each is the sum over the blocks of its kind and over the machine. Values are those of the launch, or of the run.
`
