//! Which commands run. They are not queued: each starts as its line arrives, and a response comes when its command is done.
//!
//! Only when too much is going on, or the client does not take the answers, do commands wait, in their order; what ends
//! something goes past them. What the commands do is `commands.rs`.

use std::collections::VecDeque;
use std::time::Duration;

use futures::StreamExt;
use futures::future::{BoxFuture, FutureExt};
use futures::stream::FuturesUnordered;
use tokio_util::sync::CancellationToken;

use super::command::{Pace, Request, ShutdownMode};
use super::commands::Service;
use super::framing::{Incoming, Lines};

/// Commands that may be in progress at a time. What ends something may be so many more.
const MOST_RUNNING: usize = 256;
/// Once the input has ended, commands that wait for a reader that takes nothing for so long are given up.
const PATIENCE: Duration = Duration::from_secs(5);
/// Why a command is refused.
const ENDING: &str = "pi is shutting down and takes no further commands; start it again for that";

/// Serves commands until the lines end or a client asks for the end, then fires `ended` and goes on with what is still
/// running: runs live in their commands' futures, and a run that is aborted has to be polled to its end.
///
/// The session's extensions begin first; commands wait for that. Returns whether the client asked for the end.
pub async fn serve(service: &Service, mut lines: Lines, ended: &CancellationToken) -> bool {
    let waiting = service.link().begin(service.session(), &mut lines).await;
    let mut server = Server {
        service,
        running: FuturesUnordered::new(),
        waiting,
        reading: 0,
        input: Some(lines),
        shutdown: None,
        has_given_up: false,
    };
    server.work().await;
    service.link().hang_up();
    service.intake().set_more(false);
    // What can be answered without waiting is answered, also when the input ended right behind it.
    server.poll_all();
    ended.cancel();
    while server.running.next().await.is_some() {}
    server.shutdown.is_some()
}

struct Server<'a> {
    service: &'a Service,
    /// Each says whether it was one of those that are only `reading`.
    running: FuturesUnordered<BoxFuture<'static, bool>>,
    /// Commands that have not been started.
    waiting: VecDeque<Incoming>,
    /// How many of the running commands only look at the session's file: they are answered in any case.
    reading: usize,
    /// `None` when it has ended.
    input: Option<Lines>,
    shutdown: Option<ShutdownMode>,
    /// The reader takes nothing, and there is no input that could change anything.
    has_given_up: bool,
}

impl Server<'_> {
    /// Runs commands until it is time to end.
    async fn work(&mut self) {
        while !self.is_done() {
            if self.is_free()
                && let Some(next) = self.waiting.pop_front()
            {
                self.start_of(next.request, next.has_next || !self.waiting.is_empty());
                continue;
            }
            if !self.is_free() {
                // The next line cannot be started anyhow.
                self.service.intake().set_more(false);
            }
            let output = self.service.output();
            let is_held_up = (!self.waiting.is_empty() || self.reading > 0) && !output.has_room();
            tokio::select! {
                // What was begun goes on before something else begins.
                biased;
                Some(was_reading) = self.running.next() => self.reading -= usize::from(was_reading),
                () = output.room(), if is_held_up => {}
                line = next_line(&mut self.input), if self.input.is_some() => match line {
                    Some(incoming) => self.take(incoming),
                    None => {
                        self.input = None;
                        self.service.intake().set_more(false);
                        // What is asked now, or was, has no answer any more.
                        self.service.link().hang_up();
                    }
                },
                () = output.stalled(PATIENCE), if is_held_up && self.is_ending() => self.has_given_up = true,
            }
        }
    }

    fn is_done(&self) -> bool {
        match (self.shutdown, &self.input) {
            _ if self.has_given_up || self.service.link().exit().is_cancelled() => true,
            (Some(ShutdownMode::Abort), _) => self.reading == 0,
            (Some(ShutdownMode::Finish), _) => self.waiting.is_empty() && self.running.is_empty(),
            (None, Some(_)) => false,
            // What waits for what is running would wait for ever.
            (None, None) => self.reading == 0 && (self.waiting.is_empty() || self.running.len() >= MOST_RUNNING),
        }
    }

    /// Whether all that is left to do is to answer.
    fn is_ending(&self) -> bool {
        match self.shutdown {
            Some(ShutdownMode::Abort) => true,
            Some(ShutdownMode::Finish) => false,
            None => self.input.is_none(),
        }
    }

    /// Whether a command can start at once, and its answer be written.
    fn is_free(&self) -> bool {
        self.running.len() < MOST_RUNNING && self.service.output().has_room()
    }

    fn take(&mut self, mut incoming: Incoming) {
        if self.service.link().take_reply(&mut incoming.request) {
            self.all_taken(incoming.has_next);
            return;
        }
        let goes_past = incoming.request.pace() == Pace::Urgent && self.running.len() < 2 * MOST_RUNNING;
        if goes_past || (self.is_free() && self.waiting.is_empty()) {
            self.start_of(incoming.request, incoming.has_next);
        } else {
            self.waiting.push_back(incoming);
        }
    }

    /// Starts a command. Runs that begin wait while more commands of the same write are to come.
    fn start_of(&mut self, request: Request, has_next: bool) {
        if has_next {
            self.service.intake().set_more(true);
        }
        self.start(request);
        self.all_taken(has_next);
    }

    fn all_taken(&mut self, has_next: bool) {
        if has_next {
            return;
        }
        // One may wait for the turn of another, and a pass does not poll all of them.
        for _ in 0..=self.running.len() {
            self.poll_all();
        }
        self.service.intake().set_more(false);
    }

    fn start(&mut self, mut request: Request) {
        if self.shutdown.is_some() && request.pace() != Pace::Urgent {
            request.command = Err(ENDING.to_owned());
        }
        self.shutdown = request.shutdown().or(self.shutdown);
        let is_reading = request.pace() == Pace::Reading;
        self.reading += usize::from(is_reading);
        let answer = self.service.clone().answer(request);
        self.running.push(answer.map(move |()| is_reading).boxed());
        // It begins before the next one does, and the room that its answer takes is taken.
        self.poll_all();
    }

    fn poll_all(&mut self) {
        while let Some(Some(was_reading)) = self.running.next().now_or_never() {
            self.reading -= usize::from(was_reading);
        }
    }
}

/// The next command of an input that has not ended.
async fn next_line(input: &mut Option<Lines>) -> Option<Incoming> {
    match input {
        Some(lines) => lines.next().await,
        None => None,
    }
}
