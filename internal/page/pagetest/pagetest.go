// Package pagetest measures drawn figures in a browser, for tests. Cut-off and overlapping texts cannot be detected
// in a specification.
package pagetest

import (
	"cmp"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kumiko/internal/page"
)

// measuring is a script that checks every figure of a page after drawing, and writes the faults found into the
// page. Two texts overlap if no line separates their boxes. The boxes may be rotated.
const measuring = `<script>` + found + `
function corners(t) {
  const b = t.getBBox(), m = t.getScreenCTM();
  return [[b.x, b.y], [b.x + b.width, b.y], [b.x + b.width, b.y + b.height], [b.x, b.y + b.height]].map(
    ([x, y]) => [m.a * x + m.c * y + m.e, m.b * x + m.d * y + m.f]);
}
function apart(p, q) {
  for (const r of [p, q]) for (const i of [0, 1]) {
    const n = [r[i + 1][1] - r[i][1], r[i][0] - r[i + 1][0]], l = Math.hypot(n[0], n[1]) || 1;
    const on = s => s.map(c => (c[0] * n[0] + c[1] * n[1]) / l);
    const a = on(p), b = on(q);
    if (Math.max(...a) < Math.min(...b) + 2 || Math.max(...b) < Math.min(...a) + 2) return true;
  }
  return false;
}
function measure(name, svg, card) {
  const out = [], box = svg.getBoundingClientRect();
  if (card && box.width > card.clientWidth) out.push('is ' + box.width + ' wide, its card ' + card.clientWidth);
  const texts = [...svg.querySelectorAll('text')].filter(
    t => t.textContent.trim() && getComputedStyle(t).display !== 'none' && t.closest('[opacity="0"]') === null);
  texts.forEach((t, i) => {
    const b = t.getBoundingClientRect(), said = JSON.stringify(t.textContent);
    if (said.includes('\u2026')) out.push(said + ' is shortened');
    if (b.left < box.left - 1 || b.right > box.right + 1 || b.top < box.top - 1 || b.bottom > box.bottom + 1)
      out.push(said + ' is cut off');
    for (const o of texts.slice(0, i))
      if (!apart(corners(t), corners(o))) out.push(said + ' lies upon ' + JSON.stringify(o.textContent));
  });
  return out.map(x => name + ': ' + x);
}
function look() {
  const all = [...document.querySelectorAll('.figure')];
  if (all.some(f => !f.querySelector('svg') && !f.textContent.includes('could not be drawn'))) return setTimeout(look, 50);
  const out = {figures: all.length, wrong: all.flatMap((f, i) => {
    const svg = f.querySelector('svg');
    return svg ? measure(names[i], svg, f) : [names[i] + ': ' + f.textContent];
  }), files: 0};
  for (const f of document.querySelectorAll('.file')) {
    out.files++;
    out.wrong.push(...measure('file ' + f.id, f.querySelector('svg'), null));
  }
  found(out);
}
look();
</script>`

// written returns the text of a page.
func written(t *testing.T, p *page.Page) string {
	t.Helper()
	var b strings.Builder
	if err := p.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// Saved writes a page to a file, and returns its path.
func Saved(t *testing.T, p *page.Page) string {
	t.Helper()
	return save(t, kept(t), written(t, p))
}

func scratch(t *testing.T) string { return filepath.Join(t.TempDir(), "page.html") }

// kept is the path of a page: the one that KUMIKO_KEEP_PAGE gives, for inspection, or one of the test.
func kept(t *testing.T) string { return cmp.Or(os.Getenv("KUMIKO_KEEP_PAGE"), scratch(t)) }

// Findings are the faults in the figures of a page, with the number of measured figures.
type Findings struct {
	Figures, Files int
	Wrong          []string
}

// Measure draws a page in Chromium, and measures the page's figures, in the order of names, and further SVG files.
// The test is skipped if Chromium is not installed.
func Measure(t *testing.T, p *page.Page, names []string, files map[string][]byte) Findings {
	t.Helper()
	chromium := browser(t)
	text := written(t, p)
	list, err := json.Marshal(names)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		text += "<div class=file id=\"" + name + "\">" + string(files[name]) + "</div>\n"
	}
	text += "<script>const names = " + string(list) + ";</script>" + measuring
	var out Findings
	if err := json.Unmarshal(findings(t, chromium, save(t, kept(t), text)), &out); err != nil {
		t.Fatal(err)
	}
	return out
}
