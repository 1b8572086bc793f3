// Package svg draws Vega-Lite specifications as SVG without a browser. The libraries of third_party/vega run in a
// JavaScript interpreter.
//
// The interpreter has no fonts, so text sizes are estimated. Layouts depending on them, such as the space for
// labels, may differ by a few pixels from a browser's drawing of the same specification.
package svg

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf16"

	"github.com/dop251/goja"

	"kumiko/internal/page"
	"kumiko/third_party/vega"
)

// Drawer draws figures. It is not safe for concurrent use.
type Drawer struct {
	vm   *goja.Runtime
	draw goja.Callable
}

// shims are definitions expected by the libraries but missing in the interpreter.
const shims = `
var console = {log: function() {}, warn: function() {}, error: function() {}, info: function() {}, debug: function() {}};
function structuredClone(x) {
  if (x === null || typeof x !== 'object') return x;
  if (x instanceof Date) return new Date(x.getTime());
  if (Array.isArray(x)) return x.map(structuredClone);
  var out = {};
  Object.keys(x).forEach(function(k) { out[k] = structuredClone(x[k]); });
  return out;
}
var globalThis = this, self = this, window = undefined;
`

// driver returns the drawing function. The view has nothing to wait for, so its promise is settled once the
// interpreter's queue is empty.
const driver = `
(function(text) {
  var out = {svg: '', error: ''};
  try {
    var compiled = vegaLite.compile(JSON.parse(text), {logger: {level: function() { return this; }, warn: function() { return this; }, info: function() { return this; }, debug: function() { return this; }, error: function(e) { out.error += e; return this; }}}).spec;
    var view = new vega.View(vega.parse(compiled), {renderer: 'none'});
    view.toSVG().then(function(s) { out.svg = s; }, function(e) { out.error = String(e && e.stack || e); });
  } catch (e) { out.error = String(e && e.stack || e); }
  return out;
})`

// New loads the libraries. This takes some tenths of a second.
func New() (*Drawer, error) {
	vm := goja.New()
	for _, part := range []struct{ name, text string }{{"shims", shims}, {"vega", vega.Vega},
		{"vega-lite", vega.Lite}} {
		if _, err := vm.RunScript(part.name, part.text); err != nil {
			return nil, fmt.Errorf("%s: %w", part.name, err)
		}
	}
	f, err := vm.RunString(driver)
	if err != nil {
		return nil, err
	}
	draw, ok := goja.AssertFunction(f)
	if !ok {
		return nil, errors.New("the driver is no function")
	}
	return &Drawer{vm, draw}, nil
}

// Draw returns the figure described by a specification, as drawn by package page.
func (d *Drawer) Draw(spec map[string]any) ([]byte, error) {
	text, err := json.Marshal(page.Complete(spec))
	if err != nil {
		return nil, err
	}
	v, err := d.draw(goja.Undefined(), d.vm.ToValue(string(text)))
	if err != nil {
		return nil, err
	}
	out := v.ToObject(d.vm)
	if text := out.Get("error").String(); text != "" {
		return nil, errors.New(text)
	}
	s := out.Get("svg").String()
	if s == "" {
		return nil, errors.New("nothing was drawn")
	}
	return []byte(strings.Map(legal, s)), nil
}

// legal returns r if XML permits r (Extensible Markup Language 1.0, section 2.2). Otherwise it returns a
// replacement: a blank, the picture of a control character, or the replacement character.
func legal(r rune) rune {
	switch {
	case r == '\t' || r == '\n' || r == '\r' || r >= ' ' && r < 0xfffe && !utf16.IsSurrogate(r) || r > 0xffff:
		return r
	case unicode.IsSpace(r):
		return ' '
	case r < ' ':
		return '\u2400' + r
	}
	return unicode.ReplacementChar
}
