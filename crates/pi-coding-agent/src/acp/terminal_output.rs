//! The output of a command as a terminal that grows, for clients that show such a one: those with `_meta.terminal_output` in
//! their capabilities. It is none of the client's own terminals, in which it would run the command. `terminal_info` begins it,
//! `terminal_output` adds to it, `terminal_exit` ends it; the names are those that adapters of other agents use with Zed.

use std::path::Path;

use agent_client_protocol_schema::v1::{Meta, Terminal, TerminalId, ToolCallContent};
use serde_json::{Value, json};

use crate::tools::EXITED;

/// Stands for output that was cut before it could be shown.
const GAP: &str = "\n[…]\n";

/// A terminal, and what was shown in it last.
#[derive(Debug, Clone)]
pub(super) struct TerminalOutput {
    id: String,
    shown: String,
}

impl TerminalOutput {
    /// That of the call with this id.
    pub(super) fn new(id: &str) -> Self {
        Self { id: id.to_owned(), shown: String::new() }
    }

    /// Where it stands in the call.
    pub(super) fn content(&self) -> ToolCallContent {
        ToolCallContent::Terminal(Terminal::new(TerminalId::new(self.id.as_str())))
    }

    /// Begins it.
    pub(super) fn info(&self, cwd: &Path) -> Meta {
        Meta::from_iter([("terminal_info".to_owned(), json!({"terminal_id": self.id, "cwd": cwd}))])
    }

    /// Adds what is new; `now` is the output as the model would see it, long output without its beginning.
    pub(super) fn output(&mut self, now: &str) -> Option<Meta> {
        let data = self.news(now);
        now.clone_into(&mut self.shown);
        let said = json!({"terminal_id": self.id, "data": data});
        (!data.is_empty()).then(|| Meta::from_iter([("terminal_output".to_owned(), said)]))
    }

    /// Adds the rest and ends it.
    pub(super) fn exit(&mut self, now: &str, is_error: bool) -> Meta {
        let mut meta = self.output(now).unwrap_or_default();
        let code = now.rsplit_once(EXITED).and_then(|(_, code)| code.parse().ok());
        let code: Option<i32> = if is_error { code } else { Some(0) };
        let exit = json!({"terminal_id": self.id, "exit_code": code, "signal": Value::Null});
        meta.insert("terminal_exit".to_owned(), exit);
        meta
    }

    fn news(&self, now: &str) -> String {
        if let Some(news) = now.strip_prefix(&self.shown) {
            return news.to_owned();
        }
        // Long output loses whole lines at its beginning.
        let lines = self.shown.match_indices('\n').map(|(at, _)| &self.shown[at + 1..]).filter(|kept| !kept.is_empty());
        match lines.filter_map(|kept| now.strip_prefix(kept)).next() {
            Some(news) => news.to_owned(),
            None => format!("{GAP}{now}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_new_is_added() {
        let mut terminal = TerminalOutput::new("1");
        let mut data = |now: &str| terminal.output(now).map(|meta| meta["terminal_output"]["data"].clone());
        assert_eq!(data(""), None);
        assert_eq!(data("one\ntw"), Some(json!("one\ntw")));
        assert_eq!(data("one\ntwo\nthree\n"), Some(json!("o\nthree\n")));
        assert_eq!(data("one\ntwo\nthree\n"), None);
        assert_eq!(data("three\nfour\n"), Some(json!("four\n")), "the beginning was cut");
        assert_eq!(data("nine\n"), Some(json!("\n[…]\nnine\n")), "so much came that nothing is left");
    }

    #[test]
    fn the_end_says_how_it_ended() {
        for (now, is_error, code) in [
            ("ok", false, json!(0)),
            ("no\n\nCommand exited with code 7", true, json!(7)),
            ("no\n\nCommand aborted", true, Value::Null),
        ] {
            let meta = TerminalOutput::new("1").exit(now, is_error);
            assert_eq!(meta["terminal_exit"], json!({"terminal_id": "1", "exit_code": code, "signal": null}));
            assert_eq!(meta["terminal_output"]["data"], now);
        }
    }
}
