//! Cassettes: provider traffic in a file, to run again without network or key.
//!
//! [`Recorder`] wraps any transport and writes what passes; [`Replayer`] serves it. Nothing here knows a provider.
//!
//! # Format
//! A cassette is a file of JSON lines, one exchange per line, each written at once when the exchange ends:
//!
//! | Field | Meaning |
//! |---|---|
//! | `cassette` | version of the format, 1 |
//! | `n` | number of the request, from 1; lines are in the order in which exchanges *ended* |
//! | `request` | `method`, `url`, `headers` (selected), `body` (JSON, or a string where it is none) |
//! | `response` | `status`, `headers` (selected), `at` (ms from request to headers), `body`; absent when none arrived |
//! | `response.body` | pieces as the network delivered them: `at` (ms since the request) and `text`, or `base64` where a piece is not UTF-8 |
//! | `started`, `ended` | Unix time of request and end, where a [`TapeClock`] is kept |
//! | `end` | `complete`; `truncated` when the reader went away first, as it may once it has read the last event; `{"error": text}` when the transport failed |
//!
//! A line with a `kind` is no exchange: it is what somebody else wrote down with [`Notes`], tool calls for example. A
//! replay finds it with [`Replayer::notes`], and nobody minds a kind that is not known.
//!
//! # Secrets
//! Nothing secret is written: credential headers, credentials in URLs and whatever in a body has the shape of a key are
//! replaced by `REDACTED`, and so is every occurrence of the request's own credentials and of those that the process has
//! read, in any usual spelling (`crate::secrets`). Headers that are not known to be harmless are left out. One limit: a key that a *model* spells out is cut into many events by its provider, and no
//! pattern finds it there; what a tool printed is found.
//!
//! # Replay
//! Requests are answered in order. A request must have the shape of the recorded one — method, path, model, number
//! and roles of messages, names of tools — but not its prose: times, paths and wording may differ. With
//! [`Replayer::exact`] its body must be the same.

mod difference;
mod divergence;
mod exchange;
mod play;
mod recorder;
mod regular_file;
mod replayer;
mod scrub;
mod shape;
mod tape;
mod tape_clock;

pub use divergence::Divergence;
pub use recorder::Recorder;
pub use replayer::Replayer;
pub use tape::Notes;
pub use tape_clock::TapeClock;

#[cfg(test)]
#[cfg(feature = "http")]
mod tests;
