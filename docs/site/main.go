// Command site makes a static site of the project's Markdown. Each document becomes a page with a navigation list
// taken from README.md. The site needs neither server nor network.
//
//	go run ./docs/site [-o out/site] [-root .]
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	out := flag.String("o", "out/site", "the folder to make the site in; what is there is replaced")
	root := flag.String("root", ".", "the project's root")
	flag.Parse()
	if flag.NArg() > 0 {
		fmt.Fprintf(os.Stderr, "site: found %q, expected options alone\n", flag.Arg(0))
		os.Exit(2)
	}
	n, err := build(*root, *out)
	if err != nil {
		fmt.Fprintln(os.Stderr, "site:", err)
		os.Exit(1)
	}
	fmt.Printf("%d pages: %s\n", n, filepath.Join(*out, "index.html"))
}
