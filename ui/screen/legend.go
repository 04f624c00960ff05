package screen

// meaning is a sign or a word of the screen, and what it means.
type meaning struct{ sign, means string }

// legend is what the screen shows and does not explain where it shows it.
var legend = []struct {
	title    string
	meanings []meaning
}{
	{"What the signs mean", []meaning{
		{"LIVE", "the cursor stands at the newest step; → takes the next"},
		{"PAST", "you look back at what was seen; nothing is sent"},
		{"● ◉ ○", "steps: taken, under the cursor, to come; ✗ not as expected, · skipped"},
		{"▸", "belongs to the step under the cursor; in the list, the selected scenario"},
		{"–", "in the list: not run to its end yet"},
		{"- +", "what the writer held before its write, and what it sent instead"},
		{"sent, stored", "what became of the body that was sent; altered: not all as sent, the answer shows how; refused: not stored"},
		{"holds rv N", "the version of the object that this actor was last given"},
		{"stale", "the apiserver now serves another version than this actor holds, or none"},
		{"no rv", "the write names no resourceVersion, so it asks for no check against one"},
	}},
	{"What etcd's words mean", []meaning{
		{"head", "the store's newest revision; each transaction that writes raises it by one"},
		{"compacted N", "the store can no longer be read as it was at any revision below N"},
		{"gone", "compacted: what the key held at this revision cannot be read any more"},
		{"rev", "the revision at which the change was made"},
		{"op", "PUT, or DELETE (DEL for short)"},
		{"key", "the object's name, which is the last part of its key in etcd"},
		{"ver", "the key's version: how often it was written since its creation; 0 once deleted"},
		{"by", "whose request made the change"},
		{"create_revision", "the revision at which the key was created"},
		{"mod_revision", "the revision of the key's last change: the object's resourceVersion"},
		{"by others", "changes of keys that are not the scenario's: the apiserver's own leases and the like, or anyone else who writes beside rvtui"},
		{"no write reached etcd", "the request was answered before any Txn that writes was sent"},
		{"etcd wrote nothing", "a Txn that writes was sent, and its comparison did not hold"},
		{"Range", "etcd's read of a key, or of all keys from one to another (RangeStream: the answer in parts); at N: as of revision N"},
		{"Txn if mod=N → put", "etcd's conditional write: it puts (or deletes) if the key's mod_revision is still N (0: if there is no such key); lost: it was not"},
	}},
	{"What the path's words mean", []meaning{
		{"( )", "where another answer to the question would have led"},
		{"┊", "the way did not come here: the request was answered before"},
		{"round", "a write whose Txn was lost is tried again on the object as it is now"},
		{"watch cache", "the apiserver's own copy of a kind's objects, kept current by a watch of etcd"},
		{"snapshot", "the watch cache as it was at a revision, kept for a while"},
		{"span", "what the apiserver itself notes down of its work on a request, with the times"},
	}},
}
