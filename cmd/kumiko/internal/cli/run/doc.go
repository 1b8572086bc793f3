// Package run is kumiko run, with its checkpoints and the text of its results, and kumiko exec.
package run
