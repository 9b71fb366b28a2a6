//! `--record` and `--replay`: cassettes in the place of, or around, the network, and with `--with-tools` the whole run.

use std::sync::Arc;

use pi_ai::Clock;
use pi_ai::auth::oauth::OAuthContext;
use pi_ai::transport::cassette::Recorder;
use pi_ai::transport::{HttpTransport, ReqwestTransport};
use time::UtcOffset;

use crate::cli::grammar::args::Args;
use crate::common::network::with_proxy;
use pi_coding_agent::auth_storage::AuthStorage;
use pi_coding_agent::env::Env;
use pi_coding_agent::ids::Ids;
use pi_coding_agent::replay::{RunCassette, open_cassette};
use pi_coding_agent::sdk::WrapTool;
use pi_coding_agent::session::SessionHost;
use pi_coding_agent::settings::SettingsManager;

/// What model calls go through.
#[derive(Debug, Default)]
pub(in crate::cli) struct Network {
    /// `None` for the ordinary network.
    pub(in crate::cli) transport: Option<Arc<dyn HttpTransport>>,
    /// The model that a cassette was recorded with.
    pub(in crate::cli) recorded_model: Option<String>,
    /// Key of a replay, which needs no real one.
    pub(in crate::cli) stand_in_key: Option<&'static str>,
    /// Where tools, time and ids are recorded or replayed, too.
    run: Option<RunCassette>,
}

impl Network {
    fn whole(run: RunCassette) -> Self {
        let recorded_model = run.first_model().map(ToOwned::to_owned);
        let stand_in_key = run.stand_in_key();
        Self { transport: Some(run.transport()), recorded_model, stand_in_key, run: Some(run) }
    }

    /// The time of messages and entries; keys and settings have the `real` one.
    pub(in crate::cli) fn clock(&self, real: &Arc<dyn Clock>) -> Arc<dyn Clock> {
        self.run.as_ref().map_or_else(|| Arc::clone(real), RunCassette::clock)
    }

    /// Where ids of sessions and entries come from: the `real` source, if there is no recording of the whole run.
    pub(in crate::cli) fn ids(&self, real: &Arc<dyn Ids>) -> Arc<dyn Ids> {
        self.run.as_ref().map_or_else(|| Arc::clone(real), RunCassette::ids)
    }

    /// The user's offset from UTC.
    pub(in crate::cli) fn utc_offset(&self, here: UtcOffset) -> UtcOffset {
        self.run.as_ref().map_or(here, RunCassette::utc_offset)
    }

    /// What is put around tools.
    pub(in crate::cli) fn wrap_tool(&self) -> Arc<WrapTool> {
        self.run.as_ref().map_or_else(|| Arc::new(|tool| tool) as Arc<WrapTool>, RunCassette::wrap_tool)
    }

    /// What of a recording did not come up, in one sentence.
    pub(in crate::cli) fn left_over(&self) -> Option<String> {
        self.run.as_ref()?.left_over()
    }
}

/// The network with the proxy of the settings, which counts where the environment names none.
pub(in crate::cli) fn transport(settings: &SettingsManager, env: &Env) -> ReqwestTransport {
    with_proxy(env, settings.network().http_proxy().as_deref())
}

/// Unless the ordinary network is the right one.
fn own_transport(settings: &SettingsManager, env: &Env) -> Option<Arc<dyn HttpTransport>> {
    settings.network().http_proxy()?;
    Some(Arc::new(transport(settings, env)))
}

/// Credentials whose logins are renewed through the same network.
pub(in crate::cli) fn for_logins(auth: AuthStorage, settings: &SettingsManager) -> AuthStorage {
    let Some(http) = own_transport(settings, auth.env()) else { return auth };
    let context = OAuthContext::from_env(&|name| auth.env().var(name));
    auth.with_oauth(Arc::default(), OAuthContext { http: Some(http), ..context })
}

