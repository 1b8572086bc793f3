package regmutex

// GiveTwice gives away sections that others have.
func (f *File) GiveTwice() { f.sections.twice = true }
