//! Which models the cycle keys go through: all, or some in an order.

use std::collections::HashMap;
use std::sync::Arc;

use pi_ai::{Model, ThinkingLevel};
use pi_coding_agent::models::ScopedModel;

/// Names a model: provider and id.
type Name = (String, String);

/// The models in the order in which they are listed, and which of them are picked.
#[derive(Debug, Clone)]
pub(super) struct Picked {
    /// All models; picked ones first, as they were when the list was opened.
    order: Vec<Arc<Model>>,
    /// The picked ones. `None`: nothing is filtered.
    names: Option<Vec<Name>>,
    /// Levels that the scope asks for.
    levels: HashMap<Name, ThinkingLevel>,
}

fn name_of(model: &Model) -> Name {
    (model.provider.to_string(), model.id.clone())
}

impl Picked {
    /// From the scope in force; an empty one means all models.
    pub(super) fn new(all: Vec<Arc<Model>>, scope: &[ScopedModel]) -> Self {
        let names: Vec<Name> = scope.iter().map(|scoped| name_of(&scoped.model)).collect();
        let levels = scope.iter().filter_map(|scoped| Some((name_of(&scoped.model), scoped.thinking_level?))).collect();
        let place = |model: &Arc<Model>| names.iter().position(|name| *name == name_of(model)).unwrap_or(usize::MAX);
        let mut order = all;
        order.sort_by_key(place);
        Self { order, names: (!names.is_empty()).then_some(names), levels }
    }

    /// All models, in order.
    pub(super) fn order(&self) -> &[Arc<Model>] {
        &self.order
    }

    /// Whether nothing is filtered.
    pub(super) fn is_all(&self) -> bool {
        self.names.is_none()
    }

    pub(super) fn has(&self, model: &Model) -> bool {
        self.names.as_ref().is_none_or(|names| names.contains(&name_of(model)))
    }

    /// How many are picked.
    pub(super) fn count(&self) -> usize {
        self.order.iter().filter(|model| self.has(model)).count()
    }

    /// Picks a model or drops it. The first one that is picked is the only one.
    pub(super) fn toggle(&mut self, model: &Model) {
        let name = name_of(model);
        match &mut self.names {
            None => self.names = Some(vec![name]),
            Some(names) if names.contains(&name) => names.retain(|other| *other != name),
            Some(names) => names.push(name),
        }
    }

    /// Picks all of these, or drops them.
    pub(super) fn set(&mut self, models: &[Arc<Model>], is_picked: bool) {
        let all = models.len() == self.order.len();
        if all {
            self.names = if is_picked { None } else { Some(Vec::new()) };
            return;
        }
        let wanted: Vec<Name> = models.iter().map(|model| name_of(model)).collect();
        let mut names = match self.names.take() {
            Some(names) => names,
            // From "all", some are dropped; to pick some of all means only these.
            None if is_picked => Vec::new(),
            None => self.order.iter().map(|model| name_of(model)).collect(),
        };
        names.retain(|name| !wanted.contains(name));
        if is_picked {
            names.extend(wanted);
        }
        self.names = Some(names);
    }

    /// Picks all models of a provider; drops them if they are picked already.
    pub(super) fn toggle_provider(&mut self, provider: &str) {
        let models: Vec<Arc<Model>> = self.order.iter().filter(|model| model.provider == provider).cloned().collect();
        let is_picked = !self.is_all() && models.iter().all(|model| self.has(model));
        self.set(&models, !is_picked);
    }

    /// Moves a model by one place; whether it has moved.
    pub(super) fn shift(&mut self, model: &Model, down: bool) -> bool {
        let name = name_of(model);
        let Some(at) = self.order.iter().position(|other| name_of(other) == name) else { return false };
        let to = if down { at + 1 } else { at.wrapping_sub(1) };
        if to >= self.order.len() {
            return false;
        }
        self.order.swap(at, to);
        true
    }

    /// The scope: empty where all models, or none, are picked.
    pub(super) fn scope(&self) -> Vec<ScopedModel> {
        let picked: Vec<_> = self.order.iter().filter(|model| self.has(model)).collect();
        if self.is_all() || picked.len() == self.order.len() {
            return Vec::new();
        }
        let level = |model: &Model| self.levels.get(&name_of(model)).copied();
        picked.into_iter().map(|model| ScopedModel { model: Arc::clone(model), thinking_level: level(model) }).collect()
    }

    /// The scope as the setting has it; `None` for all models.
    pub(super) fn patterns(&self) -> Option<Vec<String>> {
        let scope = self.scope();
        let pattern = |scoped: &ScopedModel| {
            let level = scoped.thinking_level.map(|level| format!(":{}", level.as_str())).unwrap_or_default();
            format!("{}/{}{level}", scoped.model.provider, scoped.model.id)
        };
        (!scope.is_empty()).then(|| scope.iter().map(pattern).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::super::rank::tests::models;
    use super::*;

    fn shown(picked: &Picked) -> Option<Vec<String>> {
        picked.patterns()
    }

    fn some(names: &[&str]) -> Option<Vec<String>> {
        Some(names.iter().map(|name| (*name).to_owned()).collect())
    }

    #[test]
    fn the_first_one_is_the_only_one() {
        let models = models();
        let mut picked = Picked::new(models.clone(), &[]);
        assert!(picked.is_all() && picked.has(&models[0]));
        assert_eq!(shown(&picked), None);
        picked.toggle(&models[1]);
        assert_eq!(shown(&picked), some(&["openai/gpt-5-mini"]));
        picked.toggle(&models[0]);
        // In the order of the list, not of the keys.
        assert_eq!(shown(&picked), some(&["openai/gpt-5", "openai/gpt-5-mini"]));
        picked.toggle(&models[0]);
        picked.toggle(&models[1]);
        assert_eq!((shown(&picked), picked.count()), (None, 0));
    }

    #[test]
    fn providers_and_everything() {
        let models = models();
        let mut picked = Picked::new(models.clone(), &[]);
        picked.toggle_provider("openai");
        assert_eq!(shown(&picked), some(&["openai/gpt-5", "openai/gpt-5-mini"]));
        picked.toggle_provider("anthropic");
        assert_eq!(picked.count(), 3);
        picked.toggle_provider("openai");
        assert_eq!(shown(&picked), some(&["anthropic/claude-opus"]));
        picked.set(&models, true);
        assert!(picked.is_all());
        picked.set(&models[..1], false);
        assert_eq!(picked.count(), 3);
        picked.set(&models, false);
        assert_eq!((picked.count(), picked.is_all()), (0, false));
    }

    #[test]
    fn levels_and_order_are_kept() {
        let models = models();
        let scope = [
            ScopedModel { model: Arc::clone(&models[2]), thinking_level: Some(ThinkingLevel::High) },
            ScopedModel { model: Arc::clone(&models[0]), thinking_level: None },
        ];
        let mut picked = Picked::new(models.clone(), &scope);
        assert_eq!(shown(&picked), some(&["anthropic/claude-opus:high", "openai/gpt-5"]));
        assert!(picked.shift(&models[2], true));
        assert_eq!(shown(&picked), some(&["openai/gpt-5", "anthropic/claude-opus:high"]));
        assert!(!picked.shift(&models[0], false));
    }
}
