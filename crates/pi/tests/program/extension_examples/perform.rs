//! Plays a scenario in a pseudo-terminal.

use std::collections::VecDeque;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use pi_test_kit::{Gate, PATIENCE, Provider, World};
use regex::Regex;
use rustix::process::Signal;
use serde_json::{Map, Value, json};

use super::keys;
use super::package::Package;
use super::play::prepare;
use super::scenario::{Act, Scenario};
use crate::screen::Screen;

/// How long nothing may change before rows are taken that no snapshot holds yet.
const STILL: Duration = Duration::from_millis(1500);

/// What moves while something goes on.
static SPINNER: LazyLock<Regex> = LazyLock::new(|| Regex::new("[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]").unwrap());

/// Plays it. What comes of it is the text of the snapshot; `committed` is the one that there is.
pub(crate) async fn perform(package: &Package, unit: &str, scenario: &Scenario, committed: Option<&str>) -> String {
    let (replies, gates) = scenario.replies();
    let provider = Provider::start(replies).await;
    let world = World::with(&provider);
    prepare(&world, &scenario.files, scenario.setup.as_deref());
    write_settings(&world, &scenario.settings);
    let mut player = Player {
        screen: start(&world, package, unit, scenario),
        world: &world,
        package,
        masks: scenario.masks.iter().map(|(pattern, mask)| (Regex::new(pattern).unwrap(), mask.as_str())).collect(),
        gates: gates.into(),
        committed: committed.map(|text| text.split("\n\n== ").map(str::to_owned).collect()),
        held: Vec::new(),
        done: Vec::new(),
    };
    // The footer names the model; what is typed before that is not lost, but may be shown twice.
    player.screen.see(scenario.begins.as_deref().unwrap_or("m1")).await;
    for act in &scenario.steps {
        player.act(act).await;
    }
    let Player { screen, held, .. } = player;
    screen.kill(Signal::TERM);
    let (rows, terminal) = screen.ended().await;
    assert!(
        terminal.modes().is_empty() && terminal.shows_cursor(),
        "{unit}: {:?}\n{}",
        terminal.modes(),
        rows.join("\n")
    );
    assert!(!rows.iter().any(|row| row.contains("panicked")), "{unit}:\n{}", rows.join("\n"));
    held.join("\n\n")
}

fn write_settings(world: &World, more: &Map<String, Value>) {
    let mut settings = json!({"defaultProvider": "mock", "defaultModel": "m1", "retry": {"enabled": false}});
    settings.as_object_mut().unwrap().extend(more.clone());
    world.write_config("settings.json", &settings);
}

fn start(world: &World, package: &Package, unit: &str, scenario: &Scenario) -> Screen {
    let arguments = format!("-e {} {}", package.path(unit).display(), scenario.arguments);
    let path = std::env::var("PATH").unwrap();
    let filled = |text: &str| text.replace("$CWD", world.cwd().to_str().unwrap()).replace("$PATH", &path);
    Screen::in_window(world, &filled(&arguments), scenario.size, |pi| {
        let pi = pi.env("LANG", "C.UTF-8").env("TZ", "UTC");
        scenario.environment.iter().fold(pi, |pi, (name, value)| pi.env(name, &filled(value)))
    })
}

struct Player<'p> {
    screen: Screen,
    world: &'p World,
    package: &'p Package,
    masks: Vec<(Regex, &'p str)>,
    gates: VecDeque<Gate>,
    /// The committed snapshot, picture by picture.
    committed: Option<VecDeque<String>>,
    held: Vec<String>,
    /// What the user has done since the last picture.
    done: Vec<String>,
}

