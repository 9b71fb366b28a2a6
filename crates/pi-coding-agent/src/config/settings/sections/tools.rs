//! Tools, the shell that runs commands, images.

use serde_json::Value;

use super::super::keys::{Keys, read};
use super::super::scope::SettingsScope;
use super::super::values::ImageSettings;
use crate::host::processes::MAX_CONCURRENT_COMMANDS;
use crate::tools::COMMAND_LOG_MAX_BYTES;

/// Tools, the shell that runs commands, images.
///
/// Made by [`SettingsManager::tools`](crate::settings::SettingsManager::tools).
#[derive(Debug, Clone, Copy)]
pub struct ToolSettings<'a>(pub(in crate::config::settings) Keys<'a>);

impl ToolSettings<'_> {
    /// Lists of tools that are active by default, the user's before the project's; absent ones are left out.
    pub(crate) fn default_tools(self) -> Vec<Vec<String>> {
        let list = |scope| self.0.get_in(scope, &["defaultTools"], read);
        let outer: Vec<_> = self.0.outer_projects().iter().rev().map(|project| project.read("defaultTools")).collect();
        let lists = [list(SettingsScope::Global)].into_iter().chain(outer).chain([list(SettingsScope::Project)]);
        lists.flatten().collect()
    }

    /// The shell that runs commands.
    pub fn shell_path(self) -> Option<String> {
        self.0.text(&["shellPath"])
    }

    /// What precedes every shell command.
    pub fn shell_command_prefix(self) -> Option<String> {
        self.0.text(&["shellCommandPrefix"])
    }

    /// How many shell commands run at once in this process; the others wait.
    pub(crate) fn max_concurrent_commands(self) -> usize {
        let whole = |value: &Value| value.as_u64().filter(|number| *number > 0);
        let number = self.0.get(&["maxConcurrentCommands"], whole);
        number.map_or(MAX_CONCURRENT_COMMANDS, |number| usize::try_from(number).unwrap_or(usize::MAX))
    }

    /// So long may the file with all output of a shell command become, in bytes; one GiB by default.
    pub(crate) fn command_log_max_bytes(self) -> u64 {
        let positive = |value: &Value| value.as_f64().filter(|number| *number > 0.0);
        let megabytes = self.0.get(&["commandLogMaxMb"], positive);
        megabytes.map_or(COMMAND_LOG_MAX_BYTES, |megabytes| (megabytes * 1_048_576.0) as u64)
    }

    /// How images are sent.
    pub fn images(self) -> ImageSettings {
        ImageSettings {
            auto_resize: self.0.switch(&["images", "autoResize"], true),
            block_images: self.0.switch(&["images", "blockImages"], false),
        }
    }
}
