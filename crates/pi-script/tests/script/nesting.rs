//! Source that is nested without end, in every construct, through every door: it runs, or it fails with an error; the
//! program goes on. The long form is `.ci/long nesting`.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use pi_script::{Engine, EngineOptions, Error, Limits};
use pi_test_kit::scale;

/// What is in front, what opens a level, what is inside, what closes a level, what is behind.
type Construct = (&'static str, [&'static str; 5]);

const JAVASCRIPT: &[Construct] = &[
    ("parentheses", ["x=", "(", "1", ")", ";"]),
    ("arrays", ["x=", "[", "1", "]", ";"]),
    ("blocks", ["", "{", "", "}", ""]),
    ("objects", ["x=", "{a:", "1", "}", ";"]),
    ("functions", ["", "function f(){", "", "}", ""]),
    ("function expressions", ["x=", "function(){return ", "1", "}", ";"]),
    ("arrows", ["x=", "()=>", "1", "", ";"]),
    ("async arrows", ["x=", "async()=>", "1", "", ";"]),
    ("called arrows", ["x=", "(()=>", "1", ")()", ";"]),
    ("not", ["x=", "!", "1", "", ";"]),
    ("minus", ["x=", "- ", "1", "", ";"]),
    ("typeof", ["x=", "typeof ", "1", "", ";"]),
    ("plus", ["x=1", "+1", "", "", ";"]),
    ("minus and parentheses", ["x=", "(1-", "1", ")", ";"]),
    ("and", ["x=1", "&&1", "", "", ";"]),
    ("nullish", ["x=a", "??a", "", "", ";"]),
    ("power", ["x=1", "**1", "", "", ";"]),
    ("comma", ["x=(1", ",1", "", "", ");"]),
    ("ternary behind", ["x=", "a?b:", "c", "", ";"]),
    ("ternary between", ["x=", "a?", "b", ":c", ";"]),
    ("assignments", ["", "a=", "1", "", ";"]),
    ("templates", ["x=", "`${", "1", "}`", ";"]),
    ("tagged templates", ["x=a", "``", "", "", ";"]),
    ("optional chains", ["x=a", "?.b", "", "", ";"]),
    ("members", ["x=a", ".b", "", "", ";"]),
    ("calls of calls", ["x=a", "()", "", "", ";"]),
    ("calls in calls", ["x=", "f(", "1", ")", ";"]),
    ("indexes", ["x=a", "[0]", "", "", ";"]),
    ("new", ["x=", "new ", "a", "", ";"]),
    ("if", ["", "if(a)", "b", "", ";"]),
    ("if on lines", ["", "if(a)\n", "b", "", ";"]),
    ("else if", ["", "if(a)b;else ", "c", "", ";"]),
    ("else if with blocks", ["", "if(a){}else ", "c", "", ";"]),
    ("while", ["", "while(a)", "b", "", ";"]),
    ("for", ["", "for(;a;)", "b", "", ";"]),
    ("do", ["", "do ", "b;", "while(a);", ""]),
    ("try", ["", "try{", "", "}catch{}", ""]),
    ("switch", ["", "switch(a){case 1:", "", "}", ""]),
    ("classes", ["", "class A{m(){", "", "}}", ""]),
    ("class expressions", ["x=", "class{static a=", "1", "}", ";"]),
    ("class heritage", ["x=", "class extends ", "a", "{}", ";"]),
    ("destructured arrays", ["let ", "[", "a", "]", "=x;"]),
    ("destructured objects", ["let ", "{a:", "b", "}", "=x;"]),
    ("default parameters", ["x=", "(a=", "1", ")=>1", ";"]),
    ("spread", ["x=[", "...[", "1", "]", "];"]),
    ("await", ["", "await ", "1", "", ";"]),
    ("yield", ["function*f(){", "yield ", "1", "", "}"]),
    ("imports", ["x=()=>", "import(", "1", ")", ";"]),
    ("comments", ["", "/*(*/", "", "/*)*/", ""]),
    ("regular expressions", ["x=()=>/", "(", "a", ")", "/;"]),
    ("statements", ["", "a=1;\n", "", "", ""]),
    ("declarations", ["let x0", ",x=1", "", "", ";"]),
    ("unclosed parentheses", ["x=", "(", "", "", ""]),
    ("unclosed templates", ["x=", "`${", "", "", ""]),
    ("unopened brackets", ["x=", "", "1", "]", ""]),
];

