//! Depths of sources, and that ordinary code is not taken for deep.

use super::scan::Depth;
use super::*;

fn depth(source: &str) -> Depth {
    Scan::new(source.as_bytes()).run()
}

/// Each nests once per repetition; what is in front and behind is not repeated.
const NESTING: &[(&str, &str, &str)] = &[
    ("parentheses", "(", ")"),
    ("arrays", "[", "]"),
    ("blocks", "{", "}"),
    ("binary", "1+", ""),
    ("and", "a && ", ""),
    ("unary", "!", ""),
    ("minus", "- ", ""),
    ("words", "typeof ", ""),
    ("ternary", "a ? b : ", ""),
    ("arrows", "() => ", ""),
    ("assignments", "a = ", ""),
    ("members", "a.", ""),
    ("calls", "f(", ")"),
    ("templates", "`${", "}`"),
    ("type arguments", "A<", ">"),
    ("type arguments with commas", "A<x, ", ">"),
    ("type assertions", "<T>", ""),
    ("else if", "if (a) b; else ", ""),
    ("else if with blocks", "if (a) { b } else ", ""),
    ("if on lines", "if (a)\n", ""),
    ("labels", "a: ", ""),
    ("functions", "function f() { ", "}"),
    ("comments between", "/* ( */ ! // [\n", ""),
    ("strings between", "'(' + ", ""),
];

#[test]
fn what_nests_is_counted() {
    for (name, open, close) in NESTING {
        let source = format!("x;{}y{}", open.repeat(1000), close.repeat(1000));
        let found = depth(&source).levels;
        assert!((1000..5000).contains(&found), "{name}: {found}");
    }
}

#[test]
fn what_follows_each_other_does_not_nest() {
    for line in [
        "const a = f(b, c) + d * (e - 1);\n",
        "a = f(b)\n",
        "if (a) { b() }\n",
        "if (a)\n  b()\n",
        "for (let i = 0; i < n; i++) g(i)\n",
        "function f(a: number): string { return `${a}` }\n",
        "export class A extends B { m(): void {} }\n",
        "foo(a, (b) => { c() })\n",
        "let x = /[(]'/.test(y)\n",
        "type T = { a: A<B>; b?: C | D }\n",
        "// it's (a) comment\n",
        "x = cond ? { a: 1, b: [2] } : null\n",
    ] {
        let found = depth(&line.repeat(5000));
        assert!(found.levels < 40, "{line:?}: {found:?}");
    }
    let object = format!("x = {{{}}}", "a: 1, 'b': f(c) + d, ".repeat(5000));
    assert!(depth(&object).levels < 40, "{:?}", depth(&object));
    let array = format!("x = [{}]", "-1, !0, g(1) || 2,\n".repeat(5000));
    assert!(depth(&array).levels < 40, "{:?}", depth(&array));
}

#[test]
fn too_deep_is_told_with_the_file() {
    let path = Path::new("/a/deep.ts");
    for source in ["(".repeat(100_000), "1+".repeat(100_000), "{".repeat(4_000), "A<".repeat(200_000)] {
        let error = stack_for(path, &source).unwrap_err().to_string();
        assert_eq!(error, "/a/deep.ts: nested too deeply; split it into smaller functions or statements");
    }
    assert!(stack_for(path, &"1+".repeat(20_000)).is_ok());
    assert_eq!(stack_for(path, "x").unwrap(), BASE_STACK);
}

#[test]
fn no_bytes_are_too_odd() {
    for source in ["`${`${`", "/*", "//", "'\\", "\"", "/[", "}}})))", "\u{2028}\u{1f600}", "`\\", "${", "<!--"] {
        for repeated in [1, 2, 3, 100] {
            let _ = depth(&source.repeat(repeated));
        }
    }
}
