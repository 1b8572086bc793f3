// Package list is kumiko list: the GPUs, designs, benchmarks, studies, statistics, parameters and functions built in.
package list
