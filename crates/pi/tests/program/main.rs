//! The program `pi` as a user meets it: the real binary against a real HTTP server on loopback, in a home of its own.
#![allow(clippy::disallowed_methods, reason = "no run of a test is replayed by its clock and ids")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // helpers of a test
#![allow(clippy::print_stdout, reason = "long suites print their counts, a skipped test says so")]

mod acp;
mod auth;
mod bad_input;
mod begun;
mod broken_extensions;
mod command_line;
mod crash;
mod docs;
mod doctor;
mod events;
mod export;
mod extension_examples;
mod extensions;
mod hostile_files;
mod interactive;
mod interactive_attention;
mod interactive_commands;
mod interactive_copy;
mod interactive_extension_editor;
mod interactive_queue;
mod interactive_renderers;
mod interactive_shell;
mod interactive_start;
mod interactive_transcript;
mod interactive_vim;
mod kills;
mod left_out;
mod limits;
mod logins;
#[cfg(unix)]
mod lost_files;
mod lost_output;
mod migrations;
mod missing_cwd;
mod modes;
mod network_setup;
mod newer_files;
mod newer_models;
mod on_terminal;
mod options;
mod packages;
mod processes;
mod renamed_providers;
mod replay;
mod repository;
mod rpc;
mod rpc_bash;
mod rpc_client;
mod rpc_commands;
mod rpc_compact;
mod rpc_compact_in_run;
mod rpc_limits;
mod rpc_models;
mod rpc_queues;
mod rpc_retry;
mod rpc_sessions;
mod rpc_settled;
mod rpc_shutdown;
mod rpc_summary_retry;
mod screen;
mod screens;
#[cfg(feature = "typescript")]
mod script_host;
mod secrets;
mod session_command;
mod session_ids;
mod sign_in;
mod signals;
mod tool_choice;
mod unread;
mod untrusted;
mod words;
