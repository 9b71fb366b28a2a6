//! The proxy: a client and a server over real HTTP, with a scripted model behind.

mod abort;
mod client;
mod failures;
mod garbage;
mod round_trip;
mod server;
mod support;
