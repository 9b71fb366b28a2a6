//! Tests of token flows.
