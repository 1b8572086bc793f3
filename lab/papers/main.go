// Command papers writes lab/docs/papers: for each paper a page with its figures and tables beside Kumiko's, the
// verdicts on its claims and their causes; a page for each comparison that no paper has; and an index. It also writes
// the pages of lab/docs/deviations. Everything on the pages of papers is worked out from packs of records in
// lab/docs/papers/records, so nothing is simulated.
//
//	papers                              write the pages
//	papers -add sharing -dir FOLDER     make the pack of a study from its records first
//
// All packs take at most 5 MB. The program zstd makes a pack a quarter smaller:
//
//	zstd -dc NAME.jsonl.zst | zstd -19 --long=23 -o smaller.zst
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"kumiko/internal/page/svg"
	"kumiko/lab/claims"
	"kumiko/lab/deviations"
	"kumiko/study"
	"kumiko/study/query"
	"kumiko/study/record"
	"kumiko/study/report"

	_ "kumiko/benchmarks/all"
)

// out is the folder of the pages.
const out = "lab/docs/papers"

// readme is the project's README, as seen from there. It says what the records say.
const readme = "../../../README.md"

func main() {
	add := flag.String("add", "", "make the pack of this study from the records in -dir")
	dir := flag.String("dir", "", "folder of records (default results/NAME)")
	keep := flag.Bool("keep", false, "keep the pack's records of points that -dir does not have")
	flag.Parse()
	if err := run(*add, *dir, *keep); err != nil {
		fmt.Fprintln(os.Stderr, "papers:", err)
		os.Exit(1)
	}
}

