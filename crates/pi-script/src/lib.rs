//! Runs TypeScript and JavaScript: an engine on a thread of its own, ES modules and CommonJS, Node's built-in modules,
//! limits. It knows nothing of agents, sessions or terminals: what scripts can do beyond Node comes from the program, as
//! [`Op`]s and modules of its own.
//!
//! ```
//! use pi_script::{Data, Engine, EngineOptions};
//!
//! # #[tokio::main(flavor = "multi_thread")] async fn main() -> Result<(), pi_script::Error> {
//! let mut options = EngineOptions::new("example");
//! options.modules.add("app:greet", "export function greet(name) { return `Hello, ${name}!` }");
//! let engine = Engine::start(options)?;
//! let greeting = engine.call_export("app:greet", "greet", vec![Data::from("world")]).await?;
//! assert_eq!(greeting.into_text(), Some("Hello, world!".to_owned()));
//! # Ok(()) }
//! ```
//!
//! Bottom-up; each directory knows only those above it in the table:
//!
//! | Directory | What is in it |
//! |---|---|
//! | `op/` | what passes between scripts and the program: arguments, values, errors, permissions |
//! | `fetch/` | how scripts reach HTTP servers: a trait for programs, and reqwest behind it |
//! | `module/` | where imports lead, TypeScript to JavaScript, CommonJS, positions in stack traces |
//! | `engine/` | the handle that programs hold, the thread behind it, its messages, operations, limits |
//! | `node/` | Node's built-in modules: what they need of the machine; their other half is in `js/node/` |

mod engine;
mod error;
mod fetch;
mod module;
mod node;
mod op;
mod terminal;

pub use engine::{Engine, EngineOptions, Limits, Op, OpContext, OpTable, Platform, Report, ReportKind, WeakEngine};
pub use error::{Error, ScriptError};
pub use fetch::{Connection, Fetch, FetchError, FetchRequest, FetchResponse, ReqwestFetch, Upgraded};
pub use module::ModuleTable;
pub use op::{Args, Callback, Data, Later, OpError, OpResult, Permission, Permissions, TooDeep, parse_json};
pub use terminal::TerminalLender;
