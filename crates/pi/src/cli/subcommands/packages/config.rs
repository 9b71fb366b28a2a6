//! `pi config`: which resources there are and which of them are used, and switching them.

use std::io::{self, BufRead, IsTerminal, Write};
use std::path::Path;
use std::sync::Arc;

use super::Failure;
use super::args::ConfigArgs;
use super::scope::CommandScope;
use crate::cli::console::print;
use crate::cli::console::screen::plain;
use crate::modes::{AskError, Asker, resource_title};
use pi_coding_agent::packages::{ResourceSwitch, resource_switches, set_resource};
use pi_coding_agent::paths::Paths;
use pi_coding_agent::prompt::ResourcePlaces;
use pi_coding_agent::settings::SettingsManager;

pub(super) async fn run(args: &ConfigArgs, place: &CommandScope) -> Result<u8, Failure> {
    let switches = switches(&place.settings, place.paths());
    let wanted = args.enable.as_deref().map(|path| (path, true)).or(args.disable.as_deref().map(|path| (path, false)));
    if let Some((path, enabled)) = wanted {
        set_resource(&place.settings, find(path, &switches, place)?, enabled)?;
        return Ok(print(&format!("{} {path}\n", if enabled { "Enabled" } else { "Disabled" })));
    }
    if !io::stdin().is_terminal() || switches.is_empty() {
        return Ok(print(&plain(&listing(&switches))));
    }
    let is_dumb = place.paths().env().var("TERM").is_none_or(|term| term == "dumb" || term.is_empty());
    if is_dumb || !io::stdout().is_terminal() {
        return ask(place, &mut io::stdin().lock(), &mut io::stdout());
    }
    let (settings, paths) = (Arc::clone(&place.settings), place.paths().clone());
    let find = move || self::switches(&settings, &paths);
    match Asker::new(place.paths().clone(), Arc::clone(&place.settings)).switch_resources(find).await {
        Ok(()) => Ok(0),
        Err(AskError::Ended(code)) => Ok(code),
        Err(error) => Err(Failure::Said(format!("Error: {error}"))),
    }
}

fn switches(settings: &SettingsManager, paths: &Paths) -> Vec<ResourceSwitch> {
    let places = ResourcePlaces::of(paths, paths.cwd(), settings.is_project_trusted());
    resource_switches(settings, &places)
}

/// The resource that a path of the list means.
fn find<'a>(path: &str, switches: &'a [ResourceSwitch], place: &CommandScope) -> Result<&'a ResourceSwitch, Failure> {
    let absolute = place.paths().resolve(path);
    let is_dir_of = |full: &Path| full.ends_with("SKILL.md") && full.parent() == Some(&absolute);
    let by_path = switches.iter().find(|switch| switch.path == absolute || is_dir_of(&switch.path));
    let is_named = |switch: &&ResourceSwitch| {
        switch.name == path || switch.name.strip_suffix("/SKILL.md") == Some(path.trim_end_matches('/'))
    };
    // What can be switched from here goes before what is further up.
    let (outer, here): (Vec<_>, Vec<_>) = switches.iter().filter(is_named).partition(|switch| switch.outer.is_some());
    let named = if here.is_empty() { outer } else { here };
    match (by_path, named.as_slice()) {
        (Some(switch), _) => Ok(switch),
        (None, [switch]) => Ok(switch),
        (None, []) => Err(Failure::Said(format!("Error: there is no resource {path}; pi config lists them"))),
        (None, several) => {
            let paths: String = several.iter().map(|switch| format!("\n  {}", switch.path.display())).collect();
            Err(Failure::Said(format!("Error: {path} may be one of several; give the whole path:{paths}")))
        }
    }
}

/// The list, with numbers from 1.
fn listing(switches: &[ResourceSwitch]) -> String {
    if switches.is_empty() {
        return "No resources found\n".to_owned();
    }
    let (mut text, mut last) = (String::new(), String::new());
    for (number, switch) in (1..).zip(switches) {
        let title = resource_title(switch);
        if title != last {
            text.push_str(&format!("{}{title}:\n", if last.is_empty() { "" } else { "\n" }));
            last = title;
        }
        let mark = if switch.enabled { 'x' } else { ' ' };
        text.push_str(&format!("{number:>4} [{mark}] {}\n", switch.name));
    }
    text
}

/// Switches what the user names by number, until an empty line or the end of the input.
fn ask(place: &CommandScope, input: &mut impl BufRead, out: &mut impl Write) -> Result<u8, Failure> {
    loop {
        let switches = switches(&place.settings, place.paths());
        write!(out, "{}\nSwitch [1-{}], or nothing to end: ", plain(&listing(&switches)), switches.len())?;
        out.flush()?;
        let mut answer = String::new();
        if input.read_line(&mut answer)? == 0 || answer.trim().is_empty() {
            return Ok(0);
        }
        let number = answer.trim().parse::<usize>().ok().and_then(|number| number.checked_sub(1));
        match number.and_then(|index| switches.get(index)) {
            Some(switch) => match set_resource(&place.settings, switch, !switch.enabled) {
                // The others can still be switched.
                Err(error) if switch.outer.is_some() => writeln!(out, "{}", plain(&error.to_string()))?,
                done => done?,
            },
            None => writeln!(out, "\"{}\" is not on the list", plain(answer.trim()))?,
        }
    }
}
