// Package ptx reads PTX text (PTX ISA 1.0 to 9.4) and produces ir.
//
// The steps are those of the data: scan.go makes tokens, parse*.go and expr.go
// make a syntax tree, version.go knows which versions and targets there are,
// layout.go gives module variables their addresses,
// row.go and the table_*.go files turn one instruction into ir by looking
// its opcode up in a table, emit.go walks the statements of a kernel, call.go
// inlines every call, slot.go decides what becomes of call parameters, and
// finish.go resolves branches.
//
// Adding an instruction is adding a row to a table.
//
// It is not a verifier of everything that ptxas refuses: operand sizes,
// declarations, labels and modifiers are checked; the agreement of signedness
// or of float and integer register types is not.
//
// Conventions of the ir that it produces:
//   - a register operand spans the words of its declared type, even where the
//     instruction's type is narrower (ld, st and cvt may name wider registers);
//   - OpLd with a SrcType extends the loaded value to that type, that of the
//     destination register; without, both have the same size;
//   - a sink (_) of a vector destination is an operand of KindNone;
//   - special registers occur as sources of OpMov only;
//   - after a call is inlined, parameters are registers, or local memory where
//     their address is taken or their pieces overlap.
package ptx
