package cuda

import (
	"context"
	"encoding/json"
	"fmt"
)

// Param is a parameter of a kernel as the file declares it.
type Param struct {
	Name string // empty: it has none
	Type string // such as "const float *", without names of typedefs
}

// node is a node of clang's syntax tree in JSON.
type node struct {
	Kind        string
	Name        string
	MangledName string
	Type        struct{ QualType, DesugaredQualType string }
	Inner       []*node
}

// Params returns the parameters of the kernels of a file, by the kernels' names in the PTX. dir is an empty folder
// for the headers; the caller removes the folder.
func Params(ctx context.Context, dir, file string, o *Options) (map[string][]Param, error) {
	c, args, err := prepare(ctx, dir, o)
	if err != nil {
		return nil, err
	}
	tree, _, err := c.run(ctx, dir, append(args, "-fsyntax-only", "-Xclang", "-ast-dump=json", input(file)))
	if err != nil {
		return nil, err
	}
	var root node
	if err := json.Unmarshal(tree, &root); err != nil {
		return nil, fmt.Errorf("clang %s: the syntax tree of %s: %w", c.Version, file, err)
	}
	out := map[string][]Param{}
	root.kernels(out)
	return out, nil
}

// kernels adds the kernels below a node.
func (n *node) kernels(to map[string][]Param) {
	if n.Kind == "FunctionDecl" && n.MangledName != "" {
		params, kernel := []Param{}, false
		for _, i := range n.Inner {
			switch i.Kind {
			case "ParmVarDecl":
				params = append(params, Param{i.Name, i.typeName()})
			case "CUDAGlobalAttr":
				kernel = true
			}
		}
		if kernel {
			to[n.MangledName] = params
		}
		return
	}
	for _, i := range n.Inner {
		i.kernels(to)
	}
}

// Texture is the type of a texture object.
const Texture = "cudaTextureObject_t"

func (n *node) typeName() string {
	if n.Type.DesugaredQualType != "" && n.Type.QualType != Texture {
		return n.Type.DesugaredQualType
	}
	return n.Type.QualType
}
