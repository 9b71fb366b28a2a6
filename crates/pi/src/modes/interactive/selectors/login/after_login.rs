//! What follows from a new key: models are there, one is chosen where there was none, and what could not be sent is sent.

use pi_coding_agent::models::{InitialModelRequest, find_initial_model};

use super::super::super::app::{App, Refused};
use super::super::super::chat::NoteKind;
use super::super::super::jobs::flat;
use super::super::super::{footer_data, models, warnings};
use super::no_model;

/// A prompt was refused for lack of a key: it goes back into the editor, and waits for one.
pub(in crate::modes::interactive) fn refused(app: &mut App, refused: Refused, provider: Option<&str>) {
    app.prompt.give_back(&refused.text);
    app.refused = Some(refused);
    match provider {
        Some(provider) => app.error(format!("No API key for {provider}: /login {provider} signs in or stores one")),
        None => {
            app.note(
                NoteKind::Warning,
                "No model has an API key yet. The message is kept; /login signs in or stores a key",
            );
            no_model::open(app);
        }
    }
}

/// A provider has a key from now on.
pub(super) fn has_key(app: &mut App, provider: &str, said: &str) {
    let registry = app.session.models().registry().clone();
    registry.refresh();
    let name = registry.display_name(provider);
    app.note(NoteKind::Done, format!("{name}: {said}"));
    footer_data::model(app);
    let lacks_one = !models::has_one(app) || !registry.has_configured_auth(&app.session.model());
    if !lacks_one {
        warnings::of_subscription(app);
        return go_on(app);
    }
    // The default of the settings, else the best of this provider.
    let settings = app.settings().models();
    let (wanted, id) = (settings.default_provider(), settings.default_model());
    let default = wanted.as_deref().zip(id.as_deref());
    let request = InitialModelRequest { default, ..InitialModelRequest::default() };
    let first = find_initial_model(request, &registry).model.filter(|model| registry.has_configured_auth(model));
    let of_provider = || registry.models_of(provider).into_iter().next();
    let Some(model) = first.or_else(of_provider) else {
        return app.note(NoteKind::Warning, format!("{name} has no models; add them to models.json"));
    };
    let session = app.session.clone();
    let label = format!("{}/{}", model.provider, model.id);
    let work = tokio::spawn(async move { session.models().set(model).await });
    app.spawn(work, move |app, result| match flat(result) {
        Ok(()) => {
            app.status(format!("Model: {label}. /model chooses another"));
            footer_data::model(app);
            warnings::of_subscription(app);
            go_on(app);
        }
        Err(error) => app.error(error),
    });
}

/// Sends what was refused, unless it was changed since: then the user sends it.
fn go_on(app: &mut App) {
    let Some(refused) = app.refused.take() else { return };
    if app.prompt.editor.expanded_text().trim() == refused.text.trim() {
        app.prompt.set_text("");
        (refused.send)(app, refused.text);
    }
}
