// Package softfloat is IEEE 754 binary arithmetic in software: every result is the exact one, rounded once, in any
// rounding direction and to any format of the PTX ISA. It serves the operations without an instruction on the host:
// directed rounding, half precision.
//
// An operation unpacks its operands, computes a result, exact except for a sticky last bit, and rounds the result
// to a format.
package softfloat
