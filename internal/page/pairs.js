// Fills every element of class pairs with the differences of the two points that are chosen.
for (const box of document.querySelectorAll('.pairs')) {
  const {groups, tables} = JSON.parse(box.querySelector('script').textContent);
  const [first, second] = box.querySelectorAll('select'), out = box.querySelector('.differences');
  function add(parent, tag, text, kind) {
    const e = parent.appendChild(document.createElement(tag));
    if (text !== undefined) e.textContent = text;
    if (kind) e.className = kind;
    if (tag === 'td') breakName(e);
    return e;
  }
  const plus = x => x > 0 ? '+' : '';
  const signed = (x, digits) => plus(x) + x.toFixed(digits);
  const number = x => Number.isInteger(x) || Math.abs(x) >= 1000 ? x.toFixed(0) : String(Number(x.toPrecision(4)));
  function change(t, a, b) {
    if (!t.relative) return Math.abs(b - a) < 0.0005 ? plus(b - a) + (b - a).toPrecision(1) : signed(b - a, 3);
    return a === 0 ? 'A has none' : b === 0 ? 'B has none' : signed(100 * (b / a - 1), 1) + ' %';
  }
  function show() {
    const a = Number(first.value), b = Number(second.value);
    out.replaceChildren();
    for (const t of tables) {
      const value = (i, point) => {
        const of = t.of && t.of[i];
        return of ? t.values[i][of.indexOf(point)] || 0 : t.values[i][point];
      };
      const rows = t.names.map((name, i) => [name, value(i, a), value(i, b)]).filter(r => r[1] !== r[2]);
      if (!t.relative) rows.sort((x, y) => Math.abs(y[2] - y[1]) - Math.abs(x[2] - x[1]));
      const texts = (t.texts || []).filter(x => x.of[groups[a]] !== x.of[groups[b]]);
      if (!rows.length && !texts.length) continue;
      add(out, 'h3', t.title);
      const table = add(add(out, 'div', undefined, 'scroll'), 'table', undefined, 'few'), head = add(add(table, 'thead'), 'tr');
      const body = add(table, 'tbody');
      const most = Math.max(...rows.map(r => Math.abs(r[2] - r[1])));
      for (const name of texts.length ? ['setting', 'A', 'B'] : ['', 'A', 'B', 'change'])
        add(head, 'th', name, texts.length || !name ? '' : 'num');
      if (!t.relative && rows.length) add(head, 'th', '', 'bars');
      for (const x of texts) {
        const row = add(body, 'tr');
        for (const text of [x.name, x.texts[x.of[groups[a]]], x.texts[x.of[groups[b]]]]) add(row, 'td', text);
      }
      const shown = t.relative ? rows : rows.slice(0, 20);
      for (const [name, x, y] of shown) {
        const row = add(body, 'tr');
        add(row, 'td', name);
        for (const text of [number(x), number(y), change(t, x, y)]) add(row, 'td', text, 'num');
        if (t.relative) continue;
        const bar = add(add(row, 'td', undefined, 'bars'), 'span', undefined, y > x ? 'bar more' : 'bar less');
        bar.style.width = Math.max(1, 120 * Math.abs(y - x) / most) + 'px';
      }
      if (rows.length > shown.length) add(out, 'p', `${rows.length - shown.length} more differ less.`);
    }
    if (!out.firstChild) add(out, 'p', 'The two points are equal in all of this.');
  }
  for (const s of [first, second]) s.addEventListener('change', show);
  show();
}
