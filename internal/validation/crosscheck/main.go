// Crosscheck runs the reference launches and prints our figures beside
// GPGPU-Sim's, as the tables of docs/validation.md.
package main

import (
	"flag"
	"fmt"
	"os"
	"regexp"
	"strings"

	"kumiko/internal/validation"
)

type settings []string

func (s *settings) String() string     { return strings.Join(*s, " ") }
func (s *settings) Set(v string) error { *s = append(*s, v); return nil }

func main() {
	dir := flag.String("reference", "../shared/data/reference", "folder of results.json and sensitivity.json")
	only := flag.String("only", "", "run only launches whose name and configuration, as name/config, match this regular expression")
	effects := flag.Bool("sensitivities", false, "run the launches of sensitivity.json with one setting changed")
	var set settings
	flag.Var(&set, "set", "a GPU setting on top, key=value; may be repeated")
	flag.Parse()
	run := launches
	if *effects {
		run = sensitivities
	}
	if err := run(*dir, *only, set); err != nil {
		fmt.Fprintln(os.Stderr, "crosscheck:", err)
		os.Exit(1)
	}
}

// matching are the entries that -only asks for.
func matching(list []validation.Entry, only string) ([]validation.Entry, error) {
	re, err := regexp.Compile(only)
	if err != nil {
		return nil, err
	}
	var out []validation.Entry
	for _, e := range list {
		if re.MatchString(e.Label() + "/" + e.Config) {
			out = append(out, e)
		}
	}
	return out, nil
}

func launches(dir, only string, set []string) error {
	list, err := validation.References(dir)
	if err != nil {
		return err
	}
	if list, err = matching(list, only); err != nil {
		return err
	}
	var done []*validation.Measured
	for i := range list {
		m, err := validation.Run(&list[i], set...)
		if err != nil {
			return err
		}
		done = append(done, m)
	}
	validation.WriteLaunches(os.Stdout, done)
	return nil
}

func sensitivities(dir, only string, set []string) error {
	list, err := validation.Sensitivities(dir)
	if err != nil {
		return err
	}
	if list, err = matching(list, only); err != nil {
		return err
	}
	done, err := validation.Effects(list, set...)
	if err != nil {
		return err
	}
	validation.WriteEffects(os.Stdout, done)
	return nil
}
