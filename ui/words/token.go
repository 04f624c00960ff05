package words

import (
	"encoding/base64"
	"encoding/json"
	"path"
	"strconv"
	"strings"
)

// Token is what a list's continue token holds: the revision that all pages show, and the
// last name of the page before. "" where it is no token that is known. (encodeContinue of
// k8s.io/apiserver/pkg/storage: base64 of JSON; clients must not rely on it, and here it
// is shown only.)
func Token(token string) string {
	decoded, err := base64.RawURLEncoding.DecodeString(token)
	if err != nil {
		return ""
	}
	var held struct {
		V     string
		RV    int64
		Start string
	}
	if json.Unmarshal(decoded, &held) != nil || held.V != "meta.k8s.io/v1" {
		return ""
	}
	text := "rv " + strconv.FormatInt(held.RV, 10)
	if last, ok := strings.CutSuffix(held.Start, "\x00"); ok { // the key right behind it
		text += ", after " + path.Base(last)
	}
	return text
}
