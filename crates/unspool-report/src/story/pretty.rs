//! JSON for people: short values in one line, others indented.

use unspool::json::Json;

/// Values that are not longer stay in one line.
const LINE: usize = 72;

/// Deeper values are not indented: their indents would be longer than they are.
const DEEPEST: usize = 24;

/// The value as text. Never longer than its compact text by more than a factor.
pub(super) fn pretty(json: Json<'_>) -> String {
    let compact = json.compact();
    if compact.len() <= LINE || json.depth() > DEEPEST {
        return compact;
    }
    let mut out = String::with_capacity(compact.len() * 2);
    let (mut depth, mut quoted, mut escaped, mut before) = (0, false, false, ' ');
    let new_line = |out: &mut String, depth: usize| {
        out.push('\n');
        out.extend(std::iter::repeat_n(' ', 2 * depth));
    };
    for letter in compact.chars() {
        let opened = matches!(before, '{' | '[') && !quoted;
        let closes = matches!(letter, '}' | ']') && !quoted;
        if opened && !closes {
            depth += 1;
            new_line(&mut out, depth);
        } else if closes && !opened {
            depth -= 1;
            new_line(&mut out, depth);
        }
        out.push(letter);
        match letter {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '"' => quoted = !quoted,
            ',' if !quoted => new_line(&mut out, depth),
            ':' if !quoted => out.push(' '),
            _ => {}
        }
        // What stands inside a string opens nothing.
        before = if quoted || letter == '"' { ' ' } else { letter };
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_values_are_indented_and_stay_what_they_are() {
        let text = r#"{"a": [1, {"b": "x{[,:\"\\]}"}], "empty": {}, "none": [], "long": "0123456789012345678901234567890123456789"}"#;
        let shown = pretty(Json::new(text).unwrap());
        let expected = "{\n  \"a\": [\n    1,\n    {\n      \"b\": \"x{[,:\\\"\\\\]}\"\n    }\n  ],\n  \"empty\": {},\n  \"none\": [],\n  \"long\": \"0123456789012345678901234567890123456789\"\n}";
        assert_eq!(shown, expected);
        assert_eq!(pretty(Json::new("[1, 2]").unwrap()), "[1,2]");
        let deep = format!("{}{}", "[".repeat(400), "]".repeat(400));
        assert_eq!(pretty(Json::new(&deep).unwrap()), deep);
    }
}
