//! The tools that the command line chooses, and names in its lists that no tool has.

use super::Startup;
use super::codemode;
use crate::cli::grammar::args::Args;
use crate::cli::grammar::suggest::nearest;
use pi_coding_agent::sdk::{CreateAgentSessionResult, ToolChange, ToolSelection};
use pi_coding_agent::tools::BuiltinTool;

/// What the options say.
///
/// # Errors
/// A sentence, when one list names tools and changes to the default ones.
pub(super) fn selection(args: &Args) -> Result<ToolSelection, String> {
    let list = |text: &String| -> Vec<String> {
        text.split(',').map(str::trim).filter(|name| !name.is_empty()).map(ToOwned::to_owned).collect()
    };
    let named = args.tools.as_ref().map(list);
    let mut selection = ToolSelection {
        exclude: args.exclude_tools.as_ref().map(list).unwrap_or_default(),
        no_builtin: args.no_builtin_tools,
        ..ToolSelection::default()
    };
    let changes: Vec<ToolChange> = named.iter().flatten().filter_map(|entry| ToolChange::parse(entry)).collect();
    if changes.is_empty() {
        selection.allow = named.or_else(|| args.no_tools.then(Vec::new));
    } else if let Some(plain) = named.iter().flatten().find(|entry| ToolChange::parse(entry).is_none()) {
        return Err(format!(
            "--tools mixes names and changes: \"{plain}\" stands for a list of exactly these tools, \"+name\" and \"-name\" change the default ones. Use either"
        ));
    } else if args.no_tools {
        selection.allow = Some(added(&changes));
    } else {
        selection.changes = changes;
    }
    Ok(selection)
}

/// What changes make of no tools at all.
fn added(changes: &[ToolChange]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for change in changes {
        match change {
            ToolChange::Add(name) => names.push(name.clone()),
            ToolChange::Remove(name) => names.retain(|added| added != name),
        }
    }
    names
}

impl Startup {
    /// Says which names no tool has, and what was probably meant, in one warning.
    pub(super) fn report_unknown_tools(&mut self, created: &CreateAgentSessionResult) {
        let tools = created.session.tools().all();
        let builtin = BuiltinTool::ALL.iter().map(|tool| tool.name());
        let known: Vec<&str> = builtin.chain(tools.iter().map(|tool| tool.name.as_str())).collect();
        let meant = |name: &String| nearest(name, known.iter().copied());
        // Where it is not wanted, it is not there.
        let unknown: Vec<String> =
            created.unknown_tools.iter().filter(|name| !codemode::is_name(name)).cloned().collect();
        match unknown.as_slice() {
            [] => {}
            [name] => {
                let hint = meant(name).map(|near| format!("Did you mean {near}? ")).unwrap_or_default();
                self.diagnostics
                    .warning(format!("Unknown tool \"{name}\" is ignored. {hint}pi --help names the tools"));
            }
            names => {
                let hint = |name| meant(name).map(|near| format!(" (did you mean {near}?)")).unwrap_or_default();
                let listed: Vec<String> = names.iter().map(|name| format!("\"{name}\"{}", hint(name))).collect();
                self.diagnostics
                    .warning(format!("Unknown tools are ignored: {}. pi --help names the tools", listed.join(", ")));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(tools: &str, no_tools: bool) -> Result<(Option<Vec<String>>, usize), String> {
        let args = Args { tools: Some(tools.to_owned()), no_tools, ..Args::default() };
        selection(&args).map(|selection| (selection.allow, selection.changes.len()))
    }

    #[test]
    fn a_list_names_tools_or_changes_the_default_ones() {
        let names = |names: &[&str]| Some(names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>());
        assert_eq!(chosen("read, mcp__*", false), Ok((names(&["read", "mcp__*"]), 0)));
        assert_eq!(chosen("+grep,-bash", false), Ok((None, 2)));
        assert_eq!(chosen("+grep,+ls,-ls", true), Ok((names(&["grep"]), 0)));
        assert_eq!(chosen("", false), Ok((names(&[]), 0)));
        assert!(chosen("read,+grep", false).unwrap_err().contains("\"read\""));
    }
}
