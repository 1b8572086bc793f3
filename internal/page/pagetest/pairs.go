package pagetest

import "testing"

// picking chooses two points of a page's comparison.
const picking = `<script>` + found + `
const f = document.createElement('iframe');
f.style.width = '390px'; f.style.height = '900px'; f.style.border = '0'; f.src = 'file://' + file;
f.onload = () => {
  const d = f.contentDocument, [first, second] = d.querySelectorAll('.pairs select');
  const out = {before: d.querySelector('.differences').innerText};
  for (const [s, i] of [[first, a], [second, b]]) {
    s.selectedIndex = i;
    s.dispatchEvent(new Event('change'));
  }
  out.after = d.querySelector('.differences').innerText;
  out.bars = [...d.querySelectorAll('.differences .bar')].map(x => x.className + ' ' + x.style.width).join(', ');
  out.wide = d.documentElement.scrollWidth > d.documentElement.clientWidth;
  found(out);
};
document.body.append(f);
</script>`

// Picked is the text of a comparison before and after a choice, the bars after it, and whether the page is wider than
// a phone.
type Picked struct {
	Before, After, Bars string
	Wide                bool
}

// Pick opens a page on a phone and chooses two points of its comparison. The test is skipped where there is no
// Chromium.
func Pick(t *testing.T, file string, a, b int) *Picked {
	t.Helper()
	out := &Picked{}
	ask(t, picking, map[string]any{"file": file, "a": a, "b": b}, out)
	return out
}
