package pagetest

import "testing"

// contents opens each page in a frame as wide as a phone, and widens the frame, with the rules for paper, to the print
// area of A4. An element fits if its content is not wider than itself.
const contents = `<script>` + found + `
// onPaper makes the rules for paper those of the screen.
function onPaper(d) {
  for (const sheet of d.styleSheets) for (const r of sheet.cssRules) {
    if (!(r instanceof d.defaultView.CSSMediaRule)) continue;
    if (r.media.mediaText === 'print') r.media.mediaText = 'all';
    else if (r.media.mediaText.includes('screen')) r.media.mediaText = 'not all';
  }
}
const drawn = d => [...d.querySelectorAll('.figure')].every(f => f.querySelector('svg') || f.textContent);
// faults returns a line for each element with wider contents.
function faults(d, where, scrolling) {
  const wrong = [], root = d.documentElement;
  for (const e of d.body.querySelectorAll('*')) {
    if (e.namespaceURI !== d.body.namespaceURI || e.clientWidth === 0 || e.scrollWidth <= e.clientWidth + 1) continue;
    if (e.closest('.vega-actions, select, input') || scrolling && e.closest(scrolling)) continue;
    wrong.push(where + ': ' + e.tagName.toLowerCase() + '.' + e.className + ' is ' + e.clientWidth +
      ' wide, its content ' + e.scrollWidth + ': ' + e.textContent.trim().slice(0, 60));
  }
  if (root.scrollWidth > root.clientWidth) wrong.push(where + ': ' + root.scrollWidth + ' wide');
  return wrong;
}
async function examine() {
  const wrong = [], desk = [];
  let figures = 0;
  for (const p of pages) {
    const f = document.createElement('iframe');
    f.style.width = '390px'; f.style.height = '900px'; f.style.border = '0'; f.src = 'file://' + p;
    await new Promise(done => { f.onload = done; document.body.append(f); });
    const d = f.contentDocument;
    for (const fold of d.querySelectorAll('details:not(.figure details)')) fold.open = true;
    for (let i = 0; i < 400 && !drawn(d); i++) await new Promise(done => setTimeout(done, 25));
    if (!drawn(d)) wrong.push(p + ': a figure was not drawn');
    figures += d.querySelectorAll('.figure svg').length;
    for (const f of d.querySelectorAll('.figure')) {
      const saves = [...f.querySelectorAll('.vega-actions a')].map(a => a.textContent).join();
      if (!saves.includes('SVG') || !saves.includes('PNG')) wrong.push(p + ': a figure cannot be saved: ' + saves);
    }
    wrong.push(...faults(d, p + ' on a phone', byDesign));
    f.style.width = '1400px';
    const wider = p + ' on a desk: main.'; // as the section of a diagram is
    desk.push(...faults(d, p + ' on a desk', '').filter(w => !w.startsWith(wider)));
    f.style.width = '718px';
    onPaper(d);
    wrong.push(...faults(d, p + ' on paper', ''));
    f.remove();
  }
  found({figures: figures, wrong: wrong, desk: desk});
}
examine();
</script>`

// Contents has the figures that pages drew, and a line for each fault: those on a phone and on paper, and the elements
// that scroll in a window of 1,400 pixels.
type Contents struct {
	Figures int      `json:"figures"`
	Wrong   []string `json:"wrong"`
	Desk    []string `json:"desk"`
}

// Examine opens the pages on a phone (390 pixels), on a desk (1,400) and on paper. It unfolds everything, and looks for
// elements whose contents are wider than they are. byDesign selects those that scroll on a phone; on paper none may.
// Each figure must offer itself as SVG and as PNG. The paths are absolute. The test is skipped where there is no
// Chromium.
func Examine(t *testing.T, pages []string, byDesign string) *Contents {
	t.Helper()
	out := &Contents{}
	ask(t, contents, map[string]any{"pages": pages, "byDesign": byDesign}, out)
	return out
}
