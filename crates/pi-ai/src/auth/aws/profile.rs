//! The files `~/.aws/config` and `~/.aws/credentials`: profiles and their settings.

use std::collections::HashMap;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use super::lookup::Lookup;
use super::{Keys, failure};
use crate::error::Error;

/// Settings each of which says where keys come from.
const SOURCES: [&str; 6] =
    ["aws_access_key_id", "role_arn", "credential_process", "sso_session", "sso_start_url", "login_session"];

/// All profiles of both files.
#[derive(Default)]
pub(super) struct Profiles {
    profiles: HashMap<String, Profile>,
    /// The files that were looked at, for complaints.
    places: Vec<PathBuf>,
}

/// The settings of a profile.
#[derive(Default)]
pub(super) struct Profile(HashMap<String, String>);

impl Profiles {
    /// Reads both files; one that does not exist is empty.
    pub(super) async fn load(lookup: &Lookup<'_>) -> Result<Self, Error> {
        let mut profiles = Self::default();
        // What the second file says about a profile counts before what the first one says.
        for (variable, name) in [("AWS_CONFIG_FILE", "config"), ("AWS_SHARED_CREDENTIALS_FILE", "credentials")] {
            let Some(path) = place(lookup, variable, name) else { continue };
            match tokio::fs::read_to_string(&path).await {
                Ok(text) => profiles.add(&text, name == "config"),
                Err(error) if error.kind() == ErrorKind::NotFound => {}
                Err(error) => return Err(failure(format!("{} cannot be read: {error}", path.display()))),
            }
            profiles.places.push(path);
        }
        Ok(profiles)
    }

    pub(super) fn get(&self, name: &str) -> Option<&Profile> {
        self.profiles.get(name)
    }

    /// The profile of that name.
    pub(super) fn expect(&self, name: &str) -> Result<&Profile, Error> {
        let places: Vec<_> = self.places.iter().map(|path| path.display().to_string()).collect();
        let missing = || failure(format!("the AWS profile \"{name}\" is not in {}", places.join(" or ")));
        self.get(name).ok_or_else(missing)
    }

    /// Adds the profiles of a file. Lines below a setting without a value belong to that setting and are no concern of
    /// ours.
    fn add(&mut self, text: &str, is_config: bool) {
        let mut section: Option<String> = None;
        let mut nested = false;
        for line in text.lines() {
            let trimmed = line.trim();
            if trimmed.is_empty() || trimmed.starts_with(['#', ';']) {
                continue;
            }
            if let Some(title) = title(trimmed) {
                section = profile_name(title, is_config);
                nested = false;
                continue;
            }
            let indented = line.starts_with([' ', '\t']);
            let (Some(section), Some((name, value))) = (&section, trimmed.split_once('=')) else { continue };
            if nested && indented {
                continue;
            }
            let value = without_comment(value);
            nested = value.is_empty();
            let profile = self.profiles.entry(section.clone()).or_default();
            profile.0.insert(name.trim().to_ascii_lowercase(), value.to_owned());
        }
    }
}

impl Profile {
    /// A setting that is there and not empty.
    pub(super) fn value(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str).filter(|value| !value.is_empty())
    }

    /// Whether it says where keys come from.
    pub(super) fn has_source(&self) -> bool {
        SOURCES.iter().any(|name| self.value(name).is_some())
    }

    /// Keys that stand in the file.
    pub(super) fn keys(&self) -> Option<Keys> {
        let (id, secret) = (self.value("aws_access_key_id")?, self.value("aws_secret_access_key")?);
        Some(Keys::new(id, secret, self.value("aws_session_token").map(str::to_owned)))
    }
}

/// The file that a variable names, else the usual one.
fn place(lookup: &Lookup<'_>, variable: &str, name: &str) -> Option<PathBuf> {
    let Some(path) = lookup.var(variable) else { return Some(lookup.home()?.join(".aws").join(name)) };
    match (path.strip_prefix("~/"), lookup.home()) {
        (Some(rest), Some(home)) => Some(home.join(rest)),
        _ => Some(Path::new(&path).to_owned()),
    }
}

/// What stands between brackets.
fn title(line: &str) -> Option<&str> {
    let (title, _) = line.strip_prefix('[')?.split_once(']')?;
    Some(title.trim())
}

/// The profile that a section is about. In the file `config`, sections of other things stand beside those of profiles.
fn profile_name(title: &str, is_config: bool) -> Option<String> {
    let name = match title.strip_prefix("profile").filter(|rest| rest.starts_with([' ', '\t'])) {
        Some(name) => name.trim(),
        None if is_config && title != "default" => return None,
        None => title,
    };
    Some(name.trim_matches(['"', '\'']).to_owned())
}

/// A value without the comment behind it, which begins after white space.
fn without_comment(value: &str) -> &str {
    let comment = value.match_indices(['#', ';']).find(|(at, _)| value[..*at].ends_with([' ', '\t']));
    comment.map_or(value, |(at, _)| &value[..at]).trim()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn profiles(config: &str, credentials: &str) -> Profiles {
        let mut profiles = Profiles::default();
        profiles.add(config, true);
        profiles.add(credentials, false);
        profiles
    }

    #[test]
    fn both_files_make_one_profile_and_the_second_wins() {
        let config = "[default]\nregion = eu-west-1 ; here\n\n[profile work]\naws_access_key_id=config\nRegion=a#b\n";
        let found = profiles(config, "# mine\n[work]\naws_access_key_id = own\naws_secret_access_key = s=/+\r\n");
        assert_eq!(found.get("default").unwrap().value("region"), Some("eu-west-1"));
        let work = found.get("work").unwrap();
        assert_eq!(work.value("region"), Some("a#b"));
        assert_eq!(work.keys(), Some(Keys::new("own", "s=/+", None)));
        assert!(work.has_source() && !found.get("default").unwrap().has_source());
    }

    #[test]
    fn other_sections_and_nested_settings_are_passed_over() {
        let config = "[work]\nregion=no\n[sso-session s]\nsso_region=no\n[profile \"my own\"]\ns3 =\n  region = no\n\
                      role_arn = arn\n  source_profile = base\nnot a setting\n[profiles]\nregion=no";
        let found = profiles(config, "");
        let own = found.get("my own").unwrap();
        assert_eq!((own.value("region"), own.value("role_arn")), (None, Some("arn")));
        assert_eq!(own.value("source_profile"), Some("base"));
        assert_eq!(found.profiles.len(), 1);
    }
}
