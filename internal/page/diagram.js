// Makes the boxes of every element of class diagram buttons that show their numbers in the panel.
for (const diagram of document.querySelectorAll('.diagram')) {
  const data = JSON.parse(diagram.querySelector('script').textContent);
  const boxes = [...diagram.querySelectorAll('.frame .box')], panel = diagram.querySelector('.panel');
  const digits = n => String(n).replace(/\B(?=(\d{3})+$)/g, '\u202f');
  function add(parent, tag, text, kind) {
    const e = parent.appendChild(document.createElement(tag));
    if (text !== undefined) e.textContent = text;
    if (kind) e.className = kind;
    return e;
  }
  function show(box) {
    panel.replaceChildren();
    panel.scrollTop = 0;
    add(panel, 'h3', box.title);
    add(panel, 'p', box.note, 'note');
    if (!box.rows) return;
    const table = add(panel, 'table'), head = add(add(table, 'thead'), 'tr'), body = add(table, 'tbody');
    const several = box.rows.some(r => r.parts > 1);
    add(head, 'th', 'statistic');
    for (const name of several ? ['sum', 'least', 'most'] : ['value']) add(head, 'th', name, 'num');
    for (const r of box.rows) {
      const row = add(body, 'tr'), name = add(row, 'td', r.name);
      const more = document.getElementById(data.explained + r.name);
      if (more) {
        const cells = [...more.cells].slice(-2).map(c => c.textContent);
        add(name, 'div', cells[0] + ': ' + cells[1], 'what');
      }
      add(row, 'td', digits(r.sum), 'num');
      if (several) for (const n of [r.least, r.most]) add(row, 'td', r.parts > 1 ? digits(n) : '', 'num');
    }
  }
  let chosen = -1;
  function choose(i) {
    chosen = chosen === i ? -1 : i;
    boxes.forEach((b, k) => {
      b.classList.toggle('chosen', k === chosen);
      b.setAttribute('aria-pressed', k === chosen);
    });
    show(chosen < 0 ? data.rest : data.boxes[chosen]);
    panel.scrollIntoView({block: 'nearest'});
  }
  boxes.forEach((b, i) => {
    b.setAttribute('tabindex', 0);
    b.setAttribute('role', 'button');
    b.setAttribute('aria-pressed', false);
    b.setAttribute('aria-label', data.boxes[i].title);
    b.addEventListener('click', () => choose(i));
    b.addEventListener('keydown', e => {
      if (e.key !== 'Enter' && e.key !== ' ') return;
      e.preventDefault();
      choose(i);
    });
  });
  show(data.rest);
}
