// Package wholemachine runs built-in applications on assembled GPUs to answer
// questions about the GPU rather than about a block: whether a slice of the
// chip stands for the chip, and which resource bounds which application. Its
// command (folder table) makes the tables of docs/validation/machine.md.
package wholemachine
