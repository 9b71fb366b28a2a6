//! Node's built-in modules: which there are, their sources (`js/node/`), and what they need of the machine.
//!
//! A module is one file in `js/node/`, written as the body of a CommonJS module with `host` in scope; it is evaluated when
//! something asks for it. The operations that it calls are in the file of the same name here.

mod child;
mod crypto;
mod dns;
mod encoding;
mod errno;
mod fetch;
mod fs;
mod handles;
mod http_server;
mod intl;
mod modules;
mod names;
mod os;
mod process;
mod tcp;
#[cfg(test)]
mod tests;
mod url;
mod zlib;

use std::sync::Arc;

use crate::engine::{EngineOptions, OpTable, Platform, PlatformParts, Provisions};
use crate::module::{Builtin, BuiltinModules};
use crate::op::Permission;

/// Node's modules, and what they need of the machine.
struct Node;

impl EngineOptions {
    /// An engine with Node's modules alone, in the program's directory, whose reports go to the log.
    pub fn new(name: impl Into<String>) -> Self {
        Self::with_platform(name, Platform::node())
    }
}

impl Platform {
    /// Node's modules.
    pub fn node() -> Self {
        Self(Arc::new(Node))
    }
}

impl BuiltinModules for Node {
    fn bootstrap(&self) -> &'static Builtin {
        modules::bootstrap()
    }

    fn source(&self, bare: &str) -> Option<&'static Builtin> {
        modules::source(bare)
    }

    fn is_public(&self, bare: &str) -> bool {
        modules::is_public(bare)
    }

    fn needs_prefix(&self, bare: &str) -> bool {
        names::needs_prefix(bare)
    }

    fn names_of(&self, bare: &str) -> Option<&'static str> {
        names::names_of(bare)
    }

    fn listed(&self) -> Vec<String> {
        names::listed()
    }
}

impl PlatformParts for Node {
    fn add_ops(&self, ops: &mut OpTable, Provisions { fetch, terminal }: Provisions) {
        let files = Arc::new(fs::OpenFiles::default());
        child::add(ops, &files, terminal);
        crypto::add(ops);
        dns::add(ops);
        let sockets = tcp::Sockets::default();
        http_server::add(ops, &sockets);
        intl::add(ops);
        tcp::add(ops, &sockets);
        zlib::add(ops);
        fetch::add(ops, fetch, &sockets);
        encoding::add(ops);
        fs::add(ops, files);
        os::add(ops);
        process::add(ops);
        url::add(ops);
        ops.require("fs.", Permission::Files);
        ops.require("net.", Permission::Network);
        ops.require("child.", Permission::Programs);
        ops.require("process.", Permission::Environment);
        ops.require("os.", Permission::Environment);
    }
}
