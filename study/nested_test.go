package study

import (
	"slices"
	"strings"
	"testing"
)

const nestedStudy = `name  = "t"
title = "t"

[groups]
dense  = ["sgemm", "gemm"]
both   = ["dense", "graphs", "gemm"]
graphs = ["bfs"]

[[variant]]
name = "base"
gpu  = "gtx980"
`

func TestAGroupMayNameGroupsWhoseBenchmarksItHasOnce(t *testing.T) {
	s, err := Parse("t.toml", []byte(nestedStudy))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := s.Groups["both"], []string{"sgemm", "gemm", "bfs"}; !slices.Equal(got, want) {
		t.Errorf("both is %v, want %v", got, want)
	}
	if got, want := s.Groups[AllGroup], []string{"sgemm", "gemm", "bfs"}; !slices.Equal(got, want) {
		t.Errorf("all is %v, want %v", got, want)
	}
}

func TestAGroupWithinItselfIsRefusedWithItsPlace(t *testing.T) {
	_, err := Parse("t.toml", []byte(strings.Replace(nestedStudy, `["bfs"]`, `["bfs", "both"]`, 1)))
	want := "t.toml:7:18: group both: found itself in it (both > graphs > both), expected benchmarks and other groups"
	if err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}
