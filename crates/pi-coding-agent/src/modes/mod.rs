//! The ways to run: print, JSON, RPC.
