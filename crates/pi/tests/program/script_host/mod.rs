//! Extensions in TypeScript as a client of the real program meets them: what goes wrong in them, what they may use up,
//! how they live with their sessions, and the same as under the reference.

mod abuse;
mod conformance;
mod cost;
mod faults;
mod limits;
mod load;
mod newer;
mod permissions;
mod proxies;
mod sessions;
mod stage;
mod stopped;
#[allow(dead_code, unused_imports, reason = "other tests use more of it")]
mod trust;
mod under_way;
