//! Sessions that are being set up, and what scripts do to them.

use std::sync::mpsc::{Sender, SyncSender};

use pi_script::{Args, OpResult};

use super::numbered::Numbered;

/// The sessions that are being set up.
pub(crate) type Writers = Numbered<Sender<Step>>;

/// What comes from the script.
#[derive(Debug)]
pub(crate) enum Step {
    Call { method: String, args: Args, reply: SyncSender<OpResult> },
    Done(Result<(), String>),
}
