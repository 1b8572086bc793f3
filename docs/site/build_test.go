package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/dop251/goja"

	"kumiko/internal/page/pagetest"
)

var (
	href = regexp.MustCompile(`(?:href|src)="([^"]+)"`)
	id   = regexp.MustCompile(` id="([^"]+)"`)
)

// scratch is a folder for the site of the project's documents.
var scratch string

func TestMain(m *testing.M) {
	var err error
	if scratch, err = os.MkdirTemp("", "site"); err != nil {
		panic(err)
	}
	status := m.Run()
	os.RemoveAll(scratch)
	os.Exit(status)
}

// whole builds the site of the project's documents once and returns the number of pages.
var whole = sync.OnceValues(func() (int, error) { return build("../..", filepath.Join(scratch, "site")) })

// wholeSite returns the folder and the number of pages of the project's documents.
func wholeSite(t *testing.T) (string, int) {
	t.Helper()
	pages, err := whole()
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Join(scratch, "site"), pages
}

// Every internal link of the site leads to a file of the site, and to an existing anchor.
func TestEveryLinkOfTheSiteLeadsSomewhere(t *testing.T) {
	out, n := wholeSite(t)
	pages := map[string]string{}
	err := filepath.WalkDir(out, func(file string, _ os.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(file, ".html") {
			var data []byte
			data, err = os.ReadFile(file)
			pages[file] = string(data)
		}
		return err
	})
	if err != nil || len(pages) != n || n < 20 {
		t.Fatalf("%d pages of %d, %v; want all, at least 20", len(pages), n, err)
	}
	links := 0
	for file, text := range pages {
		for _, m := range href.FindAllStringSubmatch(text, -1) {
			name, anchor, _ := strings.Cut(m[1], "#")
			if strings.Contains(name, "://") || outside(name) {
				continue
			}
			links++
			to := file
			if name != "" {
				to = filepath.Join(filepath.Dir(file), name)
			}
			if _, err := os.Stat(to); err != nil {
				t.Errorf("%s: %s: %v", file, m[1], err)
				continue
			}
			if anchor == "" {
				continue
			}
			found := false
			for _, m := range id.FindAllStringSubmatch(pages[to], -1) {
				found = found || m[1] == anchor
			}
			if !found {
				t.Errorf("%s: %s: no such heading", file, m[1])
			}
		}
	}
	if links < 500 {
		t.Errorf("%d links, want at least 500", links)
	}
}

// outside reports whether a link leads to a folder of the project.
func outside(name string) bool {
	return strings.HasSuffix(name, "/") || !strings.Contains(filepath.Base(name), ".") && name != ""
}

func TestNothingIsLeftOfASiteThatCannotBeMade(t *testing.T) {
	dir := t.TempDir()
	if _, err := build(filepath.Join(dir, "nowhere"), filepath.Join(dir, "site")); err == nil {
		t.Fatal("a site of nothing was made")
	}
	left, err := os.ReadDir(dir)
	if err != nil || len(left) != 0 {
		t.Errorf("left: %v, %v", left, err)
	}
}

