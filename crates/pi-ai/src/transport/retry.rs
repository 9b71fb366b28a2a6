//! Which failures of a request are worth another try, and after how long. Facts of the providers' own SDKs.
//!
//! Nothing here sends anything. Retries cover the time before the response headers only; a stream that breaks later
//! is the business of whoever asked for it.

use std::time::Duration;

use http::HeaderMap;
use time::OffsetDateTime;
use time::format_description::well_known::Rfc2822;

use crate::error::{Error, NetworkError};
use crate::random::Random;

/// Doublings after which every backoff has reached its limit; more would only overflow.
const DOUBLINGS: u32 = 16;
/// A backoff is shortened by up to this share, so that clients do not come back all at once.
const JITTER: f64 = 0.25;

/// Delays that double with every try.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Backoff {
    /// Before the second try.
    pub(crate) first: Duration,
    /// At most.
    pub(crate) longest: Duration,
}

impl Default for Backoff {
    fn default() -> Self {
        Self { first: Duration::from_millis(500), longest: Duration::from_secs(8) }
    }
}

impl Backoff {
    fn before(self, attempt: u32) -> Duration {
        self.first.saturating_mul(1 << attempt.min(DOUBLINGS)).min(self.longest)
    }
}

/// Whether a request that failed without a response may be sent again.
pub(crate) fn is_retryable_failure(error: &Error) -> bool {
    matches!(error, Error::Network(NetworkError::Connection { .. } | NetworkError::Timeout { .. }))
}

/// Whether a response asks for another try; the server's own `x-should-retry` overrides its status.
pub(crate) fn is_retryable_response(status: u16, headers: &HeaderMap) -> bool {
    match text(headers, "x-should-retry") {
        Some("true") => true,
        Some("false") => false,
        _ => matches!(status, 408 | 409 | 429 | 500..),
    }
}

/// How long the server asks to wait: `retry-after-ms`, else `retry-after` in seconds or as a date.
pub(crate) fn requested_delay(headers: &HeaderMap, now_ms: i64) -> Option<Duration> {
    let milliseconds = text(headers, "retry-after-ms").and_then(|text| seconds(text, 1e-3));
    milliseconds.or_else(|| {
        let text = text(headers, "retry-after")?;
        seconds(text, 1.0).or_else(|| until(text, now_ms))
    })
}

/// The delay before try `attempt` + 1, the first try being 0. `cap` limits what a server may ask for; zero means no cap.
pub(crate) fn delay(
    requested: Option<Duration>,
    cap: Duration,
    backoff: Backoff,
    attempt: u32,
    random: &dyn Random,
) -> Duration {
    match requested {
        Some(requested) if cap.is_zero() => requested,
        Some(requested) => requested.min(cap),
        None => backoff.before(attempt).mul_f64(1.0 - JITTER * random.next_f64()),
    }
}

fn text<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers.get(name)?.to_str().ok().map(str::trim)
}

/// A decimal number of some unit; negative, infinite and absurd ones are none.
fn seconds(text: &str, unit: f64) -> Option<Duration> {
    let number: f64 = text.parse().ok()?;
    Duration::try_from_secs_f64(number * unit).ok()
}

/// The time until a date like `Sun, 06 Nov 1994 08:49:37 GMT`; zero when it has passed.
fn until(text: &str, now_ms: i64) -> Option<Duration> {
    let date = OffsetDateTime::parse(text, &Rfc2822).ok()?;
    let now = OffsetDateTime::from_unix_timestamp_nanos(i128::from(now_ms) * 1_000_000).ok()?;
    Some(Duration::try_from(date - now).unwrap_or(Duration::ZERO))
}

#[cfg(test)]
mod tests {
    use http::{HeaderName, HeaderValue};

    use super::*;

    type Pairs = [(&'static str, &'static str)];

    fn headers(pairs: &Pairs) -> HeaderMap {
        pairs.iter().map(|(n, v)| (HeaderName::from_static(n), HeaderValue::from_static(v))).collect()
    }

    #[test]
    fn statuses() {
        let retryable = |status| is_retryable_response(status, &HeaderMap::new());
        assert!([408, 409, 429, 500, 502, 503, 529, 599].into_iter().all(retryable));
        assert!(![301, 400, 401, 403, 404, 413, 422].into_iter().any(retryable));
        assert!(is_retryable_response(400, &headers(&[("x-should-retry", "true")])));
        assert!(!is_retryable_response(503, &headers(&[("x-should-retry", "false")])));
        assert!(is_retryable_response(503, &headers(&[("x-should-retry", "maybe")])));
    }

    #[test]
    fn failures() {
        assert!(is_retryable_failure(&Error::Network(NetworkError::Connection { detail: String::new() })));
        assert!(is_retryable_failure(&Error::Network(NetworkError::Timeout { after: Duration::ZERO })));
        assert!(!is_retryable_failure(&Error::Aborted));
        assert!(!is_retryable_failure(&Error::Cassette { message: String::new() }));
    }

    #[test]
    fn what_the_server_asks_for() {
        // 1994-11-06T08:49:30Z
        let now_ms = 784_111_770_000;
        let cases: &[(&Pairs, Option<f64>)] = &[
            (&[("retry-after", "3")], Some(3.0)),
            (&[("retry-after", "0.5")], Some(0.5)),
            (&[("retry-after-ms", "250"), ("retry-after", "3")], Some(0.25)),
            (&[("retry-after-ms", "soon"), ("retry-after", "3")], Some(3.0)),
            (&[("retry-after", "Sun, 06 Nov 1994 08:49:37 GMT")], Some(7.0)),
            (&[("retry-after", "Sun, 06 Nov 1994 08:00:00 GMT")], Some(0.0)),
            (&[("retry-after", "-1")], None),
            (&[("retry-after", "NaN")], None),
            (&[("retry-after", "1e300")], None),
            (&[("retry-after", "later")], None),
            (&[], None),
        ];
        for (pairs, expected) in cases {
            let found = requested_delay(&headers(pairs), now_ms);
            assert_eq!(found.map(|d| d.as_secs_f64()), *expected, "{pairs:?}");
        }
    }

    #[test]
    fn a_request_is_capped_and_a_backoff_is_not_asked_for() {
        let random = Fixed(0.0);
        let delay =
            |requested, cap, attempt, random: &dyn Random| delay(requested, cap, Backoff::default(), attempt, random);
        let minute = Some(Duration::from_secs(60));
        assert_eq!(delay(minute, Duration::from_secs(5), 0, &random), Duration::from_secs(5));
        assert_eq!(delay(minute, Duration::ZERO, 0, &random), Duration::from_secs(60));
        let backoffs: Vec<_> = (0..7).map(|n| delay(None, Duration::ZERO, n, &random).as_secs_f64()).collect();
        assert_eq!(backoffs, [0.5, 1.0, 2.0, 4.0, 8.0, 8.0, 8.0]);
        assert_eq!(delay(None, Duration::ZERO, 0, &Fixed(1.0)), Duration::from_millis(375));
        assert_eq!(delay(None, Duration::ZERO, u32::MAX, &random), Duration::from_secs(8));
    }

    #[derive(Debug)]
    struct Fixed(f64);

    impl Random for Fixed {
        fn next_u64(&self) -> u64 {
            0
        }

        fn next_f64(&self) -> f64 {
            self.0
        }
    }
}
