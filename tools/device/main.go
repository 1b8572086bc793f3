package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"kumiko/benchmarks"
)

func main() {
	ptx := flag.String("ptx", "", "folder to write the kernels to")
	sm := flag.Int("sm", 90, "compute capability that they are for, ten times")
	report := flag.String("report", "", "folder with listings and measurements to compare")
	gpu := flag.String("gpu", "h100", "GPU to compare them with (kumiko list gpus)")
	scripts := flag.String("scripts", "", "folder to write the built-in programs to, as scripts for programs.py")
	size := flag.String("size", "small", "size of the programs")
	launches := flag.String("launches", "", "file of measured launches to compare")
	only := flag.String("only", "", "part of the names of the programs to compare")
	var set []string
	flag.Func("set", "setting of the simulated GPU", func(s string) error { set = append(set, s); return nil })
	flag.Parse()
	if *launches != "" {
		if err := Launches(*launches, *gpu, set, *only, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(2)
		}
		return
	}
	if *scripts != "" {
		s, err := benchmarks.ParseSize(*size)
		if err == nil {
			_, err = Scripts(*scripts, s)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(2)
		}
		return
	}
	if err := run(*ptx, *report, *gpu, *sm, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
}

func run(ptx, report, gpu string, sm int, more []string) error {
	switch {
	case len(more) > 0:
		return fmt.Errorf("found argument %q, expected none", more[0])
	case (ptx == "") == (report == ""):
		return fmt.Errorf("found -ptx %q and -report %q, expected one of them", ptx, report)
	case report != "":
		return Report(report, gpu, os.Stdout)
	case sm < 50 || sm > 130:
		return fmt.Errorf("-sm: found %d, expected 50 to 130", sm)
	}
	if err := os.MkdirAll(ptx, 0o755); err != nil {
		return err
	}
	list := Rows()
	for i := range list {
		file := filepath.Join(ptx, list[i].Name+".ptx")
		if err := os.WriteFile(file, []byte(list[i].PTX(sm)), 0o644); err != nil {
			return err
		}
	}
	fmt.Printf("%d kernels in %s; on a machine with the GPU: sh tools/device/measure.sh %s %d\n", len(list), ptx, ptx,
		sm)
	return nil
}
