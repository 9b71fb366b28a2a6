//! The rows of the table of languages, by family.
//!
//! What is not a matter of comments, quotes and keywords has no place here. Languages that are told apart by nothing of that
//! share a row.

use super::Rules;

const C_LIKE: Rules = Rules {
    names: &[],
    line_comments: &["//"],
    block_comments: &[("/*", "*/")],
    quotes: &["\"", "'"],
    lifetimes: false,
    markup: false,
    any_case: false,
    keywords: &[],
};

const HASHED: Rules = Rules { line_comments: &["#"], block_comments: &[], ..C_LIKE };

/// All languages.
#[rustfmt::skip]
pub(crate) static LANGUAGES: &[Rules] = &[
    Rules {
        names: &["rust", "rs"],
        lifetimes: true,
        keywords: &[
            "Err", "None", "Ok", "Self", "Some", "as", "async", "await", "break", "const", "continue", "crate", "dyn",
            "else", "enum", "extern", "false", "fn", "for", "if", "impl", "in", "let", "loop", "match", "mod", "move",
            "mut", "pub", "ref", "return", "self", "static", "struct", "super", "trait", "true", "type", "unsafe",
            "use", "where", "while",
        ],
        ..C_LIKE
    },
    Rules {
        names: &["javascript", "js", "jsx", "mjs", "cjs", "typescript", "ts", "tsx", "mts", "cts"],
        quotes: &["\"", "'", "`"],
        keywords: &[
            "abstract", "accessor", "any", "as", "async", "await", "boolean", "break", "case", "catch", "class",
            "const", "continue", "debugger", "declare", "default", "delete", "do", "else", "enum", "export",
            "extends", "false", "finally", "for", "from", "function", "get", "if", "implements", "import", "in",
            "infer", "instanceof", "interface", "keyof", "let", "namespace", "new", "null", "number", "of",
            "override", "private", "protected", "public", "readonly", "return", "satisfies", "set", "static",
            "string", "super", "switch", "this", "throw", "true", "try", "type", "typeof", "undefined", "unknown",
            "using", "var", "void", "while", "with", "yield",
        ],
        ..C_LIKE
    },
    Rules {
        names: &["python", "py", "pyi", "pyw", "python3", "starlark", "bzl"],
        quotes: &["\"\"\"", "'''", "\"", "'"],
        keywords: &[
            "False", "None", "True", "and", "as", "assert", "async", "await", "break", "case", "class", "continue",
            "def", "del", "elif", "else", "except", "finally", "for", "from", "global", "if", "import", "in", "is",
            "lambda", "match", "nonlocal", "not", "or", "pass", "raise", "return", "self", "try", "while", "with",
            "yield",
        ],
        ..HASHED
    },
    Rules {
        names: &["bash", "sh", "shell", "zsh", "fish", "console", "ksh", "shellscript"],
        quotes: &["\"", "'", "`"],
        keywords: &[
            "alias", "begin", "break", "case", "continue", "declare", "do", "done", "echo", "elif", "else", "end",
            "esac", "eval", "exec", "exit", "export", "fi", "for", "function", "if", "in", "local", "readonly",
            "return", "select", "set", "shift", "source", "then", "time", "trap", "unset", "until", "while",
        ],
        ..HASHED
    },
    Rules {
        names: &["make", "makefile", "mk"],
        keywords: &[
            "define", "else", "endef", "endif", "export", "ifdef", "ifeq", "ifndef", "ifneq", "include", "override",
            "undefine", "unexport", "vpath",
        ],
        ..HASHED
    },
    Rules {
        names: &["dockerfile", "docker", "containerfile"],
        any_case: true,
        keywords: &[
            "add", "arg", "as", "cmd", "copy", "entrypoint", "env", "expose", "from", "healthcheck", "label",
            "onbuild", "run", "shell", "stopsignal", "user", "volume", "workdir",
        ],
        ..HASHED
    },
    Rules {
        names: &["cmake"],
        quotes: &["\""],
        any_case: true,
        keywords: &[
            "add_executable", "add_library", "and", "break", "cmake_minimum_required", "continue", "else", "elseif",
            "endforeach", "endfunction", "endif", "endmacro", "endwhile", "exists", "find_package", "foreach",
            "function", "if", "in", "include", "install", "interface", "macro", "matches", "message", "not", "off",
            "on", "option", "or", "private", "project", "public", "return", "set", "strequal",
            "target_link_libraries", "while",
        ],
        ..HASHED
    },
    Rules {
        names: &[
            "c", "h", "cpp", "c++", "cc", "cxx", "hpp", "hh", "hxx", "objc", "objective-c", "objectivec", "m", "mm",
            "cuda", "cu", "glsl", "hlsl", "metal", "arduino", "ino",
        ],
        keywords: &[
            "NO", "NULL", "YES", "alignas", "and", "auto", "bool", "break", "case", "catch", "char", "char16_t",
            "char32_t", "class", "co_await", "co_return", "co_yield", "concept", "const", "consteval", "constexpr",
            "constinit", "continue", "decltype", "default", "delete", "do", "double", "else", "enum", "explicit",
            "export", "extern", "false", "final", "float", "for", "friend", "goto", "id", "if", "inline", "int",
            "int16_t", "int32_t", "int64_t", "int8_t", "long", "mutable", "namespace", "new", "nil", "noexcept",
            "not", "nullptr", "operator", "or", "override", "private", "protected", "public", "requires", "restrict",
            "return", "self", "short", "signed", "size_t", "sizeof", "static", "static_assert", "struct", "super",
            "switch", "template", "this", "thread_local", "throw", "true", "try", "typedef", "typename", "uint16_t",
            "uint32_t", "uint64_t", "uint8_t", "union", "unsigned", "using", "virtual", "void", "volatile", "while",
        ],
        ..C_LIKE
    },
    Rules {
        names: &["go", "golang"],
        quotes: &["\"", "'", "`"],
        keywords: &[
            "any", "bool", "break", "byte", "case", "chan", "const", "continue", "default", "defer", "else", "error",
            "fallthrough", "false", "float32", "float64", "for", "func", "go", "goto", "if", "import", "int", "int32",
            "int64", "interface", "iota", "map", "nil", "package", "range", "return", "rune", "select", "string",
            "struct", "switch", "true", "type", "uint", "uint32", "uint64", "uint8", "var",
        ],
        ..C_LIKE
    },
    Rules {
        names: &["java"],
        quotes: &["\"\"\"", "\"", "'"],
        keywords: &[
            "abstract", "assert", "boolean", "break", "byte", "case", "catch", "char", "class", "const", "continue",
            "default", "do", "double", "else", "enum", "extends", "false", "final", "finally", "float", "for", "if",
            "implements", "import", "instanceof", "int", "interface", "long", "native", "new", "null", "package",
            "permits", "private", "protected", "public", "record", "return", "sealed", "short", "static", "strictfp",
            "super", "switch", "synchronized", "this", "throw", "throws", "transient", "true", "try", "var", "void",
            "volatile", "when", "while", "yield",
        ],
        ..C_LIKE
    },
    Rules {
        names: &["kotlin", "kt", "kts"],
        quotes: &["\"\"\"", "\"", "'"],
        keywords: &[
            "abstract", "actual", "annotation", "as", "break", "by", "catch", "class", "companion", "const",
            "constructor", "continue", "data", "do", "else", "enum", "expect", "external", "false", "final",
            "finally", "for", "fun", "get", "if", "import", "in", "infix", "init", "inline", "inner", "interface",
            "internal", "is", "lateinit", "null", "object", "open", "operator", "out", "override", "package",
            "private", "protected", "public", "reified", "return", "sealed", "set", "super", "suspend", "tailrec",
            "this", "throw", "true", "try", "typealias", "val", "var", "vararg", "when", "where", "while",
        ],
        ..C_LIKE
    },
    Rules {
        names: &["scala", "sc", "sbt"],
        quotes: &["\"\"\"", "\"", "'"],
        lifetimes: true,
        keywords: &[
            "abstract", "case", "catch", "class", "def", "derives", "do", "else", "end", "enum", "export", "extends",
            "extension", "false", "final", "finally", "for", "forSome", "given", "if", "implicit", "import", "inline",
            "lazy", "match", "new", "null", "object", "opaque", "override", "package", "private", "protected",
            "return", "sealed", "super", "then", "this", "throw", "trait", "true", "try", "type", "using", "val",
            "var", "while", "with", "yield",
        ],
        ..C_LIKE
    },
    Rules {
        names: &["groovy", "gradle"],
        quotes: &["\"\"\"", "'''", "\"", "'"],
        keywords: &[
            "abstract", "as", "assert", "boolean", "break", "case", "catch", "class", "continue", "def", "default",
            "do", "else", "enum", "extends", "false", "final", "finally", "for", "if", "implements", "import", "in",
            "instanceof", "int", "interface", "new", "null", "package", "private", "protected", "public", "return",
            "static", "super", "switch", "this", "throw", "throws", "trait", "true", "try", "void", "while",
        ],
        ..C_LIKE
    },
    Rules {
        names: &["csharp", "cs", "c#"],
        quotes: &["\"\"\"", "\"", "'"],
        keywords: &[
            "abstract", "as", "async", "await", "base", "bool", "break", "byte", "case", "catch", "char", "checked",
            "class", "const", "continue", "decimal", "default", "delegate", "do", "double", "else", "enum", "event",
            "explicit", "extern", "false", "finally", "fixed", "float", "for", "foreach", "from", "get", "global",
            "goto", "if", "implicit", "in", "init", "int", "interface", "internal", "is", "join", "let", "lock",
            "long", "nameof", "namespace", "new", "not", "null", "object", "operator", "or", "orderby", "out",
            "override", "params", "partial", "private", "protected", "public", "readonly", "record", "ref",
            "required", "return", "sbyte", "sealed", "select", "set", "short", "sizeof", "stackalloc", "static",
            "string", "struct", "switch", "this", "throw", "true", "try", "typeof", "uint", "ulong", "unchecked",
            "unsafe", "ushort", "using", "value", "var", "virtual", "void", "volatile", "when", "where", "while",
            "with", "yield",
        ],
        ..C_LIKE
    },
    Rules {
        names: &["swift"],
        quotes: &["\"\"\"", "\""],
        keywords: &[
            "Any", "Self", "actor", "any", "as", "associatedtype", "async", "await", "break", "case", "catch",
            "class", "continue", "convenience", "default", "defer", "deinit", "do", "else", "enum", "extension",
            "fallthrough", "false", "fileprivate", "final", "for", "func", "get", "guard", "if", "import", "in",
            "indirect", "init", "inout", "internal", "is", "isolated", "lazy", "let", "mutating", "nil",
            "nonisolated", "open", "operator", "override", "private", "protocol", "public", "repeat", "required",
            "rethrows", "return", "self", "set", "some", "static", "struct", "subscript", "super", "switch", "throw",
            "throws", "true", "try", "typealias", "unowned", "var", "weak", "where", "while",
        ],
        ..C_LIKE
    },
    Rules {
        names: &["dart"],
        quotes: &["\"\"\"", "'''", "\"", "'"],
        keywords: &[
            "abstract", "as", "assert", "async", "await", "base", "bool", "break", "case", "catch", "class", "const",
            "continue", "covariant", "default", "deferred", "do", "double", "dynamic", "else", "enum", "export",
            "extends", "extension", "external", "factory", "false", "final", "finally", "for", "get", "hide", "if",
            "implements", "import", "in", "int", "interface", "is", "late", "library", "mixin", "new", "null", "on",
            "operator", "part", "required", "rethrow", "return", "sealed", "set", "show", "static", "super", "switch",
            "sync", "this", "throw", "true", "try", "typedef", "var", "void", "when", "while", "with", "yield",
        ],
        ..C_LIKE
    },
    Rules {
        names: &["php"],
        line_comments: &["//", "#"],
        keywords: &[
            "abstract", "and", "array", "as", "bool", "break", "callable", "case", "catch", "class", "clone", "const",
            "continue", "declare", "default", "do", "echo", "else", "elseif", "empty", "enum", "extends", "false",
            "final", "finally", "float", "fn", "for", "foreach", "function", "global", "goto", "if", "implements",
            "include", "include_once", "instanceof", "int", "interface", "isset", "list", "match", "mixed",
            "namespace", "new", "null", "or", "parent", "print", "private", "protected", "public", "readonly",
            "require", "require_once", "return", "self", "static", "string", "switch", "this", "throw", "trait",
            "true", "try", "unset", "use", "var", "void", "while", "xor", "yield",
        ],
        ..C_LIKE
    },
    Rules {
        names: &["zig"],
        block_comments: &[],
        keywords: &[
            "align", "allowzero", "and", "anyerror", "anytype", "asm", "async", "await", "bool", "break", "callconv",
            "catch", "comptime", "const", "continue", "defer", "else", "enum", "errdefer", "error", "export",
            "extern", "false", "fn", "for", "if", "inline", "linksection", "noalias", "null", "opaque", "or",
            "orelse", "packed", "pub", "resume", "return", "struct", "suspend", "switch", "test", "threadlocal",
            "true", "try", "type", "undefined", "union", "unreachable", "usingnamespace", "usize", "var", "void",
            "volatile", "while",
        ],
        ..C_LIKE
    },
    Rules {
        names: &["proto", "protobuf"],
        keywords: &[
            "bool", "bytes", "double", "enum", "extend", "extensions", "false", "fixed32", "fixed64", "float",
            "import", "int32", "int64", "map", "message", "oneof", "option", "optional", "package", "public",
            "repeated", "required", "reserved", "returns", "rpc", "service", "sint32", "sint64", "stream", "string",
            "syntax", "to", "true", "uint32", "uint64",
        ],
        ..C_LIKE
    },
    Rules {
        names: &["solidity", "sol"],
        keywords: &[
            "abstract", "address", "anonymous", "as", "assembly", "bool", "break", "bytes", "bytes32", "calldata",
            "catch", "constant", "constructor", "continue", "contract", "delete", "do", "else", "emit", "enum",
            "error", "event", "external", "fallback", "false", "final", "for", "function", "if", "immutable",
            "import", "indexed", "interface", "internal", "is", "library", "mapping", "memory", "modifier", "new",
            "override", "payable", "pragma", "private", "public", "pure", "receive", "require", "return", "returns",
            "revert", "storage", "string", "struct", "this", "true", "try", "uint", "uint256", "unchecked", "using",
            "view", "virtual", "while",
        ],
        ..C_LIKE
    },
    Rules {
        names: &["graphql", "gql"],
        quotes: &["\"\"\"", "\""],
        keywords: &[
            "directive", "enum", "extend", "false", "fragment", "implements", "input", "interface", "mutation",
            "null", "on", "query", "scalar", "schema", "subscription", "true", "type", "union",
        ],
        ..HASHED
    },
    Rules {
        names: &["ruby", "rb", "rake", "gemspec", "gemfile", "crystal", "cr"],
        block_comments: &[("=begin", "=end")],
        keywords: &[
            "BEGIN", "END", "alias", "and", "begin", "break", "case", "class", "def", "defined", "do", "else",
            "elsif", "end", "ensure", "extend", "false", "for", "if", "in", "include", "loop", "module", "next",
            "nil", "not", "or", "private", "protected", "public", "raise", "redo", "require", "require_relative",
            "rescue", "retry", "return", "self", "super", "then", "true", "undef", "unless", "until", "when", "while",
            "yield",
        ],
        ..HASHED
    },
    Rules {
        names: &["elixir", "ex", "exs"],
        quotes: &["\"\"\"", "\"", "'"],
        keywords: &[
            "after", "alias", "and", "case", "catch", "cond", "def", "defdelegate", "defexception", "defguard",
            "defimpl", "defmacro", "defmodule", "defp", "defprotocol", "defstruct", "do", "else", "end", "false",
            "fn", "for", "if", "import", "in", "nil", "not", "or", "quote", "raise", "receive", "require", "rescue",
            "true", "try", "unless", "unquote", "use", "when", "with",
        ],
        ..HASHED
    },
    Rules {
        names: &["erlang", "erl", "hrl"],
        line_comments: &["%"],
        quotes: &["\"", "'"],
        keywords: &[
            "after", "andalso", "begin", "case", "catch", "cond", "div", "end", "false", "fun", "if", "of", "or",
            "orelse", "receive", "rem", "true", "try", "undefined", "when",
        ],
        ..HASHED
    },
    Rules {
        names: &["perl", "pl", "pm"],
        block_comments: &[("=pod", "=cut")],
        keywords: &[
            "and", "cmp", "continue", "die", "do", "else", "elsif", "eq", "eval", "for", "foreach", "ge", "given",
            "goto", "gt", "if", "last", "le", "local", "lt", "my", "ne", "next", "no", "not", "or", "our", "package",
            "print", "qw", "redo", "require", "return", "say", "sub", "undef", "unless", "until", "use", "when",
            "while",
        ],
        ..HASHED
    },
    Rules {
        names: &["r", "rmd"],
        keywords: &[
            "FALSE", "Inf", "NA", "NULL", "NaN", "TRUE", "break", "else", "for", "function", "if", "in", "library",
            "next", "repeat", "require", "return", "while",
        ],
        ..HASHED
    },
    Rules {
        names: &["julia", "jl"],
        block_comments: &[("#=", "=#")],
        quotes: &["\"\"\"", "\"", "'"],
        lifetimes: true,
        keywords: &[
            "Any", "Bool", "Float64", "Int", "abstract", "baremodule", "begin", "break", "catch", "const", "continue",
            "do", "else", "elseif", "end", "export", "false", "finally", "for", "function", "global", "if", "import",
            "in", "isa", "let", "local", "macro", "module", "mutable", "nothing", "primitive", "quote", "return",
            "struct", "true", "try", "type", "using", "where", "while",
        ],
        ..HASHED
    },
    Rules {
        names: &["nim", "nims"],
        block_comments: &[("#[", "]#")],
        quotes: &["\"\"\"", "\"", "'"],
        keywords: &[
            "addr", "and", "as", "bind", "block", "break", "case", "cast", "concept", "const", "continue",
            "converter", "defer", "discard", "div", "do", "elif", "else", "end", "enum", "except", "export", "false",
            "finally", "for", "from", "func", "if", "import", "in", "include", "int", "is", "isnot", "iterator",
            "let", "macro", "method", "mixin", "mod", "nil", "not", "object", "of", "or", "out", "proc", "ptr",
            "raise", "ref", "result", "return", "shl", "shr", "static", "string", "template", "true", "try", "tuple",
            "type", "using", "var", "when", "while", "xor", "yield",
        ],
        ..HASHED
    },
    Rules {
        names: &["nix"],
        block_comments: &[("/*", "*/")],
        quotes: &["''", "\""],
        keywords: &[
            "assert", "else", "false", "if", "import", "in", "inherit", "let", "null", "or", "rec", "then", "true",
            "with",
        ],
        ..HASHED
    },
    Rules {
        names: &["sql", "sqlite", "postgres", "postgresql", "mysql", "plsql"],
        line_comments: &["--"],
        any_case: true,
        keywords: &[
            "add", "all", "alter", "analyze", "and", "any", "as", "asc", "begin", "between", "bigint", "boolean",
            "by", "cascade", "case", "check", "column", "commit", "constraint", "create", "cross", "database", "date",
            "declare", "default", "delete", "desc", "distinct", "do", "drop", "else", "end", "escape", "except",
            "exec", "exists", "explain", "for", "foreign", "from", "full", "function", "grant", "group", "having",
            "if", "in", "index", "inner", "insert", "int", "integer", "intersect", "into", "is", "join", "key",
            "lateral", "left", "like", "limit", "loop", "natural", "no", "not", "null", "numeric", "of", "offset",
            "on", "only", "or", "order", "outer", "over", "partition", "primary", "procedure", "real", "recursive",
            "references", "rename", "replace", "return", "returning", "returns", "right", "rollback", "row", "rows",
            "savepoint", "schema", "select", "set", "some", "table", "temporary", "text", "then", "timestamp", "to",
            "transaction", "trigger", "truncate", "unbounded", "union", "unique", "update", "using", "values",
            "varchar", "view", "when", "where", "while", "window", "with",
        ],
        ..C_LIKE
    },
    Rules {
        names: &["lua", "luau"],
        line_comments: &["--"],
        block_comments: &[("--[[", "]]"), ("--[=[", "]=]")],
        keywords: &[
            "and", "break", "do", "else", "elseif", "end", "false", "for", "function", "goto", "if", "in", "local",
            "nil", "not", "or", "repeat", "return", "self", "then", "true", "until", "while",
        ],
        ..C_LIKE
    },
    Rules {
        names: &["haskell", "hs", "elm", "purescript", "purs", "agda", "idris"],
        line_comments: &["--"],
        block_comments: &[("{-", "-}")],
        quotes: &["\"\"\"", "\"", "'"],
        lifetimes: true,
        keywords: &[
            "Bool", "Int", "Integer", "Maybe", "String", "as", "case", "class", "data", "default", "deriving", "do",
            "else", "exposing", "family", "forall", "foreign", "hiding", "if", "import", "in", "infix", "infixl",
            "infixr", "instance", "let", "module", "newtype", "of", "port", "qualified", "then", "type", "where",
        ],
        ..C_LIKE
    },
    Rules {
        names: &["ocaml", "ml", "mli", "fsharp", "fs", "fsi", "fsx", "f#"],
        line_comments: &["//"],
        block_comments: &[("(*", "*)")],
        quotes: &["\"\"\"", "\"", "'"],
        lifetimes: true,
        keywords: &[
            "abstract", "and", "as", "assert", "async", "begin", "class", "constraint", "default", "do", "done",
            "downto", "elif", "else", "end", "exception", "external", "false", "finally", "for", "fun", "function",
            "functor", "if", "in", "include", "inherit", "initializer", "inline", "interface", "lazy", "let", "match",
            "member", "method", "mod", "module", "mutable", "namespace", "new", "not", "null", "object", "of", "open",
            "or", "override", "private", "public", "rec", "return", "sig", "static", "struct", "then", "to", "true",
            "try", "type", "use", "val", "virtual", "when", "while", "with", "yield",
        ],
        ..C_LIKE
    },
    Rules {
        names: &[
            "clojure", "clj", "cljs", "cljc", "edn", "lisp", "cl", "el", "elisp", "emacs-lisp", "scheme", "scm",
            "racket", "rkt",
        ],
        line_comments: &[";"],
        block_comments: &[("#|", "|#")],
        quotes: &["\""],
        keywords: &[
            "and", "begin", "case", "cond", "def", "define", "defmacro", "defmethod", "defmulti", "defn",
            "defparameter", "defprotocol", "defrecord", "defun", "defvar", "do", "doseq", "else", "false", "fn",
            "for", "if", "in-ns", "lambda", "let", "loop", "nil", "not", "ns", "or", "progn", "quote", "recur",
            "require", "set", "setq", "true", "try", "unless", "when", "while",
        ],
        ..C_LIKE
    },
    Rules {
        names: &["powershell", "ps1", "psm1", "psd1", "pwsh"],
        block_comments: &[("<#", "#>")],
        any_case: true,
        keywords: &[
            "begin", "break", "catch", "class", "continue", "data", "do", "dynamicparam", "else", "elseif", "end",
            "enum", "exit", "filter", "finally", "for", "foreach", "from", "function", "if", "in", "param", "process",
            "return", "switch", "throw", "trap", "try", "until", "using", "while",
        ],
        ..HASHED
    },
    Rules {
        names: &["bat", "batch", "cmd"],
        line_comments: &["::", "rem ", "REM ", "Rem "],
        quotes: &["\""],
        any_case: true,
        keywords: &[
            "call", "cd", "cls", "copy", "defined", "del", "dir", "do", "echo", "else", "endlocal", "errorlevel",
            "exist", "exit", "for", "goto", "if", "in", "md", "mkdir", "move", "not", "off", "on", "pause", "popd",
            "pushd", "rd", "set", "setlocal", "shift", "start", "type",
        ],
        ..HASHED
    },
    Rules {
        names: &["vb", "vbnet", "vba", "visualbasic", "bas"],
        line_comments: &["'"],
        block_comments: &[],
        quotes: &["\""],
        any_case: true,
        keywords: &[
            "addhandler", "as", "boolean", "byref", "byval", "call", "case", "catch", "class", "const", "date", "dim",
            "do", "double", "each", "else", "elseif", "end", "enum", "exit", "false", "finally", "for", "friend",
            "function", "get", "handles", "if", "implements", "imports", "in", "inherits", "integer", "interface",
            "is", "let", "long", "loop", "me", "mod", "module", "mustinherit", "namespace", "new", "next", "not",
            "nothing", "object", "of", "on", "option", "optional", "or", "overrides", "private", "property",
            "protected", "public", "readonly", "return", "select", "set", "shared", "single", "static", "step",
            "string", "structure", "sub", "then", "throw", "to", "true", "try", "until", "using", "wend", "while",
            "with",
        ],
        ..C_LIKE
    },
    Rules {
        names: &["pascal", "pas", "delphi", "dpr"],
        block_comments: &[("{", "}"), ("(*", "*)")],
        quotes: &["'"],
        any_case: true,
        keywords: &[
            "and", "array", "as", "begin", "boolean", "case", "class", "const", "constructor", "destructor", "div",
            "do", "downto", "else", "end", "except", "false", "file", "finally", "for", "function", "if",
            "implementation", "in", "inherited", "initialization", "integer", "interface", "is", "mod", "nil", "not",
            "object", "of", "or", "out", "override", "packed", "private", "procedure", "program", "property",
            "protected", "public", "record", "repeat", "set", "shl", "shr", "string", "then", "to", "true", "try",
            "type", "unit", "until", "uses", "var", "virtual", "while", "with", "xor",
        ],
        ..C_LIKE
    },
    Rules {
        names: &["ada", "adb", "ads", "vhdl", "vhd"],
        line_comments: &["--"],
        block_comments: &[],
        quotes: &["\""],
        any_case: true,
        keywords: &[
            "abort", "abs", "accept", "access", "all", "and", "architecture", "array", "at", "begin", "body", "case",
            "component", "constant", "declare", "delay", "delta", "do", "downto", "else", "elsif", "end", "entity",
            "entry", "exception", "exit", "for", "function", "generate", "generic", "goto", "if", "in", "is",
            "limited", "loop", "map", "mod", "new", "not", "null", "of", "on", "or", "others", "out", "package",
            "port", "pragma", "private", "procedure", "process", "protected", "raise", "range", "record", "rem",
            "return", "reverse", "select", "separate", "signal", "subtype", "tagged", "task", "terminate", "then",
            "to", "type", "until", "use", "variable", "wait", "when", "while", "with", "xor",
        ],
        ..C_LIKE
    },
    Rules {
        names: &["verilog", "systemverilog", "v", "sv", "svh"],
        quotes: &["\""],
        keywords: &[
            "always", "always_comb", "always_ff", "assign", "begin", "bit", "byte", "case", "casex", "casez", "class",
            "default", "else", "end", "endcase", "endclass", "endfunction", "endgenerate", "endinterface",
            "endmodule", "endpackage", "endtask", "enum", "for", "forever", "function", "generate", "genvar", "if",
            "import", "initial", "inout", "input", "int", "integer", "interface", "localparam", "logic", "modport",
            "module", "negedge", "or", "output", "package", "parameter", "posedge", "real", "reg", "repeat", "return",
            "signed", "struct", "task", "typedef", "unsigned", "while", "wire",
        ],
        ..C_LIKE
    },
    Rules {
        names: &["fortran", "f90", "f95", "f03", "f08"],
        line_comments: &["!"],
        block_comments: &[],
        any_case: true,
        keywords: &[
            "allocatable", "allocate", "call", "case", "character", "close", "complex", "contains", "cycle",
            "deallocate", "dimension", "do", "double", "else", "elseif", "end", "enddo", "endif", "exit", "function",
            "if", "implicit", "in", "inout", "integer", "intent", "interface", "logical", "module", "none", "only",
            "open", "out", "parameter", "precision", "print", "private", "procedure", "program", "public", "read",
            "real", "recursive", "result", "return", "select", "stop", "subroutine", "then", "type", "use", "where",
            "while", "write",
        ],
        ..C_LIKE
    },
    Rules {
        names: &["matlab", "octave"],
        line_comments: &["%", "#"],
        block_comments: &[("%{", "%}")],
        quotes: &["\""],
        keywords: &[
            "break", "case", "catch", "classdef", "continue", "do", "else", "elseif", "end", "endfor", "endfunction",
            "endif", "endwhile", "for", "function", "global", "if", "methods", "otherwise", "parfor", "persistent",
            "properties", "return", "switch", "try", "until", "while",
        ],
        ..C_LIKE
    },
    Rules {
        names: &["latex", "tex", "sty", "cls", "bib"],
        line_comments: &["%"],
        block_comments: &[],
        quotes: &[],
        ..C_LIKE
    },
    Rules {
        names: &["asm", "assembly", "nasm", "s"],
        line_comments: &[";", "# ", "//"],
        quotes: &["\"", "'"],
        lifetimes: true,
        ..C_LIKE
    },
    Rules {
        names: &["vim", "viml", "vimscript"],
        line_comments: &["\" "],
        quotes: &["'"],
        keywords: &[
            "augroup", "autocmd", "call", "catch", "command", "continue", "echo", "else", "elseif", "endfor",
            "endfunction", "endif", "endtry", "endwhile", "execute", "filetype", "finally", "for", "function", "if",
            "in", "let", "map", "nnoremap", "noremap", "return", "set", "source", "syntax", "try", "unlet",
            "vnoremap", "while",
        ],
        ..HASHED
    },
    Rules {
        names: &["tcl"],
        quotes: &["\""],
        keywords: &[
            "append", "array", "break", "catch", "continue", "else", "elseif", "error", "eval", "expr", "for",
            "foreach", "global", "if", "incr", "info", "lappend", "lindex", "list", "namespace", "proc", "puts",
            "return", "set", "string", "switch", "uplevel", "upvar", "variable", "while",
        ],
        ..HASHED
    },
    Rules {
        names: &["css", "scss", "sass", "less", "stylus"],
        line_comments: &[],
        keywords: &[
            "and", "auto", "charset", "each", "else", "extend", "for", "forward", "from", "function", "if", "import",
            "important", "include", "inherit", "keyframes", "layer", "media", "mixin", "none", "not", "only",
            "return", "revert", "supports", "to", "unset", "use", "var", "while",
        ],
        ..C_LIKE
    },
    Rules {
        names: &["html", "htm", "xml", "svg", "vue", "svelte", "xhtml", "astro", "xaml", "plist", "xsd", "xsl"],
        line_comments: &[],
        block_comments: &[("<!--", "-->")],
        markup: true,
        ..C_LIKE
    },
    Rules {
        names: &["json", "jsonc", "json5", "jsonl", "ndjson", "webmanifest"],
        quotes: &["\""],
        keywords: &["false", "null", "true"],
        ..C_LIKE
    },
    Rules {
        names: &[
            "yaml", "yml", "toml", "ini", "cfg", "conf", "properties", "env", "dotenv", "hcl", "tf", "tfvars",
            "terraform", "gitignore", "editorconfig", "nginx", "caddyfile", "systemd", "desktop",
        ],
        keywords: &["false", "no", "null", "off", "on", "true", "yes"],
        ..HASHED
    },
];
