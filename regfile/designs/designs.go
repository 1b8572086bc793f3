// Package designs links every register-file design into the program: one line
// each.
package designs

import (
	_ "kumiko/regfile/bow"          // banks behind operand collectors, with windows of the last registers
	_ "kumiko/regfile/cerf"         // a cache of registers and lines in place of banks
	_ "kumiko/regfile/compressed"   // banks with registers compressed by their values
	_ "kumiko/regfile/conventional" // banks behind operand collectors
	_ "kumiko/regfile/finereg"      // the same, with a part for the live registers of waiting CTAs
	_ "kumiko/regfile/ltrf"         // the same, with a prefetched cache
	_ "kumiko/regfile/malekeh"      // the same, with collectors that cache registers of their warps
	_ "kumiko/regfile/maxwell"      // the banks, stages and reuse cache of a real Maxwell
	_ "kumiko/regfile/reg-dram"     // the same, with CTAs that have their registers in the DRAM
	_ "kumiko/regfile/regmutex"     // the same, with sections shared by warps
	_ "kumiko/regfile/regpool"      // the same, with registers that warps give up and gain while they run
	_ "kumiko/regfile/rfc"          // the same, with a cache before the banks
	_ "kumiko/regfile/scalar"       // the same, with a scalar file for equal and affine values
	_ "kumiko/regfile/sharing"      // the same, with CTAs sharing registers in pairs
	_ "kumiko/regfile/shrf"         // the same, with a compiler-managed upper level
	_ "kumiko/regfile/turing"       // the banks of Turing and Ampere, with read ports reserved ahead
)
