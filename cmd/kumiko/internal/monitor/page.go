package monitor

import (
	"bytes"
	"io"
	"net/http"

	"github.com/sarchlab/akita/v3/monitoring/web"
)

// posting is a script that turns the GET requests of the page's buttons into POST.
const posting = `<script>
const get = window.fetch;
window.fetch = (what, how) => get(what, how || (/^\/api\/(pause|continue|run|tick\/)/.test(what) ? {method: 'POST'} : {}));
</script>
`

// page serves Akita's page, with the script posting inserted before its first script.
func page(w http.ResponseWriter, _ *http.Request) {
	f, err := web.GetAssets().Open("index.html")
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	defer f.Close()
	text, err := io.ReadAll(f)
	at := bytes.Index(text, []byte("<script"))
	if err != nil || at < 0 {
		http.Error(w, "the page cannot be read", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	// the client may be gone
	_, _ = w.Write(append(append(append([]byte{}, text[:at]...), posting...), text[at:]...))
}