/// Opens the cassettes that were asked for. `host` is the process. A replay of model calls alone keeps the recorded pace
/// when somebody is `watching`. `offset` is the user's from UTC.
///
/// # Errors
/// A sentence that names the cassette.
pub(in crate::cli) fn open(
    args: &Args,
    settings: &SettingsManager,
    host: &SessionHost,
    watching: bool,
    offset: UtcOffset,
) -> Result<Network, String> {
    let (cwd, env) = (host.paths.cwd(), host.paths.env());
    match (&args.replay, &args.record) {
        (Some(_), Some(_)) => Err("--record and --replay cannot be combined".to_owned()),
        (Some(file), None) if args.with_tools => {
            RunCassette::replay(&cwd.join(file)).map(Network::whole).map_err(|error| error.to_string())
        }
        (Some(file), None) => {
            let replayer = open_cassette(&cwd.join(file)).map_err(|error| error.to_string())?;
            if replayer.remaining() == 0 {
                return Err(format!("The cassette {} is empty; record it with --record", cwd.join(file).display()));
            }
            let recorded_model = replayer.first_model().map(ToOwned::to_owned);
            let stand_in_key = Some(replayer.stand_in_key());
            let replayer = replayer.with_speed(if watching { 1.0 } else { 0.0 });
            Ok(Network { transport: Some(Arc::new(replayer)), recorded_model, stand_in_key, run: None })
        }
        (None, Some(file)) if args.with_tools => {
            let network = own_transport(settings, env).unwrap_or_else(ReqwestTransport::shared);
            let run = RunCassette::record(&cwd.join(file), network, host, offset);
            run.map(Network::whole).map_err(|error| error.to_string())
        }
        (None, Some(file)) => {
            let network = own_transport(settings, env).unwrap_or_else(ReqwestTransport::shared);
            let recorder = Recorder::open(&cwd.join(file), network);
            let recorder = recorder.map_err(|error| error.to_string())?;
            Ok(Network { transport: Some(Arc::new(recorder)), ..Network::default() })
        }
        (None, None) if args.with_tools => Err("--with-tools goes with --record FILE or --replay FILE".to_owned()),
        (None, None) => Ok(Network { transport: own_transport(settings, env), ..Network::default() }),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use pi_ai::FixedClock;
    use pi_coding_agent::ids::SequentialIds;
    use pi_coding_agent::paths::Paths;

    use super::*;

    const EXCHANGE: &str = r#"{"cassette":1,"n":1,"request":{"method":"POST","url":"http://x","headers":{},"body":{"model":"m1"}},"end":"truncated"}"#;

    fn open(args: &Args, cwd: &Path, watching: bool) -> Result<Network, String> {
        let settings = SettingsManager::in_memory(serde_json::Map::new(), Env::fixed([("HOME", "/nowhere")]));
        let paths = Paths::new(Env::fixed([("HOME", "/nowhere")]), cwd);
        let host = SessionHost { paths, clock: Arc::new(FixedClock(0)), ids: SequentialIds::shared() };
        super::open(args, &settings, &host, watching, UtcOffset::UTC)
    }

    fn args(record: Option<&str>, replay: Option<&str>) -> Args {
        Args { record: record.map(Into::into), replay: replay.map(Into::into), ..Args::default() }
    }

    #[test]
    fn cassettes_take_the_place_of_the_network() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("tape"), EXCHANGE).unwrap();
        let plain = open(&args(None, None), dir.path(), false).unwrap();
        assert!(plain.transport.is_none() && plain.recorded_model.is_none());
        let replay = open(&args(None, Some("tape")), dir.path(), false).unwrap();
        assert!(replay.transport.is_some());
        assert_eq!(replay.recorded_model.as_deref(), Some("m1"));
        let record = open(&args(Some("new"), None), dir.path(), false).unwrap();
        assert!(record.transport.is_some() && record.recorded_model.is_none());
    }

    #[test]
    fn cassettes_that_cannot_be_used_are_named() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("empty"), "").unwrap();
        let error = |record, replay| open(&args(record, replay), dir.path(), false).unwrap_err();
        assert_eq!(error(Some("a"), Some("b")), "--record and --replay cannot be combined");
        assert!(!dir.path().join("a").exists());
        assert!(error(None, Some("missing")).contains("missing"));
        assert!(error(None, Some("empty")).ends_with("is empty; record it with --record"));
        assert!(error(Some("no/such/dir"), None).contains("no/such/dir"));
    }
}
