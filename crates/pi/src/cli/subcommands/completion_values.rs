//! What shells complete that only the program knows: models and sessions; and files behind `@`. The scripts ask
//! `pi completions --values KIND` for it. The rest of the scripts is made in `generate`.

use std::ops::ControlFlow;

use clap::ValueEnum;
use clap_complete::Shell;

use super::doctor::Examined;
use crate::cli::pages::names;
use crate::cli::startup::sessions::directory;
use pi_coding_agent::session::list_sessions;

/// So many of the newest sessions are offered.
const SESSIONS: usize = 200;

/// Kinds of values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum Values {
    /// `provider/id` of the models that have a key.
    Models,
    /// Ids of this directory's sessions, the newest first.
    Sessions,
    /// Pages of `pi docs`.
    Docs,
}

/// The values, one a line. What cannot be found out is not offered: nobody reads a complaint while completing.
pub(in crate::cli) fn list(values: Values) -> String {
    let lines = match values {
        Values::Docs => names(),
        Values::Models => Examined::of_process().map(|examined| models(&examined)).unwrap_or_default(),
        Values::Sessions => Examined::of_process().map(|examined| sessions(&examined)).unwrap_or_default(),
    };
    lines.iter().map(|line| format!("{line}\n")).collect()
}

fn models(examined: &Examined) -> Vec<String> {
    examined.models.available().iter().map(|model| format!("{}/{}", model.provider, model.id)).collect()
}

fn sessions(examined: &Examined) -> Vec<String> {
    let paths = &examined.paths;
    let dir = directory(None, paths, &examined.settings);
    let sessions = list_sessions(paths, paths.cwd(), dir.as_deref(), |_, _| ControlFlow::Continue(()));
    sessions.into_iter().take(SESSIONS).map(|session| session.id).collect()
}

/// The script of a shell with what only the program knows; other shells keep what they have.
pub(in crate::cli) fn with_values(shell: Shell, script: &str) -> String {
    match shell {
        Shell::Bash => script.replace("complete -F _pi ", "complete -F _pi_with_values ") + BASH,
        Shell::Zsh => with_values_for_zsh(script),
        Shell::Fish => format!("{script}{FISH}"),
        _ => script.to_owned(),
    }
}

/// `@` may break words: then the file alone is completed.
const BASH: &str = r#"
_pi_with_values() {
    local cur="${COMP_WORDS[COMP_CWORD]}" prev="" pi="${COMP_WORDS[0]}"
    [[ $COMP_CWORD -gt 0 ]] && prev="${COMP_WORDS[COMP_CWORD-1]}"
    [[ $cur == "=" && $COMP_CWORD -gt 1 ]] && { prev="${COMP_WORDS[COMP_CWORD-1]}"; cur=""; }
    [[ $prev == "=" && $COMP_CWORD -gt 2 ]] && prev="${COMP_WORDS[COMP_CWORD-2]}"
    case "$prev" in
        --model|--models) COMPREPLY=($(compgen -W "$("$pi" completions --values models 2>/dev/null)" -- "$cur")); return 0 ;;
        --session|--fork|--session-id)
            COMPREPLY=($(compgen -W "$("$pi" completions --values sessions 2>/dev/null)" -- "$cur") $(compgen -f -- "$cur")); return 0 ;;
        docs) COMPREPLY=($(compgen -W "$("$pi" completions --values docs 2>/dev/null)" -- "$cur")); return 0 ;;
        @) COMPREPLY=($(compgen -f -- "$cur")); return 0 ;;
    esac
    case "$cur" in
        @*)
            if [[ $COMP_WORDBREAKS == *@* ]]; then
                COMPREPLY=($(compgen -f -- "${cur#@}"))
            else
                COMPREPLY=($(compgen -P @ -f -- "${cur#@}"))
            fi
            return 0 ;;
    esac
    _pi "$@"
}
"#;

const FISH: &str = r#"complete -c pi -l model -l models -x -a "(pi completions --values models 2>/dev/null)"
complete -c pi -l session -l fork -l session-id -r -a "(pi completions --values sessions 2>/dev/null)"
complete -c pi -n "__fish_pi_using_subcommand docs" -f -a "(pi completions --values docs 2>/dev/null)"
complete -c pi -n 'string match -q -- "@*" (commandline -ct)' -f -a '(__fish_complete_path (string sub -s 2 -- (commandline -ct)) | string replace -r "^" "@")'
"#;

const ZSH: &str = r#"
_pi_values() {
    local -a values
    values=("${(@f)$(pi completions --values $1 2>/dev/null)}")
    compadd -a values
}
_pi_models() { _pi_values models }
_pi_sessions() { _pi_values sessions; _files }
_pi_with_values() {
    if [[ $PREFIX == @* ]]; then
        compset -P '@'
        _files
    else
        _pi "$@"
    fi
}
"#;

fn with_values_for_zsh(script: &str) -> String {
    const START: &str = "\nif [ \"$funcstack[1]\" = \"_pi\" ]; then\n    _pi \"$@\"\nelse\n    compdef _pi pi\nfi\n";
    let of = |line: &str| match line.split_once("=[").map(|(option, _)| option.trim_start_matches('\'')) {
        Some("--model" | "--models") => line.replace(":_default'", ":_pi_models'"),
        Some("--session" | "--session-id" | "--fork") => line.replace(":_default'", ":_pi_sessions'"),
        _ => line.to_owned(),
    };
    let lines: String = script.lines().map(|line| of(line) + "\n").collect();
    // Loaded by its name it runs at once; otherwise it is registered.
    let start = START
        .replace("    _pi \"$@\"", "    _pi_with_values \"$@\"")
        .replace("compdef _pi ", "compdef _pi_with_values ");
    lines.replace(START, &format!("{ZSH}{start}"))
}
