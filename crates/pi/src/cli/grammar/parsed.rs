//! A command line as JSON: what `parseArgs` gives to scripts.

use serde_json::{Map, Value, json};

use super::scan::{CommandLine, scan};

/// Reads the words as the program does.
pub(in crate::cli) fn parsed(words: Vec<String>) -> Value {
    to_json(scan(words))
}

/// What was said; what was not is left out.
fn to_json(line: CommandLine) -> Value {
    let mut said = Map::new();
    let (thinking, warning) = match line.args.thinking_level() {
        Some(Err(warning)) => (None, Some(warning)),
        level => (level.and_then(Result::ok).map(|level| level.as_str().to_owned()), None),
    };
    let texts = texts(&line, thinking);
    said.extend(texts.into_iter().filter_map(|(name, text)| Some((name.to_owned(), text?.into()))));
    let given = switches(&line).into_iter().filter(|(_, is_given)| *is_given);
    said.extend(given.map(|(name, _)| (name.to_owned(), Value::Bool(true))));
    let lists = lists(&line).into_iter().filter_map(|(name, list)| Some((name.to_owned(), json!(list?))));
    said.extend(lists);
    said.extend(line.approval.map(|approval| ("projectTrustOverride".to_owned(), approval.into())));
    if line.args.list_models {
        said.insert("listModels".to_owned(), line.model_search.map_or(Value::Bool(true), Value::from));
    }
    let flags =
        line.unknown_flags.into_iter().map(|flag| json!([flag.name, flag.value.map_or(json!(true), Value::from)]));
    said.insert("unknownFlags".to_owned(), flags.collect());
    said.insert("messages".to_owned(), line.args.messages.into());
    said.insert("fileArgs".to_owned(), line.files.into());
    let errors = line.errors.into_iter().map(|message| json!({"type": "error", "message": message}));
    let warnings = warning.into_iter().map(|message| json!({"type": "warning", "message": message}));
    said.insert("diagnostics".to_owned(), errors.chain(warnings).collect());
    said.into()
}

fn texts(line: &CommandLine, thinking: Option<String>) -> Vec<(&'static str, Option<String>)> {
    let args = &line.args;
    let mode = args.mode.clone().filter(|mode| ["text", "json", "rpc"].contains(&mode.as_str()));
    vec![
        ("provider", args.provider.clone()),
        ("model", args.model.clone()),
        ("apiKey", args.api_key.clone()),
        ("systemPrompt", args.system_prompt.clone()),
        ("thinking", thinking),
        ("mode", mode),
        ("name", args.name.clone()),
        ("session", args.session.clone()),
        ("sessionId", args.session_id.clone()),
        ("fork", args.fork.clone()),
        ("sessionDir", args.session_dir.clone()),
        ("export", args.export.clone()),
    ]
}

