//! How configuration files are written.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::sync::Arc;

use pi_ai::SystemClock;
use pi_coding_agent::settings::SettingsManager;

use crate::support::paths;

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
    settings.set_theme("t").unwrap();
    assert!(fs::symlink_metadata(agent.join("settings.json")).unwrap().is_symlink());
    assert_eq!(fs::read_to_string(&real).unwrap(), "{\n  \"theme\": \"t\"\n}");
    assert_eq!(fs::metadata(&real).unwrap().permissions().mode() & 0o777, 0o640);
    assert_eq!(fs::read_dir(&agent).unwrap().count(), 1, "neither lock nor temporary file stays behind");
}
