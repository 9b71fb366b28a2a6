//! `--max-turns`, `--max-cost`, `--timeout`: the limits that the command line sets, in place of those of the settings.

use std::time::Duration;

use crate::cli::grammar::args::Args;
use pi_coding_agent::agent_session::Limits;

/// Limits of the settings with those of the command line laid over them. In RPC mode turns and time begin anew with each
/// prompt.
///
/// # Errors
/// A sentence that names the option and what it takes.
pub(super) fn limits(args: &Args, of_settings: Limits, is_server: bool) -> Result<Limits, String> {
    let mut limits = Limits { per_prompt: is_server, ..of_settings };
    if let Some(text) = &args.max_turns {
        let turns = text.trim().parse().ok().filter(|turns| *turns > 0);
        limits.max_turns = Some(turns.ok_or_else(|| wrong("--max-turns", text, "a whole number above 0"))?);
    }
    if let Some(text) = &args.max_cost {
        let cost =
            text.trim().trim_start_matches('$').parse().ok().filter(|cost: &f64| cost.is_finite() && *cost > 0.0);
        limits.max_cost = Some(cost.ok_or_else(|| wrong("--max-cost", text, "US dollars, for example 0.50"))?);
    }
    if let Some(text) = &args.timeout {
        let time = duration(text.trim());
        limits.timeout = Some(time.ok_or_else(|| wrong("--timeout", text, "a time, for example 90, 90s, 10m or 1h"))?);
    }
    Ok(limits)
}

fn wrong(option: &str, text: &str, expected: &str) -> String {
    format!("{option} takes {expected}, not \"{text}\"")
}

fn duration(text: &str) -> Option<Duration> {
    let (number, factor) = match text.strip_suffix(['s', 'm', 'h']) {
        Some(number) if text.ends_with('m') => (number, 60.0),
        Some(number) if text.ends_with('h') => (number, 3600.0),
        Some(number) => (number, 1.0),
        None => (text, 1.0),
    };
    let seconds = number.trim().parse::<f64>().ok()? * factor;
    Duration::try_from_secs_f64(seconds).ok().filter(|time| !time.is_zero())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_read_and_bad_ones_named() {
        let read = |turns: &str, cost: &str, time: &str| {
            let some = |text: &str| Some(text.to_owned());
            let args = Args { max_turns: some(turns), max_cost: some(cost), timeout: some(time), ..Args::default() };
            limits(&args, Limits::default(), false)
        };
        let good = read("3", "$0.5", "1.5m").unwrap();
        assert_eq!((good.max_turns, good.max_cost, good.timeout), (Some(3), Some(0.5), Some(Duration::from_secs(90))));
        assert_eq!(read("3", "1", "2h").unwrap().timeout, Some(Duration::from_secs(7200)));
        for (turns, cost, time, option) in [
            ("0", "1", "1", "--max-turns"),
            ("many", "1", "1", "--max-turns"),
            ("1", "-1", "1", "--max-cost"),
            ("1", "NaN", "1", "--max-cost"),
            ("1", "1", "0", "--timeout"),
            ("1", "1", "soon", "--timeout"),
        ] {
            assert!(read(turns, cost, time).unwrap_err().starts_with(option));
        }
    }
}
