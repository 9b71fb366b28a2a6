//! Questions and notices of extensions, put to the user of the editor: a yes or no and a choice as a permission, which every
//! editor has, texts and long lists as a form where the editor has forms.

use std::sync::Arc;

use agent_client_protocol_schema::v1::{
    CreateElicitationRequest, CreateElicitationResponse, ElicitationAction, ElicitationContentValue,
    ElicitationFormMode, ElicitationSchema, ElicitationSessionScope, Error, NoticeSeverity, PermissionOption,
    PermissionOptionKind, RequestPermissionOutcome, RequestPermissionRequest, RequestPermissionResponse, SessionUpdate,
    StringPropertySchema, ToolCallStatus, ToolCallUpdate, ToolCallUpdateFields,
};
use futures::FutureExt;
use futures::future::BoxFuture;

use super::permission;
use super::updates::Updates;
use crate::extension::{DialogOptions, ExtensionUi, NotifyKind, PermissionAnswer, PermissionRequest};

/// The one field of a form.
const FIELD: &str = "answer";

/// The user of the editor, as extensions meet them.
pub(super) struct EditorUi(Arc<Updates>);

/// An answer that can be chosen.
pub(super) struct Choice<'a> {
    pub(super) label: &'a str,
    pub(super) kind: PermissionOptionKind,
}

impl EditorUi {
    pub(super) fn new(updates: Arc<Updates>) -> Self {
        Self(updates)
    }

    /// Lets the user choose; the number of the choice. Whoever cancels chooses nothing.
    pub(super) async fn choose(&self, title: &str, choices: &[Choice<'_>]) -> Option<usize> {
        let updates = &self.0;
        // A permission is about a call: this one is there for the question alone.
        let call = format!("question-{}", updates.message_id().0);
        let fields = ToolCallUpdateFields::new().title(title).status(ToolCallStatus::Pending);
        let chosen = self.put(ToolCallUpdate::new(call.clone(), fields), choices).await;
        let status = if chosen.is_some() { ToolCallStatus::Completed } else { ToolCallStatus::Failed };
        let settled = ToolCallUpdate::new(call, ToolCallUpdateFields::new().status(status));
        updates.send(SessionUpdate::ToolCallUpdate(settled)).await;
        chosen
    }

    /// Asks for a permission about a call; the number of the choice.
    async fn put(&self, call: ToolCallUpdate, choices: &[Choice<'_>]) -> Option<usize> {
        let options = choices.iter().enumerate();
        let options = options.map(|(at, choice)| PermissionOption::new(at.to_string(), choice.label, choice.kind));
        let request = RequestPermissionRequest::new(self.0.id().clone(), call, options.collect());
        let answered = self.0.connection().ask("session/request_permission", &request).await;
        let chosen = answered.ok().and_then(|RequestPermissionResponse { outcome, .. }| match outcome {
            RequestPermissionOutcome::Selected(chosen) => chosen.option_id.0.parse::<usize>().ok(),
            _ => None,
        });
        chosen.filter(|at| *at < choices.len())
    }

    /// Lets the user fill in a form of one field.
    async fn fill_in(&self, title: &str, field: StringPropertySchema) -> Option<String> {
        let updates = &self.0;
        let schema = ElicitationSchema::new().property(FIELD, field, true);
        let mode = ElicitationFormMode::new(ElicitationSessionScope::new(updates.id().clone()), schema);
        let request = CreateElicitationRequest::new(mode, title);
        let answered: Result<CreateElicitationResponse, Error> =
            updates.connection().ask("elicitation/create", &request).await;
        match answered.ok()?.action {
            ElicitationAction::Accept(accepted) => match accepted.content?.remove(FIELD)? {
                ElicitationContentValue::String(text) => Some(text),
                _ => None,
            },
            _ => None,
        }
    }

    async fn text(&self, title: &str, field: StringPropertySchema) -> Option<String> {
        if self.0.client().has_forms {
            return self.fill_in(title, field).await;
        }
        let text = format!("{title}: this editor cannot ask for a text; the question counts as cancelled.");
        self.0.notify(NoticeSeverity::Warning, &text).await;
        None
    }
}

impl ExtensionUi for EditorUi {
    fn is_available(&self) -> bool {
        true
    }

    fn select(&self, title: &str, options: &[String], dialog: DialogOptions) -> BoxFuture<'_, Option<String>> {
        let (title, options) = (title.to_owned(), options.to_vec());
        let answer = async move {
            if self.0.client().has_forms {
                let field = StringPropertySchema::new().enum_values(options.clone());
                return self.fill_in(&title, field).await.filter(|chosen| options.contains(chosen));
            }
            let choice = |label| Choice { label, kind: PermissionOptionKind::AllowOnce };
            let choices: Vec<_> = options.iter().map(|option| choice(option.as_str())).collect();
            self.choose(&title, &choices).await.and_then(|at| options.get(at).cloned())
        };
        in_time(dialog, answer).map(Option::flatten).boxed()
    }

    fn confirm(&self, title: &str, message: &str, dialog: DialogOptions) -> BoxFuture<'_, bool> {
        let question = if message.is_empty() { title.to_owned() } else { format!("{title}\n{message}") };
        let answer = async move {
            let choices = [
                Choice { label: "Yes", kind: PermissionOptionKind::AllowOnce },
                Choice { label: "No", kind: PermissionOptionKind::RejectOnce },
            ];
            self.choose(&question, &choices).await == Some(0)
        };
        in_time(dialog, answer).map(|answer| answer.unwrap_or(false)).boxed()
    }

