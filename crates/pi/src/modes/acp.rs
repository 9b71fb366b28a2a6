//! ACP mode: an editor on standard input and output.

use std::io;
use std::pin::pin;
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use super::shutdown::report_lost_output;
use super::{Output, Signals};
use pi_coding_agent::acp::{AcpOptions, serve_acp};
use pi_coding_agent::tools;

/// When the program is to end, sessions and then the reader have this long.
const PATIENCE: Duration = Duration::from_secs(3);

/// Serves an editor until the input ends, the reader of the output goes away, or a signal arrives.
///
/// # Errors
/// When signals or threads are not to be had.
pub async fn run_acp(options: AcpOptions) -> io::Result<u8> {
    let mut signals = Signals::install()?;
    let (output, _thread) = Output::start(io::stdout())?;
    let stop = CancellationToken::new();
    let mut work = pin!(serve_acp(options, io::stdin(), output.clone(), &stop));
    let (code, is_served) = tokio::select! {
        served = &mut work => (served.map(|()| 0)?, true),
        () = output.closed().cancelled() => (0, false),
        code = signals.next() => (code, false),
    };
    stop.cancel();
    output.stop_waiting();
    let orderly = async {
        // What has ended would never end again.
        if !is_served {
            let _ = tokio::time::timeout(PATIENCE, work).await;
        }
        tools::kill_all();
        // A reader that stopped reading must not keep a program that was told to end.
        let _ = tokio::time::timeout(PATIENCE, output.flush()).await;
    };
    tokio::select! {
        () = orderly => Ok(report_lost_output(code, &output)),
        code = signals.next() => {
            tools::kill_all();
            Ok(code)
        }
    }
}
