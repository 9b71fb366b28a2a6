//! Serving an editor, which begins its own sessions, each in a directory of its own: what they all get from the command line.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::network::Network;
use super::{Startup, codemode, resources, script_files, servers, sessions, tools};
use crate::cli::console::diagnostics::complain;
use crate::common::browser;
use crate::modes::run_acp;
use pi_coding_agent::acp::AcpOptions;
use pi_coding_agent::agent_session::Limits;
use pi_coding_agent::prompt::local_date;
use pi_coding_agent::sdk::{CreateAgentSessionOptions, Extensions};
use pi_coding_agent::session::{NewSession, SessionManager};
use pi_coding_agent::session_pool::{PoolOptions, SessionPool};

/// Serves an editor to its end; `None` when something prevented the start.
pub(super) async fn serve_editor(start: &mut Startup, network: &Network, limits: Limits) -> Option<u8> {
    let session_dir = sessions::directory(start.line.args.session_dir.as_deref(), &start.paths, &start.settings);
    let prepare = Arc::new(prepare(start, network, limits, session_dir.clone())?);
    // Each session has extensions of its own; none is there yet that could have options.
    start.report_unknown_flags();
    if !start.diagnostics.report() {
        return None;
    }
    let pool = Arc::new(SessionPool::new(pool_options(start, network)));
    let env = start.paths.env().clone();
    let open_page = Arc::new(move |url: &str, code: Option<&str>| {
        let what = if browser::open(url, &env) { "The browser opens this page" } else { "Open this page" };
        let code = code.map(|code| format!(" and enter the code {code}")).unwrap_or_default();
        complain(&format!("{what}{code}: {url}"));
    });
    let (asks_trust, version) = (start.line.approval.is_none(), env!("CARGO_PKG_VERSION").to_owned());
    let (asks, tool_servers) = (start.gate.mode(), servers::maker(start));
    let options = AcpOptions { pool, prepare, session_dir, asks_trust, asks, version, open_page, tool_servers };
    // From here on the mode acts on signals.
    start.fetching = super::Fetching::default();
    let served = run_acp(options).await;
    Some(served.unwrap_or_else(|error| {
        complain(&format!("Error: {error}"));
        1
    }))
}

fn pool_options(start: &Startup, network: &Network) -> PoolOptions {
    let host = start.host(network);
    let make = script_files::maker(&start.settings, &host, &start.clock);
    let options = PoolOptions::builder()
        .agent_dir(start.paths.agent_dir())
        .models(Arc::clone(&start.models))
        .extension_files(make)
        .apis(Arc::clone(&start.apis))
        .env(start.paths.env().clone())
        .clock(host.clock)
        .ids(host.ids)
        .warn(Arc::new(|message: &str| complain(&format!("Warning: {message}"))))
        .build();
    PoolOptions { http: network.transport.clone(), ..options }
}

/// What every session gets from the command line.
fn prepare(
    start: &mut Startup,
    network: &Network,
    limits: Limits,
    dir: Option<PathBuf>,
) -> Option<impl Fn(CreateAgentSessionOptions, &Path) -> CreateAgentSessionOptions + Send + Sync + 'static> {
    let selection = tools::selection(&start.line.args);
    let selection = start.settle(selection)?;
    let thinking = start.thinking();
    let choice = start.model(thinking, network.recorded_model.as_deref())?;
    let scope = start.scope()?;
    let host = start.host(network);
    let fresh = SessionManager::in_memory(host.clone(), start.paths.cwd());
    start.set_runtime_key(&choice, &scope, &fresh, network)?;
    let date = local_date(&*host.clock, network.utc_offset(start.offset));
    codemode::add(start);
    let (resources, program, wrap) =
        (resources::resource_options(start), start.extensions.of_program(), network.wrap_tool());
    let (approval, keeps_none) = (start.line.approval, start.line.args.no_session);
    let (model, level) = (choice.model, choice.thinking_level);
    Some(move |options: CreateAgentSessionOptions, cwd: &Path| {
        let elsewhere =
            || SessionManager::create(host.clone(), cwd, &NewSession { dir: dir.clone(), ..NewSession::default() });
        let session_manager = match (keeps_none, &dir) {
            (true, _) => Some(SessionManager::in_memory(host.clone(), cwd)),
            (false, Some(_)) => elsewhere().map_err(|error| complain(&format!("Warning: {error}"))).ok(),
            (false, None) => None,
        };
        CreateAgentSessionOptions {
            session_manager,
            tools: selection.clone(),
            model: model.clone().map(Into::into),
            thinking_level: level,
            scoped_models: scope.clone(),
            limits: Some(limits),
            wrap_tool: Arc::clone(&wrap),
            resource_options: resources.clone(),
            project_trusted: approval,
            extensions: Extensions::from(program.clone()),
            date: Some(date),
            ..options
        }
    })
}
