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
//! | `servers`, `offers` | the servers of a session, and which of their tools the model is told of |
//! | `server/` | one server: started when needed, asked, ended |
//! | `config/` | the files that name servers |
//! | `metadata` | what is known of a server without asking it |
//! | `tool`, `names`, `schema`, `results` | a tool of a server as one of the agent |
//! | `resources` | the tools for what servers have besides tools |
//! | `elicitation/`, `pages` | questions of servers to the user; opening pages of the web |
//! | `oauth/`, `accounts` | logins to servers |
//! | `hash` | short names for long texts |
//! | `command`, `status`, `manage`, `checks` | `/mcp`; how servers are doing, for clients; adding, removing and trying servers on the command line; checking them without a start |
//! | `search/`, `prompts` | tools that are found by a search; prompts of servers as commands |
//! | `serve/` | the other way round: pi as a server |
//! | `error` | what can go wrong, in sentences |

mod accounts;
mod checks;
mod command;
mod config;
mod elicitation;
mod error;
mod extension;
mod hash;
mod manage;
mod metadata;
mod names;
mod oauth;
mod offers;
mod pages;
mod prompts;
mod resources;
mod results;
mod schema;
mod search;
mod serve;
mod server;
mod servers;
mod status;
mod tool;

pub use accounts::{log_in, log_out};
pub use checks::{CheckState, ServerCheck, check_servers};
pub use config::has_servers;
pub use extension::Mcp;
pub use manage::{ServerParts, ServerReport, add_server, remove_server, report, servers_file};
pub use serve::{Served, SessionProgram, serve};
