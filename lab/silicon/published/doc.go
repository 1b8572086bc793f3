// Package published compares gtx980-sm52 with times that others published of chips with the same SM (Maxwell, compute
// capability 5.2), by machine code of NVIDIA's assembler for these chips.
//
// measured.csv has the published values. kernels.go has kernels of our own that do what the sources say their kernels
// do, and code.zip what ptxas makes of them for sm_52, so that the rows need nothing installed (go run
// ./lab/silicon/published/pack makes it again). No value of the GPU follows one of these rows.
package published
