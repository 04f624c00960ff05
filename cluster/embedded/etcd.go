package embedded

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"time"

	"go.etcd.io/etcd/server/v3/embed"
	"go.etcd.io/etcd/server/v3/storage/wal"
	"google.golang.org/grpc"

	"rvtui/cluster/rpcs"
)

// etcd is one member that serves clients on a unix socket, and nobody else.
type etcd struct {
	config *embed.Config
	socket string
	server *embed.Etcd
	grpc   *grpc.Server
	failed func(error)
}

func newEtcd(directory *directory, log *logFile, recorder *rpcs.Recorder, profile profile) *etcd {
	e := &etcd{config: embed.NewConfig(), socket: directory.path(socketName), failed: log.failed}
	e.config.Dir = directory.path("etcd")
	e.config.ZapLoggerBuilder = embed.NewZapLoggerBuilder(log.zap("etcd"))
	client := url.URL{Scheme: "unix", Path: e.socket}
	e.config.ListenClientUrls = []url.URL{client}
	e.config.AdvertiseClientUrls = []url.URL{client}
	// A member must have a peer address, but nothing needs to listen there, nor is it dialled.
	peer := url.URL{Scheme: "http", Host: "127.0.0.1:2380"}
	e.config.ListenPeerUrls = nil
	e.config.AdvertisePeerUrls = []url.URL{peer}
	e.config.InitialCluster = e.config.Name + "=" + peer.String()
	e.config.EnableGRPCGateway = false
	e.config.TickMs, e.config.ElectionMs = profile.tickMs, profile.electionMs
	e.config.UnsafeNoFsync = profile.noFsync
	e.config.ServiceRegister = func(server *grpc.Server) { e.grpc = server }
	if recorder != nil {
		e.config.GRPCAdditionalServerOptions = recorder.ServerOptions()
	}
	// Ahead of need, etcd allocates two files of this size: in a temporary directory that is
	// memory, the default of 64 MB each is more than the whole program needs.
	wal.SegmentSizeBytes = profile.walSegmentSize
	return e
}

func (e *etcd) endpoint() string { return "unix://" + e.socket }

// start starts etcd and returns once it serves.
func (e *etcd) start(ctx context.Context) (err error) {
	e.server, err = embed.StartEtcd(e.config)
	if err != nil {
		return err
	}
	select {
	case <-e.server.Server.ReadyNotify():
	case <-e.server.Server.StopNotify():
		return errors.New("it stopped at once")
	case err, open := <-e.server.Err():
		if open {
			return err
		}
		return errors.New("it stopped at once")
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	go func() {
		// Closed without an error where etcd is closed by us.
		if err, open := <-e.server.Err(); open {
			e.failed(fmt.Errorf("etcd ended: %w", err))
		}
	}()
	return nil
}

// stop stops etcd. Calls that are still under way after the grace time are cut off.
func (e *etcd) stop() {
	if e.server == nil {
		return
	}
	cut := func() {}
	if e.grpc != nil {
		cut = e.grpc.Stop
	}
	stopWithin(graceTime, stopTimeout, e.server.Close, cut)
}

// stopWithin waits for end, which ends a server, but after grace it has the connections cut,
// and after the timeout it waits no more. Neither function need ever return: where a fatal
// message has ended one of the server's goroutines, what that had locked stays locked.
func stopWithin(grace, timeout time.Duration, end, cut func()) {
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		end()
	}()
	select {
	case <-ended:
		return
	case <-time.After(grace):
	}
	go cut()
	select {
	case <-ended:
	case <-time.After(timeout):
	}
}
