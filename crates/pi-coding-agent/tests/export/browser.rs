//! The page in a browser: nothing of a session runs, and the page's own script does what it should.
//!
//! Needs Chromium on the path; without it the tests say so and pass. `hostile.rs` checks the same pages without one.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::dom::{Element, parse};
use crate::hostile::hostile_page;
use crate::payloads::PAYLOADS;
use crate::support::{page, user};

const NAMES: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const PATIENCE: Duration = Duration::from_secs(180);

fn chromium() -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let found =
        std::env::split_paths(&path).flat_map(|dir| NAMES.map(|name| dir.join(name))).find(|file| file.is_file());
    if found.is_none() {
        eprintln!("skipped: no Chromium on the path");
    }
    found
}

/// The elements of a page after its scripts ran; `None` without a browser.
fn browse(html: &str, address: &str) -> Option<Vec<Element>> {
    let browser = chromium()?;
    let dir = TempDir::new().unwrap();
    fs::write(dir.path().join("page.html"), html).unwrap();
    let output = dir.path().join("dom.html");
    let mut child = Command::new(browser)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"])
        .args(["--disable-component-update", "--disable-default-apps", "--disable-sync", "--disable-dev-shm-usage"])
        .args(["--virtual-time-budget=2000", "--dump-dom"])
        .arg(format!("--user-data-dir={}", dir.path().join("profile").display()))
        .arg(format!("file://{}/page.html{address}", dir.path().display()))
        .stdout(fs::File::create(&output).unwrap())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let started = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if started.elapsed() > PATIENCE {
            child.kill().unwrap();
            panic!("the browser does not end");
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    let dom = fs::read_to_string(&output).unwrap();
    assert!(dom.contains("</html>"), "the browser gave nothing");
    Some(parse(&dom).0)
}

fn is_pwned(elements: &[Element]) -> bool {
    elements[0].get("data-pwned").is_some()
}

/// The page without the policy that would stop what slipped through.
fn unprotected(html: &str) -> String {
    let (before, after) = html.split_once("<meta http-equiv=").unwrap();
    before.to_owned() + after.split_once(">\n").unwrap().1
}

/// A script of the test's own: does to the page what a reader could do.
const PROVOKE: &str = r##"<script>
addEventListener("load", () => {
  for (const fold of document.querySelectorAll("details")) fold.open = true;
  for (const element of document.querySelectorAll("*")) {
    for (const kind of ["mouseover", "focus", "error", "load", "toggle", "animationstart", "begin", "input"]) {
      element.dispatchEvent(new Event(kind));
    }
    const href = element.getAttribute("href") || "";
    if (element.tagName === "A" && !/^(#e|https?:|mailto:)/i.test(href)) element.click();
  }
  document.documentElement.dataset.provoked = 1;
});
</script></body>"##;

#[test]
fn no_payload_runs_even_without_the_policy() {
    // One page for all: whoever breaks out of one field has the whole page.
    let joined = PAYLOADS.join("\n\n");
    let pages = PAYLOADS.iter().copied().chain([joined.as_str()]).map(hostile_page);
    let bodies: String = pages
        .map(|page| {
            let (_, body) = page.split_once("</head>\n<body>\n").unwrap();
            body.split_once("</body>").unwrap().0.to_owned()
        })
        .collect();
    let all = page(&[user("x")]).replace("</body>", &format!("{bodies}{PROVOKE}"));
    if let Some(elements) = browse(&unprotected(&all), "") {
        assert!(elements[0].get("data-provoked").is_some(), "the test's script did not run");
        assert!(!is_pwned(&elements));
    }
}

#[test]
fn no_payload_runs_in_the_page_as_it_is() {
    if let Some(elements) = browse(&hostile_page(&PAYLOADS.join("\n\n")), "#e1") {
        assert!(!is_pwned(&elements));
        // The page's own script ran: it is allowed by its hash.
        assert_eq!(elements[0].get("class"), Some("js"));
    }
}

#[test]
fn the_test_sees_what_runs_and_the_policy_stops_it() {
    let html = page(&[user("x")]);
    for payload in [PAYLOADS[0], PAYLOADS[11], PAYLOADS[31]] {
        let broken = html.replace("</main>", &format!("{payload}</main>"));
        let provoked = unprotected(&broken).replace("</body>", PROVOKE);
        if let Some(elements) = browse(&provoked, "") {
            assert!(is_pwned(&elements), "not noticed: {payload}");
            assert!(!is_pwned(&browse(&broken, "").unwrap()), "not stopped: {payload}");
        }
    }
}

#[test]
fn an_address_opens_the_branch_that_it_is_on() {
    let entry = |id: &str, parent: Option<&str>| serde_json::json!({"type": "message", "id": id, "parentId": parent, "message": {"role": "user", "content": id}});
    // s0: a; s1: b c (left); s2: d (current).
    let html = page(&[entry("a", None), entry("b", Some("a")), entry("c", Some("b")), entry("d", Some("a"))]);
    let shown = |elements: &[Element]| -> Vec<String> {
        let segments = elements.iter().filter(|element| element.get("id").is_some_and(|id| id.starts_with('s')));
        segments.filter_map(|segment| segment.get("class")).map(ToOwned::to_owned).collect()
    };
    for (address, expected) in [
        ("", ["segment on", "segment near", "segment on"]),
        ("#e1", ["segment on", "segment on", "segment near"]),
        ("#e3", ["segment on", "segment near", "segment on"]),
    ] {
        if let Some(elements) = browse(&html, address) {
            let classes = shown(&elements.iter().filter(|e| e.name == "details").cloned().collect::<Vec<_>>());
            assert_eq!(classes, expected, "{address}");
        }
    }
}

/// Clicks on the button and looks at what would be stored.
const DOWNLOAD: &str = r#"<script>
addEventListener("load", () => {
  const make = URL.createObjectURL;
  URL.createObjectURL = (blob) => {
    blob.text().then((text) => { document.documentElement.dataset.carried = text; });
    return make.call(URL, blob);
  };
  HTMLAnchorElement.prototype.click = function () { document.documentElement.dataset.file = this.download; };
  document.getElementById("download").click();
});
</script></body>"#;

#[test]
fn the_session_can_be_downloaded() {
    let entries = [user("100 % <b>\u{1f600}</b> </script><!--<script>\r\n"), user(PAYLOADS[2])];
    let html = unprotected(&page(&entries)).replace("</body>", DOWNLOAD);
    if let Some(elements) = browse(&html, "") {
        assert!(!is_pwned(&elements));
        let carried = elements[0].get("data-carried").expect("the button made a file");
        let lines: Vec<serde_json::Value> = carried.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!((lines.len(), &lines[0]["id"]), (3, &serde_json::json!("s-1")));
        assert_eq!(lines[1]["message"], entries[0]["message"]);
        assert_eq!(lines[2]["message"], entries[1]["message"]);
        assert_eq!(elements[0].get("data-file"), Some("pi-session-s-1.jsonl"));
    }
}
