// Package flow has the passes over branches: jump threading, removal of code
// that cannot be reached, and if-conversion.
package flow
