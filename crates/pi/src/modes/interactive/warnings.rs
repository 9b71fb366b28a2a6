//! What a subscription may cost beyond its price: said once a run, when a model of it is chosen.

use super::app::App;
use super::chat::NoteKind;

/// The provider whose subscriptions do not cover other programs for certain.
const ANTHROPIC: &str = "anthropic";

/// Says it if the model is used through such a subscription, unless the user does not want to know.
pub(super) fn of_subscription(app: &mut App) {
    let is_meant = app.session.model().provider == ANTHROPIC
        && app.session.models().registry().auth().is_oauth(ANTHROPIC)
        && app.settings().interface().warn_anthropic_extra_usage();
    if !is_meant || app.has_warned_of_costs {
        return;
    }
    app.has_warned_of_costs = true;
    app.note(
        NoteKind::Warning,
        "This model is used through a Claude subscription. Anthropic may bill what other programs use as extra usage, beyond \
         the plan: https://claude.ai/settings/usage",
    );
}
