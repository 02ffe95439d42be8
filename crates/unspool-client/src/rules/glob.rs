//! Patterns with wild cards.

use super::name::name_fits;

/// Whether the whole text fits; `*` stands for any text, and nothing else is special.
pub(super) fn wild(pattern: &str, text: &str) -> bool {
    wild_from(pattern, text, [0])
}

/// Whether the text fits from one of these places on to its end.
///
/// Each letter of the text is looked at once, however many places there are: what is behind the first `*` is the
/// further back the better, so it is found once, from the end.
pub(super) fn wild_from(pattern: &str, text: &str, begins: impl IntoIterator<Item = usize>) -> bool {
    let (first, others) =
        pattern.split_once('*').map_or((pattern, None), |(first, rest)| (first, Some(rest)));
    let fits = |begin: usize, until: usize| text[begin..until].starts_with(first);
    let Some(others) = others else {
        return begins.into_iter().any(|begin| text.len() - begin == first.len() && fits(begin, text.len()));
    };
    let mut others = others.rsplit('*');
    let last = others.next().unwrap_or_default();
    let Some(mut until) = text.strip_suffix(last).map(str::len) else { return false };
    for part in others {
        let Some(at) = text[..until].rfind(part) else { return false };
        until = at;
    }
    begins.into_iter().any(|begin| begin <= until && fits(begin, until))
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
    fn a_text_fits_from_some_place_on() {
        for (pattern, text, begins, fits) in [
            ("rm *", "sudo rm x", vec![0, 5, 8], true),
            ("rm *", "sudo rm x", vec![0, 8], false),
            ("rm x", "sudo rm x", vec![0, 5], true),
            ("rm", "sudo rm x", vec![0, 5], false),
            ("b*a*b", "b b a b", vec![2], true),
            ("b*a*b", "b a b", vec![4], false),
            ("ab*ba", "x aba", vec![2], false),
            ("*x", "ab", vec![0, 1, 2], false),
        ] {
            assert_eq!(wild_from(pattern, text, begins), fits, "{pattern} {text}");
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