const TYPESCRIPT: &[Construct] = &[
    ("generics", ["type T=", "A<", "B", ">", ";"]),
    ("generics with commas", ["type T=", "A<x,", "B", ">", ";"]),
    ("array types", ["type T=A", "[]", "", "", ";"]),
    ("types in parentheses", ["type T=", "(", "A", ")", ";"]),
    ("function types", ["type T=", "()=>", "A", "", ";"]),
    ("conditional types", ["type T=", "A extends B?C:", "D", "", ";"]),
    ("unions", ["type T=A", "|A", "", "", ";"]),
    ("keyof", ["type T=", "keyof ", "A", "", ";"]),
    ("object types", ["type T=", "{a:", "A", "}", ";"]),
    ("indexed types", ["type T=A", "['a']", "", "", ";"]),
    ("tuples", ["type T=", "[", "A", "]", ";"]),
    ("type assertions", ["x=", "<T>", "1", "", ";"]),
    ("as", ["x=a", " as any", "", "", ";"]),
    ("satisfies", ["x=a", " satisfies A", "", "", ";"]),
    ("non-null", ["x=a", "!", "", "", ";"]),
    ("namespaces", ["", "namespace A{", "", "}", ""]),
    ("dotted namespaces", ["namespace A", ".A", "", "", "{export const x=1}"]),
    ("generic calls", ["x=", "f<A>(", "1", ")", ";"]),
    ("parameter types", ["x=", "(a:A)=>", "1", "", ";"]),
    ("infer", ["type T=", "A extends(infer U extends ", "B", ")?1:2", ";"]),
    ("decorators", ["", "class A{@a ", "x=1", "}", ";"]),
    ("many decorators", ["class A{", "@a ", "x=1", "", "}"]),
    ("enums", ["enum A{a=", "(", "1", ")", "}"]),
];

const MARKUP: &[Construct] = &[
    ("elements", ["x=", "<a>", "1", "</a>", ";"]),
    ("fragments", ["x=", "<>", "1", "</>", ";"]),
    ("attributes", ["x=", "<a b={", "1", "}/>", ";"]),
    ("expressions in elements", ["x=", "<a>{", "1", "}</a>", ";"]),
];

fn source([front, open, inside, close, behind]: &[&str; 5], depth: usize) -> String {
    format!("{front}{}{inside}{}{behind}", open.repeat(depth), close.repeat(depth))
}

fn depths() -> &'static [usize] {
    &[300, 100_000, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 200_000][..scale(2, 9)]
}

fn engine() -> Engine {
    let mut options = EngineOptions::new("nested");
    options.limits = Limits { turn: Duration::from_secs(600), ..Limits::default() };
    options.modules.add(
        "app:doors",
        "import { createRequire } from 'node:module'; const require = createRequire('/x.js');\n\
         export const importFile = async (file) => { await import(file); return 'ran'; };\n\
         export const requireFile = (file) => { require(file); return 'ran'; };\n\
         export const evaluate = (text) => { (0, eval)(text); return 'ran'; };\n\
         export const makeFunction = (text) => { new Function(text); return 'ran'; };\n\
         export const parse = (text) => { JSON.stringify(JSON.parse(text)); return 'ran'; };\n\
         export const match = (text) => { new RegExp(text).exec('a'.repeat(1000)); return 'ran'; };\n\
         export const alive = () => 'ran';",
    );
    Engine::start(options).unwrap()
}

/// Calls a door; whatever comes back, the engine answers the next call.
async fn call(engine: &Engine, door: &str, argument: &str) -> Result<String, String> {
    let arguments = vec![pi_script::Data::from(serde_json::json!(argument))];
    let answer = engine.call_export("app:doors", door, arguments).await;
    match answer {
        Ok(_) => Ok("ran".to_owned()),
        Err(Error::Script(error)) => Err(error.to_string()),
        Err(other) => panic!("{door}: {other}"),
    }
}

