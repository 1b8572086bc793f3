package spec_test

import (
	"strings"
	"testing"

	"kumiko/components/spec"
)

type port struct {
	Width int `toml:"width" default:"3" range:"1 to 4"`
}

type tagged struct {
	Name  string  `toml:"name" default:"oldest"`
	On    bool    `toml:"on" default:"true"`
	Share float64 `toml:"share" default:"0.5" range:"0 to 1"`
	Queue int     `toml:"queue"`
	Port  port    `toml:"port"`
	port
}

func TestDefaultsAreThoseOfTheTags(t *testing.T) {
	var s tagged
	spec.Defaults(&s)
	want := tagged{Name: "oldest", On: true, Share: 0.5, Port: port{Width: 3}, port: port{Width: 3}}
	if s != want {
		t.Errorf("found %+v, want %+v", s, want)
	}
}

func TestANumberOutOfTheRangeOfItsTagIsRefusedByItsKey(t *testing.T) {
	for want, change := range map[string]func(*tagged){
		"":                                     func(s *tagged) {},
		"share: found 1.5, expected 0 to 1":    func(s *tagged) { s.Share = 1.5 },
		"port.width: found 0, expected 1 to 4": func(s *tagged) { s.Port.Width = 0 },
		"port.width: found 5, expected 1 to 4": func(s *tagged) { s.Port.Width = 5 },
		"width: found 9, expected 1 to 4":      func(s *tagged) { s.Width = 9 },
	} {
		var s tagged
		spec.Defaults(&s)
		change(&s)
		switch err := spec.Ranges(&s); {
		case err == nil && want != "", err != nil && err.Error() != want:
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

func TestATagThatIsNoValueOfItsFieldPanics(t *testing.T) {
	for want, f := range map[string]func(){
		"default of": func() {
			spec.Defaults(&struct {
				N int `default:"x"`
			}{})
		},
		"range of": func() {
			spec.Ranges(&struct {
				N int `toml:"n" range:"1..4"`
			}{})
		},
	} {
		func() {
			defer func() {
				if p, ok := recover().(string); !ok || !strings.Contains(p, want) {
					t.Errorf("panic %v, want %q", p, want)
				}
			}()
			f()
		}()
	}
}
