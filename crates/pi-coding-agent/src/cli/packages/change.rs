//! `pi install`, `pi remove` and `pi update`: what is changed, and what is said about it.

use std::io::{self, Write};

use super::Failure;
use super::args::{InstallArgs, RemoveArgs, UpdateArgs};
use super::place::Place;
use crate::cli::screen::plain;
use crate::error::PackageError;
use crate::packages::{ListedPackage, PackageManager, shown};
use crate::settings::SettingsScope;

/// What this program says about itself.
const OWN_UPDATE: &str = "pi does not update itself: put the new version in the place of this one";

pub(super) async fn install(args: &InstallArgs, place: &Place) -> Result<u8, Failure> {
    let (source, scope) = (shown(args.source.trim()), scope(args.local));
    trusted(scope, place)?;
    say(&format!("Installing {source}..."))?;
    place.manager(Some(args.fetch)).install(&args.source, scope).await?;
    say(&format!("Installed {source}"))?;
    Ok(0)
}

pub(super) async fn remove(args: &RemoveArgs, place: &Place) -> Result<u8, Failure> {
    let (source, scope) = (shown(args.source.trim()), scope(args.local));
    trusted(scope, place)?;
    say(&format!("Removing {source}..."))?;
    if !place.manager(None).remove(&args.source, scope).await? {
        return Err(Failure::Said(format!("No matching package found for {source}")));
    }
    say(&format!("Removed {source}"))?;
    Ok(0)
}

pub(super) async fn update(args: &UpdateArgs, place: &Place) -> Result<u8, Failure> {
    let manager = place.manager(Some(args.fetch));
    if args.extensions || args.all {
        let failed = update_all(&manager).await?;
        if failed > 0 {
            return Err(Failure::Said(format!("Error: {failed} of the packages could not be updated")));
        }
        say("Updated packages")?;
        if args.all || args.itself || args.names_itself() {
            say(&format!("{OWN_UPDATE}."))?;
        }
        return Ok(0);
    }
    match args.extension.first().or(args.source.as_ref()) {
        Some(wanted) if !args.names_itself() => {
            for package in manager.named(wanted)? {
                update_one(&manager, &package).await?;
            }
            say(&format!("Updated {}", shown(wanted)))?;
            Ok(0)
        }
        wanted => {
            if wanted.is_none() && !args.itself {
                say("Extensions are skipped. Run pi update --extensions to update extensions.")?;
            }
            Err(Failure::Said(format!("Error: {OWN_UPDATE}")))
        }
    }
}

/// One that cannot be updated does not hold up the others. Returns how many could not.
async fn update_all(manager: &PackageManager) -> Result<usize, Failure> {
    let mut failed = 0;
    for package in manager.updatable() {
        match update_one(manager, &package).await {
            Ok(()) => {}
            Err(Failure::Error(crate::Error::Package(error))) if !error.is_cancelled() => {
                failed += 1;
                crate::cli::diagnostics::complain(&format!(
                    "Error: {}: {}",
                    shown(package.text()),
                    plain(&error.to_string())
                ));
            }
            Err(failure) => return Err(failure),
        }
    }
    Ok(failed)
}

async fn update_one(manager: &PackageManager, package: &ListedPackage) -> Result<(), Failure> {
    say(&format!("Updating {}...", shown(package.text())))?;
    Ok(manager.update(package).await?)
}

fn scope(local: bool) -> SettingsScope {
    if local { SettingsScope::Project } else { SettingsScope::Global }
}

/// Before anything is said.
fn trusted(scope: SettingsScope, place: &Place) -> Result<(), PackageError> {
    if scope == SettingsScope::Project && !place.settings.is_project_trusted() {
        return Err(PackageError::NotTrusted);
    }
    Ok(())
}

/// A line on standard output, at once. A reader that went away does not stop the work.
fn say(line: &str) -> Result<(), Failure> {
    let mut out = io::stdout();
    match writeln!(out, "{}", plain(line)).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(()),
    }
}
