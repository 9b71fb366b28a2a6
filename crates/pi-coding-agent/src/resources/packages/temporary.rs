//! Packages for one run: what `--extension npm:…` and `--extension git:…` name. They lie in the user's own directory,
//! where nobody else can put something in their place, and stay there for the next time.

use std::path::PathBuf;

use super::entries::ListedPackage;
use super::manager::PackageManager;
use super::package_dirs::{confine, make_dir};
use crate::config::settings::{PackageSetting, SettingsScope};
use crate::resources::locate::package_source::PackageSource;
use crate::resources::{Error, PackageError};

/// The directory of a package that is not in the settings; it is fetched where it is missing. A repository without
/// reference is brought to its newest state, unless there is no network. A path is returned as it is.
///
/// # Errors
/// Those of [`PackageError`].
pub async fn temporary(manager: &PackageManager, text: &str) -> Result<PathBuf, Error> {
    let source = PackageSource::parse(text)?;
    if let PackageSource::Local(path) = &source {
        let path = manager.local(path);
        return if path.exists() { Ok(path) } else { Err(PackageError::NoSuchPath { path }.into()) };
    }
    let agent_dir = manager.paths.agent_dir();
    let base = agent_dir.join("tmp").join("packages");
    make_dir(agent_dir)?;
    confine(&base, agent_dir)?;
    // Two versions of one package must not be in each other's way.
    let base = base.join(match &source {
        PackageSource::Npm(npm) => directory_name(npm.version.as_deref()),
        PackageSource::Git(git) => directory_name(git.reference.as_deref()),
        PackageSource::Local(_) => directory_name(None),
    });
    let setting = PackageSetting::Source(text.trim().to_owned());
    let package = ListedPackage::read(setting, SettingsScope::Global, &base, manager.settings.env())?;
    let is_stale = matches!(source, PackageSource::Git(_)) && !source.is_pinned() && !manager.fetcher.offline;
    if is_stale {
        manager.fetcher.fetch(&package, &base).await?;
    } else if !package.is_there() {
        manager.fetcher.fetch_missing(&package, &base).await?;
    }
    Ok(package.dir)
}

/// A name for the versions with this text.
fn directory_name(version: Option<&str>) -> String {
    let plain =
        |c: char| if c.is_ascii_alphanumeric() || c == '.' { c.to_string() } else { format!("_{:x}", u32::from(c)) };
    version
        .map_or_else(|| "newest".to_owned(), |version| format!("v-{}", version.chars().map(plain).collect::<String>()))
}