func run(add, dir string, keep bool) error {
	if add != "" {
		if err := pack(add, dir, keep, time.Now()); err != nil {
			return err
		}
	}
	files, err := pages(".")
	if err != nil {
		return err
	}
	for name, data := range files {
		name = filepath.Join(out, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(name, data, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// pages returns the files of lab/docs/papers by their names there. root is the folder of the project.
func pages(root string) (_ map[string][]byte, err error) {
	files := map[string][]byte{}
	others, err := written(root, own, files, nil, (*paper).comparison)
	if err != nil {
		return nil, err
	}
	published := publishedAmong(others)
	papers, err := written(root, claims.Papers, files, published, func(p *paper) []byte {
		for _, o := range others {
			if o.name == wherePrefix+p.name {
				p.machines = o
			}
		}
		return p.page()
	})
	if err != nil {
		return nil, err
	}
	files["README.md"] = index(papers, others)
	register, err := deviations.Files()
	if err != nil {
		return nil, err
	}
	for _, f := range register {
		files["../deviations/"+f.Name+".md"] = f.Page()
	}
	files[readme], err = introduced(filepath.Join(root, out, readme), papers, others)
	return files, err
}

// publishedAmong returns the records of published programs; nil: there is no pack of them.
func publishedAmong(list []*paper) *query.Query {
	for _, p := range list {
		if p.name == claims.PublishedStudy && p.data != nil {
			return query.New(p.data)
		}
	}
	return nil
}

// written adds the pages and the figures of studies to the files. published has the records of published programs, on
// which causes measure too, or is nil.
func written(root string, names []string, files map[string][]byte, published *query.Query,
	page func(*paper) []byte) (list []*paper, _ error) {
	for _, name := range names {
		p, err := load(root, name, published)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		list = append(list, p)
		if p.report == nil {
			continue
		}
		files[name+".md"] = page(p)
		err = p.report.SVG(func(file string, data []byte) error {
			if p.drawn(file) {
				files[p.figure(file)] = data
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return list, nil
}

// paper is a paper with its report.
type paper struct {
	name   string
	spec   *study.Spec
	report *report.Report // nil: there is no pack
	census *study.Census
	data   *study.Data
	facts
	golden string // digest of today's golden results
	// machines is the study of the machines on which the paper's designs pay; nil if there is none.
	machines *paper
	// outcomes are the verdicts on the paper's claims, if there are any.
	outcomes []claims.Outcome
	null     claims.Null
	main     *claims.Outcome // of the claim that says what the design is good for; may be nil
	// deviations are the entries of the register, by ID.
	deviations map[string]*deviations.Deviation
}

// load makes the report of a paper from its pack.
func load(root, name string, published *query.Query) (*paper, error) {
	s, err := study.Load(name)
	if err != nil {
		return nil, err
	}
	p := &paper{name: name, spec: s, deviations: map[string]*deviations.Deviation{}}
	all, err := deviations.All()
	if err != nil {
		return nil, err
	}
	for i := range all {
		p.deviations[all[i].ID] = &all[i]
	}
	dir := filepath.Join(root, out, "records")
	store, err := record.OpenExisting(filepath.Join(dir, name+record.PackSuffix))
	if _, absent := os.Stat(filepath.Join(dir, name+record.PackSuffix)); errors.Is(absent, fs.ErrNotExist) {
		return p, nil
	}
	if err != nil {
		return nil, err
	}
	if p.facts, err = readFacts(filepath.Join(dir, name+".toml")); err != nil {
		return nil, err
	}
	if p.golden, err = golden(root, gpusOf(s)); err != nil {
		return nil, err
	}
	s.Perturb = p.Perturb
	records, census, err := s.Collect(store, s.Points(s.Perturb), p.Version)
	if err != nil {
		return nil, err
	}
	p.census, p.data = census, study.NewData(s, records)
	if p.report, err = report.New(&report.Input{Data: p.data, Census: census, Version: p.Version}); err != nil {
		return nil, err
	}
	if err := p.judge(published); err != nil {
		return nil, err
	}
	// A drawer numbers the parts of its figures. One for each paper keeps the pages from depending on each other.
	d, err := svg.New()
	if err != nil {
		return nil, err
	}
	p.report.Draw(d)
	return p, nil
}

// judge judges the claims of the study's paper.
func (p *paper) judge(published *query.Query) error {
	if p.spec.Paper == "" {
		return nil
	}
	f, err := claims.Load(p.spec.Paper)
	if f == nil || err != nil {
		return err
	}
	f.SetPublished(published)
	p.outcomes = f.Evaluate(query.New(p.data))
	p.null = claims.NullScore(p.outcomes)
	for i := range p.outcomes {
		if p.outcomes[i].ID == f.Main {
			p.main = &p.outcomes[i]
		}
	}
	return nil
}

// pack writes the pack of a study, and the facts about its records. keep: those of points that the folder does not have
// are taken from the pack that is there.
func pack(name, dir string, keep bool, now time.Time) error {
	s, err := study.Load(name)
	if err != nil {
		return err
	}
	if dir == "" {
		dir = record.DefaultDir(name)
	}
	store, err := record.OpenExisting(dir)
	if err != nil {
		return err
	}
	all := s.Points(s.Perturb)
	records, _, err := s.Collect(store, all, "")
	if err != nil {
		return err
	}
	if keep {
		if records, err = kept(s, name, records); err != nil {
			return err
		}
	}
	f := facts{Date: now.UTC().Format(time.DateOnly)}
	for _, r := range records {
		f.Perturb = max(f.Perturb, r.Point.Perturb)
		f.Seconds += r.Seconds
	}
	for _, r := range records {
		f.Version = max(f.Version, r.Version)
	}
	if f.Golden, err = golden(".", gpusOf(s)); err != nil {
		return err
	}
	var b bytes.Buffer
	read, err := claims.Reads(s)
	if err != nil {
		return err
	}
	if err := record.WritePack(&b, s.Name, records, s.NamesKernel, read); err != nil {
		return err
	}
	base := filepath.Join(out, "records", name)
	if err := os.MkdirAll(filepath.Dir(base), 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(base+record.PackSuffix, b.Bytes(), 0o644); err != nil {
		return err
	}
	return f.write(base + ".toml")
}

// kept returns records with those of the study's pack whose points they lack.
func kept(s *study.Spec, name string, records []*record.Record) ([]*record.Record, error) {
	store, err := record.OpenExisting(filepath.Join(out, "records", name+record.PackSuffix))
	if err != nil {
		return nil, err
	}
	have := map[string]bool{}
	for _, r := range records {
		have[r.Point.String()] = true
	}
	var lacking []record.Point
	for _, p := range s.Points(s.Perturb) {
		if !have[p.String()] {
			lacking = append(lacking, p)
		}
	}
	old, _, err := s.Collect(store, lacking, "")
	return append(records, old...), err
}
