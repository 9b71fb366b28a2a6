//! Questions of servers to the user (elicitation): forms, asked field by field, and pages to be opened.

mod field;

use pi_coding_agent::extension::{DialogOptions, ExtensionUi, NotifyKind};
use pi_coding_agent::host::plain;
use rmcp::model::{ElicitRequestParams, ElicitResult, ElicitationAction};
use serde_json::{Map, Value};
use url::Url;

use crate::pages::OpenPage;
use field::{Asked, Field};

/// Asks the user what a server wants to know. Dropping the future closes the dialog.
pub(crate) async fn ask(
    ui: &dyn ExtensionUi,
    server: &str,
    request: ElicitRequestParams,
    open_page: &OpenPage,
) -> ElicitResult {
    match request {
        ElicitRequestParams::FormElicitationParams { message, requested_schema, .. } => {
            // Surfaces show the first line of a question as its title, which may be cut.
            let title = format!("MCP server \"{}\" asks", plain(server));
            match serde_json::to_value(&requested_schema) {
                Ok(schema) => form(ui, &title, &plain(&message), &schema).await,
                Err(_) => ElicitResult::new(ElicitationAction::Decline),
            }
        }
        ElicitRequestParams::UrlElicitationParams { message, url, .. } => {
            page(ui, server, &message, &url, open_page).await
        }
        _ => ElicitResult::new(ElicitationAction::Decline),
    }
}

async fn form(ui: &dyn ExtensionUi, title: &str, message: &str, schema: &Value) -> ElicitResult {
    let fields = fields(schema);
    if fields.is_empty() {
        // Nothing to fill in: a yes is all that is wanted.
        let is_accepted = ui.confirm(title, message, DialogOptions::default()).await;
        return if is_accepted { accepted(Map::new()) } else { ElicitResult::new(ElicitationAction::Decline) };
    }
    let mut content = Map::new();
    for field in fields {
        match field::ask(ui, title, message, &field).await {
            Asked::Answered(value) => {
                content.insert(field.name.to_owned(), value);
            }
            Asked::LeftOut => {}
            Asked::Cancelled => return ElicitResult::new(ElicitationAction::Cancel),
        }
    }
    accepted(content)
}

fn accepted(content: Map<String, Value>) -> ElicitResult {
    ElicitResult::new(ElicitationAction::Accept).with_content(Value::Object(content))
}

/// The fields of a form; those that must be filled in come first.
fn fields(schema: &Value) -> Vec<Field<'_>> {
    let required: Vec<&str> = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let properties = schema["properties"].as_object().into_iter().flatten();
    let field = |(name, schema)| {
        let name: &String = name;
        Field { name, schema, is_required: required.contains(&name.as_str()) }
    };
    let mut fields: Vec<Field<'_>> = properties.map(field).collect();
    fields.sort_by_key(|field| required.iter().position(|name| *name == field.name).unwrap_or(usize::MAX));
    fields
}

async fn page(ui: &dyn ExtensionUi, server: &str, message: &str, url: &str, open_page: &OpenPage) -> ElicitResult {
    // As it will be requested: nothing in it can look like something else.
    let url = Url::parse(url).ok().filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host());
    let Some(url) = url else {
        let text =
            format!("MCP server \"{}\" wanted to open what is no page of the web. It was told no.", plain(server));
        ui.notify(&text, Some(NotifyKind::Warning)).await;
        return ElicitResult::new(ElicitationAction::Decline);
    };
    let title =
        format!("MCP server \"{}\" asks you to open a page of {}", plain(server), url.host_str().unwrap_or_default());
    let question = format!("{}\n{url}", plain(message));
    if !ui.confirm(&title, &question, DialogOptions::default()).await {
        return ElicitResult::new(ElicitationAction::Decline);
    }
    if !open_page.open(url.as_str()) {
        ui.notify(&format!("Open this page in a browser: {url}"), Some(NotifyKind::Info)).await;
    }
    ElicitResult::new(ElicitationAction::Accept)
}

#[cfg(test)]
mod tests;
