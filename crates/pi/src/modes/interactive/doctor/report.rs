//! What was found, as sentences: a function of the facts, and what to do about each.

use pi_coding_agent::settings::TerminalNotify;
use pi_tui::screen::{Reflow, Size};
use pi_tui::term::{Capabilities, Images, Keyboard, Notification};
use pi_tui::widgets::image::Pixels;

/// What is known.
#[derive(Debug)]
pub(super) struct Facts {
    /// What the environment calls the terminal.
    pub(super) name: String,
    pub(super) size: Size,
    /// The size of a cell, where the terminal has told it.
    pub(super) cell: Option<Pixels>,
    pub(super) colours: &'static str,
    pub(super) capabilities: Capabilities,
    /// The settings.
    pub(super) shows_images: bool,
    pub(super) inserts_by_repaint: bool,
    pub(super) notify: TerminalNotify,
    /// Whether the terminal has ever told that its window got or lost the focus.
    pub(super) reports_focus: bool,
    /// Whether the clipboard is on another machine.
    pub(super) is_remote: bool,
    /// The program of the clipboard that is there.
    pub(super) clipboard: Option<&'static str>,
    pub(super) editor: Option<String>,
    /// What tmux is set to, where it is there and answers.
    pub(super) tmux: Option<TmuxOptions>,
    /// What is wrong with the user's keys.
    pub(super) key_problems: Vec<String>,
}

/// Options of tmux.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct TmuxOptions {
    extended_keys: bool,
    focus_events: bool,
    /// Milliseconds.
    escape_time: u64,
    passthrough: bool,
    rgb: bool,
}

impl TmuxOptions {
    /// Reads what tmux answered; an option that it does not know counts as off.
    pub(super) fn read(answer: &str) -> Self {
        let mut parts = answer.split('|');
        let mut next = || parts.next().unwrap_or_default();
        let is_on = |value: &str| matches!(value, "1" | "on" | "always" | "all");
        Self {
            extended_keys: is_on(next()),
            focus_events: is_on(next()),
            escape_time: next().parse().unwrap_or_default(),
            passthrough: is_on(next()),
            rgb: next().split(',').any(|feature| feature == "RGB"),
        }
    }

    /// Lines that `~/.tmux.conf` lacks.
    fn lacks(&self) -> Vec<&'static str> {
        let wanted = [
            (self.extended_keys, "set -s extended-keys on"),
            (self.rgb, "set -as terminal-features 'xterm*:extkeys:RGB'"),
            (self.escape_time <= 50, "set -s escape-time 10"),
            (self.passthrough, "set -g allow-passthrough on"),
            (self.focus_events, "set -g focus-events on"),
        ];
        wanted.into_iter().filter(|(is_set, _)| !is_set).map(|(_, line)| line).collect()
    }
}

/// Something that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Finding {
    /// What it is about.
    pub(super) label: &'static str,
    pub(super) text: String,
    /// Lines to type or to write into a file; nothing where all is well.
    pub(super) advice: Vec<String>,
}

fn fine(label: &'static str, text: impl Into<String>) -> Finding {
    Finding { label, text: text.into(), advice: Vec::new() }
}

fn worth(label: &'static str, text: impl Into<String>, advice: &[&str]) -> Finding {
    Finding { label, text: text.into(), advice: advice.iter().map(|&line| line.to_owned()).collect() }
}

/// Everything that there is to say.
pub(super) fn findings(facts: &Facts) -> Vec<Finding> {
    let mut findings =
        vec![terminal(facts), fine("Colours", facts.colours), keyboard(facts), images(facts), links(facts)];
    findings.extend([history(facts), attention(facts), clipboard(facts), editor(facts)]);
    findings.extend(tmux(facts));
    let problems = facts.key_problems.iter();
    findings
        .extend(problems.map(|problem| worth("Bindings", problem, &["~/.pi/agent/keybindings.json, then /reload"])));
    findings
}

fn terminal(facts: &Facts) -> Finding {
    let Size { columns, rows } = facts.size;
    let cell = facts.cell.map(|cell| format!(", a cell has {}×{} pixels", cell.width, cell.height)).unwrap_or_default();
    fine("Terminal", format!("{}, {columns}×{rows}{cell}", facts.name))
}

fn keyboard(facts: &Facts) -> Finding {
    match facts.capabilities.keyboard {
        Keyboard::Kitty => fine("Keyboard", "every key is distinct (Kitty's protocol)"),
        Keyboard::ModifyOtherKeys => fine("Keyboard", "modified keys are distinct (modifyOtherKeys)"),
        Keyboard::Unknown | Keyboard::Legacy => worth(
            "Keyboard",
            "Shift+Enter arrives as Enter, and other modified keys likewise",
            &["Ctrl+J, or \\ and Enter, make a line break"],
        ),
    }
}

fn images(facts: &Facts) -> Finding {
    let by = match facts.capabilities.images {
        Images::Kitty if facts.capabilities.is_tmux => "by Kitty's protocol, through tmux",
        Images::Kitty => "by Kitty's protocol",
        Images::Iterm2 => "by iTerm2's protocol",
        Images::None => return fine("Images", "the terminal is not known to draw any: a line stands in their place"),
    };
    if facts.shows_images {
        fine("Images", format!("drawn {by}"))
    } else {
        fine("Images", format!("could be drawn {by}; the setting terminal.showImages is off"))
    }
}

fn links(facts: &Facts) -> Finding {
    fine("Links", if facts.capabilities.links { "can be followed" } else { "addresses are written out" })
}

