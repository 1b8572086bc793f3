// Package skeleton is kumiko new: files to begin with, of a design or of the launches of a program.
package skeleton
