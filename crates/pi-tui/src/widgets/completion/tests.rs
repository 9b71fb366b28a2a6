//! Completions by keys, with sources that answer at once.

use proptest::prelude::*;

use super::*;
use crate::widgets::editor::EditorStyle;
use crate::widgets::tests::{inputs, shown};

/// An editor with its completions.
struct Prompt {
    editor: Editor,
    completion: Completion,
}

impl Prompt {
    fn new() -> Self {
        let options = CompletionOptions { max_visible: 3, marks: vec!['#'], single_arguments: &["theme"] };
        Self {
            editor: Editor::new(EditorStyle::default()),
            completion: Completion::new(options, SelectStyle::default()),
        }
    }

    /// Plays a script; answers every request at once.
    fn play(&mut self, script: &str) -> EditorOutcome {
        let mut outcome = EditorOutcome::Ignored;
        for input in inputs(script) {
            outcome = self.completion.handle(&mut self.editor, &input, &Keymap::default());
            while let Some(request) = self.completion.take_request() {
                self.completion.answer(&mut self.editor, request.id, found(&request));
            }
        }
        outcome
    }

    /// The text with `|` at the cursor, and the list.
    fn shown(&mut self) -> String {
        let Position { line, byte } = self.editor.cursor();
        let mut lines: Vec<String> = self.editor.text().split('\n').map(str::to_owned).collect();
        lines[line].insert(byte, '|');
        let rows = self.completion.rows(60, 0);
        [lines.join("\n"), shown(&rows)].join("\n").trim_end().to_owned()
    }
}

fn found(request: &CompletionRequest) -> Vec<CompletionItem> {
    let all: &[&str] = match &request.kind {
        CompletionKind::Slash => &["model", "models", "quit", "compact"],
        CompletionKind::Argument { command } if command == "model" => &["gpt", "opus", "ocean"],
        CompletionKind::Argument { command } if command == "theme" => &["light", "lime"],
        CompletionKind::Argument { .. } => &[],
        CompletionKind::File => &["src/", "src/main.rs", "my file.txt", "my dir/", "my dir/a b"],
        CompletionKind::Path => {
            &["src/", "setup.py", "src/main.rs", "src/lib.rs", "unique.txt", "my dir/", "my dir/one"]
        }
        CompletionKind::Marked(_) => &["1", "12"],
    };
    let begins = |value: &&&str| value.starts_with(&request.prefix);
    let item =
        |value: &&str| CompletionItem { value: (*value).to_owned(), label: (*value).to_owned(), description: None };
    all.iter().filter(begins).map(item).collect()
}

#[test]
fn a_list_grows_while_the_rest_is_found() {
    let mut prompt = Prompt::new();
    for input in inputs("@") {
        prompt.completion.handle(&mut prompt.editor, &input, &Keymap::default());
    }
    let id = prompt.completion.take_request().unwrap().id;
    let items = |values: &[&str]| -> Vec<CompletionItem> {
        values
            .iter()
            .map(|value| CompletionItem { value: (*value).into(), label: (*value).into(), description: None })
            .collect()
    };
    // Nothing yet: no list, but it is still wanted.
    assert!(prompt.completion.answer_so_far(&prompt.editor, id, items(&[])));
    assert_eq!(prompt.shown(), "@|");
    assert!(prompt.completion.answer_so_far(&prompt.editor, id, items(&["b", "c"])));
    assert_eq!(prompt.shown(), "@|\n→ b\n  c");
    for input in inputs("<down>") {
        prompt.completion.handle(&mut prompt.editor, &input, &Keymap::default());
    }
    // What was moved to stays selected.
    assert!(prompt.completion.answer(&mut prompt.editor, id, items(&["a", "b", "c"])));
    assert_eq!(prompt.shown(), "@|\n  a\n  b\n→ c");
    assert!(!prompt.completion.answer_so_far(&prompt.editor, id, items(&["d"])));
    assert_eq!(prompt.shown(), "@|\n  a\n  b\n→ c");
}

#[test]
fn lists_open_while_typing_and_close() {
    for (script, expected) in [
        ("/mo", "/mo|\n→ model\n  models"),
        ("/mo<down>", "/mo|\n  model\n→ models"),
        ("/mo<up>", "/mo|\n  model\n→ models"),
        ("/", "/|\n→ model\n  models\n  quit\n  (1/4)"),
        ("/models<backspace>", "/model|\n→ model\n  models"),
        ("/mo<escape>", "/mo|"),
        ("/mo<escape>d", "/mod|\n→ model\n  models"),
        ("/mox", "/mox|"),
        ("/mox<backspace>", "/mo|\n→ model\n  models"),
        ("/mo<left><left>", "/|mo\n→ model\n  models\n  quit\n  (1/4)"),
        ("/mo<home>", "|/mo"),
        ("<lf>/mo", "\n/mo|"),
        ("/model o", "/model o|\n→ opus\n  ocean"),
        ("see @s", "see @s|\n→ src/\n  src/main.rs"),
        ("see @my", "see @my|\n→ my file.txt\n  my dir/\n  my dir/a b"),
        ("see @\"my f", "see @\"my f|\n→ my file.txt"),
        ("me@s", "me@s|"),
        ("fix #1", "fix #1|\n→ 1\n  12"),
        ("<paste:/mo>", "/mo|"),
        ("s<tab>", "s|\n→ src/\n  setup.py\n  src/main.rs\n  (1/4)"),
        ("s<tab>r", "sr|\n→ src/\n  src/main.rs\n  src/lib.rs"),
        ("s<tab> ", "s |"),
        ("s<tab>r<backspace><backspace>", "|\n→ src/\n  setup.py\n  src/main.rs\n  (1/7)"),
        ("a <tab><escape>b", "a b|"),
    ] {
        let mut prompt = Prompt::new();
        prompt.play(script);
        assert_eq!(prompt.shown(), expected, "{script}");
    }
}

