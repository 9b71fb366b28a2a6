//! `pi install`, `pi remove` and `pi update`: what is changed, and what is said about it.

use std::io::{self, IsTerminal, Write};

use super::Failure;
use super::args::{InstallArgs, RemoveArgs, UpdateArgs};
use super::scope::CommandScope;
use super::trial::{self, Trial};
use crate::cli::console::diagnostics::complain;
use crate::cli::console::screen::plain;
use pi_coding_agent::packages::{ListedPackage, PackageManager, PackageSource, shown};
use pi_coding_agent::settings::SettingsScope;
use pi_coding_agent::trust::{is_project_trusted, remember_trust};
use pi_coding_agent::{PackageError, resources};

/// What this program says about itself.
const OWN_UPDATE: &str = "pi does not update itself: put the new version in the place of this one";

pub(super) async fn install(args: &InstallArgs, place: &CommandScope) -> Result<u8, Failure> {
    let (source, scope) = (shown(args.source.trim()), scope(args.local));
    trusted_or_asked(scope, place)?;
    print_line(&format!("Installing {source}..."))?;
    let manager = place.manager(Some(args.fetch));
    manager.install(&args.source, scope).await.map_err(|error| with_hint(error, args.source.trim()))?;
    print_line(&format!("Installed {source}"))?;
    for problem in manager.problems(&args.source, scope)? {
        complain(&format!("Warning: {}", plain(&problem)));
    }
    let named = manager.named(&args.source).unwrap_or_default();
    if let Some(package) = named.into_iter().find(|package| package.scope == scope) {
        let Trial { brings, failures } = trial::of(&package, place).await;
        // Scripts know that it is quiet where nothing is wrong.
        if !brings.is_empty() && io::stdout().is_terminal() {
            print_line(&format!("It brings {brings}"))?;
        }
        for failure in &failures {
            complain(&format!("Warning: it is installed, but this does not load: {}", plain(failure)));
        }
    }
    if scope == SettingsScope::Project {
        offer_trust(place)?;
    }
    Ok(0)
}

pub(super) async fn remove(args: &RemoveArgs, place: &CommandScope) -> Result<u8, Failure> {
    let (source, scope) = (shown(args.source.trim()), scope(args.local));
    trusted(scope, place)?;
    print_line(&format!("Removing {source}..."))?;
    if !place.manager(None).remove(&args.source, scope).await? {
        return Err(Failure::Said(format!("No matching package found for {source}")));
    }
    print_line(&format!("Removed {source}"))?;
    Ok(0)
}

