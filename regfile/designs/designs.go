// Package designs links every register-file design into the program: one line
// each.
package designs

import (
	_ "kumiko/regfile/allocate"     // the banks of Turing and Ampere, whose read ports are reserved ahead
	_ "kumiko/regfile/bow"          // banks behind operand collectors, with windows of the last registers
	_ "kumiko/regfile/cerf"         // banks that are a cache of registers and lines
	_ "kumiko/regfile/conventional" // banks behind operand collectors
	_ "kumiko/regfile/finereg"      // the same, with a part for the live registers of CTAs that wait
	_ "kumiko/regfile/ltrf"         // the same, with a cache into which registers are prefetched
	_ "kumiko/regfile/maxwell"      // the banks, stages and reuse cache of a real Maxwell
	_ "kumiko/regfile/reg-dram"     // the same, with CTAs whose registers go to the DRAM
	_ "kumiko/regfile/regmutex"     // the same, with sections that warps share
	_ "kumiko/regfile/rfc"          // the same, with a cache before the banks
	_ "kumiko/regfile/sharing"      // the same, with CTAs that share registers in pairs
	_ "kumiko/regfile/shrf"         // the same, with an upper level that the compiler manages
)
