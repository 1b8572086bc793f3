// Package fold propagates copies and constants into their uses, simplifies the results, and fuses operations.
//
// It works on registers in static single assignment: with one unguarded write, dominating every read. Registers
// with several writes are left alone.
//
// Parameters, launch constants and other constants cost no register where the hardware can read them as an operand:
// in one operand of an instruction, and only in the slots listed in slots. Zero is a register of its own (RZ) and
// goes anywhere.
package fold
