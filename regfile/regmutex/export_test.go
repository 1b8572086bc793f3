package regmutex

// GiveTwice makes the pool grant sections held by other warps.
func (f *File) GiveTwice() { f.sections.twice = true }
