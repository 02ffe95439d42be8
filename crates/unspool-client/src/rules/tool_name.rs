//! Names of tools, to tell a slip of the pen from a tool that is not known here.

use unspool::wire::tool::ToolInput;

/// Whether such a tool is known, or there may be one: of an MCP server, or one of several by a pattern.
pub(super) fn is_known(name: &str) -> bool {
    name.contains('*') || name.starts_with("mcp__") || all().any(|known| known == name)
}

/// The tool that is meant by a name that no tool has: it differs by case, or by one letter.
pub(super) fn meant(name: &str) -> Option<&'static str> {
    if is_known(name) {
        return None;
    }
    let by_case = all().find(|known| known.eq_ignore_ascii_case(name));
    by_case.or_else(|| all().find(|known| differ_by_one(known.as_bytes(), name.as_bytes())))
}

fn all() -> impl Iterator<Item = &'static str> {
    ToolInput::TOOLS.iter().copied()
}

/// One letter is another one, is missing, is too much, or stands behind the next one.
fn differ_by_one(one: &[u8], other: &[u8]) -> bool {
    let (short, long) = if one.len() < other.len() { (one, other) } else { (other, one) };
    let same = short.iter().zip(long).take_while(|(a, b)| a == b).count();
    let (short, long) = (&short[same..], &long[same..]);
    match (short, long) {
        ([_, short @ ..], [_, long @ ..]) if short == long => true,
        ([a, b, short @ ..], [c, d, long @ ..]) if short == long => (a, b) == (d, c),
        (short, [_, long @ ..]) => short == long,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_of_the_pen_is_told_from_a_new_tool() {
        for (name, tool) in [
            ("bash", Some("Bash")),
            ("BASH", Some("Bash")),
            ("Bsh", Some("Bash")),
            ("Bassh", Some("Bash")),
            ("Basj", Some("Bash")),
            ("Bahs", Some("Bash")),
            ("Wrtie", Some("Write")),
            ("webfetch", Some("WebFetch")),
            ("Webfetch", Some("WebFetch")),
            ("Reed", Some("Read")),
            ("Bash", None),
            ("Task", None),
            ("LS", None),
            ("LSP", None),
            ("mcp__bash", None),
            ("Bas*", None),
            ("Bass__", None),
            ("Telepathy", None),
            ("", None),
        ] {
            assert_eq!(meant(name), tool, "{name}");
        }
        assert!(!is_known("Telepathy") && is_known("Bash") && is_known("mcp__x") && is_known("*"));
    }
}
