// Draws every element of class lanes: what happens in rows over time.
for (const box of document.querySelectorAll('.lanes')) {
  const data = JSON.parse(box.querySelector('script').textContent);
  const canvas = box.querySelector('canvas'), tip = box.querySelector('.tip'), g = canvas.getContext('2d');
  // From dark to light and back, apart in grey too; on dark pages the order is the same.
  const fills = ['#1c3d5a', '#e0a030', '#f6e3b4', '#2f8f83', '#9d3c72', '#c3c8ce'];
  const rowHeight = 9, nameWidth = 90, axis = 22, least = 8;
  const tops = []; let height = 0;
  for (const lane of data.lanes) { tops.push(height); height += lane.rows * rowHeight + 5; }
  let from = data.start, to = Math.max(data.to, data.start + least), top = 0, waiting = false;
  const room = () => canvas.clientHeight - axis;
  const scale = () => (canvas.clientWidth - nameWidth) / (to - from);
  const style = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  function redraw() { if (!waiting) { waiting = true; requestAnimationFrame(draw); } }
  function draw() {
    waiting = false;
    const dpr = window.devicePixelRatio || 1, w = canvas.clientWidth, h = canvas.clientHeight, k = scale();
    if (canvas.width !== w * dpr || canvas.height !== h * dpr) { canvas.width = w * dpr; canvas.height = h * dpr; }
    g.setTransform(dpr, 0, 0, dpr, 0, 0);
    g.clearRect(0, 0, w, h);
    g.font = '11px system-ui, sans-serif';
    const ink = style('--ink'), soft = style('--soft'), line = style('--line');
    g.save(); g.beginPath(); g.rect(nameWidth, axis, w - nameWidth, h - axis); g.clip();
    data.lanes.forEach((lane, i) => {
      const y0 = axis + tops[i] - top;
      if (y0 > h || y0 + lane.rows * rowHeight < axis) return;
      g.fillStyle = line; g.fillRect(nameWidth, y0 + lane.rows * rowHeight + 2, w, 1);
      for (const s of lane.spans) {
        if (s.e <= from) continue;
        if (s.b[0] >= to) break;
        const y = y0 + s.r * rowHeight;
        for (let j = 0; j < s.b.length; j++) {
          if (j && !s.b[j]) continue;
          let end = s.e;
          for (let n = j + 1; n < s.b.length; n++) if (s.b[n]) { end = s.b[n]; break; }
          if (end === s.b[j]) continue;
          const x = nameWidth + (s.b[j] - from) * k;
          g.fillStyle = fills[j % fills.length];
          g.fillRect(x, y, Math.max((end - s.b[j]) * k - (k > 6 ? 1 : 0), 1), rowHeight - 2);
        }
      }
    });
    g.restore();
    g.fillStyle = soft; g.textBaseline = 'middle';
    data.lanes.forEach((lane, i) => {
      const y = axis + tops[i] - top + rowHeight / 2;
      if (y > axis + 2 && y < h) g.fillText(lane.name, 4, y, nameWidth - 8);
    });
    const step = Math.pow(10, Math.ceil(Math.log10(70 / k)));
    const every = [step / 5, step / 2, step].find(s => s >= 1 && s * k >= 60) || step;
    for (let t = Math.ceil(from / every) * every; t < to; t += every) {
      const x = nameWidth + (t - from) * k;
      g.fillStyle = soft; g.fillText(String(t), x + 3, 9);
      g.fillStyle = line; g.fillRect(x, 0, 1, axis - 4);
    }
    g.fillStyle = ink; g.fillText(data.unit, 4, 9);
  }
  function move(df, dt) {
    const span = to - from;
    from = Math.min(Math.max(from + df, data.from), Math.max(data.to - span, data.from)); to = from + span;
    top = Math.min(Math.max(top + dt, 0), Math.max(height - room(), 0));
    redraw();
  }
  function zoom(factor, at) {
    const span = Math.min(Math.max((to - from) * factor, least), data.to - data.from);
    from = at - (at - from) * span / (to - from); to = from + span;
    move(0, 0);
  }
  const when = e => from + (e.offsetX - nameWidth) / scale();
  canvas.addEventListener('wheel', e => {
    e.preventDefault();
    if (e.ctrlKey || e.metaKey) zoom(Math.exp(e.deltaY / 300), when(e));
    else if (e.shiftKey) move(e.deltaY / scale(), 0);
    else move(e.deltaX / scale(), e.deltaY);
  }, {passive: false});
  canvas.addEventListener('keydown', e => {
    const span = to - from, keys = {ArrowLeft: [-span / 8, 0], ArrowRight: [span / 8, 0], ArrowUp: [0, -40], ArrowDown: [0, 40],
      PageUp: [0, -room()], PageDown: [0, room()], Home: [-1e18, 0], End: [1e18, 0]};
    if (keys[e.key]) move(...keys[e.key]);
    else if (e.key === '+' || e.key === '=') zoom(0.7, (from + to) / 2);
    else if (e.key === '-') zoom(1 / 0.7, (from + to) / 2);
    else return;
    e.preventDefault();
  });
  let drag = null;
  canvas.addEventListener('pointerdown', e => { drag = e; canvas.setPointerCapture(e.pointerId); });
  canvas.addEventListener('pointerup', () => { drag = null; });
  canvas.addEventListener('pointermove', e => {
    if (drag) { move((drag.offsetX - e.offsetX) / scale(), drag.offsetY - e.offsetY); drag = e; return; }
    const y = e.offsetY - axis + top, t = when(e);
    const i = e.offsetX < nameWidth || e.offsetY < axis ? -1 : tops.findLastIndex(v => v <= y);
    const row = i < 0 ? -1 : Math.floor((y - tops[i]) / rowHeight);
    const s = i < 0 ? null : data.lanes[i].spans.find(s => s.r === row && s.b[0] <= t && t < s.e);
    tip.hidden = !s;
    if (!s) return;
    const parts = [];
    s.b.forEach((b, j) => {
      if (j && !b) return;
      let end = s.e;
      for (let n = j + 1; n < s.b.length; n++) if (s.b[n]) { end = s.b[n]; break; }
      if (end === b) return;
      parts.push(data.stages[j] + ' ' + b + ' to ' + end + ' (' + (end - b) + ')');
    });
    tip.textContent = data.lanes[i].name + ': ' + s.t + '\n' + parts.join('\n');
    tip.style.left = Math.min(e.offsetX + 14, canvas.clientWidth - 320) + 'px';
    tip.style.top = (e.offsetY + 14) + 'px';
  });
  canvas.addEventListener('pointerleave', () => { tip.hidden = true; });
  new ResizeObserver(redraw).observe(canvas);
  scheme.addEventListener('change', redraw);
  box.show = (a, b, y) => { from = a; to = b; top = y; draw(); };
  to = Math.min(to, from + Math.max(least, Math.round((canvas.clientWidth - nameWidth) / 6)));
  redraw();
}
