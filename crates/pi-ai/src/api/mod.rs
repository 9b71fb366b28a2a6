//! Wire formats, one folder each: `request.rs` builds JSON, `decode.rs` is a plain state machine, `compat.rs` holds
//! the quirks. The driver turns any of them into a stream. Nothing is shared by copy.

use std::sync::Arc;

use crate::registry::Api;

#[cfg_attr(not(test), allow(dead_code, reason = "called by the wire formats, which arrive next"))]
pub(crate) mod driver;
pub mod scripted;
#[cfg_attr(not(test), allow(dead_code, reason = "implemented by the wire formats, which arrive next"))]
pub(crate) mod wire;

/// The built-in wire formats.
pub(crate) fn builtin() -> Vec<Arc<dyn Api>> {
    vec![]
}
