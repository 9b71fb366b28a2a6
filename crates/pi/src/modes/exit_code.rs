//! Exit codes of runs that ended otherwise than well. The table is in docs/cli.md.

use pi_coding_agent::agent_session::Limit;

/// The last answer failed, or a prompt was refused.
pub(super) const FAILED: u8 = 1;
/// The final answer does not fit the schema that was asked for.
pub(super) const NO_FIT: u8 = 13;

/// A limit was reached.
pub(super) fn of_limit(limit: Limit) -> u8 {
    match limit {
        Limit::MaxTurns => 10,
        Limit::MaxCost => 11,
        Limit::Timeout => 12,
    }
}
