//! What people call things: words of one group stand for each other, with less weight than the word itself.

/// Groups of words that mean about the same of a tool.
const GROUPS: &[&[&str]] = &[
    &["create", "add", "make", "new", "insert", "open", "write"],
    &["delete", "remove", "drop", "erase", "cancel", "forget", "destroy"],
    &["list", "show", "get", "fetch", "view", "display", "retrieve"],
    &["search", "find", "look", "query", "filter"],
    &["read", "get", "open", "contents"],
    &["update", "edit", "change", "modify", "set", "rename", "reschedule"],
    &["move", "rename", "transition"],
    &["issue", "bug", "ticket", "story", "task"],
    &["pr", "pull"],
    &["repo", "repository"],
    &["ci", "workflow", "pipeline", "build"],
    &["message", "post", "send", "tell", "answer", "reply"],
    &["mail", "email"],
    &["folder", "directory"],
    &["picture", "image", "photo", "screenshot", "snapshot"],
    &["person", "people", "user", "member", "team"],
    &["event", "meeting", "appointment"],
    &["free", "available", "slot"],
    &["website", "page", "url", "address", "site"],
    &["press", "click"],
    &["mobile", "phone", "device"],
    &["http", "network", "request"],
    &["javascript", "script", "js"],
    &["error", "crash", "exception", "failure", "console"],
    &["slow", "performance", "plan"],
    &["cost", "spend", "spent", "money", "price", "balance"],
    &["machine", "instance", "server", "vm"],
    &["stop", "end", "halt"],
    &["start", "run", "launch", "begin"],
    &["restart", "rollout", "reboot"],
    &["scale", "replica"],
    &["crash", "restart"],
    &["secret", "password", "credential"],
    &["refund", "back"],
    &["discount", "coupon"],
    &["fixed", "resolve", "close", "done"],
    &["alert", "notify", "notification"],
    &["coordinate", "geocode", "location", "position"],
    &["way", "route", "direction", "travel"],
    &["restaurant", "place", "shop", "nearby"],
    &["jam", "traffic"],
    &["song", "track", "music", "jazz", "album"],
    &["volume", "loud", "quiet"],
    &["switch", "turn"],
    &["light", "plug", "lamp"],
    &["heating", "temperature", "thermostat"],
    &["garage", "cover", "blind"],
    &["remember", "memory", "observation", "fact"],
    &["know", "known", "recall"],
    &["paper", "article"],
    &["bibtex", "cite", "citation", "reference"],
    &["disk", "space", "prune"],
    &["token", "variable"],
    &["color", "colour", "style"],
    &["time", "hours", "worklog", "log"],
    &["work", "worked"],
    &["friend", "guest", "attendee", "everyone"],
    &["decline", "accept", "respond", "invitation"],
    &["schedule", "create", "later"],
    &["today", "list"],
    &["wetter", "weather", "天気"],
];

/// Words that stand for a term, without itself. Terms are without endings, and so is what is compared.
pub(super) fn of(term: &str) -> impl Iterator<Item = String> {
    let term = term.to_owned();
    let groups = GROUPS.iter().map(|group| group.iter().flat_map(|word| super::terms::terms(word)).collect::<Vec<_>>());
    let found: Vec<String> = groups.filter(|group| group.contains(&term)).flatten().collect();
    let mut others: Vec<String> = found.into_iter().filter(|other| *other != term).collect();
    others.sort_unstable();
    others.dedup();
    others.into_iter()
}
