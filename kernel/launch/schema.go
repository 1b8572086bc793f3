package launch

import (
	"maps"
	"slices"

	"kumiko/internal/tomldoc"
)

// schema is a JSON schema, or a part of one.
type schema = map[string]any

// JSONSchema returns the JSON schema of a launch file, by which editors complete keys and mark mistakes.
func JSONSchema() map[string]any {
	step := stepSchema()
	steps := stepSchema()
	steps["properties"].(schema)["step"] = aList(step, "steps of every round: launches, memset, update, bind")
	m := aTable("", schema{
		"modules":  aList(aText(""), "further PTX files of the program, relative to this one"),
		"launch":   aList(steps, "what the host does, in order: launches of kernels, and changes of buffers"),
		"buffers":  schema{"type": "object", "additionalProperties": bufferSchema()},
		"textures": schema{"type": "object", "additionalProperties": textureSchema()},
		"expect":   aList(expectSchema(), "what buffers must hold at the end"),
		"save": aList(aTable("", schema{"buffer": aText("the buffer"), "path": aText("file under the output folder")},
			"buffer", "path"), "buffers written to files at the end"),
	})
	m["$schema"], m["title"] = tomldoc.Draft, "Launch file of Kumiko"
	return m
}

// aTable is an object with these keys alone.
func aTable(doc string, properties schema, required ...string) schema {
	m := schema{"type": "object", "properties": properties, "additionalProperties": false}
	if len(required) > 0 {
		m["required"] = required
	}
	return described(m, doc)
}

func described(m schema, doc string) schema {
	if doc != "" {
		m["description"] = doc
	}
	return m
}

func aText(doc string) schema { return described(schema{"type": "string"}, doc) }

func aWord(doc string, words ...string) schema {
	m := aText(doc)
	m["enum"] = words
	return m
}

func aFlag(doc string) schema { return described(schema{"type": "boolean"}, doc) }

func anInteger(doc string, low, high int64) schema {
	return described(schema{"type": "integer", "minimum": low, "maximum": high}, doc)
}

func aNumber(doc string) schema { return described(schema{"type": "number"}, doc) }

// aScalar is a number, or its text, such as "inf" or "0x1p-3".
func aScalar(doc string) schema {
	return described(schema{"type": []string{"number", "string", "boolean"}}, doc)
}

func aList(items schema, doc string) schema {
	return described(schema{"type": "array", "items": items}, doc)
}

// threeSizes is one to three sizes, or the first alone.
func threeSizes(doc string) schema {
	return described(schema{"type": []string{"array", "integer"}, "items": schema{"type": "integer", "minimum": 1},
		"maxItems": 3}, doc)
}

// aType names the types of elements and arguments.
func aType(doc string) schema { return aWord(doc, slices.Sorted(maps.Keys(scalarTypes))...) }

// stepSchema is a [[launch]], or a step within one.
func stepSchema() schema {
	part := func(more schema) schema {
		maps.Copy(more, schema{"buffer": aText("the buffer"), "first": anInteger("first element", 0, maxElements),
			"count": anInteger("elements", 1, maxElements)})
		return aTable("", more, "buffer")
	}
	return aTable("", schema{
		"kernel":         aText("name of the kernel, mangled or as in CUDA C++"),
		"module":         aText("the PTX file with the kernel, where several have it"),
		"grid":           threeSizes("CTAs in x, y and z"),
		"block":          threeSizes("threads of a CTA in x, y and z"),
		"cluster":        threeSizes("CTAs of a cluster in x, y and z"),
		"dynamic_shared": anInteger("dynamic shared memory of a CTA, in bytes", 0, 1<<20),
		"registers":      anInteger("registers of a thread; 0: as many as the kernel needs", 0, 255),
		"stream": anInteger("the stream of the launch, in which launches run in their order and beside those of "+
			"other streams; 0, the default stream, waits for all launches before it", 0, mostStreams),
		"name":        aText("a name, to which after of later launches refers"),
		"after":       aList(aText("the name of a launch above"), "launches that end before this one begins"),
		"cooperative": aFlag("the grid must fit on the GPU, and may wait for itself as a whole"),
		"args":        aList(argSchema(), "the arguments, in the order of the parameters"),
		"repeat":      described(schema{"type": "integer", "minimum": 1}, "number of rounds"),
		"while": aTable("another round while an element has a value", schema{"buffer": aText("the buffer"),
			"element": anInteger("its element", 0, maxElements), "equals": aScalar("the value"),
			"limit": anInteger("the largest number of rounds", 1, maxElements)}, "buffer", "limit"),
		"swap":   aList(aText(""), "two buffers that exchange their memory after each round"),
		"memset": described(part(schema{"value": aScalar("of every element")}), "sets every element of a buffer"),
		"update": described(part(schema{"init": initSchema()}), "fills a buffer as at the beginning"),
		"bind": aTable("binds a texture reference anew", schema{"texture": aText("the reference"),
			"to": aText("the texture with the texels")}, "texture"),
	})
}

