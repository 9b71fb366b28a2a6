//! Signals that scripts give along, and the progress of their tools.

use pi_script::Data;
use serde_json::json;
use tokio_util::sync::CancellationToken;

use super::Ops;
use crate::errors::failed;
use crate::tool::output;

pub(super) fn add(ops: &mut Ops<'_>) {
    ops.sync("token.new", |host, _, _| Ok(json!(host.state.tokens.add(CancellationToken::new())).into()));
    ops.sync("token.cancel", |host, _, mut args| {
        if let Some(token) = host.state.tokens.get(args.parse(0)?) {
            token.cancel();
        }
        Ok(Data::Undefined)
    });
    ops.sync("token.drop", |host, _, mut args| {
        host.state.tokens.remove(args.parse(0)?);
        Ok(Data::Undefined)
    });
    ops.sync("tool.update", |host, _, mut args| {
        let number: u32 = args.parse(0)?;
        let updates = host.state.updates.get(number);
        // A call that is over reports nothing any more.
        if let Some(updates) = updates {
            updates.send(output(args.json(1)).map_err(failed)?);
        }
        Ok(Data::Undefined)
    });
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use crate::ScriptOptions;
    use crate::host::ScriptHost;
    use crate::ops;
    use pi_coding_agent::env::Env;
    use pi_coding_agent::session::SessionHost;

    /// What a script holds no more is let go; what it still holds is not.
    #[tokio::test]
    async fn objects_of_scripts_go_with_the_script_s_own() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("extension.ts");
        let source = "import { AuthStorage, ModelRegistry, SettingsManager } from '@earendil-works/pi-coding-agent';
            const make = () => ModelRegistry.inMemory(AuthStorage.inMemory()) && SettingsManager.inMemory({ theme: 'x' });
            for (let n = 0; n < 50; n++) make();
            globalThis.kept = [ModelRegistry.inMemory(AuthStorage.inMemory()), make()];
            export default () => {};";
        std::fs::write(&file, source).unwrap();
        let host = ScriptHost::new(
            file.to_string_lossy().into_owned(),
            ScriptOptions::new(SessionHost::new(Env::process())),
            ops::table,
        );
        host.load().await.unwrap();
        let state = &host.state;
        let counts = || (state.settings.count(), state.auth.count(), state.registries.count());
        let dropped = async {
            while counts() != (1, 1, 1) {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        let waited = tokio::time::timeout(Duration::from_secs(20), dropped).await;
        assert!(waited.is_ok(), "still there: {:?}", counts());
    }
}
