// Package cuasm reads machine code as people write it: SASS in the notation of CuAssembler, as
// nvdisasm prints it, with or without control words, and with control words in that of maxas.
//
//	[B01----:R-:W3:Y:S04] @!P0 FFMA R1, R2.reuse, R3, R4 ;
//	01:-:4:Y:4            @!P0 FFMA R1, R2.reuse, R3, R4;
//
// In a listing of nvdisasm -hex or cuobjdump -sass control words are taken from the encodings, which stand
// there as comments.
//
// What is read is what timing needs: the class of an instruction, the registers that it reads and
// writes with their operand slots, and its control word. Values of immediates and the targets of
// branches are not kept. Directives, that is lines that begin with a period, and comments are left
// out; a directive .section .text.NAME begins a section.
//
// Read refuses what is no instruction by the grammar of forms.go. ReadListing takes what a disassembler wrote.
package cuasm
