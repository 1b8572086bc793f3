//go:build quick

package main

import "kumiko/cmd/kumiko/command"

var extra []command.Extra
