//! What little is known of each language.

/// What is special in a language.
#[derive(Debug)]
pub(super) struct Language {
    /// Its names, as they stand behind a fence or at the end of a file's name.
    names: &'static [&'static str],
    pub(super) keywords: &'static [&'static str],
    pub(super) constants: &'static [&'static str],
    /// What begins a comment to the end of the line.
    pub(super) comments: &'static [&'static str],
    /// What begins and ends a comment over several lines.
    pub(super) block: Option<(&'static str, &'static str)>,
    /// What begins and ends a string over several lines.
    pub(super) long_strings: &'static [&'static str],
    /// What begins and ends a string.
    pub(super) quotes: &'static str,
    /// What may begin a word beside letters, and then has a meaning.
    pub(super) sigils: &'static str,
    /// What may stand in a word beside letters and digits.
    pub(super) inside: &'static str,
    /// Words that begin with a capital are types.
    pub(super) types: bool,
    /// `key: value`.
    pub(super) keys: bool,
    /// Keywords in any case.
    pub(super) any_case: bool,
}

const NONE: Language = Language {
    names: &[],
    keywords: &[],
    constants: &["true", "false", "null"],
    comments: &["//"],
    block: Some(("/*", "*/")),
    long_strings: &[],
    quotes: "\"'",
    sigils: "",
    inside: "",
    types: true,
    keys: false,
    any_case: false,
};

/// The language of this name.
pub(super) fn find(name: &str) -> Option<&'static Language> {
    LANGUAGES.iter().find(|language| language.names.contains(&name))
}

