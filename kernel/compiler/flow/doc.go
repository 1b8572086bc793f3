// Package flow has the passes over branches: jump threading, removal of unreachable code, and if-conversion.
package flow
