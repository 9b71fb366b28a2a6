//! How a server gets to know pi: by hand, by registration, or by a document about it in the web, whose address is then its id
//! (client ID metadata document).

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use rmcp::transport::auth::AuthorizationMetadata;
use sha2::{Digest, Sha256};
use url::Url;

use super::callback::Callback;
use crate::config::Registration;

/// Where the documents about pi are: one for all servers, and one for each that does not say who it is when it sends the
/// browser back.
const DOCUMENTS: &str = "https://pi.dev/oauth";
/// Bytes of a hash that name a server in its own addresses.
const SERVER_ID_BYTES: usize = 9;

/// The address of the document to log in with, and where the browser has to be sent then; `None` for a login without.
///
/// # Errors
/// When the authorization server takes none, as the end of a sentence.
pub(super) fn document(
    registration: &Registration,
    url: &str,
    metadata: &AuthorizationMetadata,
    callback: Callback,
) -> Result<(Option<String>, Callback), String> {
    let Registration::Document(own) = registration else { return Ok((None, callback)) };
    if !takes_documents(metadata) {
        return Err("its authorization server takes no client ID metadata documents of public clients: remove \
                    \"clientRegistration\" and \"clientMetadataUrl\" from the entry, so that pi registers itself"
            .to_owned());
    }
    if let Some(own) = own {
        return Ok((Some(own.clone()), callback));
    }
    if is_flag_set(metadata, "authorization_response_iss_parameter_supported") {
        return Ok((Some(format!("{DOCUMENTS}/client.json")), callback));
    }
    // The answer of a server that does not name itself comes to a place of its own, so that it cannot be taken for the
    // answer of another (RFC 9700, 4.4.2.2).
    let id = server_id(url);
    let callback = callback.with_path(format!("/callback/{id}"));
    Ok((Some(format!("{DOCUMENTS}/{id}/client.json")), callback))
}

/// Whether an authorization server knows clients without a secret by documents about them.
pub(super) fn takes_documents(metadata: &AuthorizationMetadata) -> bool {
    let methods = metadata.additional_fields.get("token_endpoint_auth_methods_supported");
    let methods = methods.and_then(|methods| methods.as_array());
    is_flag_set(metadata, "client_id_metadata_document_supported")
        && methods.is_some_and(|methods| methods.iter().any(|method| method == "none"))
}

fn is_flag_set(metadata: &AuthorizationMetadata, name: &str) -> bool {
    metadata.additional_fields.get(name).and_then(serde_json::Value::as_bool).unwrap_or(false)
}

/// Twelve characters that stand for a server.
fn server_id(url: &str) -> String {
    let normal = Url::parse(url).map_or_else(
        |_| url.to_owned(),
        |mut url| {
            url.set_fragment(None);
            url.to_string()
        },
    );
    URL_SAFE_NO_PAD.encode(&Sha256::digest(normal)[..SERVER_ID_BYTES])
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::config::CallbackAddress;

    fn metadata(more: &Value) -> AuthorizationMetadata {
        let mut metadata = json!({"authorization_endpoint": "https://a/a", "token_endpoint": "https://a/t"});
        metadata.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        serde_json::from_value(metadata).unwrap()
    }

    #[tokio::test]
    async fn documents_depend_on_what_the_authorization_server_says() {
        const URL: &str = "https://mcp.example.com/mcp";
        let takes =
            json!({"client_id_metadata_document_supported": true, "token_endpoint_auth_methods_supported": ["none"]});
        let mut names_itself = takes.clone();
        names_itself["authorization_response_iss_parameter_supported"] = json!(true);
        let id = server_id(URL);
        assert_eq!((id.len(), server_id("https://MCP.example.com/mcp#part")), (12, id.clone()));
        let own = Registration::Document(Some("https://me.example/client.json".to_owned()));
        for (registration, says, expected) in [
            (Registration::Dynamic, &takes, None),
            (Registration::Document(None), &names_itself, Some(("https://pi.dev/oauth/client.json", "/callback"))),
            (
                Registration::Document(None),
                &takes,
                Some((&*format!("https://pi.dev/oauth/{id}/client.json"), &*format!("/callback/{id}"))),
            ),
            (own, &takes, Some(("https://me.example/client.json", "/callback"))),
        ] {
            let callback = Callback::bind(&CallbackAddress::default()).await.unwrap();
            let (found, callback) = document(&registration, URL, &metadata(says), callback).unwrap();
            let path = Url::parse(&callback.redirect_uri()).unwrap().path().to_owned();
            let expected = expected.unwrap_or(("", "/callback"));
            assert_eq!((found.unwrap_or_default().as_str(), path.as_str()), expected, "{registration:?}, {says}");
        }
        for says in [
            json!({}),
            json!({"client_id_metadata_document_supported": true}),
            json!({"client_id_metadata_document_supported": true, "token_endpoint_auth_methods_supported": ["client_secret_basic"]}),
            json!({"token_endpoint_auth_methods_supported": ["none"]}),
        ] {
            let callback = Callback::bind(&CallbackAddress::default()).await.unwrap();
            let refused = document(&Registration::Document(None), URL, &metadata(&says), callback).unwrap_err();
            assert!(refused.contains("takes no client ID metadata documents"), "{refused}");
        }
    }
}
