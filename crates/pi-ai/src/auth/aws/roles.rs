//! The keys that a profile stands for: its own, or those of a role.
//!
//! Nothing here starts a program or asks a person: profiles that need either name the command that does it.

use std::path::Path;

use super::lookup::{Lookup, environment};
use super::profile::{Profile, Profiles};
use super::sts::{self, Role};
use super::{Keys, container, failure};
use crate::error::Error;

/// The keys of a profile. A role is assumed with the keys of another profile, which may itself be one of a role.
pub(super) async fn keys(lookup: &Lookup<'_>, profiles: &Profiles, name: &str) -> Result<Keys, Error> {
    let mut name = name.to_owned();
    let mut roles: Vec<(String, Role)> = Vec::new();
    let mut keys = loop {
        let profile = profiles.expect(&name)?;
        // A profile that serves as a source is used for its own keys, if it has any.
        if let Some(keys) = profile.keys().filter(|_| !roles.is_empty() || profile.value("role_arn").is_none()) {
            break keys;
        }
        if roles.iter().any(|(seen, _)| *seen == name) {
            return Err(failure(format!("the AWS profile \"{name}\" is its own source_profile")));
        }
        let Some(arn) = profile.value("role_arn") else { return Err(no_keys(profile, &name)) };
        let role = role(profile, arn, &name)?;
        if let Some(file) = profile.value("web_identity_token_file") {
            let token = lookup.read(Path::new(file), "web_identity_token_file").await?;
            break sts::with_web_identity(lookup, &role, token.trim()).await?;
        }
        roles.push((name.clone(), role));
        match profile.value("source_profile") {
            Some(source) => source.clone_into(&mut name),
            None => break from_source(lookup, profile, &name).await?,
        }
    };
    for (_, role) in roles.iter().rev() {
        keys = sts::assume(lookup, role, &keys).await?;
    }
    Ok(keys)
}

/// The role of a profile, unless it asks for what only a person can give.
fn role(profile: &Profile, arn: &str, name: &str) -> Result<Role, Error> {
    if profile.value("mfa_serial").is_some() && profile.value("web_identity_token_file").is_none() {
        return Err(unsupported(name, "asks for a code of a second factor (mfa_serial)"));
    }
    let text = |setting: &str| profile.value(setting).map(str::to_owned);
    Ok(Role {
        arn: arn.to_owned(),
        session_name: text("role_session_name"),
        external_id: text("external_id"),
        duration_seconds: text("duration_seconds"),
    })
}

/// Why a profile that is no role's has no keys for us.
fn no_keys(profile: &Profile, name: &str) -> Error {
    let has = |setting: &str| profile.value(setting).is_some();
    if has("credential_process") {
        return unsupported(name, "has its keys from a program (credential_process)");
    }
    if has("sso_session") || has("sso_start_url") || has("login_session") {
        return unsupported(name, "uses a sign-in in the browser (SSO)");
    }
    let message = "has no keys: give it aws_access_key_id and aws_secret_access_key, or role_arn and source_profile";
    failure(format!("the AWS profile \"{name}\" {message}"))
}

/// The keys that a role is assumed with when no profile is named for that.
async fn from_source(lookup: &Lookup<'_>, profile: &Profile, name: &str) -> Result<Keys, Error> {
    let found = match profile.value("credential_source") {
        Some("Environment") => environment(lookup),
        Some("EcsContainer") => container::keys(lookup).await?,
        Some(other) => return Err(unsupported(name, &format!("has the credential_source {other}"))),
        None => return Err(failure(format!("the AWS profile \"{name}\" has a role_arn but no source_profile"))),
    };
    found.ok_or_else(|| failure(format!("the credential_source of the AWS profile \"{name}\" has no keys")))
}

fn unsupported(name: &str, what: &str) -> Error {
    failure(format!(
        "the AWS profile \"{name}\" {what}, which is not supported here. Let the AWS command line fetch the keys: \
         eval \"$(aws configure export-credentials --profile {name} --format env)\""
    ))
}
