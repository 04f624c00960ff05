package scenarios

import "slices"

// Mutation is an expectation with one thing in it made false.
type Mutation struct {
	What   string // "code", "that[2]: !(…)"
	Expect *Expect
}

// Mutations lists an expectation's mutations: each code, reason, message, cause and count
// changed, each expression negated, one at a time. By the evidence that the expectation
// holds for, none of them must hold.
func Mutations(expect *Expect) []Mutation {
	if expect == nil {
		return nil
	}
	var all []Mutation
	add := func(what string, change func(*Expect)) {
		mutated := *expect
		mutated.That = slices.Clone(expect.That)
		mutated.Causes = slices.Clone(expect.Causes)
		change(&mutated)
		all = append(all, Mutation{What: what, Expect: &mutated})
	}
	if expect.Code != 0 {
		add("code", func(e *Expect) { e.Code++ })
	}
	if expect.Reason != "" {
		add("reason", func(e *Expect) { e.Reason += "Not" })
	}
	if expect.Message != "" {
		add("message", func(e *Expect) { e.Message += " not" })
	}
	if expect.Causes != nil {
		add("causes", func(e *Expect) { e.Causes = append(e.Causes, "AnotherCause") })
	}
	for what, count := range map[string]func(*Expect) **int{
		"items":     func(e *Expect) **int { return &e.Items },
		"writes":    func(e *Expect) **int { return &e.Writes },
		"exchanges": func(e *Expect) **int { return &e.Exchanges },
	} {
		if *count(expect) == nil {
			continue
		}
		add(what, func(e *Expect) {
			more := **count(e) + 1
			*count(e) = &more
		})
	}
	for i := range expect.That {
		add("that: !("+expect.That[i].CEL+")", func(e *Expect) {
			e.That[i] = That{CEL: "!(" + expect.That[i].CEL + ")"}
		})
	}
	return all
}
