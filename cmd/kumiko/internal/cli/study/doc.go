// Package study is kumiko study: it runs experiments, and reports their results.
package study
