//! `child.*`: programs that scripts start. They end with the engine unless they are detached, and what they write to an
//! inherited standard output goes to the program's standard error, because the program's own output is a protocol. One that
//! the script waits for, and that inherits the input, gets the program's terminal where that can be lent.

mod signal;
mod spawn;
mod wait;

use std::sync::Arc;

use serde_json::json;

use super::fs::OpenFiles;
use super::handles::Handles;
use crate::engine::{OpContext, OpTable};
use crate::op::{Args, Data, OpError, OpResult};
use crate::terminal::TerminalLender;
use spawn::{Child, Spec, Stream};

type Children = Handles<Child>;

/// What is read at once.
const PIECE: usize = 64 << 10;

pub(super) fn add(ops: &mut OpTable, files: &Arc<OpenFiles>, terminal: Option<Arc<dyn TerminalLender>>) {
    let children = Children::default();
    let (shared, open) = (children.clone(), Arc::clone(files));
    ops.add_sync("child.spawn", move |context, mut args| spawn(context, &mut args, &shared, &open));
    let shared = children.clone();
    ops.add_async("child.wait", move |_, mut args| {
        let children = shared.clone();
        async move {
            let child = children.get(args.parse(0)?)?;
            Ok(child.ended().await.into())
        }
    });
    let shared = children.clone();
    ops.add_async("child.read", move |_, mut args| {
        let children = shared.clone();
        async move {
            let child = children.get(args.parse(0)?)?;
            let stream = if args.parse::<u8>(1)? == 2 { Stream::Err } else { Stream::Out };
            let piece = child.read(stream, PIECE).await?;
            Ok(if piece.is_empty() { Data::Undefined } else { Data::Bytes(piece) })
        }
    });
    let shared = children.clone();
    ops.add_async("child.write", move |_, mut args| {
        let children = shared.clone();
        async move {
            let child = children.get(args.parse(0)?)?;
            child.write(&args.bytes(1)?).await?;
            Ok(Data::Undefined)
        }
    });
    let shared = children.clone();
    ops.add_async("child.end", move |_, mut args| {
        let children = shared.clone();
        async move {
            children.get(args.parse(0)?)?.close_input().await;
            Ok(Data::Undefined)
        }
    });
    let shared = children.clone();
    ops.add_sync("child.signal", move |_, mut args| {
        let (number, name) = (args.parse(0)?, args.text(1)?);
        let signal = signal::by_name(&name).ok_or_else(|| unknown_signal(&name))?;
        Ok(shared.get(number).is_ok_and(|child| child.signal(signal)).into())
    });
    ops.add_sync("child.drop", move |_, mut args| {
        children.remove(args.parse(0)?);
        Ok(Data::Undefined)
    });
    let files = Arc::clone(files);
    ops.add_sync("child.run", move |context, args| wait::run(context, args, &files, terminal.as_deref()));
}

fn spawn(context: &OpContext, args: &mut Args, children: &Children, files: &OpenFiles) -> OpResult {
    let spec: Spec = args.parse(0)?;
    let child = spawn::start(&spec, files, false, &context.cancel)?;
    let pid = child.pid();
    Ok(json!({ "id": children.add(child), "pid": pid }).into())
}

fn unknown_signal(name: &str) -> OpError {
    OpError::type_error(format!("Unknown signal: {name}")).with("code", "ERR_UNKNOWN_SIGNAL")
}