    fn permit(&self, request: &PermissionRequest, dialog: DialogOptions) -> BoxFuture<'_, Option<PermissionAnswer>> {
        let request = request.clone();
        let answer = async move {
            let always = request.always.as_deref();
            let always = always.map(|label| Choice { label, kind: PermissionOptionKind::AllowAlways });
            let mut choices = vec![Choice { label: "Allow once", kind: PermissionOptionKind::AllowOnce }];
            choices.extend(always);
            choices.push(Choice { label: "Reject", kind: PermissionOptionKind::RejectOnce });
            let call = permission::call(&self.0, &request).await;
            let chosen = self.put(call, &choices).await;
            permission::settled(&self.0, &request).await;
            Some(match choices.get(chosen?)?.kind {
                PermissionOptionKind::AllowOnce => PermissionAnswer::Once,
                PermissionOptionKind::AllowAlways => PermissionAnswer::Always,
                _ => PermissionAnswer::Reject(None),
            })
        };
        in_time(dialog, answer).map(Option::flatten).boxed()
    }

    fn input(&self, title: &str, placeholder: Option<&str>, dialog: DialogOptions) -> BoxFuture<'_, Option<String>> {
        let (title, field) =
            (title.to_owned(), StringPropertySchema::new().description(placeholder.map(str::to_owned)));
        in_time(dialog, async move { self.text(&title, field).await }).map(Option::flatten).boxed()
    }

    fn editor(&self, title: &str, prefill: Option<&str>) -> BoxFuture<'_, Option<String>> {
        let (title, field) = (title.to_owned(), StringPropertySchema::new().default_value(prefill.map(str::to_owned)));
        async move { self.text(&title, field).await }.boxed()
    }

    fn notify(&self, message: &str, kind: Option<NotifyKind>) -> BoxFuture<'_, ()> {
        let severity = match kind {
            Some(NotifyKind::Error) => NoticeSeverity::Error,
            Some(NotifyKind::Warning) => NoticeSeverity::Warning,
            Some(NotifyKind::Info) | None => NoticeSeverity::Info,
        };
        let message = message.to_owned();
        async move { self.0.notify(severity, &message).await }.boxed()
    }
}

/// The answer, unless the question is closed first. The client is told then that it is.
async fn in_time<T>(dialog: DialogOptions, answer: impl Future<Output = T>) -> Option<T> {
    tokio::select! {
        answer = answer => Some(answer),
        () = dialog.ended() => None,
    }
}
