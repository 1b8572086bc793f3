package pagetest

import "testing"

// choosing clicks the first box of a page's diagram, and goes on to the second by the keyboard.
const choosing = `<script>` + found + `
const f = document.createElement('iframe');
f.style.width = width + 'px'; f.style.height = '900px'; f.style.border = '0'; f.src = 'file://' + file;
f.onload = () => {
  const d = f.contentDocument, boxes = d.querySelectorAll('.diagram .box'), panel = d.querySelector('.diagram .panel');
  const frame = d.querySelector('.diagram .frame'), said = () => panel.innerText;
  const out = {before: said(), least: 1000, wide: d.documentElement.scrollWidth > d.documentElement.clientWidth,
    scrolls: frame.scrollWidth > frame.clientWidth,
    beside: panel.getBoundingClientRect().left >= frame.getBoundingClientRect().right};
  boxes[0].dispatchEvent(new MouseEvent('click', {bubbles: true}));
  out.clicked = said();
  boxes[1].focus();
  out.focused = d.activeElement === boxes[1];
  d.activeElement.dispatchEvent(new KeyboardEvent('keydown', {key: 'Enter', bubbles: true}));
  out.entered = said();
  out.pressed = [...boxes].map(b => b.getAttribute('aria-pressed')).join();
  for (const t of d.querySelectorAll('.diagram text, .diagram .panel *')) {
    const m = t.getScreenCTM ? t.getScreenCTM() : {c: 0, d: 1};
    if (t.textContent.trim() && (!t.getScreenCTM || t.closest('.frame')))
      out.least = Math.min(out.least, parseFloat(f.contentWindow.getComputedStyle(t).fontSize) * Math.hypot(m.c, m.d));
  }
  found(out);
};
document.body.append(f);
</script>`

// Chosen is what the panel of a diagram said, in turn, and how the diagram lay in the window.
type Chosen struct {
	Before, Clicked, Entered string
	Pressed                  string // of each box, after the second was chosen
	Focused                  bool   // the keyboard reached the second box
	Least                    float64
	Wide, Scrolls, Beside    bool // the page is wider than the window; the drawing is than its frame; the panel's place
}

// Choose opens a page in a window of a width in pixels, clicks the first box of its diagram, and presses Enter at the
// second. The test is skipped where there is no Chromium.
func Choose(t *testing.T, file string, width int) *Chosen {
	t.Helper()
	out := &Chosen{}
	ask(t, choosing, map[string]any{"file": file, "width": width}, out)
	return out
}
