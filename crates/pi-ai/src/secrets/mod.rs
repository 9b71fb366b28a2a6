//! Recognises credentials and redacts them in texts. Error texts, logs, sessions, exports and cassettes all use this
//! one list.
//!
//! # Layout
//! `names`: which headers, fields and query parameters carry a credential. `forms`: the spellings in which a server may
//! repeat one. `set`: the credentials of one call, found by value; `errors`: those in the text of an error. `shapes`: credentials of unknown value, found by
//! their looks; cassettes use them, error texts do not.
//!
//! Besides those of its own call, every text is cleared of the credentials that this process has read so far
//! ([`remember_secret`]): a proxy may repeat the key of another call, and a script that of another provider.

use std::ops::Range;
use std::sync::{Arc, RwLock};

use pi_guard::Unpoisoned;

mod errors;
mod forms;
mod names;
mod set;
mod shapes;

pub use names::is_secret_name;
pub use set::Secrets;
pub(crate) use shapes::Shapes;

/// Placeholder for a key: the wire format finds the credentials by itself.
pub const AUTHENTICATED: &str = "<authenticated>";
/// Replaces a secret.
pub(crate) const REDACTED: &str = "REDACTED";
/// Shorter values would match by chance.
pub(crate) const SHORTEST: usize = 8;
/// Most credentials that are remembered. The oldest are dropped first, so that renewed tokens do not pile up.
const MOST_REMEMBERED: usize = 256;

/// The credentials that this process has read.
static KNOWN: RwLock<Option<Arc<Secrets>>> = RwLock::new(None);

/// Remembers a credential for as long as the process runs: no error text, session or cassette shows it. For values from
/// files, commands, variables and logins; those that are given with a call are known to that call. Values of less than
/// eight characters are ignored.
pub fn remember_secret(value: &str) {
    let mut known = KNOWN.write().unpoisoned();
    let is_new = known.as_ref().is_none_or(|known| !known.contains(value));
    if is_new && value.trim().len() >= SHORTEST {
        let mut grown = known.as_deref().cloned().unwrap_or_default();
        grown.add(value);
        grown.forget_oldest(MOST_REMEMBERED);
        *known = Some(Arc::new(grown));
    }
}

/// The text without the credentials that this process has read.
pub fn without_known_secrets(text: &str) -> String {
    Secrets::default().redact(text)
}

/// The credentials that this process has read; `None` when there is none.
pub(crate) fn known() -> Option<Arc<Secrets>> {
    KNOWN.read().unpoisoned().clone()
}

/// Sorts ranges and joins those that overlap.
pub(crate) fn merged(mut found: Vec<Range<usize>>) -> Vec<Range<usize>> {
    found.sort_by_key(|secret| secret.start);
    found.dedup_by(|next, previous| {
        let overlaps = next.start < previous.end;
        if overlaps {
            previous.end = previous.end.max(next.end);
        }
        overlaps
    });
    found
}

/// Replaces these ranges of the text, which must be sorted and disjoint.
fn replaced(text: &str, secrets: &[Range<usize>]) -> String {
    let mut clean = Vec::with_capacity(text.len());
    let mut at = 0;
    for secret in secrets {
        clean.extend_from_slice(&text.as_bytes()[at..secret.start]);
        clean.extend_from_slice(REDACTED.as_bytes());
        at = secret.end;
    }
    clean.extend_from_slice(&text.as_bytes()[at..]);
    String::from_utf8_lossy(&clean).into_owned()
}

#[cfg(test)]
mod tests;
