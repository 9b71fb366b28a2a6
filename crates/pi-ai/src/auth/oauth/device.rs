//! Asking again and again whether the user has confirmed a device login (RFC 8628).

use std::time::Duration;

use futures::future::FutureExt;
use tokio::time::{Instant, sleep};

use super::provider::OAuthContext;
use crate::error::{AnswerError, Error, LoginError, NetworkError};

/// Between two questions, unless the server says otherwise.
const DEFAULT_INTERVAL: Duration = Duration::from_secs(5);
/// Never ask more often.
const SHORTEST_INTERVAL: Duration = Duration::from_secs(1);
/// Each complaint about the pace adds this, for good.
const SLOW_DOWN: Duration = Duration::from_secs(5);
/// A code whose server does not say how long it is good.
const DEFAULT_LIFETIME: Duration = Duration::from_secs(900);
/// So many questions in a row may get no answer before the login fails. A user who has typed in a code must not begin
/// again because of one lost packet.
const MAX_UNANSWERED: u32 = 3;

/// What the server says about a login.
pub(super) enum Poll<T> {
    /// The user has not decided.
    Pending,
    /// The same, and questions come too often.
    SlowDown,
    /// The user has confirmed.
    Granted(T),
}

/// How to ask.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct DevicePolling {
    /// Between two questions.
    pub(super) interval: Option<Duration>,
    /// How long to ask.
    pub(super) lifetime: Option<Duration>,
    /// Wait before the first question, too.
    pub(super) pause_first: bool,
}

impl DevicePolling {
    /// Asks at once, or after a pause, and then at intervals until the server decides or the time is up.
    pub(super) async fn run<T, F>(self, context: &OAuthContext, mut ask: impl FnMut() -> F) -> Result<T, Error>
    where
        F: Future<Output = Result<Poll<T>, Error>>,
    {
        let lifetime = self.lifetime.unwrap_or(DEFAULT_LIFETIME);
        let begin = Instant::now();
        let mut interval = self.interval.unwrap_or(DEFAULT_INTERVAL).max(SHORTEST_INTERVAL);
        let (mut slowed_down, mut unanswered) = (false, 0);
        if self.pause_first {
            context.cancellable(sleep(interval.min(lifetime)).map(Ok)).await?;
        }
        while let Some(left) = lifetime.checked_sub(begin.elapsed()).filter(|left| !left.is_zero()) {
            match context.cancellable(ask()).await {
                Ok(Poll::Granted(granted)) => return Ok(granted),
                Ok(Poll::Pending) => unanswered = 0,
                Ok(Poll::SlowDown) => {
                    (slowed_down, unanswered) = (true, 0);
                    interval = interval.saturating_add(SLOW_DOWN);
                }
                Err(error) if is_lost(&error) && unanswered < MAX_UNANSWERED => unanswered += 1,
                Err(error) => return Err(error),
            }
            let left = left.min(lifetime.saturating_sub(begin.elapsed()));
            context.cancellable(sleep(interval.min(left)).map(Ok)).await?;
        }
        Err(Error::Login(LoginError::DeviceTimedOut { slowed_down }))
    }
}

/// Whether nothing is known about what the server would have said.
fn is_lost(error: &Error) -> bool {
    matches!(
        error,
        Error::Network(NetworkError::Connection { .. } | NetworkError::Timeout { .. } | NetworkError::Body { .. })
            | Error::Answer(AnswerError::Http { status: 500.., .. })
    )
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::collections::VecDeque;

    use super::*;

    type Answer = Result<Poll<&'static str>, Error>;

    /// Runs the answers and returns when the questions were asked, in seconds, and the result.
    async fn run(interval: u64, lifetime: u64, answers: Vec<Answer>) -> (Vec<u64>, Result<&'static str, Error>) {
        let (begin, answers) = (Instant::now(), RefCell::new(VecDeque::from(answers)));
        let asked = RefCell::new(Vec::new());
        let polling = DevicePolling {
            interval: Some(Duration::from_secs(interval)),
            lifetime: Some(Duration::from_secs(lifetime)),
            pause_first: false,
        };
        let ask = || async {
            asked.borrow_mut().push(begin.elapsed().as_secs());
            answers.borrow_mut().pop_front().unwrap_or(Ok(Poll::Pending))
        };
        let result = polling.run(&OAuthContext::default(), ask).await;
        (asked.into_inner(), result)
    }

    fn lost() -> Answer {
        Err(Error::Network(NetworkError::Connection { detail: "gone".to_owned() }))
    }

    #[tokio::test(start_paused = true)]
    async fn asks_at_once_then_at_intervals_that_only_grow() {
        let answers = vec![Ok(Poll::Pending), Ok(Poll::SlowDown), Ok(Poll::Pending), Ok(Poll::Granted("yes"))];
        let (asked, result) = run(5, 900, answers).await;
        assert_eq!((asked, result.unwrap()), (vec![0, 5, 15, 25], "yes"));
    }

    #[tokio::test(start_paused = true)]
    async fn never_asks_more_than_once_a_second_nor_sleeps_past_the_end() {
        let (asked, result) = run(0, 3, Vec::new()).await;
        assert_eq!((asked, result.unwrap_err().to_string()), (vec![0, 1, 2], "Device flow timed out".to_owned()));
        let begin = Instant::now();
        run(600, 900, Vec::new()).await.1.unwrap_err();
        assert_eq!(begin.elapsed().as_secs(), 900);
    }

    #[tokio::test(start_paused = true)]
    async fn a_timeout_after_slow_down_hints_at_the_clock() {
        let (_, result) = run(5, 10, vec![Ok(Poll::SlowDown)]).await;
        insta::assert_snapshot!(result.unwrap_err(), @"Device flow timed out after one or more slow_down responses. This is often caused by clock drift in WSL or VM environments. Please sync or restart the VM clock and try again.");
    }

    #[tokio::test(start_paused = true)]
    async fn lost_questions_are_asked_again_but_not_for_ever() {
        let (asked, result) =
            run(5, 900, vec![lost(), lost(), Ok(Poll::Pending), lost(), Ok(Poll::Granted("yes"))]).await;
        assert_eq!((asked.len(), result.unwrap()), (5, "yes"));
        let (asked, result) = run(5, 900, vec![lost(), lost(), lost(), lost()]).await;
        assert_eq!((asked.len(), result.unwrap_err().to_string()), (4, "Connection error. gone".to_owned()));
    }

    #[tokio::test(start_paused = true)]
    async fn cancelling_ends_the_wait() {
        let context = OAuthContext::default();
        let cancel = context.cancel.clone();
        let polling = DevicePolling::default().run(&context, || async { Ok(Poll::<()>::Pending) });
        let stop = async {
            sleep(Duration::from_secs(7)).await;
            cancel.cancel();
        };
        let begin = Instant::now();
        let (result, ()) = tokio::join!(polling, stop);
        assert_eq!(result.unwrap_err().to_string(), "Login cancelled");
        assert_eq!(begin.elapsed().as_secs(), 7);
    }
}
