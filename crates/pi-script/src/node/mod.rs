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
mod permissions;
mod process;
mod tcp;
mod url;
mod zlib;

pub(crate) use modules::{BOOTSTRAP, is_module, module_name, own};
pub(crate) use names::{listed, names_of};
pub use permissions::{Permission, Permissions};

use std::sync::Arc;

use crate::fetch::Fetch;
use crate::op::OpTable;

/// Adds what the modules call.
pub(crate) fn add_ops(ops: &mut OpTable, fetch: Option<Arc<dyn Fetch>>) {
    let files = Arc::new(fs::OpenFiles::default());
    child::add(ops, &files);
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
}
