// Package constant has the constant cache of an SM as loads of constant space
// see it: it always hits (the reference simulator's GTX980 configuration does
// the same), broadcasts one word per pass to all lanes that want it, and takes
// a pass for each distinct word (CUDA C Programming Guide, compute capability
// 2.x, constant memory). Constant-bank operands of other instructions do not
// come here.
//
// Ports: In (req.Part); Out (req.Done), whose link is the pipeline.
package constant
