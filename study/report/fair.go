package report

import (
	"fmt"
	"slices"
	"strings"

	"kumiko/internal/page"
	"kumiko/regfile"
	"kumiko/study"
)

// fair shows the resources of each variant: its storage, and its settings tuned per
// application.
func fair(d *study.Data) page.Section {
	t := &page.Table{Head: []string{"variant", "compared with", "register file storage", "of this",
		"tuned for each application", "fixed for it"},
		Numeric: []bool{false, false, true}}
	t.Class = func(_, c int) string {
		switch c {
		case 0:
			return "lines"
		case 3, 4, 5:
			return "wide"
		}
		return ""
	}
	for i := range d.Spec.Variants {
		v := &d.Spec.Variants[i]
		total, blocks := notRun, ""
		if list, ok := storage(d, v.Name); ok && len(list) == 0 {
			total = "not reported"
		} else if ok {
			total, blocks = kib(sumBits(list)), describe(list)
		}
		t.Rows = append(t.Rows, []string{v.Name + "\n" + strings.TrimSuffix(v.GPU+", "+v.Design, ", "),
			cut(v.Baseline, "-"), total, blocks, tuned(v), fixed(v)})
	}
	return page.Section{Title: "A fair comparison?",
		Text: "State of the register file of one SM, as its blocks report it, and the settings that a variant has " +
			"on top of its GPU and design. What is tuned was chosen for each application; what is fixed is the same " +
			"for all.",
		Parts: append([]page.Part{page.Tab(t)}, meant(d)...)}
}

// meant lists the presets of the variants, and what each is meant for. There may be none.
func meant(d *study.Data) []page.Part {
	t := &page.Table{Head: []string{"design", "meant for"}, Class: func(_, column int) string {
		if column == 1 {
			return "wide"
		}
		return ""
	}}
	seen := map[string]bool{}
	for i := range d.Spec.Variants {
		c := d.Spec.Config(d.Spec.Variants[i].Name)
		if c == nil || c.Meant == "" || seen[c.Design] {
			continue
		}
		seen[c.Design] = true
		t.Rows = append(t.Rows, []string{c.Design, c.Meant})
	}
	if len(t.Rows) == 0 {
		return nil
	}
	return []page.Part{page.Tab(t)}
}

// storage returns the state reported by a variant's register file.
func storage(d *study.Data, variant string) ([]regfile.State, bool) {
	for _, b := range d.Spec.Groups[study.AllGroup] {
		if r := d.Run(variant, b, 0); r != nil {
			return r.Storage, true
		}
	}
	return nil, false
}

func sumBits(list []regfile.State) (n int) {
	for _, s := range list {
		n += s.Bits
	}
	return n
}

// kib writes a number of bits in KiB, or in bits where there are few.
func kib(bits int) string {
	if bits < 8*1024 {
		return fmt.Sprintf("%d bits", bits)
	}
	s := fmt.Sprintf("%.2f", float64(bits)/8/1024)
	return strings.TrimSuffix(strings.TrimRight(s, "0"), ".") + " KiB"
}

func describe(list []regfile.State) string {
	var out []string
	for _, s := range list {
		text := fmt.Sprintf("%s %s: %s", s.Block, s.What, kib(s.Bits))
		if s.Count > 1 {
			text += fmt.Sprintf(" in %d", s.Count)
		}
		if s.Ports != "" {
			text += ", " + s.Ports
		}
		out = append(out, text)
	}
	return strings.Join(out, "\n")
}

func tuned(v *study.Variant) string {
	if len(v.Tuned) == 0 {
		return "-"
	}
	return strings.Join(v.Tuned, ", ")
}

// fixed lists the variant's own settings without the tuned ones.
func fixed(v *study.Variant) string {
	var out []string
	for _, s := range v.Set {
		key, _, _ := strings.Cut(s, "=")
		if !slices.Contains(v.Tuned, strings.TrimSpace(key)) {
			out = append(out, s)
		}
	}
	if len(out) == 0 {
		return "-"
	}
	return strings.Join(out, "\n")
}
