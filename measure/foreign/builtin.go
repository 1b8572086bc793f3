package main

import (
	"errors"
	"io"
)

func runBuiltin(out io.Writer, t *toolchain, s settings) (bool, error) {
	return false, errors.New("not yet")
}
