//! How configuration files are written.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::sync::Arc;

use pi_ai::SystemClock;
use pi_coding_agent::models::ModelRegistry;
use pi_coding_agent::settings::SettingsManager;

use crate::support::{auth, paths};

#[test]
fn a_rewritten_file_keeps_mode_and_link() {
    let dir = tempfile::tempdir().unwrap();
    let agent = dir.path().join(".pi/agent");
    fs::create_dir_all(&agent).unwrap();
    let real = dir.path().join("dotfiles.json");
    fs::write(&real, "{}").unwrap();
    fs::set_permissions(&real, fs::Permissions::from_mode(0o640)).unwrap();
    symlink(&real, agent.join("settings.json")).unwrap();
    let settings = SettingsManager::load(&paths(dir.path()), dir.path(), true, Arc::new(SystemClock));
    settings.interface().set_theme("t").unwrap();
    assert!(fs::symlink_metadata(agent.join("settings.json")).unwrap().is_symlink());
    assert_eq!(fs::read_to_string(&real).unwrap(), "{\n  \"theme\": \"t\"\n}");
    assert_eq!(fs::metadata(&real).unwrap().permissions().mode() & 0o777, 0o640);
    assert_eq!(fs::read_dir(&agent).unwrap().count(), 1, "neither lock nor temporary file stays behind");
}

/// docs/settings.md and docs/models.md: 127 levels, the file's object included.
#[test]
fn settings_and_models_may_nest_127_levels_and_no_more() {
    for levels in 126..=130 {
        let dir = tempfile::tempdir().unwrap();
        let agent = dir.path().join(".pi/agent");
        fs::create_dir_all(&agent).unwrap();
        let nested = "[".repeat(levels - 1) + &"]".repeat(levels - 1);
        fs::write(agent.join("settings.json"), format!("{{\"theme\": \"light\", \"more\": {nested}}}")).unwrap();
        let settings = SettingsManager::load(&paths(dir.path()), dir.path(), true, Arc::new(SystemClock));
        let errors: Vec<String> = settings.drain_problems().into_iter().map(|problem| problem.message).collect();
        let models = agent.join("models.json");
        fs::write(&models, format!("{{\"providers\": {{}}, \"more\": {nested}}}")).unwrap();
        let registry = ModelRegistry::new(auth(serde_json::json!({}), &[]), Arc::new(Vec::new()), Some(models));
        let both: String = errors.concat() + &registry.error().unwrap_or_default();
        assert_eq!(settings.interface().theme().as_deref() == Some("light"), levels <= 127, "{levels}");
        assert_eq!(
            both.matches("it is nested deeper than 127 levels at line 1 column ").count(),
            2 * usize::from(levels > 127),
            "{both}"
        );
    }
}
