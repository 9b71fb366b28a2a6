//! Which models exist and how a request to one is authorised: models.json, the registry, pattern resolution.
//!
//! # Layout
//! `schema`, `schema_tables`, `models_json`: reading the user's file. `merge`, `registry`: built-in and own models
//! together; `provider_layers` (`provider_overlay`, `table_overrides`): providers that extensions register, declared in `provider`. `request_auth`: key and headers of one
//! request. `pattern`, `scope`, `resolve`, `initial`: from what a user wrote to a model; `choice`: from what a program gave. `defaults`: which model of a
//! provider to take. `list`, `collate`: how they are shown.

mod choice;
mod collate;
mod defaults;
mod initial;
mod list;
mod merge;
mod models_json;
mod pattern;
mod provider;
mod provider_layers;
mod provider_overlay;
mod registry;
mod request_auth;
mod resolve;
mod schema;
mod schema_tables;
mod scope;
mod table_overrides;

pub use choice::ModelChoice;
pub use defaults::{DEFAULT_MODELS, default_model_of};
pub use initial::{InitialModel, InitialModelRequest, find_initial_model, preferred};
pub use list::{filter_models, models_rows, models_table};
pub use pattern::{PatternMatch, match_pattern};
pub use provider::ProviderOwner;
pub use provider::{ProviderChange, ProviderRegistration};
pub use registry::{CatalogModels, ModelRegistry, ModelSource};
pub use request_auth::RequestAuth;
pub use resolve::{CliModel, ResolvedModel, resolve_cli_model};
pub use scope::{ScopedModel, resolve_scope};
