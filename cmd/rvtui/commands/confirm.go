package commands

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"slices"
	"strings"

	"rvtui/ui/words"
)

// Plan is what is going to happen on a cluster of the user's own, as far as it is known before
// the first write.
type Plan struct {
	Context   string     // the kubeconfig's, or however the cluster is named
	Server    string     // the apiserver's address
	User      string     // as the apiserver sees the user; "" where it does not say
	Namespace string     // the one that was given; "" where each walk has one of its own
	Makes     []string   // the resources of what is made in it
	Walks     int        // scenarios that can be walked through
	Skips     []PlanSkip // those that cannot
	Remarks   []string   // what limits or changes what is written; each is a line
	Refused   string     // why nothing can be written at all, or ""
}

// PlanSkip is a scenario that cannot be walked through.
type PlanSkip struct{ Scenario, Why string }

// errDeclined says that the user said no.
var errDeclined = errors.New("nothing was written")

// Confirm asks whether to go ahead, where the cluster is not on this machine. Without a
// terminal nobody can be asked: then only yes will do. It comes before the screen.
func (p *Program) Confirm(ctx context.Context, plan Plan, yes bool) error {
	switch {
	case plan.Refused != "":
		return fmt.Errorf("nothing can be written to %s: %s", plan.Context, plan.Refused)
	case yes || local(plan.Server):
		return nil
	case !p.Terminal(p.In) || !p.Terminal(p.Err):
		return fmt.Errorf("%s is not on this machine (%s), and there is no terminal to ask at; --yes goes ahead without asking", plan.Context, plan.Server)
	}
	fmt.Fprint(p.Err, words.CleanLines(strings.Join(plan.lines(), "\n"))+"\n\nGo ahead? [y/N] ")
	answer, err := await(ctx, func() (string, error) { return readLine(p.In) })
	if err != nil {
		fmt.Fprintln(p.Err)
		return err
	}
	if !slices.Contains([]string{"y", "yes"}, strings.ToLower(strings.TrimSpace(answer))) {
		return errDeclined
	}
	return nil
}

// lines tell a person what is going to happen.
func (p Plan) lines() []string {
	who := ""
	if p.User != "" {
		who = ", as " + p.User
	}
	where := "rvtui makes a namespace rvtui-… for each scenario"
	end := "At the end, also after ctrl+c, each namespace is deleted with all that is in it; after a crash, `rvtui clean` does that."
	if p.Namespace != "" {
		where = "rvtui makes objects in namespace " + p.Namespace
		end = "At the end, also after ctrl+c, each of them is deleted; the namespace, and what others have in it, stays as it is."
	}
	lines := []string{
		fmt.Sprintf("This is %s, at %s%s.", p.Context, p.Server, who),
		fmt.Sprintf("%s, and in it: %s.", where, strings.Join(p.Makes, ", ")),
		end,
	}
	if p.Namespace != "" {
		lines[1] = fmt.Sprintf("%s: %s.", where, strings.Join(p.Makes, ", "))
	}
	lines = append(lines, fmt.Sprintf("%s can be walked through.", scenariosText(p.Walks)))
	var whys []string
	by := map[string][]string{}
	for _, skip := range p.Skips {
		if by[skip.Why] == nil {
			whys = append(whys, skip.Why)
		}
		by[skip.Why] = append(by[skip.Why], skip.Scenario)
	}
	for _, why := range whys {
		lines = append(lines, fmt.Sprintf("  not %s: %s", strings.Join(by[why], ", "), why))
	}
	for _, remark := range p.Remarks {
		lines = append(lines, "  "+remark)
	}
	return lines
}

// local reports whether an apiserver's address is one of this machine's own: a kind cluster's
// is. A name that is not localhost is not looked up.
func local(server string) bool {
	parsed, err := url.Parse(server)
	if err != nil {
		return false
	}
	host := parsed.Hostname()
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// readLine reads up to the end of a line, and no byte more: what follows is for others.
func readLine(from io.Reader) (string, error) {
	var line []byte
	for {
		var b [1]byte
		n, err := from.Read(b[:])
		switch {
		case n > 0 && b[0] == '\n':
			return string(line), nil
		case n > 0:
			line = append(line, b[0])
		case errors.Is(err, io.EOF):
			return string(line), nil
		case err != nil:
			return "", fmt.Errorf("reading the answer: %w", err)
		}
	}
}
