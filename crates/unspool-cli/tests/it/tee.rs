//! `unspool record`: nobody notices it, and all that passed is kept.

use crate::packed::plain;
use crate::recording::went;
use crate::terminal::Terminal;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};
use unspool::journal::{Note, Reader, Way};

fn recording(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("tee");
    fs::create_dir_all(&folder).unwrap();
    folder.join(format!("{name}-{}.rec", std::process::id()))
}

/// A shell script, recorded.
fn shell(file: &Path, script: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_unspool"));
    command.arg("record").arg(file).args(["--", "/bin/sh", "-c", script]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn ended(mut child: Child, input: &[u8]) -> (ExitStatus, Vec<u8>, Vec<u8>) {
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    let writer = std::thread::spawn(move || stdin.write_all(&input));
    let output = child.wait_with_output().unwrap();
    // Not every program reads it all.
    let _ = writer.join().unwrap();
    (output.status, output.stdout, output.stderr)
}

/// The code and the signal that the end of a recording says.
fn end(file: &Path) -> (Option<u64>, Option<u64>) {
    let mut end = None;
    Reader::new().feed(&plain(file), |entry| {
        if let Some(Note::Finish(finish)) = entry.unwrap().note() {
            end = Some((finish.code, finish.signal));
        }
    });
    end.expect("an end")
}

fn noise(length: usize) -> Vec<u8> {
    let mut state = 1_u32;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as u8
    };
    (0..length).map(|_| next()).collect()
}

#[test]
fn not_a_byte_is_changed_and_all_are_kept() {
    let inputs = [Vec::new(), b"no line feed".to_vec(), noise(1 << 20), noise(1 << 20)];
    for (number, input) in inputs.into_iter().enumerate() {
        let mut file = recording(&format!("bytes-{number}"));
        if number == 3 {
            file.set_extension("rec.zst");
        }
        let child = shell(&file, "cat; printf 'b\\377d' >&2; exit 7").spawn().unwrap();
        let (status, out, err) = ended(child, &input);
        assert_eq!((status.code(), out == input, &*err), (Some(7), true, &b"b\xffd"[..]));
        assert!(went(&file, Way::In) == input && went(&file, Way::Out) == input, "{number}");
        assert_eq!((went(&file, Way::Err), end(&file)), (b"b\xffd".to_vec(), (Some(7), None)));
    }
}

#[test]
fn it_ends_as_the_program_does() {
    for (script, code, signal) in [
        ("exit 0", Some(0), None),
        ("exit 255", Some(255), None),
        ("kill -TERM $$", None, Some(15)),
        ("kill -KILL $$", None, Some(9)),
        ("kill -ABRT $$", None, Some(6)),
        ("exec /no/such/program", Some(127), None),
    ] {
        let file = recording("ends");
        let (status, ..) = ended(shell(&file, script).spawn().unwrap(), b"");
        assert_eq!((status.code(), status.signal()), (code, signal), "{script}");
        let known = (code.map(|code| code as u64), signal.map(|signal| signal as u64));
        assert_eq!(end(&file), known, "{script}");
    }
    let mut missing = Command::new(env!("CARGO_BIN_EXE_unspool"));
    missing.arg("record").arg(recording("missing")).args(["--", "/no/such/program", "-x"]);
    let output = missing.stdin(Stdio::null()).output().unwrap();
    assert_eq!(output.status.code(), Some(127), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stderr).contains("cannot start /no/such/program"), "{output:?}");
}

#[test]
fn no_answer_is_kept_before_its_question() {
    let file = recording("order");
    let script = "while read -r line; do echo \"answer to $line\"; done";
    let mut child = shell(&file, script).spawn().unwrap();
    let mut asks = child.stdin.take().unwrap();
    let mut answers = BufReader::new(child.stdout.take().unwrap()).lines();
    for number in 0..500 {
        writeln!(asks, "{number}").unwrap();
        assert_eq!(answers.next().unwrap().unwrap(), format!("answer to {number}"));
    }
    drop(asks);
    assert!(child.wait().unwrap().success());
    let mut ways = Vec::new();
    Reader::new().feed(&fs::read(&file).unwrap(), |entry| ways.push(entry.unwrap().way));
    let expected: Vec<Way> = [Way::In, Way::Out].into_iter().cycle().take(1000).collect();
    assert_eq!(ways[1..1001], expected);
}

