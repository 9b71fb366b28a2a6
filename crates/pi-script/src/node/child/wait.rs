//! Children for which the script waits on its thread.

use std::sync::Mutex;
use std::time::Duration;

use pi_guard::Unpoisoned;
use rustix::process::Signal;
use serde::Deserialize;
use serde_json::json;

use super::super::fs::OpenFiles;
use super::spawn::{self, Child, Spec, Stream};
use super::{PIECE, signal, unknown_signal};
use crate::engine::OpContext;
use crate::op::{Args, Data, OpError, OpResult};
use crate::terminal::TerminalLender;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Limits {
    /// Milliseconds; 0 for none.
    timeout: u64,
    kill_signal: String,
    /// Bytes of each output; `null` for any number.
    max_buffer: Option<usize>,
}

/// Why a child was ended before its time.
enum Cut {
    TimedOut,
    TooMuch,
    Stopped,
}

/// Starts a child and waits: `[{pid, code, signal, cut}, stdout, stderr]`.
pub(super) fn run(
    context: &OpContext,
    mut args: Args,
    files: &OpenFiles,
    terminal: Option<&dyn TerminalLender>,
) -> OpResult {
    let (spec, limits): (Spec, Limits) = (args.parse(0)?, args.parse(1)?);
    let input = args.bytes(2)?;
    let signal = signal::by_name(&limits.kill_signal).ok_or_else(|| unknown_signal(&limits.kill_signal))?;
    let runtime = tokio::runtime::Handle::current();
    runtime.block_on(async {
        let loan = borrowed(&spec, context, terminal).await;
        let child = spawn::start(&spec, files, loan.is_some(), &context.cancel)?;
        let outputs = [Mutex::default(), Mutex::default()];
        let cut = tokio::select! {
            cut = communicate(&child, &input, &outputs, limits.max_buffer) => cut,
            () = elapsed(limits.timeout) => Some(Cut::TimedOut),
            () = context.cancel.cancelled() => Some(Cut::Stopped),
        };
        if cut.is_some() {
            child.kill_all(signal);
        }
        let end = tokio::select! {
            end = child.ended() => end,
            // Its signal did not end it: nobody can wait for ever.
            () = context.cancel.cancelled() => {
                child.kill_all(Signal::KILL);
                child.ended().await
            }
        };
        let [stdout, stderr] = outputs.map(|output| output.into_inner().unpoisoned());
        let (code, text) = match cut {
            None => (None, String::new()),
            Some(Cut::TimedOut) => (Some("ETIMEDOUT"), format!("spawnSync {} ETIMEDOUT", spec.file)),
            Some(Cut::TooMuch) => (Some("ENOBUFS"), format!("spawnSync {} ENOBUFS", spec.file)),
            Some(Cut::Stopped) => return Err(OpError::aborted()),
        };
        let about = json!({ "pid": child.pid(), "end": end, "code": code, "message": text });
        Ok(Data::List(vec![about.into(), stdout.into(), stderr.into()]))
    })
}

/// The program's terminal, for a child that inherits its input: until the child has ended.
async fn borrowed(spec: &Spec, context: &OpContext, terminal: Option<&dyn TerminalLender>) -> Option<Box<dyn Send>> {
    let terminal = terminal.filter(|_| spec.is_interactive())?;
    tokio::select! {
        loan = terminal.lend() => loan,
        () = context.cancel.cancelled() => None,
    }
}

async fn elapsed(milliseconds: u64) {
    match milliseconds {
        0 => std::future::pending().await,
        _ => tokio::time::sleep(Duration::from_millis(milliseconds)).await,
    }
}

/// Writes the input and reads the outputs until all is over.
async fn communicate(child: &Child, input: &[u8], outputs: &[Mutex<Vec<u8>>; 2], max: Option<usize>) -> Option<Cut> {
    let write = async {
        // A child need not read what it is given.
        let _ = child.write(input).await;
        child.close_input().await;
        Ok(())
    };
    let out = collect(child, Stream::Out, &outputs[0], max);
    let err = collect(child, Stream::Err, &outputs[1], max);
    let outcome = tokio::try_join!(write, out, err);
    match outcome {
        Ok(_) => {
            child.ended().await;
            None
        }
        Err(cut) => Some(cut),
    }
}

async fn collect(child: &Child, stream: Stream, output: &Mutex<Vec<u8>>, max: Option<usize>) -> Result<(), Cut> {
    loop {
        let piece = child.read(stream, PIECE).await.unwrap_or_default();
        if piece.is_empty() {
            return Ok(());
        }
        let mut output = output.lock().unpoisoned();
        output.extend_from_slice(&piece);
        if let Some(max) = max.filter(|max| output.len() > *max) {
            output.truncate(max);
            return Err(Cut::TooMuch);
        }
    }
}
