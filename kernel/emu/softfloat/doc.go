// Package softfloat is IEEE 754 binary arithmetic in software: every result is
// the exact one rounded once, in any rounding direction and to any of the
// formats that the PTX ISA has. It serves the operations for which the host's
// arithmetic has no instruction: directed rounding, half precision.
//
// An operation unpacks its operands, computes a result that is exact but for a
// sticky last bit, and rounds that to a format.
package softfloat
