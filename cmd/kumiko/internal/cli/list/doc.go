// Package list is kumiko list: what is built in: GPUs, designs, benchmarks, studies, statistics, parameters.
package list
