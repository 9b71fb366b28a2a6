//! `pi acp` as an editor meets it. Every line in both directions is checked against the published schema. Names of tests
//! begin with the requirement that they are about, where there is one.

mod asked;
mod bad_input;
mod editor;
mod load;
mod permissions;
#[cfg(feature = "mcp")]
mod servers;
mod stored;
mod tools;
mod turns;
mod workspace;