#[test]
fn each_side_hears_when_the_other_has_gone() {
    // The host reads no more: the program is ended by its next line, as it would be without us.
    let file = recording("gone");
    let script = "trap '' TERM; while :; do echo line || exit 3; sleep 0.01; done";
    let mut child = shell(&file, script).spawn().unwrap();
    let mut out = BufReader::new(child.stdout.take().unwrap());
    out.read_line(&mut String::new()).unwrap();
    drop(out);
    let status = child.wait().unwrap();
    assert!(status.signal() == Some(13) || status.code() == Some(3), "{status:?}");

    // The program reads no more: the host hears it.
    let mut child = shell(&recording("deaf"), "exec 0<&-; echo deaf; sleep 1").spawn().unwrap();
    let mut out = BufReader::new(child.stdout.take().unwrap());
    out.read_line(&mut String::new()).unwrap();
    let mut input = child.stdin.take().unwrap();
    let written = (0..1000).try_for_each(|_| {
        std::thread::sleep(Duration::from_millis(1));
        input.write_all(b"hello\n")
    });
    assert!(written.is_err(), "somebody still reads");
    assert!(child.wait().unwrap().success());

    // It closes its output and goes on: the host hears the end at once.
    let mut child = shell(&recording("silent"), "echo last; exec 1>&-; read -r line").spawn().unwrap();
    let mut all = String::new();
    child.stdout.take().unwrap().read_to_string(&mut all).unwrap();
    assert_eq!((all.as_str(), child.try_wait().unwrap()), ("last\n", None));
    drop(child.stdin.take());
    child.wait().unwrap();
}

#[test]
fn what_it_leaves_behind_does_not_keep_us() {
    let file = recording("left");
    let began = Instant::now();
    let child = shell(&file, "echo first; (sleep 20; echo late) & exit 4").spawn().unwrap();
    let mut child = child;
    assert_eq!(child.wait().unwrap().code(), Some(4));
    assert!(began.elapsed() < Duration::from_secs(10), "{:?}", began.elapsed());
    assert_eq!(went(&file, Way::Out), b"first\n");
}

#[test]
fn signals_reach_the_program() {
    for (signal, number) in [("INT", 2), ("TERM", 15), ("HUP", 1), ("USR1", 10)] {
        if is_ignored(number) {
            eprintln!("SIG{signal} is ignored here, as by nohup, and so by all that is started");
            continue;
        }
        let file = recording(&format!("signal-{signal}"));
        let script = format!(
            "trap 'echo heard; exit 9' {signal}; echo ready; for n in $(seq 2000); do sleep 0.01; done"
        );
        let mut child = shell(&file, &script).spawn().unwrap();
        let mut out = BufReader::new(child.stdout.take().unwrap());
        out.read_line(&mut String::new()).unwrap();
        let id = child.id().to_string();
        assert!(Command::new("kill").args([&format!("-{signal}"), &id]).status().unwrap().success());
        let mut rest = String::new();
        out.read_to_string(&mut rest).unwrap();
        assert_eq!((rest.as_str(), child.wait().unwrap().code()), ("heard\n", Some(9)), "{signal}");
    }
}

/// Whether this process does not hear a signal. What it starts does not either.
fn is_ignored(signal: u32) -> bool {
    let Ok(status) = fs::read_to_string("/proc/self/status") else { return false };
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:")).unwrap();
    u64::from_str_radix(ignored.trim(), 16).unwrap() & 1 << (signal - 1) != 0
}

/// Killed at any moment, every line that was handed on can be read, what was handed on is what the program said, and the program does not
/// go on. `UNSPOOL_KILLS=200` kills as many of each kind, `UNSPOOL_KILL_SEED` at other moments.
#[test]
fn a_kill_costs_no_line_that_was_handed_on() {
    let number = |name: &str, usual: u64| std::env::var(name).map_or(usual, |text| text.parse().unwrap());
    let (rounds, seed) = (number("UNSPOOL_KILLS", 6), number("UNSPOOL_KILL_SEED", 1));
    println!("{rounds} kills of each kind, seed {seed}");
    // Line by line, and as much as there is room for.
    let slowly = "n=0; while :; do n=$((n+1)); echo \"line $n\"; done";
    let flood = "seq -f 'line %.0f' 99999999";
    for (ending, script) in [("rec", slowly), ("rec.zst", slowly), ("rec", flood), ("rec.zst", flood)] {
        let mut moments = seed;
        let (mut handed_on, mut kept) = (0, 0);
        for round in 0..rounds {
            moments = moments.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let moment = Duration::from_micros((moments >> 33) % 60_000);
            // While it begins, and when it is at work.
            let at_work = round % 3 > 0;
            let (seen, lines) = killed(&recording("killed").with_extension(ending), script, at_work, moment);
            let what = format!("{ending}, round {round}, after {moment:?}");
            let said: Vec<u8> =
                (1_u64..).flat_map(|n| format!("line {n}\n").into_bytes()).take(seen.len()).collect();
            assert!(seen == said, "{what}: the stream was disturbed");
            let whole = seen.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
            assert!(lines.starts_with(&seen[..whole]), "{what}: {} kept of {whole}", lines.len());
            handed_on += whole;
            kept += lines.len();
        }
        println!("{ending}, {script}: {handed_on} bytes were handed on in whole lines, {kept} were kept");
        assert!(handed_on > 0, "{ending}");
    }
}

