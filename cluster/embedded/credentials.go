package embedded

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"os"
	"time"

	"k8s.io/client-go/rest"
)

// User is the name of the user that RESTConfig's token stands for.
const User = "rvtui"

// credentials are made anew for each control plane. The keys are elliptic ones: making
// an RSA key takes a tenth of a second.
type credentials struct {
	token string
	ca    []byte // PEM

	tokenFile             string
	certFile, keyFile     string
	serviceAccountKeyFile string
}

// makeCredentials makes a token, a certificate for loopback, and a key to sign the tokens
// of service accounts with. The kube-apiserver reads them from files in the directory; that
// of the token is there only while it does.
func makeCredentials(directory *directory) (*credentials, error) {
	c := &credentials{
		token:                 rand.Text(),
		tokenFile:             directory.path("tokens.csv"),
		certFile:              directory.path("serving.crt"),
		keyFile:               directory.path("serving.key"),
		serviceAccountKeyFile: directory.path("service-account.key"),
	}
	now := time.Now()
	template := x509.Certificate{
		SerialNumber:          big.NewInt(1),
		Subject:               pkix.Name{CommonName: "rvtui"},
		NotBefore:             now.Add(-time.Hour),
		NotAfter:              now.AddDate(1, 0, 0),
		KeyUsage:              x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature,
		BasicConstraintsValid: true,
		IsCA:                  true,
	}
	caKey, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	caDER, err := x509.CreateCertificate(rand.Reader, &template, &template, caKey.Public(), caKey)
	if err != nil {
		return nil, err
	}
	ca, err := x509.ParseCertificate(caDER)
	if err != nil {
		return nil, err
	}
	servingKey, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	template.SerialNumber = big.NewInt(2)
	template.Subject.CommonName = "kube-apiserver"
	template.KeyUsage = x509.KeyUsageDigitalSignature
	template.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}
	template.IsCA = false
	template.DNSNames = []string{"localhost"}
	template.IPAddresses = []net.IP{net.IPv4(127, 0, 0, 1)}
	servingDER, err := x509.CreateCertificate(rand.Reader, &template, ca, servingKey.Public(), caKey)
	if err != nil {
		return nil, err
	}
	serviceAccountKey, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}

	c.ca = pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: caDER})
	serving := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: servingDER})
	servingPEM, err := keyPEM(servingKey)
	if err != nil {
		return nil, err
	}
	serviceAccountPEM, err := keyPEM(serviceAccountKey)
	if err != nil {
		return nil, err
	}
	for _, file := range []struct {
		name    string
		content []byte
	}{
		{c.certFile, serving},
		{c.keyFile, servingPEM},
		{c.serviceAccountKeyFile, serviceAccountPEM},
	} {
		if err := os.WriteFile(file.name, file.content, 0o600); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// writeToken writes the token's file, and removeToken removes it again.
func (c *credentials) writeToken() error {
	return os.WriteFile(c.tokenFile, fmt.Appendf(nil, "%s,%s,%s,system:masters\n", c.token, User, User), 0o600)
}

func (c *credentials) removeToken() error { return os.Remove(c.tokenFile) }

// restConfig is how a client that has the credentials reaches a kube-apiserver.
func (c *credentials) restConfig(address net.Addr) *rest.Config {
	return &rest.Config{
		Host:            "https://" + address.String(),
		BearerToken:     c.token,
		TLSClientConfig: rest.TLSClientConfig{CAData: c.ca},
		ContentConfig:   rest.ContentConfig{ContentType: "application/json", AcceptContentTypes: "application/json"},
		QPS:             -1,
	}
}

func keyPEM(key *ecdsa.PrivateKey) ([]byte, error) {
	der, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		return nil, err
	}
	return pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: der}), nil
}
