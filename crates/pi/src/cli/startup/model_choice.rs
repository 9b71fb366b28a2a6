//! The models of a run: the one that it starts with, those that it may change to, and its key.

use pi_ai::ThinkingLevel;

use super::network::Network;
use super::{Startup, scope};
use pi_coding_agent::models::{CliModel, ResolvedModel, ScopedModel, preferred, resolve_cli_model};
use pi_coding_agent::session::SessionManager;

impl Startup {
    pub(super) fn thinking(&mut self) -> Option<ThinkingLevel> {
        let level = self.line.args.thinking_level()?;
        level.map_err(|warning| self.diagnostics.warning(warning)).ok()
    }

    pub(super) fn model(&mut self, thinking: Option<ThinkingLevel>, recorded: Option<&str>) -> Option<ResolvedModel> {
        if let Some(problem) = self.models.error() {
            self.diagnostics.warning(problem);
        }
        let args = &self.line.args;
        let asked = CliModel { provider: args.provider.as_deref(), model: args.model.as_deref(), thinking };
        let resolved = resolve_cli_model(asked, &self.models);
        let mut choice = self.settle(resolved)?;
        choice.warning.iter().for_each(|warning| self.diagnostics.warning(warning));
        if let (None, Some(recorded)) = (&choice.model, recorded) {
            choice.model = self.models.all().into_iter().find(|model| model.id == recorded);
            if choice.model.is_none() {
                return self.fail(format!(
                    "The cassette was recorded with the model \"{recorded}\", which is not known here. Name one with --model, or add it to models.json"
                ));
            }
        }
        Some(choice)
    }

    pub(super) fn scope(&mut self) -> Option<Vec<ScopedModel>> {
        let scope = scope::scoped_models(&self.line.args, &self.settings, &self.models);
        let (scope, warnings) = self.settle(scope)?;
        warnings.into_iter().for_each(|warning| self.diagnostics.warning(warning));
        Some(scope)
    }

    /// `--api-key` counts for the model's provider; a replay needs no real key.
    pub(super) fn set_runtime_key(
        &mut self,
        choice: &ResolvedModel,
        scope: &[ScopedModel],
        manager: &SessionManager,
        network: &Network,
    ) -> Option<()> {
        let args = &self.line.args;
        if args.api_key.as_deref().is_some_and(|key| key.trim().is_empty()) {
            return self.fail("--api-key requires a non-empty value; leave it out to use the configured key");
        }
        let key = args.api_key.clone().or_else(|| network.stand_in_key.map(ToOwned::to_owned));
        let (provider, id) = (self.settings.models().default_provider(), self.settings.models().default_model());
        let of_scope = || preferred(scope, provider.as_deref().zip(id.as_deref())).map(|scoped| &scoped.model);
        // A session that is continued has its own model.
        let is_new = || manager.build_session_context().is_ok_and(|context| context.messages.is_empty());
        let model = choice.model.as_ref().or_else(|| of_scope().filter(|_| key.is_some() && is_new()));
        match (key, model) {
            (Some(key), Some(model)) => self.models.auth().set_runtime_key(&model.provider, &key),
            (Some(_), None) if args.api_key.is_some() => {
                return self
                    .fail("--api-key requires a model to be specified via --model, --provider/--model, or --models");
            }
            _ => {}
        }
        Some(())
    }
}
