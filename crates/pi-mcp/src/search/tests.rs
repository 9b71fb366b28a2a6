//! How often the right tool is found: floors for the committed searches. Whoever changes the ranking raises them, or says why not.

use std::collections::HashMap;
use std::path::Path;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::{Index, SearchedTool};

/// Tools that one search loads by default.
const USUAL: usize = 5;

fn fixture<T: DeserializeOwned>(name: &str) -> Vec<T> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/mcp").join(name);
    let text = std::fs::read_to_string(path).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[derive(Deserialize)]
struct Server {
    server: String,
    description: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Tool {
    server: String,
    name: String,
    #[serde(default)]
    title: String,
    description: String,
    input_schema: Value,
}

/// Tools that can be found, with the names that searches of the fixtures have for them.
struct Tools {
    index: Index,
    names: Vec<String>,
}

impl Tools {
    fn read(tools: &str, servers: Option<&str>) -> Self {
        let servers = servers.map(fixture::<Server>).unwrap_or_default();
        let about: HashMap<_, _> = servers.into_iter().map(|server| (server.server, server.description)).collect();
        let searched = |tool: Tool| SearchedTool {
            about_server: about.get(&tool.server).cloned().unwrap_or_default(),
            server: tool.server,
            name: tool.name,
            title: tool.title,
            description: tool.description,
            schema: tool.input_schema,
        };
        let tools: Vec<SearchedTool> = fixture::<Tool>(tools).into_iter().map(searched).collect();
        let names = tools.iter().map(|tool| format!("{}.{}", tool.server, tool.name)).collect();
        Self { index: Index::new(&tools), names }
    }

    /// Checks that the usual number of tools has the right one in so many of a hundred searches.
    fn check(&self, what: &str, searches: &[(String, Vec<String>)], floor: usize) {
        let mut missed = Vec::new();
        let mut first = 0;
        for (query, wanted) in searches {
            assert!(wanted.iter().all(|name| self.names.contains(name)), "{query}: {wanted:?}");
            let found: Vec<&String> = self.index.search(query, USUAL).into_iter().map(|at| &self.names[at]).collect();
            match found.iter().position(|name| wanted.contains(name)) {
                Some(at) => first += usize::from(at == 0),
                None => missed.push(format!("{query}: {wanted:?} is not in {found:?}")),
            }
        }
        let right = searches.len() - missed.len();
        println!("{what}: {right} of {} among {USUAL}, {first} first", searches.len());
        assert!(right * 100 >= searches.len() * floor, "{what}: {right} of {}, {missed:#?}", searches.len());
    }
}

#[test]
fn the_right_tool_is_among_the_first_five() {
    #[derive(Deserialize)]
    struct Search {
        query: String,
        server: String,
        tool: String,
    }
    let searches = fixture::<Search>("queries.jsonl").into_iter();
    let searches: Vec<_> =
        searches.map(|search| (search.query, vec![format!("{}.{}", search.server, search.tool)])).collect();
    assert_eq!(searches.len(), 100);
    Tools::read("tools.jsonl", None).check("committed", &searches, 97);
}

#[test]
fn searches_of_all_kinds_find_the_right_tool() {
    #[derive(Deserialize)]
    struct Search {
        kind: String,
        query: String,
        tools: Vec<String>,
    }
    let tools = Tools::read("search/tools.jsonl", Some("search/servers.jsonl"));
    for (half, floors) in [
        ("tuned", &[("natural", 90), ("keyword", 98), ("mixed", 98), ("everyday", 90)][..]),
        ("checked", &[("natural", 80), ("keyword", 98), ("mixed", 98)]),
    ] {
        let searches: Vec<Search> = fixture(&format!("search/{half}.jsonl"));
        for (kind, floor) in floors {
            let of_kind = searches.iter().filter(|search| search.kind == *kind);
            let of_kind: Vec<_> = of_kind.map(|search| (search.query.clone(), search.tools.clone())).collect();
            assert!(of_kind.len() >= 50, "{half} {kind}");
            tools.check(&format!("{half} {kind}"), &of_kind, *floor);
        }
    }
}
