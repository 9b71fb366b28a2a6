//! An engine: the handle that programs hold (`handle`), the thread behind it (`thread`, `worker`), what is sent to it
//! (`message`) and how the two meet (`spin`), what scripts find there (`host`, `values`, `signals`;
//! `op_table`: operations, `platform`: what is built in), timers, its limits
//! (`bounds`, `memory`), and what is reported (`report`).

mod bounds;
mod handle;
mod host;
mod limits;
mod memory;
mod message;
mod op_table;
mod options;
mod platform;
mod report;
mod signals;
mod spin;
mod thread;
mod timers;
mod values;
mod worker;

pub use handle::{Engine, WeakEngine};
pub use limits::Limits;
pub use op_table::{Op, OpContext, OpTable};
pub use options::EngineOptions;
pub use platform::Platform;
pub(crate) use platform::{PlatformParts, Provisions};
pub use report::{Report, ReportKind};
