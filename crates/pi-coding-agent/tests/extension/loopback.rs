//! The provider on a loopback socket that the tests of the program use.

pub(crate) use pi_test_kit::{Provider, Reply, answer, tool_call};