static LANGUAGES: &[Language] = &[
    Language {
        names: &["rust", "rs"],
        keywords: &[
            "as", "async", "await", "break", "const", "continue", "crate", "dyn", "else", "enum", "extern", "fn", "for",
            "if", "impl", "in", "let", "loop", "match", "mod", "move", "mut", "pub", "ref", "return", "self", "Self",
            "static", "struct", "super", "trait", "type", "unsafe", "use", "where", "while",
        ],
        constants: &["true", "false", "None"],
        ..NONE
    },
    Language {
        names: &["python", "py", "python3", "pyi"],
        keywords: &[
            "and", "as", "assert", "async", "await", "break", "class", "continue", "def", "del", "elif", "else",
            "except", "finally", "for", "from", "global", "if", "import", "in", "is", "lambda", "match", "nonlocal",
            "not", "or", "pass", "raise", "return", "try", "while", "with", "yield",
        ],
        constants: &["True", "False", "None", "self"],
        comments: &["#"],
        block: None,
        long_strings: &["\"\"\"", "'''"],
        sigils: "@",
        ..NONE
    },
    Language {
        names: &["javascript", "js", "jsx", "typescript", "ts", "tsx", "mjs", "cjs"],
        keywords: &[
            "abstract", "as", "async", "await", "break", "case", "catch", "class", "const", "continue", "default",
            "delete", "do", "else", "enum", "export", "extends", "finally", "for", "from", "function", "if",
            "implements", "import", "in", "instanceof", "interface", "let", "new", "of", "private", "public",
            "readonly", "return", "static", "super", "switch", "this", "throw", "try", "type", "typeof", "var", "void",
            "while", "yield",
        ],
        constants: &["true", "false", "null", "undefined", "NaN"],
        long_strings: &["`"],
        inside: "$",
        ..NONE
    },
    Language {
        names: &["go", "golang"],
        keywords: &[
            "break", "case", "chan", "const", "continue", "default", "defer", "else", "fallthrough", "for", "func",
            "go", "if", "import", "interface", "map", "package", "range", "return", "select", "struct", "switch",
            "type", "var",
        ],
        constants: &["true", "false", "nil", "iota"],
        long_strings: &["`"],
        ..NONE
    },
    Language {
        names: &["c", "h", "cpp", "c++", "cc", "hpp", "java", "cs", "csharp", "kotlin", "kt", "swift", "scala", "dart", "php"],
        keywords: &[
            "abstract", "auto", "bool", "break", "case", "catch", "char", "class", "const", "constexpr", "continue",
            "default", "delete", "do", "double", "else", "enum", "extends", "extern", "final", "float", "for", "fun",
            "func", "function", "guard", "if", "implements", "import", "in", "inline", "int", "interface", "let",
            "long", "namespace", "new", "operator", "override", "package", "private", "protected", "public", "return",
            "short", "signed", "sizeof", "static", "struct", "super", "switch", "template", "this", "throw", "throws",
            "try", "typedef", "typename", "union", "unsigned", "using", "val", "var", "virtual", "void", "volatile",
            "when", "where", "while",
        ],
        constants: &["true", "false", "null", "nullptr", "NULL", "nil"],
        sigils: "#@",
        ..NONE
    },
    Language {
        names: &["sh", "bash", "shell", "zsh", "console", "fish", "dockerfile", "makefile", "make"],
        keywords: &[
            "case", "do", "done", "elif", "else", "esac", "export", "fi", "for", "function", "if", "in", "local",
            "return", "set", "then", "until", "while", "FROM", "RUN", "COPY", "CMD", "ENTRYPOINT", "ENV", "WORKDIR",
        ],
        comments: &["# ", "#!"],
        block: None,
        sigils: "$",
        inside: "-",
        types: false,
        ..NONE
    },
    Language {
        names: &["json", "jsonc", "json5", "ndjson", "jsonl"],
        quotes: "\"",
        types: false,
        keys: true,
        ..NONE
    },
    Language {
        names: &["yaml", "yml", "toml", "ini", "cfg", "conf", "properties", "env"],
        constants: &["true", "false", "null", "yes", "no", "on", "off"],
        comments: &["#", ";"],
        block: None,
        long_strings: &["\"\"\"", "'''"],
        inside: "-.",
        types: false,
        keys: true,
        ..NONE
    },
    Language {
        names: &["sql", "sqlite", "postgresql", "mysql"],
        keywords: &[
            "add", "all", "alter", "and", "as", "asc", "begin", "between", "by", "case", "commit", "constraint",
            "create", "default", "delete", "desc", "distinct", "drop", "else", "end", "exists", "foreign", "from",
            "full", "group", "having", "in", "index", "inner", "insert", "into", "is", "join", "key", "left", "like",
            "limit", "not", "offset", "on", "or", "order", "outer", "primary", "references", "returning", "right",
            "rollback", "select", "set", "table", "then", "union", "unique", "update", "values", "view", "when",
            "where", "with",
        ],
        comments: &["--"],
        types: false,
        any_case: true,
        ..NONE
    },
    Language {
        names: &["ruby", "rb", "elixir", "ex", "exs", "lua", "perl", "pl", "r", "julia", "jl"],
        keywords: &[
            "and", "begin", "break", "case", "class", "def", "defmodule", "defp", "do", "else", "elseif", "elsif",
            "end", "ensure", "fn", "for", "function", "if", "import", "in", "include", "local", "module", "my", "next",
            "not", "or", "require", "rescue", "return", "self", "sub", "then", "unless", "until", "use", "when",
            "while", "yield",
        ],
        constants: &["true", "false", "nil", "TRUE", "FALSE", "NULL"],
        comments: &["#", "-- "],
        block: None,
        sigils: "@$:",
        ..NONE
    },
    Language {
        names: &["css", "scss", "less"],
        constants: &[],
        sigils: "@#",
        inside: "-",
        types: false,
        keys: true,
        ..NONE
    },
    Language {
        names: &["html", "xml", "svg", "vue", "svelte"],
        constants: &[],
        comments: &[],
        block: Some(("<!--", "-->")),
        quotes: "\"",
        inside: "-",
        types: false,
        ..NONE
    },
];
