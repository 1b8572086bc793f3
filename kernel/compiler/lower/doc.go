// Package lower has the passes that turn PTX operations into operations that
// the hardware has. Every sequence gives exactly the results of the operation
// that it replaces; what has no such sequence stays whole, in a timing class of
// its own.
package lower
