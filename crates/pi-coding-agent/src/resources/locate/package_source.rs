//! Where a package comes from, as a user writes it: `npm:…`, `git:…`, an address, or a path. Nothing is looked up here.

use std::path::Path;

use crate::host::env::Env;
use crate::host::paths::{absolute, expand};
use crate::resources::PackageError;

/// Starts of texts that name a repository by its address.
const ADDRESSES: [&str; 4] = ["https://", "http://", "ssh://", "git://"];

/// A source, taken apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PackageSource {
    /// From the npm registry.
    Npm(NpmSource),
    /// A git repository.
    Git(GitSource),
    /// A file or directory of this machine, as it was written.
    Local(String),
}

/// A package of the npm registry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NpmSource {
    /// The name, with its scope if it has one.
    pub name: String,
    /// An exact version, a range or a tag.
    pub version: Option<String>,
}

/// A git repository.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GitSource {
    /// What git is given.
    pub url: String,
    /// The host, in small letters, without port and user.
    pub host: String,
    /// The path on the host, without `.git`.
    pub path: String,
    /// A branch, tag or commit.
    pub reference: Option<String>,
}

impl PackageSource {
    /// Takes a text apart.
    ///
    /// # Errors
    /// [`PackageError::Source`] where it cannot be given to a program, or would lead out of the directory for packages.
    pub fn parse(text: &str) -> Result<Self, PackageError> {
        let refused = |reason: &str| PackageError::Source { shown: shown(text), reason: reason.to_owned() };
        let text = text.trim();
        if text.is_empty() {
            return Err(refused("it is empty"));
        }
        if text.starts_with('-') || text.chars().any(char::is_control) {
            return Err(refused("it begins with a hyphen or has control characters; a path can be written ./-name"));
        }
        if let Some(spec) = text.strip_prefix("npm:") {
            return npm(spec.trim()).map(Self::Npm).map_err(refused);
        }
        let git = match (text.strip_prefix("git:"), text.strip_prefix("github:")) {
            // `git://` is an address.
            (Some(rest), _) if !rest.starts_with("//") => repository(rest.trim()),
            (_, Some(path)) => repository(&format!("github.com/{}", path.trim())),
            _ if is_address(text) => repository(text),
            _ => return Ok(Self::Local(text.to_owned())),
        };
        git.map(Self::Git).map_err(refused)
    }

    /// What makes two sources the same package: version and reference do not count. Paths are relative to `base`.
    pub(crate) fn identity(&self, base: &Path, env: &Env) -> String {
        match self {
            Self::Npm(npm) => format!("npm:{}", npm.name),
            Self::Git(git) => format!("git:{}/{}", git.host, git.path),
            Self::Local(path) => format!("local:{}", absolute(base, &expand(path, env)).display()),
        }
    }

    /// Whether an update leaves it at what it is: an exact version, a reference, a path.
    pub(crate) fn is_pinned(&self) -> bool {
        match self {
            Self::Npm(npm) => npm.version.as_deref().is_some_and(is_exact),
            Self::Git(git) => git.reference.is_some(),
            Self::Local(_) => true,
        }
    }

    /// Whether the network is needed to get it.
    pub(crate) fn is_remote(&self) -> bool {
        !matches!(self, Self::Local(_))
    }
}

impl NpmSource {
    /// What npm is given.
    pub(crate) fn spec(&self) -> String {
        match &self.version {
            Some(version) => format!("{}@{version}", self.name),
            None => self.name.clone(),
        }
    }
}

/// A source as it may be shown: passwords in addresses are left out.
pub fn shown(text: &str) -> String {
    let Some((scheme, rest)) = text.split_once("://") else { return text.to_owned() };
    let end = rest.find('/').unwrap_or(rest.len());
    let (authority, path) = rest.split_at(end);
    match authority.rsplit_once('@').map(|(user, host)| (user.split_once(':'), host)) {
        Some((Some((user, _)), host)) => format!("{scheme}://{user}:***@{host}{path}"),
        _ => text.to_owned(),
    }
}

fn is_address(text: &str) -> bool {
    ADDRESSES.iter().any(|start| text.starts_with(start))
}

fn npm(spec: &str) -> Result<NpmSource, &'static str> {
    // The first character may be the @ of a scope.
    let at = spec.char_indices().skip(1).find(|(_, character)| *character == '@').map(|(at, _)| at);
    let (name, version) = match at {
        Some(at) => (&spec[..at], Some(&spec[at + 1..])),
        None => (spec, None),
    };
    let parts: Vec<&str> = match name.strip_prefix('@') {
        Some(scoped) => scoped.split('/').collect(),
        None => vec![name],
    };
    let expected = if name.starts_with('@') { 2 } else { 1 };
    if parts.len() != expected || !parts.iter().all(|part| is_npm_name(part)) {
        return Err("a package of npm is written npm:name, npm:@scope/name or npm:name@version");
    }
    // Not files, addresses and aliases, all of which npm would take.
    let is_version =
        |text: &str| !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || ".^~<>=|*+- _".contains(c));
    if version.is_some_and(|version| version.starts_with('-') || !is_version(version)) {
        return Err("what stands behind the @ must be a version, a range of versions or a tag");
    }
    Ok(NpmSource { name: name.to_owned(), version: version.map(str::to_owned) })
}

