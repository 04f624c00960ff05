package words

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// What a view says is said by calls of In and Count with a literal: each must have its
// Chinese, or it would be read in English in the middle of a Chinese screen.
func TestEverythingThatTheViewsSayIsInChineseToo(t *testing.T) {
	known := func(english string) bool {
		for _, table := range chineseTables {
			if _, ok := table[english]; ok {
				return true
			}
		}
		return false
	}
	said := 0
	err := filepath.WalkDir(filepath.Join("..", "view"), func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, path, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || len(call.Args) == 0 {
				return true
			}
			name := ""
			switch f := call.Fun.(type) {
			case *ast.SelectorExpr:
				name = f.Sel.Name
			case *ast.Ident:
				name = f.Name
			}
			if name != "In" && name != "in" {
				return true
			}
			for _, arg := range call.Args {
				literal, ok := arg.(*ast.BasicLit)
				if !ok || literal.Kind != token.STRING {
					continue
				}
				english, err := strconv.Unquote(literal.Value)
				if err != nil {
					t.Fatal(err)
				}
				said++
				if !known(english) {
					t.Errorf("%s: %q has no Chinese", fset.Position(literal.Pos()), english)
				}
				break
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if said == 0 {
		t.Error("no text was found: the test looks in the wrong place")
	}
}
