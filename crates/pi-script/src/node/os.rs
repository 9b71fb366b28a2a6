//! What `os` tells of the machine. What a system does not say is 0 or empty.

use serde_json::{Map, Value, json};

use crate::engine::OpTable;
use crate::op::{Data, OpResult};

use super::errno;

pub(super) fn add(ops: &mut OpTable) {
    ops.add_sync("os.names", |_, _| names());
    ops.add_sync("os.user", |_, _| user());
    ops.add_sync("os.cpus", |_, _| Ok(cpus().into()));
    ops.add_sync("os.usage", |_, _| Ok(usage().into()));
    ops.add_sync("os.errno", |_, _| {
        let numbers: Map<String, Value> =
            errno::numbers().map(|(name, number)| (name.to_owned(), number.into())).collect();
        Ok(Data::Json(Value::Object(numbers)))
    });
}

fn names() -> OpResult {
    let system = rustix::system::uname();
    Ok(json!({
        "hostname": system.nodename().to_string_lossy(),
        "type": system.sysname().to_string_lossy(),
        "release": system.release().to_string_lossy(),
        "version": system.version().to_string_lossy(),
        "machine": system.machine().to_string_lossy(),
        "tmpdir": std::env::temp_dir().to_string_lossy(),
    })
    .into())
}

/// The user of the program, by the list of users of the system, else by the environment.
fn user() -> OpResult {
    let uid = rustix::process::getuid().as_raw();
    let gid = rustix::process::getgid().as_raw();
    let list = std::fs::read_to_string("/etc/passwd").unwrap_or_default();
    let number = uid.to_string();
    let line = list.lines().map(|line| line.split(':').collect::<Vec<_>>());
    let entry = line.into_iter().find(|fields| fields.get(2) == Some(&number.as_str()));
    #[expect(clippy::disallowed_methods, reason = "what Node does")]
    let variable = |name: &str| std::env::var(name).unwrap_or_default();
    let field = |place: usize, name: &str| match entry.as_ref().and_then(|fields| fields.get(place)) {
        Some(value) => (*value).to_owned(),
        None => variable(name),
    };
    let home = field(5, "HOME");
    Ok(json!({ "uid": uid, "gid": gid, "username": field(0, "USER"), "homedir": home, "shell": field(6, "SHELL") })
        .into())
}

fn cpus() -> Value {
    let text = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let values = |key: &str| {
        let lines = text.lines().filter_map(move |line| line.split_once(':').filter(|(name, _)| name.trim() == key));
        lines.map(|(_, value)| value.trim().to_owned()).collect::<Vec<_>>()
    };
    let (models, speeds) = (values("model name"), values("cpu MHz"));
    let count = std::thread::available_parallelism().map_or(1, std::num::NonZero::get).max(models.len());
    (0..count)
        .map(|place| {
            let speed = speeds.get(place).and_then(|speed| speed.parse::<f64>().ok()).unwrap_or_default();
            json!({
                "model": models.get(place).map_or("unknown", String::as_str),
                "speed": speed as u64,
                "times": { "user": 0, "nice": 0, "sys": 0, "idle": 0, "irq": 0 },
            })
        })
        .collect()
}

fn usage() -> Value {
    let memory = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let bytes = |key: &str| {
        let line = memory.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(':'));
        line.and_then(|rest| rest.trim().split(' ').next()?.parse::<u64>().ok()).unwrap_or_default() * 1024
    };
    let numbers = |path: &str| {
        let text = std::fs::read_to_string(path).unwrap_or_default();
        text.split_whitespace().map_while(|word| word.parse::<f64>().ok()).collect::<Vec<_>>()
    };
    let load = numbers("/proc/loadavg");
    json!({
        "total": bytes("MemTotal"),
        "free": bytes("MemAvailable"),
        "uptime": numbers("/proc/uptime").first().copied().unwrap_or_default(),
        "load": [load.first().unwrap_or(&0.0), load.get(1).unwrap_or(&0.0), load.get(2).unwrap_or(&0.0)],
        "parallelism": std::thread::available_parallelism().map_or(1, std::num::NonZero::get),
    })
}
