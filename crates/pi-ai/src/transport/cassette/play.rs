//! A recorded body on its way to the reader: piece by piece, at the recorded pace if that is wanted.

use std::sync::Arc;
use std::time::Duration;

use async_stream::stream;
use bytes::Bytes;
use futures::stream::Stream;
use tokio::time::Instant;

use super::exchange::RecordedResponse;
use super::tape_clock::TapeClock;
use crate::error::Error;

/// The pieces of a body with their times.
pub(super) fn decode(response: &RecordedResponse) -> Result<Vec<(u64, Bytes)>, String> {
    response.body.iter().map(|piece| Ok((piece.at, piece.bytes()?))).collect()
}

/// When things happen, relative to the request.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pace {
    pub(super) start: Instant,
    pub(super) speed: f64,
}

impl Pace {
    /// Waits until the recorded moment, unless it has passed.
    pub(super) async fn reach(&self, milliseconds: u64) {
        let after = Duration::try_from_secs_f64(milliseconds as f64 / 1000.0 * self.speed);
        if let Some(moment) = after.ok().and_then(|after| self.start.checked_add(after))
            && moment > Instant::now()
        {
            tokio::time::sleep_until(moment).await;
        }
    }
}

/// Shows the recorded end of an exchange when its reader is done with it.
pub(super) struct Over {
    pub(super) clock: Option<Arc<TapeClock>>,
    pub(super) ended: Option<i64>,
}

impl Drop for Over {
    fn drop(&mut self) {
        if let (Some(clock), Some(ended)) = (&self.clock, self.ended) {
            clock.show(ended);
        }
    }
}

/// The body of a recorded answer, piece by piece.
pub(super) fn play(
    body: Vec<(u64, Bytes)>,
    end: Option<Error>,
    pace: Pace,
    over: Over,
) -> impl Stream<Item = Result<Bytes, Error>> + Send + 'static {
    stream! {
        let _over = over;
        for (at, bytes) in body {
            pace.reach(at).await;
            yield Ok(bytes);
        }
        if let Some(error) = end {
            yield Err(error);
        }
    }
}
