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
    command
        .args(["-c", "setsid sleep 600 > /dev/null 2>&1 & exit 3"])
        .env(survivors::VARIABLE, mark.as_str());
    let child = command.process_group(0).spawn().unwrap();
    let mut process = Process { child, mark: mark.clone(), sweep: Sweep::Due };
    let exit = loop {
        // As the driver does, which has other things to wait for.
        tokio::select! {
            biased;
            exit = process.wait() => break exit,
            () = tokio::task::yield_now() => {}
        }
    };
    assert_eq!((exit.code, mark.living()), (Some(3), vec![]));
}
