//! Names, groups, schemas: what a model is told about the tools.

use pi_coding_agent::tools::{BuiltinTool, create_tool, create_tools};

use crate::support::Workbench;

#[test]
fn names_order_and_groups() {
    let names = |tools: &[BuiltinTool]| tools.iter().map(|tool| tool.name()).collect::<Vec<_>>();
    assert_eq!(names(BuiltinTool::ALL), ["read", "bash", "edit", "write", "grep", "find", "ls"]);
    assert_eq!(names(BuiltinTool::CODING), ["read", "bash", "edit", "write"]);
    assert_eq!(names(BuiltinTool::READ_ONLY), ["read", "grep", "find", "ls"]);
}

#[test]
fn tools_answer_to_their_names() {
    let options = Workbench::new().options;
    for (tool, kind) in create_tools(BuiltinTool::ALL, &options).iter().zip(BuiltinTool::ALL) {
        assert_eq!(tool.definition().name, kind.name());
        assert_eq!(tool.label(), kind.name());
        assert_eq!(tool.execution_mode(), None);
        assert_eq!(BuiltinTool::from_name(kind.name()).unwrap(), *kind);
    }
    assert_eq!(create_tool("grab", &options).unwrap_err().to_string(), "Unknown tool name: grab");
}

#[test]
fn definitions() {
    let tools = create_tools(BuiltinTool::ALL, &Workbench::new().options);
    let definitions: Vec<_> = tools.iter().map(|tool| tool.definition().clone()).collect();
    insta::assert_snapshot!(serde_json::to_string_pretty(&definitions).unwrap());
}

#[test]
fn every_snippet_is_one_line() {
    for info in BuiltinTool::ALL.iter().map(|tool| tool.info()) {
        assert!(!info.snippet.is_empty() && !info.snippet.contains('\n'));
        assert!(info.guidelines.iter().all(|rule| rule.trim() == *rule && !rule.is_empty()));
    }
}
