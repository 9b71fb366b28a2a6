//! One sample for each language of the table: what is coloured, and what is not.

use pi_highlight::{Class, Language, State};

/// The lines with tokens in brackets: `c` comment, `s` string, `n` number, `k` keyword.
fn marked(language: Language, code: &str) -> String {
    let mut state = State::default();
    let mut lines = Vec::new();
    for line in code.split('\n') {
        let mut out = String::new();
        language.scan_line(&mut state, line, |span| match span.class {
            Class::Plain => out.push_str(span.text),
            Class::Comment => out.push_str(&format!("[c {}]", span.text)),
            Class::String => out.push_str(&format!("[s {}]", span.text)),
            Class::Number => out.push_str(&format!("[n {}]", span.text)),
            Class::Keyword => out.push_str(&format!("[k {}]", span.text)),
        });
        lines.push(out);
    }
    lines.join("\n")
}

#[rustfmt::skip]
const SAMPLES: &[(&str, &str, &str)] = &[
    ("rust", "/* a\nb */ fn f<'a>(c: char) { 'x' }", "[c /* a]\n[c b */] [k fn] f<'a>(c: char) { [s 'x'] }"),
    ("typescript", "const a = `x\n${y}`; // z", "[k const] a = [s `x]\n[s ${y}`]; [c // z]"),
    ("python", "def f():\n  \"\"\"a\n  b\"\"\" # c", "[k def] f():\n  [s \"\"\"a]\n[s   b\"\"\"] [c # c]"),
    ("bash", "if [ $# -gt 2 ]; then echo 'a' # b", "[k if] [ $# -gt [n 2] ]; [k then] [k echo] [s 'a'] [c # b]"),
    ("make", "ifeq ($(A),1) # a", "[k ifeq] ($(A),[n 1]) [c # a]"),
    ("dockerfile", "FROM alpine AS base # a", "[k FROM] alpine [k AS] base [c # a]"),
    ("cmake", "if(NOT A) # a", "[k if]([k NOT] A) [c # a]"),
    ("cpp", "auto a = 0x1f; /* b", "[k auto] a = [n 0x1f]; [c /* b]"),
    ("go", "func f() { a := `b", "[k func] f() { a := [s `b]"),
    ("java", "String a = \"\"\"\n  b\"\"\"; // c", "String a = [s \"\"\"]\n[s   b\"\"\"]; [c // c]"),
    ("kotlin", "fun f(a: Int) = when (a) { else -> 'b' }", "[k fun] f(a: Int) = [k when] (a) { [k else] -> [s 'b'] }"),
    ("scala", "def f: 'a = match 'b'", "[k def] f: 'a = [k match] [s 'b']"),
    ("groovy", "def a = '''b\nc'''", "[k def] a = [s '''b]\n[s c''']"),
    ("csharp", "var a = await b; // c", "[k var] a = [k await] b; [c // c]"),
    ("swift", "guard let a = b else { return \"c\" }", "[k guard] [k let] a = b [k else] { [k return] [s \"c\"] }"),
    ("dart", "final a = 'b'; // c", "[k final] a = [s 'b']; [c // c]"),
    ("php", "$a = null; # b\nforeach // c", "$a = [k null]; [c # b]\n[k foreach] [c // c]"),
    ("zig", "const a = try b(); // c", "[k const] a = [k try] b(); [c // c]"),
    ("proto", "message A { optional string b = 1; }", "[k message] A { [k optional] [k string] b = [n 1]; }"),
    ("solidity", "contract A { uint256 a; }", "[k contract] A { [k uint256] a; }"),
    ("graphql", "type A { a: [B!] } # c", "[k type] A { a: [B!] } [c # c]"),
    ("ruby", "=begin\na\n=end\ndef a", "[c =begin]\n[c a]\n[c =end]\n[k def] a"),
    ("elixir", "defmodule A do # b", "[k defmodule] A [k do] [c # b]"),
    ("erlang", "f() -> receive \"a\" end. % b", "f() -> [k receive] [s \"a\"] [k end]. [c % b]"),
    ("perl", "my $a = 'b'; # c", "[k my] $a = [s 'b']; [c # c]"),
    ("r", "f <- function(x) NULL # a", "f <- [k function](x) [k NULL] [c # a]"),
    ("julia", "#= a\nb =# function f end", "[c #= a]\n[c b =#] [k function] f [k end]"),
    ("nim", "proc f() = #[ a ]# discard", "[k proc] f() = [c #[ a ]#] [k discard]"),
    ("nix", "let a = ''b\nc''; in a", "[k let] a = [s ''b]\n[s c'']; [k in] a"),
    ("sql", "SELECT 'a' /* b */ -- c", "[k SELECT] [s 'a'] [c /* b */] [c -- c]"),
    ("lua", "local a = 'b' --[[ c\nd ]] end", "[k local] a = [s 'b'] [c --[[ c]\n[c d ]]] [k end]"),
    ("haskell", "let f' = 'a' {- b -} in c -- d", "[k let] f' = [s 'a'] [c {- b -}] [k in] c [c -- d]"),
    ("ocaml", "let f (x : 'a) = (* b *) \"c\"", "[k let] f (x : 'a) = [c (* b *)] [s \"c\"]"),
    ("fsharp", "let f x = // a", "[k let] f x = [c // a]"),
    ("clojure", "(defn f [x] 'a) ; b", "([k defn] f [x] 'a) [c ; b]"),
    ("powershell", "<# a #> ForEach ($b in $c) {} # d", "[c <# a #>] [k ForEach] ($b [k in] $c) {} [c # d]"),
    ("bat", "REM a\nIF exist b goto c", "[c REM a]\n[k IF] [k exist] b [k goto] c"),
    ("vb", "Dim a As String ' b", "[k Dim] a [k As] [k String] [c ' b]"),
    ("pascal", "begin { a } b := 'c'; // d", "[k begin] [c { a }] b := [s 'c']; [c // d]"),
    ("ada", "procedure A is -- b", "[k procedure] A [k is] [c -- b]"),
    ("verilog", "module a(input b); // c 8'hff", "[k module] a([k input] b); [c // c 8'hff]"),
    ("fortran", "SUBROUTINE a ! b", "[k SUBROUTINE] a [c ! b]"),
    ("matlab", "function a = b' % c", "[k function] a = b' [c % c]"),
    ("latex", "50\\% of it % a", "[n 50]\\% of it [c % a]"),
    ("asm", "mov r0, #1 ; a", "mov r0, #[n 1] [c ; a]"),
    ("vim", "let a = 'b' \" c", "[k let] a = [s 'b'] [c \" c]"),
    ("tcl", "set a \"b\" # c", "[k set] a [s \"b\"] [c # c]"),
    ("css", "a { b: none; /* c\nd */ }", "a { b: [k none]; [c /* c]\n[c d */] }"),
    ("html", "<a\nb='c'>d<!-- e\n-->", "[k <a]\nb=[s 'c']>d[c <!-- e]\n[c -->]"),
    ("json", "{\"a\": [1, true]}", "{[s \"a\"]: [[n 1], [k true]]}"),
    ("yaml", "a: yes # b", "a: [k yes] [c # b]"),
    ("toml", "a = 'b' # c", "a = [s 'b'] [c # c]"),
];

#[test]
fn samples() {
    for (name, code, expected) in SAMPLES {
        let language = Language::by_name(name).unwrap_or_else(|| panic!("{name} is unknown"));
        assert_eq!(marked(language, code), *expected, "{name}");
    }
}
