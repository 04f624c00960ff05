package embedded

import (
	"net"
	"sync"
)

// cutListener is a listener that knows its open connections, so that they can be cut off
// when the server that has them takes too long to say goodbye.
type cutListener struct {
	net.Listener
	accepting func() // told once, when the first connection is waited for

	once  sync.Once
	mu    sync.Mutex
	conns map[*cutConn]struct{}
}

func (l *cutListener) Accept() (net.Conn, error) {
	if l.accepting != nil {
		l.once.Do(l.accepting)
	}
	conn, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	c := &cutConn{Conn: conn, listener: l}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.conns == nil {
		l.conns = map[*cutConn]struct{}{}
	}
	l.conns[c] = struct{}{}
	return c, nil
}

// cut closes every open connection.
func (l *cutListener) cut() {
	l.mu.Lock()
	var conns []*cutConn
	for c := range l.conns {
		conns = append(conns, c)
	}
	l.mu.Unlock()
	for _, c := range conns {
		_ = c.Close()
	}
}

type cutConn struct {
	net.Conn
	listener *cutListener
}

func (c *cutConn) Close() error {
	c.listener.mu.Lock()
	delete(c.listener.conns, c)
	c.listener.mu.Unlock()
	return c.Conn.Close()
}
