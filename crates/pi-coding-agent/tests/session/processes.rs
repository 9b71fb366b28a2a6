//! Two processes that want the same file, over and over: it stays a valid session and nothing acknowledged is lost.
//!
//! The test runs itself as the other processes: see [`work`].

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use pi_coding_agent::session::{Error, SessionManager};

use crate::support::{host, open, small_session, user};

const FILE: &str = "PI_TEST_SESSION_FILE";
/// Steps of the two processes in an order that a fixed series of random numbers gives.
const STEPS: usize = 10_000;

/// The other process, and nothing in any other one: does what each line of its input says, and says how it went. `+text`
/// opens the session if it is not open and appends, `.` closes it, `k` dies at once with the session open.
#[test]
fn work() {
    let Some(file) = std::env::var_os(FILE).map(PathBuf::from) else { return };
    let dir = file.parent().unwrap();
    let mut session: Option<SessionManager> = None;
    for line in std::io::stdin().lines().map(Result::unwrap) {
        let answer = match line.split_at(1) {
            (".", _) => {
                session = None;
                "closed".to_owned()
            }
            ("k", _) => std::process::abort(),
            (_, text) => match append(&mut session, dir, &file, text) {
                Ok(id) => format!("={id}"),
                Err(Error::Locked { .. }) => "locked".to_owned(),
                Err(error) => format!("error {error}"),
            },
        };
        let mut out = std::io::stderr();
        out.write_all(format!("{answer}\n").as_bytes()).and_then(|()| out.flush()).unwrap();
    }
}

fn append(session: &mut Option<SessionManager>, dir: &Path, file: &Path, text: &str) -> Result<String, Error> {
    if session.is_none() {
        let random =
            pi_coding_agent::session::SessionHost { ids: pi_coding_agent::ids::RandomIds::shared(), ..host(dir) };
        *session = Some(SessionManager::open(random, file, None)?);
    }
    session.as_mut().unwrap().append_message(user(text))
}

struct Worker {
    child: Child,
    orders: ChildStdin,
    answers: BufReader<std::process::ChildStderr>,
    _out: Option<ChildStdout>,
}

impl Worker {
    fn start(file: &Path) -> Self {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "processes::work", "--nocapture"])
            .env(FILE, file)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let (orders, answers) = (child.stdin.take().unwrap(), BufReader::new(child.stderr.take().unwrap()));
        Self { orders, answers, _out: child.stdout.take(), child }
    }

    fn order(&mut self, order: &str) -> String {
        writeln!(self.orders, "{order}").unwrap();
        let mut answer = String::new();
        self.answers.read_line(&mut answer).unwrap();
        answer.trim_end().to_owned()
    }

    fn die(mut self) {
        writeln!(self.orders, "k").unwrap();
        self.child.wait().unwrap();
    }
}

/// A small generator, so that every run takes the same way.
fn next(seed: &mut u64) -> u64 {
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    *seed
}

#[test]
fn two_processes_never_spoil_a_file() {
    let dir = tempfile::tempdir().unwrap();
    let file = small_session(dir.path());
    let mut workers = [Worker::start(&file), Worker::start(&file)];
    let mut open_in: Option<usize> = None;
    let mut acknowledged: HashMap<String, String> = HashMap::new();
    let (mut refused, mut killed) = (0, 0);
    let mut seed = 0x5eed_1234_u64;
    for step in 0..STEPS {
        let choice = next(&mut seed);
        let who = (choice % 2) as usize;
        match choice / 2 % 1000 {
            0..3 => {
                std::mem::replace(&mut workers[who], Worker::start(&file)).die();
                open_in = open_in.filter(|holder| *holder != who);
                killed += 1;
            }
            3..300 => {
                assert_eq!(workers[who].order("."), "closed");
                open_in = open_in.filter(|holder| *holder != who);
            }
            _ => {
                let text = format!("step {step} of {who}");
                let answer = workers[who].order(&format!("+{text}"));
                let free = open_in.is_none_or(|holder| holder == who);
                match answer.strip_prefix('=') {
                    Some(id) => {
                        assert!(free, "step {step}: two writers");
                        assert_eq!(
                            acknowledged.insert(id.to_owned(), text),
                            None,
                            "step {step}: an id was given twice"
                        );
                        open_in = Some(who);
                    }
                    None => {
                        assert_eq!((answer.as_str(), free), ("locked", false), "step {step}");
                        refused += 1;
                    }
                }
            }
        }
    }
    for worker in workers {
        worker.die();
    }
    assert!(refused > 500 && killed > 10, "{refused} refusals, {killed} kills: the test does not test what it should");
    let session = open(dir.path(), &file);
    assert_eq!(session.load_report(), Default::default());
    assert_eq!(session.entries().count().unwrap(), acknowledged.len() + 2);
    assert_eq!(session.entries().current_branch().unwrap().len(), acknowledged.len() + 2, "one chain");
    for entry in session.entries().iter().skip(2) {
        let entry = entry.unwrap();
        let text = acknowledged.remove(entry.id()).expect("nobody was told of this entry");
        assert!(entry.raw().contains(&text), "{}", entry.raw());
    }
    assert!(acknowledged.is_empty());
}
