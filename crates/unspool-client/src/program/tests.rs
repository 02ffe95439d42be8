//! Finding the program, in folders made for it.

use super::*;
use std::fs;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// A folder of its own, with programs in it.
struct Folder(PathBuf);

impl Folder {
    fn new(programs: &[&str]) -> Self {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        let name = format!("unspool-find-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let folder = Folder(std::env::temp_dir().canonicalize().unwrap().join(name));
        programs.iter().for_each(|program| folder.write(program, "#!/bin/sh\necho '2.1.0 (Claude Code)'\n"));
        folder
    }

    fn write(&self, name: &str, script: &str) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, script).unwrap();
        fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// With this folder as home, and these variables; `~` stands for it in them.
    fn surroundings(&self, variables: &[(&str, &str)]) -> Surroundings {
        let home = self.0.to_str().unwrap();
        let value = |value: &str| OsString::from(value.replace('~', home));
        let variables = variables.iter().map(|&(name, it)| (name.to_owned(), value(it))).collect();
        Surroundings { home: Some(self.0.clone()), variables, for_all: &[] }
    }

    fn find(&self, variables: &[(&str, &str)], explicit: Option<&str>) -> Result<Program, NotFound> {
        let explicit = explicit.map(|name| self.path(name));
        Program::find_in(&self.surroundings(variables), explicit.as_deref())
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn the_nearest_to_what_was_said_is_found_first() {
    let all = [
        "given",
        "named",
        "first/claude",
        "second/claude",
        "config/local/claude",
        ".local/bin/claude",
        ".nvm/versions/node/v9.0.0/bin/claude",
        ".nvm/versions/node/v20.1.0/bin/claude",
    ];
    let path = ("PATH", "~/empty:~/first:~/second");
    let config = ("CLAUDE_CONFIG_DIR", "~/config");
    let named = (OVERRIDE, "~/named");
    let folder = Folder::new(&all);
    let check = |variables: &[(&str, &str)], explicit, found: &str| {
        assert_eq!(
            folder.find(variables, explicit),
            Ok(Program::exactly(folder.path(found))),
            "{variables:?}"
        );
    };
    check(&[named, path, config], Some("given"), "given");
    check(&[named, path, config], None, "named");
    check(&[(OVERRIDE, ""), path, config], None, "first/claude");
    check(&[("PATH", "~/second"), config], None, "second/claude");
    check(&[("PATH", "~/empty"), config], None, "config/local/claude");
    check(&[], None, ".local/bin/claude");
    fs::remove_file(folder.path(".local/bin/claude")).unwrap();
    check(&[], None, ".nvm/versions/node/v20.1.0/bin/claude");
}

#[test]
fn one_word_is_looked_for_on_path() {
    let folder = Folder::new(&["bin/claude-2.1"]);
    let found = folder.find(&[("PATH", "~/bin"), (OVERRIDE, "claude-2.1")], None);
    assert_eq!(found, Ok(Program::exactly(folder.path("bin/claude-2.1"))));
}

#[test]
fn a_script_is_run_by_what_can_run_it() {
    let folder = Folder::new(&["cli.js", "cli.ts", "node/node", "bun/bun", "deno/deno"]);
    let check = |script: &str, path: &str, command: &str, words: &[&str]| {
        let found = folder.find(&[("PATH", path)], Some(script)).unwrap();
        assert_eq!(found.path(), folder.path(script));
        assert_eq!(found.command(), folder.path(command));
        let words: Vec<OsString> = words.iter().map(Into::into).chain([folder.path(script).into()]).collect();
        assert_eq!(found.args(), words);
    };
    check("cli.js", "~/bun:~/node", "node/node", &[]);
    check("cli.js", "~/bun", "bun/bun", &[]);
    check("cli.js", "~/deno", "deno/deno", &["run", "--allow-all"]);
    check("cli.ts", "~/node:~/bun", "bun/bun", &[]);
    let error = folder.find(&[], Some("cli.js")).unwrap_err().to_string();
    assert!(
        error.ends_with("is a script, and there is no node, bun, deno on PATH to run it; install node"),
        "{error}"
    );
}

#[test]
fn a_link_to_a_script_is_run_by_the_node_beside_it() {
    let folder = Folder::new(&["lib/cli.js", "bin/node"]);
    std::os::unix::fs::symlink("../lib/cli.js", folder.path("bin/claude")).unwrap();
    let found = folder.find(&[], Some("bin/claude")).unwrap();
    assert_eq!(found.path(), folder.path("bin/claude"));
    assert_eq!(found.command(), folder.path("bin/node"));
    assert_eq!(found.args(), [folder.path("lib/cli.js")]);
}

#[test]
fn an_error_says_where_it_was_looked_for_and_what_to_do() {
    let folder = Folder::new(&[]);
    let error = folder.find(&[("PATH", "~/bin")], None).unwrap_err().to_string();
    for words in ["npm install -g", "put it on PATH", OVERRIDE, "/bin/claude\n", ".claude/local/claude"] {
        assert!(error.contains(words), "{words} in {error}");
    }
    let error = folder.find(&[(OVERRIDE, "~/gone")], None).unwrap_err();
    assert_eq!(error, NotFound::NotThere { path: folder.path("gone"), why: "from UNSPOOL_CLAUDE" });
    // A file that cannot be run is none either.
    folder.write("text", "");
    fs::set_permissions(folder.path("text"), std::os::unix::fs::PermissionsExt::from_mode(0o644)).unwrap();
    let error = folder.find(&[], Some("text")).unwrap_err();
    assert_eq!(error, NotFound::NotThere { path: folder.path("text"), why: "as given" });
}

#[tokio::test]
async fn a_program_that_tells_no_version_is_not_waited_for() {
    let folder = Folder::new(&["good"]);
    folder.write("stuck", "#!/bin/sh\nexec sleep 600\n");
    folder.write("broken", "#!/bin/sh\necho 'no such thing' >&2\nexit 3\n");
    folder.write("mute", "#!/bin/sh\nexit 3\n");
    let version = async |name: &str, limit| {
        let version = Program::exactly(folder.path(name)).version(Duration::from_millis(limit)).await;
        version.map_err(|error| error.to_string().replace(folder.0.to_str().unwrap(), "~"))
    };
    assert_eq!(version("good", 20_000).await, Ok(Version::new(2, 1, 0)));
    assert_eq!(version("stuck", 100).await, Err("~/stuck --version says nothing within 0.1 s".into()));
    assert_eq!(
        version("broken", 20_000).await,
        Err("~/broken --version: exit status: 3: no such thing".into())
    );
    assert_eq!(
        version("mute", 20_000).await,
        Err("~/mute --version: exit status: 3, and it says nothing".into())
    );
    assert_eq!(version("gone", 20_000).await, Err("~/gone does not start".into()));
}
