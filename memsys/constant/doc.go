// Package constant implements the constant cache of an SM for loads of constant space. It always hits (as in
// the reference simulator's GTX980 configuration). A pass broadcasts one word to all lanes reading it. An
// instruction takes one pass for each distinct word (CUDA C Programming Guide, compute capability 2.x, constant
// memory). Constant-bank operands of other instructions do not come here.
//
// Ports: In (req.Part); Out (req.Done), whose link is the pipeline.
package constant
