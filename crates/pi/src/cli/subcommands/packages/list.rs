//! `pi list`: the packages of the settings.

use super::Failure;
use super::scope::CommandScope;
use crate::cli::console::print;
use crate::cli::console::screen::plain;
use pi_coding_agent::packages::{ListedPackage, shown};
use pi_coding_agent::settings::SettingsScope;

pub(super) fn run(place: &CommandScope) -> Result<u8, Failure> {
    let manager = place.manager(None);
    let groups = [("User", SettingsScope::Global), ("Project", SettingsScope::Project)].map(|(title, scope)| {
        let lines: String = manager.packages(scope).iter().map(lines_of).collect();
        if lines.is_empty() { lines } else { format!("{title} packages:\n{lines}") }
    });
    let groups: Vec<String> = groups.into_iter().filter(|group| !group.is_empty()).collect();
    Ok(match groups.is_empty() {
        true => print("No packages installed.\n"),
        false => print(&plain(&groups.join("\n"))),
    })
}

fn lines_of(package: &ListedPackage) -> String {
    let filtered = if package.filter().is_some() { " (filtered)" } else { "" };
    let place = if package.is_there() { format!("    {}\n", package.dir.display()) } else { String::new() };
    format!("  {}{filtered}\n{place}", shown(package.text()))
}
