//! How Claude Code names the folder of a project.

/// Longer names are cut here, and a number that only Claude Code knows is put behind.
pub const LONGEST_PROJECT: usize = 200;

/// The name of the folder in which the sessions of a project are kept: its real path, with `-` for all but letters and
/// digits. One that is longer than [`LONGEST_PROJECT`] only begins so.
#[must_use]
pub fn project_name(path: &str) -> String {
    let plain = |letter: char| if letter.is_ascii_alphanumeric() { letter } else { '-' };
    // A letter beyond the first 65,536 is two to Claude Code.
    path.chars().flat_map(|letter| std::iter::repeat_n(plain(letter), letter.len_utf16())).collect()
}

#[cfg(test)]
mod tests {
    use super::project_name;

    #[test]
    fn a_project_is_named_by_its_path() {
        assert_eq!(project_name("/home/me/My.Project_2"), "-home-me-My-Project-2");
        assert_eq!(project_name("/é/🚀"), "-----");
    }
}