/// Records a script, and kills the recorder so long after it was started, or after its first byte was handed on. Returns what was handed
/// on, and what was kept.
fn killed(file: &Path, script: &str, at_work: bool, moment: Duration) -> (Vec<u8>, Vec<u8>) {
    let mut child = shell(file, script).spawn().unwrap();
    let mut out = child.stdout.take().unwrap();
    let mut all = vec![0; usize::from(at_work)];
    out.read_exact(&mut all).unwrap();
    let reader = std::thread::spawn(move || {
        out.read_to_end(&mut all).unwrap();
        all
    });
    std::thread::sleep(moment);
    child.kill().unwrap();
    child.wait().unwrap();
    let seen = reader.join().unwrap();
    let kept = if file.exists() { plain(file) } else { Vec::new() };
    let mut lines = Vec::new();
    Reader::new().feed(&kept, |entry| {
        let entry = entry.unwrap();
        if entry.way == Way::Out {
            entry.write_bytes(&mut lines);
        }
    });
    (seen, lines)
}

#[test]
fn a_killed_recorder_ends_its_program() {
    let mut child = shell(&recording("orphan"), "echo $$; while :; do sleep 0.01; done").spawn().unwrap();
    let mut id = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut id).unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    let process = Path::new("/proc").join(id.trim());
    let began = Instant::now();
    while process.exists() {
        assert!(began.elapsed() < Duration::from_secs(5), "{id} goes on");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn the_program_gets_what_we_got() {
    let what = "for fd in 0 1 2; do if [ -p /dev/fd/$fd ]; then echo pipe; elif [ -S /dev/fd/$fd ]; then echo socket; else echo other; fi; done";
    let file = recording("pipes");
    let (_, out, _) = ended(shell(&file, what).spawn().unwrap(), b"");
    assert_eq!(String::from_utf8(out).unwrap(), "pipe\npipe\npipe\n");

    let (ours, theirs) = UnixStream::pair().unwrap();
    let theirs: OwnedFd = theirs.into();
    let mut command = shell(&recording("sockets"), what);
    let both = theirs.as_fd().try_clone_to_owned().unwrap();
    let mut child = command.stdin(Stdio::from(both)).stdout(Stdio::from(theirs)).spawn().unwrap();
    drop(command);
    let mut out = BufReader::new(ours).lines();
    assert_eq!([out.next().unwrap().unwrap(), out.next().unwrap().unwrap()], ["socket", "socket"]);
    child.wait().unwrap();
}

#[test]
fn one_file_for_both_keeps_its_order() {
    let file = recording("both");
    let seen = file.with_extension("seen");
    let to = fs::File::create(&seen).unwrap();
    let script = "n=0; while [ $n -lt 200 ]; do n=$((n+1)); echo out $n; echo err $n >&2; done";
    let mut command = shell(&file, script);
    command.stdin(Stdio::null()).stdout(to.try_clone().unwrap()).stderr(to);
    assert!(command.status().unwrap().success());
    let expected: String = (1..=200).map(|n| format!("out {n}\nerr {n}\n")).collect();
    assert_eq!(fs::read_to_string(&seen).unwrap(), expected);
    assert_eq!(went(&file, Way::Out), expected.as_bytes());
}

#[test]
fn a_terminal_stays_a_terminal() {
    let file = recording("terminal");
    let script = "[ -t 0 ] && [ -t 1 ] && [ -t 2 ] && echo 'a terminal'; stty -a | grep -o 'isig\\|-isig'; read -r line; echo \"got $line\"; exit 5";
    let mut command = shell(&file, script);
    command.current_dir(".");
    let mut terminal = Terminal::start(&command);
    terminal.until("a terminal");
    terminal.until("isig");
    terminal.types("hello\n");
    terminal.until("got hello");
    assert_eq!(terminal.ended().0, Some(5));
    assert_eq!(went(&file, Way::Out), b"a terminal\nisig\ngot hello\n");
}