fn is_npm_name(part: &str) -> bool {
    let rest_fits = part.chars().all(|c| c.is_ascii_alphanumeric() || "._~-".contains(c));
    rest_fits && part.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '~') && part != "node_modules"
}

/// `1.2.3`, with what may follow.
fn is_exact(version: &str) -> bool {
    let numbers = version.split(['-', '+']).next().unwrap_or_default();
    let mut parts = numbers.split('.');
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    parts.clone().count() == 3 && parts.all(is_number)
}

const GIT_FORM: &str =
    "a repository is written git:host/path, git:user@host:path or https://host/path, each with @reference or without";

fn repository(text: &str) -> Result<GitSource, &'static str> {
    let scheme = text.find("://").filter(|_| is_address(text)).map(|at| at + 3);
    let rest = &text[scheme.unwrap_or(0)..];
    let scp =
        scheme.is_none() && rest.split('/').next().is_some_and(|first| first.contains('@') && first.contains(':'));
    let (authority, path) = rest.split_once(if scp { ':' } else { '/' }).ok_or(GIT_FORM)?;
    let (path, reference) = match path.split_once('@') {
        Some((path, reference)) => (path, Some(reference)),
        None => (path, None),
    };
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    let host = if scheme.is_some() { host.split(':').next().unwrap_or(host) } else { host };
    let is_host = !host.is_empty()
        && host.chars().all(|c| c.is_ascii_alphanumeric() || ".-_".contains(c))
        && !host.starts_with(['-', '.']);
    if !is_host || authority.starts_with('-') {
        return Err(GIT_FORM);
    }
    if scheme.is_none() && !scp && !host.contains('.') && host != "localhost" {
        return Err("it names no host: git:github.com/user/repository, or github:user/repository");
    }
    if reference.is_some_and(|reference| !is_reference(reference)) {
        return Err("what stands behind the @ must be a branch, a tag or a commit");
    }
    if path.contains('#') {
        return Err("a branch, tag or commit stands behind an @, not behind a #");
    }
    let clean = path.trim_matches('/');
    let clean = clean.strip_suffix(".git").unwrap_or(clean);
    if !clean.split('/').all(is_safe_part) {
        return Err("its path has parts that are no names of directories");
    }
    let url = match scheme {
        Some(at) => format!("{}{authority}/{path}", &text[..at]),
        None if scp => format!("{authority}:{path}"),
        None => format!("https://{authority}/{path}"),
    };
    Ok(GitSource { url, host: host.to_lowercase(), path: clean.to_owned(), reference: reference.map(str::to_owned) })
}

/// A name of a directory that leads nowhere else.
fn is_safe_part(part: &str) -> bool {
    let is_plain = part.chars().all(|c| c.is_alphanumeric() || "._~+-".contains(c));
    !part.is_empty() && is_plain && part != "." && part != ".." && part != ".git" && !part.starts_with('-')
}

fn is_reference(text: &str) -> bool {
    let is_plain = text.chars().all(|c| !c.is_whitespace() && !c.is_control() && !"~^:?*[\\@{".contains(c));
    !text.is_empty() && is_plain && !text.starts_with(['-', '/']) && !text.contains("..")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One line per source: what it is, or why it is none.
    fn line(text: &str) -> String {
        let source = match PackageSource::parse(text) {
            Ok(source) => source,
            Err(error) => return format!("{text:?}: {error}"),
        };
        let env = Env::fixed([("HOME", "/home/u")]);
        let identity = source.identity(Path::new("/base"), &env);
        let pinned = if source.is_pinned() { ", pinned" } else { "" };
        match source {
            PackageSource::Npm(npm) => format!("{text:?}: {identity}{pinned}, npm gets {}", npm.spec()),
            PackageSource::Git(git) => {
                let reference = git.reference.unwrap_or_else(|| "its default branch".to_owned());
                format!("{text:?}: {identity}{pinned}, git gets {} and {reference}", git.url)
            }
            PackageSource::Local(_) => format!("{text:?}: {identity}{pinned}"),
        }
    }

    #[test]
    fn sources_are_taken_apart() {
        let lines: Vec<String> =
            include_str!("../../../../../fixtures/packages/sources.txt").lines().map(line).collect();
        insta::assert_snapshot!(lines.join("\n"));
    }

    #[test]
    fn passwords_are_not_shown() {
        for (text, expected) in [
            ("https://me:secret@host/a", "https://me:***@host/a"),
            ("https://host/a@v1", "https://host/a@v1"),
            ("ssh://git@host/a", "ssh://git@host/a"),
            ("git:https://a:b@c", "git:https://a:***@c"),
            ("./a:b@c", "./a:b@c"),
        ] {
            assert_eq!(shown(text), expected);
        }
    }
}
