use super::*;

#[test]
fn whoever_waits_in_pieces_waits_for_all_that_was_started() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().max_blocking_threads(1).build();
    runtime.unwrap().block_on(async {
        // What looks for survivors has to wait for its turn.
        tokio::task::spawn_blocking(|| std::thread::sleep(std::time::Duration::from_millis(300)));
        wait_in_pieces().await;
    });
}

async fn wait_in_pieces() {
    let mark = Mark::new();
    let mut command = Command::new("sh");
    command.args(["-c", "setsid sleep 600 > /dev/null 2>&1 & exit 3"]).env(survivors::VARIABLE, mark.name());
    let child = command.process_group(0).spawn().unwrap();
    let guard = Guard::start(mark, None, None).unwrap();
    let guard_id = guard.id();
    let mut process = Process { child, mark, guard: Some(guard), sweep: Sweep::Due, _private: None };
    let exit = loop {
        // As the driver does, which has other things to wait for.
        tokio::select! {
            biased;
            exit = process.wait() => break exit,
            () = tokio::task::yield_now() => {}
        }
    };
    assert_eq!((exit.code, mark.living()), (Some(3), vec![]));
    let guard = format!("/proc/{guard_id}");
    assert!(!std::path::Path::new(&guard).exists(), "the guard is still there, or a zombie");
}

/// Its parent has died, and it has nothing of our environment.
#[test]
fn what_has_a_clean_environment_and_a_session_of_its_own_is_found() {
    let mark = Mark::new();
    let mut parent = std::process::Command::new("sh");
    parent.args(["-c", "read _; env -i setsid sh -c 'echo $$; exec sleep 600' & wait; kill -9 $$"]);
    let mut parent = parent.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    mark.put_on(parent.id());
    drop(parent.stdin.take());
    let mut told = String::new();
    std::io::BufRead::read_line(&mut std::io::BufReader::new(parent.stdout.as_mut().unwrap()), &mut told)
        .unwrap();
    let child: i32 = told.trim().parse().unwrap();
    rustix::process::kill_process(rustix::process::Pid::from_child(&parent), rustix::process::Signal::KILL)
        .unwrap();
    parent.wait().unwrap();
    assert_eq!(mark.living(), vec![child]);
    assert_eq!(Mark::new().living(), Vec::<i32>::new());
    mark.kill_all();
    assert_eq!(mark.living(), Vec::<i32>::new());
}

/// On a busy machine a program is further than we are.
#[test]
fn what_was_started_before_its_parent_was_marked_is_found() {
    let mark = Mark::new();
    let mut parent = std::process::Command::new("sh");
    parent.args(["-c", "sh -c 'env -i sleep 600 & echo $!; wait' & wait"]);
    let mut parent = parent.stdout(Stdio::piped()).spawn().unwrap();
    let mut told = String::new();
    std::io::BufRead::read_line(&mut std::io::BufReader::new(parent.stdout.as_mut().unwrap()), &mut told)
        .unwrap();
    mark.put_on(parent.id());
    let living = mark.living();
    mark.kill_all();
    parent.wait().unwrap();
    assert_eq!(living.len(), 3, "the two shells and what they run");
    assert!(living.contains(&told.trim().parse().unwrap()));
}
