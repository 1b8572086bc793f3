package pagetest

import "testing"

// scrolling opens each page on a phone, unfolds it, and looks at what scrolls within it.
const scrolling = `<script>` + found + `
const drawn = d => [...d.querySelectorAll('.figure')].every(f => f.querySelector('svg') || f.textContent);
const wait = time => new Promise(done => setTimeout(done, time));
async function look() {
  const out = {tables: 0, wide: 0, wrong: [], figures: []};
  for (const p of pages) {
    const f = document.createElement('iframe');
    f.style.width = '390px'; f.style.height = '900px'; f.style.border = '0'; f.src = 'file://' + p;
    await new Promise(done => { f.onload = done; document.body.append(f); });
    const d = f.contentDocument;
    for (const fold of d.querySelectorAll('details:not(.figure details)')) fold.open = true;
    for (let i = 0; i < 400 && !drawn(d); i++) await wait(25);
    await wait(3000); // a wide figure is drawn again
    for (const s of d.querySelectorAll('.scroll')) {
      const table = s.querySelector('table'), said = table && p + ': ' + table.textContent.trim().slice(0, 60);
      if (!table) continue;
      out.tables++;
      if (s.scrollWidth <= s.clientWidth + 1) continue;
      out.wide++;
      if (table.rows[0].cells.length <= 4) out.wrong.push(said + ': is ' + s.scrollWidth + ' wide');
      s.scrollLeft = s.scrollWidth;
      const first = table.rows[1].cells[0].getBoundingClientRect(), frame = s.getBoundingClientRect();
      if (s.scrollLeft === 0 || first.left < frame.left - 1 || first.right > frame.right)
        out.wrong.push(said + ': its first column is out of sight');
      if (!f.contentWindow.getComputedStyle(s).backgroundImage.includes('gradient'))
        out.wrong.push(said + ': does not show that there is more');
    }
    for (const x of d.querySelectorAll('.figure')) if (x.scrollWidth > x.clientWidth + 1)
      out.figures.push((x.parentElement.querySelector('figcaption') || x).textContent);
    f.remove();
  }
  found(out);
}
look();
</script>`

// Phone is what a phone shows: the number of tables, of tables wider than it, the faults in these, and the captions of
// the figures wider than it.
type Phone struct {
	Tables, Wide   int
	Wrong, Figures []string
}

// OnAPhone opens pages in a window of 390 pixels. A table of up to four columns is to fit, and a wider one to keep its
// first column in sight, and to show that there is more. The test is skipped where there is no Chromium.
func OnAPhone(t *testing.T, pages ...string) *Phone {
	t.Helper()
	out := &Phone{}
	ask(t, scrolling, map[string]any{"pages": pages}, out)
	return out
}
