package scenarios

import (
	"context"
	"fmt"
	"maps"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/ext"
)

// The names that an expression can use; docs/scenarios.md explains each.
var variables = []string{
	"code", "reason", "message", "causes", "answer", "items", "exchanges", "rpcs", "revisions",
	"allRevisions", "events", "durationMs", "objects", "keys", "held", "etcd", "before", "steps", "ns", "i", "client",
}

// environment is built once: it costs some ten milliseconds, and only scenarios that are
// walked through need it.
var environment = sync.OnceValues(func() (*cel.Env, error) {
	options := []cel.EnvOption{
		ext.Strings(), ext.Lists(),
		cel.Function("rv", cel.Overload("rv_dyn", []*cel.Type{cel.DynType}, cel.IntType, cel.UnaryBinding(revisionOf))),
		cel.Function("seconds", cel.Overload("seconds_dyn", []*cel.Type{cel.DynType}, cel.StringType, cel.UnaryBinding(inSeconds))),
	}
	for _, name := range variables {
		options = append(options, cel.Variable(name, cel.DynType))
	}
	return cel.NewEnv(options...)
})

// revisionOf is rv(object): its metadata.resourceVersion as a number.
func revisionOf(value ref.Val) ref.Val {
	object, ok := value.Value().(map[string]any)
	if !ok {
		return types.NewErr("rv() takes an object")
	}
	metadata, _ := object["metadata"].(map[string]any)
	rv, _ := metadata["resourceVersion"].(string)
	n := ParseRevision(rv)
	if n == 0 {
		return types.NewErr("rv(): the object has no resourceVersion that is a number: %q", rv)
	}
	return types.Int(n)
}

// inSeconds is seconds(ms): milliseconds as people say them, "3.0".
func inSeconds(value ref.Val) ref.Val {
	switch ms := value.(type) {
	case types.Int:
		return types.String(fmt.Sprintf("%.1f", float64(ms)/1000))
	case types.Double:
		return types.String(fmt.Sprintf("%.1f", float64(ms)/1000))
	}
	return types.NewErr("seconds() takes milliseconds")
}

// compileExpression compiles what must be of type bool where condition is true, or of
// any type otherwise.
func compileExpression(expression string, condition bool) (cel.Program, *cel.Ast, error) {
	env, err := environment()
	if err != nil {
		return nil, nil, fmt.Errorf("preparing CEL: %w", err)
	}
	compiled, issues := env.Compile(expression)
	if issues.Err() != nil {
		return nil, nil, fmt.Errorf("%s: %s", expression, issues.Errors()[0].Message)
	}
	if kind := compiled.OutputType(); condition && !kind.IsExactType(cel.BoolType) && !kind.IsExactType(cel.DynType) {
		return nil, nil, fmt.Errorf("%s: is a %s, but an expectation must be true or false", expression, kind)
	}
	program, err := env.Program(compiled, cel.EvalOptions(cel.OptTrackState), cel.InterruptCheckFrequency(100))
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", expression, err)
	}
	return program, compiled, nil
}

// evalWithin bounds an expression. (CEL's own cost limit does not count the rounds of a
// macro within a macro.)
const evalWithin = 2 * time.Second

// values is what expressions see. They are of one step, and ctx is that step's: it ends
// what takes too long.
type values struct {
	ctx    context.Context
	of     map[string]any
	found  []string // as in Trace
	server string   // Kubernetes' version
}

// with is these values and one more.
func (v *values) with(name string, value any) *values {
	of := maps.Clone(v.of)
	of[name] = value
	return &values{ctx: v.ctx, of: of, found: v.found, server: v.server}
}

// eval evaluates an expression; the details tell the values of its parts.
func (v *values) eval(expression string, condition bool) (ref.Val, *cel.EvalDetails, *cel.Ast, error) {
	program, compiled, err := compileExpression(expression, condition)
	if err != nil {
		return nil, nil, nil, err
	}
	ctx, cancel := context.WithTimeout(v.ctx, evalWithin)
	defer cancel()
	value, details, err := program.ContextEval(ctx, v.of)
	if ctx.Err() != nil {
		return nil, nil, nil, fmt.Errorf("%s: stopped after %s", expression, evalWithin)
	}
	if err != nil {
		return nil, nil, nil, fmt.Errorf("%s: %w", expression, err)
	}
	return value, details, compiled, nil
}

