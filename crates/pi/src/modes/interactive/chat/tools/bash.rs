//! `bash`.

use pi_tui::text::Line;
use serde_json::Value;

use super::Drawing;

/// So many rows of output are shown.
const ROWS: usize = 5;

pub(super) fn lines(call: &Drawing<'_>) -> Vec<Line> {
    let mut lines = head(call);
    let mut output = call.output_lines();
    let log = call.output.and_then(|output| output.details.as_ref()?.get("fullOutputPath")?.as_str());
    let notice = log.map(|log| take_notice(&mut output, log).unwrap_or_else(|| format!("[Full output: {log}]")));
    if !output.is_empty() {
        lines.push(Line::new());
        lines.extend(super::preview::last(call, output, ROWS));
    }
    if call.shared.is_expanded() {
        lines.extend(notice.map(|notice| Line::styled(notice, call.look.warning())));
    }
    if let Some(elapsed) = call.elapsed_ms {
        let word = if call.is_finished { "Took" } else { "Elapsed" };
        lines.push(Line::new());
        lines.push(Line::styled(format!("{word} {:.1}s", elapsed as f64 / 1000.0), call.look.muted()));
    }
    lines
}

/// Takes the line from the end of an output that says where the rest of it is: that is no output, and rows are few.
fn take_notice(output: &mut Vec<Line>, log: &str) -> Option<String> {
    let notice = output.last()?.text();
    if !(notice.starts_with('[') && notice.ends_with(']') && notice.contains(log)) {
        return None;
    }
    output.pop();
    while output.last().is_some_and(|line| line.text().is_empty()) {
        output.pop();
    }
    Some(notice)
}

fn head(call: &Drawing<'_>) -> Vec<Line> {
    let command = match call.arguments.get("command") {
        Some(Value::String(command)) => command.as_str(),
        None | Some(Value::Null) => "...",
        Some(_) => return vec![Line::styled("$ ", call.title()).and("[invalid]", call.look.error())],
    };
    let mut lines: Vec<Line> = format!("$ {command}").lines().map(|line| Line::styled(line, call.title())).collect();
    if let Some(seconds) = call.arguments.get("timeout").filter(|value| value.is_number())
        && let Some(last) = lines.last_mut()
    {
        last.push(&format!(" (timeout {seconds}s)"), call.look.muted());
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_tells_of_the_log_is_no_output() {
        let taken = |text: &str| {
            let mut lines: Vec<Line> = text.split('\n').map(Line::from).collect();
            let notice = take_notice(&mut lines, "/tmp/log");
            (lines.iter().map(Line::text).collect::<Vec<_>>().join("\n"), notice)
        };
        let notice = "[These are lines 2-3 of 3. Full output: /tmp/log]";
        assert_eq!(taken(&format!("two\nthree\n\n{notice}")), ("two\nthree".to_owned(), Some(notice.to_owned())));
        assert_eq!(taken(notice), (String::new(), Some(notice.to_owned())));
        for output in ["two\nthree", "[Full output: /tmp/other]", "/tmp/log"] {
            assert_eq!(taken(output), (output.to_owned(), None));
        }
    }
}
