//! What `process` tells of the program and its environment.

use rustix::process::{Pid, Signal};
use serde_json::{Map, Value, json};

use crate::engine::OpTable;
use crate::op::{Args, Data, OpResult};

use super::errno;

pub(super) fn add(ops: &mut OpTable) {
    ops.add_sync("process.env", |_, _| Ok(environment()));
    #[expect(clippy::disallowed_methods, reason = "scripts see the environment of the process, as in Node")]
    ops.add_sync("process.env_get", |_, mut args| {
        let name = args.text(0)?;
        // Such names cannot be asked for.
        if name.is_empty() || name.contains(['=', '\0']) {
            return Ok(Data::Undefined);
        }
        Ok(std::env::var_os(name).map_or(Data::Undefined, |value| Data::Text(value.to_string_lossy().into_owned())))
    });
    ops.add_sync("process.program", |_, _| {
        let program = std::env::current_exe().unwrap_or_default();
        let args: Vec<String> = std::env::args_os().skip(1).map(|arg| arg.to_string_lossy().into_owned()).collect();
        Ok(json!({ "execPath": program.to_string_lossy(), "args": args }).into())
    });
    ops.add_sync("process.ids", |_, _| {
        use rustix::process::{getegid, geteuid, getgid, getppid, getuid};
        let parent = getppid().map_or(0, |pid| pid.as_raw_nonzero().get());
        Ok(json!({
            "ppid": parent,
            "uid": getuid().as_raw(),
            "euid": geteuid().as_raw(),
            "gid": getgid().as_raw(),
            "egid": getegid().as_raw(),
        })
        .into())
    });
    ops.add_sync("process.umask", |_, _| {
        // There is no way to ask for it without setting it.
        let mask = rustix::process::umask(rustix::fs::Mode::from_raw_mode(0o022));
        rustix::process::umask(mask);
        Ok(Data::Json(mask.as_raw_mode().into()))
    });
    ops.add_sync("process.memory", |_, _| Ok(Data::Json(resident().into())));
    ops.add_sync("child.kill", |_, args| kill(args));
}

#[expect(clippy::disallowed_methods, reason = "scripts see the environment of the process, as in Node")]
fn environment() -> Data {
    let pairs = std::env::vars_os().map(|(name, value)| {
        (name.to_string_lossy().into_owned(), Value::String(value.to_string_lossy().into_owned()))
    });
    Data::Json(Value::Object(pairs.collect::<Map<_, _>>()))
}

/// Bytes that the whole program has in memory; 0 where the system does not say.
fn resident() -> u64 {
    let pages = std::fs::read_to_string("/proc/self/statm").ok();
    let pages = pages.and_then(|text| text.split(' ').nth(1)?.parse::<u64>().ok());
    pages.unwrap_or_default() * rustix::param::page_size() as u64
}

/// Sends a signal, by number; 0 asks whether the process is there.
fn kill(mut args: Args) -> OpResult {
    let (pid, number): (i32, i32) = (args.parse(0)?, args.parse(1)?);
    let done = match (Pid::from_raw(pid.saturating_abs()), Signal::from_named_raw(number)) {
        (Some(group), Some(signal)) if pid < 0 => rustix::process::kill_process_group(group, signal),
        (Some(group), None) if pid < 0 && number == 0 => rustix::process::test_kill_process_group(group),
        (Some(process), Some(signal)) => rustix::process::kill_process(process, signal),
        (Some(process), None) if number == 0 => rustix::process::test_kill_process(process),
        (None, _) => Err(rustix::io::Errno::PERM),
        _ => Err(rustix::io::Errno::INVAL),
    };
    done.map(|()| Data::Json(true.into())).map_err(|error| errno::error(&error.into(), "kill", &[]))
}
