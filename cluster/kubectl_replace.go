package cluster

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"k8s.io/cli-runtime/pkg/genericiooptions"
	"k8s.io/cli-runtime/pkg/resource"
	"k8s.io/client-go/rest"
	"k8s.io/kubectl/pkg/cmd/replace"
	cmdutil "k8s.io/kubectl/pkg/cmd/util"

	"rvtui/scenarios"
)

// kubectlReplace is `kubectl replace -f NAME.json` of the call's object, with all of
// kubectl's defaults. As in kubectlApply, what kubectl itself has to find out is not recorded.
func (st *step) kubectlReplace(ctx context.Context, call scenarios.Call) error {
	mapping, err := st.resolve(ctx, call)
	if err != nil {
		return err
	}
	object := body(call)
	// The object itself may name another kind, name or namespace than the call.
	elsewhere := object.GetNamespace() != "" && object.GetNamespace() != st.namespace
	if elsewhere || object.GetName() != nameOf(call) || object.GroupVersionKind().GroupKind() != mapping.GroupVersionKind.GroupKind() {
		return foreign(call.Verb, object.GetKind()+" "+object.GetNamespace()+"/"+object.GetName())
	}
	manifest, err := json.Marshal(object.Object)
	if err != nil {
		return fmt.Errorf("encoding the manifest: %w", err)
	}
	// kubectl reads a manifest from a file, a URL or the process's own standard input.
	directory, err := os.MkdirTemp("", "rvtui-kubectl-")
	if err != nil {
		return fmt.Errorf("preparing kubectl replace: %w", err)
	}
	defer os.RemoveAll(directory)
	file := filepath.Join(directory, "manifest.json")
	if err := os.WriteFile(file, manifest, 0o600); err != nil {
		return fmt.Errorf("preparing kubectl replace: %w", err)
	}

	kinds := st.cluster.kinds
	books := kubectlConfig{rest: quiet(st.cluster.config.REST), kinds: kinds, namespace: st.namespace}
	writer := kubectlConfig{rest: replaceManager(st.config(call.Actor)), kinds: kinds, namespace: st.namespace}
	var output bytes.Buffer
	factory := cmdutil.NewFactory(books)
	options, err := replaceOptions(factory, file, &output)
	if err != nil {
		return fmt.Errorf("preparing kubectl replace: %w", err)
	}
	options.Builder = func() *resource.Builder { return resource.NewBuilder(writer) }
	err = withoutDirectory(options.Run(factory), directory)
	return st.command(call, "kubectl replace", err, output.String())
}

// replaceOptions are those of a kubectl replace with no flags but the file. As in
// applyOptions, the command is never executed.
func replaceOptions(factory cmdutil.Factory, file string, output io.Writer) (*replace.ReplaceOptions, error) {
	options := replace.NewReplaceOptions(genericiooptions.IOStreams{
		In:     bytes.NewReader(nil),
		Out:    output,
		ErrOut: output,
	})
	command := &cobra.Command{Use: "replace"}
	options.PrintFlags.AddFlags(command)
	options.DeleteFlags.AddFlags(command)
	cmdutil.AddValidateFlags(command)
	cmdutil.AddApplyAnnotationFlags(command)
	cmdutil.AddDryRunFlag(command)
	*options.DeleteFlags.FileNameFlags.Filenames = []string{file}
	if err := options.Complete(factory, command, nil); err != nil {
		return nil, err
	}
	return options, options.Validate()
}

// replaceManager has the field manager sent that kubectl's replace command sends: it keeps
// it where only the command itself can set it (k8s.io/kubectl/pkg/cmd/replace, NewCmdReplace).
func replaceManager(config *rest.Config) *rest.Config {
	config.Wrap(func(next http.RoundTripper) http.RoundTripper {
		return roundTripper(func(request *http.Request) (*http.Response, error) {
			if request.Method == http.MethodPut {
				request = request.Clone(request.Context())
				query := request.URL.Query()
				query.Set("fieldManager", "kubectl-replace")
				request.URL.RawQuery = query.Encode()
			}
			return next.RoundTrip(request)
		})
	})
	return config
}

// elsewhereError is an error whose text has lost the name of a temporary directory.
type elsewhereError struct {
	error
	text string
}

func (e *elsewhereError) Error() string { return e.text }
func (e *elsewhereError) Unwrap() error { return e.error }

func withoutDirectory(err error, directory string) error {
	if err == nil {
		return nil
	}
	return &elsewhereError{err, strings.ReplaceAll(err.Error(), directory+string(filepath.Separator), "")}
}
