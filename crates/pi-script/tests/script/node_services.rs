//! What children, servers and requests do beyond what Node shows: their end with the engine, whose output they write to,
//! who connects for them, and what needs a permission.

use std::process::Command;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use futures::future::{BoxFuture, FutureExt};
use futures::stream::StreamExt;
use pi_script::{Data, Engine, EngineOptions, Error, Fetch, FetchError, FetchRequest, FetchResponse, Permissions};
use serde_json::{Value, json};

fn options(source: &str) -> EngineOptions {
    let mut options = EngineOptions::new("test");
    options.modules.add("app:test", source);
    options
}

async fn run(options: EngineOptions) -> Result<Value, Error> {
    let engine = Engine::start(options)?;
    let called = engine.call_export("app:test", "run", Vec::new());
    let found = tokio::time::timeout(Duration::from_secs(20), called).await;
    found.unwrap_or_else(|_| panic!("no answer")).map(|data| data.into_json().unwrap_or_default())
}

/// Whether a process is there and has not ended.
fn is_running(pid: &Value) -> bool {
    let state = Command::new("ps").args(["-o", "stat=", "-p", &pid.to_string()]).output().unwrap();
    let state = String::from_utf8_lossy(&state.stdout);
    !state.trim().is_empty() && !state.trim().starts_with('Z')
}

async fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    for _ in 0..300 {
        if is_so() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("{what}: not within 6 s");
}

#[tokio::test(flavor = "multi_thread")]
async fn children_end_with_the_engine_and_so_does_what_they_started() {
    let source = "import { spawn } from 'child_process';
        export const run = () => new Promise((resolve) => {
          const child = spawn('sh', ['-c', 'sleep 60 & echo $!; wait']);
          child.stdout.on('data', (data) => resolve([child.pid, Number(String(data))]));
        });";
    let engine = Engine::start(options(source)).unwrap();
    let pids = engine.call_export("app:test", "run", Vec::new()).await.unwrap().into_json().unwrap();
    assert!(is_running(&pids[0]) && is_running(&pids[1]), "{pids}");
    drop(engine);
    until("they end", || !is_running(&pids[0]) && !is_running(&pids[1])).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn detached_children_outlive_the_engine() {
    let source = "import { spawn } from 'child_process';
        export const run = () => spawn('sleep', ['60'], { detached: true, stdio: 'ignore' }).pid;";
    let engine = Engine::start(options(source)).unwrap();
    let pid = engine.call_export("app:test", "run", Vec::new()).await.unwrap().into_json().unwrap();
    engine.stop("test");
    drop(engine);
    tokio::time::sleep(Duration::from_millis(200)).await;
    let survived = is_running(&pid);
    Command::new("kill").arg(pid.to_string()).status().unwrap();
    assert!(survived);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_child_that_is_waited_for_ends_when_the_engine_is_stopped() {
    let source = "import { execSync } from 'child_process'; export const run = () => execSync('sleep 60')";
    let engine = Engine::start(options(source)).unwrap();
    let call = tokio::spawn({
        let engine = engine.clone();
        async move { engine.call_export("app:test", "run", Vec::new()).await }
    });
    tokio::time::sleep(Duration::from_millis(300)).await;
    let began = Instant::now();
    engine.stop("enough");
    assert!(call.await.unwrap().is_err());
    assert!(began.elapsed() < Duration::from_secs(5), "{:?}", began.elapsed());
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_not_permitted_is_refused() {
    let attempts = [
        ("exec", "(await import('child_process')).execSync('true')"),
        ("exec", "(await import('child_process')).spawn('true')"),
        ("net", "fetch('http://127.0.0.1:1/')"),
        ("net", "(await import('dns')).promises.lookup('localhost')"),
        ("net", "import('net').then((net) => new Promise((_, no) => net.connect(1, '127.0.0.1').on('error', no)))"),
        ("net", "import('http').then((http) => new Promise((_, no) => http.createServer().on('error', no).listen(0)))"),
    ];
    for (permission, attempt) in attempts {
        let mut options = options(&format!("export const run = async () => {attempt}"));
        options.permissions = Permissions { environment: true, ..Permissions::NONE };
        let error = run(options).await.unwrap_err().to_string();
        assert!(error.contains(&format!("not allowed to use \"{permission}\"")), "{attempt}: {error}");
    }
}

/// Answers with what it is asked, in pieces, and notes how many of them were taken.
struct Echo {
    taken: Arc<Mutex<usize>>,
}

impl Fetch for Echo {
    fn fetch(&self, request: FetchRequest) -> BoxFuture<'static, Result<FetchResponse, FetchError>> {
        let taken = Arc::clone(&self.taken);
        let first = format!("{} {} {:?};", request.method, request.url, request.body);
        let pieces = futures::stream::iter(0..1000).map(move |number| {
            *taken.lock().unwrap() += 1;
            Ok(if number == 0 { first.clone().into() } else { "x".into() })
        });
        let headers = vec![("x-from".to_owned(), "program".to_owned())];
        let response = FetchResponse { status: 200, status_text: "Fine".to_owned(), headers, body: pieces.boxed() };
        async move { Ok(response) }.boxed()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_program_connects_for_the_script_and_is_not_asked_for_more_than_is_read() {
    let source = "export const run = async () => {
        const response = await fetch('https://nowhere.invalid/a?b', { method: 'POST', body: 'text' });
        const reader = response.body.getReader();
        const { value } = await reader.read();
        await new Promise((resolve) => setTimeout(resolve, 50));
        return [response.status, response.statusText, response.headers.get('x-from'), new TextDecoder().decode(value)];
    }";
    let taken = Arc::new(Mutex::new(0));
    let mut options = options(source);
    options.fetch = Some(Arc::new(Echo { taken: Arc::clone(&taken) }));
    let found = run(options).await.unwrap();
    assert_eq!(found, json!([200, "Fine", "program", "POST https://nowhere.invalid/a?b Some(b\"text\");"]));
    assert_eq!(*taken.lock().unwrap(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn servers_end_with_the_engine() {
    let source = "import http from 'http';
        export const run = () => new Promise((resolve) => {
          const server = http.createServer((request, response) => response.end('here'));
          server.listen(0, () => resolve(server.address().port));
        });";
    let engine = Engine::start(options(source)).unwrap();
    let port = engine.call_export("app:test", "run", Vec::new()).await.unwrap();
    let Data::Json(port) = port else { panic!("{port:?}") };
    let address = format!("127.0.0.1:{port}");
    assert!(std::net::TcpStream::connect(&address).is_ok());
    drop(engine);
    until("it closes", || std::net::TcpStream::connect(&address).is_err()).await;
}
