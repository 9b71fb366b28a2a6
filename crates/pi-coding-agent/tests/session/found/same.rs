//! What is fast says the same as what is plain, whatever the file looks like.

use std::path::Path;

use pi_coding_agent::session::{SessionInfo, list_sessions};
use proptest::prelude::*;

use crate::found::generated::session_file;
use crate::found::naive;
use crate::found::support::{CWD, Home, quiet, write_bytes};

/// A session without messages is told from one whose first message is these words by nothing else.
fn as_listed(summary: naive::Summary) -> naive::Summary {
    let first_message = summary.first_message.or_else(|| Some("(no messages)".to_owned()));
    naive::Summary { first_message, ..summary }
}

fn as_summary(info: &SessionInfo) -> naive::Summary {
    naive::Summary {
        id: info.id.clone(),
        name: info.name.clone(),
        modified: info.modified,
        messages: info.message_count,
        first_message: Some(info.first_message.clone()),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_list_says_what_parsing_everything_says(bytes in session_file()) {
        let home = Home::new();
        write_bytes(&home.paths.default_session_dir(Path::new(CWD)).join("a.jsonl"), &bytes);
        let listed = list_sessions(&home.paths, Path::new(CWD), None, quiet);
        let text = String::from_utf8_lossy(&bytes);
        prop_assert_eq!(listed.first().map(as_summary), naive::summary(&bytes).map(as_listed), "{}", text);
        if let Some(info) = listed.first() {
            let said: Vec<_> = naive::said(&bytes).into_iter().map(|said| said.text).collect();
            prop_assert_eq!(info.all_messages_text().unwrap(), said.join(" "), "{}", text);
        }
    }
}
