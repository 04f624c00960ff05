package rpcs

import (
	"go.etcd.io/etcd/api/v3/etcdserverpb"
	"go.etcd.io/etcd/api/v3/mvccpb"

	"rvtui/scenarios"
)

// fromRequest says what a request asks for; never a value.
func fromRequest(method string, request any) scenarios.RPC {
	rpc := scenarios.RPC{Method: method}
	switch r := request.(type) {
	case *etcdserverpb.RangeRequest:
		rpc.Key, rpc.RangeEnd = string(r.GetKey()), string(r.GetRangeEnd())
		rpc.AtRevision, rpc.Limit = r.GetRevision(), r.GetLimit()
	case *etcdserverpb.PutRequest:
		rpc.Key, rpc.Writes = string(r.GetKey()), "put"
	case *etcdserverpb.DeleteRangeRequest:
		rpc.Key, rpc.RangeEnd, rpc.Writes = string(r.GetKey()), string(r.GetRangeEnd()), "delete"
	case *etcdserverpb.TxnRequest:
		fromTxn(&rpc, r)
	case *etcdserverpb.CompactionRequest:
		rpc.AtRevision = r.GetRevision()
	case *etcdserverpb.WatchCreateRequest:
		rpc.Key, rpc.RangeEnd = string(r.GetKey()), string(r.GetRangeEnd())
		rpc.AtRevision = r.GetStartRevision()
	}
	return rpc
}

// fromTxn reads a Txn as the apiserver writes them: one compare of one key, one write of
// it if that holds, one read of it if not (go.etcd.io/etcd/client/v3/kubernetes).
func fromTxn(rpc *scenarios.RPC, txn *etcdserverpb.TxnRequest) {
	for _, compare := range txn.GetCompare() {
		if rpc.Key == "" {
			rpc.Key = string(compare.GetKey())
		}
		if compare.GetTarget() == etcdserverpb.Compare_MOD && compare.GetResult() == etcdserverpb.Compare_EQUAL {
			revision := compare.GetModRevision()
			rpc.Key, rpc.CompareModRevision = string(compare.GetKey()), &revision
			break
		}
	}
	for _, op := range txn.GetSuccess() {
		var key []byte
		switch {
		case op.GetRequestPut() != nil:
			rpc.Writes, key = "put", op.GetRequestPut().GetKey()
		case op.GetRequestDeleteRange() != nil:
			rpc.Writes, key = "delete", op.GetRequestDeleteRange().GetKey()
		default:
			continue
		}
		if rpc.Key == "" {
			rpc.Key = string(key)
		}
		return
	}
}

// addResponse adds what an answer says; never a value.
func addResponse(rpc *scenarios.RPC, response any) {
	if answer, ok := response.(interface {
		GetHeader() *etcdserverpb.ResponseHeader
	}); ok {
		rpc.Revision = answer.GetHeader().GetRevision()
	}
	switch r := response.(type) {
	case *etcdserverpb.RangeResponse:
		addRange(rpc, r)
	case *etcdserverpb.PutResponse:
		rpc.ModRevision = rpc.Revision
	case *etcdserverpb.DeleteRangeResponse:
		rpc.Count = r.GetDeleted()
	case *etcdserverpb.TxnResponse:
		succeeded := r.GetSucceeded()
		rpc.Succeeded = &succeeded
		if succeeded && rpc.Writes == "put" {
			rpc.ModRevision = rpc.Revision
			return
		}
		for _, op := range r.GetResponses() {
			if read := op.GetResponseRange(); read != nil {
				addKeys(rpc, read.GetKvs())
			}
		}
	}
}

// addRange adds an answer to a read, or one part of it.
func addRange(rpc *scenarios.RPC, r *etcdserverpb.RangeResponse) {
	if revision := r.GetHeader().GetRevision(); revision != 0 {
		rpc.Revision = revision
	}
	addKeys(rpc, r.GetKvs())
	if rpc.Count == 0 {
		rpc.Count = r.GetCount() // a read that asked for the number only
	}
}

// addKeys counts keys that came back. The mod_revision of a key is told where it is the
// only one.
func addKeys(rpc *scenarios.RPC, kvs []*mvccpb.KeyValue) {
	if len(kvs) == 0 {
		return
	}
	rpc.Count += int64(len(kvs))
	rpc.ModRevision = 0
	if rpc.Count == 1 {
		rpc.ModRevision = kvs[0].GetModRevision()
	}
}
