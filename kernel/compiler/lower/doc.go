// Package lower has the passes from PTX operations to hardware operations. Every sequence gives exactly the results
// of the replaced operation. An operation without such a sequence stays whole, in a timing class of its own.
package lower
