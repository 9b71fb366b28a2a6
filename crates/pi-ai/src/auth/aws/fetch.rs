//! Small requests to services that hand out keys.

use std::sync::Arc;
use std::time::Duration;

use futures::stream::StreamExt;

use super::failure;
use crate::error::{AnswerError, Error, NetworkError};
use crate::transport::{HttpRequest, HttpTransport, without_query};

/// Such a service is near, or it is not there.
const TIME: Duration = Duration::from_secs(10);
/// No answer is longer, in bytes.
const LIMIT: usize = 64 * 1024;

/// Status and body of the answer.
///
/// # Errors
/// Those of the transport; [`AnswerError::Http`] for a server in trouble, which may do better the next time.
pub(super) async fn fetch(
    transport: &Arc<dyn HttpTransport>,
    request: HttpRequest,
    what: &str,
) -> Result<(u16, String), Error> {
    let place = without_query(&request.url).to_owned();
    let fetching = async {
        let mut response = transport.send(request).await?;
        let mut body = Vec::new();
        while let Some(chunk) = response.body.next().await {
            body.extend_from_slice(&chunk?);
            if body.len() > LIMIT {
                return Err(failure(format!("{place} sent more than any keys are long")));
            }
        }
        Ok((response.status, String::from_utf8_lossy(&body).into_owned()))
    };
    let fetched = tokio::time::timeout(TIME, fetching).await;
    let (status, body) = fetched.unwrap_or(Err(Error::Network(NetworkError::Timeout { after: TIME })))?;
    if status == 429 || status >= 500 {
        let message = format!("{status} from {place}, which was asked for {what}");
        return Err(Error::Answer(AnswerError::Http { status, message, retry_after: None }));
    }
    Ok((status, body))
}
