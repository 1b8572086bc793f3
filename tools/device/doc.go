// Program device compares cycles that an NVIDIA GPU takes for loops of machine instructions with
// those that probe simulates for exactly the same instructions.
//
//	go run ./tools/device -ptx DIR -sm 90
//	sh tools/device/measure.sh DIR 90
//	go run ./tools/device -report DIR -gpu h100
//
// The first command writes kernels in PTX, one for each row. The second one, on a machine with the
// GPU, the CUDA toolkit's ptxas and nvdisasm and Python, compiles them, lists their SASS and
// runs them: DIR/ROW.sass and DIR/measured.csv. Which registers the instructions have is ptxas' choice. So the
// third one reads the listings back, cuts each kernel's loop out, and gives that to probe, with its
// control words. It prints a table of the rows, and nothing is fitted. Where there is no measurement
// the table says "not measured", and where there is no listing "no listing".
//
// measured.csv has a line of names, device,sm,row,warps,passes,cycles, and a line for each run:
// cycles is from the first clock that a warp reads before the loop to the last one behind it.
package main
