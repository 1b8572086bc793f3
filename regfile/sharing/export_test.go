package sharing

// GrantEverything makes the locks grant every request, even with another holder: a fault to be found by the operand
// check.
func (f *File) GrantEverything() { f.locks.unsafe = true }
