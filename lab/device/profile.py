"""Puts a profiler's cycles beside the launches that it saw (see doc.go).

    python3 profile.py launches LIST NCU    prints launches.csv
    python3 profile.py memory LIST NCU      prints memory.csv

LIST is launches.csv of programs.py, or memory.csv of memory.py; NCU is what ncu --csv --page raw printed.
"""
import csv
import sys


def number(row, name):
    return float(row[name].replace(",", ""))


def profiled(file):
    with open(file) as f:
        return [r for r in csv.DictReader(line for line in f if line.startswith('"')) if r["ID"]]


def main(kind, listed, file):
    seen = profiled(file)
    with open(listed) as f:
        rows = [line.rstrip("\n").split(",") for line in f]
    if kind == "launches":
        if len(rows) != len(seen):
            sys.exit("%s has %d launches and %s %d" % (listed, len(rows), file, len(seen)))
        print("program,launch,kernel,cycles,warp_instructions,registers,mhz")
        for (program, launch, kernel), r in zip(rows, seen):
            if r["Kernel Name"] != kernel:
                sys.exit("found kernel %s, expected %s" % (r["Kernel Name"], kernel))
            print("%s,%s,%s,%d,%d,%d,%d" % (program, launch, kernel, number(r, "gpc__cycles_elapsed.max"),
                                           number(r, "smsp__inst_executed.sum"),
                                           number(r, "launch__registers_per_thread"),
                                           number(r, "sm__cycles_elapsed.avg.per_second") / 1e6))
        return
    print("kind,row,value")
    left = iter(seen)
    for kind, row, value in rows:
        if kind in ("chase", "stream", "wait"):
            r = next(left)
            if kind == "stream":
                value = "%d" % number(r, "gpc__cycles_elapsed.max")
        print("%s,%s,%s" % (kind, row, value))


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit("usage: profile.py launches|memory LIST NCU")
    main(*sys.argv[1:])
