//! What the user's settings let an extension use up, and do on the machine.

use std::path::{Path, PathBuf};

use pi_script::{Limits, Permissions};

use pi_coding_agent::prompt::SourceInfo;
use pi_coding_agent::settings::{ExtensionPermissions, SettingsManager};

/// Names the extensions for which nothing else is said.
const ALL_OTHERS: &str = "*";

/// For every extension.
pub(super) fn limits(settings: &SettingsManager) -> Limits {
    let said = settings.extensions().limits();
    let default = Limits::default();
    let memory = said.memory_mb.map_or(default.memory, |mb| usize::try_from(mb << 20).unwrap_or(usize::MAX));
    Limits { memory, turn: said.turn.unwrap_or(default.turn), ..default }
}

/// For the extension in the file at `path`. Everything, unless the settings name the file, a directory above it, or the
/// package that it came in; what is named most exactly counts.
pub(super) fn permissions(
    settings: &SettingsManager,
    path: &Path,
    source: &SourceInfo,
    agent_dir: &Path,
) -> Permissions {
    let said = settings.extensions().permissions();
    if said.is_empty() {
        return Permissions::default();
    }
    let real = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let package = said.iter().find(|(key, _)| **key == source.source);
    let place = said.iter().filter_map(|(key, granted)| {
        let place: PathBuf = agent_dir.join(settings.resources().expanded(key));
        let is_there = path.starts_with(&place) || real.starts_with(&place);
        is_there.then(|| (place.components().count(), (key, granted)))
    });
    let place = place.max_by_key(|(depth, _)| *depth).map(|(_, found)| found);
    let others = || said.iter().find(|(key, _)| *key == ALL_OTHERS);
    place.or(package).or_else(others).map_or_else(Permissions::default, |(_, granted)| from_names(granted))
}

fn from_names(granted: &ExtensionPermissions) -> Permissions {
    Permissions { files: granted.files, network: granted.network, programs: granted.programs, environment: true }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use pi_coding_agent::env::Env;
    use pi_coding_agent::prompt::{Scope, SourceOrigin};

    #[expect(clippy::needless_pass_by_value, reason = "what json! makes is handed over")]
    fn settings(value: serde_json::Value) -> SettingsManager {
        let env = Env::fixed([("HOME", "/home/me")]);
        SettingsManager::in_memory(value.as_object().unwrap().clone(), env)
    }

    #[test]
    fn the_most_exact_name_counts_and_what_is_not_granted_is_refused() {
        let settings = settings(json!({"extensionPermissions": {
            "*": ["fs"],
            "extensions": ["fs", "net"],
            "extensions/one.ts": [],
            "~/tools/two": ["exec", "everything"],
            "npm:three": ["net"],
            "/broken": "fs",
        }}));
        for (path, package, expected) in [
            ("/home/me/.pi/agent/extensions/one.ts", "auto", [false, false, false]),
            ("/home/me/.pi/agent/extensions/two.ts", "auto", [true, true, false]),
            ("/home/me/tools/two/index.ts", "local", [false, false, true]),
            ("/cache/three/index.ts", "npm:three", [false, true, false]),
            ("/broken/x.ts", "cli", [false, false, false]),
            ("/elsewhere/x.ts", "cli", [true, false, false]),
        ] {
            let source = SourceInfo {
                path: path.to_owned(),
                source: package.to_owned(),
                scope: Scope::User,
                origin: SourceOrigin::TopLevel,
                base_dir: None,
            };
            let got = permissions(&settings, Path::new(path), &source, Path::new("/home/me/.pi/agent"));
            assert_eq!([got.files, got.network, got.programs], expected, "{path}");
        }
    }

    #[test]
    fn limits_have_defaults_and_are_never_nothing() {
        let default = Limits::default();
        assert_eq!(limits(&settings(json!({}))), default);
        let said = json!({"extensionLimits": {"memoryMb": 64, "turnSeconds": 0.5}});
        let got = limits(&settings(said));
        assert_eq!((got.memory, got.turn.as_millis()), (64 << 20, 500));
        let nonsense = json!({"extensionLimits": {"memoryMb": 0, "turnSeconds": -1}});
        assert_eq!(limits(&settings(nonsense)), default);
    }
}
