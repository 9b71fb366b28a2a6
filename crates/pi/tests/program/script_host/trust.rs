//! What a script can do before there is a session: say whether the project is trusted, and talk to nobody but the log.

use crate::script_host::stage::Stage;
use pi_test_kit::answer;

const SCRIPT: &str = r#"export default function (pi: any) {
  pi.on("project_trust", async (event: any, ctx: any) => {
    ctx.ui.notify(`asked in ${ctx.mode}, ${ctx.hasUI}`);
    ctx.ui.notify("careful", "warning");
    const answers = [await ctx.ui.select("Which?", ["a"]), await ctx.ui.confirm("Sure?", "?"), await ctx.ui.input("What?")];
    ctx.ui.notify(JSON.stringify(answers), "error");
    return { trusted: "undecided" };
  });
}
"#;

/// Nobody can answer yet, whatever the mode is; notices are shown on standard error, as they are.
#[tokio::test(flavor = "multi_thread")]
async fn notices_about_trust_are_shown_on_standard_error() {
    let stage = Stage::new(&[("ext.ts", SCRIPT)], [answer("well"), answer("well")]).await;
    stage.world.write(".pi/settings.json", "{}");
    for (mode, more) in
        [("rpc", &["--mode", "rpc"][..]), ("json", &["--mode", "json", "hello"]), ("print", &["-p", "hello"])]
    {
        let ended = stage.world.run(&stage.arguments(more)).await;
        let expected = format!("asked in {mode}, false\ncareful\n[null,false,null]\n");
        let (notices, rest) = ended.stderr.split_at(ended.stderr.len().min(expected.len()));
        assert_eq!((ended.code, notices), (Some(0), expected.as_str()), "{mode}");
        // Nobody has decided, so what was left out is said once.
        assert!(
            rest.starts_with("Warning: this project is not trusted") && rest.lines().count() == 1,
            "{mode}: {rest}"
        );
    }
}
