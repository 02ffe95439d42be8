//! Where a path really leads: links in it are followed, as whoever opens it would.
//!
//! In goes an absolute path, out comes the one without links, or nothing where that cannot be known. Only names are
//! looked at; nothing is opened.

use std::ffi::{OsStr, OsString};
use std::io::ErrorKind;
use std::path::{Component, Path, PathBuf};

/// Linux follows no more in one path.
const MOST_LINKS: u32 = 40;

/// The path without links. Of a file that is not there yet, the folders that are there count.
///
/// `..` is where it leads from behind a link. Links of a process (`/proc/self/cwd`, `/dev/fd/3`) mean another thing
/// for whoever opens them, so nobody here can follow them.
pub(super) fn real(path: &Path) -> Option<PathBuf> {
    let mut followed = 0;
    let mut ahead = components(path)?;
    let mut at = PathBuf::from("/");
    while let Some(name) = ahead.pop() {
        if name == ".." {
            at.pop();
            continue;
        }
        let next = at.join(&name);
        match next.symlink_metadata() {
            Ok(there) if there.is_symlink() => {
                followed += 1;
                if followed > MOST_LINKS || is_of_processes(&at) {
                    return None;
                }
                let target = next.read_link().ok()?;
                if target.is_absolute() {
                    at = PathBuf::from("/");
                }
                ahead.extend(components(&target)?);
            }
            Ok(_) => at = next,
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
                // A process may be there when the path is opened.
                if is_of_processes(&at) {
                    return None;
                }
                at = next;
            }
            Err(_) => return None,
        }
    }
    Some(at).filter(|path| !is_descriptor(path))
}

/// The names in a path, the last first.
fn components(path: &Path) -> Option<Vec<OsString>> {
    let mut names = Vec::new();
    for part in path.components() {
        match part {
            Component::Normal(name) => names.push(name.to_owned()),
            Component::ParentDir => names.push("..".into()),
            Component::RootDir | Component::CurDir => {}
            Component::Prefix(_) => return None,
        }
    }
    names.reverse();
    Some(names)
}

/// Whether what is in the folder belongs to processes, wherever that file system is mounted.
#[cfg(target_os = "linux")]
fn is_of_processes(folder: &Path) -> bool {
    // A folder that is not there is none of theirs, unless one above it is.
    let known = folder.ancestors().find_map(|folder| rustix::fs::statfs(folder).ok());
    known.is_some_and(|known| known.f_type == rustix::fs::PROC_SUPER_MAGIC)
}

/// Elsewhere only a program that runs on another machine knows such links.
#[cfg(not(target_os = "linux"))]
fn is_of_processes(folder: &Path) -> bool {
    folder.starts_with("/proc")
}

/// Elsewhere than on Linux the open files of a process are no links, but files of their own.
fn is_descriptor(path: &Path) -> bool {
    let names = ["fd", "stdin", "stdout", "stderr"].map(OsStr::new);
    let mut parts = path.iter().skip(1);
    parts.next() == Some(OsStr::new("dev")) && parts.next().is_some_and(|name| names.contains(&name))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::symlink;

    #[test]
    fn links_are_followed_as_far_as_there_is_something() {
        let root = std::env::temp_dir().join(format!("unspool-real-{}", std::process::id()));
        fs::create_dir_all(root.join("a/b")).unwrap();
        let root = root.canonicalize().unwrap();
        fs::write(root.join("a/file"), "").unwrap();
        for (link, to) in [
            ("l", "a/b"),
            ("up", ".."),
            ("abs", "/usr"),
            ("gone", "no/where"),
            ("round", "round"),
            ("two", "l"),
        ] {
            symlink(to, root.join(link)).unwrap();
        }
        for (path, leads_to) in [
            ("a/file", Some("a/file")),
            ("l/new", Some("a/b/new")),
            ("two/../file", Some("a/file")),
            ("l/./..//file", Some("a/file")),
            ("a/file/below", Some("a/file/below")),
            ("gone/x", Some("no/where/x")),
            ("new/../a", Some("a")),
            ("round/x", None),
        ] {
            assert_eq!(real(&root.join(path)), leads_to.map(|it| root.join(it)), "{path}");
        }
        assert_eq!(real(&root.join("up/x")), Some(root.parent().unwrap().join("x")));
        assert_eq!(real(&root.join("abs/x")), Some(real(Path::new("/usr/x")).unwrap()));
        fs::remove_dir_all(root).unwrap();
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn what_is_of_a_process_cannot_be_followed() {
        for path in [
            "/proc/self",
            "/proc/self/cwd/.env",
            "/proc/self/root/etc/passwd",
            "/proc/thread-self/root/etc",
            "/proc/1/root/etc/passwd",
            "/proc/1/task/1/cwd",
            "/proc/4194305/cwd/x",
            "/dev/fd/3",
            "/dev/stdin",
            "/usr/../proc/self/cwd",
        ] {
            assert_eq!(real(Path::new(path)), None, "{path}");
        }
        assert_eq!(real(Path::new("/proc/version")), Some("/proc/version".into()));
    }
}
