package scenarios

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	link = regexp.MustCompile(`^https://\S+$`)
	kep  = regexp.MustCompile(`^KEP-\d+, [^.]+$`)
	// code is a file by its import path, what is to be read in it, and a remark.
	code = regexp.MustCompile(`^([\w./-]+\.go), (\w+(?:\.\w+)?(?:, \w+(?:\.\w+)?)*)(?: \([^()]+\))?$`)
)

// Sources outlive the code that they name: a function is renamed, and a reader looks for it
// in vain. So each must be in the version that is built in.
func TestTheSourcesOfAScenarioAreInTheEmbeddedVersion(t *testing.T) {
	files := map[string][]string{} // file by import path, what scenarios say is in it
	for _, scenario := range mustCatalogue(t) {
		for _, source := range scenario.Sources {
			if link.MatchString(source) || kep.MatchString(source) {
				continue
			}
			parts := code.FindStringSubmatch(source)
			if parts == nil {
				t.Errorf("%s: a source is a https link, a KEP with its name, or a file with what to read in it: %s", scenario.Name, source)
				continue
			}
			files[parts[1]] = append(files[parts[1]], strings.Split(parts[2], ", ")...)
		}
	}
	if len(files) == 0 {
		t.Fatal("no scenario names a file")
	}
	directories := packages(t, files)
	for file, names := range files {
		declared := declarations(t, filepath.Join(directories[path.Dir(file)], path.Base(file)))
		for _, name := range names {
			if !declared[name] {
				t.Errorf("%s has no %s", file, name)
			}
		}
	}
}

// packages tells in which directory each file's package is.
func packages(t *testing.T, files map[string][]string) map[string]string {
	t.Helper()
	arguments := []string{"list", "-f", "{{.ImportPath}} {{.Dir}}"}
	for file := range files {
		arguments = append(arguments, path.Dir(file))
	}
	out, err := exec.CommandContext(t.Context(), "go", arguments...).Output()
	if err != nil {
		t.Fatalf("looking for the sources' packages: %v", err)
	}
	directories := map[string]string{}
	for line := range strings.Lines(string(out)) {
		if name, directory, ok := strings.Cut(strings.TrimSpace(line), " "); ok {
			directories[name] = directory
		}
	}
	return directories
}

// declarations are the functions, the methods and fields (Type.Name), the types and the values
// that a file declares.
func declarations(t *testing.T, file string) map[string]bool {
	t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Error(err)
		return nil
	}
	declared := map[string]bool{}
	for _, declaration := range parsed.Decls {
		switch d := declaration.(type) {
		case *ast.FuncDecl:
			name := d.Name.Name
			if d.Recv != nil {
				name = receiver(d.Recv.List[0].Type) + "." + name
			}
			declared[name] = true
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch s := spec.(type) {
				case *ast.TypeSpec:
					declared[s.Name.Name] = true
					for _, field := range fields(s.Type) {
						declared[s.Name.Name+"."+field] = true
					}
				case *ast.ValueSpec:
					for _, name := range s.Names {
						declared[name.Name] = true
					}
				}
			}
		}
	}
	return declared
}

func receiver(expression ast.Expr) string {
	switch e := expression.(type) {
	case *ast.StarExpr:
		return receiver(e.X)
	case *ast.IndexExpr:
		return receiver(e.X)
	case *ast.Ident:
		return e.Name
	}
	return ""
}

func fields(expression ast.Expr) []string {
	of, ok := expression.(*ast.StructType)
	if !ok {
		return nil
	}
	var names []string
	for _, field := range of.Fields.List {
		for _, name := range field.Names {
			names = append(names, name.Name)
		}
	}
	return names
}
