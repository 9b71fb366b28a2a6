//! What the command line and the interactive mode both do: it knows neither arguments nor panels.
//!
//! | Module | What is in it |
//! |---|---|
//! | `browser` | a page in the user's browser |
//! | `credentials` | what can be signed in to, and which keys are keys |
//! | `excerpt` | what an entry of a session says |
//! | `freed_memory` | memory that goes back to the system |
//! | `network` | the network with the proxy of the settings |
//! | `one_line` | texts in one line |
//! | `removal` | session files into the trash, or away |
//! | `run_trust` | whether projects are trusted, as far as that was decided in this run |
//! | `shell_word` | texts as a shell takes them |

pub(crate) mod browser;
pub(crate) mod credentials;
pub(crate) mod excerpt;
pub(crate) mod freed_memory;
pub(crate) mod network;
pub(crate) mod one_line;
pub(crate) mod removal;
pub(crate) mod run_trust;
pub(crate) mod shell_word;
