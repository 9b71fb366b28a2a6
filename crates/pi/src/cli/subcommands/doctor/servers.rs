//! MCP servers: which are configured where, and what is wrong with them. None is started.

use pi_mcp::{CheckState, ServerCheck, check_servers};

use super::examined::Examined;
use super::report::{Level, Section};

const TRUST: &str = "pi trust makes it count from now on, pi --approve for one run";

pub(super) fn section(examined: &Examined) -> Section {
    let mut section = Section::new("MCP servers");
    for check in check_servers(&examined.paths, examined.trust.trusted) {
        add(check, examined, &mut section);
    }
    section
}

fn add(check: ServerCheck, examined: &Examined, section: &mut Section) {
    let file = examined.shown(&check.file);
    let is_whole_file = check.name.is_none();
    let name = check.name.unwrap_or_else(|| file.clone());
    let whose = if check.is_of_project { "project" } else { "user" };
    match check.state {
        CheckState::Ready(reached) => section.ok(name, format!("{reached} ({whose}, {file})")),
        CheckState::Off => section.note(name, format!("switched off ({whose}, {file})")),
        CheckState::Replaced(by) => {
            section.note(name, format!("that of {} takes its place ({whose}, {file})", examined.shown(&by)));
        }
        CheckState::Untrusted => {
            let place = if is_whole_file { String::new() } else { format!(" ({whose}, {file})") };
            let detail = format!("not used: the project is not trusted{place}");
            section.add(Level::Note, name, detail, Some(TRUST.to_owned()));
        }
        CheckState::Wrong { problem, remedy } => section.attention(name, problem, &remedy),
    }
}
