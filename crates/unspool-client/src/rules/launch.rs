//! Words behind which a command stands.

/// Words of a shell that begin something of which a command is the next word.
pub(super) const KEYWORDS: [&str; 12] =
    ["if", "then", "elif", "else", "while", "until", "do", "!", "{", "-", "noglob", "nocorrect"];

/// Programs that run the lines they read.
pub(super) const SHELLS: [&str; 11] =
    ["sh", "bash", "zsh", "dash", "ash", "ksh", "fish", "busybox", "pwsh", "powershell", "cmd"];

/// Whether this program runs what it is given; which of its words begin it is its own to know.
pub(super) fn is_launcher(name: &str) -> bool {
    SHELLS.contains(&name) || LAUNCHERS.contains(&name)
}

/// Whether a program with this among its words runs what is behind it: `uv run`, `kubectl exec`, `find -exec`.
pub(super) fn launches(word: &str) -> bool {
    ["exec", "run", "dlx", "foreach", "-exec", "--exec"].contains(&word)
}

const LAUNCHERS: [&str; 76] = [
    "at",
    "batch",
    "builtin",
    "bunx",
    "bwrap",
    "caffeinate",
    "catchsegv",
    "cgexec",
    "chroot",
    "chrt",
    "command",
    "concurrently",
    "coproc",
    "cpulimit",
    "dbus-run-session",
    "doas",
    "dotenv",
    "eatmydata",
    "entr",
    "env",
    "eval",
    "exec",
    "faketime",
    "fakeroot",
    "fd",
    "find",
    "firejail",
    "flock",
    "gdb",
    "hyperfine",
    "iex",
    "invoke-expression",
    "ionice",
    "ltrace",
    "nice",
    "nix-shell",
    "nodemon",
    "nohup",
    "npx",
    "nsenter",
    "numactl",
    "parallel",
    "perf",
    "pkexec",
    "pnpx",
    "prlimit",
    "proxychains",
    "repeat",
    "rlwrap",
    "runuser",
    "screen",
    "script",
    "setarch",
    "setpriv",
    "setsid",
    "ssh",
    "ssh-agent",
    "sshpass",
    "start",
    "start-process",
    "stdbuf",
    "strace",
    "su",
    "sudo",
    "systemd-run",
    "taskset",
    "time",
    "timeout",
    "tmux",
    "trap",
    "unbuffer",
    "unshare",
    "valgrind",
    "watch",
    "watchexec",
    "xargs",
];
