//! The table of languages: names and file extensions, comments, quotes, keywords. Nothing here reads code.

/// What tells the tokens of a language apart.
#[derive(Debug)]
pub(super) struct Rules {
    /// Names and file extensions, lower case.
    pub(super) names: &'static [&'static str],
    pub(super) line_comments: &'static [&'static str],
    /// What block comments begin and end with.
    pub(super) block_comments: &'static [(&'static str, &'static str)],
    /// What strings begin and end with, longest first.
    pub(super) quotes: &'static [&'static str],
    /// A quote may also begin a lifetime.
    pub(super) lifetimes: bool,
    /// Text with tags in it.
    pub(super) markup: bool,
    /// Keywords in capitals count, too.
    any_case: bool,
    /// Sorted.
    keywords: &'static [&'static str],
}

impl Rules {
    pub(super) fn is_keyword(&self, word: &[u8]) -> bool {
        let find = |word: &[u8]| self.keywords.binary_search_by(|keyword| keyword.as_bytes().cmp(word)).is_ok();
        if self.any_case { find(&word.to_ascii_lowercase()) } else { find(word) }
    }
}

/// A language by name or file extension.
pub(super) fn find(name: &str) -> Option<&'static Rules> {
    let name = name.to_ascii_lowercase();
    LANGUAGES.iter().find(|language| language.names.contains(&name.as_str()))
}

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
pub(super) static LANGUAGES: &[Rules] = &[
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
            "abstract", "any", "as", "async", "await", "boolean", "break", "case", "catch", "class", "const",
            "continue", "declare", "default", "delete", "do", "else", "enum", "export", "extends", "false", "finally",
            "for", "from", "function", "get", "if", "implements", "import", "in", "instanceof", "interface", "keyof",
            "let", "namespace", "new", "null", "number", "of", "private", "protected", "public", "readonly", "return",
            "set", "static", "string", "super", "switch", "this", "throw", "true", "try", "type", "typeof",
            "undefined", "unknown", "var", "void", "while", "yield",
        ],
        ..C_LIKE
    },
    Rules {
        names: &["python", "py", "pyi"],
        quotes: &["\"\"\"", "'''", "\"", "'"],
        keywords: &[
            "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue", "def",
            "del", "elif", "else", "except", "finally", "for", "from", "global", "if", "import", "in", "is", "lambda",
            "match", "nonlocal", "not", "or", "pass", "raise", "return", "self", "try", "while", "with", "yield",
        ],
        ..HASHED
    },
    Rules {
        names: &["bash", "sh", "shell", "zsh", "fish", "console", "make", "makefile", "mk", "dockerfile", "docker"],
        quotes: &["\"", "'", "`"],
        keywords: &[
            "case", "do", "done", "elif", "else", "esac", "exit", "export", "fi", "for", "function", "if", "in",
            "local", "readonly", "return", "set", "shift", "source", "then", "trap", "unset", "until", "while",
        ],
        ..HASHED
    },
    Rules {
        names: &["c", "h", "cpp", "cc", "cxx", "hpp", "hh", "objc", "m", "mm", "cuda", "cu", "glsl", "arduino", "ino"],
        keywords: &[
            "auto", "bool", "break", "case", "catch", "char", "class", "const", "constexpr", "continue", "default",
            "delete", "do", "double", "else", "enum", "explicit", "extern", "false", "float", "for", "friend", "goto",
            "if", "inline", "int", "long", "namespace", "new", "nullptr", "operator", "private", "protected", "public",
            "return", "short", "signed", "sizeof", "static", "struct", "switch", "template", "this", "throw", "true",
            "try", "typedef", "typename", "union", "unsigned", "using", "virtual", "void", "volatile", "while",
        ],
        ..C_LIKE
    },
    Rules {
        names: &["go", "golang"],
        quotes: &["\"", "'", "`"],
        keywords: &[
            "bool", "break", "byte", "case", "chan", "const", "continue", "default", "defer", "else", "error",
            "fallthrough", "false", "for", "func", "go", "goto", "if", "import", "int", "interface", "iota", "map",
            "nil", "package", "range", "return", "rune", "select", "string", "struct", "switch", "true", "type", "var",
        ],
        ..C_LIKE
    },
    Rules {
        names: &[
            "java", "kotlin", "kt", "kts", "scala", "groovy", "gradle", "csharp", "cs", "swift", "dart", "php",
            "zig", "proto", "protobuf",
        ],
        quotes: &["\"\"\"", "\"", "'"],
        keywords: &[
            "abstract", "as", "async", "await", "base", "bool", "boolean", "break", "byte", "case", "catch", "char",
            "class", "const", "continue", "data", "def", "default", "defer", "do", "double", "echo", "else", "enum",
            "extends", "extension", "false", "final", "finally", "float", "for", "foreach", "fun", "func", "function",
            "guard", "if", "implements", "import", "in", "init", "int", "interface", "internal", "is", "let", "long",
            "match", "message", "namespace", "new", "nil", "null", "object", "override", "package", "private",
            "protected", "protocol", "public", "readonly", "record", "repeated", "return", "sealed", "self", "static",
            "string", "struct", "super", "switch", "this", "throw", "throws", "trait", "true", "try", "typealias",
            "use", "using", "val", "var", "virtual", "void", "when", "where", "while", "yield",
        ],
        ..C_LIKE
    },
    Rules {
        names: &["ruby", "rb", "rake", "elixir", "ex", "exs", "perl", "pl", "pm", "r", "julia", "jl", "nix"],
        keywords: &[
            "and", "begin", "case", "class", "cond", "def", "defmodule", "defp", "do", "else", "elsif", "end",
            "ensure", "false", "fn", "for", "foreach", "function", "if", "in", "inherit", "let", "loop", "module",
            "my", "next", "nil", "not", "or", "our", "package", "rec", "require", "rescue", "return", "self", "sub",
            "super", "then", "true", "undef", "unless", "until", "use", "when", "while", "with", "yield",
        ],
        ..HASHED
    },
    Rules {
        names: &["sql", "sqlite", "postgres", "mysql"],
        line_comments: &["--"],
        any_case: true,
        keywords: &[
            "alter", "and", "as", "asc", "begin", "between", "by", "case", "commit", "create", "default", "delete",
            "desc", "distinct", "drop", "else", "end", "exists", "foreign", "from", "group", "having", "in", "index",
            "inner", "insert", "into", "is", "join", "key", "left", "like", "limit", "not", "null", "offset", "on",
            "or", "order", "outer", "primary", "references", "returning", "select", "set", "table", "then", "union",
            "unique", "update", "values", "view", "when", "where", "with",
        ],
        ..C_LIKE
    },
    Rules {
        names: &["lua", "haskell", "hs", "elm", "ada"],
        line_comments: &["--"],
        block_comments: &[],
        quotes: &["\""],
        keywords: &[
            "and", "break", "case", "class", "data", "deriving", "do", "else", "elseif", "end", "false", "for",
            "function", "goto", "if", "import", "in", "instance", "let", "local", "module", "newtype", "nil", "not",
            "of", "or", "repeat", "return", "then", "true", "type", "until", "where", "while",
        ],
        ..C_LIKE
    },
    Rules {
        names: &["css", "scss", "less"],
        line_comments: &[],
        keywords: &["and", "auto", "from", "important", "inherit", "media", "none", "not", "only", "to", "var"],
        ..C_LIKE
    },
    Rules {
        names: &["html", "htm", "xml", "svg", "vue", "svelte", "xhtml"],
        line_comments: &[],
        block_comments: &[("<!--", "-->")],
        markup: true,
        ..C_LIKE
    },
    Rules {
        names: &["json", "jsonc", "json5", "jsonl"],
        quotes: &["\""],
        keywords: &["false", "null", "true"],
        ..C_LIKE
    },
    Rules {
        names: &["yaml", "yml", "toml", "ini", "cfg", "conf", "properties", "env", "hcl", "tf", "gitignore"],
        keywords: &["false", "no", "null", "off", "on", "true", "yes"],
        ..HASHED
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keywords_are_sorted_and_names_unique() {
        let mut names: Vec<&str> = LANGUAGES.iter().flat_map(|language| language.names).copied().collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
        for language in LANGUAGES {
            assert!(language.keywords.is_sorted_by(|a, b| a < b), "{:?}", language.names);
        }
    }
}
