//! Service tiers: processing that costs less for patience, or more for haste.

use crate::model::Model;
use crate::usage::Usage;

/// Which tier a response is charged at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TierRule {
    /// None: prices do not depend on it.
    Ignored,
    /// The one that the response names, else the one that was asked for.
    Reported,
    /// As [`TierRule::Reported`], but a response that says `default` where another tier was asked for does not mean it.
    RequestedOverDefault,
}

impl TierRule {
    /// Charges the tier's price instead of the ordinary one.
    pub(super) fn apply(self, usage: &mut Usage, model: &Model, reported: Option<&str>, requested: Option<&str>) {
        let factor = self.tier(reported, requested).map_or(1.0, |tier| factor(tier, model));
        if factor == 1.0 {
            return;
        }
        let cost = &mut usage.cost;
        for part in [&mut cost.input, &mut cost.output, &mut cost.cache_read, &mut cost.cache_write] {
            *part *= factor;
        }
        cost.total = cost.input + cost.output + cost.cache_read + cost.cache_write;
    }

    fn tier<'a>(self, reported: Option<&'a str>, requested: Option<&'a str>) -> Option<&'a str> {
        match self {
            Self::Ignored => None,
            Self::RequestedOverDefault if reported == Some("default") && is_priced(requested) => requested,
            Self::Reported | Self::RequestedOverDefault => reported.or(requested),
        }
    }
}

fn is_priced(tier: Option<&str>) -> bool {
    matches!(tier, Some("flex" | "priority"))
}

/// What a tier costs, as a multiple of the ordinary price.
fn factor(tier: &str, model: &Model) -> f64 {
    match tier {
        "flex" => 0.5,
        "priority" if model.id == "gpt-5.5" => 2.5,
        "priority" => 2.0,
        _ => 1.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::usage::Cost;

    #[test]
    fn what_a_tier_costs() {
        use TierRule::{Ignored, Reported, RequestedOverDefault};
        for (rule, id, reported, requested, expected) in [
            (Reported, "gpt", None, None, 1.0),
            (Reported, "gpt", Some("flex"), Some("priority"), 0.5),
            (Reported, "gpt", None, Some("priority"), 2.0),
            (Reported, "gpt-5.5", Some("priority"), None, 2.5),
            (Reported, "gpt", Some("default"), Some("priority"), 1.0),
            (Reported, "gpt", Some("scale"), None, 1.0),
            (RequestedOverDefault, "gpt", Some("default"), Some("priority"), 2.0),
            (RequestedOverDefault, "gpt", Some("default"), Some("auto"), 1.0),
            (RequestedOverDefault, "gpt", Some("flex"), Some("priority"), 0.5),
            (Ignored, "gpt", Some("priority"), Some("priority"), 1.0),
        ] {
            let model = Model { id: id.into(), ..Model::default() };
            let cost = Cost { input: 1.0, output: 2.0, cache_read: 4.0, cache_write: 8.0, total: 15.0 };
            let mut usage = Usage { cost, ..Usage::default() };
            rule.apply(&mut usage, &model, reported, requested);
            let cost = &usage.cost;
            let parts = [cost.input, cost.output, cost.cache_read, cost.cache_write, cost.total];
            assert_eq!(
                parts,
                [1.0, 2.0, 4.0, 8.0, 15.0].map(|part| part * expected),
                "{rule:?} {reported:?} {requested:?}"
            );
        }
    }
}
