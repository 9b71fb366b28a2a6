//! Where keys come from: the environment here, OAuth flows later, each in a file of its own.

pub mod env;
