package main

import (
	"fmt"
	"strings"

	"kumiko/gpus/config"
	"kumiko/gpus/probe"
	"kumiko/kernel/cuasm"
)

// rated are the GPUs with compared rates, each with its compute capability, in the order of rate.lanes.
var rated = []struct{ gpu, capability string }{{"gtx980-sm52", "5.2"}, {"titan-v", "7.0"}, {"rtx-2070s", "7.5"},
	{"rtx-a6000", "8.6"}, {"h100", "9.0"}}

// rate is the rate of an instruction.
type rate struct {
	// text is the instruction. In the other instructions of a sequence, R8 (the result) and R4 and R9 (sources) are
	// replaced by other registers, R4 by registers of another bank than R8's. Registers of doubles are even.
	text  string
	lanes [5]float64 // lanes per cycle and SM, by rated; 0: the chip has no such instruction, or needs several
	// turns is a form of the instruction that the last chip takes in turn with it, in another unit.
	turns string
}

// rates are NVIDIA's, from "Throughput of Native Arithmetic Instructions" in the CUDA C++ programming guide. The
// columns of 5.2 and 7.0 were read in version 10. The columns of 7.5, 8.6 and 9.0 were not read: their values are
// from memory, and single cells were found quoted. An H100 confirms the column of 9.0 for FADD, FMUL, FFMA, DADD,
// DFMA, MUFU, IADD3, IMAD, shifts, minima, LOP3, POPC, FLO and BREV (lab/device). The table counts results. A
// lane of a half-precision instruction has two.
var rates = []rate{
	{text: "FADD R8, R8, R4 ;", lanes: [5]float64{128, 64, 64, 128, 128}},
	{text: "FMUL R8, R8, R4 ;", lanes: [5]float64{128, 64, 64, 128, 128}},
	{text: "FFMA R8, R8, R4, R8 ;", lanes: [5]float64{128, 64, 64, 128, 128}},
	{text: "HFMA2 R8, R8, R4, R8 ;", lanes: [5]float64{0, 64, 64, 64, 128}, turns: "HFMA2.MMA"},
	{text: "DADD R8, R8, R4 ;", lanes: [5]float64{4, 32, 2, 2, 64}},
	{text: "DFMA R8, R8, R8, R8 ;", lanes: [5]float64{4, 32, 2, 2, 64}},
	{text: "MUFU.RCP R8, R8 ;", lanes: [5]float64{32, 16, 16, 16, 16}},
	{text: "IADD3 R8, R8, R4, RZ ;", lanes: [5]float64{128, 64, 64, 64, 64}},
	{text: "IMAD R8, R8, R4, R8 ;", lanes: [5]float64{0, 64, 64, 64, 64}},
	{text: "SHF.L.U32 R8, R8, 0x3, RZ ;", lanes: [5]float64{64, 64, 64, 64, 64}},
	{text: "IMNMX R8, R8, R4, PT ;", lanes: [5]float64{64, 64, 64, 64, 64}},
	{text: "FMNMX R8, R8, R4, PT ;", lanes: [5]float64{64, 64, 64, 64, 64}},
	{text: "ISETP.GT.AND P0, PT, R8, R9, PT ;", lanes: [5]float64{64, 64, 64, 64, 64}},
	{text: "FSETP.GT.AND P0, PT, R8, R9, PT ;", lanes: [5]float64{64, 64, 64, 64, 64}},
	{text: "LOP3.LUT R8, R8, R4, RZ, 0x3c, !PT ;", lanes: [5]float64{128, 64, 64, 64, 64}},
	{text: "POPC R8, R8 ;", lanes: [5]float64{32, 16, 16, 16, 16}},
	{text: "FLO.U32 R8, R8 ;", lanes: [5]float64{32, 16, 16, 16, 16}},
	{text: "BREV R8, R8 ;", lanes: [5]float64{0, 16, 16, 16, 16}},
	{text: "I2F.F32.S32 R8, R8 ;", lanes: [5]float64{32, 16, 16, 16, 16}},
	{text: "F2I.S32.F32 R8, R8 ;", lanes: [5]float64{32, 16, 16, 16, 16}},
	{text: "F2F.F64.F32 R8, R9 ;", lanes: [5]float64{4, 16, 2, 2, 16}},
}

// rateRows simulates the rates of the wanted GPUs, with 32 warps of four independent instructions.
func rateRows(done func(), want func(gpu, op string) bool) ([]Row, error) {
	var out []Row
	for i, g := range rated {
		for _, r := range rates {
			op, _, _ := strings.Cut(r.text, " ")
			if r.lanes[i] == 0 || !want(g.gpu, op) {
				continue
			}
			turns := op
			if r.turns != "" && i == len(rated)-1 {
				turns = r.turns
			}
			got, err := lanes(g.gpu, r.text, turns)
			if err != nil {
				return nil, fmt.Errorf("%s on %s: %w", op, g.gpu, err)
			}
			out = append(out, Row{File: "compute capability " + g.capability + ", " + g.gpu, Name: op,
				Measured: r.lanes[i], Simulated: got})
			done()
		}
	}
	return out, nil
}

// lanes returns the throughput of an instruction on an SM in turn with one of another opcode, in lanes per cycle.
func lanes(gpu, text, turns string) (float64, error) {
	const independent, warps, width, subCores = 4, 32, 32, 4
	var lines []string
	for i := range independent {
		result, other := 8+i, 21+i
		if strings.HasPrefix(text, "D") || strings.Contains(text, "F64") {
			result, other = 8+2*i, 20+2*i
		}
		text := text
		if op, operands, _ := strings.Cut(text, " "); i%2 == 1 && op != turns {
			text = turns + " " + operands
		}
		lines = append(lines, strings.NewReplacer("R8", fmt.Sprintf("R%d", result), "R4", fmt.Sprintf("R%d", other),
			"R9", fmt.Sprintf("R%d", other+8), "P0", fmt.Sprintf("P%d", i)).Replace(text))
	}
	r, err := probed(gpu, lines, probe.Spec{Warps: warps, Repeat: 30, File: gpu})
	if err != nil {
		return 0, err
	}
	// r.Cycles is the time of one repetition of a scheduler's warps, divided by their number.
	return independent * width * subCores / r.Cycles, nil
}

// probed runs a sequence on a GPU, with control words made by the compiler.
func probed(gpu string, lines []string, s probe.Spec) (*probe.Result, error) {
	list, err := cuasm.Read(s.File, []byte(strings.Join(lines, "\n")+"\n"))
	if err != nil {
		return nil, err
	}
	code := list[0].Insts
	cfg, err := config.Load(config.Request{GPU: gpu, Set: probe.Settings(code)})
	if err != nil {
		return nil, err
	}
	if code, _, err = probe.Words(cfg, code, nil, probe.OfGPU); err != nil {
		return nil, err
	}
	s.Fitted = true
	return probe.Run(cfg, code, lines, s)
}
