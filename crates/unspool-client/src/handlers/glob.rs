//! Patterns with wild cards.

/// Whether the whole text fits; `*` stands for any text, and nothing else is special.
pub(super) fn wild(pattern: &str, text: &str) -> bool {
    let mut parts = pattern.split('*');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = text.strip_prefix(first) else { return false };
    let Some(last) = parts.next_back() else { return rest.is_empty() };
    for part in parts {
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
    }
    rest.ends_with(last)
}

/// Whether a path, by its parts, fits a pattern, by its parts; `**` stands for any number of parts.
pub(super) fn parts_fit(pattern: &[&str], path: &[&str]) -> bool {
    // How much of the path the pattern so far may have taken.
    let mut taken = vec![false; path.len() + 1];
    taken[0] = true;
    for part in pattern {
        let mut next = vec![false; path.len() + 1];
        for at in 0..=path.len() {
            next[at] = if *part == "**" {
                taken[at] || at > 0 && next[at - 1]
            } else {
                at > 0 && taken[at - 1] && wild(part, path[at - 1])
            };
        }
        taken = next;
    }
    taken[path.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_stands_for_any_text() {
        for (pattern, text, fits) in [
            ("cargo", "cargo", true),
            ("cargo", "cargoes", false),
            ("cargo *", "cargo test", true),
            ("*", "", true),
            ("a*b*c", "a-b-b-c", true),
            ("a*b*c", "a-c-b", false),
            ("ab*ba", "aba", false),
            ("* --help", "x --help", true),
            ("", "", true),
            ("", "a", false),
        ] {
            assert_eq!(wild(pattern, text), fits, "{pattern} {text}");
        }
    }

    #[test]
    fn two_stars_stand_for_any_parts() {
        for (pattern, path, fits) in [
            ("src/**", "src/a/b", true),
            ("src/**", "src", true),
            ("**/x", "x", true),
            ("**/x", "a/b/x", true),
            ("src/*", "src/a/b", false),
            ("a/**/z", "a/b/c/z", true),
            ("a/**/z", "a/b/c", false),
            ("*.rs", "a.rs", true),
        ] {
            let parts = |text: &'static str| text.split('/').collect::<Vec<_>>();
            assert_eq!(parts_fit(&parts(pattern), &parts(path)), fits, "{pattern} {path}");
        }
    }
}
