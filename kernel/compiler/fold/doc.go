// Package fold propagates copies and constants into the instructions that use
// them, simplifies what that makes trivial, and fuses operations.
//
// It works on registers in static single assignment: those with one unguarded
// write that dominates every read. What has several writes is left alone.
//
// Parameters, launch constants and constants cost no register where the
// hardware can read them as an operand: in one operand of an instruction, and
// only at the places that Slots lists. Zero is a register of its own (RZ) and
// goes anywhere.
package fold