// holds evaluates a condition. Where it does not hold, detail names the values on both
// sides of its comparison, or of the first part of a conjunction that does not hold. lack are
// the capabilities without which there is no telling.
func (v *values) holds(expression string) (ok bool, detail string, lack []string, err error) {
	value, details, compiled, err := v.eval(expression, true)
	if err != nil {
		return false, "", nil, err
	}
	if lack := lackOf(value); lack != nil {
		return false, "", lack, nil
	}
	if truth, isBool := value.(types.Bool); isBool {
		if truth {
			return true, "", nil, nil
		}
		return false, explain(expression, compiled.NativeRep(), details), nil, nil
	}
	return false, "", nil, fmt.Errorf("%s: came to %s, which is neither true nor false", expression, show(value))
}

// comparisons are CEL's names for what explain can show both sides of.
var comparisons = map[string]string{"_==_": "==", "_!=_": "!=", "_<_": "<", "_<=_": "<=", "_>_": ">", "_>=_": ">="}

func explain(expression string, compiled *ast.AST, details *cel.EvalDetails) string {
	expr := compiled.Expr()
	for expr.Kind() == ast.CallKind && expr.AsCall().FunctionName() == "_&&_" {
		left, right := expr.AsCall().Args()[0], expr.AsCall().Args()[1]
		expr = right
		if value, ok := details.State().Value(left.ID()); ok && value == types.False {
			expr = left
		}
	}
	if expr.Kind() == ast.CallKind {
		call := expr.AsCall()
		if sign, ok := comparisons[call.FunctionName()]; ok && len(call.Args()) == 2 {
			left, right := sideOf(call.Args()[0], details), sideOf(call.Args()[1], details)
			return fmt.Sprintf("%s %s %s, in %s", left, sign, right, expression)
		}
	}
	return expression
}

func sideOf(expr ast.Expr, details *cel.EvalDetails) string {
	if expr.Kind() == ast.LiteralKind {
		return show(expr.AsLiteral())
	}
	if value, ok := details.State().Value(expr.ID()); ok {
		return show(value)
	}
	return "?"
}

// show writes a value in at most a line.
func show(value ref.Val) string {
	const longest = 80
	text := fmt.Sprint(value.Value())
	if s, ok := value.(types.String); ok {
		text = fmt.Sprintf("%q", string(s))
	}
	if runes := []rune(text); len(runes) > longest {
		text = string(runes[:longest-1]) + "…"
	}
	return text
}

// placeholder is `${expression}` in a value or a text.
var placeholder = regexp.MustCompile(`\$\{([^}]*)\}`)

// fill replaces each placeholder in s by its value, and by an ellipsis where there is no telling
// for the lack of a capability.
func (v *values) fill(s string) (_ string, lack []string, _ error) {
	var failed error
	filled := placeholder.ReplaceAllStringFunc(s, func(match string) string {
		value, _, _, err := v.eval(placeholder.FindStringSubmatch(match)[1], false)
		if err != nil {
			if failed == nil {
				failed = err
			}
			return match
		}
		if unseen := lackOf(value); unseen != nil {
			lack = append(lack, unseen...)
			return "…"
		}
		switch value.(type) {
		case types.String, types.Int, types.Uint, types.Bool:
			return fmt.Sprint(value.Value())
		case types.Double:
			return strings.TrimSuffix(fmt.Sprintf("%.1f", value.Value()), ".0")
		}
		if failed == nil {
			failed = fmt.Errorf("%s: is no text and no number", match)
		}
		return match
	})
	return filled, lack, failed
}

// fillText fills a text in each of its languages. A placeholder without a value becomes
// an ellipsis, and the error says why.
func (v *values) fillText(t Text) (_ Text, lack []string, _ error) {
	if t == nil {
		return nil, nil, nil
	}
	var failed error
	filled := Text{}
	for lang, s := range t {
		text, lacks, err := v.fill(s)
		lack = append(lack, lacks...)
		if err != nil {
			failed = err
			text = placeholder.ReplaceAllString(text, "…")
		}
		filled[lang] = strings.TrimSpace(text)
	}
	return filled, lack, failed
}

// bracketed is what stands in brackets, Chinese ones too, for a value's sake.
var bracketed = regexp.MustCompile(`\s*[(（][^()（）]*\$\{[^}]*\}[^()（）]*[)）]`)

// planned is a text before there are values: what is in brackets for a value's sake goes.
func planned(t Text) Text {
	if t == nil {
		return nil
	}
	plain := Text{}
	for lang, s := range t {
		plain[lang] = strings.TrimSpace(placeholder.ReplaceAllString(bracketed.ReplaceAllString(s, ""), "…"))
	}
	return plain
}