#[test]
fn choosing_writes() {
    for (script, expected) in [
        ("/mo<tab>", "/model |\n→ gpt\n  opus\n  ocean"),
        ("/q<tab>", "/quit |"),
        ("/model o<tab>", "/model opus|"),
        ("/model o<enter>", "/model opus|"),
        ("/other un<tab>", "/other unique.txt|"),
        ("see @src/m<tab>", "see @src/main.rs |"),
        ("see @src/m<enter>", "see @src/main.rs |"),
        ("see @my<tab>", "see @\"my file.txt\" |"),
        ("see @my d<left>", "see @my |d"),
        ("see @\"my d<tab>", "see @\"my dir/|\"\n→ my dir/\n  my dir/a b"),
        ("see @\"my d<tab><down><tab>", "see @\"my dir/a b\" |"),
        ("fix #1<down><tab>", "fix #12 |"),
        ("un<tab>", "unique.txt|"),
        ("see my<tab><tab>", "see \"my dir/|\"\n→ my dir/\n  my dir/one"),
        ("src/l<tab>", "src/lib.rs|"),
        ("src/<tab><down><enter>", "src/main.rs|"),
        ("nothing<tab>", "nothing|"),
        ("/q<tab><ctrl+->", "/q|"),
    ] {
        let mut prompt = Prompt::new();
        prompt.play(script);
        assert_eq!(prompt.shown(), expected, "{script}");
    }
}

#[test]
fn enter_submits_commands_and_complete_arguments() {
    for (script, expected) in [
        ("/mo<enter>", Some("/model")),
        ("/mo<down><enter>", Some("/models")),
        ("/mo<escape><enter>", Some("/mo")),
        ("/model opus<enter>", Some("/model opus")),
        ("/model op<enter>", None),
        ("/model op<enter><enter>", Some("/model opus")),
        ("/mo<lf>", None),
        ("/theme li<enter>", Some("/theme light")),
        ("/theme li<down><enter>", Some("/theme lime")),
        ("see @src/main.rs<enter>", None),
    ] {
        let outcome = Prompt::new().play(script);
        let submitted = matches!(&outcome, EditorOutcome::Submit(_)).then_some(&outcome);
        let expected = expected.map(|text| EditorOutcome::Submit(text.to_owned()));
        assert_eq!(submitted, expected.as_ref(), "{script}");
    }
}

#[test]
fn late_answers_are_dropped() {
    let Prompt { mut editor, mut completion } = Prompt::new();
    let item =
        |value: &str| vec![CompletionItem { value: value.to_owned(), label: value.to_owned(), description: None }];
    let play = |editor: &mut Editor, completion: &mut Completion, script: &str| {
        for input in inputs(script) {
            completion.handle(editor, &input, &Keymap::default());
        }
        completion.take_request()
    };
    let first = play(&mut editor, &mut completion, "@a").unwrap();
    assert_eq!((first.kind.clone(), first.prefix.as_str(), first.range.clone()), (CompletionKind::File, "a", 0..2));
    let second = play(&mut editor, &mut completion, "b").unwrap();
    assert!(!completion.answer(&mut editor, first.id, item("a.rs")) && !completion.is_open());
    assert!(completion.answer(&mut editor, second.id, item("ab.rs")) && completion.is_open());
    assert!(!completion.answer(&mut editor, second.id, item("again.rs")));
    // A list that is about another text by now writes nothing.
    editor.set_text("other");
    assert_eq!(play(&mut editor, &mut completion, "<tab>"), None);
    assert_eq!((editor.text().as_str(), completion.is_open()), ("other", false));
    // Nor does an answer whose text was changed by somebody else, or was left.
    let third = play(&mut editor, &mut completion, "<tab>").unwrap();
    editor.insert("!");
    assert!(!completion.answer(&mut editor, third.id, item("other.rs")));
    let fourth = play(&mut editor, &mut completion, " @x").unwrap();
    assert_eq!(play(&mut editor, &mut completion, " "), None);
    assert!(!completion.answer(&mut editor, fourth.id, item("x.rs")) && !completion.is_open());
}

proptest! {
    #[test]
    fn any_keys_keep_ranges_and_cursor_valid(
        script in prop::collection::vec(prop::sample::select(vec![
            "/", "mo", "@", "s", "my ", "\"", "'", " ", "é", "#1", "<tab>", "<enter>", "<lf>", "<up>", "<down>", "<left>",
            "<right>", "<backspace>", "<escape>", "<ctrl+w>", "<ctrl+->", "<home>", "<end>", "<paste:@src/m>",
        ]), 0..30),
        columns in 1..50u16,
    ) {
        let mut prompt = Prompt::new();
        for step in script {
            for input in inputs(step) {
                prompt.completion.handle(&mut prompt.editor, &input, &Keymap::default());
                while let Some(request) = prompt.completion.take_request() {
                    let Position { line, byte } = prompt.editor.cursor();
                    let word = &prompt.editor.line(line)[request.range.clone()];
                    prop_assert!(word.ends_with(&request.prefix) && request.range.end == byte, "{request:?}");
                    prompt.completion.answer(&mut prompt.editor, request.id, found(&request));
                }
            }
            prop_assert!(prompt.completion.rows(columns, 2).iter().all(|row| row.width() <= columns));
            prompt.shown();
        }
    }
}
