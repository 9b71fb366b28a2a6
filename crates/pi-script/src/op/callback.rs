//! Functions of scripts, as programs know them.

use serde::{Deserialize, Serialize};

/// A function of a script that the program can call: see [`Engine::invoke`](crate::Engine::invoke).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Callback(pub u32);
