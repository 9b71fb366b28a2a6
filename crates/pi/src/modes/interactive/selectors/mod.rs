//! Lists to choose from, in the editor's place.

mod filtered_list;
mod fork;
mod live_preview;
mod login;
mod models;
mod resources;
mod search_list;
mod sessions;
mod settings;
mod tree;
mod trust;

pub(super) use fork::fork;
pub(super) use login::{login, logout, refused};
pub(super) use models::{candidates, model, rank_models, scoped_models};
pub use resources::resource_title;
pub(super) use resources::{FindSwitches, Resources};
pub(super) use sessions::{Picker, Resume, Source, name_session, sessions};
pub(super) use settings::{settings, theme, theme_names};
pub(super) use tree::tree;
pub(super) use trust::trust;
