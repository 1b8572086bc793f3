// Package ptx reads PTX text (PTX ISA 1.0 to 9.4) and produces ir.
//
// The files follow the data: scan.go makes tokens, parse*.go and expr.go make a syntax tree, version.go has the
// versions and targets, and layout.go gives module variables their addresses. row.go and the table_*.go files turn
// one instruction into ir by looking its opcode up in a table. emit.go walks the statements of a kernel, call.go
// inlines every call, link.go makes one program of several modules, slot.go decides on the place of call parameters,
// and finish.go resolves branches.
//
// A new instruction is a new row of a table.
//
// The package does not verify as much as ptxas: operand sizes, declarations, labels and modifiers are checked; the
// agreement of signedness or of float and integer register types is not.
//
// Conventions of the ir:
//   - a register operand spans the words of its declared type, even if the
//     instruction's type is narrower (ld, st and cvt may name wider registers);
//   - OpLd with a SrcType extends the loaded value to this type, the type of the
//     destination register; without, both have the same size;
//   - a sink (_) of a vector destination is an operand of KindNone;
//   - special registers occur as sources of OpMov only;
//   - after a call is inlined, parameters are registers, or local memory if
//     their address is taken or their pieces overlap.
package ptx
