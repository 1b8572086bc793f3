package polybench

// Times returns A x for a row-major rows x cols matrix.
func Times(a []float32, rows, cols int, x []float64) []float64 {
	out := make([]float64, rows)
	for i := range out {
		for j, v := range a[i*cols : (i+1)*cols] {
			out[i] += float64(v) * x[j]
		}
	}
	return out
}

// TransposedTimes returns A^T x for a row-major rows x cols matrix.
func TransposedTimes(a []float32, rows, cols int, x []float64) []float64 {
	out := make([]float64, cols)
	for i := range rows {
		for j, v := range a[i*cols : (i+1)*cols] {
			out[j] += float64(v) * x[i]
		}
	}
	return out
}

// TimesTransposed returns A B^T for row-major n x m matrices.
func TimesTransposed(a, b []float32, n, m int) []float64 {
	out := make([]float64, n*n)
	for i := range n {
		for j := range n {
			for k := range m {
				out[i*n+j] += float64(a[i*m+k]) * float64(b[j*m+k])
			}
		}
	}
	return out
}