fn switches(line: &CommandLine) -> Vec<(&'static str, bool)> {
    let args = &line.args;
    vec![
        ("continue", args.r#continue),
        ("resume", args.resume),
        ("help", args.help),
        ("version", args.version),
        ("noSession", args.no_session),
        ("noTools", args.no_tools),
        ("noBuiltinTools", args.no_builtin_tools),
        ("noExtensions", args.no_extensions),
        ("print", args.print),
        ("noSkills", args.no_skills),
        ("noPromptTemplates", args.no_prompt_templates),
        ("noThemes", args.no_themes),
        ("noContextFiles", args.no_context_files),
        ("offline", args.offline),
        ("verbose", args.verbose),
    ]
}

fn lists(line: &CommandLine) -> Vec<(&'static str, Option<Vec<String>>)> {
    let args = &line.args;
    let names = |list: &Option<String>| {
        let names = list.as_ref()?.split(',').map(str::trim).filter(|name| !name.is_empty());
        Some(names.map(ToOwned::to_owned).collect())
    };
    let several = |list: &[String]| (!list.is_empty()).then(|| list.to_vec());
    let paths = |list: &[std::path::PathBuf]| {
        several(&list.iter().map(|path| path.to_string_lossy().into_owned()).collect::<Vec<_>>())
    };
    vec![
        ("appendSystemPrompt", several(&args.append_system_prompt)),
        ("models", names(&args.models)),
        ("tools", names(&args.tools)),
        ("excludeTools", names(&args.exclude_tools)),
        ("extensions", several(&args.extension)),
        ("skills", paths(&args.skill)),
        ("promptTemplates", paths(&args.prompt_template)),
        ("themes", paths(&args.theme)),
    ]
}

#[cfg(test)]
mod tests {
    use super::parsed;

    /// What the reference makes of the same words, apart from a value option at the very end, which here is an error.
    const LINES: &[(&[&str], &str)] = &[
        (
            &[
                "-p",
                "hi",
                "@f",
                "--model",
                "a/b:high",
                "--thinking",
                "low",
                "--tools",
                "read,,bash , x",
                "--no-session",
                "--foo",
                "bar",
                "--baz",
                "--mode",
                "json",
            ],
            r#"{"model":"a/b:high","thinking":"low","mode":"json","noSession":true,"print":true,"tools":["read","bash","x"],"unknownFlags":[["foo","bar"],["baz",true]],"messages":["hi"],"fileArgs":["f"],"diagnostics":[]}"#,
        ),
        (
            &["--mode", "zzz", "--thinking", "no", "--models", "a, b", "-e", "x", "-e", "y"],
            r#"{"models":["a","b"],"extensions":["x","y"],"unknownFlags":[],"messages":[],"fileArgs":[],"diagnostics":[{"type":"warning","message":"Invalid thinking level \"no\". Valid values: off, minimal, low, medium, high, xhigh, max"}]}"#,
        ),
        (
            &["--list-models", "--append-system-prompt", "a", "--append-system-prompt", "b"],
            r#"{"appendSystemPrompt":["a","b"],"listModels":true,"unknownFlags":[],"messages":[],"fileArgs":[],"diagnostics":[]}"#,
        ),
        (
            &[
                "--foo=bar",
                "-z",
                "--approve",
                "--no-approve",
                "--list-models",
                "x",
                "--verbose",
                "--offline",
                "--api-key",
                "k",
                "-c",
                "-r",
                "-h",
                "-v",
                "-nt",
                "-xt",
                "a",
                "-nbt",
                "-ne",
                "-ns",
                "-np",
                "-nc",
                "--export",
                "o",
                "--skill",
                "s",
                "--prompt-template",
                "p",
                "--theme",
                "t",
                "--no-themes",
                "--session-id",
                "i",
                "--fork",
                "f",
                "--session-dir",
                "d",
                "--name",
                "n",
                "-t",
                "",
            ],
            r#"{"apiKey":"k","name":"n","sessionId":"i","fork":"f","sessionDir":"d","export":"o","continue":true,"resume":true,"help":true,"version":true,"noTools":true,"noBuiltinTools":true,"noExtensions":true,"noSkills":true,"noPromptTemplates":true,"noThemes":true,"noContextFiles":true,"offline":true,"verbose":true,"tools":[],"excludeTools":["a"],"skills":["s"],"promptTemplates":["p"],"themes":["t"],"projectTrustOverride":false,"listModels":"x","unknownFlags":[["foo","bar"]],"messages":[],"fileArgs":[],"diagnostics":[{"type":"error","message":"Unknown option: -z"}]}"#,
        ),
        (
            &["--model"],
            r#"{"unknownFlags":[],"messages":[],"fileArgs":[],"diagnostics":[{"type":"error","message":"Unknown option: --model\n--model needs a value behind it"}]}"#,
        ),
    ];

    #[test]
    fn a_command_line_is_read_as_the_reference_reads_it() {
        for (words, expected) in LINES {
            let words = words.iter().map(|&word| word.to_owned()).collect();
            assert_eq!(parsed(words).to_string(), *expected);
        }
    }
}
