// Package constant has the caches of an SM for constants.
//
// Cache is that of loads of constant space (LDC). A pass broadcasts one word to all lanes reading it. An instruction
// takes one pass for each distinct word (CUDA C Programming Guide, compute capability 2.x, constant memory). With no
// lines it always hits, as in the reference simulator's GTX980 configuration. Otherwise an instruction waits until the
// lines of all of its words are there, and those behind it wait too.
//
// Second is the cache behind this one and behind the sub-cores' caches of operands from the constant bank, which do not
// come to Cache.
//
// Ports: Cache: In (req.Part); Out (req.Done), whose link is the pipeline; Missing and Arrived (Line), joined to a
// client of Second. Second: In and Out (Line) by client; ToMem and FromMem (req.Packet).
package constant
