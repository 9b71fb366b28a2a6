//! A project for pictures in a home of its own, and the comparison of a screen with its picture.
//!
//! Nothing in a picture depends on when and where it was made: paths are below `~`, the model has a name of our own, what
//! moves or counts seconds is set to one value.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use pi_test_kit::{Live, PATIENCE, Pi, Provider, World};
use pi_tui::testing::Glyph;
use regex::Regex;
use serde_json::{Value, json};

use super::svg::svg;
use crate::screen::Screen;

/// How long nothing may change before a new picture is written.
const STILL: Duration = Duration::from_millis(1500);

/// A home with a small project in it.
pub(super) struct Shop(pub(super) World);

impl Shop {
    /// A shop whose models are at this provider.
    pub(super) fn with(provider: &Provider) -> Self {
        let shop = Self::empty();
        let model = |id: &str, reasoning: bool, price: f64| {
            json!({"id": id, "reasoning": reasoning, "contextWindow": 200_000, "maxTokens": 32_000,
                "cost": {"input": price, "output": 5.0 * price, "cacheRead": 0, "cacheWrite": 0}})
        };
        let models = [model("maple-2", true, 2.0), model("maple-2-mini", true, 0.4), model("oak-coder", false, 0.1)];
        shop.write_config(
            "models.json",
            &json!({"providers": {"grove": {"name": "Grove", "baseUrl": provider.url(), "api": "anthropic-messages",
                "apiKey": "key", "models": models}}}),
        );
        shop.write_config(
            "settings.json",
            &json!({"defaultProvider": "grove", "defaultModel": "maple-2", "defaultThinkingLevel": "medium",
                "quietStartup": true, "retry": {"enabled": false}}),
        );
        shop
    }

    /// Settings besides those that are there.
    pub(super) fn set(&self, more: &Value) {
        let path = self.agent_dir().join("settings.json");
        let mut settings: Value = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
        settings.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        self.write_config("settings.json", &settings);
    }

    /// A shop where no model is known.
    pub(super) fn empty() -> Self {
        let shop = Self(World::empty());
        fs::create_dir_all(shop.agent_dir()).unwrap();
        fs::create_dir_all(shop.dir()).unwrap();
        for (name, text) in FILES {
            let path = shop.dir().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let git = Command::new("git").args(["init", "--quiet", "-b", "main"]).current_dir(shop.dir()).status();
        assert!(git.unwrap().success());
        shop
    }

    /// The project.
    pub(super) fn dir(&self) -> PathBuf {
        self.0.home().join("shop")
    }

    pub(super) fn agent_dir(&self) -> PathBuf {
        self.0.home().join(".pi/agent")
    }

    pub(super) fn write_config(&self, name: &str, value: &Value) {
        fs::write(self.agent_dir().join(name), value.to_string()).unwrap();
    }

    /// `pi` in the project, in a window of this size.
    pub(super) fn open(&self, arguments: &str, size: (u16, u16)) -> Screen {
        self.open_with(arguments, size, &[])
    }

    /// The same with these variables in the environment.
    pub(super) fn open_with(&self, arguments: &str, size: (u16, u16), variables: &[(&str, &str)]) -> Screen {
        Screen::in_window(&self.0, arguments, size, |pi| {
            variables.iter().fold(self.here(pi), |pi, (name, value)| pi.env(name, value))
        })
    }

    /// `pi` without a terminal.
    pub(super) fn start(&self, arguments: &[&str]) -> Live {
        self.here(self.0.pi(arguments)).start()
    }

    fn here<'a>(&self, pi: Pi<'a>) -> Pi<'a> {
        let agent_dir = self.agent_dir().display().to_string();
        pi.dir(&self.dir()).env("PI_CODING_AGENT_DIR", &agent_dir).env("LANG", "C.UTF-8")
    }
}

