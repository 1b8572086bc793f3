// Package cuasm reads machine code written by people: SASS in the notation of CuAssembler, as printed by nvdisasm,
// with or without control words, and with control words in CuAssembler's notation or in that of maxas.
//
//	[B01----:R-:W3:Y:S04] @!P0 FFMA R1, R2.reuse, R3, R4 ;
//	01:-:4:Y:4            @!P0 FFMA R1, R2.reuse, R3, R4;
//
// In a listing of nvdisasm -hex or cuobjdump -sass control words are taken from the encodings in its comments.
//
// The package reads the parts of an instruction needed for timing: its class, the registers read and written with
// their operand slots, and its control word. Values of immediates and the targets of branches are not kept.
// Directives, lines beginning with a period, and comments are left out; a directive .section .text.NAME begins a
// section.
//
// Read refuses instructions outside the grammar of forms.go. ReadListing accepts all output of a disassembler.
package cuasm
