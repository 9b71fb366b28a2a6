//! Replays of a whole run: other lines beside exchanges, bodies that must be the same, time.

use std::sync::atomic::{AtomicI64, Ordering};

use super::*;
use crate::clock::Clock;

/// Goes on by a second with each question.
#[derive(Debug)]
struct Ticking(AtomicI64);

impl Clock for Ticking {
    fn now_ms(&self) -> i64 {
        self.0.fetch_add(1000, Ordering::Relaxed)
    }
}

#[tokio::test]
async fn other_lines_are_kept_apart_and_hold_no_secret() {
    let studio = Studio::new();
    let server = Server::start([Reply::events(HELLO)]).await;
    let model = tiny_model(&server.url());
    let recorder = Recorder::create(&studio.path(), direct()).unwrap();
    let notes = recorder.notes();
    notes.write("run", &json!({ "seed": 1 }));
    let recorder: Arc<dyn HttpTransport> = Arc::new(recorder);
    let options = StreamOptions {
        api_key: Some("no-known-shape".to_owned()),
        http: Some(Arc::clone(&recorder)),
        ..StreamOptions::default()
    };
    let call = drive(Arc::new(TinyFormat::default()), Arc::clone(&model), Context::prompt("hi"), options);
    run(call).await;
    // What a tool found in the environment, and what it was told under the name of a secret.
    let found = json!({ "output": "KEY=no-known-shape", "arguments": { "password": "0123456789abc", "n": 1 } });
    notes.write("tool", &found);
    let text = std::fs::read_to_string(studio.path()).unwrap();
    assert!(!text.contains("no-known-shape") && !text.contains("0123456789abc"), "{text}");
    let replayer = Replayer::open(&studio.path()).unwrap();
    assert_eq!(replayer.remaining(), 1);
    let tools: Vec<_> = replayer.notes("tool").collect();
    let scrubbed = json!({ "output": "KEY=REDACTED", "arguments": { "password": "REDACTED", "n": 1 } });
    assert_eq!((&tools[0]["output"], &tools[0]["arguments"]), (&scrubbed["output"], &scrubbed["arguments"]));
    assert_eq!(replayer.difference(&scrubbed["arguments"], &found["arguments"]), None);
    assert_eq!((replayer.notes("run").count(), replayer.notes("unheard-of").count()), (1, 0));
}

#[tokio::test]
async fn an_exact_replay_tells_the_first_difference_of_a_body() {
    let studio = Studio::new();
    let server = Server::start([Reply::events(HELLO)]).await;
    let model = tiny_model(&server.url());
    run(call(&studio.recorder(), &model, "count to ten")).await;
    let exact = || Arc::new(Replayer::open(&studio.path()).unwrap().exact());
    let same: Arc<dyn HttpTransport> = exact();
    assert_eq!(run(call(&same, &model, "count to ten")).await.message.text(), "Grüß Gott");
    let other = exact();
    let transport: Arc<dyn HttpTransport> = other.clone();
    let name = studio.path().display().to_string();
    let expected = format!(
        "Cassette {name}, request 1: messages[0].content was \"count to ten\" in the recording and is \"count to two\" now."
    );
    assert_eq!(run(call(&transport, &model, "count to two")).await.error(), expected);
    assert_eq!(other.divergence().get(), Some(expected.as_str()));
    let stopped = exact();
    stopped.divergence().report("A tool was called in another way.".to_owned());
    let transport: Arc<dyn HttpTransport> = stopped;
    assert_eq!(run(call(&transport, &model, "count to ten")).await.error(), "A tool was called in another way.");
}

#[tokio::test]
async fn time_stands_still_between_exchanges_and_is_the_same_in_a_replay() {
    let studio = Studio::new();
    let server = Server::start([Reply::events(HELLO), Reply::silent().cut()]).await;
    let model = tiny_model(&server.url());
    let clock = Arc::new(TapeClock::recording(Arc::new(Ticking(AtomicI64::new(5000)))));
    assert_eq!((clock.now_ms(), clock.now_ms()), (5000, 5000));
    let recorder = Recorder::create(&studio.path(), direct()).unwrap().with_clock(Arc::clone(&clock));
    let recorder: Arc<dyn HttpTransport> = Arc::new(recorder);
    let mut recorded = Vec::new();
    for _ in 0..2 {
        run(call(&recorder, &model, "hi")).await;
        recorded.push(clock.now_ms());
    }
    let lines = studio.lines();
    assert_eq!(json!(recorded), json!([lines[0]["ended"], lines[1]["ended"]]));
    let times = lines.iter().flat_map(|line| [line["started"].as_i64().unwrap(), line["ended"].as_i64().unwrap()]);
    assert!(times.is_sorted_by(|one, next| one < next), "{lines:?}");
    let clock = Arc::new(TapeClock::replaying(5000));
    let replayer = Replayer::open(&studio.path()).unwrap().with_clock(Arc::clone(&clock));
    let replayer: Arc<dyn HttpTransport> = Arc::new(replayer);
    let mut replayed = Vec::new();
    for _ in 0..2 {
        run(call(&replayer, &model, "hi")).await;
        replayed.push(clock.now_ms());
        assert_eq!(clock.tick(), clock.now_ms(), "only the tape moves it");
    }
    assert_eq!(replayed, recorded);
}

#[test]
fn a_recording_of_its_own_takes_no_file_that_has_one() {
    let studio = Studio::new();
    std::fs::write(studio.path(), "").unwrap();
    assert!(Recorder::create(&studio.path(), direct()).is_ok());
    std::fs::write(studio.path(), "{}\n").unwrap();
    let error = Recorder::create(&studio.path(), direct()).unwrap_err().to_string();
    assert_eq!(error, format!("The cassette {} holds a recording already; name a new file", studio.path().display()));
}

#[test]
fn a_clock_that_records_is_never_far_behind() {
    let real = Arc::new(Ticking(AtomicI64::new(5000)));
    let clock = TapeClock::recording(Arc::clone(&real) as Arc<dyn Clock>);
    real.0.store(66_000, Ordering::Relaxed);
    assert!(clock.now_ms() > 66_000);
}
