// Crosscheck runs the reference launches and prints our figures beside
// GPGPU-Sim's, as the tables of lab/docs/validation/peers.md, or writes them into it:
//
//	go run ./lab/validation/crosscheck -update lab/docs/validation/peers.md
package main

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"

	"kumiko/internal/infile"
	"kumiko/lab/validation"
)

type settings []string

func (s *settings) String() string     { return strings.Join(*s, " ") }
func (s *settings) Set(v string) error { *s = append(*s, v); return nil }

// job is a run of the command.
type job struct {
	dir, only string
	set       settings
}

func main() {
	var j job
	flag.StringVar(&j.dir, "reference", "../shared/data/reference", "folder of results.json and sensitivity.json")
	flag.StringVar(&j.only, "only", "",
		"run only launches whose name and configuration, as name/config, match this regular expression")
	flag.Var(&j.set, "set", "a GPU setting on top, key=value; may be repeated")
	part := flag.String("part", "launches", "what to print: "+strings.Join(validation.Parts, ", ")+" or all")
	effects := flag.Bool("sensitivities", false, "the same as -part sensitivities")
	doc := flag.String("update", "",
		"write the parts of this document (all of them unless -part says one) in place of printing them")
	flag.Parse()
	if *effects {
		*part = "sensitivities"
	}
	given := *effects
	flag.Visit(func(f *flag.Flag) { given = given || f.Name == "part" })
	if *doc != "" && !given {
		*part = "all"
	}
	if err := j.run(*part, *doc); err != nil {
		fmt.Fprintln(os.Stderr, "crosscheck:", err)
		os.Exit(1)
	}
}

func (j *job) run(part, doc string) error {
	parts := validation.Parts
	if part != "all" {
		if !slices.Contains(parts, part) {
			return fmt.Errorf("-part: found %q, expected %s or all", part, strings.Join(parts, ", "))
		}
		parts = []string{part}
	}
	if doc != "" && (j.only != "" || j.set != nil) {
		return fmt.Errorf("-update: a document has all launches on the GPUs as they are, so neither -only nor -set " +
			"goes with it")
	}
	for _, p := range parts {
		if doc == "" {
			if err := j.write(os.Stdout, p); err != nil {
				return err
			}
			continue
		}
		if err := j.update(doc, p); err != nil {
			return err
		}
	}
	return nil
}

// update replaces a part of a document. It reads the document only after the new part is complete, to keep edits
// made in the meantime.
func (j *job) update(doc, part string) error {
	var text bytes.Buffer
	if err := j.write(&text, part); err != nil {
		return err
	}
	old, err := infile.Read(doc)
	if err != nil {
		return err
	}
	now, err := validation.Replace(old, part, text.Bytes())
	if err != nil {
		return fmt.Errorf("%s: %w", doc, err)
	}
	return os.WriteFile(doc, now, 0o644)
}

func (j *job) write(w io.Writer, part string) error {
	switch part {
	case "trips":
		return validation.WriteTrips(w, j.set...)
	case "sensitivities":
		return j.sensitivities(w)
	}
	list, err := validation.References(j.dir)
	if err != nil {
		return err
	}
	if part == "experiments" {
		return validation.WriteExperiments(w, list, j.set...)
	}
	if list, err = matching(list, j.only); err != nil {
		return err
	}
	var done []*validation.Measured
	for i := range list {
		m, err := validation.Run(&list[i], j.set...)
		if err != nil {
			return err
		}
		done = append(done, m)
	}
	validation.WriteLaunches(w, done)
	return nil
}

func (j *job) sensitivities(w io.Writer) error {
	list, err := validation.Sensitivities(j.dir)
	if err != nil {
		return err
	}
	if list, err = matching(list, j.only); err != nil {
		return err
	}
	done, err := validation.Effects(list, j.set...)
	if err != nil {
		return err
	}
	validation.WriteEffects(w, done)
	return nil
}

// matching returns the entries selected by -only.
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
