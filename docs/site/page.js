// The menu on narrow screens, and the search. The index is loaded when the search is first used.
(function () {
  "use strict";
  var up = document.body.dataset.up, input = document.getElementById("search"), found = document.getElementById("found");
  var menu = document.getElementById("menu"), nav = document.getElementById("nav");
  menu.addEventListener("click", function () {
    menu.setAttribute("aria-expanded", String(nav.classList.toggle("open")));
  });
  var here = nav.querySelector("[aria-current]");
  if (here && here.offsetTop > nav.clientHeight) nav.scrollTop = here.offsetTop - 100;

  var loading = false;
  function load() {
    if (loading) return;
    loading = true;
    var s = document.createElement("script");
    s.src = up + "search.js";
    s.onload = show;
    document.head.append(s);
  }
  function show() {
    var text = input.value.trim();
    found.hidden = !text || !window.kumikoIndex;
    if (found.hidden) return;
    found.replaceChildren();
    var results = kumikoIndex.search(text).slice(0, 20);
    results.forEach(function (r) {
      var li = document.createElement("li"), a = document.createElement("a"), b = document.createElement("b"), small = document.createElement("small");
      a.href = up + r.link;
      b.textContent = r.title;
      small.textContent = r.page + (r.excerpt ? ": " + r.excerpt : "");
      a.append(b, small);
      li.append(a);
      found.append(li);
    });
    if (!results.length) {
      var li = document.createElement("li");
      li.textContent = "Nothing found.";
      found.append(li);
    }
  }
  input.addEventListener("focus", load);
  input.addEventListener("input", function () { load(); show(); });
  document.addEventListener("keydown", function (e) {
    if (e.key === "/" && document.activeElement !== input) { e.preventDefault(); input.focus(); }
    if (e.key === "Escape") { found.hidden = true; input.blur(); }
    if (e.key === "Enter" && document.activeElement === input) {
      var first = found.querySelector("a");
      if (first) location.href = first.href;
    }
  });
  document.addEventListener("click", function (e) {
    if (!found.contains(e.target) && e.target !== input) found.hidden = true;
  });
})();