async fn files(kind: &str, constructs: &[Construct], door: &str, ends: &mut BTreeMap<&'static str, usize>) {
    let directory = tempfile::tempdir().unwrap();
    let engine = engine();
    for (name, parts) in constructs {
        for depth in depths() {
            // Translated, not run: what the engine makes of it is not the point.
            let text = format!("export {{}};\nif (globalThis.never) {{ }}\n{}", source(parts, *depth));
            let file = directory.path().join(format!("{}-{depth}.{kind}", name.replace(' ', "-")));
            std::fs::write(&file, text).unwrap();
            let path = file.to_str().unwrap();
            let answer = call(&engine, door, path).await;
            assert_eq!(call(&engine, "alive", "").await, Ok("ran".to_owned()), "{name} {depth}");
            let end = match &answer {
                Ok(_) => "ran",
                Err(error) if error.contains("nested too deeply") => {
                    assert!(error.contains(path), "the error names the file: {error}");
                    "too deep"
                }
                Err(_) => "failed",
            };
            *ends.entry(end).or_default() += 1;
            std::fs::remove_file(&file).unwrap();
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn no_file_is_nested_too_deeply_for_the_program() {
    let mut ends = BTreeMap::new();
    files("ts", JAVASCRIPT, "importFile", &mut ends).await;
    files("ts", TYPESCRIPT, "importFile", &mut ends).await;
    files("tsx", MARKUP, "importFile", &mut ends).await;
    files("cjs", &JAVASCRIPT[..scale(6, JAVASCRIPT.len())], "requireFile", &mut ends).await;
    println!("nested files: {}, {ends:?}", ends.values().sum::<usize>());
    assert!(ends.contains_key("too deep") && ends.contains_key("ran"), "{ends:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn no_text_is_nested_too_deeply_for_the_engine() {
    let engine = engine();
    let mut count = 0;
    for (name, parts) in JAVASCRIPT {
        for depth in depths() {
            let text = source(parts, *depth);
            for door in ["evaluate", "makeFunction"] {
                let _ = call(&engine, door, &text).await;
                assert_eq!(call(&engine, "alive", "").await, Ok("ran".to_owned()), "{name} {depth} {door}");
                count += 1;
            }
        }
    }
    for depth in depths() {
        for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
            let _ = call(&engine, "parse", &format!("{}1{}", open.repeat(*depth), close.repeat(*depth))).await;
        }
        for (open, close) in [("(", ")"), ("(?:", ")*"), ("(?=", ")"), ("a|", ""), ("[", "]"), ("(a*)*", "")] {
            let depth = (*depth).min(if open == "(a*)*" { 20 } else { 200_000 });
            let _ = call(&engine, "match", &format!("{}a{}", open.repeat(depth), close.repeat(depth))).await;
        }
        assert_eq!(call(&engine, "alive", "").await, Ok("ran".to_owned()));
        count += 8;
    }
    println!("nested texts: {count}");
}

/// Description files beside a module are read by others than the engine.
#[tokio::test(flavor = "multi_thread")]
async fn no_description_is_nested_too_deeply() {
    let directory = tempfile::tempdir().unwrap();
    let engine = engine();
    for depth in depths() {
        for name in ["package.json", "tsconfig.json", "data.json"] {
            let deep = format!("{}1{}", "{\"a\":".repeat(*depth), "}".repeat(*depth));
            std::fs::write(directory.path().join(name), deep).unwrap();
        }
        write(directory.path(), "leaf.ts", "export const a = 1;");
        write(directory.path(), "main.ts", "import { a } from './leaf';\nimport 'nowhere';\n");
        write(directory.path(), "json.ts", "import a from './data.json';\n");
        for file in ["main.ts", "json.ts"] {
            let _ = call(&engine, "importFile", directory.path().join(file).to_str().unwrap()).await;
            assert_eq!(call(&engine, "alive", "").await, Ok("ran".to_owned()), "{file} {depth}");
        }
    }
}

fn write(directory: &Path, name: &str, text: &str) {
    std::fs::write(directory.join(name), text).unwrap();
}
