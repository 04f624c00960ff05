package screen

import "regexp"

// meaning is a sign or a word of the screen, and what it means.
type meaning struct {
	sign, means string
	// shown is how the sign looks in a frame's text, in every language: with what stands
	// beside it, so that the same word in a sentence is not taken for the sign.
	shown *regexp.Regexp
}

func looks(like string) *regexp.Regexp { return regexp.MustCompile("(?m)" + like) }

// atTheEnd is what stands behind the last word of a pane's line.
const atTheEnd = ` *(?:[│┃]|$)`

// legend is what the screen shows and does not explain where it shows it.
var legend = []struct {
	title    string
	of       View // whose words these are above all; Panes is no view's
	meanings []meaning
}{
	{"What the signs mean", Panes, []meaning{
		{"LIVE", "the cursor stands at the newest step; → takes the next", looks(`(?:LIVE|最新) \d`)},
		{"SAVED", "a saved trace: the cursor stands at the newest step that was revealed; → reveals the next", looks(`(?:SAVED|存档) \d`)},
		{"PAST", "you look back at what was seen; nothing is sent", looks(`(?:PAST|回看) \d`)},
		{"● ◉ ○", "steps: taken, under the cursor, to come; ✗ not as expected, · skipped", looks(`^ .*◉.*  |^ (?:[●○✗·]─)+[●○✗·]  `)},
		{"▪ ▫", "presenter's mode: what there is to say of the step, shown and to come", looks(`▪+▫*`)},
		{"▸", "belongs to the step under the cursor; in the list, the selected scenario", looks(`▸`)},
		{"–", "in the list: not run to its end yet", looks(` – ` + atTheEnd)},
		{"ok", "in the list: run to its end, and all came out as expected", looks(`(?:  |\d/\d )ok +(?:│|$)`)},
		{"FAILED", "in the list: run, and something did not come out as expected", looks(` (?:FAILED|不符) ` + atTheEnd)},
		{"N/M", "in the list: of so many predictions, so many were right (right/asked)", looks(` \d+/\d+ (?:ok|–|FAILED|不符) ` + atTheEnd)},
		{"- +", "what the writer held before its write, and what it sent instead; in the diff, the older revision and the newer one", looks(`│ [-+] `)},
		{"sent, stored", "what became of the body that was sent; altered: not all as sent, the answer shows how; refused: not stored", looks(`(?:sent|sends this patch), |(?:发出的|发出这个 patch)，`)},
		{"holds rv N", "the version of the object that this actor was last given", looks(`(?:holds|手里) rv`)},
		{"stale", "the apiserver now serves another version than this actor holds, or none", looks(`(?:stale|已过期)` + atTheEnd + `|\d +(?:stale|已过期) `)},
		{"not seen here", "the cluster does not show what this expectation rests on: it neither held nor failed", looks(`not seen here: |这里看不到：`)},
		{"no rv", "the write names no resourceVersion, so it asks for no check against one", looks(`\bno rv\b`)},
	}},
	{"What etcd's words mean", Zoomed, []meaning{
		{"head", "the store's newest revision; each transaction that writes raises it by one", looks(`head \d`)},
		{"compacted N", "the store can no longer be read as it was at any revision below N", looks(`compacted (?:at )?(?:\d|none|\?)|压缩到 [\d?]|没有压缩过`)},
		{"gone", "compacted: what the key held at this revision cannot be read any more", looks(`(?:gone|已丢弃)` + atTheEnd)},
		{"rev", "the revision at which the change was made", looks(` rev +op `)},
		{"op", "PUT, or DELETE (DEL for short)", looks(` rev +op `)},
		{"key", "the object's name, which is the last part of its key in etcd", looks(` op +key `)},
		{"ver", "the key's version: how often it was written since its creation; 0 once deleted", looks(` ver +by | op +key .*version `)},
		{"by", "whose request made the change", looks(` op +key .*by `)},
		{"create_revision", "the revision at which the key was created", looks(`\bcreate_revision\b`)},
		{"mod_revision", "the revision of the key's last change: the object's resourceVersion", looks(`\bmod_revision\b`)},
		{"mod", "a key's mod_revision, as a Range found it or a Txn compares it", looks(`mod[ =](?:\d|…)`)},
		{"by others", "changes of keys that are not the scenario's: the apiserver's own leases and the like, or anyone else who writes beside rvtui", looks(`\d by others|其他写入`)},
		{"no write reached etcd", "the request was answered before any Txn that writes was sent", looks(`no write reached|没有写操作到达`)},
		{"etcd wrote nothing", "in etcd's pane: a Txn that writes was sent, and its comparison did not hold", looks(`[^·] (?:etcd wrote nothing|etcd 什么也没写)` + atTheEnd)},
		{"?", "only etcd tells it, and here nobody did", looks(`(?:PUT|DEL\w*) .* \?  ?|compacted \?|压缩到 \?`)},
		{"no new revision", "where RPCs are not recorded: no revision of the scenario's objects came of the request", looks(`no new revision|没有新的?(?:修订)?版本`)},
		{"Range", "etcd's read of a key, or of all keys from one to another (RangeStream: the answer in parts); at N: as of revision N", looks(`\bRange\b`)},
		{"Txn if mod=N → put", "etcd's conditional write: it puts (or deletes) if the key's mod_revision is still N (0: if there is no such key); lost: it was not", looks(`Txn.* if mod=|Txn：mod=`)},
	}},
	{"What the path's words mean", Path, []meaning{
		{"( )", "where another answer to the question would have led", looks(`   \([^()]* → [^()]*\)`)},
		{"┊", "the way did not come here, as the request was answered before; or nothing shows what came of it", looks(`^ ┊ `)},
		{"~", "it follows from the request and its answer; no span and no RPC shows it", looks(`^ ~ `)},
		{"round", "a write whose Txn was lost is tried again on the object as it is now", looks(`^ *(?:round \d|第 \d+ 轮)|rounds \d|到 \d+ 轮`)},
		{"watch cache", "the apiserver's own copy of a kind's objects, kept current by a watch of etcd", looks(`\bwatch cache\b`)},
		{"snapshot", "the watch cache as it was at a revision, kept for a while", looks(`snapshots?|快照`)},
		{"span", "what the apiserver itself notes down of its work on a request, with the times", looks(`(?:Proof: |凭据：)span`)},
	}},
}
