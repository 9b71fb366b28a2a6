//! `net.lookup`: addresses of a host, as the system knows them.

use serde_json::{Value, json};

use crate::engine::OpTable;
use crate::op::{OpError, OpResult};

pub(super) fn add(ops: &mut OpTable) {
    ops.add_async("net.lookup", |_, mut args| async move { lookup(&args.text(0)?).await });
}

async fn lookup(host: &str) -> OpResult {
    let found = tokio::net::lookup_host((host, 0)).await.map(Iterator::collect::<Vec<_>>).unwrap_or_default();
    if found.is_empty() {
        return Err(OpError::new(format!("getaddrinfo ENOTFOUND {host}"))
            .with("errno", -3008)
            .with("code", "ENOTFOUND")
            .with("syscall", "getaddrinfo")
            .with("hostname", host));
    }
    let mut addresses = Vec::<Value>::new();
    for address in found {
        let entry = json!({ "address": address.ip().to_string(), "family": if address.is_ipv4() { 4 } else { 6 } });
        if !addresses.contains(&entry) {
            addresses.push(entry);
        }
    }
    Ok(Value::Array(addresses).into())
}