fn history(facts: &Facts) -> Finding {
    let resize = match facts.capabilities.reflow {
        Reflow::None => "a resize cuts rows",
        Reflow::Text | Reflow::Filled | Reflow::Erased => "a resize wraps rows anew",
    };
    let insert = if facts.inserts_by_repaint { "rows are repainted" } else { "rows are inserted" };
    fine("History", format!("{insert} (terminal.insert), {resize}"))
}

fn attention(facts: &Facts) -> Finding {
    let way = match (facts.notify, facts.capabilities.notification) {
        (TerminalNotify::Off, _) => return fine("Notices", "off (terminal.notify)"),
        (TerminalNotify::Bell, _) | (TerminalNotify::Auto, Notification::Bell) => "the bell",
        (TerminalNotify::Osc9, _) | (TerminalNotify::Auto, Notification::Osc9) => "OSC 9",
        (TerminalNotify::Osc777, _) | (TerminalNotify::Auto, Notification::Osc777) => "OSC 777",
        (TerminalNotify::Osc99, _) | (TerminalNotify::Auto, Notification::Osc99) => "OSC 99",
    };
    let focus = if facts.reports_focus { "tells" } else { "has not told so far" };
    fine("Notices", format!("{way}, while the window is not in focus; the terminal {focus} whether it is"))
}

fn clipboard(facts: &Facts) -> Finding {
    match facts.clipboard {
        _ if facts.is_remote => {
            let text = "on another machine: /copy asks the terminal (OSC 52), which may refuse without saying so";
            fine("Clipboard", text)
        }
        Some(program) => fine("Clipboard", format!("by {program}")),
        None => worth(
            "Clipboard",
            "no program for it was found: /copy asks the terminal (OSC 52), and images cannot be pasted",
            &["install wl-clipboard (Wayland) or xclip (X11)"],
        ),
    }
}

fn editor(facts: &Facts) -> Finding {
    match &facts.editor {
        Some(command) => fine("Editor", command),
        None => worth("Editor", "none is set", &["export VISUAL=vim"]),
    }
}

fn tmux(facts: &Facts) -> Option<Finding> {
    if !facts.capabilities.is_tmux {
        return None;
    }
    let Some(options) = &facts.tmux else { return Some(fine("tmux", "it does not answer")) };
    let lacks = options.lacks();
    Some(if lacks.is_empty() {
        fine("tmux", "set up")
    } else {
        worth("tmux", "some things work better with these lines in ~/.tmux.conf, after `tmux kill-server`:", &lacks)
    })
}

/// Bytes as people read them: control characters by name.
pub(super) fn shown_bytes(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let shown = |character: char| match character {
        '\u{1b}' => "ESC ".to_owned(),
        '\u{7f}' => "DEL".to_owned(),
        control if control.is_control() => format!("^{}", char::from((control as u8) + b'@')),
        ' ' => "SPACE".to_owned(),
        other => other.to_string(),
    };
    text.chars().map(shown).collect::<String>().trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts(capabilities: Capabilities) -> Facts {
        Facts {
            name: "TERM=xterm-256color".to_owned(),
            size: Size::new(80, 24),
            cell: None,
            colours: "24 bits",
            capabilities,
            shows_images: true,
            inserts_by_repaint: false,
            notify: TerminalNotify::Auto,
            reports_focus: false,
            is_remote: false,
            clipboard: None,
            editor: None,
            tmux: None,
            key_problems: Vec::new(),
        }
    }

    fn shown(facts: &Facts) -> String {
        let rows = findings(facts).into_iter().map(|finding| {
            let advice: String = finding.advice.iter().map(|line| format!("\n    {line}")).collect();
            format!("{}: {}{advice}", finding.label, finding.text)
        });
        rows.collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn a_plain_terminal_and_one_that_can_everything() {
        let plain = shown(&facts(Capabilities::default()));
        let all = Capabilities {
            reflow: Reflow::Filled,
            links: true,
            images: Images::Kitty,
            notification: Notification::Osc99,
            keyboard: Keyboard::Kitty,
            is_tmux: false,
            is_answered: true,
        };
        let full = shown(&Facts {
            cell: Some(Pixels { width: 9, height: 18 }),
            reports_focus: true,
            clipboard: Some("wl-copy"),
            editor: Some("nvim".to_owned()),
            key_problems: vec!["keybindings.json: ctrl+x is bound twice".to_owned()],
            ..facts(all)
        });
        insta::assert_snapshot!(format!("{plain}\n\n{full}"));
    }

    #[test]
    fn tmux_lacks_what_is_not_set() {
        for (answer, lacks) in [
            ("off|0|500|0|", 5),
            ("on|1|10|1|256,RGB,title", 0),
            ("always|on|0|all|RGB", 0),
            ("on|1|10||256", 2),
            ("", 4),
        ] {
            assert_eq!(TmuxOptions::read(answer).lacks().len(), lacks, "{answer}");
        }
        let in_tmux = Facts {
            tmux: Some(TmuxOptions::read("off|1|10|1|RGB")),
            ..facts(Capabilities { is_tmux: true, ..Capabilities::default() })
        };
        let finding = findings(&in_tmux).pop().unwrap();
        assert_eq!((finding.label, finding.advice), ("tmux", vec!["set -s extended-keys on".to_owned()]));
    }

    #[test]
    fn bytes_are_readable() {
        for (bytes, expected) in
            [(&b"\x1b[13;2u"[..], "ESC [13;2u"), (b"\x03", "^C"), (b"\x7f", "DEL"), (b" ", "SPACE"), (b"\x1b", "ESC")]
        {
            assert_eq!(shown_bytes(bytes), expected);
        }
    }
}
