package kubeconfig

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

func access(token string) *rest.Config {
	return &rest.Config{Host: "https://127.0.0.1:40123", BearerToken: token, TLSClientConfig: rest.TLSClientConfig{CAData: []byte("the CA")}}
}

func written(t *testing.T, path string) *File {
	t.Helper()
	file, err := Write(path, access("secret"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = file.Remove() })
	return file
}

func names(t *testing.T, directory string) []string {
	t.Helper()
	entries, err := os.ReadDir(directory)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, entry := range entries {
		all = append(all, entry.Name())
	}
	return all
}

func TestWhatIsWrittenIsWhatClientGoReadsAndForTheOwnerAlone(t *testing.T) {
	directory := t.TempDir()
	path := filepath.Join(directory, "config")
	if err := Check(path); err != nil {
		t.Fatal(err)
	}
	file := written(t, path)
	config, err := clientcmd.BuildConfigFromFlags("", path)
	if err != nil {
		t.Fatal(err)
	}
	if config.Host != "https://127.0.0.1:40123" || config.BearerToken != "secret" || string(config.CAData) != "the CA" {
		t.Errorf("it reads as %v", config)
	}
	raw, err := clientcmd.LoadFromFile(path)
	if err != nil || raw.CurrentContext != "rvtui-serve" || len(raw.Contexts) != 1 {
		t.Errorf("%v, the contexts are %v, the current one is %q", err, raw.Contexts, raw.CurrentContext)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, the mode is %v", err, info.Mode())
	}
	if all := names(t, directory); len(all) != 1 {
		t.Errorf("there are %v", all)
	}
	if err := file.Remove(); err != nil {
		t.Fatal(err)
	}
	if all := names(t, directory); len(all) != 0 {
		t.Errorf("left behind: %v", all)
	}
}

func TestARelativePathIsToldAsAnAbsoluteOne(t *testing.T) {
	directory := t.TempDir()
	t.Chdir(directory)
	if got := written(t, "config").Path(); !filepath.IsAbs(got) || filepath.Base(got) != "config" {
		t.Error(got)
	}
}

func TestNoFileOfAnybodyElseIsOverwritten(t *testing.T) {
	own, err := clientcmd.Write(*of(access("old")))
	if err != nil {
		t.Fatal(err)
	}
	more := func(change func(string) string) string { return change(string(own)) }
	for name, content := range map[string]string{
		"empty":           "",
		"no kubeconfig":   "a: [b",
		"another cluster": more(func(s string) string { return strings.ReplaceAll(s, "127.0.0.1", "192.0.2.1") }),
		"another name":    more(func(s string) string { return strings.ReplaceAll(s, Name, "kind") }),
		"a context more": more(func(s string) string {
			return strings.Replace(s, "contexts:\n", "contexts:\n- context: {cluster: kind, user: kind}\n  name: kind\n", 1)
		}),
		"a user more": more(func(s string) string {
			return strings.Replace(s, "users:\n", "users:\n- user: {token: x}\n  name: kind\n", 1)
		}),
		"long": string(own) + strings.Repeat("#\n", maxBytes),
	} {
		t.Run(name, func(t *testing.T) {
			directory := t.TempDir()
			path := filepath.Join(directory, "config")
			if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
				t.Fatal(err)
			}
			_, wrote := Write(path, access("secret"))
			for _, err := range []error{Check(path), wrote} {
				if !errors.Is(err, errForeign) || !strings.HasPrefix(err.Error(), "cannot write the kubeconfig to "+path+": ") {
					t.Errorf("it says %v", err)
				}
			}
			if after, err := os.ReadFile(path); err != nil || string(after) != content {
				t.Errorf("%v, it has changed", err)
			}
			if all := names(t, directory); len(all) != 1 {
				t.Errorf("there are %v", all)
			}
		})
	}
}

func TestALinkIsNotFollowed(t *testing.T) {
	directory := t.TempDir()
	file := written(t, filepath.Join(directory, "config"))
	for name, to := range map[string]string{"leftover": file.Path(), "nowhere": filepath.Join(directory, "absent")} {
		path := filepath.Join(directory, name)
		if err := os.Symlink(to, path); err != nil {
			t.Fatal(err)
		}
		if _, err := Write(path, access("secret")); !errors.Is(err, errForeign) {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := os.Readlink(path); err != nil {
			t.Errorf("%s: the link is no more: %v", name, err)
		}
	}
}

func TestALeftoverIsReplacedAndWhatIsInUseIsNot(t *testing.T) {
	path := filepath.Join(t.TempDir(), "config")
	first := written(t, path)
	if err := Check(path); !errors.Is(err, errInUse) {
		t.Errorf("of one that runs it says %v", err)
	}
	if _, err := Write(path, access("second")); !errors.Is(err, errInUse) {
		t.Errorf("of one that runs it says %v", err)
	}
	_ = first.lock.Close() // as the end of its process does
	if err := Check(path); err != nil {
		t.Fatal(err)
	}
	second, err := Write(path, access("second"))
	if err != nil {
		t.Fatal(err)
	}
	if content, err := os.ReadFile(path); err != nil || !bytes.Contains(content, []byte("second")) {
		t.Errorf("%v, the file is the old one", err)
	}
	if err := second.Remove(); err != nil {
		t.Fatal(err)
	}
}

func TestWhatKubectlHasWrittenIntoTheFileGoesWithIt(t *testing.T) {
	path := filepath.Join(t.TempDir(), "config")
	file := written(t, path)
	options := clientcmd.NewDefaultPathOptions()
	options.LoadingRules.ExplicitPath = path
	config, err := options.GetStartingConfig()
	if err != nil {
		t.Fatal(err)
	}
	config.Contexts[Name].Namespace = "other" // kubectl config set-context --current --namespace=other
	if err := clientcmd.ModifyConfig(options, *config, false); err != nil {
		t.Fatal(err)
	}
	if content, err := os.ReadFile(path); err != nil || !bytes.Contains(content, []byte("other")) {
		t.Fatalf("%v, nothing was changed", err)
	}
	if err := file.Remove(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("it is still there: %v", err)
	}
}

func TestAFileThatTookItsPlaceStays(t *testing.T) {
	path := filepath.Join(t.TempDir(), "config")
	file := written(t, path)
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := file.Remove(); err != nil {
		t.Fatal(err)
	}
	if content, err := os.ReadFile(path); err != nil || string(content) != "mine" {
		t.Errorf("%v, it is %q", err, content)
	}
}

func TestWhereNothingCanBeWrittenTheErrorSaysSo(t *testing.T) {
	directory := t.TempDir()
	blocked := filepath.Join(directory, "file")
	if err := os.WriteFile(blocked, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for path, why := range map[string]string{
		filepath.Join(directory, "absent", "config"): "no such file or directory",
		filepath.Join(blocked, "config"):             "its directory is none",
		directory:                                    errForeign.Error(),
	} {
		if err := Check(path); err == nil || err.Error() != "cannot write the kubeconfig to "+path+": "+why {
			t.Errorf("it says %v", err)
		}
		if _, err := Write(path, access("secret")); err == nil || strings.Contains(err.Error(), ".tmp") {
			t.Errorf("it says %v", err)
		}
	}
}
