//! Collects a command's output: its end for the model, all of it in a file once it is long.

use std::borrow::Cow;
use std::path::PathBuf;
use std::sync::Arc;

use super::full_output::FullOutput;
use super::strip_escapes::PlainText;
use super::tail::OutputTail;
use crate::tools::command_log::SpillNames;
use crate::tools::decoder::StreamDecoder;
use crate::tools::truncate::{MAX_BYTES, TruncationResult};

/// Output of one command. Memory is bounded whatever the command prints.
#[derive(Debug)]
pub(crate) struct OutputCollector {
    decoder: StreamDecoder,
    plain: Option<PlainText>,
    tail: OutputTail,
    spill: FullOutput,
    raw_bytes: usize,
    temp_dir: PathBuf,
    names: Arc<dyn SpillNames>,
}

/// The output so far.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutputSnapshot {
    /// What may be shown.
    pub(crate) shown: TruncationResult,
    /// The file with all of it, if there is one.
    pub(crate) full_output: Option<PathBuf>,
    /// So many bytes of the output are in that file, if not all of them.
    pub(crate) cut_at: Option<u64>,
    /// Why there is no such file although there should be.
    pub(crate) spill_failure: Option<String>,
    /// UTF-8 bytes of the last line.
    pub(crate) last_line_bytes: usize,
}

impl OutputCollector {
    /// Long output goes to a file in `temp_dir`, its first `max_bytes`.
    pub(crate) fn new(temp_dir: PathBuf, names: Arc<dyn SpillNames>, max_bytes: u64) -> Self {
        let (decoder, tail) = (StreamDecoder::default(), OutputTail::default());
        Self { decoder, plain: None, tail, spill: FullOutput::new(max_bytes), raw_bytes: 0, temp_dir, names }
    }

    /// Leaves escape sequences and control characters out of what may be shown; the file keeps them.
    pub(crate) fn plain(self) -> Self {
        Self { plain: Some(PlainText::default()), ..self }
    }

    /// Takes raw output as it comes, cut anywhere, and returns what of it may be shown.
    pub(crate) async fn push<'a>(&mut self, bytes: &'a [u8]) -> Cow<'a, str> {
        self.raw_bytes += bytes.len();
        self.spill.push(bytes).await;
        let decoded = self.decoder.decode(bytes);
        let text = match &mut self.plain {
            Some(plain) => plain.strip(&decoded).into(),
            None => decoded,
        };
        self.tail.push(&text);
        self.spill_if_long().await;
        text
    }

    /// Decodes what is left of a cut character, and returns it.
    pub(crate) fn complete(&mut self) -> String {
        // It is no control character.
        let text = self.decoder.finish();
        self.tail.push(&text);
        text
    }

    /// Completes the output: a cut character is decoded, the file is written out.
    pub(crate) async fn finish(&mut self) -> OutputSnapshot {
        self.complete();
        self.spill_if_long().await;
        self.spill.flush().await;
        self.snapshot()
    }

    /// The output so far.
    pub(crate) fn snapshot(&self) -> OutputSnapshot {
        OutputSnapshot {
            shown: self.tail.snapshot(),
            full_output: self.spill.path().map(PathBuf::from),
            cut_at: self.spill.cut_at(),
            spill_failure: self.spill.failure(),
            last_line_bytes: self.tail.last_line_bytes(),
        }
    }

    async fn spill_if_long(&mut self) {
        if self.raw_bytes > MAX_BYTES || self.tail.exceeds_limits() {
            self.spill.open(&self.temp_dir, &*self.names).await;
        }
    }
}
