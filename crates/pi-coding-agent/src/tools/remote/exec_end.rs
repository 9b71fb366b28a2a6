//! How a command ended, from what the shell over there tells of it.

use crate::tools::operations::BashExit;

/// Shells report the end by a signal as this plus its number.
const SIGNALLED: i32 = 128;

/// Reads `ended {status} {said}`: the exit code of the leader's shell, and what that shell said: the code of the command on a
/// line of its own, and before it a remark when a signal killed the command. A command that ended itself with a code above
/// 128 gets no remark, which is the only difference that a shell makes. `None` for another report.
pub(super) fn exit_of(report: &str) -> Option<BashExit> {
    let (status, said) = report.strip_prefix("ended ")?.split_once(' ')?;
    let code_at = said.lines().position(|line| !line.is_empty() && line.bytes().all(|byte| byte.is_ascii_digit()));
    let Some(at) = code_at else {
        // The leader itself was killed, so the command killed its whole group.
        return Some(status.parse::<i32>().map_or(BashExit::Unknown, signal_or_code));
    };
    let code: i32 = said.lines().nth(at)?.parse().ok()?;
    Some(if at > 0 { signal_or_code(code) } else { BashExit::Code(code) })
}

fn signal_or_code(status: i32) -> BashExit {
    if status > SIGNALLED { BashExit::Signal(status - SIGNALLED) } else { BashExit::Code(status) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends() {
        for (report, expected) in [
            ("ended 0 0", Some(BashExit::Code(0))),
            ("ended 0 3\n", Some(BashExit::Code(3))),
            ("ended 0 137", Some(BashExit::Code(137))),
            // What shells say of a killed command; after the code it is about the guard.
            ("ended 0 Killed\n137", Some(BashExit::Signal(9))),
            (
                "ended 0 bash: line 7: 15155 Killed   \"$0\" -c \"$1\"\n137\nbash: line 9: 1 Killed",
                Some(BashExit::Signal(9)),
            ),
            ("ended 0 141\nKilled", Some(BashExit::Code(141))),
            // A command that killed its whole group.
            ("ended 137 ", Some(BashExit::Signal(9))),
            ("ended 137 Killed", Some(BashExit::Signal(9))),
            ("group 17", None),
        ] {
            assert_eq!(exit_of(report), expected, "{report:?}");
        }
    }
}
