//! Which commands of the shell only look. What is not known to be harmless is not.

/// Programs that change nothing, whatever their arguments are.
const LOOKING: [&str; 20] = [
    "cat", "cut", "date", "df", "diff", "du", "echo", "grep", "head", "ls", "nl", "ps", "pwd", "rg", "stat", "tail",
    "uname", "wc", "which", "whoami",
];
/// Commands of git that change nothing.
const GIT: [&str; 8] = ["blame", "describe", "diff", "grep", "log", "ls-files", "show", "status"];
/// With these one command becomes several, or writes, or runs another one.
const DANGEROUS: [&str; 9] = [">", "<(", "`", "$(", "--output", "--pre", "--hostname-bin", "--open-files", " -O"];

/// Whether a command line only looks.
pub(crate) fn only_looks(line: &str) -> bool {
    // Splitting does not know quotes: what is quoted may be refused, and nothing else gets through.
    let mut commands =
        line.split(['\n', ';', '|', '&']).map(str::trim).filter(|command| !command.is_empty()).peekable();
    commands.peek().is_some() && !DANGEROUS.iter().any(|sign| line.contains(sign)) && commands.all(is_known)
}

fn is_known(command: &str) -> bool {
    let mut words = command.split_whitespace();
    match words.next() {
        Some("git") => words.next().is_some_and(|verb| GIT.contains(&verb)),
        Some("find") => {
            !words.any(|word| word.starts_with("-exec") || word.starts_with("-ok") || is_writing_test(word))
        }
        Some(program) => LOOKING.contains(&program),
        None => false,
    }
}

/// Tests of `find` that do more than test.
fn is_writing_test(word: &str) -> bool {
    word == "-delete" || word.starts_with("-fprint") || word == "-fls"
}
