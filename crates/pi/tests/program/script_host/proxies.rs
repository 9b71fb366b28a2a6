//! Requests of scripts go through the proxies through which requests to models go.

use serde_json::json;

use crate::script_host::stage::{Stage, call, notices};
use pi_test_kit::{Provider, Reply};

const SCRIPT: &str = "import http from 'node:http';
const ways: any = {
  fetch: async (url: string) => (await fetch(url)).text(),
  http: (url: string) => new Promise((done, fail) => http.get(url, (response: any) => {
    let text = '';
    response.on('data', (piece: any) => (text += piece)).on('end', () => done(text));
  }).on('error', fail)),
};
export default function (pi: any) {
  pi.registerCommand('get', { handler: async (args: string, ctx: any) => {
    const [way, url] = args.split(' ');
    try { ctx.ui.notify(`${await ways[way](url)}`); } catch (error: any) { ctx.ui.notify('failed'); }
  } });
}";

#[tokio::test(flavor = "multi_thread")]
async fn the_proxy_of_the_settings_counts_where_the_environment_names_none() {
    let replies = || [200, 200, 502].map(|status| Reply::plain(status, "\"by proxy\""));
    for is_in_environment in [false, true] {
        let [of_settings, of_environment] = [Provider::start(replies()).await, Provider::start(replies()).await];
        let stage = Stage::new(&[("ext.ts", SCRIPT)], [Reply::plain(200, "\"direct\"")]).await;
        let stage = stage.set("httpProxy", json!(of_settings.url()));
        let mut program = stage.world.pi(&stage.arguments(&["--mode", "rpc"]));
        if is_in_environment {
            program = program.env("http_proxy", &of_environment.url()).env("https_proxy", &of_environment.url());
        }
        let mut pi = program.start();
        for way in ["fetch", "http"] {
            let lines = call(&mut pi, &format!("/get {way} http://far.invalid/{way}")).await;
            assert_eq!(notices(&lines), ["\"by proxy\""], "{way}");
        }
        // It is refused, so that it is seen that it was asked.
        let lines = call(&mut pi, "/get fetch https://far.invalid/secret").await;
        assert_eq!(notices(&lines), ["failed"]);
        let lines = call(&mut pi, &format!("/get fetch {}/near", stage.provider.url())).await;
        assert_eq!(notices(&lines), ["\"direct\""]);
        assert_eq!(pi.end().await.0, 0);
        let (used, unused) =
            if is_in_environment { (&of_environment, &of_settings) } else { (&of_settings, &of_environment) };
        let asked: Vec<String> =
            used.requests().iter().map(|request| request.head.lines().next().unwrap_or_default().to_owned()).collect();
        let expected = [
            "GET http://far.invalid/fetch HTTP/1.1",
            "GET http://far.invalid/http HTTP/1.1",
            "CONNECT far.invalid:443 HTTP/1.1",
        ];
        assert_eq!(asked, expected);
        assert!(unused.requests().is_empty());
    }
}