// ofFolder writes documents into a folder, builds the site and returns its folder.
func ofFolder(t *testing.T, documents map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range documents {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	out := filepath.Join(t.TempDir(), "site")
	if _, err := build(dir, out); err != nil {
		t.Fatal(err)
	}
	return out
}

var small = map[string]string{
	"README.md": "# Wood\n\nJoints without nails. [All](docs/README.md)\n",
	"docs/README.md": "# Documents\n\n## Use\n\n- [saw.md](saw.md): cutting\n\n" +
		"### Sharpen\n\n- [file.md](file.md)\n\n## Trust\n\nHow much it bears.\n\n- [proof](proof/README.md)\n",
	"docs/file.md":         "# File\n\nTeeth again.\n",
	"docs/saw.md":          "# Saw\n\nTeeth.\n\n## Ryoba\n\nA blade with two edges, `rip` and crosscut.\n",
	"docs/proof/README.md": "# Proof\n\nSee [loads](loads.md#weights).\n",
	"docs/proof/loads.md":  "# Loads\n\n## Weights\n\n| load | kg |\n|---|---|\n| beam | 120 |\n",
	"CHANGES.md":           "# Changes\n",
}

func read1(t *testing.T, file string) string {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// navigationOf returns the headings and links in the navigation of a page.
func navigationOf(t *testing.T, file string) []string {
	t.Helper()
	text := read1(t, file)
	text = text[strings.Index(text, "<nav"):strings.Index(text, "</nav>")]
	var got []string
	for _, m := range regexp.MustCompile(`<h2>(.*)</h2>|href="([^"]+)"`).FindAllStringSubmatch(text, -1) {
		got = append(got, m[1]+m[2])
	}
	return got
}

func TestTheNavigationHasTheGroupsOfTheDoorBehindWhichThePageLies(t *testing.T) {
	out := ofFolder(t, small)
	want := []string{"../index.html", "../docs/index.html", "../docs/saw.html", "#ryoba", "Sharpen",
		"../docs/file.html", "Other", "../CHANGES.html"}
	if got := navigationOf(t, filepath.Join(out, "docs", "saw.html")); !slices.Equal(got, want) {
		t.Errorf("navigation of a page behind the first door %q, want %q", got, want)
	}
	want = []string{"../../index.html", "../../docs/index.html", "../../docs/proof/index.html",
		"../../docs/proof/loads.html", "#weights"}
	if got := navigationOf(t, filepath.Join(out, "docs", "proof", "loads.html")); !slices.Equal(got, want) {
		t.Errorf("navigation of a page behind the second door %q, want %q", got, want)
	}
}

func TestEveryPageHasBothDoorsAndTheFirstPageSaysWhatLiesBehindThem(t *testing.T) {
	out := ofFolder(t, small)
	door := regexp.MustCompile(`<div class="doors">\s*<a href="([^"]+)"( aria-current="true")?>Use</a>\s*` +
		`<a href="([^"]+)"( aria-current="true")?>Trust</a>`)
	for page, want := range map[string][]string{
		"index.html":            {"docs/saw.html", "", "docs/proof/index.html", ""},
		"docs/file.html":        {"../docs/saw.html", ` aria-current="true"`, "../docs/proof/index.html", ""},
		"docs/proof/loads.html": {"../../docs/saw.html", "", "../../docs/proof/index.html", ` aria-current="true"`},
	} {
		m := door.FindStringSubmatch(read1(t, filepath.Join(out, page)))
		if m == nil || !slices.Equal(m[1:], want) {
			t.Errorf("%s: doors %q, want %q", page, m, want)
		}
	}
	if text := read1(t, filepath.Join(out, "index.html")); !strings.Contains(text, "<span>How much it bears.</span>") {
		t.Error("the first page does not say what lies behind a door")
	}
}

func TestNextLeadsFromTheFirstPageThroughAllOthers(t *testing.T) {
	out := ofFolder(t, small)
	next := regexp.MustCompile(`rel="next" href="([^"]+)"`)
	seen := []string{"index.html"}
	for len(seen) < 10 {
		here := seen[len(seen)-1]
		m := next.FindStringSubmatch(read1(t, filepath.Join(out, here)))
		if m == nil {
			break
		}
		seen = append(seen, filepath.ToSlash(filepath.Join(filepath.Dir(here), m[1])))
	}
	want := []string{"index.html", "docs/index.html", "docs/saw.html", "docs/file.html", "CHANGES.html",
		"docs/proof/index.html", "docs/proof/loads.html"}
	if !slices.Equal(seen, want) {
		t.Errorf("pages %q, want %q", seen, want)
	}
}

func TestTheSearchFindsASectionByAWordOfItsTextItsTableOrItsHeading(t *testing.T) {
	vm := goja.New()
	index := read1(t, filepath.Join(ofFolder(t, small), "search.js"))
	if _, err := vm.RunString("var self = this, globalThis = this;" + index); err != nil {
		t.Fatal(err)
	}
	for word, want := range map[string]string{"crosscut": "docs/saw.html#ryoba",
		"beam": "docs/proof/loads.html#weights",
		"ryob": "docs/saw.html#ryoba", "croscut": "docs/saw.html#ryoba", "nails": "index.html#wood", "granite": ""} {
		got, err := vm.RunString(`var r = kumikoIndex.search("` + word + `"); r.length ? r[0].link : ""`)
		if err != nil {
			t.Fatal(err)
		}
		if got.String() != want {
			t.Errorf("%s: %q, want %q", word, got, want)
		}
	}
}

func TestTheSearchOfTheDocumentsFindsWhatUsersAskFor(t *testing.T) {
	out, _ := wholeSite(t)
	vm := goja.New()
	index := read1(t, filepath.Join(out, "search.js"))
	if _, err := vm.RunString("var self = this, globalThis = this;" + index); err != nil {
		t.Fatal(err)
	}
	for words, page := range map[string]string{"__constant__": "docs/applications.html",
		"existing CUDA application": "docs/applications.html", "bank conflict": "docs/registers-conflict.html",
		"ipc_steady": "docs/statistics.html"} {
		got, err := vm.RunString(`kumikoIndex.search("` + words + `").slice(0, 10).map(r => r.link).join(" ")`)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(got.String(), page) {
			t.Errorf("%s: found %q, expected %s among the first ten", words, got, page)
		}
	}
}

func TestNoPageIsWiderThanAPhoneAndNoCodeIsCutOnAScreen(t *testing.T) {
	out, _ := wholeSite(t)
	var pages []string
	err := filepath.WalkDir(out, func(file string, _ os.DirEntry, err error) error {
		if strings.HasSuffix(file, ".html") {
			pages = append(pages, file)
		}
		return err
	})
	if err != nil || len(pages) < 20 {
		t.Fatalf("%d pages, %v", len(pages), err)
	}
	if testing.Short() {
		pages = pages[:6] // a browser takes half a second for each
	}
	for _, wrong := range pagetest.Fit(t, pages, 1400, 390, 800, 1400) {
		t.Error(strings.TrimPrefix(wrong, out))
	}
	for _, wrong := range pagetest.Examine(t, pages, "pre, table, p:has(> img:only-child)").Wrong {
		t.Error(strings.TrimPrefix(wrong, out))
	}
}

func TestOptionsInTextAreNotBroken(t *testing.T) {
	got := unbroken("<p><code>run --html</code> <code>a-b</code></p><pre><code>run --html</code></pre>")
	want := "<p><code>run <span class=\"option\">--html</span></code> <code>a-b</code></p>" +
		"<pre><code>run --html</code></pre>"
	if got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
