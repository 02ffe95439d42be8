//! Patterns with wild cards.

use super::name::name_fits;

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
    beginnings(pattern, path).last() == Some(true)
}

/// Whether the path, or something below it, fits the pattern.
pub(super) fn parts_reach(pattern: &[&str], path: &[&str]) -> bool {
    beginnings(pattern, path).any(|fits| fits)
}

/// Whether the path fits the first parts of the pattern: none of them, one, and so on.
fn beginnings(pattern: &[&str], path: &[&str]) -> impl Iterator<Item = bool> {
    // How much of the path the pattern so far may have taken.
    let mut taken = vec![false; path.len() + 1];
    taken[0] = true;
    let none = taken[path.len()];
    let others = pattern.iter().map(move |part| {
        let mut next = vec![false; path.len() + 1];
        for at in 0..=path.len() {
            next[at] = if *part == "**" {
                taken[at] || at > 0 && next[at - 1]
            } else {
                at > 0 && taken[at - 1] && name_fits(part, path[at - 1])
            };
        }
        taken = next;
        taken[path.len()]
    });
    std::iter::once(none).chain(others)
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

    #[test]
    fn a_folder_reaches_what_may_be_in_it() {
        for (pattern, folder, reaches) in [
            ("src/a/b", "src", true),
            ("src/a/b", "src/a/b", true),
            ("src/a/b", "src/a/b/c", false),
            ("src/a/b", "docs", false),
            ("**/x", "a/b", true),
            ("a/**/z", "a/b", true),
            ("a/**/z", "b", false),
            ("*/x", "a", true),
            ("*.d/x", "a", false),
        ] {
            let parts = |text: &'static str| text.split('/').collect::<Vec<_>>();
            assert_eq!(parts_reach(&parts(pattern), &parts(folder)), reaches, "{pattern} {folder}");
        }
        assert!(parts_reach(&["a"], &[]));
    }
}
