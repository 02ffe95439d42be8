//! The worktrees of a git repository, read from its files: no program runs, so nothing that a repository configures is run either.

use super::entries;
use std::fs;
use std::path::{Path, PathBuf};

/// The folders of all worktrees of the repository that a folder is in, the main one first; none if it is in no repository. One
/// whose folder is gone is among them until git forgets it.
pub(super) fn worktrees_of(folder: &Path) -> Vec<PathBuf> {
    let Some(common) = folder.ancestors().find_map(repository_at) else { return Vec::new() };
    let is_beside = common.file_name().is_some_and(|name| name == ".git");
    // A repository that is bare has no main one; nobody works in it.
    let main = common.parent().filter(|_| is_beside).unwrap_or(&common).to_owned();
    let linked = entries(&common.join("worktrees")).unwrap_or_default();
    let mut linked: Vec<PathBuf> = linked.iter().filter_map(|entry| linked_at(&entry.path())).collect();
    linked.sort();
    linked.insert(0, main);
    linked
}

/// Where the repository keeps what its worktrees share, if this folder is one of them.
fn repository_at(folder: &Path) -> Option<PathBuf> {
    let git = folder.join(".git");
    if git.is_dir() {
        return git.join("HEAD").exists().then_some(git);
    }
    let named = fs::read_to_string(git).ok()?;
    let own = folder.join(named.strip_prefix("gitdir:")?.trim());
    let common = fs::read_to_string(own.join("commondir")).map(|common| own.join(common.trim()));
    // A submodule shares nothing.
    fs::canonicalize(common.unwrap_or(own)).ok()
}

/// The worktree that the repository keeps this folder for.
fn linked_at(kept: &Path) -> Option<PathBuf> {
    let git = kept.join(fs::read_to_string(kept.join("gitdir")).ok()?.trim());
    let worktree = git.parent()?;
    Some(fs::canonicalize(worktree).unwrap_or_else(|_| worktree.to_owned()))
}
