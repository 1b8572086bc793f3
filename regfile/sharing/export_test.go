package sharing

// GrantEverything makes the locks grant every request, whoever holds the lock:
// a fault that the operand check must see.
func (f *File) GrantEverything() { f.locks.unsafe = true }
