// Package volta gives the machine code of Volta, Turing, Ampere and Hopper (sm_70 to sm_90) its meaning: it makes a
// kernel of kernel/ir, one instruction for one, from a function of a listing (kernel/cubin/listing).
//
// The rules, and how they are found, are those of kernel/cubin/rules.
//
// Uniform registers are operands of a kind of their own (ir.KindUniform), and uniform predicates are predicates from
// ir.UniformPreds on.
package volta
