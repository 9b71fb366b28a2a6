//! An engine: the handle that programs hold (`handle`), the thread behind it (`thread`, `worker`), what is sent to it
//! (`message`) and how the two meet (`awake`), what scripts find there (`host`, `values`, `signals`), timers, its limits
//! (`bounds`, `memory`), and what is reported (`report`).

mod awake;
mod bounds;
mod handle;
mod host;
mod limits;
mod memory;
mod message;
mod options;
mod report;
mod signals;
mod thread;
mod timers;
mod values;
mod worker;

pub use handle::{Engine, WeakEngine};
pub use limits::Limits;
pub use options::EngineOptions;
pub use report::{Report, ReportKind};

use serde::{Deserialize, Serialize};

/// A function of a script that the program can call: see [`Engine::invoke`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Callback(pub u32);
