// Package wholemachine runs built-in applications on complete GPUs. Its questions are about the GPU rather than
// about a block: whether a slice of the chip represents the chip, and which resource limits an application. Its
// command (folder table) writes the tables of lab/docs/validation/machine.md.
package wholemachine
