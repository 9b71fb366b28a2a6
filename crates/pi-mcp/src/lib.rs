//! Tools of MCP servers (Model Context Protocol). What a server is and how its tools reach a session stands here; the protocol
//! itself belongs to the crate `rmcp`, which nothing else of pi knows.
//!
#![doc = include_str!("../README.md")]
#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "no run of a test is replayed by its clock and ids"))]
//!
//! # Layout
//!
//! | Module | What is in it |
//! |---|---|
//! | `extension` | what plugs into sessions |
//! | `servers` | the servers of a session, and which of their tools the model is told of |
//! | `server/` | one server: started when needed, asked, ended |
//! | `config/` | the files that name servers |
//! | `metadata` | what is known of a server without asking it |
//! | `tool`, `names`, `schema`, `results` | a tool of a server as one of the agent |
//! | `hash` | short names for long texts |
//! | `command` | `/mcp` |
//! | `error` | what can go wrong, in sentences |

mod command;
mod config;
mod error;
mod extension;
mod hash;
mod metadata;
mod names;
mod results;
mod schema;
mod search;
mod server;
mod servers;
mod tool;

pub use config::has_servers;
pub use extension::Mcp;
