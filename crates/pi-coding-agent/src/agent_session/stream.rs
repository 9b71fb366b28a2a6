//! How a session calls its model: key and headers resolved per request, limits from the settings.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use futures::{FutureExt, StreamExt};
use pi_agent_core::{RunFailure, StreamFn};
use pi_ai::transport::HttpTransport;
use pi_ai::{
    ApiRegistry, AssistantMessageEvent, AssistantMessageStream, Model, Secrets, StreamOptions, without_known_secrets,
};

use crate::config::auth_storage::AuthStorage;
use crate::config::models::ModelRegistry;
use crate::config::settings::SettingsManager;
use crate::host::env::Env;

/// How often news of keys are looked for while they are waited for.
const NEWS: Duration = Duration::from_millis(250);

/// Builds the stream function of a session.
pub(crate) fn stream_fn(
    apis: Arc<ApiRegistry>,
    models: Arc<ModelRegistry>,
    settings: Arc<SettingsManager>,
    headers: RequestHeaders,
    http: Option<Arc<dyn HttpTransport>>,
    warn: Arc<dyn Fn(&str) + Send + Sync>,
) -> Arc<StreamFn> {
    Arc::new(move |model, context, mut options: StreamOptions| {
        let (apis, models, settings) = (Arc::clone(&apis), Arc::clone(&models), Arc::clone(&settings));
        let mut merged = headers.of(&model, options.session_id.as_deref());
        let (http, warn) = (http.clone(), Arc::clone(&warn));
        async move {
            // A missing key is the provider's to report, as a message; here only broken configuration fails.
            let auth = with_warnings(models.auth(), &*warn, models.request_auth(&model)).await;
            let auth = auth.map_err(|error| failure(&error))?;
            merged.extend(auth.headers);
            merged.extend(std::mem::take(&mut options.headers));
            options.headers = merged;
            if auth.api_key.is_some() {
                options.api_key = auth.api_key;
            }
            let mut env = auth.env;
            env.extend(std::mem::take(&mut options.env));
            options.env = env;
            apply_limits(&mut options, &settings);
            options.http = options.http.or(http);
            let stream = apis.stream(model, context, options);
            stream.map(without_secrets).map_err(|error| failure(&error))
        }
        .boxed()
    })
}

fn failure(error: &impl ToString) -> RunFailure {
    RunFailure::new(without_known_secrets(&error.to_string()))
}

/// The stream with a final message whose error shows no credential that was read from files, commands, variables or
/// logins. Built-in formats take out those of the call; those of extensions say what they like.
fn without_secrets(stream: AssistantMessageStream) -> AssistantMessageStream {
    AssistantMessageStream::new(stream.map(|event| match event {
        AssistantMessageEvent::Error { reason, mut error, cause } => {
            let clean = error.error_message.as_deref().map(without_known_secrets);
            if clean != error.error_message {
                Arc::make_mut(&mut error).error_message = clean;
            }
            let cause = cause.map(|cause| Secrets::default().taken_out_of(cause));
            AssistantMessageEvent::Error { reason, error, cause }
        }
        other => other,
    }))
}

/// Waits for something, and tells meanwhile what is wrong with keys, or what is waited for.
async fn with_warnings<T>(
    auth: &AuthStorage,
    warn: &(dyn Fn(&str) + Send + Sync),
    something: impl Future<Output = T>,
) -> T {
    let mut something = std::pin::pin!(something);
    loop {
        let done = tokio::time::timeout(NEWS, &mut something).await;
        auth.drain_problems().iter().for_each(|problem| warn(&problem.to_string()));
        if let Ok(done) = done {
            return done;
        }
    }
}

fn apply_limits(options: &mut StreamOptions, settings: &SettingsManager) {
    let limits = settings.network().provider_retry();
    if let Some(timeout) = limits.timeout {
        options.timeout = timeout;
    }
    options.max_retries = limits.max_retries;
    options.max_retry_delay = limits.max_retry_delay;
    options.stall_timeout = settings.network().http_idle_timeout();
    if let Some(timeout) = settings.network().websocket_connect_timeout() {
        options.websocket_connect_timeout = timeout.unwrap_or_default();
    }
    options.transport.get_or_insert_with(|| settings.network().transport());
}

/// Headers that routing services like to see, by provider.
#[derive(Debug, Clone)]
pub(crate) struct RequestHeaders {
    telemetry: bool,
}

impl RequestHeaders {
    /// `PI_TELEMETRY` decides, else the setting.
    pub(crate) fn new(env: &Env, settings: &SettingsManager) -> Self {
        let telemetry = match env.var("PI_TELEMETRY") {
            Some(value) => matches!(value.to_ascii_lowercase().as_str(), "1" | "true" | "yes"),
            None => settings.telemetry().enable_install_telemetry(),
        };
        Self { telemetry }
    }

    fn of(&self, model: &Model, session_id: Option<&str>) -> BTreeMap<String, String> {
        let is_opencode = model.provider.starts_with("opencode") || model.base_url.contains("opencode.ai");
        let mut headers: Vec<(&str, &str)> = Vec::new();
        if let (true, Some(id)) = (is_opencode, session_id) {
            headers.extend([("x-opencode-session", id), ("x-opencode-client", "pi")]);
        }
        if self.telemetry {
            headers.extend(attribution(model));
        }
        headers.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
    }
}

/// Who is calling, in the form that each service documents.
fn attribution(model: &Model) -> &'static [(&'static str, &'static str)] {
    match model.provider.as_str() {
        "openrouter" => &[
            ("HTTP-Referer", "https://pi.dev"),
            ("X-OpenRouter-Title", "pi"),
            ("X-OpenRouter-Categories", "cli-agent"),
        ],
        "nvidia" => &[("X-BILLING-INVOKE-ORIGIN", "Pi")],
        "vercel-ai-gateway" => &[("http-referer", "https://pi.dev"), ("x-title", "pi")],
        provider if provider.starts_with("cloudflare-") => &[("User-Agent", "pi-coding-agent")],
        _ => &[],
    }
}