// maxElements bounds numbers of elements in the schema. The limits of a run are lower.
const maxElements = 1<<53 - 1

func argSchema() schema {
	properties := schema{
		"buffer":  aText("address of a buffer"),
		"offset":  anInteger("with buffer: bytes behind its beginning", 0, maxElements),
		"texture": aText("a texture"),
		"struct":  aList(schema{"type": "object"}, "members, each as an argument"),
	}
	for name := range scalarTypes {
		properties[name] = aScalar("a number of this type, or its text")
	}
	m := aTable("", properties)
	m["minProperties"], m["maxProperties"] = 1, 2
	return m
}

func bufferSchema() schema {
	return aTable("", schema{
		"type":   aType("type of an element"),
		"count":  anInteger("elements", 1, maxElements),
		"init":   initSchema(),
		"symbol": aText("variable of the module in the place of memory of its own"),
		"module": aText("with symbol: the PTX file with the variable"),
	}, "type", "count")
}

func initSchema() schema {
	return aTable("contents at the beginning; zeros without it", schema{
		"kind":  aWord("", "zeros", "constant", "range", "uniform", "values", "file"),
		"value": aScalar("constant: of every element"),
		"start": aNumber("range: the first element"),
		"step":  aNumber("range: from an element to the next"),
		"low":   aNumber("uniform: the least value"),
		"high":  aNumber("uniform: the largest value"),
		"seed":  anInteger("uniform: of the random numbers", 0, maxElements),
		"data": aList(schema{"type": []string{"number", "string", "boolean", "object"}},
			"values: of the elements; {buffer = NAME} is an address"),
		"repeat": aFlag("values: begin again at the end of data"),
		"fill":   aScalar("values: of the elements behind data"),
		"path":   aText("file: relative to this one"),
	}, "kind")
}

func textureSchema() schema {
	size := func(of string) schema { return anInteger(of, 1, maxElements) }
	return aTable("", schema{
		"buffer": aText("the buffer of the texels"), "type": aType("type of a channel"),
		"channels": anInteger("of a texel", 1, 4), "width": size("texels"), "height": size("texels"),
		"depth": size("texels"), "layers": size("layers"),
		"filter": aWord("", "point", "linear"),
		"address": described(schema{"type": []string{"string", "array"}},
			"outside of the texture: clamp, border, wrap or mirror, for all dimensions or each"),
		"normalized": aFlag("coordinates are from 0 to 1"),
		"read":       aWord("what a fetch returns", "element", "normalized"),
	}, "buffer", "width")
}

func expectSchema() schema {
	return aTable("", schema{
		"buffer": aText("the buffer"), "first": anInteger("first element", 0, maxElements),
		"count": anInteger("elements", 1, maxElements), "path": aText("file with the values"),
		"value": aScalar("of every element"), "data": aList(aScalar(""), "values of the elements"),
		"repeat": aFlag("begin again at the end of data"), "fill": aScalar("of the elements behind data"),
		"sum":  aNumber("of all elements"),
		"rtol": aNumber("largest relative difference"), "atol": aNumber("largest absolute difference"),
	}, "buffer")
}