impl Player<'_> {
    async fn act(&mut self, act: &Act) {
        match act {
            Act::Run(text) => {
                self.screen.type_in(text).await;
                // Several keys in one piece count as a paste.
                self.screen.see(text.trim_end()).await;
                self.screen.type_in("\r").await;
                self.done.push(text.clone());
            }
            Act::Type(text) => {
                self.screen.type_in(text).await;
                // A snapshot keeps no carriage return.
                self.done.push(text.trim_end().to_owned());
            }
            Act::TypeUntil(text, seen) => {
                self.type_until(text, seen).await;
                self.done.push(text.clone());
            }
            Act::Keys(names) => {
                for name in names.split(' ') {
                    self.screen.type_in(&keys::sequence(name)).await;
                }
                self.done.push(names.clone());
            }
            Act::See(text) => self.screen.see(text).await,
            Act::Gone(text) => self.screen.until(|terminal| !terminal.screen().contains(text)).await,
            Act::Title(title) => {
                self.screen.until(|terminal| terminal.title().is_some_and(|now| now.contains(title))).await;
            }
            Act::TitleIs(title) => {
                self.screen.until(|terminal| terminal.title().is_some_and(|now| now == *title)).await;
            }
            Act::Release => self.gates.pop_front().expect("an answer waits").open(),
            Act::Resize(columns, rows) => {
                self.screen.resize(*columns, *rows);
                self.done.push(format!("{columns} columns, {rows} rows"));
            }
            Act::Hold(from, to) => self.hold(from, to, false).await,
            Act::Colours(from, to) => self.hold(from, to, true).await,
        }
    }

    async fn type_until(&mut self, text: &str, seen: &str) {
        let end = Instant::now() + PATIENCE;
        loop {
            self.screen.type_in(text).await;
            if tokio::time::timeout(STILL, self.screen.see(seen)).await.is_ok() {
                return;
            }
            assert!(Instant::now() < end, "{seen:?} never came:\n{}", self.screen.terminal);
            for _ in text.chars() {
                self.screen.type_in(&keys::sequence("backspace")).await;
            }
        }
    }

    /// Reads until the rows are those of the committed snapshot; without one, until they do not change any more.
    async fn hold(&mut self, from: &str, to: &str, styled: bool) {
        let title = format!("== {}\n", std::mem::take(&mut self.done).join(", "));
        let wanted = self.committed.as_mut().map(|pictures| {
            let picture = pictures.pop_front().unwrap_or_default();
            format!("== {}", picture.trim_start_matches("== "))
        });
        let patience = if wanted.is_some() { PATIENCE } else { STILL };
        let began = Instant::now();
        let (mut last, mut changed) = (None, began);
        loop {
            let now = self.rows(from, to, styled).map(|rows| title.clone() + &rows);
            if now.is_some() && now == wanted {
                break;
            }
            if now != last {
                (last, changed) = (now, if wanted.is_some() { began } else { Instant::now() });
            }
            // Rows that are not there are waited for as long as everything else.
            let patience = if last.is_some() { patience } else { PATIENCE };
            let left = patience.saturating_sub(changed.elapsed());
            // Rows that go on moving belong under a mask: nobody waits for them for ever.
            let left = left.min((2 * PATIENCE).saturating_sub(began.elapsed()));
            if left.is_zero() || (tokio::time::timeout(left, self.screen.read()).await.is_err()) {
                break;
            }
        }
        let rows = self.rows(from, to, styled);
        let rows = rows.unwrap_or_else(|| panic!("no rows from {from:?} to {to:?}:\n{}", self.screen.terminal));
        self.held.push(title + &rows);
    }

    fn rows(&self, from: &str, to: &str, styled: bool) -> Option<String> {
        let rows = if styled { styled_rows(&self.screen) } else { self.screen.terminal.rows() };
        let first = rows.iter().position(|row| row.contains(from))?;
        let last = first + rows[first..].iter().position(|row| row.contains(to))?;
        let text = rows[first..=last].join("\n");
        let text = self.world.mask(&text.replace(self.package.dir().to_str().unwrap(), "PACKAGE"));
        let text = SPINNER.replace_all(&text, "⠋");
        Some(
            self.masks
                .iter()
                .fold(text.into_owned(), |text, (pattern, mask)| pattern.replace_all(&text, *mask).into_owned()),
        )
    }
}

/// The rows of the window, each with the lines that say what it looks like.
fn styled_rows(screen: &Screen) -> Vec<String> {
    let mut rows: Vec<String> = Vec::new();
    for line in screen.terminal.styled_screen().lines() {
        match (line.strip_prefix('|'), rows.last_mut()) {
            (None, Some(row)) => {
                row.push('\n');
                row.push_str(line);
            }
            (row, _) => rows.push(row.unwrap_or(line).to_owned()),
        }
    }
    rows
}
