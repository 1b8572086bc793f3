package main

import (
	"encoding/json"
	"fmt"
	"html"
	"os"
	"strings"
)

// listed is a listing as kumiko inspect --listing --format json writes it, in as far as the picture shows it.
type listed []struct {
	Kernel       string
	Assembler    string
	Instructions []struct {
		PC            int
		Instruction   string
		Reads, Writes []register
	}
}

type register struct {
	Register int
	Bank     *int
}

// Sizes of the picture in pixels: a row, and the columns of a listing.
const (
	rowHeight   = 17
	top         = 64
	atWrites    = 26
	atReads     = 74
	atText      = 168
	columnWidth = 470
)

// bankColours tell four banks apart, for those too who see no red or no green (Okabe and Ito, 2008).
var bankColours = [4]string{"#0072b2", "#e69f00", "#009e73", "#cc79a7"}

// picture draws the first kernels of two listings beside each other: what each instruction writes and reads, a square
// for each register in the colour of its bank.
func picture(files []string) (string, error) {
	if len(files) != 2 {
		return "", fmt.Errorf("found %d files, expected two listings of kumiko inspect --listing --format json",
			len(files))
	}
	var b strings.Builder
	rows := 0
	for i, name := range files {
		l, err := readListing(name)
		if err != nil {
			return "", err
		}
		rows = max(rows, len(l[0].Instructions))
		column(&b, l, 12+i*columnWidth)
	}
	legend(&b)
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" font-family="sans-serif" `+
		`font-size="12"><rect width="100%%" height="100%%" fill="white"/>%s</svg>`+"\n", 2*columnWidth+40, top+rows*rowHeight+8, b.String()), nil
}

func readListing(name string) (l listed, err error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(data, &l); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if len(l) == 0 {
		return nil, fmt.Errorf("%s: found no kernel, expected a listing", name)
	}
	return l, nil
}

func column(b *strings.Builder, l listed, x int) {
	k := &l[0]
	by := "Kumiko's compiler"
	if k.Assembler != "" {
		by = "NVIDIA's " + k.Assembler
	}
	label(b, x, 20, "font-weight=\"bold\" font-size=\"14\"", fmt.Sprintf("%s by %s", k.Kernel, by))
	label(b, x+atWrites, 58, `fill="#555"`, "writes")
	label(b, x+atReads, 58, `fill="#555"`, "reads")
	label(b, x+atText, 58, `fill="#555"`, "instruction")
	for i := range k.Instructions {
		in := &k.Instructions[i]
		y := top + i*rowHeight
		label(b, x, y+12, `fill="#777" font-size="11"`, fmt.Sprint(in.PC))
		squares(b, in.Writes, x+atWrites, y)
		squares(b, in.Reads, x+atReads, y)
		label(b, x+atText, y+12, `font-family="monospace"`, in.Instruction)
	}
}

func squares(b *strings.Builder, list []register, x, y int) {
	for i, r := range list {
		colour := "#999"
		if r.Bank != nil {
			colour = bankColours[*r.Bank%len(bankColours)]
		}
		fmt.Fprintf(b, `<rect x="%d" y="%d" width="26" height="14" rx="2" fill="%s"/>`, x+30*i, y, colour)
		label(b, x+30*i+13, y+11, `fill="white" font-size="11" text-anchor="middle"`, fmt.Sprintf("R%d", r.Register))
	}
}

func legend(b *strings.Builder) {
	for i, colour := range bankColours {
		fmt.Fprintf(b, `<rect x="%d" y="30" width="12" height="12" rx="2" fill="%s"/>`, 12+70*i, colour)
		label(b, 28+70*i, 40, `fill="#555"`, fmt.Sprintf("bank %d", i))
	}
}

func label(b *strings.Builder, x, y int, attributes, text string) {
	fmt.Fprintf(b, `<text x="%d" y="%d" %s>%s</text>`, x, y, attributes, html.EscapeString(text))
}
