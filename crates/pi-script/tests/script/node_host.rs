//! Node's modules and the program: what goes to the log, what a script may not do, what stays its own.

use std::sync::{Arc, Mutex};

use pi_script::{Data, Engine, EngineOptions, Error, Permissions, Report, ReportKind};
use serde_json::{Value, json};

type Reports = Arc<Mutex<Vec<Report>>>;

fn options(source: &str) -> (EngineOptions, Reports) {
    let reports = Reports::default();
    let sink = Arc::clone(&reports);
    let mut options = EngineOptions::new("host");
    options.modules.add("app:test", source);
    options.on_report = Arc::new(move |report| sink.lock().unwrap().push(report));
    (options, reports)
}

async fn run(options: EngineOptions) -> Result<Value, Error> {
    let engine = Engine::start(options)?;
    let called = engine.call_export("app:test", "run", Vec::<Data>::new());
    let found = tokio::time::timeout(std::time::Duration::from_secs(20), called).await.unwrap();
    found.map(|data| data.into_json().unwrap_or_default())
}

fn logged(reports: &Reports) -> Vec<(String, String)> {
    let reports = reports.lock().unwrap();
    let console = reports.iter().filter(|report| report.kind == ReportKind::Console);
    console.map(|report| (report.error.name.clone(), report.error.message.clone())).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn what_scripts_say_goes_to_the_log() {
    let (options, reports) = options(
        "export const run = () => {\
           console.log('%s is', 'one', { a: [1] }); console.error(new Set([1])); console.group('g'); console.info('in\\nside'); console.groupEnd();\
           console.assert(1 === 2, 'math'); console.count(); console.count(); console.table([{ a: 1, b: 'x' }, { a: 2 }]);\
           process.stdout.write('half '); process.stdout.write('line\\nrest'); process.stderr.write('bad\\n'); process.emitWarning('careful');\
         }",
    );
    run(options).await.unwrap();
    insta::assert_debug_snapshot!(logged(&reports));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_exit_ends_the_script_and_not_the_program() {
    let (options, reports) = options(
        "import process from 'node:process'; export const run = () => { process.on('exit', (code) => console.log('code', code)); process.exit(3); }",
    );
    let error = run(options).await.unwrap_err();
    assert!(matches!(&error, Error::Stopped { reason } if reason.contains("process.exit(3)")), "{error}");
    assert_eq!(logged(&reports), [("log".to_owned(), "code 3".to_owned())]);
}

#[tokio::test(flavor = "multi_thread")]
async fn files_and_signals_need_a_permission() {
    let source = "import fs from 'node:fs'; import { readFile } from 'node:fs/promises'; import process from 'node:process';\
        const code = async (work) => { try { await work(); return 'done'; } catch (error) { return error.code; } };\
        export const run = async () => [await code(() => fs.readFileSync('/etc/hostname')), await code(() => readFile('/etc/hostname')), \
          await code(() => fs.existsSync('/')), await code(() => process.kill(process.pid, 0)), await code(() => fs.createReadStream('/etc/hostname').toArray())]";
    let (mut options, _) = options(source);
    options.permissions = Permissions { environment: true, ..Permissions::NONE };
    let denied = "ERR_ACCESS_DENIED";
    assert_eq!(run(options).await.unwrap(), json!([denied, denied, denied, denied, denied]));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_environment_of_a_script_is_its_own() {
    let (options, _) =
        options("export const run = () => { process.env.PI_SCRIPT_OWN = '1'; return process.env.PI_SCRIPT_OWN; }");
    assert_eq!(run(options).await.unwrap(), json!("1"));
    assert!(std::env::var_os("PI_SCRIPT_OWN").is_none());
}

#[tokio::test(flavor = "multi_thread")]
async fn relative_paths_count_from_the_directory_of_the_engine() {
    let directory = tempfile::tempdir().unwrap();
    std::fs::write(directory.path().join("here.txt"), "found").unwrap();
    let (mut options, _) =
        options("import fs from 'fs'; export const run = () => fs.readFileSync('./here.txt', 'utf8')");
    options.cwd = directory.path().to_path_buf();
    assert_eq!(run(options).await.unwrap(), json!("found"));
}

/// Every built-in module can be evaluated, and has what its ES face promises.
#[tokio::test(flavor = "multi_thread")]
async fn every_module_loads() {
    let (options, _) = options(
        "import { builtinModules } from 'node:module';\
         export const run = async () => { const broken = []; for (const name of builtinModules) {\
           try { const found = await import(`node:${name.replace('node:', '')}`); if (found.default === undefined) broken.push(name); } catch (error) { broken.push(`${name}: ${error.message}`); } }\
           return [broken, builtinModules.length >= 30]; }",
    );
    assert_eq!(run(options).await.unwrap(), json!([[], true]));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_not_there_says_so() {
    let (options, _) = options(
        "import fs from 'node:fs'; import process from 'node:process'; import util from 'node:util';\
         const words = (work) => { try { work(); return 'done'; } catch (error) { return error.message; } };\
         export const run = () => [() => process.chdir('/'), () => fs.globSync('*'), () => process.dlopen()].map(words)",
    );
    let suffix = "is not available in this program";
    let expected = json!([
        format!("process.chdir() {suffix}"),
        format!("fs.globSync {suffix}"),
        format!("process.dlopen() {suffix}")
    ]);
    assert_eq!(run(options).await.unwrap(), expected);
}
