//! One whole run on a cassette, being recorded or replayed.

use std::path::Path;
use std::sync::Arc;

use pi_agent_core::Tool;
use pi_ai::Clock;
use pi_ai::transport::HttpTransport;
use pi_ai::transport::cassette::{Recorder, Replayer, TapeClock};
use serde::Deserialize;
use time::UtcOffset;

use super::call_order::CallOrder;
use super::lines::{CallLine, RUN, RunLine, TOOL};
use super::recorded_tool::RecordedTool;
use super::track::Track;
use crate::host::ids::{Ids, SeededIds};
use crate::host::plural::counted;
use crate::host::{self, FileKind};
use crate::sdk::{Error, WrapTool};
use crate::session::SessionHost;

/// Digits of the seed of ids.
const SEED_DIGITS: usize = 12;

/// Reads a cassette.
///
/// # Errors
/// [`pi_ai::Error::Cassette`] that names the file.
pub fn open_cassette(file: &Path) -> Result<Replayer, pi_ai::Error> {
    let name = file.display().to_string();
    let text = host::read_text(file, FileKind::Cassette);
    let text =
        text.map_err(|error| pi_ai::Error::Cassette { message: format!("Cannot read the cassette {name}: {error}") })?;
    Replayer::parse(&text, name)
}

/// A run that is recorded into a file, or replayed from one. Clones are the same run.
#[derive(Debug, Clone)]
pub struct RunCassette {
    transport: Arc<dyn HttpTransport>,
    clock: Arc<TapeClock>,
    ids: Arc<SeededIds>,
    utc_offset: UtcOffset,
    way: Way,
}

#[derive(Debug, Clone)]
enum Way {
    Record(Arc<Track>),
    Replay(Arc<Replayer>, Arc<CallOrder>),
}

impl RunCassette {
    /// Records a run into a new file: what `network` does and what the wrapped tools do, at the time of `host`, whose ids
    /// seed those of the run. `utc_offset` is the user's.
    ///
    /// # Errors
    /// [`Error::Cassette`] when the file cannot be written, or holds something already.
    pub fn record(
        file: &Path,
        network: Arc<dyn HttpTransport>,
        host: &SessionHost,
        utc_offset: UtcOffset,
    ) -> Result<Self, Error> {
        let clock = Arc::new(TapeClock::recording(Arc::clone(&host.clock)));
        let recorder = Recorder::create(file, network).map_err(Error::Cassette)?.with_clock(Arc::clone(&clock));
        let seed = u64::from_str_radix(&host.ids.hex(SEED_DIGITS), 16).unwrap_or_default();
        let notes = recorder.notes();
        notes.write(RUN, &RunLine { started: clock.now_ms(), seed, utc_offset: utc_offset.whole_seconds() });
        let way = Way::Record(Arc::new(Track::new(notes, Arc::clone(&clock))));
        Ok(Self { transport: Arc::new(recorder), clock, ids: Arc::new(SeededIds::new(seed)), utc_offset, way })
    }

    /// Replays a run from its file.
    ///
    /// # Errors
    /// [`Error::Cassette`] when the file cannot be read, or was recorded without tools.
    pub fn replay(file: &Path) -> Result<Self, Error> {
        let replayer = open_cassette(file).map_err(Error::Cassette)?;
        let unusable = |detail: &str| {
            let message =
                format!("Cassette {}: {detail}; record it again, or replay the model calls alone", file.display());
            Error::Cassette(pi_ai::Error::Cassette { message })
        };
        let bad_line = |error: serde_json::Error| unusable(&format!("a line of the run is not understood ({error})"));
        let run = replayer.notes(RUN).next().ok_or_else(|| unusable("tool calls were not recorded"))?;
        let run = RunLine::deserialize(run).map_err(bad_line)?;
        let calls: Result<Vec<_>, _> = replayer.notes(TOOL).map(CallLine::deserialize).collect();
        let calls = calls.map_err(bad_line)?;
        let clock = Arc::new(TapeClock::replaying(run.started));
        let replayer = Arc::new(replayer.exact().with_clock(Arc::clone(&clock)));
        let turns = CallOrder::new(calls, Arc::clone(&replayer), Arc::clone(&clock));
        Ok(Self {
            transport: Arc::clone(&replayer) as Arc<dyn HttpTransport>,
            clock,
            ids: Arc::new(SeededIds::new(run.seed)),
            utc_offset: UtcOffset::from_whole_seconds(run.utc_offset).unwrap_or(UtcOffset::UTC),
            way: Way::Replay(replayer, Arc::new(turns)),
        })
    }

    /// The transport for model calls.
    pub fn transport(&self) -> Arc<dyn HttpTransport> {
        Arc::clone(&self.transport)
    }

    /// The time of the run. It stands still between the things that are recorded.
    pub fn clock(&self) -> Arc<dyn Clock> {
        Arc::clone(&self.clock) as Arc<dyn Clock>
    }

    /// The ids of the run.
    pub fn ids(&self) -> Arc<dyn Ids> {
        Arc::clone(&self.ids) as Arc<dyn Ids>
    }

    /// The user's offset from UTC when the run was recorded.
    pub fn utc_offset(&self) -> UtcOffset {
        self.utc_offset
    }

    /// The tool with its calls recorded, or answered from the recording.
    /// A tool that only calls others runs both times: those calls are what is recorded.
    pub fn wrap(&self, tool: Arc<dyn Tool>) -> Arc<dyn Tool> {
        if tool.makes_calls() {
            return tool;
        }
        match &self.way {
            Way::Record(track) => Arc::new(RecordedTool { inner: tool, tape: Arc::clone(track) }),
            Way::Replay(_, turns) => Arc::new(RecordedTool { inner: tool, tape: Arc::clone(turns) }),
        }
    }

    /// [`Self::wrap`] for all tools of a session.
    pub fn wrap_tool(&self) -> Arc<WrapTool> {
        let run = self.clone();
        Arc::new(move |tool| run.wrap(tool))
    }

    /// The model that the recorded run asked first; `None` while recording.
    pub fn first_model(&self) -> Option<&str> {
        match &self.way {
            Way::Record(_) => None,
            Way::Replay(replayer, _) => replayer.first_model(),
        }
    }

    /// A key for a replay, of the kind that the run was recorded with; `None` while recording.
    pub fn stand_in_key(&self) -> Option<&'static str> {
        match &self.way {
            Way::Record(_) => None,
            Way::Replay(replayer, _) => Some(replayer.stand_in_key()),
        }
    }

    /// Where a replay first differed from the recording, in one sentence.
    pub fn divergence(&self) -> Option<String> {
        match &self.way {
            Way::Record(_) => None,
            Way::Replay(replayer, _) => replayer.divergence().get().map(ToOwned::to_owned),
        }
    }

    /// The recorded calls that a replay did not reach, in one sentence; `None` when it reached the end, and when a
    /// difference stopped it.
    pub fn left_over(&self) -> Option<String> {
        let Way::Replay(replayer, turns) = &self.way else { return None };
        let left = [(replayer.remaining(), "model call"), (turns.remaining(), "tool call")];
        let left: Vec<String> =
            left.iter().filter(|(count, _)| *count > 0).map(|(count, what)| counted(*count, what)).collect();
        (!left.is_empty() && replayer.divergence().get().is_none())
            .then(|| format!("Cassette {}: {} of the recording did not come up.", replayer.name(), left.join(" and ")))
    }
}