/// A project whose test fails until one line is mended. The tests are a shell script: nothing else has to be installed.
const FILES: [(&str, &str); 6] = [
    (
        "prices.py",
        "\
def discounted(prices, discount):
    result = sum(prices)
    return result - result * discount


def average(prices):
    return sum(prices) / len(prices)
",
    ),
    ("orders.py", "from prices import discounted\n"),
    ("docs/pricing.md", "# Prices\n"),
    ("tests/prices/rounding.txt", "19.99\n"),
    (
        "run-tests",
        "\
if grep -q 'if prices else 0' prices.py; then
    echo '3 passed'
else
    echo 'test_average_of_nothing: prices.py:7 in average'
    echo '    return sum(prices) / len(prices)'
    echo 'ZeroDivisionError: division by zero'
    echo '1 failed, 2 passed'
    exit 1
fi
",
    ),
    ("AGENTS.md", "Run the tests with `sh run-tests`.\n"),
];

/// Reads until the screen is the committed picture of this name. With `UPDATE_SCREENS` it is written instead.
pub(super) async fn compare(screen: &mut Screen, name: &str, title: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../docs/screens/{name}.svg"));
    if std::env::var_os("UPDATE_SCREENS").is_some() {
        settle(screen).await;
        fs::write(&path, picture(screen, title)).unwrap();
        return;
    }
    let committed = fs::read_to_string(&path).unwrap_or_default();
    let began = Instant::now();
    while picture(screen, title) != committed {
        let left = PATIENCE.saturating_sub(began.elapsed());
        if tokio::time::timeout(left, screen.read()).await.is_err() {
            let now = picture(screen, title);
            let difference = similar::TextDiff::from_lines(&committed, &now).unified_diff().to_string();
            panic!(
                "docs/screens/{name}.svg is not what pi shows; UPDATE_SCREENS=1 writes it\n{}\n{difference}",
                screen.terminal
            );
        }
    }
}

/// Reads until nothing changes any more but what always moves.
async fn settle(screen: &mut Screen) {
    let mut last = (picture(screen, ""), Instant::now());
    while last.1.elapsed() < STILL {
        let _ = tokio::time::timeout(STILL, screen.read()).await;
        let now = picture(screen, "");
        if now != last.0 {
            last = (now, Instant::now());
        }
    }
}

fn picture(screen: &Screen, title: &str) -> String {
    let mut rows = screen.terminal.glyphs();
    rows.iter_mut().for_each(mask);
    let used = rows.iter().rposition(|row| row.iter().any(|glyph| *glyph != blank())).map_or(0, |last| last + 1);
    rows.truncate(used);
    svg(title, &rows)
}

fn blank() -> Glyph {
    Glyph { text: " ".to_owned(), columns: 1, style: pi_tui::text::Style::PLAIN }
}

/// What differs, and what stands in for it.
const MASKED: [(&str, &str); 5] = [
    ("[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]", "⠋"),
    (r"(?:Took|Elapsed) \d+\.\ds", "Took 0.4s"),
    (r"v\d+\.\d+\.\d+", "v0.x"),
    (r"pi \d+\.\d+\.\d+", "pi 0.x"),
    (r"pts/\d+", "pts/3"),
];

/// Sets what differs between runs and versions to one value: spinners, seconds, the version, the number of a terminal.
fn mask(row: &mut Vec<Glyph>) {
    for (pattern, stand_in) in MASKED {
        let text: String = row.iter().map(|glyph| glyph.text.as_str()).collect();
        let Some(found) = Regex::new(pattern).unwrap().find(&text) else { continue };
        // All of them are in cells of one character.
        let first = text[..found.start()].chars().count();
        let end = first + found.as_str().chars().count();
        let (style, width) = (row[first].style, end - first);
        let glyphs = stand_in.chars().map(|c| Glyph { text: c.to_string(), columns: 1, style });
        row.splice(first..end, glyphs);
        // The row keeps its width: what follows looks like the end of the row.
        let filler = Glyph { style: row.last().map_or(style, |last| last.style), ..blank() };
        let shorter = width.saturating_sub(stand_in.chars().count());
        row.extend(std::iter::repeat_n(filler, shorter));
        row.truncate(row.len() - stand_in.chars().count().saturating_sub(width));
    }
}