pub(super) async fn update(args: &UpdateArgs, place: &CommandScope) -> Result<u8, Failure> {
    let manager = place.manager(Some(args.fetch));
    if args.extensions || args.all {
        if place.is_offline(Some(args.fetch)) && !manager.updatable().is_empty() {
            return Err(Failure::Said(
                "Error: packages cannot be updated: pi is offline. Unset PI_OFFLINE, or leave out --offline".to_owned(),
            ));
        }
        let failed = update_all(&manager).await?;
        if failed > 0 {
            return Err(Failure::Said(format!("Error: {failed} of the packages could not be updated")));
        }
        print_line("Updated packages")?;
        if args.all || args.itself || args.names_itself() {
            print_line(&format!("{OWN_UPDATE}."))?;
        }
        return Ok(0);
    }
    match args.extension.first().or(args.source.as_ref()) {
        Some(wanted) if !args.names_itself() => {
            for package in manager.named(wanted)? {
                update_one(&manager, &package).await?;
            }
            print_line(&format!("Updated {}", shown(wanted)))?;
            Ok(0)
        }
        wanted => {
            if wanted.is_none() && !args.itself {
                print_line("Extensions are skipped. Run pi update --extensions to update extensions.")?;
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
            Err(Failure::Error(resources::Error::Package(error))) if !error.is_cancelled() => {
                failed += 1;
                complain(&format!("Error: {}: {}", shown(package.text()), plain(&error.to_string())));
            }
            Err(failure) => return Err(failure),
        }
    }
    Ok(failed)
}

async fn update_one(manager: &PackageManager, package: &ListedPackage) -> Result<(), Failure> {
    print_line(&format!("Updating {}...", shown(package.text())))?;
    Ok(manager.update(package).await?)
}

/// A path that does not exist is often something else without its beginning.
fn with_hint(error: resources::Error, source: &str) -> Failure {
    let hint = match &error {
        resources::Error::Package(PackageError::NoSuchPath { .. }) => similar_source(source),
        _ => None,
    };
    match hint {
        Some(hint) => Failure::Said(format!("Error: {error}\nFor a package from elsewhere: pi install {hint}")),
        None => Failure::Error(error),
    }
}

/// What a text that is no path would be with its beginning.
fn similar_source(text: &str) -> Option<String> {
    let is = |source: String| PackageSource::parse(&source).is_ok().then_some(source);
    if text.starts_with(['.', '/', '~']) {
        return None;
    }
    let first = text.split('/').next().unwrap_or_default();
    match text.matches('/').count() {
        _ if first.contains('@') && first.contains(':') => is(format!("git:{text}")),
        0 => is(format!("npm:{text}")),
        1 if text.starts_with('@') => is(format!("npm:{text}")),
        1 => is(format!("github:{text}")),
        _ if first.contains('.') => is(format!("git:{text}")),
        _ => None,
    }
}

fn scope(local: bool) -> SettingsScope {
    if local { SettingsScope::Project } else { SettingsScope::Global }
}

/// The same, with the question on a terminal.
fn trusted_or_asked(scope: SettingsScope, place: &CommandScope) -> Result<(), PackageError> {
    if trusted(scope, place).is_ok() {
        return Ok(());
    }
    let question =
        format!("{} is not trusted, and has files of its own. Trust it from now on?", place.paths().cwd().display());
    if !asked(&question) || remember_trust(place.paths(), place.paths().cwd(), Some(true), &*place.host.clock).is_err()
    {
        return Err(PackageError::NotTrusted);
    }
    place.settings.set_project_trusted(true);
    Ok(())
}

/// What was installed for a project counts only where that is trusted, which installing does not say.
fn offer_trust(place: &CommandScope) -> Result<(), Failure> {
    let cwd = place.paths().cwd();
    // A decision that cannot be read was complained about.
    if is_project_trusted(None, place.paths(), &place.settings, cwd).unwrap_or(true) {
        return Ok(());
    }
    if asked(&format!("{} is not trusted, so the package does not count yet. Trust it from now on?", cwd.display())) {
        remember_trust(place.paths(), cwd, Some(true), &*place.host.clock)?;
        complain(&format!("Trusted: {}. To take it back: pi trust --undo", plain(&cwd.to_string_lossy())));
    } else {
        complain("This project is not trusted, so the package does not count yet: pi trust, or --approve for one run");
    }
    Ok(())
}

/// Asks on a terminal; without one the answer is no.
fn asked(question: &str) -> bool {
    if !io::stdin().is_terminal() || !io::stderr().is_terminal() {
        return false;
    }
    let mut answer = String::new();
    let _ = write!(io::stderr(), "{} [y/N] ", plain(question));
    io::stdin().read_line(&mut answer).is_ok() && matches!(answer.trim().to_lowercase().as_str(), "y" | "yes")
}

/// Before anything is said.
fn trusted(scope: SettingsScope, place: &CommandScope) -> Result<(), PackageError> {
    if scope == SettingsScope::Project && !place.settings.is_project_trusted() {
        return Err(PackageError::NotTrusted);
    }
    Ok(())
}

/// A line on standard output, at once. A reader that went away does not stop the work.
fn print_line(line: &str) -> Result<(), Failure> {
    let mut out = io::stdout();
    match writeln!(out, "{}", plain(line)).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_are_recognised_without_their_beginning() {
        for (text, expected) in [
            ("tools", Some("npm:tools")),
            ("tools@1.2.3", Some("npm:tools@1.2.3")),
            ("@me/tools", Some("npm:@me/tools")),
            ("me/repo", Some("github:me/repo")),
            ("git@host.example:me/repo", Some("git:git@host.example:me/repo")),
            ("github.com/me/repo@v1", Some("git:github.com/me/repo@v1")),
            ("./tools", None),
            ("~/tools", None),
            ("/srv/tools", None),
            ("a b", None),
            ("one/two/three", None),
        ] {
            assert_eq!(similar_source(text).as_deref(), expected, "{text}");
        }
    }
}
