//! Tools, the shell that runs commands, images.

use super::super::keys::Keys;
use super::super::scope::SettingsScope;
use super::super::table::{
    COMMAND_LOG_MAX_MB, DEFAULT_TOOLS, IMAGES_AUTO_RESIZE, IMAGES_BLOCK_IMAGES, MAX_CONCURRENT_COMMANDS,
};
use super::super::values::ImageSettings;

/// Tools, the shell that runs commands, images.
///
/// Made by [`SettingsManager::tools`](crate::settings::SettingsManager::tools).
#[derive(Debug, Clone, Copy)]
pub struct ToolSettings<'a>(pub(in crate::config::settings) Keys<'a>);

impl ToolSettings<'_> {
    /// Lists of tools that are active by default, the user's before the project's; absent ones are left out.
    pub fn default_tools(self) -> Vec<Vec<String>> {
        let list = |scope| self.0.get_in(scope, &DEFAULT_TOOLS);
        let outer: Vec<_> = self.0.outer_projects().iter().rev().map(|project| project.get(&DEFAULT_TOOLS)).collect();
        let lists = [list(SettingsScope::Global)].into_iter().chain(outer).chain([list(SettingsScope::Project)]);
        lists.flatten().collect()
    }

    /// How many shell commands run at once in this process; the others wait.
    pub(crate) fn max_concurrent_commands(self) -> usize {
        usize::try_from(self.0.get(&MAX_CONCURRENT_COMMANDS)).unwrap_or(usize::MAX)
    }

    /// So long may the file with all output of a shell command become, in bytes; one GiB by default.
    pub(crate) fn command_log_max_bytes(self) -> u64 {
        (self.0.get(&COMMAND_LOG_MAX_MB) * 1_048_576.0) as u64
    }

    /// How images are sent.
    pub fn images(self) -> ImageSettings {
        ImageSettings { auto_resize: self.0.get(&IMAGES_AUTO_RESIZE), block_images: self.0.get(&IMAGES_BLOCK_IMAGES) }
    }
}
