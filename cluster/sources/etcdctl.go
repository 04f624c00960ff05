package sources

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// ctlResponse is what etcdctl prints of a Range with `-w json`: etcd's message by encoding/json,
// so that keys and values are base64 and revisions are numbers.
type ctlResponse struct {
	Header *struct {
		Revision ctlInt `json:"revision"`
	} `json:"header"`
	Kvs   []ctlKV `json:"kvs"`
	Count ctlInt  `json:"count"`
}

type ctlKV struct {
	Key            []byte `json:"key"`
	CreateRevision ctlInt `json:"create_revision"`
	ModRevision    ctlInt `json:"mod_revision"`
	Version        ctlInt `json:"version"`
	Value          []byte `json:"value"`
}

// ctlInt is a whole number of 64 bits: a number, or a string as protobuf's own JSON has it.
type ctlInt int64

func (n *ctlInt) UnmarshalJSON(text []byte) error {
	value, err := strconv.ParseInt(string(bytes.Trim(text, `"`)), 10, 64)
	if err != nil {
		return fmt.Errorf("%.20q is no revision", text)
	}
	*n = ctlInt(value)
	return nil
}

// decodeRange reads what `etcdctl get -w json` printed.
func decodeRange(printed []byte) (ctlResponse, error) {
	var response ctlResponse
	if err := json.Unmarshal(printed, &response); err != nil {
		return ctlResponse{}, fmt.Errorf("reading what etcdctl printed: %w", err)
	}
	if response.Header == nil || response.Header.Revision <= 0 {
		return ctlResponse{}, errors.New("reading what etcdctl printed: it tells no revision")
	}
	for _, kv := range response.Kvs {
		if len(kv.Key) == 0 || kv.ModRevision <= 0 || kv.CreateRevision < 0 || kv.Version < 0 {
			return ctlResponse{}, fmt.Errorf("reading what etcdctl printed: key %.60q has no revision", kv.Key)
		}
	}
	return response, nil
}

// decodeStatus reads the version that `etcdctl endpoint status -w json` printed.
func decodeStatus(printed []byte) (string, error) {
	var endpoints []struct {
		Status struct {
			Version string `json:"version"`
		}
	}
	if err := json.Unmarshal(printed, &endpoints); err != nil {
		return "", fmt.Errorf("reading what etcdctl printed: %w", err)
	}
	if len(endpoints) == 0 {
		return "", errors.New("reading what etcdctl printed: it tells of no endpoint")
	}
	return endpoints[0].Status.Version, nil
}

// ctlError is the reason that etcdctl gives at the end of what it prints to stderr: its own log
// lines come before that.
func ctlError(stderr string) string {
	lines := strings.Split(strings.TrimSpace(stderr), "\n")
	for i := len(lines) - 1; i >= 0; i-- {
		if reason, ok := strings.CutPrefix(lines[i], "Error: "); ok {
			return reason
		}
	}
	return lines[len(lines)-1]
}
