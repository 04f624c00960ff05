package embedded

import (
	"path/filepath"
	"reflect"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"

	"go.etcd.io/etcd/api/v3/version"
	apimachineryversion "k8s.io/apimachinery/pkg/version"
	"k8s.io/component-base/compatibility"
	baseversion "k8s.io/component-base/version"
	"k8s.io/kubernetes/cmd/kube-apiserver/app"
)

// Versions are what the control plane is made of, such as "1.37.2" and "3.7.3".
type Versions struct {
	Kubernetes, Etcd string
}

// BuiltIn tells what is built into the program, and so what a control plane runs.
func BuiltIn() Versions {
	return Versions{Kubernetes: kubernetesVersion(), Etcd: version.Version}
}

// kubernetesVersion is the version of the k8s.io/kubernetes module in this binary. A
// Kubernetes that was not built by its own scripts does not know its version, and says
// v0.0.0-master. The binary's module list has it; that of a test binary is empty, but the
// paths of its source files name each module's version too. Where there is neither, the
// minor version is known: it is a constant in k8s.io/component-base/version.
var kubernetesVersion = sync.OnceValue(func() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, module := range info.Deps {
			if module.Path == "k8s.io/kubernetes" && module.Version != "" {
				return strings.TrimPrefix(module.Version, "v")
			}
		}
	}
	file, _ := runtime.FuncForPC(reflect.ValueOf(app.NewConfig).Pointer()).FileLine(0)
	if _, rest, ok := strings.Cut(filepath.ToSlash(file), "k8s.io/kubernetes@v"); ok {
		version, _, _ := strings.Cut(rest, "/")
		return version
	}
	return baseversion.DefaultKubeBinaryVersion
})

// trueVersion answers /version with the module's version.
type trueVersion struct {
	compatibility.EffectiveVersion
}

func (v trueVersion) Info() *apimachineryversion.Info {
	info := v.EffectiveVersion.Info()
	if info != nil {
		info.GitVersion = "v" + kubernetesVersion()
		info.GitCommit, info.BuildDate = "", ""
	}
	return info
}
