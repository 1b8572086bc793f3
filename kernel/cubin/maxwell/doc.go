// Package maxwell gives the machine code of Maxwell and Pascal (sm_50 to sm_62) its meaning. The rules, and how they
// are found, are those of kernel/cubin/rules.
//
// Carries go from one instruction to the next in flags, CC, which are predicates behind UniformPreds here: the carry, a
// second carry of sums of three, whether the result is zero, of all words so far, and its sign. The overflow is not
// kept, and what reads it is refused.
//
// Generic addresses: LEA.HI has a predicate for whether the address it completes is one of global memory. ptxas tests
// it before atomic operations, and hands it to LD and ST, which find it out themselves here.
package maxwell
