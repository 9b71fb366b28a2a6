//! Node's built-in modules: which there are, their sources (`js/node/`), and what they need of the machine.
//!
//! A module is one file in `js/node/`, written as the body of a CommonJS module with `host` in scope; it is evaluated when
//! something asks for it. The operations that it calls are in the file of the same name here.

mod encoding;
mod errno;
mod fs;
mod modules;
mod os;
mod permissions;
mod process;
mod url;

pub(crate) use modules::{is_module, module_name, source};
pub(crate) use permissions::Permission;
pub use permissions::Permissions;

use crate::op::OpTable;

/// Adds what the modules call.
pub(crate) fn add_ops(ops: &mut OpTable) {
    encoding::add(ops);
    fs::add(ops);
    os::add(ops);
    process::add(ops);
    url::add(ops);
    ops.require("fs.", Permission::Files);
    ops.require("net.", Permission::Network);
    ops.require("child.", Permission::Programs);
}
