// Kumiko simulates GPUs cycle by cycle. See `kumiko help`.
package main

import "kumiko/cmd/kumiko/command"

func main() { command.Main(extra...) }
