//! Which projects the user trusts: `ProjectTrustStore` in `js/pi-coding-agent/trust.js`.

use std::path::{Path, PathBuf};

use pi_script::{Data, Permission};
use serde::Deserialize;
use serde_json::json;

use super::Ops;
use super::sessions::paths as extension_paths;
use crate::errors::failed;
use crate::host::ScriptHost;
use pi_coding_agent::paths::Paths;
use pi_coding_agent::trust::{remember_all, stored_entry, trust_subjects};

/// A decision about a directory; without one, what was stored is forgotten.
#[derive(Deserialize)]
struct Update {
    path: PathBuf,
    decision: Option<bool>,
}

pub(super) fn add(ops: &mut Ops<'_>) {
    ops.sync("trust.isNeeded", |host, _, mut args| {
        host.permit(Permission::Files)?;
        let paths = extension_paths(host);
        let cwd = paths.resolve(&args.text(0)?);
        Ok((!trust_subjects(&cwd, paths.env().home().as_deref()).is_empty()).into())
    });
    ops.sync("trust.entry", |host, _, mut args| {
        host.permit(Permission::Files)?;
        let (paths, cwd) = (paths(host, &args.text(0)?), args.text(1)?);
        let entry = stored_entry(&paths.trust_file(), &paths.resolve(&cwd)).map_err(failed)?;
        let said = entry.map(|(path, decision)| json!({"path": path.to_string_lossy(), "decision": decision}));
        Ok(said.unwrap_or_default().into())
    });
    ops.sync("trust.set", |host, _, mut args| {
        host.permit(Permission::Files)?;
        let (paths, updates) = (paths(host, &args.text(0)?), args.parse::<Vec<Update>>(1)?);
        let updates: Vec<(&Path, Option<bool>)> =
            updates.iter().map(|update| (update.path.as_path(), update.decision)).collect();
        remember_all(&paths, &updates, host.clock().as_ref()).map_err(failed)?;
        Ok(Data::Undefined)
    });
}

fn paths(host: &ScriptHost, agent_dir: &str) -> Paths {
    let paths = extension_paths(host);
    let dir = paths.resolve(agent_dir);
    paths.with_agent_dir(dir)
}
