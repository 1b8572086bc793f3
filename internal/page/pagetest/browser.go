package pagetest

import (
	"encoding/json"
	"fmt"
	"html"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"time"

	"kumiko/internal/page"
)

// browser returns the path of Chromium. The test is skipped where there is none.
func browser(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skip("there is no Chromium to measure pages with")
	return ""
}

var preformatted = regexp.MustCompile(`(?s)<pre id="findings">(.*?)</pre>`)

// findings opens a page that measures itself and returns the text of its element "findings".
func findings(t *testing.T, chromium, file string) []byte {
	t.Helper()
	cmd := exec.Command(chromium, "--headless", "--no-sandbox", "--disable-gpu", "--window-size=1600,1000",
		"--allow-file-access-from-files",
		"--user-data-dir="+t.TempDir(), "--virtual-time-budget=60000", "--dump-dom", "file://"+file)
	cmd.WaitDelay = 5 * time.Second
	dom, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v", chromium, err)
	}
	m := preformatted.FindSubmatch(dom)
	if m == nil {
		t.Fatalf("%s was not measured; %d bytes of the page", file, len(dom))
	}
	return []byte(html.UnescapeString(string(m[1])))
}

// ask opens a page with a script, which reads the constants by their names, and puts what it found into out. The test
// is skipped where there is no Chromium.
func ask(t *testing.T, script string, constants map[string]any, out any) {
	t.Helper()
	chromium := browser(t)
	var text strings.Builder
	text.WriteString("<!doctype html><body><script>")
	for name, value := range constants {
		data, err := json.Marshal(value)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&text, "const %s = %s;", name, data)
	}
	text.WriteString("</script>" + script + "</body>")
	if err := json.Unmarshal(findings(t, chromium, save(t, scratch(t), text.String())), out); err != nil {
		t.Fatal(err)
	}
}

// save writes a file for the browser, and returns its path.
func save(t *testing.T, file, text string) string {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// found is the function by which a script leaves what it found on its page, of which the browser writes the text.
const found = `function found(what) {
  const pre = document.createElement('pre');
  pre.id = 'findings';
  pre.textContent = JSON.stringify(what);
  document.body.append(pre);
}`

// fitting opens each page in a frame of each width. A page fits if nothing makes it wider
// than the frame. Code fits if it needs no scroll bar.
const fitting = `<script>` + found + `
async function fit() {
  const wrong = [];
  for (const w of widths) for (const p of pages) {
    const f = document.createElement('iframe');
    f.style.width = w + 'px'; f.style.height = '900px'; f.style.border = '0'; f.src = 'file://' + p;
    await new Promise(done => { f.onload = done; document.body.append(f); });
    const d = f.contentDocument, e = d.documentElement;
    if (e.scrollWidth > e.clientWidth) wrong.push(p + ' at ' + w + ': ' + e.scrollWidth + ' wide');
    if (w >= code) for (const b of d.querySelectorAll('pre'))
      if (b.scrollWidth > b.clientWidth) wrong.push(p + ' at ' + w + ': code is cut: ' + b.textContent.slice(0, 60));
    f.remove();
  }
  found(wrong);
}
fit();
</script>`

// Fit opens the pages in windows of the widths, in pixels, and returns a line for each page
// wider than its window, and for each block of code that is cut in a window of at least
// code pixels. The paths are absolute. The test is skipped where there is no Chromium.
func Fit(t *testing.T, pages []string, code int, widths ...int) (wrong []string) {
	t.Helper()
	ask(t, fitting, map[string]any{"pages": pages, "widths": widths, "code": code}, &wrong)
	return wrong
}

// reading finds the smallest text of the figures of a page in a frame.
const reading = `<script>` + found + `
const f = document.createElement('iframe');
f.style.width = width + 'px'; f.style.height = '900px'; f.style.border = '0'; f.src = 'file://' + file;
f.onload = function look() {
  const figures = [...f.contentDocument.querySelectorAll('.figure')];
  if (figures.some(x => !x.querySelector('svg'))) return setTimeout(look, 50);
  let least = 1000;
  for (const t of f.contentDocument.querySelectorAll('.figure text')) if (t.textContent.trim()) {
    const m = t.getScreenCTM(); // rotated for a vertical axis
    least = Math.min(least, parseFloat(f.contentWindow.getComputedStyle(t).fontSize) * Math.hypot(m.c, m.d));
  }
  found(least);
};
document.body.append(f);
</script>`

// SmallestText opens a page in a window of a width, and returns the size of the smallest text in its figures, both in
// pixels. The test is skipped where there is no Chromium.
func SmallestText(t *testing.T, file string, width int) (size float64) {
	t.Helper()
	ask(t, reading, map[string]any{"file": file, "width": width}, &size)
	return size
}

// printing tells a page that it is about to be printed, and then lists the titles of the parts that are unfolded.
const printing = `<script>addEventListener('load', () => {
  dispatchEvent(new Event('beforeprint'));
  const pre = document.createElement('pre');
  pre.id = 'findings';
  pre.textContent = [...document.querySelectorAll('details[open] > summary')].map(s => s.textContent).join('\n');
  document.body.append(pre);
});</script>`

// OpenedToPrint returns the titles of the folded parts that a page opens when it is printed.
func OpenedToPrint(t *testing.T, p *page.Page) []string {
	t.Helper()
	chromium := browser(t)
	return strings.Split(string(findings(t, chromium, save(t, scratch(t), written(t, p)+printing))), "\n")
}

// numbering opens a page in a frame of a width, and lists the numbers in its tables that take more than one line.
const numbering = `<script>` + found + `
const f = document.createElement('iframe');
f.style.width = width + 'px'; f.style.height = '900px'; f.style.border = '0'; f.src = 'file://' + file;
f.onload = () => {
  const out = [];
  for (const c of f.contentDocument.querySelectorAll('td.num')) {
    const r = f.contentDocument.createRange();
    r.selectNodeContents(c);
    if (new Set([...r.getClientRects()].map(b => b.top)).size > 1) out.push(c.textContent);
  }
  found(out);
};
document.body.append(f);
</script>`

// BrokenNumbers lays a page out as for paper that is width pixels wide, and returns the numbers of its tables that are
// broken over several lines. The test is skipped where there is no Chromium.
func BrokenNumbers(t *testing.T, p *page.Page, width int) (out []string) {
	t.Helper()
	file := save(t, scratch(t), strings.ReplaceAll(written(t, p), "@media print", "@media screen"))
	ask(t, numbering, map[string]any{"file": file, "width": width}, &out)
	return out
}
